//! A policy as a user names it: `asptf:weight=5`, `sptf+deadline:after_ms=50`.

use super::registry::{find, find_wrapper, SchedulerRow, WrapperRow};
use super::{Options, Scheduler};
use crate::device::Device;
use crate::error::Result;

/// A policy with its options, and the wrappers around it from the inside out.
#[derive(Clone)]
pub struct Policy {
    row: SchedulerRow,
    options: Options,
    wrappers: Vec<(WrapperRow, Options)>,
}

impl Policy {
    /// The policy that `text` names: a name, a colon and options with commas between if any are given, and
    /// wrappers of the same form behind plus signs.
    ///
    /// # Errors
    /// An unknown name or option, answered with the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parts = text.split('+').map(|part| part.split_once(':').unwrap_or((part, "")));
        let (name, options) = parts.next().expect("a split gives at least one part");
        let row = find(name)?;
        let wrapper = |(name, options): (&str, &str)| {
            let row = find_wrapper(name)?;
            Ok((row, Options::parse(row.name, row.options, options)?))
        };
        Ok(Self {
            options: Options::parse(row.name, row.options, options)?,
            wrappers: parts.map(wrapper).collect::<Result<_>>()?,
            row,
        })
    }

    /// An empty queue with this policy in front of a device.
    ///
    /// # Errors
    /// An option that cannot be, on this device or at all.
    pub fn build(&self, device: &dyn Device) -> Result<Box<dyn Scheduler>> {
        self.wrapped(self.wrappers.len(), device)
    }

    /// The policy within so many of its wrappers.
    fn wrapped(&self, wrappers: usize, device: &dyn Device) -> Result<Box<dyn Scheduler>> {
        let Some(outer) = wrappers.checked_sub(1) else {
            return (self.row.build)(&self.options, device);
        };
        let (row, options) = &self.wrappers[outer];
        (row.build)(options, &|| self.wrapped(outer, device))
    }

    /// Its name, with the options that are not at their default.
    #[must_use]
    pub fn name(&self) -> String {
        self.named(false)
    }

    /// Its name with every option.
    #[must_use]
    pub fn name_in_full(&self) -> String {
        self.named(true)
    }

    fn named(&self, all: bool) -> String {
        let wrappers = self.wrappers.iter().map(|(_, options)| format!("+{}", options.name(all)));
        self.options.name(all) + &wrappers.collect::<String>()
    }
}
