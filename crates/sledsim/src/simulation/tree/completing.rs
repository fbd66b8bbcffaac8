//! Completions of jobs: each completes a part of the volume above, or a request of the host.

use std::mem;

use super::{Origin, Tree, VolumeNode};
use crate::request::{Durable, Op};
use crate::simulation::jobs::{Done, PartState};
use crate::time::Time;
use crate::volume::{Job, Urgency};

impl Tree {
    /// Completes a job of the volume with the number `node`.
    pub(super) fn complete(&mut self, now: Time, node: u32, job: Job) {
        let VolumeNode { io, jobs, traced, .. } = &mut self.volumes[node as usize];
        let (state, traced, urgency) = (mem::take(jobs.of(job)), *traced, io.urgency(job));
        io.forget(job);
        self.host.watch.iter_mut().for_each(|watch| watch.forget(node, job));
        self.follow_completion(node, job, state.origin);
        if state.flush_follows {
            return self.flush(now, node, state.origin, urgency, state.done);
        }
        match state.origin {
            Origin::Own => {
                self.background_energy += state.done.energy;
                self.services.release(state.done.last);
            }
            Origin::Host(row) => self.request_done(now, traced, row, &state.done),
            Origin::Part(part) => {
                if !self.cross(now, part, Op::Read, Some(state.done)) {
                    self.part_done(now, part, &state.done);
                }
            }
        }
    }

    /// Ends a part: the volume that sent it continues.
    pub(super) fn part_done(&mut self, now: Time, part: u32, done: &Done) {
        let PartState { node, part, urgency, durable, .. } = self.parts.remove(part);
        if durable == Durable::Earlier {
            return self.member_flushed(now, node, &part, done);
        }
        self.note_written(node, &part, durable);
        let VolumeNode { volume, io, jobs, .. } = &mut self.volumes[node as usize];
        self.services.and(&mut jobs.of(part.job).done, done);
        io.came_back(&part, urgency);
        volume.done(now, &part, io);
        if urgency == Urgency::Foreground && io.is_idle(part.member) {
            volume.idle(now, part.member, io);
        }
        self.act(now, node);
    }

    /// Completes the request `row` of the host; `done` has the totals of the services for the request.
    fn request_done(&mut self, now: Time, traced: u32, row: u32, done: &Done) {
        self.in_system[traced as usize] -= 1;
        let end = match done.last {
            Some(last) => {
                let last = self.services.get(last);
                self.host.record.accept(row, last.overhead);
                self.host.serve(row, last.start, &last.service, &done.energy);
                last.end
            }
            None => self.host.record.serve_from_memory(row),
        };
        self.services.release(done.last);
        self.host.record.complete(row, end, now, done.parts, done.devices);
        self.host.complete(row, now);
    }
}
