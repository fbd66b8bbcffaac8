//! Tests of systems: single devices, and volumes over devices or over other volumes.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use sledsim::sched::Policy;
use sledsim::simulation::{restart, simulate_system, Outcome};
use sledsim::system::System;
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::volume::{RoleRow, VOLUMES};
use sledsim::workload::{random, Columns, PastEnd, Replay};

use crate::support::{params, run, workload};

pub fn system(volume: &str, set: &str, policy: &str) -> System {
    let policy = Policy::parse(policy).expect("the policy is known");
    System::volume(volume, set.parse().expect("it is TOML"), &policy).expect("the volume is valid")
}

pub fn run_system(system: &System, trace: &Trace) -> Outcome {
    let columns = Columns::of(trace);
    let (devices, sectors) = (columns.devices(), system.build().expect("it can be made").sectors());
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    simulate_system(system, devices, &mut replay, &mut |_| ControlFlow::Continue(()))
        .expect("nothing stops it")
}

/// The volume `single`, which only passes requests on, gives the same record as its device alone, on any device under
/// any policy.
#[test]
fn a_single_device_is_the_same_with_and_without_a_volume() {
    for device in ["osdi00", "disksim-g2", "sigmetrics00-cantilevers", "atlas10k", "hp-c2247a"] {
        for policy in ["fcfs", "clook_lbn", "sptf", "sstf_lbn+deadline:after_ms=20"] {
            let params = params(device, "");
            let trace = workload(&params, if params.kind() == "disk" { 80.0 } else { 1200.0 }, 3000, 5);
            let straight = run(&params, &trace, policy);
            let through = run_system(&system("single", &format!("device = {device:?}"), policy), &trace);
            assert!(through.record == straight.record, "{device} {policy}");
            let totals = |outcome: &Outcome| outcome.devices[0].totals;
            assert_eq!(through.devices[0].totals, totals(&straight));
        }
    }
}

/// Random requests of which many overlap: a third of them are for metadata, and a fifth continue the previous request.
pub fn mixed(sectors: u64, rate_per_s: f64, count: usize, seed: u64) -> Trace {
    let mut trace = random(sectors.min(60_000), rate_per_s, count, seed).expect("the workload is valid");
    for row in 0..count {
        trace.metadata[row] = row % 3 == 0;
        if row % 5 == 1 && trace.lbn[row - 1] + 200 < sectors as i64 {
            trace.lbn[row] = trace.lbn[row - 1] + i64::from(trace.blocks[row - 1]);
        }
    }
    trace
}

/// Every kind of volume, with options that cause much background work where such options exist.
pub static KINDS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let others = VOLUMES.built_in().iter().map(|row| row.name);
    let others = others.filter(|name| BUSY.iter().all(|(kind, _)| kind != name)).map(|name| (name, ""));
    BUSY.iter().copied().chain(others).collect()
});

const BUSY: &[(&str, &str)] = &[
    ("single", ""),
    ("sleds", "devices = 2"),
    ("stripe", "devices = 3\nstripe_unit_kib = 8"),
    ("mirror", "intent_s = 0.01\nfailed_device = 1\nreplaced = \"yes\""),
    ("raid5", "stripe_unit_kib = 8\nintent_s = 0.01"),
    ("write-buffer", "buffer_mb = 0.3\nclean_after_ms = 2"),
    ("write-buffer", "buffer_mb = 2\nclean_after_ms = 0\nacknowledge = \"memory\""),
    ("metadata", "metadata_mb = 20\nflush_every_s = 0.05"),
    ("metadata", "metadata_mb = 20\nflush_every_s = 0.05\nat_start = \"disk\""),
    ("metadata+write-buffer", "metadata_mb = 20\nflush_every_s = 0.05\nbuffer_mb = 1\nclean_after_ms = 1"),
    ("virtual-disk", "segment_kib = 64\ncache_mb = 3\ndirty_low = 0"),
    ("cache", "cache_mb = 1\nwrites = \"back\"\ndirty_ms = 5"),
    ("cache", "cache_mb = 1"),
    ("merge", "depth = 3\nhold_ms = 0.2"),
    ("stripe", "devices = 3\nstripe_unit_kib = 8\nbus_mb_per_s = 10"),
    ("raid5", "stripe_unit_kib = 8\nintent_s = 0.01\nbus_mb_per_s = 30"),
    ("metadata+write-buffer", "metadata_mb = 20\nflush_every_s = 0.05\nbuffer_mb = 1\nbus_mb_per_s = 30"),
];

