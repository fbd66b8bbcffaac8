//! Functions that compute the motion of a sled over time.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::mechanics::{SeekModel, SlewLimited, State};

use crate::convert::fault;
use crate::device::Device;

fn slew_limited(device: &Device) -> PyResult<[SlewLimited; 2]> {
    let params = device.spec.parameters().as_mems("the profile of a seek").map_err(fault)?;
    params.slew_limited().map_err(fault)
}

/// Return the time in seconds, position, speed and force at `points` evenly spaced times of a motion.
#[pyfunction]
pub(crate) fn seek_profile<'py>(
    py: Python<'py>,
    device: &Device,
    axis: usize,
    from_: (f64, f64),
    to: (f64, f64),
    points: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let motions = slew_limited(device)?[axis];
    let state = |(place_m, speed_m_per_s)| State { place_m, speed_m_per_s };
    let profile = motions.profile(state(from_), state(to));
    let step_s = profile.duration_s() / (points - 1) as f64;
    let times_s: Vec<f64> = (0..points).map(|point| point as f64 * step_s).collect();
    let samples: Vec<_> =
        times_s.iter().map(|t_s| profile.sample(motions.axis(), state(from_), *t_s)).collect();
    let column =
        |of: fn(&(f64, f64, f64)) -> f64| samples.iter().map(of).collect::<Vec<f64>>().into_pyarray(py);
    let all = PyDict::new(py);
    all.set_item("place_m", column(|sample| sample.0))?;
    all.set_item("speed_m_per_s", column(|sample| sample.1))?;
    all.set_item("force_m_per_s2", column(|sample| sample.2))?;
    all.set_item("time_s", times_s.into_pyarray(py))?;
    Ok(all)
}

/// Return the residual vibration of a sled: its state after each ideal seek in x, if the actuator force cannot
/// jump but rises over some time.
#[pyfunction]
pub(crate) fn residual_vibration<'py>(
    py: Python<'py>,
    device: &Device,
    from_m: PyReadonlyArray1<'py, f64>,
    to_m: PyReadonlyArray1<'py, f64>,
    natural_frequency_per_s: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let [motions, _] = slew_limited(device)?;
    let residuals: Vec<_> = from_m
        .as_slice()?
        .iter()
        .zip(to_m.as_slice()?)
        .map(|(from_m, to_m)| motions.residual(*from_m, *to_m))
        .collect();
    let all = PyDict::new(py);
    all.set_item(
        "place_error_m",
        residuals.iter().map(|r| r.place_error_m).collect::<Vec<_>>().into_pyarray(py),
    )?;
    all.set_item(
        "speed_m_per_s",
        residuals.iter().map(|r| r.speed_m_per_s).collect::<Vec<_>>().into_pyarray(py),
    )?;
    let amplitudes_m: Vec<f64> = residuals.iter().map(|r| r.amplitude_m(natural_frequency_per_s)).collect();
    all.set_item("amplitude_m", amplitudes_m.into_pyarray(py))?;
    Ok(all)
}
