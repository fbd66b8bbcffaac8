//! The bursty metadata workload of 003: two days of a user's disk, with all that is published of them
//! (003-F7, D9).
//!
//! Requests come in sessions, one mean gap behind the other. What a session writes, it writes in part at
//! once; the rest waits for the next flush, which the update daemon begins every 30 s, and whose requests
//! have another mean gap. A part of the requests for metadata come alone: those of a session at any time, those
//! of a flush until the next one. The two gaps and that part are those for which the times between arrivals
//! are as published, and metadata as bursty as asked for.
//!
//! Counts are exact, because kinds of requests are drawn without putting back, and so is sequentiality. What
//! is not published is as measured in HP's trace hplajw of 1992, which is of the same machine: how long
//! sessions are, how kinds follow each other, how many writes wait for a flush, and the blocks that are read
//! and written. Sessions begin at any time of the day, and places are anywhere, metadata in its areas
//! (003-D4).

/// The generator as its table lists it.
pub(super) const ROW: GeneratorRow = GeneratorRow::new(
    "metadata",
    "a bursty day of a user's disk with much metadata, in sessions and flushes",
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

/// The requests of a day, or as many like them as are asked for.
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

/// Which requests may go on where the one before ended: those that read or write alike, and what is alike.
fn may_go_on(arrivals: &[(i64, usize)]) -> Vec<bool> {
    let what = |(_, kind): (i64, usize)| (KINDS[kind].op, KINDS[kind].metadata);
    let alike = |pair: &[(i64, usize)]| what(pair[0]) == what(pair[1]);
    std::iter::once(false).chain(arrivals.windows(2).map(alike)).collect()
}

/// How near to what is published requests come that were drawn by these options.
pub(super) fn notes(options: &Options, trace: &Trace) -> Result<Vec<String>> {
    let day = Day::new(options)?;
    let figures = closeness(&day, day.pace(options)?, trace)?;
    Ok(vec![format!("Reached (and aimed at): {figures}.")])
}
