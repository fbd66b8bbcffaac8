//! At rest after a fixed time.

use super::{span, PowerPolicy, PowerRow, Rest, Transition};
use crate::options::OptionRow;
use crate::time::Span;

/// The row of it.
pub(super) const ROW: PowerRow = PowerRow {
    name: "timeout",
    description: "shuts down when no request has come for a fixed time (004-F11)",
    options: &[OptionRow { name: "ms", unit: "ms", default: "1", description: "time without a request" }],
    build: |options| Ok(Box::new(Timeout { after: span(options, "ms")? })),
};

struct Timeout {
    after: Span,
}

impl PowerPolicy for Timeout {
    fn rest(&self, _idle: Span, _transition: &Transition) -> Rest {
        Rest::After(self.after)
    }

    fn copy(&self) -> Box<dyn PowerPolicy> {
        Box::new(Self { ..*self })
    }
}
