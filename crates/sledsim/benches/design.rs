//! Cost of a point of a design space: `cargo bench --bench design`. One thread.

use std::hint::black_box;
use std::ops::ControlFlow;

use divan::counter::ItemsCount;
use divan::Bencher;
use sledsim::design::evaluate;
use sledsim::device::{load, DeviceSpec};
use sledsim::sched::Policy;
use sledsim::workload::{random, Columns, PastEnd, ReplayMode};

/// Formats of the medium: probes, sectors side by side, bytes of a sector (004 Table 1).
const FORMATS: [&str; 8] = [
    "64x1x512",
    "256x1x512",
    "1024x4x512",
    "4096x16x512",
    "64x1x4096",
    "1024x1x4096",
    "1024x16x8192",
    "4096x1x8192",
];
/// Number of sectors with requests, fewer than any format has.
const SECTORS: u64 = 1_000_000;

fn main() {
    divan::main();
}

fn points() -> Vec<toml::Table> {
    FORMATS.map(|format| toml::toml! { format = format }).into()
}

fn device() -> DeviceSpec {
    load("emsoft08", toml::Table::new()).expect("it is built in")
}

/// The points of a small space under a number of requests: parameters, device, replay and figures.
#[divan::bench(args = [10, 1000], sample_count = 20, sample_size = 1)]
fn points_of_space(bencher: Bencher, requests: usize) {
    let (device, points) = (device(), points());
    let trace = random(SECTORS, 20.0, requests, 1).expect("the workload is valid");
    let policy = Policy::parse("sptf").expect("it is a policy");
    let mode = ReplayMode::parse("open").expect("it is a mode");
    bencher.counter(ItemsCount::new(points.len())).bench_local(|| {
        for point in &points {
            let spec = device.with_overrides(point.clone()).expect("the format is feasible");
            let columns = Columns::of(&trace);
            let observe = &mut |_| ControlFlow::Continue(());
            let found = evaluate(spec.parameters(), &policy, columns, &mode, 1.0, PastEnd::Wrap, observe);
            black_box(found.expect("the run succeeds"));
        }
    });
}

/// The parameters alone.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn parameters_of_points(bencher: Bencher) {
    let (device, points) = (device(), points());
    bencher.counter(ItemsCount::new(points.len())).bench_local(|| {
        for point in &points {
            black_box(device.with_overrides(point.clone()).expect("the format is feasible"));
        }
    });
}
