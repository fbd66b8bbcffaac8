//! Registration of a user's Python class as a kind of device.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use sledsim::device::{self, Device, OwnKind};
use sledsim::error::Error;
use sledsim::params::{Key, OwnKey, OwnParams, Range};

use super::answers::wrong;
use super::device::PythonDevice;
use crate::convert::fault;
use crate::parameters::python_dict;
use crate::python_names;
use crate::raised::keep;
use crate::text::Text;

/// Parameter of a user's class: name, unit, meaning, default, least and greatest value.
pub(crate) type Parameter<'py> = (String, String, String, Bound<'py, PyAny>, Option<f64>, Option<f64>);

/// Register a kind of device. `make` is a Python callable that returns an object of the user's class for a
/// dictionary of parameters.
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

/// Convert a parameter of a user's class to a parameter of the core. Error messages name the class.
pub(crate) fn own_key(
    kind: &str,
    (name, unit, meaning, default, low, high): Parameter<'_>,
) -> PyResult<OwnKey> {
    let ends = [low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX)];
    let (default, range) = if default.is_instance_of::<PyBool>() {
        return Err(wrong(kind, &name, "a default value that is a number or a text", &default));
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
        let text: String = default
            .extract()
            .map_err(|_| wrong(kind, &name, "a default value that is a number or a text", &default))?;
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
