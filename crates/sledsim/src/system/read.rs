//! Reads systems from a user's input: names, tables, and overrides of parameters.

use std::path::Path;

use toml::{Table, Value};

use super::episodes;
use super::members::{self, Sized};
use super::tree::{DevicePlan, System, VolumePlan, EPISODES, SCHEDULER};
use crate::device::{self, DeviceSpec};
use crate::error::{ensure, fault, fault_of, in_short, normalise, unknown_name, Error, Result};
use crate::faults::FaultPlan;
use crate::input::{read_text, read_toml};
use crate::options::Options;
use crate::sched::Policy;
use crate::volume::{RoleRow, VolumeRow, VOLUMES};

/// Keys in the table of a member, in addition to parameters, episodes and policy: the device or the device that
/// it extends (as in a device file), the kind of volume, and the faults.
const DEVICE: &str = "device";
const EXTENDS: &str = "extends";
const VOLUME: &str = "volume";
const FAULTS: &str = "faults";
/// Largest number of levels of volumes: a volume may have members that are volumes, and so on.
const DEPTH_MAX: usize = 8;

impl System {
    /// Reads a volume from its name or alias, or from a file, and applies the options and parameters `set`. A
    /// device without a policy of its own gets the policy that is given next to the options of its volume
    /// (`scheduler`), or otherwise `policy`. A run may replace the latter two.
    ///
    /// # Errors
    /// A name or key is unknown, a value is invalid, or a file cannot be read.
    pub fn volume(name_or_path: &str, set: Table, policy: &Policy) -> Result<Self> {
        let (name, options) = name_or_path.split_once(':').unwrap_or((name_or_path, ""));
        let (mut table, is_file) = match VOLUMES.find(name) {
            Ok(row) => (Table::from_iter([(VOLUME.to_owned(), Value::String(row.name.into()))]), false),
            Err(_) if is_path(name_or_path) => (file(name_or_path)?, true),
            Err(error) => return Err(error),
        };
        let written = is_file.then(|| table.clone());
        if table.contains_key(VOLUME) && !Path::new(name_or_path).is_file() {
            for pair in options.split(',').filter(|pair| !pair.is_empty()) {
                let Some((key, value)) = pair.split_once('=') else {
                    return fault(format!("{name}: expected option=value, found {pair:?}"));
                };
                put(&mut table, key.trim(), Value::String(value.trim().into()))?;
            }
        }
        for (key, value) in set {
            put(&mut table, &key, value)?;
        }
        let made = |mut table: Table| {
            let own = policy_of(&mut table, VOLUME)?;
            read(Value::Table(table), VOLUME, own.as_ref().unwrap_or(policy), 0)
        };
        let found = made(table).map_err(|error| match written.map(made) {
            // The error lies in the file, and not in the overrides.
            Some(Err(own)) => own.at(name_or_path),
            _ => error,
        });
        members::check(name_or_path, found?)
    }

    /// Reads a system from a table with all its options and parameters, as results contain it.
    ///
    /// # Errors
    /// The errors of [`System::volume`].
    pub fn from_table(table: Table, policy: &Policy) -> Result<Self> {
        members::check("parameters", read(Value::Table(table), "parameters", policy, 0)?)
    }

    /// Returns the system that consists of the device `spec` behind the policy `policy`, with an optional plan
    /// of faults.
    #[must_use]
    pub fn device(spec: DeviceSpec, policy: &Policy, faults: Option<FaultPlan>) -> Self {
        let policy = policy.clone();
        let episodes = Vec::new();
        Self::Device(Box::new(DevicePlan { spec, policy, has_own_policy: false, faults, episodes }))
    }
}

fn is_path(name_or_path: &str) -> bool {
    name_or_path.contains(['/', '\\']) || name_or_path.ends_with(".toml")
}

