//! Schedulers written in Python.

use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use sledsim::device::Device;
use sledsim::error::{in_few_digits, Error};
use sledsim::options::Values;
use sledsim::params::{OwnKey, Range};
use sledsim::request::{kind, Op, Request};
use sledsim::sched::{self, OptionRow, Options, Scheduler, SchedulerRow};
use sledsim::time::Time;
use toml::{Table, Value};

use crate::convert::fault;
use crate::exceptions::ParameterError;
use crate::own_device::{own_key, Parameter};
use crate::parameters::python_dict;
use crate::python_names;
use crate::raised::{has_raised, keep};
use crate::text::Text;

/// A scheduler's two Python callables: one chooses a waiting request, the other is notified of each request
/// taken.
struct PythonScheduler {
    name: &'static str,
    choose: Py<PyAny>,
    take: Option<Py<PyAny>>,
    /// Waiting requests in order of arrival.
    queue: Vec<Request>,
}

impl PythonScheduler {
    fn call(&self, py: Python<'_>, now: Time, device: &dyn Device) -> PyResult<usize> {
        let waiting = columns(py, &self.queue, now, device)?;
        if has_raised() {
            // A seek model raised an exception, so its values are useless.
            return Ok(0);
        }
        let found = self.choose.bind(py).call1((now.since(Time::ZERO).as_s(), waiting))?;
        let place = if found.is_instance_of::<PyBool>() { None } else { found.extract::<usize>().ok() };
        place.filter(|place| *place < self.queue.len()).ok_or_else(|| {
            let found = found.repr().map_or_else(|_| "something else".into(), |repr| repr.to_string());
            let count = self.queue.len();
            ParameterError::new_err(format!(
                "scheduler = {}: expected the index of one of the waiting requests ({count}), a whole number from 0 to {}, found {found}",
                self.name,
                count - 1
            ))
        })
    }
}

/// Return the properties of the waiting requests, as the callable that chooses a request receives them: one
/// array per property, with one entry per request.
fn columns<'py>(
    py: Python<'py>,
    queue: &[Request],
    now: Time,
    device: &dyn Device,
) -> PyResult<Bound<'py, PyDict>> {
    fn set<T: Element>(
        all: &Bound<'_, PyDict>,
        name: &str,
        queue: &[Request],
        of: impl Fn(&Request) -> T,
    ) -> PyResult<()> {
        let column: Vec<T> = queue.iter().map(of).collect();
        all.set_item(name, column.into_pyarray(all.py()))
    }
    let all = PyDict::new(py);
    let at = |request: &Request| device.coordinates(request.lbn);
    set(&all, "row", queue, |request| i64::from(request.row))?;
    set(&all, "lbn", queue, |request| request.lbn as i64)?;
    set(&all, "blocks", queue, |request| i64::from(request.blocks))?;
    set(&all, "write", queue, |request| request.op == Op::Write)?;
    set(&all, "kind", queue, |request| kind(request.op, request.durable))?;
    set(&all, "metadata", queue, |request| request.metadata)?;
    set(&all, "wait_s", queue, |request| now.since(request.arrival).as_s())?;
    set(&all, "cylinder", queue, |request| i64::from(at(request).cylinder))?;
    set(&all, "track", queue, |request| at(request).track as i64)?;
    set(&all, "y_bits", queue, |request| i64::from(at(request).y_bits))?;
    set(&all, "positioning_s", queue, |request| device.positioning(now, request).as_s())?;
    set(&all, "access_s", queue, |request| device.access(now, request).as_s())?;
    set(&all, "distance_m", queue, |request| device.distance_m(now, request))?;
    Ok(all)
}

/// Return the properties of a request that the device takes, as the callable that is notified of it receives
/// them.
fn row<'py>(py: Python<'py>, request: &Request, device: &dyn Device) -> PyResult<Bound<'py, PyDict>> {
    let at = device.coordinates(request.lbn);
    let all = PyDict::new(py);
    all.set_item("row", request.row)?;
    all.set_item("lbn", request.lbn)?;
    all.set_item("blocks", request.blocks)?;
    all.set_item("write", request.op == Op::Write)?;
    all.set_item("kind", kind(request.op, request.durable))?;
    all.set_item("metadata", request.metadata)?;
    all.set_item("cylinder", at.cylinder)?;
    all.set_item("track", at.track)?;
    all.set_item("y_bits", at.y_bits)?;
    Ok(all)
}

