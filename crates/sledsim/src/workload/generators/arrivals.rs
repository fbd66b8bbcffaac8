//! Arrival processes, one of which determines the arrival times of a generator's requests.

use rand_pcg::Pcg64;

use super::arrival_options::{
    ARRIVALS, CLOSE, CLOSE_GAP, HURST, LATEST_S, OFF, ON, OWN, RATE, SESSION, SOURCES,
};
use super::draws::exponential;
use super::onoff::{OnOff, Periods};
use super::sessions::Sessions;
use crate::error::{ensure, Error, Result};
use crate::options::Options;
use crate::time::NANOS_PER_S;

/// A function that makes an arrival process, given the options and the arrival rate per second.
type MakeProcess = fn(&Options, f64) -> Result<Process>;

/// The arrival processes in the order of [`ARRIVALS`], each with the names of the options that
/// belong to it.
const PROCESSES: &[(MakeProcess, &[&str])] = &[
    (|_, rate_per_s| Ok(Process::Poisson { rate_per_s, at_s: 0.0 }), &[RATE.name]),
    (|_, rate_per_s| Ok(Process::Constant { rate_per_s, arrivals: 0 }), &[RATE.name]),
    (
        |options, rate_per_s| Ok(Process::OnOff(OnOff::new(options, rate_per_s, 1, Periods::Exponential)?)),
        &[RATE.name, ON.name, OFF.name],
    ),
    (
        |options, rate_per_s| Ok(Process::Sessions(Sessions::new(options, rate_per_s)?)),
        &[RATE.name, SESSION.name, CLOSE.name, CLOSE_GAP.name],
    ),
    (self_similar, &[RATE.name, ON.name, OFF.name, HURST.name, SOURCES.name]),
    (|_, _| Ok(Process::Asap), &[]),
];

enum Process {
    /// Exponential inter-arrival times with mean 1/`rate_per_s`.
    Poisson { rate_per_s: f64, at_s: f64 },
    /// Equal inter-arrival times of 1/`rate_per_s`.
    Constant { rate_per_s: f64, arrivals: u64 },
    /// Arrivals of on-off sources.
    OnOff(OnOff),
    /// Arrivals in sessions.
    Sessions(Sessions),
    /// All arrivals at time 0.
    Asap,
}

/// Generator of arrival times in ascending order.
pub(super) struct Arrivals {
    process: Process,
    /// Options of the generator, for the error message about arrival times that are too late.
    options: Options,
}

impl Arrivals {
    /// Returns the arrival times at `share` times the rate that the user requests. The share is not
    /// 1 if an arrival at the generator leads to several requests, or to none.
    ///
    /// # Errors An option is invalid, or belongs to another arrival process.
    pub(super) fn new(options: &Options, share: f64) -> Result<Self> {
        let (make, used) = options.one_of(ARRIVALS.name, PROCESSES)?;
        for row in std::iter::once(RATE).chain(OWN) {
            ensure!(
                used.contains(&row.name) || options.is_default(row.name),
                options.fault(row.name, &format!("no value with arrivals={}", options.text(ARRIVALS.name)))
            );
        }
        let rate = if used.is_empty() { 0.0 } else { options.number(RATE.name)? };
        Ok(Self { process: make(options, rate * share)?, options: options.clone() })
    }

    /// Returns the next arrival time in ns. Every call draws one number from `rng`, even if the
    /// process does not need it.
    ///
    /// # Errors The arrival time is more than a century.
    #[inline]
    pub(super) fn next(&mut self, rng: &mut Pcg64) -> Result<i64> {
        let load = exponential(rng);
        let arrival_s = match &mut self.process {
            Process::Poisson { rate_per_s, at_s } => {
                *at_s += load / *rate_per_s;
                *at_s
            }
            Process::Constant { rate_per_s, arrivals } => {
                *arrivals += 1;
                *arrivals as f64 / *rate_per_s
            }
            Process::OnOff(sources) => sources.next_s(load, LATEST_S),
            Process::Sessions(sessions) => sessions.next_s(load),
            Process::Asap => 0.0,
        };
        if arrival_s >= LATEST_S {
            return Err(self.too_late());
        }
        Ok((arrival_s * NANOS_PER_S) as i64)
    }

    #[cold]
    fn too_late(&self) -> Error {
        self.options.fault("rate", &format!("a rate at which all requests arrive within {LATEST_S:e} s"))
    }
}

