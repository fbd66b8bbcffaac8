//! A station: a queue with a policy in front of one device.

use std::collections::VecDeque;

use crate::device::{Device, Service};
use crate::energy::{EnergyOverTime, IdleEnergy, IdleTime, ServiceEnergy};
use crate::error::Result;
use crate::request::{Op, Request};
use crate::sched::{Policy, Scheduler};
use crate::time::{Span, Time};

/// A device and the requests that wait for it.
#[derive(Clone)]
pub struct Station {
    device: Box<dyn Device>,
    scheduler: Box<dyn Scheduler>,
    /// Requests for which nobody waits: they are served when there are no others.
    background: Option<Background>,
    /// Requests that wait at the host until the device has room, in order of arrival; those for which nobody waits come
    /// after all others.
    outside: [VecDeque<Request>; 2],
    /// Requests that the device holds until the host has them, and how many it can.
    inside: usize,
    most_inside: usize,
    /// Requests whose command is still being processed, in order of arrival.
    accepted: VecDeque<Request>,
    /// Requests in the queues.
    waiting: u32,
    serving: Option<Request>,
    /// The service that began last.
    service: Service,
    in_system: u32,
    /// Time at which the last service ended, or ends.
    free_since: Time,
    totals: Totals,
    over_time: EnergyOverTime,
}

/// A queue for requests for which nobody waits.
#[derive(Clone)]
struct Background {
    queue: Box<dyn Scheduler>,
    /// The requests in the queue, in no order.
    waiting: Vec<Request>,
}

/// Totals of a station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Requests for which somebody waited.
    pub requests: u64,
    /// Requests for which nobody waited.
    pub background_requests: u64,
    /// Blocks read.
    pub blocks_read: u64,
    /// Blocks written.
    pub blocks_written: u64,
    /// How long the device has served.
    pub busy: Span,
    /// Energy of its services.
    pub energy: ServiceEnergy,
    /// Energy of the time in which it served nothing.
    pub idle_energy: IdleEnergy,
    /// Requests in the system times seconds: over a time, their mean number.
    pub request_s: f64,
}

impl Station {
    /// A station that is idle.
    #[must_use]
    pub fn new(scheduler: Box<dyn Scheduler>, device: Box<dyn Device>) -> Self {
        Self {
            scheduler,
            background: None,
            outside: Default::default(),
            inside: 0,
            // Beside those that wait there it has the one that it serves.
            most_inside: device.queue_depth().map_or(usize::MAX, |depth| depth + 1),
            device,
            accepted: VecDeque::new(),
            waiting: 0,
            serving: None,
            service: Service::default(),
            in_system: 0,
            free_since: Time::ZERO,
            totals: Totals::default(),
            over_time: EnergyOverTime::default(),
        }
    }

    /// A station with a second queue, for requests for which nobody waits.
    #[must_use]
    pub fn with_background(self, scheduler: Box<dyn Scheduler>) -> Self {
        Self { background: Some(Background { queue: scheduler, waiting: Vec::new() }), ..self }
    }

    /// A run begins at `now`.
    pub fn begin(&mut self, now: Time) {
        self.free_since = now;
        self.over_time = EnergyOverTime::new(now);
        self.device.begin(now);
    }