fn file(path: &str) -> Result<Table> {
    let table: Table = read_toml(&read_text(Path::new(path))?, path)?;
    ensure!(
        [VOLUME, DEVICE, EXTENDS, "name"].iter().any(|key| table.contains_key(*key)),
        "{path}: expected the key {VOLUME} with one of {}, found {}",
        VOLUMES.rows().iter().map(|row| row.name).collect::<Vec<_>>().join(", "),
        table.keys().next().map_or("none".to_owned(), |key| in_short(&key))
    );
    ensure!(
        !table.contains_key("extends"),
        "{path}: expected a volume, found a device: use --device, or sledsim.device in Python"
    );
    Ok(table)
}

/// Sets the value of the key `key` in a table. With `role.key`, sets `key` in the table of the role `role`.
///
/// # Errors
/// The key contains more names of roles than the largest number of levels of volumes.
fn put(table: &mut Table, key: &str, value: Value) -> Result<()> {
    ensure!(
        key.split('.').nth(DEPTH_MAX + 1).is_none(),
        "{}: expected at most {DEPTH_MAX} roles before a parameter, found more than {DEPTH_MAX}",
        in_short(&key)
    );
    set(table, key, value);
    Ok(())
}

fn set(table: &mut Table, key: &str, value: Value) {
    let Some((role, rest)) = key.split_once('.') else {
        table.insert(key.into(), value);
        return;
    };
    let inner = table.entry(role).or_insert_with(|| Value::Table(Table::new()));
    let each = |member: &mut Value| {
        if let Value::String(name) = member {
            let named = Value::String(std::mem::take(name));
            *member = Value::Table(Table::from_iter([(DEVICE.to_owned(), named)]));
        }
        if let Value::Table(inner) = member {
            set(inner, rest, value.clone());
        }
    };
    match inner {
        Value::Array(members) => members.iter_mut().for_each(each),
        one => each(one),
    }
}

/// Reads a member, given as the name of a device, or as a table with the key `device`, `extends` or `volume`.
fn read(value: Value, place: &str, policy: &Policy, depth: usize) -> Result<Sized> {
    let mut table = match value {
        Value::String(name) => Table::from_iter([(DEVICE.to_owned(), Value::String(name))]),
        Value::Table(table) => table,
        other => {
            let found = in_short(&other);
            return fault_of(place, format!("expected the name of a device or a table, found {found}"));
        }
    };
    ensure!(
        depth <= DEPTH_MAX,
        Error::Parameter(format!("expected at most {DEPTH_MAX} volumes over one another, found more"))
            .at(place)
    );
    let member = |error: Error| if depth == 0 { error } else { error.at(place) };
    let own = policy_of(&mut table, place).map_err(member)?;
    let mut sized = machine(table, place, own.as_ref().unwrap_or(policy), depth).map_err(member)?;
    if own.is_some() {
        sized.system.keep_policies();
    }
    Ok(sized)
}

/// Removes the policy from a table and reads it; `None` if the table names no policy.
fn policy_of(table: &mut Table, place: &str) -> Result<Option<Policy>> {
    text(table, SCHEDULER, place)?.map(|name| Policy::parse(&name)).transpose()
}

/// Reads a volume, or a device with or without faults and episodes, from its table.
fn machine(mut table: Table, place: &str, policy: &Policy, depth: usize) -> Result<Sized> {
    if let Some(name) = text(&mut table, VOLUME, place)? {
        let text = "expected the name of a kind of volume, found a file: write the contents of the file into this table, next to `volume`";
        ensure!(
            !is_path(&name),
            Error::Parameter(text.into()).marked(VOLUME, format!(" = {name:?}")).at(place)
        );
        return volume(VOLUMES.find(&name)?, table, place, policy, depth);
    }
    let faults = faults(&mut table, place)?;
    let episodes = episodes::of_table(table.remove(EPISODES), place)?;
    let named = match (table.remove(DEVICE), table.remove(EXTENDS)) {
        (Some(_), Some(_)) => {
            return fault_of(place, format!("expected {DEVICE} or {EXTENDS}, found both keys"));
        }
        (device, base) => device.or(base),
    };
    let spec = match named {
        Some(Value::String(name)) => device::load(&name, table)?,
        // The table is a complete set of parameters, as results store it.
        None if table.contains_key("name") => DeviceSpec::from_parameters(table)?,
        other => {
            let found = other.map_or("none".to_owned(), |other| in_short(&other));
            return fault_of(place, format!("expected the name of a device, found {found}"));
        }
    };
    let mut system = System::device(spec, policy, faults);
    if let System::Device(device) = &mut system {
        episodes::add(device, episodes)?;
    }
    Ok(Sized { system, devices: 1 })
}

