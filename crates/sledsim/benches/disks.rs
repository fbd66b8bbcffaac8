//! How fast disks serve requests, one at a time: `cargo bench --bench disks`.

use std::hint::black_box;

use divan::counter::ItemsCount;
use divan::Bencher;
use sledsim::device::disk::Disk;
use sledsim::device::load_disk;
use sledsim::request::Op;
use sledsim::time::Time;

const REQUESTS: usize = 1_000_000;

fn main() {
    divan::main();
}

/// Two reads to a write, of 4 KiB each, at places that a congruence spreads over the drive; each comes when the one
/// before is complete.
#[divan::bench(args = ["atlas10k", "cheetah4lp", "hp-c2247a"], sample_count = 5, sample_size = 1)]
fn serve_random(bencher: Bencher, name: &str) {
    let params = load_disk(name);
    let places = params.block_count - 8;
    bencher.counter(ItemsCount::new(REQUESTS)).bench_local(|| {
        let mut disk = Disk::new(&params).expect("the drive is valid");
        let (mut now, mut lbn) = (Time::ZERO, 0_u64);
        for row in 0..REQUESTS {
            lbn = lbn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let op = if row % 3 == 2 { Op::Write } else { Op::Read };
            now = disk.serve_at(now, op, (lbn >> 16) % places, 8).complete;
        }
        black_box(now)
    });
}
