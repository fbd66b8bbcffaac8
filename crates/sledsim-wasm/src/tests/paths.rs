//! Tests of the paths of the sled: each begins where the last one ended, it has no jump, and the sled is at the
//! row that passes under the tips.

use serde_json::{json, Value};
use sledsim::params::{DeviceParams, Mechanism};

use super::call;
use crate::Session;

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// The names of the devices that have a sled.
fn sleds() -> impl Iterator<Item = &'static str> {
    let is_sled = |name: &&str| match sledsim::device::load_builtin(name) {
        DeviceParams::Mems(params) => params.mechanism == Mechanism::Sled,
        _ => false,
    };
    sledsim::device::BUILTIN_DEVICES.iter().map(|(name, _)| *name).filter(is_sled)
}

/// Return the description of a device, and the log of a run on this device in which some requests are long.
fn log(device: &str, parameters: &Value) -> (Value, Value) {
    let mut session = Session::default();
    let about = call(&mut session, "device", &json!({ "device": device, "parameters": parameters }));
    let workload = "random:rate=300,count=150,seed=5";
    let drawn = call(&mut session, "draw", &json!({ "workload": workload, "sectors": about["sectors"] }));
    let asked = json!({
        "device": device, "parameters": parameters, "scheduler": "sptf", "requests": drawn["requests"],
    });
    let run = call(&mut session, "build", &asked)["run"].clone();
    (about, call(&mut session, "step", &json!({ "run": run, "paths": true })))
}

#[test]
fn no_way_jumps() {
    for device in sleds() {
        let (about, log) = log(device, &json!({}));
        let reach_um = numbers(&about["geometry"]["region_um"]);
        let acceleration = about["parameters"]["acceleration_m_per_s2"].as_f64().unwrap();
        let mut last = None;
        for service in log["served"].as_array().unwrap() {
            let path = &service["path"];
            let [t, x, y] = ["after_ns", "x_um", "y_um"].map(|name| numbers(&path[name]));
            let lasts: f64 =
                service["phases"].as_array().unwrap().iter().map(|phase| phase[1].as_f64().unwrap()).sum();
            assert_eq!((t[0], *t.last().unwrap()), (0.0, lasts), "{device}");
            assert!(t.is_sorted(), "{device}: {t:?}");
            let start_ns = service["start_ns"].as_u64().unwrap();
            if let Some((at, end_ns)) = last.filter(|(_, end_ns)| *end_ns == start_ns) {
                assert_eq!(
                    (at, end_ns),
                    ((x[0], y[0]), start_ns),
                    "{device}: the path begins where the last one ended"
                );
            }
            last = Some(((*x.last().unwrap(), *y.last().unwrap()), start_ns + lasts as u64));
            // Upper bound of the speed: from rest, over the whole stroke with full force and the springs.
            let fastest_m_per_s = (2.0 * acceleration * reach_um[0].max(reach_um[1]) * 1e-6).sqrt() * 1.5;
            for at in 1..t.len() {
                let (dt_s, dx_um, dy_um) = ((t[at] - t[at - 1]) * 1e-9, x[at] - x[at - 1], y[at] - y[at - 1]);
                let most_um = fastest_m_per_s * dt_s * 1e6 + 0.05;
                assert!(dx_um.abs() <= most_um && dy_um.abs() <= most_um, "{device} at {at}: {service}");
                assert!(x[at].abs() < reach_um[0] && y[at].abs() < reach_um[1], "{device}: {service}");
            }
        }
    }
}

/// Checks that the sled is over the first row when positioning ends, unless blocks are remapped.
#[test]
fn the_first_row_passes_when_positioning_is_over() {
    for device in sleds().filter(|device| !device.contains("erase")) {
        let (about, log) = log(device, &json!({}));
        let geometry = &about["geometry"];
        let (bit_um, row_um) = (geometry["bit_um"].as_f64().unwrap(), geometry["row_um"].as_f64().unwrap());
        let places = log["arrived"]["place"].as_array().unwrap();
        for service in log["served"].as_array().unwrap() {
            let mut begin = 0.0;
            for phase in service["phases"].as_array().unwrap() {
                if ["command", "wait", "positioning"].contains(&phase[0].as_str().unwrap()) {
                    begin += phase[1].as_f64().unwrap();
                }
            }
            let [t, x, y] = ["after_ns", "x_um", "y_um"].map(|name| numbers(&service["path"][name]));
            let at = t
                .iter()
                .position(|t| (t - begin).abs() <= 2.0)
                .unwrap_or_else(|| panic!("{device}: {service}"));
            let place = numbers(&places[service["row"].as_u64().unwrap() as usize]);
            let x_um = (place[0] - (geometry["cylinders"].as_f64().unwrap() / 2.0).floor()) * bit_um;
            let y_um = (place[1] - about["extent"]["y_bits"].as_f64().unwrap() / 2.0) * bit_um;
            // A request of several rows may begin at its last.
            let rows = f64::from(rows(service, &about));
            let is_there = (x[at] - x_um).abs() < 0.001 + bit_um / 2.0
                && (y[at] - y_um).abs() < (rows - 0.49) * row_um + 20.0 * bit_um;
            assert!(is_there, "{device}: {x_um} {y_um} at {at} of {service}");
        }
    }
}

/// Number of rows that pass under the tips during a service.
fn rows(service: &Value, about: &Value) -> u32 {
    let transfer = service["phases"].as_array().unwrap().iter().find(|phase| phase[0] == "transfer").unwrap();
    let um_per_ns = about["parameters"]["access_velocity_mm_per_s"].as_f64().unwrap() * 1e-6;
    (transfer[1].as_f64().unwrap() * um_per_ns / about["geometry"]["row_um"].as_f64().unwrap()).round() as u32
}
