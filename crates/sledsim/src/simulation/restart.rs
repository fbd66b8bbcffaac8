//! Restart after a power failure: the reads by which a volume finds out the content of its members, and the time that
//! they take.

use std::ops::ControlFlow;

use super::simulate_system;
use crate::error::Result;
use crate::request::Op;
use crate::system::{Built, System};
use crate::time::Time;
use crate::volume::HostRequest;
use crate::workload::{Arrival, Workload};

/// Largest number of sectors of a restart read: 1 MiB.
const MOST_SECTORS: u64 = 2048;

/// The restart reads of one member of a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// Name of the member: `mems`, or `disk/device 2` for a member of a volume that is itself the member `disk`.
    pub member: String,
    /// Number of restart reads of the member.
    pub reads: u64,
    /// Number of sectors that the restart reads cover.
    pub sectors: u64,
    /// Time in seconds from the start of the run to the end of the member's last restart read. All members read at the
    /// same time.
    pub time_s: f64,
}

/// Simulates the restart reads of all members of `system`. The members of a volume that is itself a member come before
/// this volume. Empty for a bare device.
///
/// # Errors The errors of [`simulate_system`].
pub fn restart(system: &System) -> Result<Vec<Restart>> {
    let (System::Volume(plan), Built::Volume(mut built)) = (system, system.build()?) else {
        return Ok(Vec::new());
    };
    let mut needed = vec![Vec::new(); built.members.len()];
    built.volume.recover(&mut |member, sector| {
        add(&mut needed[member as usize], sector);
        None
    });
    let mut all = Vec::new();
    for (((name, _), needed), member) in built.members.iter().zip(needed).zip(plan.members.iter().flatten()) {
        for below in restart(member)? {
            all.push(Restart { member: format!("{name}/{}", below.member), ..below });
        }
        all.push(read(name, member, needed)?);
    }
    Ok(all)
}

/// Adds a sector to the list of ranges to be read. It extends the last range if it follows directly and this range is
/// not yet of full length.
fn add(extents: &mut Vec<(u64, u64)>, sector: u64) {
    match extents.last_mut() {
        Some((first, sectors)) if *first + *sectors == sector && *sectors < MOST_SECTORS => *sectors += 1,
        _ => extents.push((sector, 1)),
    }
}

fn read(name: &str, member: &System, extents: Vec<(u64, u64)>) -> Result<Restart> {
    let reads = extents.len() as u64;
    let sectors = extents.iter().map(|(_, sectors)| sectors).sum();
    let mut one_by_one = OneByOne { extents: extents.into_iter(), now: Time::ZERO, waits: false };
    let outcome = simulate_system(member, 1, &mut one_by_one, &mut |_| ControlFlow::Continue(()))?;
    // The record gives times in whole nanoseconds.
    let end_ns = outcome.record.completion_ns.iter().copied().max().unwrap_or(0);
    Ok(Restart { member: name.to_owned(), reads, sectors, time_s: end_ns as f64 * 1e-9 })
}

/// A workload of reads; each read arrives when the previous one is complete.
struct OneByOne {
    extents: std::vec::IntoIter<(u64, u64)>,
    now: Time,
    waits: bool,
}

impl Workload for OneByOne {
    fn next(&mut self) -> Option<Arrival> {
        if self.waits {
            return None;
        }
        let (sector, sectors) = self.extents.next()?;
        self.waits = true;
        let request = HostRequest { traced_device: 0, sector, sectors: sectors as u32 };
        Some(Arrival::new(self.now, Op::Read, request))
    }

    fn completed(&mut self, _row: u32, now: Time) {
        (self.now, self.waits) = (now, false);
    }
}
