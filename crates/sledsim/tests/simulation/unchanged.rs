//! Frozen results of every generator, device, policy, named value of a key, volume and plan of faults, which the next
//! version must reproduce. Other tests check that they are right.

mod outputs;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sledsim::device::BUILTIN_DEVICES;
use sledsim::for_each_column;
use sledsim::layout::LAYOUTS;
use sledsim::sched::Policy;
use sledsim::simulation::Outcome;
use sledsim::system::System;
use sledsim::trace::Trace;
use sledsim::volume::VOLUMES;
use sledsim::workload::{random, Generator, GENERATORS};

use crate::conformance::policies;
use crate::episodes::changed;
use crate::generators::OTHERWISE;
use crate::support::mean_ms;
use crate::systems::{mixed, run_system, KINDS};

/// Folder with a file of results for each kind of input. If the environment variable that `WRITE` names is set, the
/// tests write these files again.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/simulation/unchanged");
const WRITE: &str = "SLEDSIM_WRITE_UNCHANGED";
/// Policies that the examples of schedulers register, which are no part of the results.
const REGISTERED: [&str; 3] = ["reads-sooner", "my-own", "my_own"];

/// A value as 64 bits; of floating-point numbers, only digits that do not depend on the order of summation.
trait Bits {
    fn bits(&self) -> u64;
}

macro_rules! whole {
    ($($type:ty),*) => { $( impl Bits for $type {
        fn bits(&self) -> u64 {
            *self as u64
        }
    } )* };
}
whole!(i64, i32, i8, u64, u32, u16, u8, bool);

impl Bits for f64 {
    fn bits(&self) -> u64 {
        (self * 1e12).round() as i64 as u64
    }
}

/// The FNV-1a hash of bytes.
fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn column(values: &[impl Bits]) -> String {
    format!("{:016x}", digest(values.iter().flat_map(|value| value.bits().to_le_bytes())))
}

/// A number as text, with only those digits that do not depend on the order of summation.
fn figure(value: f64) -> String {
    format!("{value:.6e}")
}

fn of_trace(trace: &Trace) -> String {
    let columns = [
        column(&trace.arrival_ns),
        column(&trace.lbn),
        column(&trace.blocks),
        format!("{:?}", trace.op),
        column(&trace.metadata),
        column(&trace.device),
    ];
    let last_s = trace.arrival_ns.last().map_or(0.0, |last| *last as f64 * 1e-9);
    let blocks: i64 = trace.blocks.iter().map(|blocks| i64::from(*blocks)).sum();
    format!(
        "{} requests in {last_s:.6} s, {blocks} blocks, {:016x}",
        trace.len(),
        digest(columns.concat().into_bytes())
    )
}

fn of_outcome(outcome: &Outcome) -> String {
    let record = &outcome.record;
    let mut texts = Vec::new();
    macro_rules! add {
        // The figures are older than the column of kinds.
        ($($name:ident),*) => { $( if stringify!($name) != "kind" { texts.push(column(&record.$name)); } )* };
    }
    for_each_column!(add);
    let mut energy_j = 0.0;
    for device in &outcome.devices {
        let totals = &device.totals;
        energy_j += device.accounts().iter().map(|(_, joules)| joules).sum::<f64>();
        texts.push(format!("{} {} {}", device.name, totals.requests, totals.background_requests));
        texts.push(format!("{} {} {}", totals.blocks_read, totals.blocks_written, totals.busy.0));
        texts.push(figure(totals.request_s));
        texts.extend(device.accounts().iter().map(|(name, joules)| format!("{name} {}", figure(*joules))));
        texts.extend(device.counts.iter().map(|(name, count)| format!("{name} {}", figure(*count))));
    }
    let counts = outcome.volumes.iter().flat_map(|(_, counts)| counts);
    texts.extend(counts.map(|(name, count)| format!("{name} {}", figure(*count))));
    let mean_ms = mean_ms(record);
    let end_s = outcome.totals.end.0 as f64 * 1e-9;
    format!(
        "mean {mean_ms:.6} ms, end {end_s:.6} s, {} J, {:016x}",
        figure(energy_j),
        digest(texts.join("\n").into_bytes())
    )
}

/// Results of a system under two loads of 200 requests each, one with requests near one another, and one with random
/// requests.
fn under_load(system: &System, rate_per_s: f64) -> String {
    let sectors = system.build().expect("it can be made").sectors();
    let near = mixed(sectors, rate_per_s, 200, 7);
    let anywhere = random(sectors, rate_per_s, 200, 8).expect("the workload is valid");
    let outcomes = [&near, &anywhere].map(|trace| of_outcome(&run_system(system, trace)));
    format!("{}; {}", outcomes.join("; "), outputs::shown(system, &near))
}

