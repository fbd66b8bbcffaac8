//! The end of a volume: its members get what it has in memory.

use std::io;
use std::ops::ControlFlow;

use sledsim::simulation::Simulation;
use sledsim::time::{Span, Time};

use super::members::Members;

/// What a volume does on its own when it ends takes so long, in simulated time, for it may never be done; as often it is asked
/// whether it has in memory what its members have not, and then goes on.
const SETTLES_S: f64 = 60.0;
const MOST_TIMES: u32 = 60;
/// What volumes count of sectors that are to be written back.
const TO_WRITE_BACK: [&str; 2] = ["dirty_sectors", "unflushed_sectors"];

/// Ends a volume in which no request waits any more: what it has in memory is written back, and the contents of its members
/// are durable on this machine.
pub(super) fn settle(mut members: Members, simulation: &Simulation) -> io::Result<()> {
    // It is not part of the run.
    let mut after = simulation.clone();
    let mut until = after.now();
    for _ in 0..MOST_TIMES {
        until = until + Span::from_s(SETTLES_S);
        while let Some(next) = after.next_event().filter(|next| *next <= until && *next < Time::LATEST) {
            after.advance(next, &mut |_| ControlFlow::Continue(())).expect("nobody breaks, and time goes on");
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
