//! Tests of a disk drive: against a model that computes the time of every block, and against the drive with
//! other settings.

use proptest::prelude::*;

use super::drive_settings::times;
use super::medium::Task;
use super::passing::Data;
use super::*;
use crate::device::{load_disk, Device};
use crate::params::{Destage, Rows, Sparing};

const NAMES: [&str; 8] =
    ["atlas10k", "atlas-iii", "barracuda", "cheetah4lp", "dec-rz26", "hp-c2247a", "hp-c2490a", "st41601n"];

/// Generates the parameters of a built-in drive with a random speed of the bus.
fn drive() -> impl Strategy<Value = DiskParams> {
    let bus = prop_oneof![Just(0.0), 0.001..0.2_f64, Just(0.5)];
    let name = prop::sample::select(NAMES.to_vec());
    (name, bus, any::<[bool; 4]>(), 0.0..1.0_f64).prop_map(|(name, bus_ms, flags, watermark)| {
        let params = load_disk(name);
        let params = if flags[3] { slipped(params) } else { params };
        DiskParams {
            bus_read_ms_per_block: bus_ms,
            bus_write_ms_per_block: bus_ms,
            zero_latency_reads: flags[0],
            zero_latency_writes: flags[1],
            read_watermark: if flags[2] { 0.0 } else { watermark },
            ..params
        }
    })
}

/// Returns the parameters with at least one slipped sector on every track.
fn slipped(params: DiskParams) -> DiskParams {
    let slip = |number: u64| vec![0.0, (17 + 23 * number + number * number % 19) as f64];
    DiskParams {
        block_count: 40_000,
        sparing: Sparing::Disk,
        spare_range_cylinders: None,
        slips: Some(Rows::Numbers((0..2_000).map(slip).collect())),
        ..params
    }
}

/// A request of a test: true for a write, its first block as a fraction of the drive, its number of blocks,
/// and the pause before it in nanoseconds.
type Step = (bool, f64, u32, u64);

fn step() -> impl Strategy<Value = Step> {
    (any::<bool>(), 0.0..1.0_f64, prop_oneof![1_u32..64, 1_u32..1_200], 0_u64..30_000_000)
}

fn place(disk: &Disk, part: f64, blocks: u32) -> u64 {
    (part * (disk.layout().blocks - u64::from(blocks)) as f64) as u64
}

fn op(is_write: bool) -> Op {
    if is_write {
        Op::Write
    } else {
        Op::Read
    }
}

/// Times at which the blocks of a task have passed, in the order of the blocks. A block passes when its
/// sector next comes under the head after the head has arrived; for a write, at least one sector after its
/// data have arrived. Without zero latency, all blocks of a track pass in order in one turn, the last that
/// one of them needs.
fn passed(medium: &Medium, now: Time, arm: Track, task: Task) -> (Vec<Time>, Track) {
    let (mut at, mut arm, mut lbn, mut all) = (now, arm, task.lbn, Vec::new());
    while lbn < task.end {
        let BlockPlace { track, slot: first, sectors_per_track, .. } = medium.layout.place(lbn);
        let places = (lbn..task.end).map(|block| medium.layout.place(block));
        let slots: Vec<u32> =
            places.take_while(|place| place.track == track).map(|place| place.slot).collect();
        let sector_ns = medium.mechanics.turn_ns() / f64::from(sectors_per_track);
        let sector = Span(sector_ns.round() as u64);
        let there = at + medium.mechanics.positioning(arm, track, task.op);
        let passage = |(block, slot): (u64, &u32)| {
            let data = task
                .data
                .map_or(Time::ZERO, |data| data.from + Span((block + 1 - data.lbn) * data.each.0) + sector);
            medium.mechanics.passage(there.max(data), *slot, sectors_per_track)
        };
        let mut ends: Vec<Time> = (lbn..).zip(&slots).map(|block| passage(block) + sector).collect();
        if !task.zero_latency {
            let behind_ns =
                |k: usize| f64::from((slots[k] + sectors_per_track - first) % sectors_per_track) * sector_ns;
            let start = |k: usize| ends[k].0 as f64 - behind_ns(k);
            let latest = (0..ends.len()).map(start).fold(0.0, f64::max);
            ends = (0..ends.len()).map(|k| Time((latest + behind_ns(k)) as u64)).collect();
        }
        at = *ends.iter().max().unwrap();
        (arm, lbn) = (track, lbn + slots.len() as u64);
        all.extend(ends);
    }
    (all, arm)
}

