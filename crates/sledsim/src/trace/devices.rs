//! Numbers for devices that a trace names.

use std::collections::HashMap;

use super::about::About;
use super::fields::quote;

/// Counts devices from 0 in the order in which they are first asked for.
#[derive(Debug, Default)]
pub(super) struct Devices {
    numbers: HashMap<Box<[u8]>, i32>,
    /// The last one asked for, which is often the next one, too.
    last: (Vec<u8>, i32),
}

impl Devices {
    /// The number of the device of that name.
    pub fn number(&mut self, name: &[u8], about: &mut About) -> i32 {
        if self.last.0 != name || self.numbers.is_empty() {
            self.last.1 = self.look_up(name, about);
            self.last.0.clear();
            self.last.0.extend_from_slice(name);
        }
        self.last.1
    }

    fn look_up(&mut self, name: &[u8], about: &mut About) -> i32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = i32::try_from(self.numbers.len()).unwrap_or(i32::MAX);
        self.numbers.insert(name.into(), number);
        let text = std::str::from_utf8(name).map_or_else(|_| quote(name), str::to_owned);
        about.device_names.insert(number, text);
        number
    }
}
