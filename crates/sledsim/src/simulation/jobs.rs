//! What is on its way through a volume: its jobs, and the parts that devices serve.

use crate::device::Service;
use crate::time::Time;
use crate::volume::{Job, Part};

/// Whom a job of a volume is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// The volume itself.
    Own,
    /// A request of the host: its row.
    Host(u32),
    /// A part of a volume above.
    Part(Part),
}

/// A job of a volume, and what was done for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobState {
    pub origin: Origin,
    pub done: Done,
}

/// What devices did for a job.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Parts that devices served.
    pub parts: u32,
    /// Which devices, as bits.
    pub devices: u64,
    /// Energy of their services in joules.
    pub energy_j: f64,
    /// The service that ended last.
    pub last: Option<Served>,
}

/// A service by a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Served {
    pub start: Time,
    /// The device was done.
    pub end: Time,
    pub service: Service,
}

impl Done {
    /// A device has served a part.
    pub fn served(&mut self, device: u32, served: &Served) {
        self.parts += 1;
        self.devices |= device_bit(device);
        self.energy_j += served.service.energy_j;
        self.last = Some(*served);
    }

    /// What was done for a part of this job.
    pub fn and(&mut self, part: &Self) {
        self.energy_j += part.energy_j;
        self.shares(part);
    }

    /// What was done for another job served this one, too; its energy counts there.
    pub fn shares(&mut self, other: &Self) {
        self.parts += other.parts;
        self.devices |= other.devices;
        self.last = other.last.or(self.last);
    }
}

/// The bit of a device; all from the 64th on share one.
pub(super) fn device_bit(device: u32) -> u64 {
    1 << device.min(63)
}

/// A part on its way to a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartState {
    /// The volume that it comes from.
    pub node: u32,
    pub part: Part,
    pub start: Time,
    pub end: Time,
    pub service: Service,
}

/// Things by number; numbers that are free are given again.
#[derive(Debug)]
pub(super) struct Slab<T> {
    all: Vec<T>,
    free: Vec<u32>,
}

impl<T: Copy> Slab<T> {
    pub fn new() -> Self {
        Self { all: Vec::new(), free: Vec::new() }
    }

    pub fn insert(&mut self, value: T) -> u32 {
        if let Some(at) = self.free.pop() {
            self.all[at as usize] = value;
            return at;
        }
        self.all.push(value);
        self.all.len() as u32 - 1
    }

    pub fn remove(&mut self, at: u32) -> T {
        self.free.push(at);
        self.all[at as usize]
    }

    pub fn get(&mut self, at: u32) -> &mut T {
        &mut self.all[at as usize]
    }
}

/// The jobs of a volume by their numbers, which the volume's hands give.
#[derive(Debug, Default)]
pub(super) struct Jobs(Vec<JobState>);

impl Jobs {
    /// A job begins; one of the volume's own does without being said.
    pub fn begin(&mut self, job: Job, origin: Origin) {
        *self.get(job) = JobState { origin, done: Done::default() };
    }

    pub fn get(&mut self, job: Job) -> &mut JobState {
        let at = job.0 as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, JobState { origin: Origin::Own, done: Done::default() });
        }
        &mut self.0[at]
    }

    /// A job ends, and its number may be given again.
    pub fn end(&mut self, job: Job) -> JobState {
        std::mem::replace(self.get(job), JobState { origin: Origin::Own, done: Done::default() })
    }
}
