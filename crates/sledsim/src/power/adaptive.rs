//! Power policy with a time-out that adapts to the lengths of idle times.

use super::{span, PowerPolicy, PowerRow, Rest, Transition};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::time::Span;

const OPTIONS: &[OptionRow] = &[
    OptionRow::number("ms", "1", [0.0, 1e9], "initial time-out").unit("ms"),
    OptionRow::number("least_ms", "0.01", [0.0, 1e9], "shortest time-out").unit("ms"),
    OptionRow::number("most_ms", "1000", [0.0, 1e9], "longest time-out").unit("ms"),
    OptionRow::number("factor", "2", [1.0, f64::INFINITY], "factor by which the time-out grows and shrinks")
        .above(),
];

/// Entry in the table of power policies.
pub(super) const ROW: PowerRow = PowerRow::new(
    "adaptive",
    "shuts down after an adaptive idle time: shorter after a shutdown that saved energy, else longer",
    build,
)
.source("Douglis, Krishnan, Bershad 1995")
.options(&[OPTIONS]);

#[derive(Clone)]
struct Adaptive {
    after: Span,
    least: Span,
    most: Span,
    factor: f64,
}

fn build(options: &Options) -> Result<Box<dyn PowerPolicy>> {
    let (least, most) = (span(options, "least_ms")?, span(options, "most_ms")?);
    if most < least {
        return Err(options
            .fault("most_ms", &format!("a number of at least least_ms = {}", options.text("least_ms"))));
    }
    let factor = options.number("factor")?;
    let after = span(options, "ms")?.clamp(least, most);
    Ok(Box::new(Adaptive { after, least, most, factor }))
}

impl PowerPolicy for Adaptive {
    fn rest(&self, _idle: Span, _transition: &Transition) -> Rest {
        Rest::After(self.after)
    }

    fn learn(&mut self, idle: Span, transition: &Transition) {
        if idle <= self.after {
            return;
        }
        let worth = transition.break_even().is_some_and(|even| idle.saturating_sub(self.after) >= even);
        let scale = if worth { 1.0 / self.factor } else { self.factor };
        self.after = Span::from_s(self.after.as_s() * scale).clamp(self.least, self.most);
    }
}
