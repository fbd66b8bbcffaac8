//! Members that have to be alike.

use toml::Table;

use super::tree::{System, SCHEDULER};
use crate::error::{Error, Result};
use crate::volume::RoleRow;

/// Whether the members of a role are alike, if they have to be: the policies of their queues may differ.
///
/// # Errors
/// They are not.
pub(super) fn check(volume: &str, role: &RoleRow, members: &[System]) -> Result<()> {
    if !role.alike {
        return Ok(());
    }
    let tables: Vec<Table> = members.iter().map(table).collect();
    let Some(other) = tables.iter().position(|table| *table != tables[0]) else { return Ok(()) };
    let name = |member: usize| format!("{} in {} {member}", members[member].name(), role.name);
    Err(Error::Parameter(format!(
        "{volume}: expected devices alike, found {} and {}{}: take the same device for all, or put unlike ones one \
         behind the other with the volume sleds",
        name(0),
        name(other),
        difference(&tables[0], &tables[other])
    )))
}

fn table(member: &System) -> Table {
    let mut table = member.to_table();
    table.remove(SCHEDULER);
    table
}

/// The first parameter that differs, of devices of one name.
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
