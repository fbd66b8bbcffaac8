//! The class `Volume`, and the type for a device or volume that requests are sent to.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::episodes::parse;
use sledsim::error::Result;
use sledsim::faults::FaultPlan;
use sledsim::sched::Policy;
use sledsim::simulation::restart;
use sledsim::system::System;

use crate::convert::fault;
use crate::device::Device;
use crate::exceptions::ParameterError;
use crate::parameters::{python_dict, toml_table};
use crate::raised::raised_by_python;
use crate::text::Text;

/// Default scheduler of a device.
const POLICY: &str = "sptf";

/// A volume over devices, or a device with faults or episodes (times in which it stalls or is slow).
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct Volume {
    system: System,
    /// Scheduler of those devices for which the volume sets none. A run can replace it.
    policy: Policy,
    sectors: u64,
}

impl Volume {
    /// Return a volume that `read` reads. The interpreter is not held meanwhile, because the other end of a
    /// pipe may be written by a thread that needs it.
    fn new(
        py: Python<'_>,
        scheduler: &str,
        read: impl FnOnce(&Policy) -> Result<System> + Send,
    ) -> PyResult<Self> {
        let made = || {
            let policy = Policy::parse(scheduler)?;
            let system = read(&policy)?;
            let sectors = system.build()?.sectors();
            let policy = system.policy().cloned().unwrap_or(policy);
            Ok(Self { system, policy, sectors })
        };
        py.detach(|| raised_by_python(made))?.map_err(fault)
    }
}

#[pymethods]
impl Volume {
    #[staticmethod]
    fn load(name_or_path: Text, settings: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (py, settings) = (settings.py(), toml_table(settings)?);
        Self::new(py, POLICY, |policy| System::volume(&name_or_path, settings, policy))
    }

    #[staticmethod]
    fn from_parameters(parameters: &Bound<'_, PyDict>, scheduler: Text) -> PyResult<Self> {
        let (py, parameters) = (parameters.py(), toml_table(parameters)?);
        Self::new(py, &scheduler, |policy| System::from_table(parameters, policy))
    }

    /// Return a device with faults; `plan` is the path of a file, or a dictionary.
    #[staticmethod]
    fn faulty(device: &Device, plan: &Bound<'_, PyAny>, scheduler: Text) -> PyResult<Self> {
        let plan_of_faults = match plan.cast::<PyDict>() {
            Ok(table) => FaultPlan::from_table(toml_table(table)?, "faults"),
            Err(_) => {
                let path: Text = plan.extract()?;
                plan.py().detach(|| FaultPlan::read(&path))
            }
        };
        let origin = plan.extract::<String>().unwrap_or_else(|_| "faults".into());
        let faults = plan_of_faults.map_err(fault)?;
        Self::new(plan.py(), &scheduler, |policy| {
            Ok(System::device(device.spec.clone(), policy, Some(faults)))
        })
        .map_err(|error| ParameterError::new_err(format!("{origin}: {}", error.value(plan.py()))))
    }

    /// Return a device or volume with episodes.
    #[staticmethod]
    fn episodic(py: Python<'_>, target: Target<'_>, episodes: Vec<Text>) -> PyResult<Self> {
        let made = || {
            let policy = target.policy(None)?;
            let episodes = episodes.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
            Ok((policy.name_in_full(), target.system(&policy).with_episodes(&episodes)?))
        };
        let (scheduler, system) = made().map_err(fault)?;
        Self::new(py, &scheduler, |_| Ok(system))
    }

    fn name(&self) -> String {
        self.system.name()
    }

    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        python_dict(py, &self.system.to_table())
    }

    /// Return the state for pickling: the table of the volume, in which only devices with a scheduler of their
    /// own name one, and the scheduler of all other devices.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, String)> {
        Ok((python_dict(py, &self.system.to_table_of_own())?, self.policy.name_in_full()))
    }

    fn sectors(&self) -> u64 {
        self.sectors
    }

    /// Return the reads that a volume needs to restart after a power failure: name of each member, and number
    /// of reads, number of sectors and seconds for this member.
    fn restart(&self, py: Python<'_>) -> PyResult<Vec<(String, u64, u64, f64)>> {
        let rows = raised_by_python(|| py.detach(|| restart(&self.system)))?.map_err(fault)?;
        Ok(rows.into_iter().map(|row| (row.member, row.reads, row.sectors, row.time_s)).collect())
    }
}

/// A device or a volume to which requests are sent.
#[derive(FromPyObject)]
pub(crate) enum Target<'py> {
    Device(PyRef<'py, Device>),
    Volume(PyRef<'py, Volume>),
}

impl Target<'_> {
    /// Return the number of sectors of 512 bytes.
    pub(crate) fn sectors(&self) -> u64 {
        match self {
            Self::Device(device) => device.capacity_sectors(),
            Self::Volume(volume) => volume.sectors,
        }
    }

    /// Return the policy with the name `asked`. If it is None, return the policy of the volume, or the default
    /// policy for a device.
    pub(crate) fn policy(&self, asked: Option<&str>) -> Result<Policy> {
        match (asked, self) {
            (Some(name), _) => Policy::parse(name),
            (None, Self::Device(_)) => Policy::parse(POLICY),
            (None, Self::Volume(volume)) => Ok(volume.policy.clone()),
        }
    }

    /// Return the system that receives the requests, in which every device without a policy of its own has the
    /// policy `policy`.
    pub(crate) fn system(&self, policy: &Policy) -> System {
        match self {
            Self::Device(device) => System::device(device.spec.clone(), policy, None),
            Self::Volume(volume) => volume.system.behind(policy),
        }
    }
}
