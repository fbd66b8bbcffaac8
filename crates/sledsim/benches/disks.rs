//! Speed of disks in serving requests, and in finding the next one: `cargo bench --bench disks`.

use std::hint::black_box;

use divan::counter::ItemsCount;
use divan::Bencher;
use sledsim::device::disk::Disk;
use sledsim::device::{build, load_builtin, load_disk, Device};
use sledsim::request::{Op, Request};
use sledsim::sched::{Policy, Scheduler};
use sledsim::time::Time;

const REQUESTS: usize = 1_000_000;
/// Number of decisions in a queue of one length.
const DECISIONS: u32 = 20_000;

fn main() {
    divan::main();
}

/// Two reads to a write, of 4 KiB each, at places that a congruence spreads over the drive; each arrives when the one
/// before is complete.
#[divan::bench(args = ["atlas10k", "cheetah4lp", "hp-c2247a"], sample_count = 5, sample_size = 1)]
fn serve_random(bencher: Bencher, name: &str) {
    let params = load_disk(name);
    let places = params.block_count - 8;
    bencher.counter(ItemsCount::new(REQUESTS)).bench_local(|| {
        let mut disk = Disk::new(&params).expect("the drive is valid");
        let (mut now, mut lbn) = (Time::ZERO, 0);
        for row in 0..REQUESTS {
            lbn = next(lbn);
            now = disk.serve_at(now, op(row), (lbn >> 16) % places, 8).complete;
        }
        black_box(now)
    });
}

fn next(number: u64) -> u64 {
    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

fn op(row: usize) -> Op {
    if row % 3 == 2 {
        Op::Write
    } else {
        Op::Read
    }
}

/// A disk, and requests that wait for it.
struct Waiting {
    device: Box<dyn Device>,
    queue: Box<dyn Scheduler>,
    now: Time,
    rows: u32,
    lbn: u64,
}

impl Waiting {
    fn new(waiting: u32) -> Self {
        let device = build(&load_builtin("atlas10k"), 1).expect("the drive is valid").remove(0);
        let queue = Policy::parse("sptf").and_then(|policy| policy.build(&*device)).expect("it is valid");
        let mut all = Self { device, queue, now: Time::ZERO, rows: 0, lbn: 0 };
        (0..waiting).for_each(|_| all.push());
        all
    }

    fn push(&mut self) {
        self.lbn = next(self.lbn);
        let lbn = (self.lbn >> 16) % (self.device.blocks() - 8);
        let request = Request::new(self.rows, lbn, 8, op(self.rows as usize));
        self.rows += 1;
        self.queue.push(Request { arrival: self.now, ..request }, &*self.device);
    }

    fn serve(&mut self) {
        let request = self.queue.pop(self.now, &*self.device).expect("some wait");
        self.now = self.now + self.device.serve(self.now, &request).total();
    }
}

/// Decisions of SPTF with a constant number of waiting requests, including their service.
#[divan::bench(args = [8, 100, 1_000, 10_000, 100_000], sample_count = 5, sample_size = 1)]
fn sptf_waiting(bencher: Bencher, waiting: u32) {
    bencher.counter(ItemsCount::new(DECISIONS)).with_inputs(|| Waiting::new(waiting)).bench_local_values(
        |mut all| {
            for _ in 0..DECISIONS {
                all.serve();
                all.push();
            }
            all
        },
    );
}
