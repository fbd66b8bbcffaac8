//! The bursty metadata workload of paper 003: two days of a user's disk, with all published figures
//! (003-F7, D9).
//!
//! Requests come in sessions, separated by random gaps. A session writes some of its blocks
//! immediately. The others wait for the next flush, which the update daemon starts every 30 s; the
//! gaps in flushes have another mean. Some metadata requests come alone: at any time instead of in
//! a session, or before the next flush instead of in a flush. The two mean gaps and the share of
//! lone requests are fitted to the published inter-arrival times and to the burstiness of metadata
//! that the user requests.
//!
//! Counts are exact, because kinds of requests are drawn without replacement, and so are sequential
//! requests. Figures that are not published are measured in HP's trace hplajw of 1992, from the same
//! machine: lengths of sessions, sequences of kinds, the share of writes that wait for a flush, and block
//! sizes. Sessions begin at any time of the day. Data lie anywhere, metadata in their own areas (003-D4).

/// Entry for this generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "metadata",
    "requests like those of a published day of a user's disk: bursty, in sessions and flushes, many for metadata",
    GeneratorKind { draw, notes: Some(notes) },
)
.source("003-F7, D9")
.options(&[OPTIONS]);

mod bursts;
mod closeness;
mod day;
mod kinds;
mod places;
#[cfg(test)]
mod tests;

use super::drawn::Drawn;
use super::draws::rng;
use super::requests::{request, SEED};
use super::{GeneratorKind, GeneratorRow};
use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::trace::{flags, Trace, TraceRow};
use bursts::Bursts;
use closeness::closeness;
use day::{Day, COUNT, METADATA, RATE, WHICH};
use kinds::KINDS;
use places::{Places, AREA, PERIOD};

pub(super) const OPTIONS: &[OptionRow] = &[RATE, COUNT, SEED, WHICH, METADATA, PERIOD, AREA];

/// Draws the requests of a day or, if the options give another number of requests, this number of
/// similar requests.
pub(super) fn draw(options: &Options, capacity: u64, drawn: &mut Drawn<'_>) -> Result<()> {
    let (day, mut rng) = (Day::new(options)?, rng(options)?);
    let pace = day.pace(options)?;
    let arrivals = Bursts::draw(&mut rng, &day, drawn)?.arrivals(&day, drawn)?;
    let may_go_on = may_go_on(&arrivals);
    let chances = may_go_on.iter().filter(|may| **may).count() as u64;
    let mut places = Places::new(options, capacity, day.sequential(), chances)?;
    for ((arrival_ns, kind), may_go_on) in arrivals.into_iter().zip(may_go_on) {
        let kind = &KINDS[kind];
        let (class, sectors) = kind.block(&mut rng);
        let lbn = places.next(&mut rng, kind.metadata, sectors, may_go_on);
        let request = request((arrival_ns as f64 / pace) as i64, lbn, sectors, kind.op);
        let flags = if kind.flushed { flags::DAEMON } else { 0 };
        drawn.push(TraceRow { metadata: kind.metadata, class, flags, ..request })?;
    }
    Ok(())
}

/// Returns true for each request that may continue where the previous one ended, which requires
/// that both have the same operation and that both or neither are for metadata.
fn may_go_on(arrivals: &[(i64, usize)]) -> Vec<bool> {
    let what = |(_, kind): (i64, usize)| (KINDS[kind].op, KINDS[kind].metadata);
    let alike = |pair: &[(i64, usize)]| what(pair[0]) == what(pair[1]);
    std::iter::once(false).chain(arrivals.windows(2).map(alike)).collect()
}

/// Compares the requests of `trace`, drawn with `options`, with the published figures.
pub(super) fn notes(options: &Options, trace: &Trace) -> Result<Vec<String>> {
    let day = Day::new(options)?;
    let figures = closeness(&day, day.pace(options)?, trace)?;
    Ok(vec![format!("Reached (and published): {figures}.")])
}
