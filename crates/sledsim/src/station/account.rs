//! Services and idle time of a device, with their energy.

use crate::device::{Device, Service};
use crate::energy::{EnergyOverTime, IdleEnergy, IdleTime, ServiceEnergy};
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Totals of a station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Number of foreground requests.
    pub requests: u64,
    /// Number of background requests.
    pub background_requests: u64,
    /// Number of blocks read.
    pub blocks_read: u64,
    /// Number of blocks written.
    pub blocks_written: u64,
    /// Time for which the device has served.
    pub busy: Span,
    /// Energy of the device's services.
    pub energy: ServiceEnergy,
    /// Energy of the device's idle time.
    pub idle_energy: IdleEnergy,
    /// Sum over time of the number of requests in the system, in request-seconds; the mean number times the duration.
    pub request_s: f64,
}

/// The account of a device.
#[derive(Clone, Default)]
pub(crate) struct Account {
    pub totals: Totals,
    pub over_time: EnergyOverTime,
    /// Energy of the next service that is already spent over time: work of the device for itself.
    ahead: ServiceEnergy,
    /// Time at which the last service ended, or ends.
    pub free_since: Time,
}

impl Account {
    /// Begins a run at `now`.
    pub fn begin(&mut self, now: Time) {
        self.free_since = now;
        self.over_time = EnergyOverTime::new(now);
    }

    /// Adds a service that begins at `now`; returns its end.
    #[inline]
    pub fn serve(&mut self, now: Time, request: &Request, service: &Service) -> Time {
        let total = service.total();
        let mut energy = service.energy;
        energy -= std::mem::take(&mut self.ahead);
        self.over_time.serve(now, total, &energy);
        self.free_since = now + total;
        let totals = &mut self.totals;
        let requests =
            if request.is_background { &mut totals.background_requests } else { &mut totals.requests };
        *requests += 1;
        let blocks =
            if request.op == Op::Read { &mut totals.blocks_read } else { &mut totals.blocks_written };
        *blocks += u64::from(request.blocks);
        totals.busy += total;
        totals.energy += service.energy;
        self.free_since
    }

    /// Adds the idle time since the last service; `ended` is the kind of its end.
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

    /// Adds the end of a request at the device; the host has it at `completion`.
    #[inline]
    pub fn finish(&mut self, request: &Request, completion: Time) {
        self.totals.request_s += (completion - request.arrival).as_s();
    }
}