    /// The run ends at `now`: the idle time until then counts.
    pub fn end(&mut self, now: Time) {
        self.pass_idle(now, |idle| idle);
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

    /// Totals until now.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Ends the station; returns the energy of its device over time.
    #[must_use]
    pub fn into_over_time(self) -> EnergyOverTime {
        self.over_time
    }

    /// Takes in a request; returns when its command is processed, or nothing if the device has no room: then the request
    /// waits at the host to be [let in](Self::let_in).
    pub fn accept(&mut self, now: Time, request: Request) -> Option<Time> {
        self.in_system += 1;
        if !self.has_room_for_all() {
            let last = usize::from(request.is_background && self.background.is_some());
            let others = self.outside[..=last].iter().any(|waiting| !waiting.is_empty());
            if others || self.inside >= self.most_inside {
                self.outside[last].push_back(request);
                return None;
            }
        }
        Some(self.enter(now, request))
    }

    /// Lets the next request that waits at the host into the device, if that has room now; returns its tag, and when its
    /// command is processed.
    #[inline]
    pub fn let_in(&mut self, now: Time) -> Option<(u32, Time)> {
        if self.has_room_for_all() || self.inside >= self.most_inside {
            return None;
        }
        self.let_next_in(now)
    }

    /// Whether no request ever waits at the host.
    #[inline]
    fn has_room_for_all(&self) -> bool {
        self.most_inside == usize::MAX
    }

    fn let_next_in(&mut self, now: Time) -> Option<(u32, Time)> {
        let request = self.outside.iter_mut().find_map(VecDeque::pop_front)?;
        Some((request.tag, self.enter(now, request)))
    }

    /// The device has a request. Until its command is processed, if that is not now, it waits to be
    /// [admitted](Self::admit).
    fn enter(&mut self, now: Time, request: Request) -> Time {
        self.inside += 1;
        let ready = self.device.accept(now, &request);
        if ready == now {
            self.queue(now, request);
        } else {
            self.accepted.push_back(request);
        }
        ready
    }

    /// Lets the request that was accepted first of all wait for service: its command is processed at `now`.
    pub fn admit(&mut self, now: Time) {
        let request = self.accepted.pop_front().expect("every admission follows an acceptance");
        self.queue(now, request);
    }

    fn queue(&mut self, now: Time, mut request: Request) {
        self.device.admit(now, &mut request);
        match &mut self.background {
            Some(background) if request.is_background => {
                background.waiting.push(request);
                background.queue.push(request, &*self.device);
            }
            _ => self.scheduler.push(request, &*self.device),
        }
        self.waiting += 1;
    }

    /// The request in service.
    #[must_use]
    pub fn serving(&self) -> Option<&Request> {
        self.serving.as_ref()
    }

    /// From when on the next service can begin, at `now` or later.
    #[must_use]
    pub fn free_from(&self, now: Time) -> Time {
        if self.serving.is_some() {
            self.free_since.max(now)
        } else {
            now
        }
    }

    /// The requests that wait for their service, those for which somebody waits first, each in the order in which the
    /// policy would serve them if nothing changed: the device stays where it is.
    #[must_use]
    pub fn waiting(&self, now: Time) -> Vec<Request> {
        let drained = |queue: &dyn Scheduler| {
            let mut queue = dyn_clone::clone_box(queue);
            let mut all = Vec::with_capacity(queue.len());
            while let Some(request) = queue.pop(now, &*self.device) {
                all.push(request);
            }
            all
        };
        let background = self.background.iter().flat_map(|background| drained(&*background.queue));
        drained(&*self.scheduler).into_iter().chain(background).collect()
    }

    /// Puts another policy in front of the device: what waits, waits there, in the order in which it came.
    ///
    /// # Errors
    /// An option of the policy that cannot be.
    pub fn change_policy(&mut self, now: Time, policy: &Policy) -> Result<()> {
        let mut waiting = self.waiting(now);
        waiting.sort_unstable_by_key(|request| (request.arrival, request.row));
        self.scheduler = policy.build(&*self.device)?;
        if let Some(background) = &mut self.background {
            background.queue = policy.build(&*self.device)?;
        }
        for request in waiting {
            match &mut self.background {
                Some(background) if request.is_background => background.queue.push(request, &*self.device),
                _ => self.scheduler.push(request, &*self.device),
            }
        }
        Ok(())
    }

    /// Requests that the device has not taken in, or whose command is still being processed.
    #[must_use]
    pub fn not_ready(&self) -> usize {
        self.outside.iter().map(VecDeque::len).sum::<usize>() + self.accepted.len()
    }

    /// Makes a background request foreground, by its tag; one that is being served, or has been, stays as it is.
    pub fn promote(&mut self, tag: u32) {
        if let Some(request) = self.accepted.iter_mut().find(|request| request.tag == tag) {
            request.is_background = false;
            return;
        }
        let [urgent, others] = &mut self.outside;
        if let Some(at) = others.iter().position(|request| request.tag == tag) {
            let request = others.remove(at).expect("it has been found there");
            let came = |request: &Request| (request.arrival, request.row);
            let before = urgent.partition_point(|other| came(other) < came(&request));
            return urgent.insert(before, Request { is_background: false, ..request });
        }
        let Some(background) = &mut self.background else { return };
        let Some(at) = background.waiting.iter().position(|request| request.tag == tag) else { return };
        let request = background.waiting.swap_remove(at);
        background.queue.withdraw(&request, &*self.device);
        self.scheduler.push(Request { is_background: false, ..request }, &*self.device);
    }

    /// Starts to serve the next request if the device is free and one waits; returns its tag and what its
    /// service takes.
    pub fn dispatch(&mut self, now: Time) -> Option<(u32, &Service)> {
        if self.serving.is_some() || self.waiting == 0 {
            return None;
        }
        let request = self.next(now)?;
        self.waiting -= 1;
        self.pass_idle(now, IdleTime::until_request);
        self.service = self.device.serve(now, &request);
        let total = self.service.total();
        self.over_time.serve(now, total, &self.service.energy);
        self.free_since = now + total;
        self.count(&request, total);
        self.serving = Some(request);
        Some((request.tag, &self.service))
    }

    /// Nothing was served since the last service ended; `ended` is how that time ends.
    fn pass_idle(&mut self, now: Time, ended: fn(IdleTime) -> IdleTime) {
        if now > self.free_since {
            let idle = ended(self.device.idle(now - self.free_since));
            self.totals.idle_energy += idle.energy;
            self.over_time.idle(self.free_since, &idle);
            self.free_since = now;
        }
    }

    fn next(&mut self, now: Time) -> Option<Request> {
        let device = &*self.device;
        let Some(background) = &mut self.background else { return self.scheduler.pop(now, device) };
        // Each queue is told of what the other has served, for it may remember where the device is.
        if let Some(request) = self.scheduler.pop(now, device) {
            background.queue.served(&request, device);
            return Some(request);
        }
        let request = background.queue.pop(now, device)?;
        background.waiting.retain(|waiting| waiting.row != request.row);
        self.scheduler.served(&request, device);
        Some(request)
    }

    fn count(&mut self, request: &Request, total: Span) {
        let totals = &mut self.totals;
        let requests =
            if request.is_background { &mut totals.background_requests } else { &mut totals.requests };
        *requests += 1;
        let blocks =
            if request.op == Op::Read { &mut totals.blocks_read } else { &mut totals.blocks_written };
        *blocks += u64::from(request.blocks);
        totals.busy += total;
        totals.energy += self.service.energy;
    }

    /// The device is free again at `now`; returns the request that it has served, and when the host has it.
    pub fn finish(&mut self, now: Time) -> (Request, Time) {
        let request = self.serving.take().expect("a device is done with a request");
        let completion = self.device.complete(now, &request);
        self.totals.request_s += (completion - request.arrival).as_s();
        (request, completion)
    }

    /// The host has a request that the device had, which has room for another one then.
    pub fn leave(&mut self) {
        self.in_system -= 1;
        self.inside -= 1;
    }
}

#[cfg(test)]
mod tests;
