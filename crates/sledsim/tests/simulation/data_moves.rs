//! Data in volumes. A test host follows the moves of data that a volume reports, and checks that each read finds the
//! data last written.

use std::collections::HashMap;
use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::record::{select, Record};
use sledsim::request::Op;
use sledsim::simulation::{DataMove, DeviceExtent, MemoryPlace, Simulation};
use sledsim::system::System;
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;

use crate::coarse;

/// Number of sectors to which requests go.
const REACH: u64 = 60;

/// Contents of all sectors in memory and on media, each represented by a number, which is 0 before any write.
#[derive(Default)]
struct Contents {
    memory: HashMap<(u32, u32), HashMap<u64, u64>>,
    media: HashMap<(u32, u64), u64>,
    flights: HashMap<u32, (DeviceExtent, Vec<u64>)>,
    found: Vec<u64>,
}

impl Contents {
    fn take(&self, at: MemoryPlace, sectors: u64) -> Vec<u64> {
        let buffer = self.memory.get(&(at.volume, at.job));
        let of = |sector| buffer.and_then(|buffer| buffer.get(&sector)).copied().unwrap_or(0);
        (at.sector..at.sector + sectors).map(of).collect()
    }

    fn put(&mut self, at: MemoryPlace, contents: &[u64]) {
        let buffer = self.memory.entry((at.volume, at.job)).or_default();
        buffer.extend((at.sector..).zip(contents.iter().copied()));
    }

    fn follow(&mut self, one: DataMove) {
        match one {
            DataMove::Arrive { row, to, sectors } => {
                self.put(to, &(0..sectors).map(|at| written(row, at)).collect::<Vec<_>>());
            }
            DataMove::Copy { from, to, sectors } => {
                assert_ne!(from, to, "a copy has different source and destination");
                self.put(to, &self.take(from, sectors));
            }
            DataMove::Xor { from, to, sectors } => {
                let pairs = self.take(from, sectors).into_iter().zip(self.take(to, sectors));
                self.put(to, &pairs.map(|(one, other)| one ^ other).collect::<Vec<_>>());
            }
            DataMove::Note { at, .. } => self.put(at, &[u64::MAX]),
            DataMove::Send { part, from, to } => {
                let contents = self.take(from, to.sectors.end - to.sectors.start);
                self.flights.insert(part, (to, contents));
            }
            DataMove::Written { part } => {
                let (to, contents) = self.flights.remove(&part).expect("it was sent");
                self.media.extend(to.sectors.map(|sector| (to.device, sector)).zip(contents));
            }
            DataMove::Read { from, to } => {
                let of = |sector| self.media.get(&(from.device, sector)).copied().unwrap_or(0);
                self.put(to, &from.sectors.map(of).collect::<Vec<_>>());
            }
            DataMove::Found { from, sectors, .. } => self.found = self.take(from, sectors),
            DataMove::Close { volume, job } => drop(self.memory.remove(&(volume, job))),
        }
    }
}

/// The number that stands for the content that request `row` writes into its sector `at`.
fn written(row: u32, at: u64) -> u64 {
    u64::from(row + 1) << 32 | at
}

fn check(what: &str, system: &System, seed: u64) {
    let record = Record::new(select("all").expect("it is a set"), 0);
    let mut simulation = Simulation::new(system, 1, record).expect("it can be made");
    simulation.follow_data().expect("it is a volume");
    let (mut contents, mut expected) = (Contents::default(), vec![0; REACH as usize]);
    let mut rng = Pcg64::seed_from_u64(seed);
    for row in 0..80 {
        let op = if rng.random_bool(0.5) { Op::Write } else { Op::Read };
        let (sector, sectors) = (rng.random_range(0..REACH - 12), rng.random_range(1..=12));
        let request = HostRequest { traced_device: 0, sector, sectors };
        let arrival = Arrival::new(simulation.now(), op, request);
        simulation.submit(&arrival).expect("it is on the volume");
        simulation.drain(&mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        contents.found.clear();
        simulation.take_data_moves().into_iter().for_each(|one| contents.follow(one));
        let asked = &mut expected[sector as usize..][..sectors as usize];
        match op {
            Op::Write => asked.iter_mut().zip(0..).for_each(|(sector, at)| *sector = written(row, at)),
            Op::Read => assert_eq!(contents.found, asked, "{what}: request {row}"),
        }
    }
}

/// Reads find the written data on volumes over devices, and on volumes over other volumes.
#[test]
fn a_read_finds_what_was_written_through_any_volumes() {
    let kinds = [
        ("single", ""),
        ("stripe", "devices = 3\nstripe_unit_kib = 1"),
        ("mirror", "devices = 2\nread = \"round-robin\""),
        ("raid5", "stripe_unit_kib = 1"),
        ("cache", "cache_mb = 1"),
        ("merge", ""),
    ];
    for (at, (upper, options)) in kinds.into_iter().enumerate() {
        check(upper, &coarse::volume(upper, options, &coarse::member()), at as u64);
        for (lower, below) in &kinds[..3] {
            let below: String = below
                .split('\n')
                .filter(|option| !option.is_empty())
                .map(|option| format!(", {option}"))
                .collect();
            let member = format!("{{ volume = {lower:?}{below}, device = {} }}", coarse::member());
            check(&format!("{upper} over {lower}"), &coarse::volume(upper, options, &member), at as u64);
        }
    }
}
