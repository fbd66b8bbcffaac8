//! Numbering of devices for traces that give names of devices.

use std::collections::{HashMap, HashSet};

use super::fields::quote;
use super::trace_info::TraceInfo;

/// Prefixes of the names that sledsim writes for devices without a name: a prefix and the device's
/// number, such as `device3`. When sledsim reads such a name, the device gets this number again.
pub(super) const NAMELESS: [&str; 2] = ["device", "disk."];

/// The device number in a name such as `device3`, which sledsim writes for devices without a name;
/// `None` for all other names.
fn numbered(name: &[u8]) -> Option<i32> {
    let digits = NAMELESS.iter().find_map(|prefix| name.strip_prefix(prefix.as_bytes()))?;
    let is_plain = digits.iter().all(u8::is_ascii_digit) && (digits == b"0" || !digits.starts_with(b"0"));
    std::str::from_utf8(digits).ok()?.parse().ok().filter(|_| is_plain)
}

/// Assigns numbers to names of devices, from 0 in order of first use.
#[derive(Debug, Default)]
pub(super) struct Devices {
    numbers: HashMap<Box<[u8]>, i32>,
    taken: HashSet<i32>,
    /// A number below which all device numbers are used.
    next: i32,
    /// Name and number of the device of the previous request; consecutive requests often have the
    /// same device.
    last: (Vec<u8>, i32),
    /// Major and minor number of the previous request's Linux device, and the device's number in
    /// the columns.
    last_of_linux: Option<((u64, u64), i32)>,
}

impl Devices {
    /// Returns the number of the device called `name`; a new device gets the next number, and `about`
    /// records the name.
    pub fn number(&mut self, name: &[u8], about: &mut TraceInfo) -> i32 {
        if self.last.0 != name || self.numbers.is_empty() {
            self.last.1 = self.look_up(name, about);
            self.last.0.clear();
            self.last.0.extend_from_slice(name);
        }
        self.last.1
    }

    /// Returns the number of the device with the Linux numbers `major_minor`; a new device gets the next
    /// number.
    #[inline]
    pub fn of_linux(&mut self, major_minor: (u64, u64), about: &mut TraceInfo) -> i32 {
        match self.last_of_linux {
            Some((last, number)) if last == major_minor => number,
            _ => self.other_of_linux(major_minor, about),
        }
    }

    #[cold]
    fn other_of_linux(&mut self, major_minor: (u64, u64), about: &mut TraceInfo) -> i32 {
        let (major, minor) = major_minor;
        let number = self.number(format!("{major},{minor}").as_bytes(), about);
        self.last_of_linux = Some((major_minor, number));
        number
    }

    fn enter(&mut self, name: &[u8], number: i32) {
        self.numbers.insert(name.into(), number);
        self.taken.insert(number);
    }

    fn look_up(&mut self, name: &[u8], about: &mut TraceInfo) -> i32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        if let Some(number) = numbered(name).filter(|number| !self.taken.contains(number)) {
            self.enter(name, number);
            return number;
        }
        while self.taken.contains(&self.next) {
            self.next = self.next.saturating_add(1);
        }
        let number = self.next;
        self.enter(name, number);
        let text = std::str::from_utf8(name).map_or_else(|_| quote(name), str::to_owned);
        about.device_names.insert(number, text);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_without_names_keep_their_numbers() {
        let (mut devices, mut about) = (Devices::default(), TraceInfo::default());
        let mut number = |name: &str| devices.number(name.as_bytes(), &mut about);
        assert_eq!(
            ["device2", "sda", "disk.0", "device1", "sdb", "device2"].map(&mut number),
            [2, 0, 1, 3, 4, 2]
        );
        assert_eq!(["device01", "device-1", "device99999999999"].map(&mut number), [5, 6, 7]);
        let named: Vec<&str> = about.device_names.values().map(String::as_str).collect();
        assert_eq!(named, ["sda", "disk.0", "device1", "sdb", "device01", "device-1", "device99999999999"]);
    }
}
