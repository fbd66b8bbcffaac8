//! At rest as soon as nothing waits.

use super::{PowerPolicy, PowerRow, Rest, Transition};
use crate::time::Span;

/// The row of it.
pub(super) const ROW: PowerRow = PowerRow {
    name: "immediate",
    description: "shuts down as soon as no request waits (001-F29)",
    options: &[],
    build: |_| Ok(Box::new(Immediate)),
};

struct Immediate;

impl PowerPolicy for Immediate {
    fn rest(&self, _idle: Span, _transition: &Transition) -> Rest {
        Rest::After(Span::ZERO)
    }

    fn copy(&self) -> Box<dyn PowerPolicy> {
        Box::new(Self)
    }
}
