//! Tests of the parts that a virtual disk sends to its members, in small examples.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::request::Op;
use crate::volume::{Action, Urgency, REPLACEMENTS};

/// A virtual disk whose members complete one part after the other.
struct Run {
    volume: Box<dyn Volume>,
    io: Io,
}

fn build(options: &str, disk: u64, mems: u64) -> Result<Box<dyn Volume>> {
    let options = ROW.parse(options)?;
    (ROW.make.build)(&options, &vec![vec![disk], vec![mems]])
}

impl Run {
    /// Creates a virtual disk with segments of 8 sectors and two slots.
    fn new() -> Self {
        Self::of("segment_kib=4,dirty_low=100,dirty_high=100", 804, 17)
    }

    fn of(options: &str, disk: u64, mems: u64) -> Self {
        Self { volume: build(options, disk, mems).unwrap(), io: Io::new(2, false) }
    }

    /// Submits a request, and returns all parts that the volume then sends, as text: member, operation and range of
    /// sectors.
    fn ask(&mut self, op: Op, sector: u64, sectors: u32) -> Vec<String> {
        let job = self.io.begin();
        self.volume.submit(
            Time::ZERO,
            job,
            &VolumeRequest { sector, sectors, op, metadata: false },
            &mut self.io,
        );
        let mut asked = Vec::new();
        while let Some(action) = self.io.next_action() {
            if let Action::Submit(part, _) = action {
                let (member, end) =
                    (["disk", "mems"][part.member as usize], part.sector + u64::from(part.sectors));
                asked.push(format!("{member} {:?} {}..{end}", part.op, part.sector));
                self.io.came_back(&part, Urgency::Foreground);
                self.volume.done(Time::ZERO, &part, &mut self.io);
            }
        }
        asked
    }
}

#[test]
fn a_segment_is_brought_and_written_back_as_a_whole() {
    let mut run = Run::new();
    // The segment is copied from the disk to the MEMS device; then the table is written; then the request is served.
    let asked = run.ask(Op::Read, 83, 2);
    assert_eq!(asked, ["disk Read 80..88", "mems Write 1..9", "mems Write 0..1", "mems Read 4..6"]);
    assert_eq!(run.ask(Op::Read, 80, 8), ["mems Read 1..9"]);
    // The table calls the segment dirty before its first write, and is not written again for the second write.
    assert_eq!(run.ask(Op::Write, 81, 1), ["mems Write 0..1", "mems Write 2..3"]);
    assert_eq!(run.ask(Op::Write, 82, 1), ["mems Write 3..4"]);
    // A write of a whole segment reads nothing from the disk, and is acknowledged when the table names the segment.
    assert_eq!(run.ask(Op::Write, 160, 8), ["mems Write 9..17", "mems Write 0..1"]);
    // The first segment is evicted for another; the table drops the first segment when the disk has its data.
    let asked = run.ask(Op::Read, 802, 2);
    let expected = [
        "disk Read 800..804",
        "mems Read 1..9",
        "disk Write 80..88",
        "mems Write 0..1",
        "mems Write 1..5",
        "mems Write 0..1",
        "mems Read 3..5",
    ];
    assert_eq!(asked, expected);
}

/// Checks that the table lists a new segment as dirty if one of the pieces that waited for it was a write, and as clean
/// otherwise.
#[test]
fn a_segment_that_a_write_brings_is_dirty_at_once() {
    let mut run = Run::new();
    let asked = run.ask(Op::Write, 83, 2);
    assert_eq!(asked, ["disk Read 80..88", "mems Write 1..9", "mems Write 0..1", "mems Write 4..6"]);
    assert_eq!(run.ask(Op::Write, 80, 1), ["mems Write 1..2"]);
    // A read brings the segment as clean.
    let asked = run.ask(Op::Read, 163, 2);
    assert_eq!(asked, ["disk Read 160..168", "mems Write 9..17", "mems Write 0..1", "mems Read 12..14"]);
    assert_eq!(run.ask(Op::Write, 160, 1), ["mems Write 0..1", "mems Write 9..10"]);
}

