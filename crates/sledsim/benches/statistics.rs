//! Speed of trace statistics: `cargo bench --bench statistics`. One thread.

use std::hint::black_box;

use divan::counter::ItemsCount;
use divan::Bencher;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::trace_statistics::{Statistics, StatisticsOptions, Summary};

const REQUESTS: usize = 1_000_000;
/// Number of rows of a batch, as readers give them.
const BATCH: usize = 65_536;

fn main() {
    divan::main();
}

/// Bursts on devices of 100 GB: half of the requests continue where the one before ended, the others start anywhere,
/// more often near the beginning.
fn batches(devices: i32, rows: usize) -> Vec<Trace> {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut ends = vec![0_i64; devices as usize];
    let mut arrival_ns = 0;
    let mut batches = Vec::new();
    for at in 0..rows {
        if at % BATCH == 0 {
            batches.push(Trace::default());
        }
        let device = rng.random_range(0..devices);
        let near = rng.random::<f64>().powi(3);
        let lbn = if rng.random() { ends[device as usize] } else { (near * 2e8) as i64 };
        let blocks = 8 << rng.random_range(0..6);
        ends[device as usize] = lbn + i64::from(blocks);
        let longest_ns = if rng.random_ratio(1, 16) { 20_000_000 } else { 50_000 };
        arrival_ns += rng.random_range(0..longest_ns);
        let op = if rng.random_ratio(2, 5) { Op::Write } else { Op::Read };
        let (metadata, response_ns) = (rng.random_ratio(1, 10), rng.random_range(1..10_000_000));
        let row =
            TraceRow { arrival_ns, lbn, blocks, op, metadata, device, response_ns, ..TraceRow::default() };
        batches.last_mut().expect("the first row makes one").push(row);
    }
    batches
}

fn summary(batches: &[Trace]) -> Summary {
    let mut statistics = Statistics::new(StatisticsOptions::default());
    batches.iter().for_each(|batch| statistics.add(batch).expect("they are in order"));
    statistics.summary()
}

/// All statistics of requests to a number of devices.
#[divan::bench(args = [1, 16], sample_count = 5, sample_size = 1)]
fn trace_statistics(bencher: Bencher, devices: i32) {
    let batches = batches(devices, REQUESTS);
    bencher.counter(ItemsCount::new(REQUESTS)).bench_local(|| black_box(summary(&batches)));
}
