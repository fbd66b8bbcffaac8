//! Data that a power failure destroys in a write, compared with independent models: sleds by the reference model of its
//! bus; disks by the angles of the sectors; cards by its rate.

use std::ops::{ControlFlow, Range};

use proptest::prelude::*;
use sledsim::device::disk::{Disk, Track};
use sledsim::device::mems::Mems;
use sledsim::device::{build, load, Device, Passage, Passages, Passed};
use sledsim::faults::FaultPlan;
use sledsim::params::DeviceParams;
use sledsim::record::{select, Record};
use sledsim::request::{Op, Partial, Request};
use sledsim::sched::Policy;
use sledsim::simulation::{Interrupted, Simulation};
use sledsim::system::System;
use sledsim::time::{Span, Time};
use sledsim::trace::{Op as TraceOp, Trace};
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;

use crate::bus::reference::{reference, Passing};
use crate::bus::{mems_params, mixed, VARIANTS};
use crate::support::{params, run};

const POLICIES: [&str; 3] = ["fcfs", "sptf", "clook_lbn"];
/// Largest difference in ns that rounding causes.
const OFF_NS: i64 = 3;

fn simulation(system: &System, notes: bool) -> Simulation {
    let mut simulation = Simulation::new(system, 1, Record::new(select("all").unwrap(), 0)).unwrap();
    if notes {
        simulation.note_passages().unwrap();
    }
    simulation
}

fn arrival(trace: &Trace, at: usize) -> Arrival {
    let request =
        HostRequest { traced_device: 0, sector: trace.lbn[at] as u64, sectors: trace.blocks[at] as u32 };
    let op = if trace.op[at] == TraceOp::Write { Op::Write } else { Op::Read };
    Arrival::new(Time(trace.arrival_ns[at] as u64), op, request)
}

/// The writes that a power failure would interrupt at each of the times `cuts` (ns, ascending).
fn interrupted(simulation: &mut Simulation, trace: &Trace, cuts: &[i64]) -> Vec<Vec<Interrupted>> {
    let mut next = 0;
    let mut found = Vec::new();
    for cut_ns in cuts {
        while trace.arrival_ns.get(next).is_some_and(|arrival_ns| arrival_ns <= cut_ns) {
            simulation.submit(&arrival(trace, next)).unwrap();
            next += 1;
        }
        simulation.advance(Time(*cut_ns as u64), &mut |_| ControlFlow::Continue(())).unwrap();
        found.push(simulation.interrupted());
    }
    found
}

/// The blocks of those passages for which `is_chosen` is true, as ranges; adjoining ranges are joined.
fn chosen(passing: &[&Passing], is_chosen: impl Fn(&Passing) -> bool) -> Vec<Range<u64>> {
    let mut blocks: Vec<u64> =
        passing.iter().filter(|row| is_chosen(row)).flat_map(|row| row.blocks.clone()).collect();
    blocks.sort_unstable();
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for block in blocks {
        match ranges.last_mut() {
            Some(range) if range.end == block => range.end += 1,
            _ => ranges.push(block..block + 1),
        }
    }
    ranges
}

