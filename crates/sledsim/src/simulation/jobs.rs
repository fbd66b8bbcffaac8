//! Jobs on their way through a volume, the parts of them, and the services of devices for them.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::slab::Slab;
use crate::time::{Span, Time};
use crate::volume::{Job, Part, Urgency};

/// Whom a job of a volume is for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Origin {
    /// The volume itself.
    #[default]
    Own,
    /// A request of the host: its row.
    Host(u32),
    /// A part of a volume above: its number.
    Part(u32),
}

/// A job of a volume, and what was done for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JobState {
    pub origin: Origin,
    pub done: Done,
}

/// The services of devices for a job, in sum.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Parts that devices served.
    pub parts: u32,
    /// The service that ended last, by its number.
    pub last: Option<u32>,
    /// Which devices, as bits.
    pub devices: u64,
    /// Energy of their services.
    pub energy: ServiceEnergy,
}

/// A service by a device that jobs hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldService {
    pub start: Time,
    /// The device was done.
    pub end: Time,
    /// How long before its command was processed the device had what it served.
    pub overhead: Span,
    pub service: Service,
    /// Jobs that it may be the last one of.
    pub holders: u32,
}

/// The services that jobs hold. They are large, so that jobs pass on numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Services(Slab<HeldService>);

impl Services {
    /// A service that one job holds.
    pub fn begin(&mut self, start: Time, overhead: Span, service: &Service) -> u32 {
        let end = start + service.total();
        self.0.insert(HeldService { start, end, overhead, service: *service, holders: 1 })
    }

    pub fn get(&self, number: u32) -> &HeldService {
        self.0.get(number)
    }

    /// The service of a device for one part.
    pub fn done(&self, device: u32, service: u32) -> Done {
        let energy = self.get(service).service.energy;
        Done { parts: 1, last: Some(service), devices: device_bit(device), energy }
    }

    /// Adds what was done for a part to its job, which holds the service from now on.
    pub fn and(&mut self, job: &mut Done, part: &Done) {
        job.energy += part.energy;
        job.parts += part.parts;
        job.devices |= part.devices;
        if part.last.is_some() {
            self.release(job.last);
            job.last = part.last;
        }
    }

    /// Credits a job with other work that served it, too: it takes over a part of the energy.
    pub fn share(&mut self, job: &mut Done, work: &mut Done, part: f64) {
        if let Some(last) = work.last {
            self.0.get_mut(last).holders += 1;
        }
        let (taken, left) = work.energy.split(part);
        work.energy = left;
        self.and(job, &Done { energy: taken, ..*work });
    }

    /// How many jobs hold services, each counted with every one.
    #[cfg(test)]
    pub fn holders(&self) -> u32 {
        self.0.iter().map(|(_, held)| held.holders).sum()
    }

    /// One job less holds a service.
    pub fn release(&mut self, number: Option<u32>) {
        let Some(number) = number else { return };
        let held = self.0.get_mut(number);
        held.holders -= 1;
        if held.holders == 0 {
            self.0.remove(number);
        }
    }
}

/// The bit of a device; all from the 64th on share one.
pub(super) fn device_bit(device: u32) -> u64 {
    1 << device.min(63)
}

/// A part on its way to a device or to a volume below.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartState {
    /// The volume that it comes from.
    pub node: u32,
    /// How many parts were sent before it.
    pub before: u64,
    /// From when its device had it until its command was processed.
    pub overhead: Span,
    /// Its service by a device, once that has begun.
    pub service: Option<u32>,
    /// The job that it is of a volume below.
    pub below: Option<Job>,
    pub urgency: Urgency,
    pub part: Part,
}
