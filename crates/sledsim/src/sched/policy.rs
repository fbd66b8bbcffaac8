//! A policy with options and wrappers, as users write it: `asptf:weight=5`, `sptf+deadline:after_ms=50`.

use super::{Options, Scheduler};
use super::{SchedulerRow, WrapperRow};
use super::{SCHEDULERS, WRAPPERS};
use crate::device::Device;
use crate::error::{fault, Result};

/// A policy with its options, and its wrappers from the innermost to the outermost.
#[derive(Clone)]
pub struct Policy {
    row: SchedulerRow,
    options: Options,
    wrappers: Vec<(WrapperRow, Options)>,
}

impl Policy {
    /// Reads a policy from its text: a name, and behind a colon its options, separated by commas; then, each
    /// behind a plus sign, wrappers in the same form.
    ///
    /// # Errors
    /// A name or option is unknown (the message gives the nearest known one), a value is invalid, or a
    /// wrapper is given twice.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parts = split(text);
        let (row, options) = SCHEDULERS.parse(parts.next().expect("a text has at least one part"))?;
        let wrappers = parts.map(|part| WRAPPERS.parse(part)).collect::<Result<Vec<_>>>()?;
        let twice =
            |at: &usize| wrappers[..*at].iter().any(|(before, _)| before.name == wrappers[*at].0.name);
        if let Some(at) = (0..wrappers.len()).find(twice) {
            return fault(format!(
                "{text}: the wrapper {} is given twice; give it once",
                wrappers[at].0.name
            ));
        }
        Ok(Self { row, options, wrappers })
    }

    /// Builds an empty queue with this policy in front of a device.
    ///
    /// # Errors
    /// An option is invalid, for every device or for this one.
    pub fn build(&self, device: &dyn Device) -> Result<Box<dyn Scheduler>> {
        self.wrapped(self.wrappers.len(), device)
    }

    /// Builds the queue with only the first `wrappers` of the wrappers.
    fn wrapped(&self, wrappers: usize, device: &dyn Device) -> Result<Box<dyn Scheduler>> {
        let Some(outer) = wrappers.checked_sub(1) else {
            return (self.row.make)(&self.options, device);
        };
        let (row, options) = &self.wrappers[outer];
        (row.make)(options, &|| self.wrapped(outer, device))
    }

    /// The text of the policy: its name, with the options that differ from their defaults.
    #[must_use]
    pub fn name(&self) -> String {
        self.named(false)
    }

    /// The text of the policy: its name, with all options.
    #[must_use]
    pub fn name_in_full(&self) -> String {
        self.named(true)
    }

    fn named(&self, all: bool) -> String {
        let wrappers = self.wrappers.iter().map(|(_, options)| format!("+{}", options.name(all)));
        self.options.name(all) + &wrappers.collect::<String>()
    }
}

/// Splits the text of a policy at the plus signs before names; plus signs in numbers such as 1e+9 stay.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let starts_name = |at: usize| !text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let mut rest = Some(0);
    std::iter::from_fn(move || {
        let start = rest?;
        let next = text[start..].match_indices('+').map(|(at, _)| start + at).find(|at| starts_name(*at));
        rest = next.map(|at| at + 1);
        Some(&text[start..next.unwrap_or(text.len())])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Policy::parse(text).err().expect("the policy must be refused").to_string()
    }

    #[test]
    fn a_name_has_its_options_and_wrappers() {
        let policy = Policy::parse("WPTF:limit_ms=1e+9+deadline:after_ms=5+priority").unwrap();
        assert_eq!(policy.name(), "wptf:limit_ms=1000000000+deadline:after_ms=5+priority");
        let in_full = "wptf:limit_ms=1000000000,search=index+deadline:after_ms=5+priority:first=reads";
        assert_eq!(policy.name_in_full(), in_full);
        assert_eq!(Policy::parse(in_full).unwrap().name_in_full(), in_full);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(
            fault("sptf+priority+deadline+priority"),
            "sptf+priority+deadline+priority: the wrapper priority is given twice; give it once"
        );
        assert!(fault("sptf+").starts_with("unknown scheduler wrapper \"\""));
        assert!(fault("").starts_with("unknown scheduler \"\""));
        assert!(fault("asptf:weight").starts_with("asptf: expected option=value"));
    }
}