/// The interrupted write, as the reference model expects it for a power failure at the time `cut_ns`.
fn expected(all: &[Passing], record: &Record, cut_ns: i64) -> Vec<Interrupted> {
    let is_served = |at: usize| record.start_ns[at] <= cut_ns && cut_ns < record.completion_ns[at];
    let Some(at) = (0..record.start_ns.len()).find(|at| record.write[*at] && is_served(*at)) else {
        return Vec::new();
    };
    let rows: Vec<&Passing> = all.iter().filter(|row| row.request == at).collect();
    vec![Interrupted {
        row: at as u32,
        written: chosen(&rows, |row| row.until_ns <= cut_ns),
        torn: chosen(&rows, |row| row.from_ns < cut_ns && cut_ns < row.until_ns),
    }]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Written and torn blocks agree with the reference model for every variant of the bus.
    #[test]
    fn a_sled_has_written_the_rows_that_have_passed(
        seed in any::<u64>(), rate in 20.0..600.0_f64, policy in 0..POLICIES.len(), variant in 0..VARIANTS.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..3_usize, 0..3_000_000_i64), 1..120),
    ) {
        let params = mems_params("osdi00", VARIANTS[variant]);
        let trace = mixed(Mems::new(&params).unwrap().geometry().blocks(), rate, 40, seed);
        let device = DeviceParams::Mems(Box::new(params.clone()));
        let whole = run(&device, &trace, POLICIES[policy]).record;
        let (_, passing) = reference(&params, &trace, &whole);
        prop_assume!(!passing.is_empty());
        let mut cuts: Vec<i64> = cuts.into_iter().map(|(row, about, ns)| {
            let row = row.get(&passing);
            let at_ns = [row.from_ns, row.until_ns, row.from_ns - ns][about];
            [at_ns + ns % 2 * 2 * OFF_NS - OFF_NS, at_ns.max(0)][about / 2]
        }).collect();
        let is_near = |cut_ns: i64| passing.iter().any(|row| {
            [row.from_ns, row.until_ns].iter().any(|at_ns| at_ns.abs_diff(cut_ns) < OFF_NS as u64)
        });
        cuts.retain(|cut_ns| *cut_ns >= 0 && !is_near(*cut_ns));
        cuts.sort_unstable();
        let system = System::device(
            load("osdi00", VARIANTS[variant].parse().unwrap()).unwrap(), &Policy::parse(POLICIES[policy]).unwrap(), None,
        );
        let mut simulation = simulation(&system, true);
        let record = {
            let mut clone = simulation.clone();
            interrupted(&mut clone, &trace, &[trace.arrival_ns[39]]);
            clone.drain(&mut |_| ControlFlow::Continue(())).unwrap();
            clone.into_outcome().record
        };
        prop_assert_eq!(&record.completion_ns, &whole.completion_ns, "noting passages does not change the run");
        for (cut_ns, found) in cuts.iter().zip(interrupted(&mut simulation, &trace, &cuts)) {
            prop_assert_eq!(found, expected(&passing, &record, *cut_ns), "{} at {}", VARIANTS[variant], cut_ns);
        }
    }
}

const DISKS: [&str; 4] = ["atlas10k", "cheetah4lp", "hp-c2490a", "barracuda"];

/// Serves requests one after the other, and returns the passages of each.
fn passages(device: &mut dyn Device, requests: &[Request]) -> Vec<(Time, Time, Vec<Passage>)> {
    let (mut now, mut found) = (Time(1_000_000), Vec::new());
    for request in requests {
        let mut all = Passages::default();
        let service = device.serve_noting(now, request, &mut all);
        let end = now + service.total();
        found.push((now, end, all.into_iter().collect()));
        now = device.complete(end, request) + Span(request.lbn % 3_000_000);
    }
    found
}

/// Random reads and writes in the first `blocks` blocks.
fn requests(blocks: u64) -> impl Strategy<Value = Vec<Request>> {
    let one = (0..blocks - 3000, prop_oneof![1..40_u32, 1..3000_u32], any::<bool>(), any::<bool>());
    let one = one.prop_map(|(lbn, blocks, writes, near)| {
        let op = if writes { Op::Write } else { Op::Read };
        Request::new(0, if near { lbn % 20_000 } else { lbn }, blocks, op)
    });
    prop::collection::vec(one, 1..12)
}

