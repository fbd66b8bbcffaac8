//! Times of an episode, which occurs once or repeatedly.

use crate::error::{ensure, Result};
use crate::options::{OptionRow, Options};
use crate::time::{Span, Time};

/// Options of all kinds of episodes.
pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::number(
        "at",
        "",
        [0.0, 1e9],
        "start of the first episode, counted from the arrival of the first request",
    )
    .unit("s"),
    OptionRow::number("ms", "", [0.0, 1e8], "duration of an episode").unit("ms").above(),
    OptionRow::number(
        "every",
        "never",
        [0.0, 1e9],
        "time from the start of an episode to the start of the next one; with never, the episode occurs once",
    )
    .unit("s")
    .above()
    .or("never"),
    OptionRow::whole("times", "always", [1, 1_000_000], "number of episodes, if `every` repeats them")
        .or("always"),
];

/// Times of an episode, counted from the start of a run. An episode occurs once or repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    at: Span,
    lasts: Span,
    /// Time from one start of the episode to the next; None if the episode occurs once.
    every: Option<Span>,
    /// Number of times that the episode occurs.
    times: u64,
}

impl Times {
    pub(super) fn new(options: &Options) -> Result<Self> {
        let lasts = Span::from_s(options.number("ms")? * 1e-3).max(Span(1));
        let at = Span::from_s(options.number("at")?);
        if options.is_default("every") {
            let expected = "the option every as well, the time from one start to the next";
            ensure!(options.is_default("times"), options.fault("times", expected));
            return Ok(Self { at, lasts, every: None, times: 1 });
        }
        let every = Span::from_s(options.number("every")?);
        let expected = format!("more than {} s, the duration of an episode", lasts.as_s());
        ensure!(every > lasts, options.fault("every", &expected));
        let times = if options.is_default("times") { u64::MAX } else { options.whole("times")? };
        Ok(Self { at, lasts, every: Some(every), times })
    }

    /// Time at which the episode that is in progress at `now` ends; `begun` is the start of the run. None if no
    /// episode is in progress.
    pub(super) fn until(&self, begun: Time, now: Time) -> Option<Time> {
        let since = now.0.checked_sub(begun.0)?.checked_sub(self.at.0)?;
        let (before, within) = self.every.map_or((0, since), |every| (since / every.0, since % every.0));
        (before < self.times && within < self.lasts.0).then(|| Time(now.0 + (self.lasts.0 - within)))
    }

    /// Fraction of the time that an episode takes if it is repeated without end; 0 for an episode that occurs a
    /// limited number of times.
    pub(super) fn share(&self) -> f64 {
        let every = self.every.filter(|_| self.times == u64::MAX);
        every.map_or(0.0, |every| self.lasts.as_s() / every.as_s())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn times(text: &str) -> Result<Times> {
        Times::new(&Options::parse("stall", OPTIONS, text)?)
    }

    #[test]
    fn it_begins_at_its_time_and_is_over_at_its_end() {
        let times = times("at=1,ms=500,every=2,times=2").unwrap();
        let until =
            |ms: u64| times.until(Time(7), Time(7 + ms * 1_000_000)).map(|end| (end.0 - 7) / 1_000_000);
        let found = [0, 999, 1000, 1499, 1500, 2999, 3000, 3499, 3500, 5000, 5100].map(until);
        let [first, second] = [Some(1500), Some(3500)];
        assert_eq!(found, [None, None, first, first, None, None, second, second, None, None, None]);
        assert_eq!(times.until(Time(7), Time(3)), None, "before the run");
    }

    #[test]
    fn one_that_does_not_come_again_comes_once() {
        let times = times("at=0,ms=0.001").unwrap();
        assert_eq!(times.until(Time(5), Time(5)), Some(Time(1005)));
        assert_eq!(times.until(Time(5), Time(1005)), None);
        assert_eq!(times.share(), 0.0);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = |text| times(text).unwrap_err().to_string();
        assert_eq!(error("ms=5"), "stall: at is missing: expected a number from 0 to 1e9 (s)");
        assert_eq!(error("at=0"), "stall: ms is missing: expected a number above 0 and up to 1e8 (ms)");
        assert_eq!(error("at=-1,ms=5"), "stall: at = -1: expected a number from 0 to 1e9 (s)");
        assert!(error("at=0,ms=5,every=0").contains("every = 0: expected never, or a number above 0"));
        assert!(error("at=0,ms=500,every=0.5")
            .starts_with("stall: every = 0.5: expected more than 0.5 s, the duration of an episode"));
        assert!(error("at=0,ms=5,times=3").starts_with("stall: times = 3: expected the option every"));
        assert!(error("at=0,ms=5,every=1,times=0").contains("times = 0"));
        let unknown = error("at=0,mss=5");
        assert!(unknown.starts_with("unknown option of stall \"mss\": did you mean \"ms\"?"), "{unknown}");
    }

    proptest! {
        /// Checks the end of the episode in progress against a list of the starts of all episodes.
        #[test]
        fn episodes_come_one_after_the_other(at in 0_u64..50, lasts in 1_u64..9, pause in 1_u64..9, now in 0_u64..300) {
            let text = format!("at={at}e-9,ms={lasts}e-6,every={}e-9,times=9", lasts + pause);
            let begins = (0..9).map(|number| at + number * (lasts + pause));
            let until = begins.into_iter().find(|begin| (*begin..begin + lasts).contains(&now));
            prop_assert_eq!(times(&text).unwrap().until(Time::ZERO, Time(now)), until.map(|begin| Time(begin + lasts)));
        }
    }
}
