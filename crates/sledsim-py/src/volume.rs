//! The class `Volume`, and what stands for a device or a volume.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::error::Result;
use sledsim::faults::FaultPlan;
use sledsim::options::OptionRow;
use sledsim::params::DeviceSpec;
use sledsim::sched::Policy;
use sledsim::simulation::restart;
use sledsim::system::System;
use sledsim::volume::VOLUMES;
use toml::Table;

use crate::parameters::{python_dict, toml_table};
use crate::convert::fault;
use crate::device::Device;
use crate::raised::raised_by_python;
use crate::ParameterError;

/// Name, unit, default and description.
type OptionText = (&'static str, &'static str, &'static str, &'static str);
/// Name, default and description.
type RoleText = (&'static str, &'static str, &'static str);

/// A volume over devices, as a user gives it.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct Volume {
    given: Given,
    /// What it is where members without a policy of their own have the default one.
    system: System,
    sectors: u64,
}

/// What the user said.
#[derive(Clone)]
enum Given {
    Named(String, Table),
    Parameters(Table),
    /// A device with faults.
    Faulty(Box<(DeviceSpec, FaultPlan)>),
}

impl Given {
    fn system(&self, policy: &Policy) -> Result<System> {
        match self {
            Self::Named(name, set) => System::volume(name, set.clone(), policy),
            Self::Parameters(table) => System::from_table(table.clone(), policy),
            Self::Faulty(both) => Ok(System::faulty_device(both.0.clone(), policy, both.1.clone())),
        }
    }
}

impl Volume {
    fn new(given: Given, scheduler: &str) -> PyResult<Self> {
        let made = || {
            let system = given.system(&Policy::parse(scheduler)?)?;
            let sectors = system.build()?.sectors();
            Ok((system, sectors))
        };
        let (system, sectors) = raised_by_python(made)?.map_err(fault)?;
        Ok(Self { given, system, sectors })
    }
}

#[pymethods]
impl Volume {
    #[staticmethod]
    fn load(name_or_path: &str, settings: &Bound<'_, PyDict>, scheduler: &str) -> PyResult<Self> {
        Self::new(Given::Named(name_or_path.to_owned(), toml_table(settings)?), scheduler)
    }

    #[staticmethod]
    fn from_parameters(parameters: &Bound<'_, PyDict>, scheduler: &str) -> PyResult<Self> {
        Self::new(Given::Parameters(toml_table(parameters)?), scheduler)
    }

    /// A device on which something breaks: the plan is the path of a file, or a table.
    #[staticmethod]
    fn faulty(device: &Device, plan: &Bound<'_, PyAny>, scheduler: &str) -> PyResult<Self> {
        let read = match plan.cast::<PyDict>() {
            Ok(table) => FaultPlan::from_table(toml_table(table)?, "faults"),
            Err(_) => FaultPlan::read(plan.extract()?),
        };
        let origin = plan.extract::<String>().unwrap_or_else(|_| "faults".into());
        let both = Box::new((device.spec.clone(), read.map_err(fault)?));
        Self::new(Given::Faulty(both), scheduler)
            .map_err(|error| ParameterError::new_err(format!("{origin}: {}", error.value(plan.py()))))
    }

    fn name(&self) -> String {
        self.system.name()
    }

    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        python_dict(py, &self.system.to_table())
    }

    fn sectors(&self) -> u64 {
        self.sectors
    }

    /// Member, reads, sectors and seconds of what is read after a loss of power.
    fn restart(&self, py: Python<'_>) -> PyResult<Vec<(String, u64, u64, f64)>> {
        let rows = raised_by_python(|| py.detach(|| restart(&self.system)))?.map_err(fault)?;
        Ok(rows.into_iter().map(|row| (row.member, row.reads, row.sectors, row.time_s)).collect())
    }
}

/// What requests go to.
#[derive(FromPyObject)]
pub(crate) enum Target<'py> {
    Device(PyRef<'py, Device>),
    Volume(PyRef<'py, Volume>),
}

impl Target<'_> {
    /// Sectors of 512 bytes that it offers.
    pub(crate) fn sectors(&self) -> u64 {
        match self {
            Self::Device(device) => device.capacity_sectors(),
            Self::Volume(volume) => volume.sectors,
        }
    }

    /// With that policy for every device that has none of its own.
    pub(crate) fn system(&self, policy: &Policy) -> Result<System> {
        match self {
            Self::Device(device) => Ok(System::device(device.spec.clone(), policy)),
            Self::Volume(volume) => volume.given.system(policy),
        }
    }
}

#[pyfunction]
pub(crate) fn volumes() -> Vec<(&'static str, Option<&'static str>, &'static str)> {
    VOLUMES.iter().map(|row| (row.name, row.alias, row.description)).collect()
}

/// Name, unit, default and description of each option, and then of each role.
#[pyfunction]
pub(crate) fn volume_options(name: &str) -> PyResult<(Vec<OptionText>, Vec<RoleText>)> {
    let row = sledsim::volume::find(name).map_err(fault)?;
    let option = |row: &OptionRow| (row.name, row.unit, row.default, row.description);
    let roles = row.roles.iter().map(|role| (role.name, role.default, role.description));
    Ok((row.options.iter().map(option).collect(), roles.collect()))
}
