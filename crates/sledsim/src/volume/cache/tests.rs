//! Tests of the parts that a cache sends to its device, and of the times at which requests complete, in small examples.

use proptest::prelude::*;

use super::*;
use crate::volume::Action;

/// A cache of twelve lines in front of a device of 1000 sectors, with a clock.
struct Run {
    cache: Box<dyn Volume>,
    io: Io,
    now: Time,
    /// The actions of the cache so far, as text.
    done: Vec<String>,
    flying: Vec<Part>,
}

impl Run {
    fn new(options: &str) -> Self {
        let options = ROW.parse(&format!("cache_mb=0.05,{options}")).unwrap();
        let mut cache = (ROW.make.build)(&options, &vec![vec![1000]]).unwrap();
        let mut io = Io::new(1, false);
        cache.begin(Time::ZERO, &mut io);
        Self { cache, io, now: Time(1000), done: Vec::new(), flying: Vec::new() }
    }

    fn act(&mut self) -> Vec<String> {
        while let Some(action) = self.io.next_action() {
            match action {
                Action::Submit(part, _) => {
                    let end = part.sector + u64::from(part.sectors);
                    self.done.push(format!("{:?} {}..{end}", part.op, part.sector));
                    self.flying.push(part);
                }
                Action::Complete(_, at) => self.done.push(format!("done +{}", at.0 - self.now.0)),
                Action::Wake(at, _) => self.done.push(format!("wake +{}", at.0 - self.now.0)),
                _ => {}
            }
        }
        std::mem::take(&mut self.done)
    }

    fn ask(&mut self, op: Op, sector: u64, sectors: u32) -> Vec<String> {
        let job = self.io.begin();
        let request = VolumeRequest { sector, sectors, op, metadata: false };
        self.cache.submit(self.now, job, &request, &mut self.io);
        self.act()
    }

    fn come_back(&mut self) -> Vec<String> {
        let part = self.flying.remove(0);
        self.io.came_back(&part, self.io.urgency(part.job));
        self.cache.done(self.now, &part, &mut self.io);
        self.act()
    }
}

#[test]
fn what_was_read_is_read_from_memory() {
    let mut run = Run::new("hit_us=7");
    assert_eq!(run.ask(Op::Read, 10, 20), ["Read 10..30"]);
    assert_eq!(run.come_back(), ["done +0"]);
    assert_eq!(run.ask(Op::Read, 12, 18), ["done +7000"]);
    assert_eq!(run.ask(Op::Read, 8, 24), ["Read 8..32"]);
}

#[test]
fn a_write_needs_nothing_from_the_device() {
    let mut run = Run::new("writes=back,dirty_ms=3,hit_us=1");
    assert_eq!(run.ask(Op::Write, 13, 1), ["done +1000", "wake +3000000"]);
    assert_eq!(run.ask(Op::Read, 13, 1), ["done +1000"]);
    assert_eq!(run.ask(Op::Read, 12, 2), ["Read 12..13"]);
}

#[test]
fn neighbours_are_written_back_together() {
    let mut run = Run::new("writes=back,dirty_ms=3,hit_us=1");
    for (sector, sectors) in [(24, 8), (16, 8), (12, 4), (40, 2), (33, 2), (32, 1)] {
        run.ask(Op::Write, sector, sectors);
    }
    run.now = run.now + Span(3_000_000);
    run.cache.woken(run.now, 0, &mut run.io);
    assert_eq!(run.act(), ["Write 12..35"]);
    assert_eq!(run.come_back(), ["done +0", "Write 40..42"]);
    assert_eq!(run.come_back(), ["done +0"]);
}

#[test]
fn too_much_is_written_back_at_once() {
    let mut run = Run::new("writes=back,dirty_max=10,hit_us=0");
    assert_eq!(run.ask(Op::Write, 0, 1), ["done +0", "wake +50000000"]);
    assert_eq!(run.ask(Op::Write, 100, 1), ["done +0", "Write 0..1"]);
}

#[test]
fn a_stream_is_read_ahead() {
    let mut run = Run::new("read_ahead_kib=8,hit_us=0");
    assert_eq!(run.ask(Op::Read, 0, 4), ["Read 0..4"]);
    assert_eq!(run.ask(Op::Read, 4, 4), ["Read 4..8", "Read 8..24"]);
    assert_eq!(
        run.ask(Op::Read, 8, 8),
        ["Read 24..32"],
        "the first sectors of the read wait for the read-ahead in flight"
    );
    let answers: Vec<_> = (0..4).flat_map(|_| run.come_back()).collect();
    assert_eq!(answers, ["done +0"; 5]);
    assert_eq!(run.ask(Op::Read, 16, 4), ["done +0"]);
}

proptest! {
    /// Checks that a read leaves its sectors in memory, whether memory held these sectors before or not.
    #[test]
    fn what_was_just_read_is_in_memory(reads in prop::collection::vec((0_u64..30, 1_u64..12), 1..60)) {
        let mut run = Run::new("read_ahead_kib=0,hit_us=0");
        for (line, lines) in reads {
            let (sector, sectors) = (8 * line, 8 * lines as u32);
            if run.ask(Op::Read, sector, sectors).len() == 1 && !run.flying.is_empty() {
                run.come_back();
            }
            prop_assert_eq!(run.ask(Op::Read, sector, sectors), ["done +0"]);
        }
    }
}

#[test]
fn requests_are_counted_whatever_lines_they_touch() {
    for writes in ["writes=back,dirty_ms=1000", "writes=through"] {
        let mut run = Run::new(writes);
        // Room for three lines: the first read finds no line in memory, the second read one line, the third read all.
        for (sector, sectors) in [(0, 8), (0, 24), (0, 24)] {
            run.ask(Op::Write, sector, sectors);
            if !run.flying.is_empty() {
                run.come_back();
            }
        }
        let counts = run.cache.counts();
        let count = |name: &str| counts.iter().find(|(count, _)| *count == name).unwrap().1;
        assert_eq!((count("write_hits"), count("write_misses")), (1.0, 2.0), "{writes}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    for (options, text) in [
        ("cache_mb=0", "cache: cache_mb = 0: expected a number above 0 (MB)"),
        ("cache_mb=0.004", "cache: cache_mb = 0.004: expected a size of at least one line, 4 KiB"),
        ("line_kib=3", "cache: line_kib = 3: expected a power of two from 1 to 32"),
        ("line_kib=64", "cache: line_kib = 64: expected a whole number from 1 to 32 (KiB)"),
        ("writes=never", "cache: writes = never: expected through or back"),
        ("policy=mru", "cache: policy = mru: expected lru or clock or 2q or arc or fifo"),
        ("dirty_max=101", "cache: dirty_max = 101: expected a number from 0 to 100 (%)"),
        ("dirty_ms=-1", "cache: dirty_ms = -1: expected a number from 0 to 3.6e6 (ms)"),
    ] {
        let found = ROW.parse(options).unwrap();
        let found = (ROW.make.build)(&found, &vec![vec![1000]]).err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), Some(text));
    }
}
