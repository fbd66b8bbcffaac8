//! How many devices a tree of volumes is.

use super::System;
use crate::error::{Error, Result};

/// Devices that a tree may be: 64 arrays of 64 devices, the most that an array can have. Each takes memory of its own.
const DEVICES_MAX: u64 = 64 * 64;

/// A device or a volume, and how many devices it would be. One of too many is not made of them: it is refused.
pub(super) struct Sized {
    pub system: System,
    pub devices: u64,
}

/// Members that are all the same, and how many devices they are; one only, if they are too many.
pub(super) fn alike(member: Sized, count: usize) -> (Vec<System>, u64) {
    let devices = member.devices.saturating_mul(count as u64);
    let made = if devices > DEVICES_MAX { 1 } else { count };
    (vec![member.system; made], devices)
}

/// Members that were given one by one, and how many devices they are.
pub(super) fn together(members: Vec<Sized>) -> (Vec<System>, u64) {
    let devices = sum(members.iter().map(|member| member.devices));
    (members.into_iter().map(|member| member.system).collect(), devices)
}

pub(super) fn sum(devices: impl IntoIterator<Item = u64>) -> u64 {
    devices.into_iter().fold(0, u64::saturating_add)
}

/// The whole tree.
///
/// # Errors
/// It would be too many devices.
pub(super) fn check(name: &str, tree: Sized) -> Result<System> {
    if tree.devices > DEVICES_MAX {
        return Err(Error::Parameter(format!(
            "{name}: its volumes are {} devices in all: expected at most {DEVICES_MAX}",
            tree.devices
        )));
    }
    Ok(tree.system)
}

#[cfg(test)]
mod tests {
    use toml::{Table, Value};

    use super::*;
    use crate::sched::Policy;

    /// Stripes over stripes of so many devices each.
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
        assert!(tree(&[64, 64]).is_ok());
        let error = |counts| tree(counts).err().unwrap().to_string();
        assert!(error(&[64, 1, 65]).contains("devices = 65"), "the options come first");
        assert!(error(&[60, 60, 60, 60]).contains("12960000 devices in all: expected at most 4096"));
        assert!(error(&[17, 61, 4]).contains("4148 devices"));
        assert!(error(&[64; 8]).contains(&format!("{} devices", 64_u64.pow(8))));
    }
}
