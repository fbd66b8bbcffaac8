//! A station: a queue with a policy in front of one device.

use std::collections::VecDeque;

use crate::device::{Delivery, Device};
use crate::record::Record;
use crate::request::Request;
use crate::sched::Scheduler;
use crate::time::{Span, Time};

/// A device and the requests that wait for it.
pub struct Station {
    device: Box<dyn Device>,
    scheduler: Box<dyn Scheduler>,
    /// Requests whose command is still being processed, in order of arrival.
    accepted: VecDeque<Request>,
    serving: Option<(Request, Delivery)>,
    in_system: u32,
    busy: Span,
}

impl Station {
    /// A station that is idle.
    #[must_use]
    pub fn new(scheduler: Box<dyn Scheduler>, device: Box<dyn Device>) -> Self {
        Self { device, scheduler, accepted: VecDeque::new(), serving: None, in_system: 0, busy: Span::ZERO }
    }

    /// A run begins at `now`.
    pub fn begin(&mut self, now: Time) {
        self.device.begin(now);
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// Requests that have arrived and are not complete.
    #[must_use]
    pub fn in_system(&self) -> u32 {
        self.in_system
    }

    /// How long the device has served, in all.
    #[must_use]
    pub fn busy(&self) -> Span {
        self.busy
    }

    /// Takes in a request; returns when its command is processed and it can be [admitted](Self::admit).
    pub fn accept(&mut self, now: Time, mut request: Request) -> Time {
        self.in_system += 1;
        let ready = self.device.accept(now, &mut request);
        self.accepted.push_back(request);
        ready
    }

    /// Lets the request that was accepted first of all wait for service.
    pub fn admit(&mut self) {
        let request = self.accepted.pop_front().expect("every admission follows an acceptance");
        self.scheduler.push(request, &*self.device);
    }

    /// Starts to serve the next request if the device is free and one waits; returns when it will be free.
    pub fn dispatch(&mut self, now: Time, record: &mut Record) -> Option<Time> {
        if self.serving.is_some() {
            return None;
        }
        let request = self.scheduler.pop(now, &*self.device)?;
        let service = self.device.serve(now, &request);
        record.serve(request.row, now, &service);
        self.serving = Some((request, service.delivery));
        self.busy += service.total();
        Some(now + service.total())
    }

    /// The device is free again at `now`; returns the row of the request that it has served, and when the
    /// host has it.
    pub fn finish(&mut self, now: Time, record: &mut Record) -> (u32, Time) {
        let (request, delivery) = self.serving.take().expect("a device is done with a request");
        let completion = self.device.complete(now, &request, &delivery);
        record.complete(request.row, now, completion);
        (request.row, completion)
    }

    /// The host has its request.
    pub fn leave(&mut self) {
        self.in_system -= 1;
    }
}
