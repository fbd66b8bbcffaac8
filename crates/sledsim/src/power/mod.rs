//! Power management: when a device that serves nothing shuts down, and when it wakes up.

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
    /// It shuts down after so long, and wakes up when a request comes.
    After(Span),
    /// It shuts down at once, and is ready again when the request comes.
    UntilNeeded,
}

/// A policy of power management.
pub trait PowerPolicy: DynClone + Send + Sync {
    /// Decides about an idle time that lasts `idle`, at which only an oracle may look.
    fn rest(&self, idle: Span, transition: &Transition) -> Rest;

    /// Whether no idle time is long enough.
    fn is_always_on(&self) -> bool {
        false
    }

    /// An idle time is over.
    fn learn(&mut self, _idle: Span, _transition: &Transition) {}
}

dyn_clone::clone_trait_object!(PowerPolicy);

/// An option in milliseconds, which is not negative.
fn span(options: &Options, name: &str) -> Result<Span> {
    let ms = options.number(name)?;
    Ok(Span::from_s(ms * 1e-3))
}

/// Makes a policy, or says which option cannot be.
type MakePowerPolicy = fn(&Options) -> Result<Box<dyn PowerPolicy>>;

/// One policy.
pub type PowerRow = Row<MakePowerPolicy>;

rows! {
    /// Every power policy.
    pub static POWER_POLICIES: Table<MakePowerPolicy> = "power policy";
    mod always_on: ROW;
    mod timeout: IMMEDIATE, ROW;
    mod adaptive: ROW;
    mod oracle: ROW;
}
