//! Devices written in Python.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt};
use sledsim::device::{self, Coordinates, Device, Extent, Figure, OwnKind, Service};
use sledsim::energy::{IdleTime, ServiceEnergy};
use sledsim::error::Error;
use sledsim::params::{Key, OwnKey, OwnParams, Range};
use sledsim::request::{Op, Request};
use sledsim::time::{Span, Time};

use crate::convert::fault;
use crate::parameters::python_dict;
use crate::python_names;
use crate::raised::{has_raised, keep};
use crate::text::Text;
use crate::ParameterError;

/// The longest that any phase may last: a year.
const LONGEST_S: f64 = 365.25 * 86_400.0;
/// More energy than any phase takes.
const MOST_J: f64 = 1e12;

/// A request, as a device of one's own is asked for it.
#[pyclass(frozen, get_all, name = "DeviceRequest", module = "sledsim._native")]
#[derive(Clone)]
pub(crate) struct DeviceRequest {
    lbn: u64,
    blocks: u32,
    write: bool,
    metadata: bool,
    row: u32,
    arrival_s: f64,
}

#[pymethods]
impl DeviceRequest {
    #[new]
    #[pyo3(signature = (lbn, blocks, write = false, metadata = false, row = 0, arrival_s = 0.0))]
    fn new(lbn: u64, blocks: u32, write: bool, metadata: bool, row: u32, arrival_s: f64) -> Self {
        Self { lbn, blocks, write, metadata, row, arrival_s }
    }

    fn __repr__(&self) -> String {
        let write = if self.write { "True" } else { "False" };
        format!("DeviceRequest(lbn={}, blocks={}, write={write}, row={})", self.lbn, self.blocks, self.row)
    }
}

impl From<&Request> for DeviceRequest {
    fn from(request: &Request) -> Self {
        Self {
            lbn: request.lbn,
            blocks: request.blocks,
            write: request.op == Op::Write,
            metadata: request.metadata,
            row: request.row,
            arrival_s: seconds(request.arrival),
        }
    }
}

fn seconds(time: Time) -> f64 {
    time.since(Time::ZERO).as_s()
}

/// An object of a user's class, in the state in which the last request left it.
struct PythonDevice {
    kind: &'static str,
    object: Py<PyAny>,
    blocks: u64,
    block_bytes: u64,
    extent: Extent,
    idle_power_w: f64,
    depends_on_place: bool,
    has: Methods,
}

/// Which of the methods there are that a class may do without.
#[derive(Clone, Copy)]
struct Methods {
    begin: bool,
    access_s: bool,
    distance_m: bool,
    place: bool,
    accept_s: bool,
    complete_s: bool,
    counts: bool,
    characteristics: bool,
}

/// A copy has an object of its own, as deep as Python can copy it; where it cannot, what it raises is kept.
impl Clone for PythonDevice {
    fn clone(&self) -> Self {
        let copied = Python::attach(|py| self.copied(py).map(Bound::unbind));
        let object = copied.unwrap_or_else(|error| {
            keep(error);
            Python::attach(|py| self.object.clone_ref(py))
        });
        Self { object, ..*self }
    }
}

impl PythonDevice {
    fn new(kind: &'static str, object: Py<PyAny>, py: Python<'_>) -> PyResult<Self> {
        let bound = object.bind(py);
        let class = bound.get_type().name()?;
        for needed in ["positioning_s", "serve"] {
            if !bound.hasattr(needed)? {
                return Err(ParameterError::new_err(format!(
                    "device = {kind}: expected a method {needed}, found none in {class}"
                )));
            }
        }
        let blocks = whole(kind, bound, "blocks", None, [1, 1 << 50])?;
        let block_bytes = whole(kind, bound, "block_bytes", Some(512), [512, 1 << 20])?;
        if block_bytes % 512 != 0 {
            return Err(ParameterError::new_err(format!(
                "device = {kind}: block_bytes = {block_bytes}: expected a multiple of 512"
            )));
        }
        let most = u64::from(u32::MAX);
        let extent = Extent {
            cylinders: whole(kind, bound, "cylinders", Some(1), [1, most])? as u32,
            y_bits: whole(kind, bound, "y_places", Some(1), [1, most])? as u32,
        };
        let idle_power_w = match bound.getattr_opt("idle_power_w")? {
            Some(power) => number(kind, "idle_power_w", &power, MOST_J)?,
            None => 0.0,
        };
        let depends_on_place = match bound.getattr_opt("depends_on_place")? {
            Some(depends) => depends.extract()?,
            None => true,
        };
        let has = |name: &str| bound.hasattr(name);
        let has = Methods {
            begin: has("begin")?,
            access_s: has("access_s")?,
            distance_m: has("distance_m")?,
            place: has("place")?,
            accept_s: has("accept_s")?,
            complete_s: has("complete_s")?,
            counts: has("counts")?,
            characteristics: has("characteristics")?,
        };
        Ok(Self { kind, object, blocks, block_bytes, extent, idle_power_w, depends_on_place, has })
    }

