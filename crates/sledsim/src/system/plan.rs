//! Devices and the volumes over them, and what becomes of them at the start of a run.

use toml::{Table, Value};

use crate::device::{self, Device};
use crate::error::{Error, Result};
use crate::options::Options;
use crate::params::DeviceSpec;
use crate::sched::Policy;
use crate::volume::{Volume, VolumeRow};

/// A device behind a policy, or a volume over devices and other volumes.
#[derive(Clone)]
pub enum System {
    /// A device.
    Device(Box<DevicePlan>),
    /// A volume.
    Volume(VolumePlan),
}

/// A device and the policy of the queue in front of it.
#[derive(Clone)]
pub struct DevicePlan {
    /// The device.
    pub spec: DeviceSpec,
    /// The policy.
    pub policy: Policy,
}

/// A volume and what it stands on.
#[derive(Clone)]
pub struct VolumePlan {
    /// Its kind.
    pub row: &'static VolumeRow,
    /// Its options.
    pub options: Options,
    /// For each of its roles, its members.
    pub members: Vec<Vec<System>>,
}

/// A volume with the machines that its members are.
pub struct BuiltVolume {
    /// The volume.
    pub volume: Box<dyn Volume>,
    /// Its members, by number: each with the name of its role and, if there are several, its number within.
    pub members: Vec<(String, Built)>,
}

/// A machine that requests go to.
pub enum Built {
    /// A device, and its policy.
    Device(Box<dyn Device>, Policy),
    /// A volume.
    Volume(BuiltVolume),
}

impl Built {
    /// Sectors that it offers.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        match self {
            Self::Device(device, _) => device.sectors(),
            Self::Volume(built) => built.volume.sectors(),
        }
    }
}

impl System {
    /// Makes the machine.
    ///
    /// # Errors
    /// Parameters or options that cannot be, or members that do not go together.
    pub fn build(&self) -> Result<Built> {
        match self {
            Self::Device(plan) => {
                let device = device::build(&plan.spec.parameters, 1)?.remove(0);
                Ok(Built::Device(device, plan.policy.clone()))
            }
            Self::Volume(plan) => Ok(Built::Volume(plan.build()?)),
        }
    }

    /// Everything that it is, as a user could give it: with every option, and the parameters of every device.
    #[must_use]
    pub fn to_table(&self) -> Table {
        match self {
            Self::Device(plan) => {
                let mut table = plan.spec.parameters.to_table();
                table.insert("scheduler".into(), Value::String(plan.policy.name_in_full()));
                table
            }
            Self::Volume(plan) => plan.to_table(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Device(plan) => plan.spec.parameters.name().to_owned(),
            Self::Volume(plan) => plan.options.name(false),
        }
    }
}

impl VolumePlan {
    fn build(&self) -> Result<BuiltVolume> {
        let mut members = Vec::new();
        let mut sectors = Vec::new();
        for (role, systems) in self.row.roles.iter().zip(&self.members) {
            let mut of_role = Vec::new();
            for (number, system) in systems.iter().enumerate() {
                let built = system.build()?;
                of_role.push(built.sectors());
                let name =
                    if systems.len() == 1 { role.name.to_owned() } else { format!("{} {number}", role.name) };
                members.push((name, built));
            }
            sectors.push(of_role);
        }
        let fault = |error| match error {
            Error::Parameter(text) if !text.starts_with(self.row.name) => {
                Error::Parameter(format!("{}: {text}", self.row.name))
            }
            other => other,
        };
        let volume = (self.row.build)(&self.options, &sectors).map_err(fault)?;
        Ok(BuiltVolume { volume, members })
    }

    fn to_table(&self) -> Table {
        let mut table = Table::from_iter([("volume".to_owned(), Value::String(self.row.name.into()))]);
        for (name, value) in self.options.pairs() {
            table.insert(name.into(), Value::String(value.into()));
        }
        for (role, members) in self.row.roles.iter().zip(&self.members) {
            let mut all: Vec<Value> = members.iter().map(|member| Value::Table(member.to_table())).collect();
            let value = if all.len() == 1 { all.remove(0) } else { Value::Array(all) };
            table.insert(role.name.into(), value);
        }
        table
    }
}
