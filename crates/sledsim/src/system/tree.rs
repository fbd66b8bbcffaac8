//! Devices and volumes of a system, and the construction of their machines at the start of a run.

use toml::{Table, Value};

use crate::device::{Device, DeviceSpec};
use crate::episodes::{Episode, EpisodicDevice};
use crate::error::Result;
use crate::faults::{FaultPlan, FaultyDevice};
use crate::options::Options;
use crate::sched::Policy;
use crate::volume::{shared_bus_ns_per_sector, Volume, VolumeRow};

/// The key for the policy in front of a device.
pub(super) const SCHEDULER: &str = "scheduler";
/// The key for the list of episodes of a device.
pub(super) const EPISODES: &str = "episodes";

/// A device behind a policy, or a volume over devices and other volumes.
#[derive(Clone)]
pub enum System {
    /// A device behind a queue with a policy.
    Device(Box<DevicePlan>),
    /// A volume over devices and other volumes.
    Volume(Box<VolumePlan>),
}

/// A device, and the policy of the queue in front of it.
#[derive(Clone)]
pub struct DevicePlan {
    /// The device, as read from its file.
    pub spec: DeviceSpec,
    /// The policy of the queue in front of the device.
    pub policy: Policy,
    /// True if the user gave a policy for this device, or for a volume that contains it.
    pub has_own_policy: bool,
    /// The plan of faults of the device, if any.
    pub faults: Option<FaultPlan>,
    /// Episodes: times in which the device starts no service, or is slow.
    pub episodes: Vec<Episode>,
}

impl DevicePlan {
    /// Builds `count` devices, numbered from `first` on. The random faults of a device depend on its number.
    ///
    /// # Errors
    /// Parameters are invalid, or the plan of faults does not fit the parameters.
    pub fn build(&self, count: u32, first: u64) -> Result<Vec<Box<dyn Device>>> {
        let wrapped = |(number, mut device): (u64, Box<dyn Device>)| -> Result<Box<dyn Device>> {
            if let Some(faults) = &self.faults {
                device = Box::new(FaultyDevice::new(device, self.spec.parameters(), faults, number)?);
            }
            if !self.episodes.is_empty() {
                device = Box::new(EpisodicDevice::new(device, &self.episodes));
            }
            Ok(device)
        };
        (first..).zip(self.spec.build(count)?).map(wrapped).collect()
    }

    /// The device as a table: its parameters, faults and episodes.
    #[must_use]
    pub fn to_table(&self) -> Table {
        let mut table = self.spec.parameters().to_table();
        if let Some(faults) = &self.faults {
            table.insert("faults".into(), Value::Table(faults.to_table()));
        }
        if !self.episodes.is_empty() {
            let names = self.episodes.iter().map(|episode| Value::String(episode.name()));
            table.insert(EPISODES.into(), Value::Array(names.collect()));
        }
        table
    }
}

/// A plan for building a volume: the kind of volume with its options, and its members.
#[derive(Clone)]
pub struct VolumePlan {
    /// Kind of the volume, as an entry of the table of volumes.
    pub row: VolumeRow,
    /// Options of the volume.
    pub options: Options,
    /// Members of each role.
    pub members: Vec<Vec<System>>,
}

/// A volume that was built and serves requests, with the machines of its members.
pub struct BuiltVolume {
    /// The volume itself, which divides requests of the host among its members.
    pub volume: Box<dyn Volume>,
    /// The machines of all members in the order of their numbers. Each has the name of its role, followed by
    /// its number in the role if the role has several members.
    pub members: Vec<(String, Built)>,
    /// Time in nanoseconds that the shared bus needs for a sector; `None` without a shared bus.
    pub bus_ns_per_sector: Option<f64>,
}

/// The name of a member: the name of its role, followed by its number in the role if the role has several
/// members.
fn member_name(role: &str, number: usize, members: usize) -> String {
    if members == 1 {
        role.to_owned()
    } else {
        format!("{role} {number}")
    }
}

/// A machine that was built and serves requests.
pub enum Built {
    /// A device, and the policy of the queue in front of it.
    Device(Box<dyn Device>, Policy),
    /// A volume, with the machines of its members.
    Volume(BuiltVolume),
}

impl Built {
    /// Number of sectors that the machine offers.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        match self {
            Self::Device(device, _) => device.sectors(),
            Self::Volume(built) => built.volume.sectors(),
        }
    }
}

impl System {
    /// Builds the machine that serves the requests of a run.
    ///
    /// # Errors
    /// Parameters or options are invalid, or members do not fit together.
    pub fn build(&self) -> Result<Built> {
        self.build_from(&mut 0)
    }

    /// Builds the machine that serves the requests. Its devices get consecutive numbers from `number` on, and
    /// `number` becomes the next free number.
    ///
    /// # Errors
    /// The errors of [`Self::build`].
    fn build_from(&self, number: &mut u64) -> Result<Built> {
        match self {
            Self::Device(plan) => {
                let device = plan.build(1, *number)?.remove(0);
                *number += 1;
                Ok(Built::Device(device, plan.policy.clone()))
            }
            Self::Volume(plan) => Ok(Built::Volume(plan.build(number)?)),
        }
    }

