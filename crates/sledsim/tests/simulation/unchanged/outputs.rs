//! Results of other outputs: Perfetto files, places and positioning, statistics and fitted workloads, replays, and
//! bounds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sledsim::bounds::{bound, serve, Effort};
use sledsim::device::mems::Mems;
use sledsim::device::{build, load, BUILTIN_DEVICES, KINDS};
use sledsim::perfetto;
use sledsim::record::{select, Record};
use sledsim::request::{Op, Request};
use sledsim::sched::Policy;
use sledsim::simulation::Simulation;
use sledsim::system::System;
use sledsim::time::{Span, Time};
use sledsim::trace::Trace;
use sledsim::trace_statistics::{Statistics, StatisticsOptions};
use sledsim::workload::{random, Columns, PastEnd, Replay, ReplayMode, WorkloadFit};

use super::{column, digest, figure, of_outcome, of_trace, rate_per_s, under_load};
use crate::episodes::changed;
use crate::support::params;
use crate::systems::mixed;

const MS: u64 = 1_000_000;

fn of_text(text: &str) -> String {
    format!("{:016x}", digest(text.bytes()))
}

/// Writes the Perfetto file of a window of a run, and returns its number of services and its hash. Some services and
/// rests begin before the window or end after it.
pub fn shown(system: &System, trace: &Trace) -> String {
    let columns = Columns::of(trace);
    let sectors = system.build().expect("it can be made").sectors();
    let record = Record::new(select("all").expect("it is a set"), trace.len());
    let mut simulation = Simulation::new(system, columns.devices(), record).expect("it can be made");
    simulation.keep_journal([Time(15 * MS), Time(120 * MS)]).expect("it has not begun");
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    let outcome = simulation.run(&mut replay, &mut |_| ControlFlow::Continue(()), None);
    let outcome = outcome.expect("nothing stops it");
    let names: Vec<&str> = outcome.devices.iter().map(|device| device.name.as_str()).collect();
    let mut file = Vec::new();
    let journal = outcome.journal.expect("one was kept");
    let hosts = matches!(system, System::Volume(_)).then_some(&outcome.record);
    let written = perfetto::write(&mut file, &names, &journal, hosts).expect("it is memory");
    format!("{} services shown in {:016x}", written.services, digest(file))
}

/// A TOML value as text, with numbers rounded so that they do not depend on the order of summation.
fn of_file(value: &toml::Value) -> String {
    match value {
        toml::Value::Float(number) => figure(*number),
        toml::Value::Array(all) => all.iter().map(|one| of_file(one) + ",").collect(),
        toml::Value::Table(all) => all.iter().map(|(key, one)| format!("{key}={};", of_file(one))).collect(),
        other => other.to_string(),
    }
}

/// Statistics of a trace, and requests drawn from a workload fitted to the trace, as text with hashes.
pub fn learned(trace: &Trace) -> String {
    let options =
        StatisticsOptions { interleave_sectors: 8, devices_most: 2, ..StatisticsOptions::default() };
    let (mut statistics, mut fit) = (Statistics::new(options), WorkloadFit::default());
    statistics.add(trace).expect("it is in order");
    fit.add(trace).expect("it is in order");
    let summary = of_text(&format!("{:.6?}", statistics.summary()));
    let fitted = fit.finish("test").map_err(|error| error.to_string()).and_then(|fitted| {
        let file = of_text(&of_file(&toml::Value::Table(fitted.text().parse().expect("it is TOML"))));
        let drawn = fitted.draw("count=60,rate=500", 6_750_000).map_err(|error| error.to_string())?;
        Ok(format!("{file} draws {}", of_trace(&drawn.0)))
    });
    format!("counted {summary}; fitted {}", fitted.unwrap_or_else(|error| error))
}

