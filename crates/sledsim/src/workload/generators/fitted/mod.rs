//! Workloads fitted to a trace: statistics are learnt from the trace, and requests are drawn from
//! these statistics.
//!
//! A request belongs to one of a few *kinds*, by operation, class, and whether it is for metadata.
//! The sequence of kinds is a Markov chain, with different probabilities for four *paces*:
//! inter-arrival times below 1, 10 and 100 ms, and longer ones. Each kind has a distribution of
//! sizes. The *motion* of a request is the relation of its position to those of earlier requests;
//! motions are a Markov chain, too. A flush follows a request with a probability of its kind. Inter-arrival times come from a [cascade]. All statistics are
//! counts, which are drawn without replacement, and quantiles; a small file holds them.

mod address_motion;
mod cascade;
mod fit;
mod fitted_file;
mod flush_draws;
mod frequencies;
mod paces;
mod places;
mod sizes;
mod walk;

use std::ops::ControlFlow;
use std::path::Path;

pub use fit::WorkloadFit;
pub use fitted_file::FittedWorkload;

use rand_pcg::Pcg64;

use super::arrival_options::{ARRIVALS, LATEST_S, OWN, RATE};
use super::arrivals::Arrivals;
use super::drawn::Drawn;
use super::draws::{count, rng, rng_beside, seed};
use super::requests::{timing, COUNT};
use super::{GeneratorKind, GeneratorRow};
use crate::error::{ensure, Result};
use crate::input::read_text;
use crate::observer::Observer;
use crate::options::{OptionRow, Options};
use crate::time::NANOS_PER_S;
use crate::trace::Trace;
use cascade::by_rank;
use paces::pace;
use walk::Walk;

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    NAME,
    "requests drawn from a file of a trace's statistics, written by `sledsim trace fit`",
    GeneratorKind { draw, notes: None },
)
.options(&[TIMING, OPTIONS]);

/// Name of this generator, and of its arrival process.
pub(super) const NAME: &str = "fitted";
/// Number that identifies the random number generator for inter-arrival times, which is separate
/// from the one for the requests.
const TIMES: u64 = 2;
/// Number that identifies the random number generator for flushes.
const FLUSHES: u64 = 3;
/// Word that the user writes for the bundled file.
const DEMO: &str = "demo";
/// Word that the user writes for the number of requests in the trace.
const RECORDED: &str = "recorded";

/// Options of arrival times and of the number of requests, with this generator's defaults.
pub(super) const TIMING: &[OptionRow] = &own_timing();

pub(super) const OPTIONS: &[OptionRow] = &[OptionRow::text(
    "file",
    DEMO,
    "the name of a file",
    "file written by `sledsim trace fit`; demo: the statistics of the bundled trace",
)];

const fn own_timing() -> [OptionRow; 11] {
    let mut rows = timing(
        COUNT
            .or(RECORDED)
            .default(RECORDED)
            .description("number of requests; recorded: the number of requests in the trace"),
    );
    rows[0].description = "mean arrival rate, by default that of the trace; not with arrivals=asap";
    rows[3] = ARRIVALS
        .or(NAME)
        .default(NAME)
        .description("arrival process; fitted: inter-arrival times with the statistics of the trace");
    rows
}

/// Draws requests from the statistics in the file that the options name.
pub(super) fn draw(options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
    let file = options.text("file");
    let fitted = if file == DEMO {
        FittedWorkload::parse(include_str!("demo.toml"), DEMO)?
    } else {
        FittedWorkload::parse(&read_text(Path::new(file))?, file)?
    };
    fitted.draw_as(options, capacity, drawn)
}

impl FittedWorkload {
    /// Returns the text of the file that holds this workload.
    ///
    /// # Panics Never: numbers in tables can always be written.
    #[must_use]
    pub fn text(&self) -> String {
        let about = "A workload fitted to a trace by `sledsim trace fit`; draw it with `fitted:file=THIS`.";
        let body = toml::to_string(self).expect("numbers in tables can always be written");
        format!("# {about}\n{MEANING}{body}")
    }

    /// The sector behind the last sector that the trace touches.
    #[must_use]
    pub fn end_block(&self) -> u64 {
        self.end_block.unsigned_abs()
    }

    /// Draws requests for a device of `capacity` sectors; `options` are the generator's options
    /// except `file`. Returns the requests, the generator's name with its options, and the seed.
    ///
    /// # Errors An option is invalid.
    pub fn draw(&self, options: &str, capacity: u64) -> Result<(Trace, String, u64)> {
        self.draw_observed(options, capacity, &mut |_| ControlFlow::Continue(()))
    }

