//! Jobs on their way through a volume, their parts, and the services of devices for these jobs.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::slab::Slab;
use crate::time::{Span, Time};
use crate::volume::{Job, Part, Urgency};

/// The sender of a job of a volume.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Origin {
    /// The volume itself.
    #[default]
    Own,
    /// A request of the host, by its row.
    Host(u32),
    /// A part of a volume above, by its number.
    Part(u32),
}

/// A job of a volume and the services done for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JobState {
    pub origin: Origin,
    pub done: Done,
}

/// The sum of the services of devices for a job.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Number of parts that devices served.
    pub parts: u32,
    /// Number of the service that ended last.
    pub last: Option<u32>,
    /// Bit set of the devices that served.
    pub devices: u64,
    /// Energy of the services.
    pub energy: ServiceEnergy,
}

/// A service of a device that jobs hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldService {
    pub start: Time,
    /// End of the service.
    pub end: Time,
    /// Time from the arrival at the device to the end of command processing.
    pub overhead: Span,
    pub service: Service,
    /// Number of jobs whose last service this may be.
    pub holders: u32,
}

/// The services that jobs hold. Jobs pass on numbers, because services are large.
#[derive(Clone, Debug, Default)]
pub(super) struct Services(Slab<HeldService>);

impl Services {
    /// Adds a service that one job holds; returns its number.
    pub fn begin(&mut self, start: Time, overhead: Span, service: &Service) -> u32 {
        let end = start + service.total();
        self.0.insert(HeldService { start, end, overhead, service: *service, holders: 1 })
    }

    pub fn get(&self, number: u32) -> &HeldService {
        self.0.get(number)
    }

    /// The work done by one service of a device for one part.
    pub fn done(&self, device: u32, service: u32) -> Done {
        let energy = self.get(service).service.energy;
        Done { parts: 1, last: Some(service), devices: device_bit(device), energy }
    }

    /// Adds the work done for a part to its job, which then holds the service.
    pub fn and(&mut self, job: &mut Done, part: &Done) {
        job.energy += part.energy;
        job.parts += part.parts;
        job.devices |= part.devices;
        if part.last.is_some() {
            self.release(job.last);
            job.last = part.last;
        }
    }

    /// Credits a job with other work that also served it: the job takes over a fraction of the energy.
    pub fn share(&mut self, job: &mut Done, work: &mut Done, part: f64) {
        if let Some(last) = work.last {
            self.0.get_mut(last).holders += 1;
        }
        let (taken, left) = work.energy.split(part);
        work.energy = left;
        self.and(job, &Done { energy: taken, ..*work });
    }

    /// Number of jobs that hold services, counted once per service.
    #[cfg(test)]
    pub fn holders(&self) -> u32 {
        self.0.iter().map(|(_, held)| held.holders).sum()
    }

    /// Releases a service that a job held.
    pub fn release(&mut self, number: Option<u32>) {
        let Some(number) = number else { return };
        let held = self.0.get_mut(number);
        held.holders -= 1;
        if held.holders == 0 {
            self.0.remove(number);
        }
    }
}

/// The bit of a device; all devices from the 64th on share one bit.
pub(super) fn device_bit(device: u32) -> u64 {
    1 << device.min(63)
}

/// A part on its way to a device or to a volume below.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartState {
    /// Number of the volume that sent the part.
    pub node: u32,
    /// Number of parts sent before this one.
    pub before: u64,
    /// Time from the arrival at the device to the end of command processing.
    pub overhead: Span,
    /// Number of the service by a device, once it has begun.
    pub service: Option<u32>,
    /// Job of the volume below that the part became.
    pub below: Option<Job>,
    pub urgency: Urgency,
    pub part: Part,
}