/// Hash of a device's answers (place, positioning, access) about random requests, of which it serves every third.
fn answers(name: &str, keys: &str) -> String {
    let params = load(name, keys.parse().expect("it is TOML")).expect("it is valid").into_parameters();
    let mut device = build(&params, 1).expect("it can be made").remove(0);
    let trace = random(device.sectors(), 500.0, 300, 5).expect("the workload is valid");
    device.begin(Time::ZERO);
    let (mut texts, mut now) = (Vec::new(), Time(MS));
    for row in 0..trace.len() {
        let per_block = (device.block_bytes() / 512) as i64;
        let lbn = (trace.lbn[row] / per_block) as u64;
        let blocks = ((i64::from(trace.blocks[row]) / per_block).max(1) as u32).min(device.blocks() as u32);
        let lbn = lbn.min(device.blocks() - u64::from(blocks));
        let mut request =
            Request::new(row as u32, lbn, blocks, if row % 3 == 1 { Op::Write } else { Op::Read });
        let place = device.coordinates(lbn);
        let [positioning, driver, access] = [
            device.positioning(now, &request),
            device.positioning_without_overheads(now, &request),
            device.access(now, &request),
        ];
        let distance_nm = (device.distance_m(now, &request) * 1e9).round() as i64;
        texts.push(format!("{place:?} {positioning:?} {driver:?} {access:?} {distance_nm}"));
        if row % 3 == 0 {
            let ready = device.accept(now, &request);
            device.admit(ready, &mut request);
            let service = device.serve(ready, &request);
            now = device.complete(ready + service.total(), &request) + Span(row as u64 % 7 * MS);
            texts.push(format!("{:.6?} {:?} {now:?}", service, device.location()));
        }
    }
    let rest = device.idle(Span(30_000 * MS));
    texts.push(format!("{rest:.6?} {:?} {:.6?}", device.extent(), device.counts()));
    of_text(&texts.join("\n"))
}

pub fn ask_devices(found: &mut BTreeMap<String, String>) {
    for (name, _) in BUILTIN_DEVICES {
        found.insert(format!("{name} answers"), answers(name, ""));
    }
}

/// Parameters that must also be set if the parameter `key` has the value `value`.
fn besides(key: &str, value: &str) -> &'static str {
    match value {
        "range" => "block_count = 2000000\nslips = []\nspare_range_cylinders = 300",
        // A drive with fewer blocks than before, and no defects: those of the file lie on its own spares.
        _ if key == "sparing" => "block_count = 2000000\nslips = []",
        "cantilevers" => "row_order = \"lbn\"\ncylinder_switch = \"seek\"",
        "random" => "layout_seed = 3\nlayout_extent_blocks = 8",
        "zone-grouped" => "layout_zone_cylinders = 100\nlayout_zone_y_bits = 500",
        "by-popularity" => "layout_popularity = [[4800, 800, 9], [96, 64, 4]]",
        "slew-limited" => "actuator_rise_ms = 0.02",
        "linear-system" => "loop_frequency_hz = 739.0\nloop_damping = 0.7\nloop_tolerance_nm = 4.0",
        "table" => "seek_table_steps = 512",
        "in-place" | "log" => {
            "erase_block_kib = 1024\nerase_ms = 50.0\nerase_slice_ms = 5.0\nerase_power_mw = 100.0\nerase_reserve_blocks = 4"
        }
        _ => "",
    }
}

/// Results for every named value of every parameter, on two sleds and two disks.
pub fn name_keys(found: &mut BTreeMap<String, String>) {
    for name in ["osdi00", "sigmetrics00", "atlas10k", "st41601n"] {
        let kind = params(name, "").kind();
        let file = KINDS.find(kind).expect("it is known").make.file;
        for (key, names) in (file.choices)() {
            for (value, _) in names {
                let keys = format!("{key} = {value:?}\n{}", besides(key, value));
                let table = keys.parse().expect("it is TOML");
                let refused = load(name, table).and_then(|spec| build(spec.parameters(), 1).map(drop)).err();
                let said = match refused {
                    Some(error) => error.to_string(),
                    None => {
                        let load = under_load(&changed(name, &keys, "sptf", None), rate_per_s(name));
                        format!("{load}; {}", answers(name, &keys))
                    }
                };
                found.insert(format!("{name} {key} = {value}"), said);
            }
        }
    }
}

