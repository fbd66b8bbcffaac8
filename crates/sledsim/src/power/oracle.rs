//! Power policy that knows the future: the optimum among policies that delay no request.

use super::{PowerPolicy, PowerRow, Rest, Transition};
use crate::time::Span;

/// Entry in the table of power policies.
pub(super) const ROW: PowerRow = PowerRow::new(
    "oracle",
    "knows the future: shuts down if that saves energy and delays no request; the optimum without delays",
    |_| Ok(Box::new(Oracle)),
);

#[derive(Clone)]
struct Oracle;

impl PowerPolicy for Oracle {
    fn rest(&self, idle: Span, transition: &Transition) -> Rest {
        match transition.break_even() {
            Some(even) if idle >= even => Rest::UntilNeeded,
            _ => Rest::Never,
        }
    }
}