    fn copied<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("copy")?.call_method1("deepcopy", (&self.object,))
    }

    /// What Python says; nothing, once anything was raised.
    fn ask<T: Default>(&self, asked: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if has_raised() {
            return T::default();
        }
        Python::attach(|py| asked(self.object.bind(py))).unwrap_or_else(|error| {
            keep(error);
            T::default()
        })
    }

    /// A time in seconds that a method gives of a request.
    fn span(&self, method: &str, now: Time, request: &Request) -> Span {
        self.ask(|object| {
            let found = object.call_method1(method, (seconds(now), DeviceRequest::from(request)))?;
            number(self.kind, method, &found, LONGEST_S).map(Span::from_s)
        })
    }

    /// A time since the beginning that a method gives of a request, no earlier than `now`.
    fn time(&self, method: &str, now: Time, request: &Request) -> Time {
        let span = self.ask(|object| {
            let found = object.call_method1(method, (seconds(now), DeviceRequest::from(request)))?;
            let at_s = number(self.kind, method, &found, f64::MAX)?;
            let later_s = at_s - seconds(now);
            // A nanosecond at the end of a long run is less than what numbers of 64 bits can tell apart.
            if later_s < -1e-9_f64.max(4.0 * f64::EPSILON * at_s) || later_s > LONGEST_S {
                return Err(ParameterError::new_err(format!(
                    "device = {}: {method}: expected a time from now ({}) on, in seconds, found {at_s}",
                    self.kind,
                    seconds(now)
                )));
            }
            Ok(Span::from_s(later_s.max(0.0)))
        });
        now + span
    }
}

impl Device for PythonDevice {
    fn blocks(&self) -> u64 {
        self.blocks
    }

    fn block_bytes(&self) -> u64 {
        self.block_bytes
    }

    fn begin(&mut self, now: Time) {
        if self.has.begin {
            self.ask(|object| object.call_method1("begin", (seconds(now),)).map(drop));
        }
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        self.span("positioning_s", now, request)
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        if self.has.access_s {
            return self.span("access_s", now, request);
        }
        self.ask(|object| {
            let copy = self.copied(object.py())?;
            Ok(serve(self.kind, &copy, now, request)?.total())
        })
    }

    fn distance_m(&self, now: Time, request: &Request) -> f64 {
        if !self.has.distance_m {
            return 0.0;
        }
        self.ask(|object| {
            let found = object.call_method1("distance_m", (seconds(now), DeviceRequest::from(request)))?;
            number(self.kind, "distance_m", &found, f64::MAX)
        })
    }