fn self_similar(options: &Options, rate_per_s: f64) -> Result<Process> {
    let (hurst, sources) = (options.number(HURST.name)?, options.whole(SOURCES.name)?);
    // On and off periods of tail index a give H = (3 - a)/2 (Taqqu, Willinger and Sherman 1997).
    let periods = Periods::Pareto { tail_index: 3.0 - 2.0 * hurst };
    Ok(Process::OnOff(OnOff::new(options, rate_per_s, sources as u32, periods)?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        assert_mean, assert_within_4_errors, draw, fault, gaps_s, hurst, squared_variation,
    };

    fn random(options: &str) -> crate::trace::Trace {
        draw(&format!("random:{options}"))
    }

    #[test]
    fn poisson_arrivals_forget() {
        let gaps = gaps_s(&random("rate=1000"));
        assert_mean(&gaps, 1e-3);
        let (variation, error) = squared_variation(&gaps);
        assert_within_4_errors(variation, 1.0, error);
    }

    #[test]
    fn constant_arrivals_are_a_period_apart() {
        let trace = random("rate=300,count=1000,arrivals=constant");
        for (at, arrival_ns) in (1..).zip(&trace.arrival_ns) {
            assert!((*arrival_ns - at * 10_000_000 / 3).abs() <= 1);
        }
    }

    #[test]
    fn bursts_vary_as_an_interrupted_poisson_process_does() {
        // Times between arrivals are independent, with a squared coefficient of variation of 1 + 2 l a/(a +
        // b)^2: l is the rate in a burst, a the rate at which bursts end, b the rate at which silences end.
        let gaps = gaps_s(&random("rate=2000,arrivals=bursts,on_ms=10,off_ms=30"));
        let (in_burst, ends, begins) = (2000.0 * 4.0, 1.0 / 0.010_f64, 1.0 / 0.030_f64);
        assert_mean(&gaps, 1.0 / 2000.0);
        let (variation, error) = squared_variation(&gaps);
        assert_within_4_errors(variation, 1.0 + 2.0 * in_burst * ends / (ends + begins).powi(2), error);
    }

    #[test]
    fn self_similar_arrivals_have_the_hurst_parameter_that_was_asked_for() {
        // Slots of 25 cycles on and off, where memory outweighs the single periods, and of 100 requests,
        // where it outweighs Poisson noise.
        let process = "rate=1000,count=500000,arrivals=self-similar,on_ms=1,off_ms=3,sources=4";
        for asked in [0.7, 0.8, 0.9] {
            let (found, error) = hurst(&random(&format!("{process},hurst={asked}")), 100_000_000);
            assert_within_4_errors(found, asked, error);
        }
        let (found, error) = hurst(&random("rate=1000,count=500000"), 100_000_000);
        assert_within_4_errors(found, 0.5, error);
    }

    #[test]
    fn self_similar_sources_are_at_rest_from_the_beginning() {
        // The mean number of arrivals in the first cycle, over many seeds: a process that began with fresh
        // periods would have more or fewer.
        let first_cycle = |seed: u64| {
            let trace =
                random(&format!("rate=1000,count=200,arrivals=self-similar,on_ms=5,off_ms=15,seed={seed}"));
            trace.arrival_ns.iter().filter(|at| **at < 20_000_000).count() as f64
        };
        assert_mean(&(1..=2000).map(first_cycle).collect::<Vec<_>>(), 20.0);
    }

    #[test]
    fn the_requests_are_the_same_whenever_they_come() {
        let poisson = random("rate=1000,count=500");
        for process in ["constant", "bursts", "sessions", "self-similar", "asap"] {
            let rate = if process == "asap" { "" } else { "rate=1000," };
            let trace = random(&format!("{rate}count=500,arrivals={process}"));
            assert_eq!((&trace.lbn, &trace.blocks, &trace.op), (&poisson.lbn, &poisson.blocks, &poisson.op));
            assert_eq!(trace.arrival_ns.iter().all(|at| *at == 0), process == "asap");
        }
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (options, words) in [
            ("", "random: rate is missing: expected a number above 0 (1/s)"),
            ("rate=0", "random: rate = 0: expected a number above 0 (1/s)"),
            (
                "rate=1e-9,count=100",
                "random: rate = 0.000000001: expected a rate at which all requests arrive within 4e9 s",
            ),
            ("rate=1,arrivals=asap", "random: rate = 1: expected no value with arrivals=asap"),
            ("rate=1,hurst=0.7", "random: hurst = 0.7: expected no value with arrivals=poisson"),
            ("rate=1,arrivals=soon", "arrivals = soon: expected poisson or constant or bursts or sessions"),
            (
                "rate=9,arrivals=self-similar,hurst=0.5",
                "hurst = 0.5: expected a number above 0.5 and below 1",
            ),
            ("rate=9,arrivals=self-similar,sources=0", "sources = 0: expected a whole number from 1 to 256"),
            ("rate=9,arrivals=bursts,on_ms=0", "on_ms = 0: expected a number from 0.001 to 1e9 (ms)"),
            (
                "rate=0.001,arrivals=bursts,on_ms=1,off_ms=1",
                "rate = 0.001: expected a rate of more than one request in ten thousand on-off periods",
            ),
        ] {
            let found = fault(&format!("random:{options}"));
            assert!(found.starts_with(words) || found.contains(words), "{found}");
        }
    }
}