/// True if the passages contain each block of a write exactly once, and no block of a read.
fn are_those_of(request: &Request, passages: &[Passage]) -> bool {
    let mut blocks: Vec<u64> = passages.iter().flat_map(|passage| passage.blocks.clone()).collect();
    blocks.sort_unstable();
    let asked = request.lbn..request.lbn + u64::from(request.blocks);
    blocks.into_iter().eq(if request.op == Op::Write { asked } else { 0..0 })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A sector passes when the head is on its track and its angle comes; sectors pass one at a time.
    #[test]
    fn a_disk_has_written_the_sectors_that_have_passed(requests in requests(400_000), disk in 0..DISKS.len()) {
        let DeviceParams::Disk(params) = params(DISKS[disk], "") else { unreachable!() };
        let mut disk = Disk::new(&params).unwrap();
        let turn_ns = 60e9 / params.rotation_rpm as f64;
        let found = passages(&mut disk.clone(), &requests);
        for (request, (now, _, passages)) in requests.iter().zip(&found) {
            prop_assert!(are_those_of(request, passages));
            let mut in_time = passages.clone();
            in_time.sort_by_key(|passage| passage.from);
            let mut before: Option<(Time, Track)> = None;
            for Passage { blocks, from, until } in in_time {
                let place = disk.layout().place(blocks.start);
                let sector_ns = turn_ns / f64::from(place.sectors_per_track);
                prop_assert!(((until - from).0 as f64 - sector_ns).abs() <= 2.0, "{from:?} {until:?}");
                let angle = (from.0 as f64 / turn_ns).fract() * f64::from(place.sectors_per_track);
                let off_ns = (angle - f64::from(place.slot)) * sector_ns;
                let off_ns = off_ns - (off_ns / turn_ns).round() * turn_ns;
                // The head may be late by rounding, and the time of a turn is no whole number.
                prop_assert!(off_ns.abs() < 20.0, "{off_ns} ns off");
                prop_assert!(from >= *now);
                if let Some((ended, track)) = before {
                    prop_assert!(ended.0 <= from.0 + 8);
                    let is_there = track == place.track || ended.0 < from.0;
                    prop_assert!(is_there, "the arm takes time from one track to another");
                }
                before = Some((until, place.track));
            }
        }
        let plain: Vec<_> = {
            let mut now = Time(1_000_000);
            requests.iter().map(|request| {
                let begun = now;
                let end = now + disk.serve(now, request).total();
                now = disk.complete(end, request) + Span(request.lbn % 3_000_000);
                (begun, end)
            }).collect()
        };
        prop_assert_eq!(plain, found.into_iter().map(|(now, end, _)| (now, end)).collect::<Vec<_>>());
    }

    #[test]
    fn a_card_has_written_sector_by_sector_at_its_rate(requests in requests(60_000)) {
        let params = params("cf-card", "");
        let DeviceParams::Flash(flash) = &params else { unreachable!() };
        let each_ns = 512.0 / flash.write_mb_per_s * 1e3;
        let mut card = build(&params, 1).unwrap().remove(0);
        for (request, (_, end, passages)) in requests.iter().zip(passages(&mut *card, &requests)) {
            prop_assert!(are_those_of(request, &passages));
            for (number, Passage { blocks, from, until }) in passages.into_iter().enumerate() {
                prop_assert_eq!(blocks.start, request.lbn + number as u64);
                let left = u64::from(request.blocks) - number as u64;
                for (at, left) in [(from, left), (until, left - 1)] {
                    prop_assert!(((end - at).0 as f64 - left as f64 * each_ns).abs() <= 2.0);
                }
            }
        }
    }

    /// Erased data are gone until they are written again. In a log, a row changes in an instant to its new contents; an
    /// erase block erased in place loses all its contents at the erasure.
    #[test]
    fn what_is_erased_is_gone_until_it_is_written(requests in requests(60_000)) {
        let mut log = build(&params("osdi00-erase", ""), 1).unwrap().remove(0);
        for (request, (_, _, passages)) in requests.iter().zip(passages(&mut *log, &requests)) {
            prop_assert!(are_those_of(request, &passages));
            prop_assert!(passages.iter().all(|passage| passage.from == passage.until));
        }
        let rewritten = params("osdi00-erase", "erase_management = \"in-place\"\nerase_reserve_blocks = 0");
        let DeviceParams::Mems(mems) = &rewritten else { unreachable!() };
        let erase = mems.erase().unwrap().unwrap();
        let mut in_place = build(&rewritten, 1).unwrap().remove(0);
        for (request, (_, end, passages)) in requests.iter().zip(passages(&mut *in_place, &requests)) {
            let (first, last) = (request.lbn / erase.blocks, (request.lbn + u64::from(request.blocks) - 1) / erase.blocks);
            let whole = Request { lbn: first * erase.blocks, blocks: ((last + 1 - first) * erase.blocks) as u32, ..*request };
            prop_assert!(are_those_of(&whole, &passages));
            for Passage { from, until, .. } in &passages {
                prop_assert!(*until <= end && *until - *from >= erase.takes);
            }
            let erasures: std::collections::BTreeSet<Time> = passages.iter().map(|passage| passage.from).collect();
            prop_assert_eq!(erasures.len() as u64, if request.op == Op::Write { last + 1 - first } else { 0 });
        }
    }

    /// Blocks pass where they lie after remapping: with slipping, a bad block moves all following blocks by one; with
    /// remapping elsewhere, it passes at its new place.
    #[test]
    fn blocks_pass_where_they_lie(requests in requests(60_000), bad in 0..60_000_u64, slips in any::<bool>()) {
        let remapping = if slips { "slip" } else { "elsewhere" };
        let text = format!("reserve_blocks = 100\nremapping = \"{remapping}\"\nbad_blocks = [{{ lbn = {bad}, blocks = 2 }}]");
        let plan = FaultPlan::from_table(text.parse().unwrap(), "faults").unwrap();
        let params = params("osdi00", "");
        let bare = || build(&params, 1).unwrap().remove(0);
        let mut faulty = sledsim::faults::FaultyDevice::new(bare(), &params, &plan, 0).unwrap();
        let end = bare().blocks() - 100;
        let place = |lbn: u64| match (slips, lbn) {
            (true, lbn) if lbn >= bad => lbn + 2,
            (false, lbn) if (bad..bad + 2).contains(&lbn) => end + lbn - bad,
            _ => lbn,
        };
        let mut device = bare();
        let mut now = Time(1_000_000);
        for (request, (begun, _, passages)) in requests.iter().zip(passages(&mut faulty, &requests)) {
            prop_assert!(are_those_of(request, &passages));
            prop_assert_eq!(begun, now);
            // Piece by piece, as the places lie side by side, without slipped blocks.
            let mut expected = vec![];
            let mut lbn = request.lbn;
            let request_end = lbn + u64::from(request.blocks);
            while lbn < request_end {
                let joins = |next: &u64| {
                    let is_moved = |lbn: u64| !slips && (bad..bad + 2).contains(&lbn);
                    slips || !is_moved(*next) && !is_moved(next - 1)
                };
                let to = (lbn + 1..request_end).find(|next| !joins(next)).unwrap_or(request_end);
                let blocks = (place(to - 1) + 1 - place(lbn)) as u32;
                let part = Request { lbn: place(lbn), blocks, ..*request };
                let mut all = Passages::default();
                now = now + device.serve_noting(now, &part, &mut all).total();
                expected.extend(all);
                lbn = to;
            }
            now = device.complete(now, request) + Span(request.lbn % 3_000_000);
            for passage in passages {
                let places = passage.blocks.clone().map(place);
                for at in places {
                    let passes = expected.iter().any(|other| {
                        other.blocks.contains(&at) && (other.from, other.until) == (passage.from, passage.until)
                    });
                    prop_assert!(passes, "{passage:?} at {at}");
                }
            }
        }
    }

    /// A block larger than a sector is torn as a whole if its write is interrupted; while it is only read, before it is
    /// written, it is unchanged.
    #[test]
    fn a_block_that_is_written_in_part_is_torn_as_a_whole(
        sector in 0..60_000_u64, sectors in 1..200_u32, cuts in prop::collection::vec(0.0..=1.0_f64, 1..20),
    ) {
        // Two blocks of ten sectors lie in a row.
        let device = load("osdi00", "tips_per_block = 640".parse().unwrap()).unwrap();
        let system = System::device(device, &Policy::parse("fcfs").unwrap(), None);
        let mut simulation = simulation(&system, true);
        let request = HostRequest { traced_device: 0, sector, sectors };
        simulation.submit(&Arrival::new(Time(0), Op::Write, request)).unwrap();
        let end = simulation.clone().drain(&mut |_| ControlFlow::Continue(())).unwrap()[0].1;
        let mut cuts: Vec<u64> = cuts.into_iter().map(|part| (part * end.0 as f64) as u64).collect();
        cuts.sort_unstable();
        let block = simulation.stations()[0].1.device().block_bytes() / 512;
        prop_assert!(block > 1);
        let asked = sector..sector + u64::from(sectors);
        let mut before = 0;
        for cut in cuts {
            simulation.advance(Time(cut), &mut |_| ControlFlow::Continue(())).unwrap();
            let found = simulation.interrupted();
            if cut == end.0 {
                prop_assert!(found.is_empty());
                continue;
            }
            // A request is in no service before its command is processed.
            for Interrupted { written, torn, .. } in found {
                prop_assert!(written.iter().all(|range| asked.start <= range.start && range.end <= asked.end));
                for torn in torn {
                    prop_assert!(torn.start.is_multiple_of(block) && torn.end.is_multiple_of(block));
                    prop_assert!(torn.start + block > asked.start && torn.end < asked.end + block);
                }
                let now: u64 = written.iter().map(|range| range.end - range.start).sum();
                prop_assert!(now >= before);
                before = now;
            }
        }
    }
}

