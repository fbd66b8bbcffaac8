//! A device whose behaviour an object of a user's Python class determines.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyInt;
use sledsim::device::{Coordinates, Device, Extent, Figure, Service};
use sledsim::energy::IdleTime;
use sledsim::request::Request;
use sledsim::time::{Span, Time};

use super::answers::{number, serve, whole, wrong, LONGEST_S, MOST_J};
use super::request::{seconds, DeviceRequest};
use crate::exceptions::ParameterError;
use crate::python_names;
use crate::raised::{has_raised, keep};

/// Largest capacity in bytes: an exbibyte.
const MOST_BYTES: u64 = 1 << 60;

/// A device written in Python. It consists of the user's object, whose state is that after the last request.
pub(super) struct PythonDevice {
    kind: &'static str,
    object: Py<PyAny>,
    blocks: u64,
    block_bytes: u64,
    extent: Extent,
    idle_power_w: f64,
    depends_on_place: bool,
    has: Methods,
    /// Time at which the overhead (processing) of the last request ends. Its command then enters the queue.
    accepted: Time,
}

/// Flags of the optional methods of a device, each true if the user's class has the method.
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

/// Copies the device with a deep copy of the user's object. An exception raised by copying is kept and raised
/// when the run ends.
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
    pub(super) fn new(kind: &'static str, object: Py<PyAny>, py: Python<'_>) -> PyResult<Self> {
        let bound = object.bind(py);
        let class = bound.get_type().name()?;
        for needed in ["positioning_s", "serve"] {
            if !bound.hasattr(needed)? {
                return Err(ParameterError::new_err(format!(
                    "device = {kind}: expected a method {needed}, found no such method in {class}"
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
        if blocks.saturating_mul(block_bytes) > MOST_BYTES {
            return Err(ParameterError::new_err(format!(
                "device = {kind}: expected at most {MOST_BYTES} bytes, found blocks = {blocks} of block_bytes = {block_bytes}"
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
            Some(depends) => {
                depends.extract().map_err(|_| wrong(kind, "depends_on_place", "True or False", &depends))?
            }
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
        Ok(Self {
            kind,
            object,
            blocks,
            block_bytes,
            extent,
            idle_power_w,
            depends_on_place,
            has,
            accepted: Time::ZERO,
        })
    }

    fn copied<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let copy = py.import("copy")?.call_method1("deepcopy", (&self.object,))?;
        let class = self.object.bind(py).get_type();
        if !copy.get_type().is(&class) {
            return Err(wrong(self.kind, "copy.deepcopy", &format!("an object of {}", class.name()?), &copy));
        }
        Ok(copy)
    }

    /// Call Python code and return its result. If any Python code has raised an exception in this run, return
    /// the default value instead.
    fn ask<T: Default>(&self, asked: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if has_raised() {
            return T::default();
        }
        Python::attach(|py| asked(self.object.bind(py))).unwrap_or_else(|error| {
            keep(error);
            T::default()
        })
    }

    /// Call the method `method` of the user's object, which returns a duration in seconds for a request. Check
    /// and return the duration.
    fn span(&self, method: &str, now: Time, request: &Request) -> Span {
        self.ask(|object| {
            let found = object.call_method1(method, (seconds(now), DeviceRequest::from(request)))?;
            number(self.kind, method, &found, LONGEST_S).map(Span::from_s)
        })
    }

    /// Call the method `method` of the user's object, which returns a time in seconds since the start of the
    /// run. Check that the time is not before `now`, and return it.
    fn time(&self, method: &str, now: Time, request: &Request) -> Time {
        let span = self.ask(|object| {
            let found = object.call_method1(method, (seconds(now), DeviceRequest::from(request)))?;
            let at_s = number(self.kind, method, &found, f64::MAX)?;
            let later_s = at_s - seconds(now);
            // Tolerate rounding: late in a long run 64-bit floats cannot resolve a nanosecond.
            if later_s < -1e-9_f64.max(4.0 * f64::EPSILON * at_s) || later_s > LONGEST_S {
                return Err(ParameterError::new_err(format!(
                    "device = {}: {method}: expected a time in seconds of at least {} (now), found {at_s}",
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
        self.accepted = now;
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
        if !self.has.accept_s {
            return now;
        }
        let ready = self.time("accept_s", now, request);
        self.ask(|_| match ready < self.accepted {
            true => Err(ParameterError::new_err(format!(
                "device = {}: accept_s: expected a time of at least {} s, the time at which the previous command is processed, because commands are processed in the order of arrival; found {} s",
                self.kind,
                seconds(self.accepted),
                seconds(ready)
            ))),
            false => Ok(()),
        });
        self.accepted = self.accepted.max(ready);
        self.accepted
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
                // Classes have few counters, with equal names for all their devices.
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