/// A volume whose members are `single` volumes behaves as with the bare devices: background requests stay behind
/// foreground ones, and all columns and counts are unchanged.
#[test]
fn volumes_over_single_ones_are_as_without() {
    for (at, (kind, options)) in KINDS.iter().enumerate() {
        let roles = VOLUMES.find(kind).expect("it is known").make.roles;
        let of = |wrap: &dyn Fn(&str) -> String| {
            let member = |role: &RoleRow| {
                let device = if role.name == "disk" { "\"atlas10k\"" } else { "\"osdi00\"" };
                format!("{} = {}\n", role.name, wrap(device))
            };
            system(kind, &format!("{options}\n{}", roles.iter().map(member).collect::<String>()), "sptf")
        };
        let flat = of(&|device| device.to_owned());
        let once = of(&|device| format!("{{ volume = \"single\", device = {device} }}"));
        let twice = of(&|device| {
            format!("{{ volume = \"single\", device = {{ volume = \"single\", device = {device} }} }}")
        });
        let has_disk = roles.iter().any(|role| role.name == "disk");
        let sectors = flat.build().expect("it can be made").sectors();
        let trace = mixed(sectors, if has_disk { 130.0 } else { 900.0 }, 1500, at as u64);
        let expected = run_system(&flat, &trace);
        for deeper in [once, twice] {
            let mut found = run_system(&deeper, &trace);
            // The time of a write on a shared bus counts as overhead of devices, not of volumes.
            if options.contains("bus_mb_per_s") {
                found.record.overhead_ns.copy_from_slice(&expected.record.overhead_ns);
            }
            assert!(found.record == expected.record, "{kind} {options}");
            assert_eq!(found.volumes[0], expected.volumes[0], "{kind} {options}");
            let totals = |outcome: &Outcome| outcome.devices.iter().map(|one| one.totals).collect::<Vec<_>>();
            assert_eq!(totals(&found), totals(&expected), "{kind} {options}");
        }
    }
}

/// Function that builds the text of a tree of volumes; its argument wraps every volume below the topmost one.
type Tree<'a> = dyn Fn(&dyn Fn(&str) -> String) -> String + 'a;

/// Trees of volumes behave the same if `single` volumes are inserted between their levels, also if background requests
/// are promoted to the foreground.
#[test]
fn trees_of_volumes_with_single_ones_between_are_as_without() {
    let buffer = |buffer_mb: u32, after_ms: u32, disk: &str, mems: &str| {
        format!(
            "{{ volume = \"write-buffer\", buffer_mb = {buffer_mb}, clean_after_ms = {after_ms}, \
             disk = {disk}, mems = {mems} }}"
        )
    };
    let cache = |device: &str| {
        format!("{{ volume = \"cache\", cache_mb = 1, writes = \"back\", device = {device} }}")
    };
    let plain = |device: &str| device.to_owned();
    let single = |device: &str| format!("{{ volume = \"single\", device = {device} }}");
    let trees: [&Tree<'_>; 4] = [
        &|of| buffer(4, 5, "\"osdi00\"", &of(&buffer(4, 5, "\"osdi00\"", "\"osdi00\""))),
        &|of| buffer(4, 5, "\"osdi00\"", &of(&buffer(4, 5, "\"osdi00\"", "\"atlas10k\""))),
        &|of| buffer(8, 1, &of(&cache("\"atlas10k\"")), &of(&cache("\"osdi00\""))),
        &|of| cache(&of(&buffer(4, 5, "\"atlas10k\"", &of(&cache("\"osdi00\""))))),
    ];
    for (at, tree) in trees.iter().enumerate() {
        for seed in 0..6 {
            let of = |wrap: &dyn Fn(&str) -> String| {
                system("single", &format!("device = {}", wrap(&tree(wrap))), "fcfs")
            };
            let (flat, deep) = (of(&plain), of(&single));
            let sectors = flat.build().expect("it can be made").sectors();
            let mut trace = mixed(sectors, 60.0, 250, seed);
            for row in 0..250 {
                trace.op[row] = if row % 4 == 0 { Op::Read } else { Op::Write };
                trace.blocks[row] = 1 + (row as i32 * 37) % 255;
            }
            let (expected, found) = (run_system(&flat, &trace), run_system(&deep, &trace));
            assert!(found.record == expected.record, "tree {at}, seed {seed}");
        }
    }
}

