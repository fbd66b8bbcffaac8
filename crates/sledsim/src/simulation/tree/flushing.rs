//! Flushes and writes with FUA on their way through volumes.

use super::{Origin, Target, Tree, VolumeNode};
use crate::request::{Durable, Op, Request};
use crate::simulation::jobs::{Done, JobState};
use crate::time::Time;
use crate::volume::{Job, Part, Urgency};

impl Tree {
    /// True if a volume completes writes with their data in its memory.
    pub fn has_write_cache(&self) -> bool {
        self.volumes.iter().any(|node| node.volume.has_write_cache())
    }

    /// Starts a flush of a volume; `done` is the work done before for the same request.
    pub(super) fn flush(&mut self, now: Time, node: u32, origin: Origin, urgency: Urgency, done: Done) {
        let VolumeNode { volume, io, jobs, .. } = &mut self.volumes[node as usize];
        let job = io.begin_as(urgency);
        *jobs.of(job) = JobState { origin, done, durable: Durable::Earlier, ..JobState::default() };
        if let Origin::Part(part) = origin {
            self.parts.get_mut(part).below = Some(job);
        }
        volume.flush(now, job, io);
        self.act(now, node);
    }

    /// Sends a flush to each member with writes that no complete flush covers; the job ends with the last.
    pub(super) fn flush_members(&mut self, now: Time, node: u32, job: Job) {
        let VolumeNode { io, jobs, unflushed, .. } = &mut self.volumes[node as usize];
        let urgency = io.urgency(job);
        let mut members = Vec::new();
        for (member, (flushes, has_writes)) in unflushed.iter_mut().enumerate() {
            if *flushes > 0 || *has_writes {
                *flushes += 1;
                *has_writes = false;
                members.push(member as u32);
            }
        }
        jobs.of(job).flushes = members.len() as u32;
        if members.is_empty() {
            io.complete(job, now);
        }
        for member in members {
            self.flush_member(now, node, Part::own(job, member, Op::Write, (0, 0), 0), urgency);
        }
    }

    fn flush_member(&mut self, now: Time, node: u32, part: Part, urgency: Urgency) {
        let tag = self.add_part(node, part, urgency, Durable::Earlier);
        match self.volumes[node as usize].members[part.member as usize] {
            Target::Volume(below) => self.flush(now, below, Origin::Part(tag), urgency, Done::default()),
            Target::Device(station) => {
                let request = Request { tag, ..Request::flush(self.to_devices, now) };
                self.watch_part([now; 3], (node, part.job), station, &request);
                self.to_devices = self.to_devices.wrapping_add(1);
                if self.devices[station as usize].station.accept_flush(request) {
                    self.dispatch(now, station);
                } else {
                    self.part_done(now, tag, &Done::default());
                }
            }
        }
    }

    /// Ends the flush of a member.
    pub(super) fn member_flushed(&mut self, now: Time, node: u32, part: &Part, done: &Done) {
        let VolumeNode { io, jobs, unflushed, .. } = &mut self.volumes[node as usize];
        unflushed[part.member as usize].0 -= 1;
        let job = jobs.of(part.job);
        self.services.and(&mut job.done, done);
        job.flushes -= 1;
        if job.flushes == 0 {
            io.complete(part.job, now);
        }
        self.act(now, node);
    }

    /// Data that must be durable when a part of a volume is complete.
    ///
    /// A volume drops its other copy of data that it has moved: once the host asks for durable data, they must be durable
    /// at the new place.
    pub(super) fn durable(&mut self, node: u32, part: &Part) -> Durable {
        let job = self.volumes[node as usize].jobs.of(part.job);
        let moves = matches!(job.origin, Origin::Own) && self.wants_durable;
        if part.op == Op::Write && (moves || job.durable == Durable::Itself && !job.flush_follows) {
            return Durable::Itself;
        }
        Durable::Nothing
    }

    /// Notes that a member has written a part.
    pub(super) fn note_written(&mut self, node: u32, part: &Part, durable: Durable) {
        if part.op == Op::Write && durable == Durable::Nothing {
            self.volumes[node as usize].unflushed[part.member as usize].1 = true;
        }
    }
}
