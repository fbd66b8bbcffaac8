//! Speed of drawing workloads: `cargo bench --bench drawing`. One thread.

use std::hint::black_box;

use divan::counter::ItemsCount;
use divan::Bencher;
use sledsim::workload::Generator;

/// Number of requests of each workload.
const REQUESTS: usize = 1_000_000;
/// Sectors of the device for which requests are drawn: those of a sled of 001.
const CAPACITY: u64 = 6_750_000;

fn main() {
    divan::main();
}

/// Draws requests at 1,000 a second into columns in memory.
#[divan::bench(args = ["random", "stream", "zipf"], sample_count = 20, sample_size = 1)]
fn drawing(bencher: Bencher, generator: &str) {
    let text = format!("{generator}:rate=1000,count={REQUESTS}");
    let generator = Generator::parse(&text).expect("it is a generator");
    bencher
        .counter(ItemsCount::new(REQUESTS))
        .bench_local(|| black_box(generator.draw(CAPACITY).expect("the workload is valid")));
}
