//! Power policies that shut the device down after a fixed idle time, or as soon as no request
//! waits.

use super::{span, PowerPolicy, PowerRow, Rest, Transition};
use crate::options::OptionRow;
use crate::time::Span;

const OPTIONS: &[OptionRow] =
    &[OptionRow::number("ms", "1", [0.0, 1e9], "idle time after which the device shuts down").unit("ms")];

/// Entry of the policy `timeout` in the table of power policies.
pub(super) const ROW: PowerRow =
    PowerRow::new("timeout", "shuts down when no request has come for a fixed time", |options| {
        Ok(Box::new(Timeout { after: span(options, "ms")? }))
    })
    .source("004-F11")
    .options(&[OPTIONS]);

/// Entry of the policy `immediate` in the table of power policies: a time-out of 0.
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
