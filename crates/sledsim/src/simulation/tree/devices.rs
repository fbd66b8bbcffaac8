//! Parts at a device. A part enters the device when there is room, is served when the policy chooses it, and leaves
//! when its data have crossed the bus of the device.

use super::{Event, Origin, Tree};
use crate::request::Op;
use crate::simulation::jobs::PartState;
use crate::simulation::journal::Asked;
use crate::time::Time;

impl Tree {
    /// Passes a part to a device, which will have processed the command of the part at `ready`.
    pub(super) fn enter(&mut self, now: Time, station: u32, part: u32, ready: Time) {
        self.parts.get_mut(part).overhead += ready - now;
        if let Some(watch) = &mut self.host.watch {
            watch.enter(now, part, ready);
        }
        if ready == now {
            self.dispatch(now, station);
        } else {
            self.engine.schedule(ready, Event::Admit { station });
        }
    }

    /// Passes the next part that waits for room to a device, if the device has room.
    pub(super) fn let_in(&mut self, now: Time, station: u32) {
        if self.devices[station as usize].station.is_flushing() {
            return self.dispatch(now, station);
        }
        // More than one has room after a flush.
        while let Some((part, ready)) = self.devices[station as usize].station.let_in(now) {
            self.enter(now, station, part, ready);
        }
    }

    pub(super) fn dispatch(&mut self, now: Time, station: u32) {
        let device = &mut self.devices[station as usize];
        if let Some(journal) = &mut self.journal {
            journal.look(now, station, &device.station);
        }
        if let Some((tag, service)) = device.station.dispatch(now) {
            let part = self.parts.get_mut(tag);
            part.service = Some(self.services.begin(now, part.overhead, service));
            if let Some(watch) = &mut self.host.watch {
                watch.serve(now, tag, service);
            }
            self.engine.schedule(now + service.total(), Event::Finish { station });
            self.host.work += u64::from(device.station.in_system());
            self.note_start(now, station, tag);
        } else if let Some(at) = device.station.resumes_at(now) {
            self.engine.schedule(at, Event::Resume { station });
        }
    }

    /// Records in the journal that a device starts to serve a part.
    fn note_start(&mut self, now: Time, station: u32, tag: u32) {
        if self.journal.is_none() {
            return;
        }
        let (row, part) = (self.row_of(tag), &self.parts.get(tag).part);
        let asked = Asked { row, sectors: part.sector..part.sector + u64::from(part.sectors) };
        if let Some(journal) = &mut self.journal {
            journal.start(now, station, &self.devices[station as usize].station, asked);
        }
    }

    /// The number of the host's request that a part belongs to, directly or through volumes above; `None` for
    /// a volume's own work.
    fn row_of(&self, tag: u32) -> Option<u32> {
        let part = self.parts.get(tag);
        // A job that a volume began by itself has no request of the host.
        match self.volumes[part.node as usize].jobs.find(part.part.job)?.origin {
            Origin::Host(row) => Some(row),
            Origin::Part(above) => self.row_of(above),
            Origin::Own => None,
        }
    }

    pub(super) fn finish(&mut self, now: Time, station: u32) {
        let device = &mut self.devices[station as usize].station;
        let (request, completion) = device.finish(now);
        if let Some(watch) = &mut self.host.watch {
            watch.finish(request.tag, device.waited_for_bus(&request));
        }
        self.follow_service(request.tag, station);
        if let Some(journal) = &mut self.journal {
            let PartState { node, part, .. } = self.parts.get(request.tag);
            let crosses = part.op == Op::Read && self.volumes[*node as usize].bus.is_some();
            journal.finish(station, completion, crosses);
        }
        // The next part that a volume sends may be the next part to be served.
        if completion == now {
            self.leave(now, station, request.tag);
        } else {
            self.engine.schedule(completion, Event::Leave { station, part: request.tag });
        }
        // The device chooses among the parts that it has before more parts enter.
        self.dispatch(now, station);
        self.let_in(now, station);
    }

    /// Handles a part whose data have crossed the bus of its device. The part is complete, or waits for the bus that
    /// members share.
    pub(super) fn leave(&mut self, now: Time, station: u32, part: u32) {
        if !self.cross(now, part, Op::Read, None) {
            self.depart(now, station, part);
        }
    }

    /// Completes a part of a device, after its data have crossed all buses.
    pub(super) fn depart(&mut self, now: Time, station: u32, part: u32) {
        self.devices[station as usize].station.leave();
        if let Some(watch) = &mut self.host.watch {
            watch.leave(now, part);
        }
        let service = self.parts.get(part).service.expect("a device has served the part");
        let done = self.services.done(station, service);
        self.part_done(now, part, &done);
    }
}
