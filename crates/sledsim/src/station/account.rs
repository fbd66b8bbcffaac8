//! The account of a device: its services and idle times, and their energy.

use crate::device::{Device, Service};
use crate::energy::{EnergyOverTime, IdleEnergy, IdleTime, ServiceEnergy};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Totals of a device and its queue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Number of foreground reads and writes.
    pub requests: u64,
    /// Number of flushes.
    pub flushes: u64,
    /// Number of background requests that the device has served.
    pub background_requests: u64,
    /// Number of blocks that foreground and background requests have read.
    pub blocks_read: u64,
    /// Number of blocks that foreground and background requests have written.
    pub blocks_written: u64,
    /// Time for which the device was serving requests.
    pub busy: Span,
    /// Energy of all services of the device.
    pub energy: ServiceEnergy,
    /// Energy of all idle times of the device.
    pub idle_energy: IdleEnergy,
    /// Integral over time of the number of requests in the system, in request-seconds: the mean number times
    /// the duration of the run.
    pub request_s: f64,
}

/// The account of a device: totals, and energy over time.
#[derive(Clone, Default)]
pub(crate) struct Account {
    pub totals: Totals,
    pub over_time: EnergyOverTime,
    /// Energy that the device spent on its own work during idle time. The energy of the next service includes it, so
    /// that it is subtracted there.
    ahead: ServiceEnergy,
    /// Time at which the last service ended or will end.
    pub free_since: Time,
}

impl Account {
    /// Begins the account of a run that starts at `now`.
    pub fn begin(&mut self, now: Time) {
        self.free_since = now;
        self.over_time = EnergyOverTime::new(now);
    }

    /// Adds a service of `request` that starts at `now`; returns the end of the service.
    #[inline]
    pub fn serve(&mut self, now: Time, request: &Request, service: &Service) -> Time {
        let total = service.total();
        let mut energy = service.energy;
        energy -= std::mem::take(&mut self.ahead);
        self.over_time.serve(now, total, &energy);
        self.free_since = now + total;
        let totals = &mut self.totals;
        let requests = match (request.is_flush(), request.is_background) {
            (true, _) => &mut totals.flushes,
            (_, true) => &mut totals.background_requests,
            (_, false) => &mut totals.requests,
        };
        *requests += 1;
        let blocks =
            if request.op == Op::Read { &mut totals.blocks_read } else { &mut totals.blocks_written };
        *blocks += u64::from(request.blocks);
        totals.busy += total;
        totals.energy += service.energy;
        self.free_since
    }

    /// Adds the idle time from the last service until `now`. `ended` selects the part of it that counts: the idle time
    /// may end with a request or with the run.
    #[inline]
    pub fn pass_idle(&mut self, now: Time, device: &dyn Device, ended: fn(IdleTime) -> IdleTime) {
        if now > self.free_since {
            let idle = ended(device.idle(now - self.free_since));
            self.totals.idle_energy += idle.energy;
            self.over_time.idle(self.free_since, &idle);
            self.ahead = idle.work;
            self.free_since = now;
        }
    }

    /// Adds the completion of a request; `completion` is the time at which the host has the data.
    #[inline]
    pub fn finish(&mut self, request: &Request, completion: Time) {
        self.totals.request_s += (completion - request.arrival).as_s();
    }
}
