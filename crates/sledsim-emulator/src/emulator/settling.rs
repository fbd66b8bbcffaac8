//! Write the memory of a volume back to its members when the server ends.

use std::io;
use std::ops::ControlFlow;

use sledsim::simulation::Simulation;
use sledsim::time::{Span, Time};

use super::members::Members;

/// Simulated time of one step in seconds. After each step, the function checks if sectors in memory are still
/// to be written back. The number of steps is limited, because the background work of some volumes never ends.
const SETTLES_S: f64 = 60.0;
/// Maximum number of steps.
const MOST_TIMES: u32 = 60;
/// Counters of a volume for sectors in memory that are not written back to the members yet.
const TO_WRITE_BACK: [&str; 2] = ["dirty_sectors", "unflushed_sectors"];

/// Write all data in the memory of an idle volume to `members`, and make the contents of the members durable on
/// this machine.
pub(super) fn settle(mut members: Members, simulation: &Simulation) -> io::Result<()> {
    // Writing back is not part of the run, so it uses a copy of the simulation.
    let mut after = simulation.clone();
    let mut until = after.now();
    for _ in 0..MOST_TIMES {
        until = until + Span::from_s(SETTLES_S);
        while let Some(next) = after.next_event().filter(|next| *next <= until && *next < Time::LATEST) {
            after
                .advance(next, &mut |_| ControlFlow::Continue(()))
                .expect("the simulation advances without errors");
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