    /// The system as a table in the form that users write. The table contains every option, the parameters of
    /// every device, and the policy of every device.
    #[must_use]
    pub fn to_table(&self) -> Table {
        self.table(|_| true)
    }

    /// The system as a table in the form that users write, in which a device has a policy only if the user gave
    /// a policy for it.
    #[must_use]
    pub fn to_table_of_own(&self) -> Table {
        self.table(|plan| plan.has_own_policy)
    }

    fn table(&self, names_policy: fn(&DevicePlan) -> bool) -> Table {
        match self {
            Self::Device(plan) => {
                let mut table = plan.to_table();
                if names_policy(plan) {
                    table.insert(SCHEDULER.into(), Value::String(plan.policy.name_in_full()));
                }
                table
            }
            Self::Volume(plan) => plan.table(names_policy),
        }
    }

    /// The policy of those devices for which the user gave no policy; `None` if the user gave a policy for
    /// every device.
    #[must_use]
    pub fn policy(&self) -> Option<&Policy> {
        match self {
            Self::Device(plan) => (!plan.has_own_policy).then_some(&plan.policy),
            Self::Volume(plan) => plan.members.iter().flatten().find_map(Self::policy),
        }
    }

    /// Returns a copy of the system, in which every device for which the user gave no policy has the policy
    /// `policy`.
    #[must_use]
    pub fn behind(&self, policy: &Policy) -> Self {
        let mut system = self.clone();
        system.set_policy(policy);
        system
    }

    /// Mutable references to all devices of the system, each with the name that it has in results.
    pub(super) fn devices_mut(&mut self) -> Vec<(String, &mut DevicePlan)> {
        let plan = match self {
            Self::Device(plan) => return vec![("device".to_owned(), &mut **plan)],
            Self::Volume(plan) => plan,
        };
        let mut devices = Vec::new();
        for (role, members) in plan.row.make.roles.iter().zip(&mut plan.members) {
            let count = members.len();
            for (number, member) in members.iter_mut().enumerate() {
                let name = member_name(role.name, number, count);
                match member {
                    Self::Device(plan) => devices.push((name, &mut **plan)),
                    below => {
                        let below = below.devices_mut().into_iter();
                        devices.extend(below.map(|(device, plan)| (format!("{name}/{device}"), plan)));
                    }
                }
            }
        }
        devices
    }

    /// Marks the present policy of every device as one that the user gave for this device, so that a run does
    /// not replace it.
    pub(super) fn keep_policies(&mut self) {
        match self {
            Self::Device(plan) => plan.has_own_policy = true,
            Self::Volume(plan) => plan.members.iter_mut().flatten().for_each(Self::keep_policies),
        }
    }

    fn set_policy(&mut self, policy: &Policy) {
        match self {
            Self::Device(plan) if plan.has_own_policy => {}
            Self::Device(plan) => plan.policy = policy.clone(),
            Self::Volume(plan) => {
                plan.members.iter_mut().flatten().for_each(|member| member.set_policy(policy))
            }
        }
    }

    /// Name of the system: of its device or of its kind of volume.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Device(plan) => plan.spec.parameters().name().to_owned(),
            Self::Volume(plan) => plan.options.name(false),
        }
    }
}

impl VolumePlan {
    /// Builds the volume. Its devices get consecutive numbers from `device_number` on, and `device_number`
    /// becomes the next free number.
    ///
    /// # Errors
    /// The errors of [`System::build`].
    pub fn build(&self, device_number: &mut u64) -> Result<BuiltVolume> {
        let mut members = Vec::new();
        let mut sectors = Vec::new();
        for (role, systems) in self.row.make.roles.iter().zip(&self.members) {
            let mut of_role = Vec::new();
            for (number, system) in systems.iter().enumerate() {
                let built = system.build_from(device_number)?;
                of_role.push(built.sectors());
                members.push((member_name(role.name, number, systems.len()), built));
            }
            sectors.push(of_role);
        }
        let volume =
            (self.row.make.build)(&self.options, &sectors).map_err(|error| error.at(self.row.name))?;
        let bus_ns_per_sector = shared_bus_ns_per_sector(&self.options)?;
        Ok(BuiltVolume { volume, members, bus_ns_per_sector })
    }

    fn table(&self, names_policy: fn(&DevicePlan) -> bool) -> Table {
        let mut table = Table::from_iter([("volume".to_owned(), Value::String(self.row.name.into()))]);
        for (name, value) in self.options.pairs() {
            table.insert(name.into(), Value::String(value.into()));
        }
        for (role, members) in self.row.make.roles.iter().zip(&self.members) {
            let mut all: Vec<Value> =
                members.iter().map(|member| Value::Table(member.table(names_policy))).collect();
            let value = if all.len() == 1 { all.remove(0) } else { Value::Array(all) };
            table.insert(role.name.into(), value);
        }
        table
    }
}
