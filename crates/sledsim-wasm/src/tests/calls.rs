//! Tests of the answers and error messages for calls, as a page makes them.

use serde_json::{json, Value};

use super::{call, called};
use crate::Session;

fn refusal(session: &mut Session, name: &str, arguments: &Value) -> String {
    called(session, name, arguments, &[]).expect_err("the call should return an error")
}

/// Starts a run of `count` drawn requests; returns its number.
fn run(session: &mut Session, device: &str, scheduler: &str, count: u32) -> u32 {
    let sectors = call(session, "device", &json!({ "device": device }))["sectors"].clone();
    let workload = format!("random:rate=900,count={count},seed=3");
    let drawn = call(session, "draw", &json!({ "workload": workload, "sectors": sectors }));
    let asked = json!({ "device": device, "scheduler": scheduler, "requests": drawn["requests"] });
    call(session, "build", &asked)["run"].as_u64().unwrap() as u32
}

#[test]
fn tables_name_everything_that_can_be_chosen() {
    let tables = call(&mut Session::default(), "tables", &json!({}));
    let names = |rows: &Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&tables["devices"]).contains(&"osdi00".to_owned()));
    for name in ["schedulers", "wrappers", "layouts", "seek_models", "power_policies", "workloads", "formats"]
    {
        let table = sledsim::tables::named(name).unwrap();
        let known: Vec<_> = table.entries().iter().map(|row| row.name.to_owned()).collect();
        assert_eq!(names(&tables["tables"][name]), known, "{name}");
    }
    let settle = tables["parameters"]["mems"].as_array().unwrap();
    let settle = settle.iter().find(|key| key["name"] == "bus_mb_per_s").unwrap();
    assert!(settle["meaning"].as_str().unwrap().len() > 10 && !settle["range"].is_null(), "{settle}");
}

#[test]
fn every_device_is_described() {
    let mut session = Session::default();
    for (name, _) in sledsim::device::BUILTIN_DEVICES {
        let device = call(&mut session, "device", &json!({ "device": name }));
        assert!(device["sectors"].as_u64().unwrap() > 1000, "{name}");
        assert_eq!(device["geometry"].is_null(), device["kind"] != "mems", "{name}");
        assert!(device["characteristics"].as_object().unwrap().len() > 3, "{name}");
    }
}