/// Torn sectors end at the last sector that the device offers; its last block of 640 bytes reaches beyond it.
#[test]
fn sectors_past_the_end_are_not_torn() {
    let plan = FaultPlan::from_table("reserve_blocks = 1".parse().unwrap(), "faults").unwrap();
    let device = load("osdi00", "tips_per_block = 80".parse().unwrap()).unwrap();
    let system = System::device(device, &Policy::parse("fcfs").unwrap(), Some(plan));
    let (end, mut torn_to) = (system.build().unwrap().sectors(), 0);
    let mut simulation = simulation(&system, true);
    let request = HostRequest { traced_device: 0, sector: end - 2, sectors: 2 };
    simulation.submit(&Arrival::new(Time(0), Op::Write, request)).unwrap();
    while simulation.pending() > 0 {
        let until = simulation.now() + Span(10_000);
        simulation.advance(until, &mut |_| ControlFlow::Continue(())).unwrap();
        let torn = simulation.interrupted().into_iter().flat_map(|interrupted| interrupted.torn);
        torn_to = torn.map(|torn| torn.end).fold(torn_to, u64::max);
    }
    assert_eq!(torn_to, end);
}

#[test]
fn a_read_interrupts_nothing_and_a_write_without_notes_is_not_told() {
    let system =
        System::device(load("osdi00", toml::Table::new()).unwrap(), &Policy::parse("fcfs").unwrap(), None);
    for (op, notes) in [(Op::Read, true), (Op::Write, false)] {
        let mut simulation = simulation(&system, notes);
        let request = HostRequest { traced_device: 0, sector: 0, sectors: 8 };
        simulation.submit(&Arrival::new(Time(0), op, request)).unwrap();
        simulation.advance(Time(300_000), &mut |_| ControlFlow::Continue(())).unwrap();
        assert!(simulation.pending() == 1 && simulation.interrupted().is_empty());
    }
}

