//! Members of volumes: the number of their devices, and a check that they are equal if the volume requires
//! equal devices.

use toml::Table;

use super::tree::{System, EPISODES, SCHEDULER};
use crate::error::{ensure, fault, Result};
use crate::volume::RoleRow;

/// Largest number of devices of a system: 64 arrays of 64 devices each. Every device takes memory.
const DEVICES_MAX: u64 = 64 * 64;

/// A system, with the number of its devices. The number is computed first, because a system with too many
/// devices is rejected before it is built.
pub(super) struct Sized {
    pub system: System,
    pub devices: u64,
}

/// Returns `count` copies of a member, and the number of devices of all copies. If there are too many devices,
/// only one copy is made, because the caller rejects the system.
pub(super) fn alike(member: Sized, count: usize) -> (Vec<System>, u64) {
    let devices = member.devices.saturating_mul(count as u64);
    let made = if devices > DEVICES_MAX { 1 } else { count };
    (vec![member.system; made], devices)
}

/// Returns members that the user listed one by one, and the number of devices of all members.
pub(super) fn together(members: Vec<Sized>) -> (Vec<System>, u64) {
    let devices = sum(members.iter().map(|member| member.devices));
    (members.into_iter().map(|member| member.system).collect(), devices)
}

pub(super) fn sum(devices: impl IntoIterator<Item = u64>) -> u64 {
    devices.into_iter().fold(0, u64::saturating_add)
}

/// Returns the system in `tree` if it does not have too many devices.
///
/// # Errors
/// The system has too many devices.
pub(super) fn check(name: &str, tree: Sized) -> Result<System> {
    ensure!(
        tree.devices <= DEVICES_MAX,
        "{name}: expected at most {DEVICES_MAX} devices in all volumes together, found {} devices",
        tree.devices
    );
    Ok(tree.system)
}

/// Checks that the members of a role are equal if the role requires equal members. Their policies and episodes
/// may differ.
///
/// # Errors
/// Two members differ, although the role requires equal members.
pub(super) fn check_alike(volume: &str, role: &RoleRow, members: &[System]) -> Result<()> {
    if !role.alike {
        return Ok(());
    }
    let tables: Vec<Table> = members.iter().map(table).collect();
    let Some(other) = tables.iter().position(|table| *table != tables[0]) else { return Ok(()) };
    let name = |member: usize| format!("{} in {} {member}", members[member].name(), role.name);
    fault(format!(
        "{volume}: expected equal devices, found {} and {}{}: use the same device for all members, or join different devices with the volume sleds",
        name(0),
        name(other),
        difference(&tables[0], &tables[other])
    ))
}

fn table(member: &System) -> Table {
    let mut table = member.to_table();
    table.remove(SCHEDULER);
    table.remove(EPISODES);
    table
}

/// Describes the first parameter in which two devices with the same name differ; empty if the names differ or
/// no parameter differs.
fn difference(first: &Table, other: &Table) -> String {
    let differs = |key: &&String| first.get(*key) != other.get(*key);
    match first.keys().find(differs) {
        Some(key) if first.get("name") == other.get("name") => {
            let value = |table: &Table| table.get(key).map_or("nothing".to_owned(), ToString::to_string);
            format!(" ({key} = {} and {})", value(first), value(other))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use toml::{Table, Value};

    use super::*;
    use crate::sched::Policy;

    /// Builds stripes whose members are stripes, and so on. `counts` has the number of members per volume on
    /// each level, beginning with the volumes over devices.
    fn tree(counts: &[i64]) -> Result<System> {
        let mut below = Value::String("osdi00".into());
        for count in counts {
            let keys = [
                ("volume", Value::String("stripe".into())),
                ("devices", Value::Integer(*count)),
                ("device", below),
            ];
            below =
                Value::Table(keys.map(|(key, value)| (key.to_owned(), value)).into_iter().collect::<Table>());
        }
        let Value::Table(table) = below else {
            unreachable!("the system is a volume, so its description is a table")
        };
        System::from_table(table, &Policy::parse("fcfs").unwrap())
    }

    #[test]
    fn as_many_devices_as_may_be_are_made_and_no_more() {
        assert_eq!(tree(&[64, 64]).unwrap().devices_mut().len(), 64 * 64);
        let error = |counts| tree(counts).err().unwrap().to_string();
        assert!(
            error(&[64, 1, 65]).contains("devices = 65"),
            "the options of a volume are checked before the number of devices"
        );
        assert!(error(&[60, 60, 60, 60])
            .ends_with("expected at most 4096 devices in all volumes together, found 12960000 devices"));
        assert!(error(&[17, 61, 4]).ends_with("found 4148 devices"));
        assert!(error(&[64; 8]).ends_with(&format!("found {} devices", 64_u64.pow(8))));
    }
}
