//! The best that any policy can do that lets no request wait.

use super::{PowerPolicy, PowerRow, Rest, Transition};
use crate::time::Span;

/// The row of it.
pub(super) const ROW: PowerRow = PowerRow {
    name: "oracle",
    description:
        "knows the future: rests at once where that takes less energy, and is ready again in time; what no \
                  policy can beat that lets no request wait",
    options: &[],
    build: |_| Ok(Box::new(Oracle)),
};

struct Oracle;

impl PowerPolicy for Oracle {
    fn rest(&self, idle: Span, transition: &Transition) -> Rest {
        match transition.break_even() {
            Some(even) if idle >= even => Rest::UntilNeeded,
            _ => Rest::Never,
        }
    }

    fn copy(&self) -> Box<dyn PowerPolicy> {
        Box::new(Self)
    }
}