/// Arrival rate in requests/s that keeps a device busy.
fn rate_per_s(device: &str) -> f64 {
    match sledsim::device::load(device, Default::default()).expect("it is built in").parameters().kind() {
        "mems" => 900.0,
        "disk" => 80.0,
        _ => 100.0,
    }
}

fn drawn(found: &mut BTreeMap<String, String>) {
    for row in GENERATORS.rows() {
        let has = |name: &str| row.options.concat().iter().any(|option| option.name == name);
        for (name, value, context) in [("seed", "1", "")].iter().chain(OTHERWISE) {
            let rate = if has("rate") && *name != "rate" { "rate=1000," } else { "" };
            let count = if has("count") && *name != "count" && !context.contains("count") {
                "count=200,"
            } else {
                ""
            };
            let text = format!("{}:{rate}{count}{context}{name}={value}", row.name);
            // An option's purpose is in its generator.
            if let Ok(trace) = Generator::parse(&text).and_then(|generator| generator.draw(6_750_000)) {
                found.insert(text, format!("{}; {}", of_trace(&trace), outputs::learned(&trace)));
            }
        }
    }
}

fn run_devices(found: &mut BTreeMap<String, String>) {
    for (name, _) in BUILTIN_DEVICES {
        found.insert(format!("{name} sptf"), under_load(&changed(name, "", "sptf", None), rate_per_s(name)));
    }
    for policy in policies().iter().filter(|policy| !REGISTERED.iter().any(|own| policy.contains(own))) {
        for name in ["osdi00", "atlas10k"] {
            let load = under_load(&changed(name, "", policy, None), 2.0 * rate_per_s(name));
            found.insert(format!("{name} {policy}"), load);
        }
    }
}

/// Names of devices, each with parameters that are changed and a plan of faults (empty for no faults).
const KEYS: &[(&str, &str, &str)] = &[
    ("osdi00", "access_mode = \"parity\"", ""),
    ("osdi00", "access_mode = \"serpentine\"\nwrite_start = \"at-dispatch\"", ""),
    ("osdi00", "write_settle_ms = 0.5", ""),
    ("mascots03", "power_policy = \"immediate\"", ""),
    ("osdi00-erase", "erase_block_kib = 1024\nerase_ms = 50.0\nerase_slice_ms = 5.0\nerase_reserve_blocks = 4", ""),
    ("osdi00-erase", "erase_block_kib = 1024\nerase_ms = 50.0\nerase_management = \"in-place\"", ""),
    ("osdi00", "", "remapping = \"elsewhere\"\nreserve_blocks = 2000\nbad_blocks = [{ lbn = 100, blocks = 500 }]"),
    ("osdi00", "", "remapping = \"slip\"\nreserve_blocks = 2000\nbad_blocks = [{ lbn = 100, blocks = 500 }]"),
    ("osdi00", "", "bad_blocks = [{ lbn = 600, blocks = 300, at_s = 0.02 }]\nremapping = \"elsewhere\"\nreserve_blocks = 900"),
    ("osdi00", "", "manufacture = { tip_failure_probability = 0.02, media_defects = 5000.0 }\ncheck_tips = 2\nspare_tips = 64"),
    ("osdi00", "", "life = { age_hours = 1.0, tip_failures_per_tip_hour = 1e-2, media_defects_per_hour = 1e4 }"),
    ("osdi00", "", "tip_failures = [{ tip = 5, at_s = 0.02 }]\nbad_blocks = [{ lbn = 100, blocks = 500 }]"),
    ("atlas10k", "", "remapping = \"elsewhere\"\nreserve_blocks = 2000\nbad_blocks = [{ lbn = 100, blocks = 500 }]"),
];

fn run_keys(found: &mut BTreeMap<String, String>) {
    let with = |name: &str| match name {
        "by-popularity" => "\nlayout_popularity = [[5000, 50], [10, 7], [400000, 90000]]",
        "random" => "\nlayout_seed = 7\nlayout_extent_blocks = 8",
        "zone-grouped" => "\nlayout_zone_cylinders = 120\nlayout_zone_y_bits = 1200",
        _ => "",
    };
    let layouts: Vec<_> =
        LAYOUTS.rows().iter().map(|row| format!("layout = {:?}{}", row.name, with(row.name))).collect();
    let of_layouts = layouts.iter().map(|keys| ("osdi00", keys.as_str(), ""));
    for (name, keys, plan) in KEYS.iter().copied().chain(of_layouts) {
        let load = under_load(
            &changed(name, keys, "sptf", Some(plan).filter(|plan| !plan.is_empty())),
            rate_per_s(name),
        );
        found.insert(format!("{name} {keys} {plan}"), load);
    }
}