    fn coordinates(&self, lbn: u64) -> Coordinates {
        let nowhere = (0, 0, 0);
        let (cylinder, track, y_bits) = if !self.has.place {
            nowhere
        } else {
            self.ask(|object| {
                let found = object.call_method1("place", (lbn,))?;
                let place = found.extract::<(u32, u64, u32)>().ok();
                let Extent { cylinders, y_bits } = self.extent;
                place.filter(|(cylinder, _, y)| *cylinder < cylinders && *y < y_bits).ok_or_else(|| {
                    wrong(
                        self.kind,
                        "place",
                        &format!(
                            "(cylinder, track, y), whole numbers with cylinder < cylinders ({cylinders}) and \
                             y < y_places ({y_bits})"
                        ),
                        &found,
                    )
                })
            })
        };
        Coordinates { cylinder, track, y_bits }
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    fn depends_on_place(&self) -> bool {
        self.depends_on_place
    }

    fn accept(&mut self, now: Time, request: &Request) -> Time {
        if self.has.accept_s {
            return self.time("accept_s", now, request);
        }
        now
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        self.ask(|object| serve(self.kind, object, now, request))
    }

    fn complete(&mut self, now: Time, request: &Request) -> Time {
        if self.has.complete_s {
            return self.time("complete_s", now, request);
        }
        now
    }

    fn certain(&self, end: Time, _request: &Request) -> Option<Time> {
        (!self.has.complete_s).then_some(end)
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        IdleTime::ready(lasts, self.idle_power_w)
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        if !self.has.counts {
            return Vec::new();
        }
        self.ask(|object| {
            let found = object.call_method0("counts")?;
            let counts: BTreeMap<String, Bound<'_, PyAny>> =
                found.extract().map_err(|_| wrong(self.kind, "counts", "a dictionary of numbers", &found))?;
            let count = |(name, value): (String, Bound<'_, PyAny>)| {
                let value = number(self.kind, &format!("counts: {name}"), &value, f64::MAX)?;
                // The names of counters are those of a class: few, and the same for each of its devices.
                Ok((python_names::interned(name), value))
            };
            counts.into_iter().map(count).collect()
        })
    }

    fn figures(&self) -> Vec<(String, Figure)> {
        if !self.has.characteristics {
            return Vec::new();
        }
        self.ask(|object| {
            let found = object.call_method0("characteristics")?;
            let figures: BTreeMap<String, Bound<'_, PyAny>> = found
                .extract()
                .map_err(|_| wrong(self.kind, "characteristics", "a dictionary of numbers", &found))?;
            let figure = |(name, value): (String, Bound<'_, PyAny>)| {
                let whole = value.cast::<PyInt>().ok().and_then(|value| value.extract::<u64>().ok());
                let figure = match whole {
                    Some(count) => Figure::Whole(count),
                    None => Figure::Real(number(self.kind, &name, &value, f64::MAX)?),
                };
                Ok((name, figure))
            };
            figures.into_iter().map(figure).collect()
        })
    }
}

/// Where a phase of a service goes: one of the spans.
type Phase = fn(&mut Service) -> &mut Span;
/// The phases that a service is made of, and parts of positioning.
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
/// How many of them are parts of positioning: those at the end.
const PARTS: usize = 5;
/// Where energy goes.
type Account = fn(&mut ServiceEnergy) -> &mut f64;
const ENERGIES: [(&str, Account); 6] = [
    ("seek_j", |energy| &mut energy.seek_j),
    ("settle_j", |energy| &mut energy.settle_j),
    ("actuation_j", |energy| &mut energy.actuation_j),
    ("tips_j", |energy| &mut energy.tips_j),
    ("electronics_j", |energy| &mut energy.electronics_j),
    ("startup_j", |energy| &mut energy.startup_j),
];

/// Lets an object serve a request.
fn serve(kind: &str, object: &Bound<'_, PyAny>, now: Time, request: &Request) -> PyResult<Service> {
    let found = object.call_method1("serve", (seconds(now), DeviceRequest::from(request)))?;
    let phases =
        found.cast::<PyDict>().map_err(|_| wrong(kind, "serve", "a dictionary of phases", &found))?;
    let mut service = Service::default();
    for (key, value) in phases.iter() {
        let key: String = key.extract()?;
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
                "device = {kind}: serve: {name} = {} s: it is a part of positioning_s = {} s, found more",
                part.as_s(),
                whole.as_s()
            )));
        }
    }
    if service.total() == Span::ZERO {
        return Err(ParameterError::new_err(format!(
            "device = {kind}: serve: expected phases that last some time together, found none"
        )));
    }
    Ok(service)
}