/// Copies the scheduler with deep copies of its callables. An exception raised by copying is kept and raised
/// when the run ends.
impl Clone for PythonScheduler {
    fn clone(&self) -> Self {
        let copied = Python::attach(|py| {
            let pair = (&self.choose, &self.take);
            py.import("copy")?.call_method1("deepcopy", (pair,))?.extract()
        });
        let (choose, take) = copied.unwrap_or_else(|error: PyErr| {
            keep(error);
            Python::attach(|py| {
                (self.choose.clone_ref(py), self.take.as_ref().map(|take| take.clone_ref(py)))
            })
        });
        Self { name: self.name, choose, take, queue: self.queue.clone() }
    }
}

impl Scheduler for PythonScheduler {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.queue.push(request);
    }

    /// Return the request that the Python code chooses. Return None after any exception, so that the run ends
    /// soon.
    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        if self.queue.is_empty() || has_raised() {
            return None;
        }
        match Python::attach(|py| self.call(py, now, device)) {
            Ok(place) => Some(self.queue[place]),
            Err(error) => {
                keep(error);
                None
            }
        }
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.withdraw(request, device);
        self.served(request, device);
    }

    fn withdraw(&mut self, request: &Request, _device: &dyn Device) {
        let at = self.queue.iter().position(|waiting| waiting.row == request.row);
        self.queue.remove(at.expect("the taken request is in the queue"));
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        let Some(take) = self.take.as_ref().filter(|_| !has_raised()) else { return };
        let told = Python::attach(|py| take.call1(py, (row(py, request, device)?,)).map(|_| ()));
        if let Err(error) = told {
            keep(error);
        }
    }

    fn len(&self) -> usize {
        self.queue.len()
    }
}

/// Register a scheduler written in Python. For a device and a dictionary of options, the callable `make`
/// returns two callables: one chooses a request, the other (or None) is notified of each request that the
/// device takes.
#[pyfunction]
pub(crate) fn register_scheduler(
    name: Text,
    description: Text,
    parameters: Vec<Parameter<'_>>,
    make: Py<PyAny>,
) -> PyResult<()> {
    // A policy is registered once and lives as long as the program, like the built-in ones.
    let name: &'static str = name.to_owned().leak();
    let rows = parameters.into_iter().map(|one| own_key(name, one).map(|key| option(&key)));
    let rows: &'static [OptionRow] = rows.collect::<PyResult<Vec<_>>>()?.leak();
    let build = move |options: &Options, _: &dyn Device| -> Result<Box<dyn Scheduler>, Error> {
        let values = values(rows, options)?;
        let made = Python::attach(|py| make.call1(py, (python_dict(py, &values)?,))?.extract(py));
        let (choose, take) = made.map_err(|error| {
            keep(error);
            Error::Interrupted
        })?;
        Ok(Box::new(PythonScheduler { name, choose, take, queue: Vec::new() }))
    };
    let row = SchedulerRow::new(name, description.to_owned().leak(), Box::leak(Box::new(build)));
    sched::register_scheduler(row.options(Box::leak(Box::new([rows])))).map_err(fault)?;
    python_names::add(name);
    Ok(())
}

/// Convert a parameter of a user's class to an option of the scheduler.
fn option(OwnKey { key, default }: &OwnKey) -> OptionRow {
    let (name, meaning) = (key.name, key.description);
    let row = match (default, key.range) {
        (Value::Integer(whole), Some(Range::Whole(range))) => {
            OptionRow::whole(name, whole.to_string().leak(), range, meaning)
        }
        (Value::Float(number), range) => {
            let range = if let Some(Range::Within(range)) = range { range } else { [f64::MIN, f64::MAX] };
            OptionRow::number(name, in_few_digits(*number).leak(), range, meaning)
        }
        (other, _) => {
            OptionRow::text(name, other.as_str().unwrap_or_default().to_owned().leak(), "a name", meaning)
        }
    };
    row.unit(key.unit)
}

/// Return the values of the options as a dictionary, for the constructor of the user's class.
fn values(rows: &[OptionRow], options: &Options) -> Result<Table, Error> {
    let value = |row: &OptionRow| match row.values {
        Values::Whole(_) => {
            options.whole(row.name).map(|whole| Value::Integer(i64::try_from(whole).unwrap_or(i64::MAX)))
        }
        Values::Number { .. } => options.number(row.name).map(Value::Float),
        _ => Ok(Value::String(options.text(row.name).to_owned())),
    };
    rows.iter().map(|row| Ok((row.name.to_owned(), value(row)?))).collect()
}
