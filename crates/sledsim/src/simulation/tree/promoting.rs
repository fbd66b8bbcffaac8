//! Background jobs that become foreground.

use super::{PartState, Target, Tree, VolumeNode};
use crate::slab::Slab;
use crate::time::Time;
use crate::volume::{Job, Urgency};

impl Tree {
    /// Makes a background job of a volume foreground, with its parts on their way to devices and the jobs
    /// that it waits for.
    pub(super) fn promote(&mut self, now: Time, node: u32, job: Job) {
        let is_behind = |state: &PartState| {
            state.node == node && state.part.job == job && state.urgency == Urgency::Background
        };
        // In order of sending; job numbers are reused and do not give this order.
        let next = |parts: &Slab<PartState>| {
            let behind = parts.iter().filter(|(_, state)| is_behind(state));
            behind.min_by_key(|(_, state)| state.before).map(|(tag, _)| tag)
        };
        while let Some(tag) = next(&self.parts) {
            let state = self.parts.get_mut(tag);
            state.urgency = Urgency::Foreground;
            let VolumeNode { io, members, .. } = &mut self.volumes[node as usize];
            io.promoted(&state.part);
            match members[state.part.member as usize] {
                Target::Device(station) => self.devices[station as usize].station.promote(tag),
                Target::Volume(below) => {
                    // While its data cross a bus, the part has no job below.
                    if let Some(job) = state.below {
                        self.volumes[below as usize].io.promote(job);
                        self.act(now, below);
                    }
                }
            }
        }
        let VolumeNode { volume, io, .. } = &mut self.volumes[node as usize];
        volume.promoted(now, job, io);
    }
}