#[test]
fn members_are_given_by_name_by_table_and_one_by_one() {
    let named = system("single:device=atlas10k", "", "sptf").to_table();
    assert_eq!(named["device"]["name"].as_str(), Some("atlas10k"));
    assert_eq!(named["device"]["scheduler"].as_str(), Some("sptf:search=index"));
    let set = "device = \"atlas10k\"\n\"device.rotation_rpm\" = 20000\n\"device.scheduler\" = \"fcfs\"";
    let changed = system("single", set, "sptf").to_table();
    assert_eq!(changed["device"]["rotation_rpm"].as_integer(), Some(20_000));
    assert_eq!(changed["device"]["scheduler"].as_str(), Some("fcfs"));
    let again = System::from_table(changed.clone(), &Policy::parse("sptf").unwrap()).expect("it is whole");
    assert_eq!(again.to_table(), changed);
    let nested =
        system("single", "[device]\nvolume = \"single\"\n[device.device]\ndevice = \"hong03\"", "sptf");
    assert_eq!(nested.to_table()["device"]["device"]["name"].as_str(), Some("hong03"));
}

/// Names of devices and volumes begin with the number of the traced device only if a trace has several devices.
#[test]
fn devices_of_one_volume_have_no_number() {
    let stripe = system("stripe", "devices = 2", "fcfs");
    let names = |devices: &[i32]| {
        let mut trace = Trace::default();
        for device in devices {
            trace.push(TraceRow { blocks: 8, device: *device, ..TraceRow::default() });
        }
        let outcome = run_system(&stripe, &trace);
        let devices: Vec<String> = outcome.devices.into_iter().map(|device| device.name).collect();
        let volumes: Vec<String> = outcome.volumes.into_iter().map(|(name, _)| name).collect();
        (devices, volumes)
    };
    let of_one = names(&[0]);
    assert_eq!(of_one.0.len(), 2);
    let numbered = |names: &[String], with: fn(usize, &str) -> String| -> Vec<String> {
        (0..2).flat_map(|number| names.iter().map(move |name| with(number, name))).collect()
    };
    assert!(of_one.0.iter().all(|name| !name.contains('/')), "{of_one:?}");
    assert_eq!(of_one.1, [""]);
    let of_two = names(&[0, 1]);
    assert_eq!(of_two.0, numbered(&of_one.0, |number, name| format!("{number}/{name}")));
    assert_eq!(of_two.1, ["0", "1"]);
}