fn run_volumes(found: &mut BTreeMap<String, String>) {
    let policy = Policy::parse("sptf").expect("it is known");
    for (kind, options) in KINDS.iter() {
        let roles = VOLUMES.find(kind).expect("it is known").make.roles;
        for fast in ["osdi00", "cf-card", "atlas10k"] {
            let member =
                |name: &str| format!("{name} = {:?}\n", if name == "disk" { "atlas10k" } else { fast });
            let members: String = roles.iter().map(|role| member(role.name)).collect();
            let has_disk = roles.iter().any(|role| role.name == "disk");
            let rate_per_s = if has_disk { 120.0 } else { 1.5 * rate_per_s(fast) };
            // Some kinds move sleds only.
            let set = format!("{options}\n{members}").parse().expect("it is TOML");
            let Ok(system) = System::volume(kind, set, &policy) else { continue };
            found.insert(format!("{kind} {options} {fast}"), under_load(&system, rate_per_s));
        }
    }
}

/// The names whose results differ from the recorded ones, or that exist no more. A name without a recorded result is
/// new, and no difference.
fn differing(known: &BTreeMap<String, String>, found: &BTreeMap<String, String>) -> Vec<String> {
    let now = |name| found.get(name).map_or("nothing", String::as_str);
    let changed = known.iter().filter(|(name, before)| now(*name) != before.as_str());
    changed
        .map(|(name, before)| format!("{name}\n    before: {before}\n    now:    {}\n", now(name)))
        .collect()
}

#[test]
fn what_is_new_has_no_figures_before_and_what_is_gone_or_other_has() {
    let figures = |names: &[(&str, &str)]| {
        names.iter().map(|(name, figures)| ((*name).to_owned(), (*figures).to_owned())).collect()
    };
    let known = figures(&[("fcfs", "1"), ("look", "2"), ("sptf", "3")]);
    assert!(
        differing(&known, &figures(&[("fcfs", "1"), ("look", "2"), ("mine", "7"), ("sptf", "3")])).is_empty()
    );
    assert_eq!(
        differing(&known, &figures(&[("fcfs", "1"), ("mine", "7"), ("sptf", "4")])),
        ["look\n    before: 2\n    now:    nothing\n", "sptf\n    before: 3\n    now:    4\n"]
    );
}

/// Compares the results of a part, such as "devices", with those in the file of the part.
fn compare(part: &str, find: fn(&mut BTreeMap<String, String>)) {
    let file = Path::new(FOLDER).join(part).with_extension("toml");
    let mut found = BTreeMap::new();
    find(&mut found);
    let found: BTreeMap<_, _> =
        found.into_iter().map(|(name, figures)| (name.replace('\n', ", "), figures)).collect();
    if std::env::var_os(WRITE).is_some() {
        let text: String = found.iter().fold(String::new(), |mut text, (name, figures)| {
            writeln!(text, "{name:?} = {figures:?}").expect("a text takes all");
            text
        });
        std::fs::write(&file, text).expect("the checkout can be written");
    }
    let known: BTreeMap<String, String> =
        toml::from_str(&std::fs::read_to_string(&file).expect("the file is there")).expect("it is TOML");
    let changed = differing(&known, &found);
    assert!(
        changed.is_empty(),
        "{} of {} rows have other figures:\n{}Where that is meant, say so in CHANGELOG.md and write the files again: \
         {WRITE}=1 cargo test -p sledsim --test simulation unchanged",
        changed.len(),
        known.len(),
        changed.concat()
    );
}

#[test]
fn generators_draw_what_they_drew() {
    compare("generators", drawn);
}

#[test]
fn devices_serve_as_they_did() {
    compare("devices", run_devices);
}

#[test]
fn keys_do_what_they_did() {
    compare("keys", run_keys);
}

#[test]
fn volumes_serve_as_they_did() {
    compare("volumes", run_volumes);
}

#[test]
fn devices_answer_as_they_did() {
    compare("answers", outputs::ask_devices);
}

#[test]
fn names_of_keys_do_what_they_did() {
    compare("names", outputs::name_keys);
}

#[test]
fn replays_go_as_they_did() {
    compare("replays", outputs::replay);
}

#[test]
fn bounds_are_what_they_were() {
    compare("bounds", outputs::bound_batches);
}
