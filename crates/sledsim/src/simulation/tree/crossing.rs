//! Parts on the bus that all members of a volume share. The data of a write cross the bus before the part
//! reaches its member; the data of a read cross the bus after the member has finished the part.

use super::{Event, Target, Tree, VolumeNode};
use crate::request::Op;
use crate::simulation::jobs::{Done, PartState};
use crate::simulation::shared_bus::{Crossing, Rank};
use crate::time::Time;

impl Tree {
    /// Puts a part into the queue for the shared bus, if its volume has such a bus and the part has the operation
    /// `way`. Returns true if the part is in the queue. `done` has the totals of the services, if a volume has served
    /// the part.
    pub(super) fn cross(&mut self, now: Time, tag: u32, way: Op, done: Option<Done>) -> bool {
        let PartState { node, before, part, .. } = self.parts.get_mut(tag);
        let node = *node;
        let Some(bus) = self.volumes[node as usize].bus.as_mut().filter(|_| part.op == way) else {
            return false;
        };
        let cause = self.host.watch.as_ref().map(|watch| watch.cause());
        let rank = Rank { ready: now, member: part.member, before: *before };
        if bus.demand(rank, part.sectors, Crossing { tag, since: now, begun: now, done, cause }) {
            self.engine.schedule(now, Event::Choose { node });
        }
        // From now on the part belongs to no job in a volume below.
        self.parts.get_mut(tag).below = None;
        true
    }

    /// Starts the next transfer on the shared bus of the volume `node`. All transfers that are ready by now are in the
    /// queue.
    pub(super) fn choose(&mut self, now: Time, node: u32) {
        let bus = self.volumes[node as usize]
            .bus
            .as_mut()
            .expect("a choice is due only on a volume with a shared bus");
        let (crossing, lasts) = bus.choose();
        crossing.begun = now;
        if let Some(watch) = &mut self.host.watch {
            watch.wait_for_bus(crossing.tag, now - crossing.since);
        }
        self.engine.schedule(now + lasts, Event::Crossed { node });
    }

    /// Ends the transfer in progress on the shared bus of the volume `node`, and continues the part whose data were
    /// transferred.
    pub(super) fn crossed(&mut self, now: Time, node: u32) {
        let VolumeNode { bus, members, .. } = &mut self.volumes[node as usize];
        let bus = bus.as_mut().expect("only a shared bus ends transfers");
        let (Crossing { tag, since, begun, done, cause }, is_due) = bus.finish();
        if is_due {
            self.engine.schedule(now, Event::Choose { node });
        }
        if let (Some(watch), Some(cause)) = (&mut self.host.watch, cause) {
            watch.go_on(cause);
        }
        let part = self.parts.get(tag).part;
        match (part.op, members[part.member as usize]) {
            (Op::Write, _) => self.deliver(now, tag, [since, begun]),
            (Op::Read, Target::Volume(_)) => {
                self.part_done(now, tag, &done.expect("a read from a volume below has totals"));
            }
            (Op::Read, Target::Device(station)) => {
                self.note_crossed(now, station, tag);
                self.depart(now, station, tag);
                self.let_in(now, station);
            }
        }
    }

    /// Records in the journal that the data that a device has read for a part have crossed the shared bus.
    fn note_crossed(&mut self, now: Time, station: u32, tag: u32) {
        if let Some(journal) = &mut self.journal {
            let service = self.parts.get(tag).service.expect("a device has served the part");
            journal.carry(station, self.services.get(service).start, now);
        }
    }
}