/// Members of a stripe or RAID-5 have to be equal devices: their parameters must agree, their policies need not. The
/// copies of a mirror may lie on different devices of the same size.
#[test]
fn members_that_have_to_be_alike_are() {
    let policy = Policy::parse("fcfs").unwrap();
    let volume = |name: &str, set: &str| System::volume(name, set.parse().unwrap(), &policy);
    let fault = |name: &str, set: &str| volume(name, set).err().expect("it cannot be").to_string();
    let unlike = "devices = 3\ndevice = [\"osdi00\", \"osdi00\", \"hong03\"]";
    let expected =
        "expected equal devices, found osdi00 in device 0 and hong03 in device 2: use the same device for all members";
    assert_eq!(fault("raid5", unlike).find(expected), Some("raid5: ".len()));
    let set = |key: &str, value: &str| {
        format!("devices = 2\ndevice = [\"osdi00\", {{ device = \"osdi00\", {key} = {value} }}]")
    };
    let overridden = fault("stripe", &set("settle_ms", "0.5"));
    assert!(overridden.contains("osdi00 in device 0 and osdi00 in device 1 (settle_ms = "), "{overridden}");
    assert!(volume("stripe", &set("scheduler", "\"sptf\"")).is_ok());
    assert!(volume("mirror", &set("settle_ms", "0.5")).and_then(|mirror| mirror.build()).is_ok());
    assert!(volume("sleds", unlike).and_then(|sleds| sleds.build()).is_ok());
}

#[test]
fn errors_name_impossible_systems() {
    let policy = Policy::parse("sptf").unwrap();
    let fault = |volume: &str, set: &str| {
        System::volume(volume, set.parse().unwrap(), &policy).err().expect("it cannot be").to_string()
    };
    assert!(fault("singel", "").starts_with("unknown volume \"singel\": did you mean \"single\"?"));
    assert!(fault("single", "disk = \"atlas10k\"").starts_with("unknown option of single \"disk\""));
    assert!(fault("single", "device = 5").contains("expected the name of a device or a table, found 5"));
    assert!(fault("single", "device = \"atlas\"").starts_with("device: unknown device \"atlas\""));
    assert!(fault("single", "\"device.rotation\" = 5").contains("unknown key `rotation`"));
    assert!(fault("single", "device = [\"osdi00\", \"osdi00\"]").contains("expected a list of 1 members"));
}

/// A write buffer reads its whole log after a power failure, in requests of one mebibyte; a stripe reads nothing.
#[test]
fn after_a_loss_of_power_a_volume_reads_what_it_needs() {
    let rows = restart(&system("mcd", "buffer_mb = 100", "fcfs")).expect("it can be read");
    let of = |member: &str| rows.iter().find(|row| row.member == member).expect("it is a member").clone();
    assert_eq!((of("disk").reads, of("disk").time_s), (0, 0.0));
    let (mems, bytes) = (of("mems"), of("mems").sectors * 512);
    assert!((100_000_000 - 1024..=100_000_000).contains(&bytes), "{mems:?}");
    assert!(mems.reads.abs_diff(bytes.div_ceil(1 << 20)) <= 1, "{mems:?}");
    // The data cross a bus of 100 MB/s after streaming at 280 MB/s, partly at once; a seek takes at most 0.61 ms.
    let (bus_s, medium_s) = (bytes as f64 / 100e6, bytes as f64 / 280.397e6);
    let most_s = bus_s + medium_s + 1e-3 * mems.reads as f64;
    assert!((bus_s..most_s).contains(&mems.time_s), "{mems:?}");
    let striped = restart(&system("stripe", "", "fcfs")).expect("it can be read");
    assert!(striped.len() == 4 && striped.iter().all(|row| row.reads == 0), "{striped:?}");
}

#[test]
fn a_volume_below_reads_first() {
    let nested = "buffer_mb = 10\n[disk]\nvolume = \"mcd\"\nbuffer_mb = 20";
    let rows = restart(&system("mcd", nested, "fcfs")).expect("it can be read");
    let members: Vec<&str> = rows.iter().map(|row| row.member.as_str()).collect();
    assert_eq!(members, ["disk/disk", "disk/mems", "disk", "mems"]);
    assert!(rows[1].sectors > rows[3].sectors && rows[2].reads == 0, "{rows:?}");
}