    /// Draws requests as [`draw`](Self::draw) does. `observe` regularly receives the number of
    /// requests drawn so far, and can stop the work.
    ///
    /// # Errors Those of [`draw`](Self::draw), and [`Error::Interrupted`](crate::error::Error::Interrupted)
    /// if the observer asks to stop.
    pub fn draw_observed<'a>(
        &self,
        options: &str,
        capacity: u64,
        observe: &'a mut Observer<'a>,
    ) -> Result<(Trace, String, u64)> {
        let options = Options::parse(NAME, TIMING, options)?;
        let name = options.name_with(|option| option == "count" || option == "seed");
        let mut drawn = Drawn::new(observe);
        self.draw_as(&options, capacity, &mut drawn)?;
        Ok((drawn.take(), name, seed(&options)?))
    }

    fn draw_as(&self, options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
        // Arrival times are set last.
        drawn.keep_all();
        let count = if options.is_default("count") { self.requests as usize } else { count(options)? };
        let mut rng = rng(options)?;
        if !options.is_default(ARRIVALS.name) {
            let mut process = Arrivals::new(options, 1.0)?;
            let next = |at| drawn.reached(at).and_then(|()| process.next(&mut rng));
            let arrivals_ns = (0..count).map(next).collect::<Result<Vec<i64>>>()?;
            let before = std::iter::once(&0).chain(&arrivals_ns);
            let intervals_ns: Vec<i64> =
                arrivals_ns.iter().zip(before).map(|(at, before)| at - before).collect();
            let groups = self.draw_requests(&intervals_ns, capacity, &mut rng, drawn)?;
            drawn.come_at(arrivals_ns);
            drawn.add_flushes(&self.draw_flushes(&groups, &mut rng_beside(options, FLUSHES)?));
            return Ok(());
        }
        let span_ns = self.span_ns(options, count)?;
        let mut intervals_ns = self.arrivals.draw(count, &mut rng_beside(options, TIMES)?);
        let groups = self.draw_requests(&intervals_ns, capacity, &mut rng, drawn)?;
        let flushes = self.draw_flushes(&groups, &mut rng_beside(options, FLUSHES)?);
        let kinds = self.kinds.iter();
        let recorded = kinds.flat_map(|kind| [&kind.intervals_after_others, &kind.intervals_after_same]);
        for (recorded, group) in recorded.zip(groups) {
            drawn.ask()?;
            by_rank(recorded, group, &mut intervals_ns);
        }
        by_rank(&self.arrivals.intervals, (0..count as u32).collect(), &mut intervals_ns);
        drawn.come_at(arrivals_ns(&intervals_ns, span_ns));
        drawn.add_flushes(&flushes);
        Ok(())
    }

    /// Draws a request after each inter-arrival time. Also returns two lists of indices of requests
    /// for each kind: those that follow a request of another kind, and those that follow a request
    /// of the same kind.
    fn draw_requests(
        &self,
        intervals_ns: &[i64],
        capacity: u64,
        rng: &mut Pcg64,
        drawn: &mut Drawn<'_>,
    ) -> Result<Vec<Vec<u32>>> {
        let mut blocks = self.arrivals.blocks(intervals_ns.len());
        let mut walk = Walk::new(self, capacity);
        let mut groups = vec![Vec::new(); 2 * self.kinds.len()];
        drawn.reserve(intervals_ns.len());
        for (at, interval_ns) in (0..).zip(intervals_ns) {
            if u64::from(at) % self.arrivals.block_requests == 0 {
                walk.enter(blocks.next().expect("the blocks suffice for all requests"));
            }
            let (request, kind, is_same) = walk.next(pace(*interval_ns), rng);
            drawn.push(request)?;
            groups[2 * kind + usize::from(is_same)].push(at);
        }
        Ok(groups)
    }

    /// The time in ns that `count` requests take at the requested rate, or at the rate of the trace
    /// if none is requested.
    fn span_ns(&self, options: &Options, count: usize) -> Result<f64> {
        for row in OWN {
            ensure!(options.is_default(row.name), options.fault(row.name, "no value with arrivals=fitted"));
        }
        let span_ns = self.mean_interval_ns(options)? * count as f64;
        if span_ns >= LATEST_S * NANOS_PER_S {
            return Err(options
                .fault(RATE.name, &format!("a rate at which all requests arrive within {LATEST_S:e} s")));
        }
        Ok(span_ns)
    }

    /// The mean inter-arrival time in ns that the option `rate` gives, or that of the trace.
    fn mean_interval_ns(&self, options: &Options) -> Result<f64> {
        let recorded_ns = self.span_ns as f64 / (self.requests - 1) as f64;
        if options.is_default(RATE.name) {
            return Ok(recorded_ns);
        }
        let rate = options.number(RATE.name)?;
        if recorded_ns == 0.0 {
            let expected = "no value, because all requests of the trace arrive at the same time; to spread them, add arrivals=poisson";
            return Err(options.fault(RATE.name, expected));
        }
        Ok(NANOS_PER_S / rate)
    }
}

/// Arrival times in ns that fill `span_ns`; the inter-arrival times are in the proportions of
/// `intervals_ns`.
fn arrivals_ns(intervals_ns: &[i64], span_ns: f64) -> Vec<i64> {
    let all_ns: i128 = intervals_ns.iter().map(|interval_ns| i128::from(*interval_ns)).sum();
    let factor = if all_ns == 0 { 0.0 } else { span_ns / all_ns as f64 };
    let since_start = intervals_ns.iter().scan(0_i128, |sum, interval_ns| {
        *sum += i128::from(*interval_ns);
        Some((*sum as f64 * factor) as i64)
    });
    since_start.collect()
}

/// Explanation that is written at the top of the file.
const MEANING: &str = "\
# Counts are numbers of requests; a list of quantiles has equal probability between each value and the next. Blocks
# are sectors of 512 bytes. The kind of the next request is counted by kind, in rows for arrivals within 1, 10 and
# 100 ms, and later. Motions are counted by the motion of the previous request (rows), in this order: sequential
# (starts where the previous request ended), again (first block and size of the previous request), continued (starts
# where the last request of its kind ended), retraced (repeats an earlier request of its kind and size, at the same
# distance back as the last repeat), repeated (repeats an earlier request of its kind and size), revisited (first
# block of any earlier request), near (within 2 MiB of the last request of its kind), anywhere.

";