/// A number from 0 to the most.
fn number(kind: &str, what: &str, found: &Bound<'_, PyAny>, most: f64) -> PyResult<f64> {
    let is_number = !found.is_instance_of::<PyBool>();
    let value = if is_number { found.extract::<f64>().ok() } else { None };
    value.filter(|value| (0.0..=most).contains(value)).ok_or_else(|| {
        let range = if most == f64::MAX {
            "a number, 0 or more".into()
        } else {
            format!("a number from 0 to {most}")
        };
        wrong(kind, what, &range, found)
    })
}

/// A whole number that an object has.
fn whole(
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
                "device = {kind}: expected an attribute {name}, {expected}, found none"
            ))
        });
    };
    let value = if found.is_instance_of::<PyBool>() { None } else { found.extract::<u64>().ok() };
    value.filter(|value| (least..=most).contains(value)).ok_or_else(|| wrong(kind, name, &expected, &found))
}

fn wrong(kind: &str, what: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.repr().map_or_else(|_| "something else".into(), |repr| repr.to_string());
    ParameterError::new_err(format!("device = {kind}: {what}: expected {expected}, found {found}"))
}

/// A parameter of a class: name, unit, meaning, default, and the least and the most that it may be.
type Parameter<'py> = (String, String, String, Bound<'py, PyAny>, Option<f64>, Option<f64>);

/// `make` gives an object of the class for a dictionary of parameters.
#[pyfunction]
pub(crate) fn register_device(
    name: Text,
    description: Text,
    parameters: Vec<Parameter<'_>>,
    characteristics: Vec<(String, String)>,
    make: Py<PyAny>,
) -> PyResult<()> {
    let name: &'static str = name.to_owned().leak();
    let keys = parameters.into_iter().map(|parameter| own_key(name, parameter)).collect::<PyResult<_>>()?;
    let make = move |params: &OwnParams| -> Result<Box<dyn Device>, Error> {
        let made = Python::attach(|py| {
            let object = make.call1(py, (python_dict(py, &params.values)?,))?;
            PythonDevice::new(name, object, py)
        });
        made.map_or_else(
            |error| {
                keep(error);
                Err(Error::Interrupted)
            },
            |device| Ok(Box::new(device) as Box<dyn Device>),
        )
    };
    let leaked = |text: String| -> &'static str { text.leak() };
    let characteristics =
        characteristics.into_iter().map(|(name, meaning)| (leaked(name), leaked(meaning))).collect();
    let summary = leaked(description.to_owned());
    let kind = OwnKind { name, summary, keys, characteristics, make: Box::new(make) };
    device::register_device(kind).map_err(fault)?;
    python_names::add(name);
    Ok(())
}

fn own_key(kind: &str, (name, unit, meaning, default, low, high): Parameter<'_>) -> PyResult<OwnKey> {
    let ends = [low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX)];
    let (default, range) = if default.is_instance_of::<PyBool>() {
        return Err(wrong(kind, &name, "a number or a text as default", &default));
    } else if default.is_instance_of::<PyInt>() {
        let whole = default.extract::<u32>().map(i64::from).or_else(|_| default.extract::<i64>());
        let whole = whole.ok().filter(|whole| *whole >= 0);
        let whole =
            whole.ok_or_else(|| wrong(kind, &name, "a whole number, 0 or more, as default", &default))?;
        let [least, most] = ends.map(|end| end.clamp(0.0, i64::MAX as f64) as u64);
        (toml::Value::Integer(whole), Range::Whole([least, most]))
    } else if default.is_instance_of::<PyFloat>() {
        (toml::Value::Float(default.extract()?), Range::Within(ends))
    } else {
        let text: String =
            default.extract().map_err(|_| wrong(kind, &name, "a number or a text as default", &default))?;
        (toml::Value::String(text), Range::InWords("a name"))
    };
    let is_bounded = low.is_some() || high.is_some() || matches!(default, toml::Value::Integer(_));
    let key = Key {
        name: name.leak(),
        unit: unit.leak(),
        description: meaning.leak(),
        range: is_bounded.then_some(range),
        is_optional: false,
    };
    Ok(OwnKey { key, default })
}