/// Reads a plan of faults: the path of its file, or its table.
fn faults(table: &mut Table, place: &str) -> Result<Option<FaultPlan>> {
    match table.remove(FAULTS) {
        None => Ok(None),
        Some(Value::String(path)) => FaultPlan::read(&path).map(Some),
        Some(Value::Table(plan)) => FaultPlan::from_table(plan, &format!("{place}: {FAULTS}")).map(Some),
        Some(other) => {
            let text = format!("{FAULTS} = {}: expected the path of a plan of faults", in_short(&other));
            fault_of(place, text)
        }
    }
}

fn text(table: &mut Table, key: &str, place: &str) -> Result<Option<String>> {
    match table.remove(key) {
        None => Ok(None),
        Some(Value::String(name)) => Ok(Some(name)),
        Some(other) => fault_of(place, format!("{key} = {}: expected a name", in_short(&other))),
    }
}

fn volume(row: VolumeRow, mut table: Table, place: &str, policy: &Policy, depth: usize) -> Result<Sized> {
    let mut given = Vec::new();
    for role in row.make.roles {
        given.push(table.remove(role.name));
    }
    let roles = || row.make.roles.iter().map(|role| role.name);
    let own = row.options.concat();
    if let Some((key, _)) =
        table.iter().find(|(key, _)| !own.iter().any(|option| normalise(option.name) == normalise(key)))
    {
        let known = own.iter().map(|option| option.name).chain(roles());
        return Err(unknown_name(&format!("option of {}", row.name), key, known.collect::<Vec<_>>()));
    }
    let plain = |(key, value): (String, Value)| match value {
        Value::String(text) => Ok((key, text)),
        Value::Table(_) | Value::Array(_) => {
            fault_of(place, format!("{key}: expected a number or a name, found {}", in_short(&value)))
        }
        Value::Boolean(truth) => Ok((key, if truth { "yes" } else { "no" }.into())),
        other => Ok((key, other.to_string())),
    };
    let pairs = table.into_iter().map(plain).collect::<Result<Vec<_>>>()?;
    let options = Options::given(row.name, &own, pairs)?;
    let roles = row.make.roles.iter().zip(given);
    let members = roles.map(|(role, value)| of_role(role, value, &options, policy, depth + 1));
    let (members, devices): (Vec<_>, Vec<u64>) = members.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    for (role, members) in row.make.roles.iter().zip(&members) {
        members::check_alike(row.name, role, members)?;
    }
    let system = System::Volume(Box::new(VolumePlan { row, members, options }));
    Ok(Sized { system, devices: members::sum(devices) })
}

/// Reads the members of a role. The user gives one member, which is copied, or a list of members. Returns the
/// members, and the number of devices of all members.
fn of_role(
    role: &RoleRow,
    value: Option<Value>,
    options: &Options,
    policy: &Policy,
    depth: usize,
) -> Result<(Vec<System>, u64)> {
    let count = (role.count)(options)? as usize;
    let mut value = value.unwrap_or_else(|| Value::String(role.default.into()));
    if let Value::Table(table) = &mut value {
        if ![DEVICE, EXTENDS, VOLUME, "name"].iter().any(|key| table.contains_key(*key)) {
            table.insert(DEVICE.into(), Value::String(role.default.into()));
        }
    }
    if let Value::Array(members) = value {
        ensure!(
            members.len() == count,
            "{}: expected a list of {count} members, one for each device of the role, found {}",
            role.name,
            members.len()
        );
        let members = members.into_iter().enumerate();
        let members = members.map(|(at, member)| read(member, &format!("{} {at}", role.name), policy, depth));
        return Ok(members::together(members.collect::<Result<Vec<_>>>()?));
    }
    Ok(members::alike(read(value, role.name, policy, depth)?, count))
}