#[test]
fn what_cannot_be_is_refused() {
    let room = "expected a cache for at least two segments and their table";
    for (options, text) in [
        ("segment_kib=0", "segment_kib = 0: expected a whole number from 1 to 1048576 (KiB)".to_owned()),
        (
            "segment_kib=64",
            format!(
                "segment_kib = 64: {room}, found a cache of 200 sectors; lower segment_kib, or raise cache_mb or size_ratio"
            ),
        ),
        ("cache_mb=1", "cache_mb = 1: expected at most the capacity of the MEMS device, 0.1024 MB".into()),
        ("cache_mb=none", "cache_mb = none: expected device, or a number above 0 (MB)".into()),
        (
            "size_ratio=0.5",
            "size_ratio = 0.5: expected at most the capacity of the MEMS device, 0.1024 MB".into(),
        ),
        ("size_ratio=2", "size_ratio = 2: expected device, or a number above 0 and up to 1".into()),
        (
            "cache_mb=0.1,size_ratio=0.1",
            "cache_mb and size_ratio both set the size of the cache; omit one of the two".into(),
        ),
        ("segment_kib=1,dirty_low=90", "dirty_low = 90: expected at most 80, the value of dirty_high".into()),
        ("segment_kib=1,policy=opt", "policy = opt: expected lru or clock or 2q or arc or fifo".into()),
    ] {
        let found = build(options, 1000, 200).err().map(|error| error.to_string());
        assert_eq!(found, Some(format!("virtual-disk: {text}")));
    }
}

#[test]
fn the_size_follows_from_the_options() {
    for (options, slots) in [
        ("segment_kib=4", 24.0),
        ("segment_kib=4,cache_mb=0.05", 12.0),
        ("segment_kib=4,size_ratio=0.1", 12.0),
        ("segment_kib=1", 99.0),
    ] {
        let mut volume = build(options, 1000, 200).unwrap();
        let mut io = Io::new(2, false);
        let mut parts: Vec<Part> = Vec::new();
        for sector in 0..1000 {
            let job = io.begin();
            let request = VolumeRequest { sector, sectors: 1, op: Op::Read, metadata: false };
            volume.submit(Time::ZERO, job, &request, &mut io);
            while let Some(action) = io.next_action() {
                if let Action::Submit(part, _) = action {
                    io.came_back(&part, Urgency::Foreground);
                    volume.done(Time::ZERO, &part, &mut io);
                    parts.push(part);
                }
            }
        }
        let resident = volume.counts().into_iter().find(|(name, _)| *name == "resident_segments");
        assert_eq!(resident, Some(("resident_segments", slots)), "{options}");
        let end =
            parts.iter().filter(|part| part.member == MEMS).map(|part| part.sector + u64::from(part.sectors));
        assert!(end.max().unwrap() <= 200);
    }
}

/// Checks that the virtual disk and its replacement policy alone miss the same segments. Requests come one after the
/// other, each within one segment.
#[test]
fn segments_are_replaced_as_the_policy_says() {
    let mut random = Pcg64::seed_from_u64(5);
    let wanted: Vec<u64> = (0..400).map(|_| random.random_range(0..6) * random.random_range(0..6)).collect();
    for row in REPLACEMENTS.rows() {
        let mut policy = (row.make)(5);
        let mut held = [None; 5];
        let mut run = Run::of(&format!("segment_kib=4,policy={}", row.name), 804, 5 * 8 + 1);
        for (at, segment) in wanted.iter().enumerate() {
            let known = held.iter().position(|held| *held == Some(*segment));
            if let Some(slot) = known {
                policy.touch(slot as u32);
            } else {
                policy.missed(*segment);
                let free = held.iter().position(Option::is_none).map(|slot| slot as u32);
                let slot = free.or_else(|| policy.victim(10, &mut |_| true)).unwrap();
                held[slot as usize] = Some(*segment);
                policy.insert(slot, *segment);
            }
            let asked = run.ask(Op::Read, 8 * segment + 1, 1);
            let is_fetched = asked.iter().any(|part| part.starts_with("disk Read"));
            assert_eq!(is_fetched, known.is_none(), "{}: request {at}", row.name);
        }
    }
}

/// Checks that the volume completes each job of its own once; a job that is never completed would stay in memory.
#[test]
fn what_is_begun_is_completed() {
    let mut run = Run::new();
    let (mut begun, mut completed) = (Vec::new(), Vec::new());
    // With two slots, every new segment evicts another, which is dirty.
    for segment in [10, 20, 100, 10, 30] {
        let request = VolumeRequest { sector: 8 * segment + 3, sectors: 1, op: Op::Write, metadata: false };
        let job = run.io.begin();
        run.volume.submit(Time::ZERO, job, &request, &mut run.io);
        while let Some(action) = run.io.next_action() {
            match action {
                Action::Submit(part, _) => {
                    begun.push(part.job.0);
                    run.io.came_back(&part, Urgency::Foreground);
                    run.volume.done(Time::ZERO, &part, &mut run.io);
                }
                Action::Complete(job, _) => completed.push(job.0),
                _ => {}
            }
        }
    }
    begun.sort_unstable();
    begun.dedup();
    completed.sort_unstable();
    assert_eq!(completed, begun);
    let written_back = run.volume.counts().into_iter().find(|(name, _)| *name == "written_back_segments");
    assert_eq!(written_back, Some(("written_back_segments", 3.0)));
}
