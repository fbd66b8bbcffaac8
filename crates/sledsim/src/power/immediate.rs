//! At rest as soon as nothing waits.

use super::{PowerPolicy, PowerRow, Rest, Transition};
use crate::time::Span;

/// The power policy as its table lists it.
pub(super) const ROW: PowerRow =
    PowerRow::new("immediate", "shuts down as soon as no request waits", |_| Ok(Box::new(Immediate)))
        .source("001-F29");

struct Immediate;

impl PowerPolicy for Immediate {
    fn rest(&self, _idle: Span, _transition: &Transition) -> Rest {
        Rest::After(Span::ZERO)
    }

    fn copy(&self) -> Box<dyn PowerPolicy> {
        Box::new(Self)
    }
}
