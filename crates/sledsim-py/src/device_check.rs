//! The function `check_device`, which checks a device written in Python.

use pyo3::prelude::*;
use sledsim::conformance::CHECKS;

use crate::convert::fault;
use crate::device::Device;
use crate::raised::raised_by_python;

/// Return name and meaning of each check of a device, and the fault that the check found; an empty text if it
/// found no fault.
#[pyfunction]
pub(crate) fn check_device(
    py: Python<'_>,
    device: &Device,
) -> PyResult<Vec<(&'static str, &'static str, String)>> {
    let checked = || {
        let made = device.spec.build(1)?.remove(0);
        let all =
            CHECKS.iter().map(|check| (check.name, check.meaning, check.failure(&*made).unwrap_or_default()));
        Ok(all.collect())
    };
    py.detach(|| raised_by_python(checked))?.map_err(fault)
}
