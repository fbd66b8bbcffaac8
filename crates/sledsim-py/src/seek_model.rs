//! Seek models written in Python.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use sledsim::error::Error;
use sledsim::mechanics::{Axis, SeekModel, SeekModelRow, SeekSettings, LONGEST_SEEK_S, SEEK_MODELS};

use crate::convert::fault;
use crate::exceptions::ParameterError;
use crate::python_names;
use crate::raised::{has_raised, keep};
use crate::text::Text;

/// A seek model in Python: a callable that receives arrays of start and end positions, the speed and the axis,
/// and returns an array of seek times in seconds.
struct PythonModel {
    name: &'static str,
    function: Py<PyAny>,
    axis: Axis,
}

impl PythonModel {
    fn call(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) -> PyResult<()> {
        Python::attach(|py| {
            let axis = pyo3::types::PyDict::new(py);
            axis.set_item("acceleration_m_per_s2", self.axis.acceleration_m_per_s2)?;
            axis.set_item("stiffness_per_s2", self.axis.stiffness_per_s2)?;
            axis.set_item("reach_m", self.axis.reach_m)?;
            let (from_m, to_m) = (PyArray1::from_slice(py, from_m), PyArray1::from_slice(py, to_m));
            let found = self.function.call1(py, (from_m, to_m, speed_m_per_s, axis))?;
            let wrong = || {
                let found = found.bind(py).repr().map_or_else(|_| "something else".into(), |r| r.to_string());
                ParameterError::new_err(format!(
                    "seek_model = {}: expected an array of {} float64 values in seconds, each from 0 to {LONGEST_SEEK_S}, found {found}",
                    self.name,
                    out.len()
                ))
            };
            let times_s: PyReadonlyArray1<'_, f64> = found.extract(py).map_err(|_| wrong())?;
            let times_s = times_s.as_array();
            if times_s.len() != out.len() || !times_s.iter().all(|s| (0.0..=LONGEST_SEEK_S).contains(s)) {
                return Err(wrong());
            }
            times_s.iter().zip(out).for_each(|(from, to)| *to = *from);
            Ok(())
        })
    }
}

impl SeekModel for PythonModel {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        let mut out = [0.0];
        self.seeks_s(&[from_m], &[to_m], speed_m_per_s, &mut out);
        out[0]
    }

    /// Compute the times of seeks in seconds with the Python code. A seek over no distance takes 0 s. After an
    /// exception, all seeks take 0 s.
    fn seeks_s(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) {
        if has_raised() {
            return out.fill(0.0);
        }
        if let Err(error) = self.call(from_m, to_m, speed_m_per_s, out) {
            keep(error);
            return out.fill(0.0);
        }
        for (time_s, (from_m, to_m)) in out.iter_mut().zip(from_m.iter().zip(to_m)) {
            if from_m == to_m {
                *time_s = 0.0;
            }
        }
    }
}

#[pyfunction]
pub(crate) fn register_seek_model(name: Text, description: Text, function: Py<PyAny>) -> PyResult<()> {
    // A model is registered once and lives as long as the program, like the built-in ones.
    let name: &'static str = name.to_owned().leak();
    let build = move |settings: &SeekSettings| -> Result<Box<dyn SeekModel>, Error> {
        let function = Python::attach(|py| function.clone_ref(py));
        Ok(Box::new(PythonModel { name, function, axis: settings.axis }))
    };
    let row = SeekModelRow::new(name, description.to_owned().leak(), Box::leak(Box::new(build)));
    SEEK_MODELS.add(row).map_err(fault)?;
    python_names::add(name);
    Ok(())
}
