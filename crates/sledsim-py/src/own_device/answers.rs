//! Checks of the values that a device written in Python returns from its methods.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use sledsim::device::Service;
use sledsim::energy::ServiceEnergy;
use sledsim::request::Request;
use sledsim::time::{Span, Time};

use super::request::{seconds, DeviceRequest};
use crate::exceptions::ParameterError;

/// Longest duration of a phase in seconds: a year.
pub(super) const LONGEST_S: f64 = 365.25 * 86_400.0;
/// Largest energy of a phase in joules.
pub(super) const MOST_J: f64 = 1e12;

/// Function that returns a mutable reference to a phase of a service.
type Phase = fn(&mut Service) -> &mut Span;
/// Names of the phases of a service, followed by the names of the parts of positioning. Each name has a
/// function that selects the phase or part.
const PHASES: [(&str, Phase); 12] = [
    ("command_s", |service| &mut service.command),
    ("wait_s", |service| &mut service.wait),
    ("positioning_s", |service| &mut service.positioning),
    ("hold_s", |service| &mut service.hold),
    ("switching_s", |service| &mut service.switching),
    ("transfer_s", |service| &mut service.transfer),
    ("bus_s", |service| &mut service.bus),
    ("seek_x_s", |service| &mut service.seek_x),
    ("settle_s", |service| &mut service.settle),
    ("seek_y_s", |service| &mut service.seek_y),
    ("turnaround_s", |service| &mut service.turnaround),
    ("rotation_s", |service| &mut service.rotation),
];
/// Number of parts of positioning, which are the last entries of the list.
const PARTS: usize = 5;
/// Function that returns a mutable reference to the energy of one use, in joules.
type Account = fn(&mut ServiceEnergy) -> &mut f64;
const ENERGIES: [(&str, Account); 6] = [
    ("seek_j", |energy| &mut energy.seek_j),
    ("settle_j", |energy| &mut energy.settle_j),
    ("actuation_j", |energy| &mut energy.actuation_j),
    ("tips_j", |energy| &mut energy.tips_j),
    ("electronics_j", |energy| &mut energy.electronics_j),
    ("startup_j", |energy| &mut energy.startup_j),
];

/// Call the method `serve` of a user's object for a request, and check the result.
pub(super) fn serve(
    kind: &str,
    object: &Bound<'_, PyAny>,
    now: Time,
    request: &Request,
) -> PyResult<Service> {
    let found = object.call_method1("serve", (seconds(now), DeviceRequest::from(request)))?;
    let phases =
        found.cast::<PyDict>().map_err(|_| wrong(kind, "serve", "a dictionary of phases", &found))?;
    let mut service = Service::default();
    for (key, value) in phases.iter() {
        let key: String = key.extract().map_err(|_| wrong(kind, "serve", "names of phases", &key))?;
        if let Some((_, phase)) = PHASES.iter().find(|(name, _)| *name == key) {
            *phase(&mut service) = Span::from_s(number(kind, &key, &value, LONGEST_S)?);
        } else if let Some((_, account)) = ENERGIES.iter().find(|(name, _)| *name == key) {
            *account(&mut service.energy) = number(kind, &key, &value, MOST_J)?;
        } else if key == "switches" {
            service.switches =
                value.extract().map_err(|_| wrong(kind, "switches", "a whole number", &value))?;
        } else {
            let known = PHASES.iter().map(|(name, _)| *name).chain(ENERGIES.iter().map(|(name, _)| *name));
            let known = known.chain(["switches"]).collect::<Vec<_>>().join(", ");
            return Err(ParameterError::new_err(format!(
                "device = {kind}: serve: unknown phase {key:?}; known: {known}"
            )));
        }
    }
    for (name, part) in &PHASES[PHASES.len() - PARTS..] {
        let (part, whole) = (*part(&mut service), service.positioning);
        if part > whole {
            return Err(ParameterError::new_err(format!(
                "device = {kind}: serve: {name} = {} s: expected at most positioning_s = {} s, because {name} is a part of positioning",
                part.as_s(),
                whole.as_s()
            )));
        }
    }
    let latest = Time::LATEST.since(now);
    if service.total() > latest {
        return Err(ParameterError::new_err(format!(
            "device = {kind}: serve: expected a run of at most {:.0} years, found a request at LBN {} whose phases take {} s from time {} s on",
            seconds(Time::LATEST) / LONGEST_S,
            request.lbn,
            service.total().as_s(),
            seconds(now)
        )));
    }
    if service.total() == Span::ZERO {
        return Err(ParameterError::new_err(format!(
            "device = {kind}: serve: expected phases of more than 0 s in total, found 0 s"
        )));
    }
    Ok(service)
}

/// Convert a number that a user's object returned. Raise an error if it is not a number from 0 to `most`; the
/// message names `what`.
pub(super) fn number(kind: &str, what: &str, found: &Bound<'_, PyAny>, most: f64) -> PyResult<f64> {
    let is_number = !found.is_instance_of::<PyBool>();
    let value = if is_number { found.extract::<f64>().ok() } else { None };
    value.filter(|value| (0.0..=most).contains(value)).ok_or_else(|| {
        let range = if most == f64::MAX {
            "a number of at least 0".into()
        } else {
            format!("a number from 0 to {most}")
        };
        wrong(kind, what, &range, found)
    })
}

/// Read an attribute of a user's object as a whole number from `least` to `most`.
pub(super) fn whole(
    kind: &str,
    object: &Bound<'_, PyAny>,
    name: &str,
    default: Option<u64>,
    [least, most]: [u64; 2],
) -> PyResult<u64> {
    let expected = format!("a whole number from {least} to {most}");
    let Some(found) = object.getattr_opt(name)? else {
        return default.ok_or_else(|| {
            ParameterError::new_err(format!(
                "device = {kind}: expected an attribute {name} ({expected}), found no such attribute"
            ))
        });
    };
    let value = if found.is_instance_of::<PyBool>() { None } else { found.extract::<u64>().ok() };
    value.filter(|value| (least..=most).contains(value)).ok_or_else(|| wrong(kind, name, &expected, &found))
}

pub(super) fn wrong(kind: &str, what: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.repr().map_or_else(|_| "something else".into(), |repr| repr.to_string());
    ParameterError::new_err(format!("device = {kind}: {what}: expected {expected}, found {found}"))
}
