//! Jobs of volumes, their parts, and the services by which devices serve them.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::request::Durable;
use crate::slab::Slab;
use crate::time::{Span, Time};
use crate::volume::{Job, Part, Urgency};

/// The sender from which a volume received a job.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Origin {
    /// The volume itself began the job, without a request.
    #[default]
    Own,
    /// The job is a request of the host; the value is the number of the request in the record.
    Host(u32),
    /// The job is a part that another volume, above this one, has sent; the value is the number of this part.
    Part(u32),
}

/// A job of a volume, and the services that devices have done for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JobState {
    pub origin: Origin,
    /// Data that are durable when the job is complete. A write of the job that must be durable itself is a write with
    /// FUA at the members, or is followed by a flush if the volume keeps its data in memory.
    pub durable: Durable,
    /// True if the job is a write that a flush follows.
    pub flush_follows: bool,
    /// Number of flushes of members on their way.
    pub flushes: u32,
    pub done: Done,
}

/// Totals over the services that devices have done for a job.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Number of parts of the job that devices have served.
    pub parts: u32,
    /// Number of the service for the job that ended last, in [`Services`]; `None` before the first service.
    pub last: Option<u32>,
    /// Set of the devices that have served the job: one bit for each device.
    pub devices: u64,
    /// Energy in joules of all services for the job.
    pub energy: ServiceEnergy,
}

/// A service of a device, kept in memory while a job may need its phases for the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldService {
    pub start: Time,
    /// Time at which the service ended.
    pub end: Time,
    /// Time from the arrival of the part at the device until its command was processed.
    pub overhead: Span,
    pub service: Service,
    /// Number of jobs whose last service is this one so far. If it becomes 0, the service is removed.
    pub holders: u32,
}

/// All services that jobs may still need, each with a number. A job stores only this number, because a service is
/// large.
#[derive(Clone, Debug, Default)]
pub(super) struct Services(Slab<HeldService>);

impl Services {
    /// Adds a service that serves one job; returns the number of the service.
    pub fn begin(&mut self, start: Time, overhead: Span, service: &Service) -> u32 {
        let end = start + service.total();
        self.0.insert(HeldService { start, end, overhead, service: *service, holders: 1 })
    }

    pub fn get(&self, number: u32) -> &HeldService {
        self.0.get(number)
    }

    /// Totals for a part that the device `device` has served with the single service `service`.
    pub fn done(&self, device: u32, service: u32) -> Done {
        let energy = self.get(service).service.energy;
        Done { parts: 1, last: Some(service), devices: device_bit(device), energy }
    }

    /// Adds the totals `part` of a part to the totals `job` of its job.
    pub fn and(&mut self, job: &mut Done, part: &Done) {
        job.energy += part.energy;
        job.parts += part.parts;
        job.devices |= part.devices;
        if part.last.is_some() {
            self.release(job.last);
            job.last = part.last;
        }
    }

    /// Adds to the totals `job` those of another job, `work`, whose parts also served this job. The fraction `part` of
    /// the energy of `work` moves to `job`.
    pub fn share(&mut self, job: &mut Done, work: &mut Done, part: f64) {
        if let Some(last) = work.last {
            self.0.get_mut(last).holders += 1;
        }
        let (taken, left) = work.energy.split(part);
        work.energy = left;
        self.and(job, &Done { energy: taken, ..*work });
    }

    /// Sum of `holders` over all services.
    #[cfg(test)]
    pub fn holders(&self) -> u32 {
        self.0.iter().map(|(_, held)| held.holders).sum()
    }

    /// Removes one job from the holders of the service `number`; a service without holders is removed.
    pub fn release(&mut self, number: Option<u32>) {
        let Some(number) = number else { return };
        let held = self.0.get_mut(number);
        held.holders -= 1;
        if held.holders == 0 {
            self.0.remove(number);
        }
    }
}

/// The bit that stands for a device in a set; all devices from the 64th on share the last bit.
pub(super) fn device_bit(device: u32) -> u64 {
    1 << device.min(63)
}

/// A part in flight to a device or to a volume below.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartState {
    /// Number of the volume that sent the part.
    pub node: u32,
    /// Number of parts that all volumes of the run had sent before this part.
    pub before: u64,
    /// Time from the arrival of the part at the device until its command was processed.
    pub overhead: Span,
    /// Number of the service of the part, in [`Services`]; `None` before the service begins.
    pub service: Option<u32>,
    /// Job of the volume below that serves the part; `None` if a device serves the part.
    pub below: Option<Job>,
    pub urgency: Urgency,
    /// Data that must be durable when the part is complete; a flush of the member has no sectors.
    pub durable: Durable,
    pub part: Part,
}
