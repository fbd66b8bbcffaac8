//! Power management: decides when an idle device shuts down, and when it wakes up.

mod build;
#[cfg(test)]
mod tests;
mod transition;

use crate::table::{rows, Row};
pub use build::build;
pub use transition::Transition;

use crate::error::Result;
use crate::options::Options;
use crate::time::Span;
use dyn_clone::DynClone;

/// The decision about an idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The device stays ready.
    Never,
    /// The device shuts down after this idle time, and wakes up at the next request.
    After(Span),
    /// The device shuts down at once, and is ready again when the request arrives.
    UntilNeeded,
}

/// A policy of power management.
pub trait PowerPolicy: DynClone + Send + Sync {
    /// Decides about an idle time of length `idle`, which only an oracle may use.
    fn rest(&self, idle: Span, transition: &Transition) -> Rest;

    /// True if no idle time is long enough for rest.
    fn is_always_on(&self) -> bool {
        false
    }

    /// Learns from an idle time that has ended.
    fn learn(&mut self, _idle: Span, _transition: &Transition) {}
}

dyn_clone::clone_trait_object!(PowerPolicy);

/// An option in milliseconds, at least 0.
fn span(options: &Options, name: &str) -> Result<Span> {
    let ms = options.number(name)?;
    Ok(Span::from_s(ms * 1e-3))
}

/// Builds a policy, or reports an invalid option.
type MakePowerPolicy = fn(&Options) -> Result<Box<dyn PowerPolicy>>;

/// A row of the table of power policies.
pub type PowerRow = Row<MakePowerPolicy>;

rows! {
    /// The table of all power policies.
    pub static POWER_POLICIES: Table<MakePowerPolicy> = "power policy";
    mod always_on: ROW;
    mod timeout: IMMEDIATE, ROW;
    mod adaptive: ROW;
    mod oracle: ROW;
}
