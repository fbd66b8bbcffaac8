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

/// Decision of a policy about an idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The device stays ready.
    Never,
    /// The device shuts down when it has been idle for this duration, and wakes up when the next request
    /// arrives.
    After(Span),
    /// The device shuts down immediately, and wakes up early enough to be ready when the next request arrives.
    UntilNeeded,
}

/// A power policy: it decides when an idle device shuts down.
pub trait PowerPolicy: DynClone + Send + Sync {
    /// Decides when the device shuts down in an idle time. `idle` is the length of the idle time. A real policy
    /// cannot know this length, so only the oracle may use it.
    fn rest(&self, idle: Span, transition: &Transition) -> Rest;

    /// True if the policy never shuts down the device.
    fn is_always_on(&self) -> bool {
        false
    }

    /// Adapts the policy to an idle time that has ended.
    fn learn(&mut self, _idle: Span, _transition: &Transition) {}
}

dyn_clone::clone_trait_object!(PowerPolicy);

/// Returns the duration that the user gave in milliseconds as the option `name`.
fn span(options: &Options, name: &str) -> Result<Span> {
    let ms = options.number(name)?;
    Ok(Span::from_s(ms * 1e-3))
}

/// Function that builds a policy, or reports an invalid option.
type MakePowerPolicy = fn(&Options) -> Result<Box<dyn PowerPolicy>>;

/// An entry in the table of power policies.
pub type PowerRow = Row<MakePowerPolicy>;

rows! {
    /// Table of all power policies.
    pub static POWER_POLICIES: Table<MakePowerPolicy> = "power policy";
    mod always_on: ROW;
    mod timeout: IMMEDIATE, ROW;
    mod adaptive: ROW;
    mod oracle: ROW;
}
