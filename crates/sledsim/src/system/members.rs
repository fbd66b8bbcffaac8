//! Members of volumes: their number of devices, and checks that they are alike where required.

use toml::Table;

use super::tree::{System, EPISODES, SCHEDULER};
use crate::error::{ensure, fault, Result};
use crate::volume::RoleRow;

/// Largest number of devices of a tree: 64 arrays of 64 devices, the most that an array can have. Each takes memory.
const DEVICES_MAX: u64 = 64 * 64;

/// A device or a volume, and its number of devices. A tree of too many devices is rejected without being built.
pub(super) struct Sized {
    pub system: System,
    pub devices: u64,
}

/// Equal members, and their number of devices; a single member if they are too many.
pub(super) fn alike(member: Sized, count: usize) -> (Vec<System>, u64) {
    let devices = member.devices.saturating_mul(count as u64);
    let made = if devices > DEVICES_MAX { 1 } else { count };
    (vec![member.system; made], devices)
}

/// Members that were given one by one, and their number of devices.
pub(super) fn together(members: Vec<Sized>) -> (Vec<System>, u64) {
    let devices = sum(members.iter().map(|member| member.devices));
    (members.into_iter().map(|member| member.system).collect(), devices)
}

pub(super) fn sum(devices: impl IntoIterator<Item = u64>) -> u64 {
    devices.into_iter().fold(0, u64::saturating_add)
}

/// Returns the whole tree, or an error if it has too many devices.
///
/// # Errors
/// Too many devices.
pub(super) fn check(name: &str, tree: Sized) -> Result<System> {
    ensure!(
        tree.devices <= DEVICES_MAX,
        "{name}: expected at most {DEVICES_MAX} devices in all volumes, found {}",
        tree.devices
    );
    Ok(tree.system)
}

/// Checks that the members of a role are alike, if required: the policies of their queues and their episodes may
/// differ.
///
/// # Errors
/// Members differ.
pub(super) fn check_alike(volume: &str, role: &RoleRow, members: &[System]) -> Result<()> {
    if !role.alike {
        return Ok(());
    }
    let tables: Vec<Table> = members.iter().map(table).collect();
    let Some(other) = tables.iter().position(|table| *table != tables[0]) else { return Ok(()) };
    let name = |member: usize| format!("{} in {} {member}", members[member].name(), role.name);
    fault(format!(
        "{volume}: expected equal devices, found {} and {}{}: use one device for all members, or join different devices with the volume sleds",
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

/// The first parameter in which devices of one name differ.
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

    /// Stripes over stripes with these numbers of members.
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
        let Value::Table(table) = below else { unreachable!("there is a volume") };
        System::from_table(table, &Policy::parse("fcfs").unwrap())
    }

    #[test]
    fn as_many_devices_as_may_be_are_made_and_no_more() {
        assert_eq!(tree(&[64, 64]).unwrap().devices_mut().len(), 64 * 64);
        let error = |counts| tree(counts).err().unwrap().to_string();
        assert!(error(&[64, 1, 65]).contains("devices = 65"), "the options come first");
        assert!(error(&[60, 60, 60, 60])
            .ends_with("expected at most 4096 devices in all volumes, found 12960000"));
        assert!(error(&[17, 61, 4]).ends_with("found 4148"));
        assert!(error(&[64; 8]).ends_with(&format!("found {}", 64_u64.pow(8))));
    }
}
