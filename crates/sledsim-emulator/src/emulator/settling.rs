//! Settle a volume at its end: write its memory back to the members.

use std::io;
use std::ops::ControlFlow;

use sledsim::simulation::Simulation;
use sledsim::time::{Span, Time};

use super::members::Members;

/// Limit of simulated time per step, in seconds, because the background work of a volume may never end. The step
/// repeats while the memory has sectors to write back.
const SETTLES_S: f64 = 60.0;
const MOST_TIMES: u32 = 60;
/// Counters of sectors that a volume has to write back.
const TO_WRITE_BACK: [&str; 2] = ["dirty_sectors", "unflushed_sectors"];

/// End a volume without waiting requests: write its memory back, and make the contents of its members durable on this
/// machine.
pub(super) fn settle(mut members: Members, simulation: &Simulation) -> io::Result<()> {
    // Settling is not part of the run, so it uses a copy.
    let mut after = simulation.clone();
    let mut until = after.now();
    for _ in 0..MOST_TIMES {
        until = until + Span::from_s(SETTLES_S);
        while let Some(next) = after.next_event().filter(|next| *next <= until && *next < Time::LATEST) {
            after.advance(next, &mut |_| ControlFlow::Continue(())).expect("an advance without errors");
            members.follow(after.take_data_moves(), &[])?;
        }
        let volumes = after.clone().into_outcome().volumes;
        let mut counts = volumes.iter().flat_map(|(_, counts)| counts);
        let is_clean = !counts.any(|(name, count)| TO_WRITE_BACK.contains(name) && *count > 0.0);
        if is_clean || after.next_event().is_none() {
            break;
        }
    }
    members.sync()
}