fn near(one: Time, other: Time, blocks: u32) -> bool {
    one.0.abs_diff(other.0) <= 20 + u64::from(blocks)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A read with zero latency completes no later than the same read without it, after any earlier requests.
    #[test]
    fn zero_latency_makes_no_read_later(
        params in drive(),
        steps in prop::collection::vec(step(), 0..12),
        (_, part, blocks, pause) in step(),
        again in any::<bool>(),
    ) {
        let mut disk = Disk::new(&params).unwrap();
        let (mut now, mut last) = (Time::ZERO, 0);
        for (is_write, part, blocks, pause) in steps {
            last = place(&disk, part, blocks);
            now = disk.serve_at(now, op(is_write), last, blocks).complete + Span(pause);
        }
        let lbn = if again { last } else { place(&disk, part, blocks) }.min(disk.layout().blocks - 2_000);
        let completion = |zero_latency_reads| {
            let mut disk = disk.clone();
            Arc::make_mut(&mut disk.fixed).params.zero_latency_reads = zero_latency_reads;
            disk.serve_at(now + Span(pause / 10), Op::Read, lbn, blocks).complete
        };
        prop_assert!(completion(true) <= completion(false));
    }

    /// A read from the medium takes the same time as in a model of every block: a block crosses the bus
    /// once it has been read and all blocks before it have crossed.
    #[test]
    fn a_read_is_what_its_blocks_are(params in drive(), first in step(), (_, part, blocks, _) in step()) {
        let mut disk = Disk::new(&DiskParams { cache_segments: 0, write_back: false, ..params.clone() }).unwrap();
        let begin = disk.serve_at(Time::ZERO, op(first.0), place(&disk, first.1, first.2), first.2).complete;
        let now = begin + Span(1_000_000_000 + first.3);
        let lbn = place(&disk, part, blocks);
        let (zero_latency, end) = (params.zero_latency_reads, lbn + u64::from(blocks));
        let task = Task { lbn, end, op: Op::Read, zero_latency, data: None };
        let (there, _) = passed(&disk.fixed.medium, now + disk.overhead(Op::Read), disk.arm, task);
        let rules = disk.fixed.rules.clone();
        let enough = disk.params().watermark(u64::from(blocks)) as usize;
        let mut bus = *there[..enough].iter().max().unwrap() + rules.data_preparation;
        for block in &there {
            bus = bus.max(*block) + rules.bus_read;
        }
        let served = disk.serve_at(now, Op::Read, lbn, blocks);
        prop_assert!(near(served.medium_done, *there.iter().max().unwrap(), blocks));
        prop_assert!(near(served.complete, bus + rules.read_completion, blocks), "{:?}", served);
    }

    /// A write to the medium takes the same time as in a model that computes the time of every block.
    #[test]
    fn a_write_is_what_its_blocks_are(params in drive(), first in step(), (_, part, blocks, _) in step()) {
        let mut disk = Disk::new(&DiskParams { cache_segments: 0, write_back: false, ..params.clone() }).unwrap();
        let begin = disk.serve_at(Time::ZERO, op(first.0), place(&disk, first.1, first.2), first.2).complete;
        let now = begin + Span(1_000_000_000 + first.3);
        let (lbn, rules) = (place(&disk, part, blocks), disk.fixed.rules.clone());
        let ready = now + disk.overhead(Op::Write);
        let from = ready + rules.service.early_disconnect.map_or(Span::ZERO, |early| early.to_data) + rules.data_preparation;
        let data = Some(Data { lbn, from, each: rules.bus_write });
        let (zero_latency, end) = (params.zero_latency_writes, lbn + u64::from(blocks));
        let task = Task { lbn, end, op: Op::Write, zero_latency, data };
        let (written, arm) = passed(&disk.fixed.medium, ready, disk.arm, task);
        let (at_once, _) = passed(&disk.fixed.medium, ready, disk.arm, Task { data: None, ..task });
        let is_one_track = (lbn..end).all(|block| disk.layout().place(block).track == arm);
        let served = disk.serve_at(now, Op::Write, lbn, blocks);
        prop_assert!(near(served.medium_done, *written.iter().max().unwrap(), blocks), "{:?}", served);
        prop_assert_eq!(disk.arm, arm);
        if is_one_track {
            let held = written.iter().max().unwrap().since(*at_once.iter().max().unwrap());
            prop_assert!(near(Time(served.hold.0), Time(held.0), blocks), "{:?}, held {:?}", served, held);
        }
        prop_assert!(served.complete >= from + times(u64::from(blocks), rules.bus_write));
    }
}

/// Checks that a request which is served in several parts keeps the drive from writing the data of the cache between
/// requests until it is complete.
#[test]
fn a_request_in_parts_is_in_the_drive_until_it_is_complete() {
    let idle =
        DiskParams { destage: Some(Destage::Idle), destage_after_ms: Some(0.0), ..load_disk("atlas10k") };
    let mut disk = Disk::new(&DiskParams { queue_depth: Some(8), ..idle }).unwrap();
    let later = |count: u64| Time::ZERO + Span(count * 1_000_000_000);
    let write = Request::new(0, 5_000_000, 8, Op::Write);
    disk.accept(later(0), &write);
    let end = later(0) + disk.serve(later(0), &write).total();
    disk.complete(end, &write);
    let parts = [Request::new(1, 0, 8, Op::Read), Request::new(1, 64, 8, Op::Read)];
    let waiting = Request::new(2, 128, 8, Op::Read);
    disk.accept(end, &parts[0]);
    disk.accept(end, &waiting);
    let between = end + disk.serve(end, &parts[0]).total();
    let end = between + disk.serve(between, &parts[1]).total();
    disk.destage_before(later(1));
    assert_eq!(disk.dirty.blocks(), 8, "two requests are in the drive");
    disk.complete(end, &parts[0]);
    disk.complete(later(2), &waiting);
    disk.destage_before(later(3));
    assert_eq!(disk.dirty.blocks(), 0);
}
