//! A time-out that follows the idle times.

use super::{span, PowerPolicy, PowerRow, Rest, Transition};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::time::Span;

/// The row of it.
pub(super) const ROW: PowerRow = PowerRow {
    name: "adaptive",
    description:
        "a time-out that shrinks when rest was worth it, and grows when a request came too soon after it \
                  (Douglis, Krishnan, Bershad 1995)",
    options: &[
        OptionRow { name: "ms", unit: "ms", default: "1", description: "the time-out at first" },
        OptionRow { name: "least_ms", unit: "ms", default: "0.01", description: "its least value" },
        OptionRow { name: "most_ms", unit: "ms", default: "1000", description: "its largest value" },
        OptionRow { name: "factor", unit: "", default: "2", description: "by which it grows, and shrinks" },
    ],
    build,
};

#[derive(Clone, Copy)]
struct Adaptive {
    after: Span,
    least: Span,
    most: Span,
    factor: f64,
}

fn build(options: &Options) -> Result<Box<dyn PowerPolicy>> {
    let (least, most) = (span(options, "least_ms")?, span(options, "most_ms")?);
    if most < least {
        return Err(options.fault("most_ms", &format!("at least least_ms = {}", options.text("least_ms"))));
    }
    let factor = options.number("factor", "a number above 1", |factor| factor > 1.0)?;
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

    fn copy(&self) -> Box<dyn PowerPolicy> {
        Box::new(*self)
    }
}