/// Replay rules, each with a scale factor and the handling of requests past the end of the device.
const REPLAYED: &[(&str, f64, PastEnd)] = &[
    ("open", 1.0, PastEnd::Error),
    ("open", 2.5, PastEnd::Wrap),
    ("open", 1.0, PastEnd::Squeeze),
    ("closed:outstanding=3", 1.0, PastEnd::Wrap),
    ("closed:outstanding=2,think_ms=4", 2.0, PastEnd::Squeeze),
    ("closed:outstanding=2,think_ms=4,think=exponential,seed=5", 1.0, PastEnd::Wrap),
    ("think", 1.0, PastEnd::Wrap),
    ("think:longest_ms=3", 2.0, PastEnd::Squeeze),
];

pub fn replay(found: &mut BTreeMap<String, String>) {
    let system = changed("osdi00", "", "sptf", None);
    let sectors = system.build().expect("it can be made").sectors();
    for (mode, scale, rule) in REPLAYED {
        let most = if *rule == PastEnd::Error { sectors } else { 3 * sectors };
        let mut trace = random(most, 900.0, 200, 9).expect("the workload is valid");
        trace.response_ns = (0..200).map(|row| 300_000 + row % 9 * 900_000).collect();
        let replay = Replay::new(Columns::of(&trace), *scale, sectors, *rule).expect("the trace fits");
        let mut replay = ReplayMode::parse(mode).and_then(|mode| mode.build(replay)).expect("it can be made");
        let outcome =
            sledsim::simulation::simulate_system(
                &system,
                1,
                &mut *replay,
                &mut |_| ControlFlow::Continue(()),
            );
        let texts = format!(
            "{} waited, {:?}, {}",
            replay.waited(),
            replay.trace_rows(),
            column(&replay.columns().lbn)
        );
        let outcome = of_outcome(&outcome.expect("nothing stops it"));
        found.insert(format!("{mode} {scale} {rule:?}"), format!("{outcome}; {}", of_text(&texts)));
    }
}

pub fn bound_batches(found: &mut BTreeMap<String, String>) {
    let effort = Effort { steps: 100, changes: 3_000, seed: 1 };
    for (name, keys) in
        [("osdi00", ""), ("mascots03", "write_settle_ms = 0.5"), ("osdi00", "access_mode = \"serpentine\"")]
    {
        let mems = Mems::new(params(name, keys).as_mems("this").expect("it is one")).expect("it is valid");
        for count in [1, 2, 7, 12, 30] {
            let trace = mixed(6_000_000, 500.0, count, count as u64);
            let requests: Vec<_> = (0..count)
                .map(|row| {
                    Request::new(
                        0,
                        trace.lbn[row] as u64,
                        trace.blocks[row] as u32,
                        if row % 3 == 0 { Op::Write } else { Op::Read },
                    )
                })
                .collect();
            let hops = mems.hops(&requests).expect("they fit");
            let policy = Policy::parse("sptf").expect("it is known");
            let (known, total) =
                serve(&mems, mems.all_there(&requests), &requests, &policy).expect("it can be served");
            let bounds =
                bound(&hops, &known, effort, &mut |_| ControlFlow::Continue(())).expect("nothing stops it");
            let certificate = &bounds.certificate;
            found.insert(
                format!("bounds of {count} on {name} {keys}"),
                format!(
                    "{} ns known, {} ns found, {} ns at least, {:?} {} {}",
                    total.0,
                    hops.total_ns(&bounds.order),
                    certificate.bound_ns(),
                    bounds.exact,
                    column(&bounds.order),
                    of_text(&format!("{:?} {:?}", certificate.price_ns, certificate.toll_ns))
                ),
            );
        }
    }
}
