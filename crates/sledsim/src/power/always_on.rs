//! Power policy that never shuts the device down.

use super::{PowerPolicy, PowerRow, Rest, Transition};
use crate::time::Span;

/// Entry in the table of power policies.
pub(super) const ROW: PowerRow = PowerRow::new("always-on", "never shuts down", |_| Ok(Box::new(AlwaysOn)));

#[derive(Clone)]
struct AlwaysOn;

impl PowerPolicy for AlwaysOn {
    fn rest(&self, _idle: Span, _transition: &Transition) -> Rest {
        Rest::Never
    }

    fn is_always_on(&self) -> bool {
        true
    }
}