#[test]
fn volumes_and_records_without_requests_are_refused() {
    let policy = Policy::parse("fcfs").unwrap();
    let volume = System::volume("stripe:devices=2", toml::Table::new(), &policy).unwrap();
    let error = Simulation::new(&volume, 1, Record::new(select("all").unwrap(), 0)).unwrap().note_passages();
    let message = "losses in a power failure: expected a bare device, found a volume";
    assert_eq!(error.unwrap_err().to_string(), message);
    let device = System::device(load("osdi00", toml::Table::new()).unwrap(), &policy, None);
    let error = Simulation::new(&device, 1, Record::with_capacity(0)).unwrap().note_passages();
    assert!(error.unwrap_err().to_string().contains("with the columns lbn, blocks and write"));
}

/// A device that reports no passages counts a write as torn until its end, then as written.
#[test]
fn a_device_that_says_nothing_has_written_nothing_until_the_end() {
    let request = Request { partial: Partial::default(), ..Request::new(0, 10, 5, Op::Write) };
    let mut passages = Passages::default();
    let service = sledsim::device::Service { transfer: Span(100), ..Default::default() };
    passages.note_whole(Time(50), &request, &service);
    let at = |now: u64| passages.at(Time(now));
    let blocks = || vec![Range { start: 10, end: 15 }];
    assert_eq!(at(50), Passed::default());
    assert_eq!(at(149), Passed { torn: blocks(), ..Passed::default() });
    assert_eq!(at(150), Passed { written: blocks(), ..Passed::default() });
}