#[test]
fn faults_are_reported() {
    let mut session = Session::default();
    let said = |session: &mut Session, name: &str, arguments| refusal(session, name, &arguments);
    let cases = [
        (said(&mut session, "stpe", json!({})), "unknown function \"stpe\": did you mean \"step\"?"),
        (said(&mut session, "device", json!({})), "arguments: missing field `device`"),
        (
            said(&mut session, "device", json!({ "device": "osdi" })),
            "unknown device \"osdi\": did you mean \"osdi00\"?",
        ),
        (
            said(&mut session, "device", json!({ "device": "osdi00", "parameters": { "tips": -1 } })),
            "tips = -1: invalid value",
        ),
        (
            said(&mut session, "draw", json!({ "workload": "rndom", "sectors": 9 })),
            "unknown workload \"rndom\": did you",
        ),
        (
            said(&mut session, "build", json!({ "requests": 9, "device": "osdi00" })),
            "requests = 9: expected a number that",
        ),
        (
            said(&mut session, "step", json!({ "run": 1 })),
            "run = 1: expected a number that an earlier call returned, found",
        ),
        (
            said(&mut session, "step", json!({ "run": -1 })),
            "arguments: invalid value: integer `-1`, expected u32",
        ),
        (said(&mut session, "step", json!([[[]]])), "arguments: invalid type"),
    ];
    for (found, expected) in cases {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let number = run(&mut session, "osdi00", "sptf", 3);
    let columns = json!({ "run": number, "most": 1, "columns": ["positoning_ns"] });
    assert!(said(&mut session, "rows", columns).contains("did you mean \"positioning_ns\"?"));
    let late = json!({ "run": number, "until_ns": u64::MAX });
    assert!(said(&mut session, "step", late).starts_with("expected a time below"));
    assert!(session.call("step", "{\"run\": 1", &[]).contains("error"));
}

#[test]
fn requests_that_do_not_fit_are_refused_or_moved() {
    let mut session = Session::default();
    let drawn =
        call(&mut session, "draw", &json!({ "workload": "random:rate=100,count=50", "sectors": 1u64 << 40 }));
    let asked =
        |past_end: &str| json!({ "device": "osdi00", "requests": drawn["requests"], "past_end": past_end });
    assert!(refusal(&mut session, "build", &asked("error")).contains("is past the end of the device"));
    assert!(refusal(&mut session, "build", &asked("sleds")).contains("a rule that only the command line has"));
    assert!(refusal(&mut session, "build", &asked("warp")).contains("did you mean \"wrap\"?"));
    assert_eq!(call(&mut session, "build", &asked("wrap"))["count"], 50);
}

#[test]
fn a_trace_is_read_from_its_bytes() {
    let mut session = Session::default();
    let bytes = b"0.0 0 100 8 1\n0.5 0 300 16 0\n1.0 0 200 8 1\n";
    let about = called(&mut session, "read", &json!({ "name": "my.trace" }), bytes).unwrap();
    assert_eq!((&about["format"], &about["count"]), (&json!("disksim"), &json!(3)));
    let said = called(&mut session, "read", &json!({ "name": "my.trace" }), b"what is this?\n").unwrap_err();
    assert!(said.starts_with("my.trace: "), "{said}");
}

#[test]
fn a_run_can_be_taken_in_any_steps() {
    let mut session = Session::default();
    let [whole, parts] = [1, 2].map(|_| run(&mut session, "mascots03", "sptf", 400));
    let mut services = 0;
    loop {
        let log =
            call(&mut session, "step", &json!({ "run": parts, "services": 7, "paths": true, "order": 3 }));
        services += log["served"].as_array().unwrap().len();
        if services % 3 == 0 {
            call(&mut session, "queue", &json!({ "run": parts }));
            call(&mut session, "rows", &json!({ "run": parts, "most": 5, "columns": ["lbn"] }));
        }
        if log["is_done"] == true {
            break;
        }
    }
    assert_eq!(services, 400);
    let [whole, parts] = [whole, parts].map(|number| call(&mut session, "finish", &json!({ "run": number })));
    assert_eq!(whole, parts);
    assert!(refusal(&mut session, "finish", &json!({ "run": 2 })).starts_with("run = 2"));
}

#[test]
fn the_log_agrees_with_the_record() {
    let mut session = Session::default();
    for device in ["osdi00", "atlas10k", "cf-card", "osdi00-erase"] {
        let number = run(&mut session, device, "sptf", 200);
        let log = call(&mut session, "step", &json!({ "run": number }));
        assert_eq!(log["is_done"], true, "{device}");
        let columns = ["arrival_ns", "start_ns", "completion_ns", "positioning_ns", "transfer_ns"];
        let rows = call(&mut session, "rows", &json!({ "run": number, "most": 1000, "columns": columns }));
        let column = |name: &str| rows["columns"][name].as_array().unwrap();
        assert_eq!(log["arrived"]["time_ns"].as_array().unwrap(), column("arrival_ns"));
        let served = log["served"].as_array().unwrap();
        assert_eq!(served.len(), 200, "{device}");
        for one in served {
            let row = one["row"].as_u64().unwrap() as usize;
            assert_eq!(one["start_ns"], column("start_ns")[row], "{device} {row}");
            for phase in one["phases"].as_array().unwrap() {
                if let Some(values) = rows["columns"].get(format!("{}_ns", phase[0].as_str().unwrap())) {
                    assert_eq!(phase[1], values[row], "{device} {row} {phase}");
                }
            }
        }
        for one in log["completed"].as_array().unwrap() {
            assert_eq!(one[1], column("completion_ns")[one[0].as_u64().unwrap() as usize], "{device}");
        }
    }
}

#[test]
fn a_trace_of_several_devices_runs_on_as_many() {
    let mut session = Session::default();
    let bytes = b"0.0 0 100 8 1\n0.5 2 300 16 0\n1.0 1 200 8 1\n";
    let read = called(&mut session, "read", &json!({ "name": "my.trace" }), bytes).unwrap();
    let asked = json!({ "device": "osdi00", "requests": read["requests"], "scheduler": "fcfs" });
    let about = call(&mut session, "build", &asked);
    assert_eq!(about["devices"].as_array().unwrap().len(), 3, "{about}");
    let log = call(&mut session, "step", &json!({ "run": about["run"], "paths": true, "order": 3 }));
    let devices: Vec<_> = log["served"].as_array().unwrap().iter().map(|one| one["device"].clone()).collect();
    assert_eq!((devices, log["is_done"].clone()), (vec![json!(0), json!(2), json!(1)], json!(true)));
}
