//! Rest after a fixed time, or as soon as no request waits.

use super::{span, PowerPolicy, PowerRow, Rest, Transition};
use crate::options::OptionRow;
use crate::time::Span;

const OPTIONS: &[OptionRow] =
    &[OptionRow::number("ms", "1", [0.0, 1e9], "idle time after which the device shuts down").unit("ms")];

/// Table row of the power policy.
pub(super) const ROW: PowerRow =
    PowerRow::new("timeout", "shuts down when no request has come for a fixed time", |options| {
        Ok(Box::new(Timeout { after: span(options, "ms")? }))
    })
    .source("004-F11")
    .options(&[OPTIONS]);

/// The power policy without a time-out.
pub(super) const IMMEDIATE: PowerRow =
    PowerRow::new("immediate", "shuts down as soon as no request waits", |_| {
        Ok(Box::new(Timeout { after: Span::ZERO }))
    })
    .source("001-F29");

#[derive(Clone)]
struct Timeout {
    after: Span,
}

impl PowerPolicy for Timeout {
    fn rest(&self, _idle: Span, _transition: &Transition) -> Rest {
        Rest::After(self.after)
    }
}
