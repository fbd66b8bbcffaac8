//! Speed of simulated hierarchies, devices and record included: `cargo bench --bench hierarchies`. One thread; divan
//! prints the median and host requests a second.

use std::hint::black_box;
use std::ops::ControlFlow;

use divan::counter::ItemsCount;
use divan::Bencher;
use sledsim::sched::Policy;
use sledsim::simulation::simulate_system;
use sledsim::system::System;
use sledsim::trace::Trace;
use sledsim::workload::{Columns, Generator, PastEnd, Replay};

fn main() {
    divan::main();
}

/// A volume by name, whose devices serve first come, first served.
fn volume(name: &str) -> System {
    let policy = Policy::parse("fcfs").expect("it is a policy");
    System::volume(name, toml::Table::new(), &policy).expect("the volume is valid")
}

/// The requests of a published day (003-F7), drawn for a disk.
fn day() -> Trace {
    let disk = volume("single:device=atlas10k").build().expect("the disk can be built");
    Generator::parse("metadata").and_then(|day| day.draw(disk.sectors())).expect("a day can be drawn")
}

/// Serves a day of requests on each volume, from columns in memory to recorded columns.
#[divan::bench(args = [
    "single:device=atlas10k",
    "metadata",
    "write-buffer",
    "metadata+write-buffer",
    "virtual-disk",
    "cache",
    "stripe:device=atlas10k",
    "raid5:device=osdi00",
    "raid5:device=atlas10k",
], sample_count = 5, sample_size = 1)]
fn hierarchies(bencher: Bencher, name: &str) {
    let (trace, system) = (day(), volume(name));
    let sectors = system.build().expect("it can be built").sectors();
    bencher.counter(ItemsCount::new(trace.len())).bench_local(|| {
        let mut replay =
            Replay::new(Columns::of(&trace), 1.0, sectors, PastEnd::Wrap).expect("the trace fits");
        black_box(simulate_system(&system, 1, &mut replay, &mut |_| ControlFlow::Continue(())))
            .expect("the run succeeds")
    });
}
