//! The bursty metadata workload of 003: two days of a user's disk, with all published figures (003-F7, D9).
//!
//! Requests come in sessions, one mean gap behind the other. A session writes a part of its blocks at once;
//! the rest waits for the next flush, which the update daemon begins every 30 s, and whose requests have
//! another mean gap. Some requests for metadata come alone: those of a session at any time, those of a flush
//! before the next one. The two gaps and this share are fitted so that the times between arrivals are as
//! published, and metadata are as bursty as requested.
//!
//! Counts are exact, because kinds of requests are drawn without replacement, and so is sequentiality.
//! Figures that are not published are measured in HP's trace hplajw of 1992, from the same machine: lengths
//! of sessions, sequences of kinds, the share of writes that wait for a flush, and the blocks that are read
//! and written. Sessions begin at any time of the day, and places are anywhere, metadata in its areas
//! (003-D4).

/// Row of the generator in the table of generators.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "metadata",
    "one day of a user's disk: bursty, with many requests for metadata, in sessions and flushes",
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

/// Draws the requests of a day, or another number of similar requests.
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

/// True for each request that may continue the previous one: equal operation and equal metadata flag.
fn may_go_on(arrivals: &[(i64, usize)]) -> Vec<bool> {
    let what = |(_, kind): (i64, usize)| (KINDS[kind].op, KINDS[kind].metadata);
    let alike = |pair: &[(i64, usize)]| what(pair[0]) == what(pair[1]);
    std::iter::once(false).chain(arrivals.windows(2).map(alike)).collect()
}

/// The distance of requests drawn with these options from the published figures.
pub(super) fn notes(options: &Options, trace: &Trace) -> Result<Vec<String>> {
    let day = Day::new(options)?;
    let figures = closeness(&day, day.pace(options)?, trace)?;
    Ok(vec![format!("Reached (and aimed at): {figures}.")])
}
