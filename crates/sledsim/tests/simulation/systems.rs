//! Devices under volumes.

use std::ops::ControlFlow;

use sledsim::sched::Policy;
use sledsim::simulation::{restart, simulate_system, Outcome};
use sledsim::system::System;
use sledsim::trace::Trace;
use sledsim::workload::{Columns, PastEnd, Replay};

use crate::support::{params, run, workload};

fn system(volume: &str, set: &str, policy: &str) -> System {
    let policy = Policy::parse(policy).expect("the policy is known");
    System::volume(volume, set.parse().expect("it is TOML"), &policy).expect("the volume is valid")
}

fn run_system(system: &System, trace: &Trace) -> Outcome {
    let columns = Columns::of(trace);
    let (devices, sectors) = (columns.devices(), system.build().expect("it can be made").sectors());
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    simulate_system(system, devices, &mut replay, &mut |_| ControlFlow::Continue(()))
        .expect("nothing stops it")
}

/// A volume that only passes requests on changes nothing, on any device under any policy.
#[test]
fn a_single_device_is_the_same_with_and_without_a_volume() {
    for device in ["osdi00", "sigmetrics00-cantilevers", "atlas10k", "hp-c2247a"] {
        for policy in ["fcfs", "clook_lbn", "sptf", "sstf_lbn+deadline:after_ms=20"] {
            let params = params(device, "");
            let trace = workload(&params, if params.kind() == "disk" { 80.0 } else { 1200.0 }, 3000, 5);
            let straight = run(&params, &trace, policy);
            let through = run_system(&system("single", &format!("device = {device:?}"), policy), &trace);
            let mut record = through.record;
            // Within a volume the processing of a command is a part of the waiting.
            record.overhead_ns.clone_from(&straight.record.overhead_ns);
            assert!(record == straight.record, "{device} {policy}");
            let totals = |outcome: &Outcome| outcome.devices[0].totals;
            assert_eq!(through.devices[0].totals, totals(&straight));
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

/// Overrides count, policies do not; copies may lie on unlike devices of one size.
#[test]
fn members_that_have_to_be_alike_are() {
    let policy = Policy::parse("fcfs").unwrap();
    let volume = |name: &str, set: &str| System::volume(name, set.parse().unwrap(), &policy);
    let fault = |name: &str, set: &str| volume(name, set).err().expect("it cannot be").to_string();
    let unlike = "devices = 3\ndevice = [\"osdi00\", \"osdi00\", \"hong03\"]";
    let expected =
        "expected devices alike, found osdi00 in device 0 and hong03 in device 2: take the same device";
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
fn what_cannot_be_is_said() {
    let policy = Policy::parse("sptf").unwrap();
    let fault = |volume: &str, set: &str| {
        System::volume(volume, set.parse().unwrap(), &policy).err().expect("it cannot be").to_string()
    };
    assert!(fault("singel", "").starts_with("unknown volume \"singel\": did you mean \"single\"?"));
    assert!(fault("single", "disk = \"atlas10k\"").starts_with("unknown option of single \"disk\""));
    assert!(fault("single", "device = 5").contains("expected the name of a device, or a table, found 5"));
    assert!(fault("single", "device = \"atlas\"").starts_with("unknown device \"atlas\""));
    assert!(fault("single", "\"device.rotation\" = 5").contains("unknown key `rotation`"));
    assert!(fault("single", "device = [\"osdi00\", \"osdi00\"]").contains("expected 1 members"));
}

/// What a write buffer reads is its whole log, one mebibyte after the other; a stripe knows everything by itself.
#[test]
fn after_a_loss_of_power_a_volume_reads_what_it_needs() {
    let rows = restart(&system("mcd", "buffer_mb = 100", "fcfs")).expect("it can be read");
    let of = |member: &str| rows.iter().find(|row| row.member == member).expect("it is a member").clone();
    assert_eq!((of("disk").reads, of("disk").time_s), (0, 0.0));
    let (mems, bytes) = (of("mems"), of("mems").sectors * 512);
    assert!((100_000_000 - 1024..=100_000_000).contains(&bytes), "{mems:?}");
    assert!(mems.reads.abs_diff(bytes.div_ceil(1 << 20)) <= 1, "{mems:?}");
    // Across a bus of 100 MB/s after streaming at 280 MB/s, the two partly at once; a seek takes 0.61 ms at most.
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
