//! A station: a queue with a policy in front of one device.

mod account;
mod decisions;
mod flushes;
mod stalls;

use std::collections::VecDeque;

use crate::device::{Device, Passages, Passed, Service};
use crate::energy::{EnergyOverTime, IdleTime};
use crate::error::Result;
use crate::request::{Op, Request};
use crate::sched::{Policy, Scheduler};
use crate::time::{Span, Time};
pub(crate) use account::Account;
pub use account::Totals;
use decisions::Decisions;
pub use decisions::{Costs, Decision};

/// A device, and the queue of the requests that wait for it.
#[derive(Clone)]
pub struct Station {
    device: Box<dyn Device>,
    scheduler: Box<dyn Scheduler>,
    /// The queue of background requests, which are served only when no other request waits.
    background: Option<Background>,
    /// Requests that wait at the host until the device has room, each list in the order of arrival; the first
    /// list has foreground requests, the second has background requests.
    outside: [VecDeque<Request>; 2],
    /// Number of requests inside the device, up to the completion of each at the host; at most `most_inside`.
    inside: usize,
    most_inside: usize,
    /// True if the device may start no service although it is free (a stall); `resumes` is the end of the last stall.
    may_stall: bool,
    resumes: Time,
    /// Requests whose command the device is still processing, in the order of arrival.
    accepted: VecDeque<Request>,
    /// Flushes that wait, in order of arrival.
    flushes: VecDeque<Request>,
    /// Number of requests in the queues, with the flushes that wait.
    waiting: u32,
    serving: Option<Request>,
    /// The service that started last.
    service: Service,
    /// Times at which blocks of the write in service reach the medium; `None` if they are not recorded.
    passages: Option<Passages>,
    /// Decisions while watched requests waited; `None` if no request is watched.
    decisions: Option<Box<Decisions>>,
    in_system: u32,
    account: Account,
}

/// A queue of background requests.
#[derive(Clone)]
struct Background {
    queue: Box<dyn Scheduler>,
    /// The background requests in the queue, in no order.
    waiting: Vec<Request>,
}

impl Station {
    /// Creates an idle station with an empty queue.
    #[must_use]
    pub fn new(scheduler: Box<dyn Scheduler>, device: Box<dyn Device>) -> Self {
        Self {
            scheduler,
            background: None,
            outside: Default::default(),
            inside: 0,
            // The limit counts the requests that wait inside the device, and the request in service.
            most_inside: device.queue_depth().map_or(usize::MAX, |depth| depth + 1),
            may_stall: device.may_stall(),
            resumes: Time::ZERO,
            device,
            accepted: VecDeque::new(),
            flushes: VecDeque::new(),
            waiting: 0,
            serving: None,
            service: Service::default(),
            passages: None,
            decisions: None,
            in_system: 0,
            account: Account::default(),
        }
    }

    /// Gives the station a second queue for background requests, with the policy `scheduler`.
    #[must_use]
    pub fn with_background(self, scheduler: Box<dyn Scheduler>) -> Self {
        Self { background: Some(Background { queue: scheduler, waiting: Vec::new() }), ..self }
    }

    /// True if requests are always served in the order of arrival, and none of them ever waits for room in the device.
    pub(crate) fn is_in_order(&self) -> bool {
        self.has_room_for_all()
            && !self.may_stall
            && self.background.is_none()
            && self.scheduler.is_in_order()
    }

    /// Ends the station; returns its device and the account of the device.
    pub(crate) fn into_device(self) -> (Box<dyn Device>, Account) {
        (self.device, self.account)
    }

    /// Begins a run at `now`, with an empty account.
    pub fn begin(&mut self, now: Time) {
        self.account.begin(now);
        self.device.begin(now);
    }

    /// Ends the run at `now`, and adds the idle time until then to the account.
    pub fn end(&mut self, now: Time) {
        self.account.pass_idle(now, &*self.device, |idle| idle);
    }

    /// The device of the station.
    #[must_use]
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// Number of requests that have arrived and are not complete.
    #[must_use]
    pub fn in_system(&self) -> u32 {
        self.in_system
    }

    /// Totals of the device and its queue up to now.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.account.totals
    }

    /// Ends the station; returns the energy of its device in intervals of time.
    #[must_use]
    pub fn into_over_time(self) -> EnergyOverTime {
        self.account.over_time
    }

    /// Accepts a request that arrives at `now`. Returns the time at which its command is processed, or `None`
    /// if the device has no room: the request then waits at the host to be [let in](Self::let_in).
    pub fn accept(&mut self, now: Time, request: Request) -> Option<Time> {
        self.in_system += 1;
        if !self.has_room_for_all() {
            let last = usize::from(request.is_background && self.background.is_some());
            let others = self.outside[..=last].iter().any(|waiting| !waiting.is_empty());
            if others || self.inside >= self.most_inside || self.is_flushing() {
                self.outside[last].push_back(request);
                return None;
            }
        }
        Some(self.enter(now, request))
    }

    /// Lets the next request that waits at the host into the device, if the device has room. Returns the tag
    /// of the request and the time at which its command is processed.
    #[inline]
    pub fn let_in(&mut self, now: Time) -> Option<(u32, Time)> {
        if self.has_room_for_all() || self.inside >= self.most_inside || self.is_flushing() {
            return None;
        }
        self.let_next_in(now)
    }

    /// True if no request ever waits at the host, because the device always has room.
    #[inline]
    fn has_room_for_all(&self) -> bool {
        self.most_inside == usize::MAX
    }

    fn let_next_in(&mut self, now: Time) -> Option<(u32, Time)> {
        let request = self.outside.iter_mut().find_map(VecDeque::pop_front)?;
        Some((request.tag, self.enter(now, request)))
    }

    /// Passes a request to the device. At the time returned, its command is processed, and it must be
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

    /// Moves the request whose command is processed at `now` to the requests that wait for service.
    pub fn admit(&mut self, now: Time) {
        let request = self.accepted.pop_front().expect("every admission follows an acceptance");
        self.queue(now, request);
    }

    fn queue(&mut self, now: Time, mut request: Request) {
        self.device.admit(now, &mut request);
        if let Some(decisions) = &mut self.decisions {
            decisions.wait(&request);
        }
        match &mut self.background {
            Some(background) if request.is_background => {
                background.waiting.push(request);
                background.queue.push(request, &*self.device);
            }
            _ => self.scheduler.push(request, &*self.device),
        }
        self.waiting += 1;
    }

    /// The request in service; `None` if the device is free.
    #[must_use]
    pub fn serving(&self) -> Option<&Request> {
        self.serving.as_ref()
    }

    /// The service in progress or, if the device is free, the last service.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Starts to record when blocks of writes reach the medium.
    pub fn note_passages(&mut self) {
        self.passages = Some(Passages::default());
    }

    /// Starts to record the decisions of the policy while the request with the number `row`, still to arrive, waits.
    pub fn watch(&mut self, row: u32) {
        self.decisions.get_or_insert_default().watch(row);
    }

    /// The decisions made while watched requests waited, in the order of time.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        self.decisions.as_ref().map_or(&[], |decisions| decisions.made())
    }

    /// The write in service, and the blocks that a power failure at `now` would leave written or torn; `None` if not
    /// recorded.
    #[must_use]
    pub fn interrupted(&self, now: Time) -> Option<(&Request, Passed)> {
        let request =
            self.serving.as_ref().filter(|request| request.op == Op::Write && !request.is_flush())?;
        Some((request, self.passages.as_ref()?.at(now)))
    }

    /// Earliest time, `now` or later, at which the device can start the next service.
    #[must_use]
    pub fn free_from(&self, now: Time) -> Time {
        let free = if self.serving.is_some() { self.account.free_since.max(now) } else { now };
        self.device.ready_from(free)
    }

    /// The requests that wait for service, flushes first, then foreground, each kind in
    /// the order in which the policy would serve it if the device kept its position.
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
        let flushes = self.flushes.iter().copied();
        flushes.chain(drained(&*self.scheduler)).chain(background).collect()
    }

    /// Replaces the policy in front of the device; waiting requests move to the new one in the order of arrival.
    ///
    /// # Errors
    /// An option of the policy is invalid.
    pub fn change_policy(&mut self, now: Time, policy: &Policy) -> Result<()> {
        let mut waiting = self.waiting(now).split_off(self.flushes.len());
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

    /// Number of requests that wait at the host, or whose command the device is still processing.
    #[must_use]
    pub fn not_ready(&self) -> usize {
        self.outside.iter().map(VecDeque::len).sum::<usize>() + self.accepted.len()
    }

    /// Changes the background request with the tag `tag` to foreground, unless it is in service or was served.
    pub fn promote(&mut self, tag: u32) {
        if let Some(request) = self.accepted.iter_mut().find(|request| request.tag == tag) {
            request.is_background = false;
            return;
        }
        let [urgent, others] = &mut self.outside;
        if let Some(at) = others.iter().position(|request| request.tag == tag) {
            let request = others.remove(at).expect("the request was found in this list");
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

    /// Starts to serve the next request, if the device is free and a request waits; returns the tag and the
    /// service of the request.
    pub fn dispatch(&mut self, now: Time) -> Option<(u32, &Service)> {
        if self.serving.is_some() || self.waiting == 0 || self.may_stall && self.is_stalled(now) {
            return None;
        }
        // A device with a queue of limited depth first serves what it has.
        if self.flushes.is_empty() || !self.has_room_for_all() && self.inside > 0 {
            self.start(now)
        } else {
            self.start_flush(now)
        }
    }

    /// Starts the request that the policy chooses.
    #[inline]
    fn start(&mut self, now: Time) -> Option<(u32, &Service)> {
        let request = self.next(now)?;
        if let Some(decisions) = &mut self.decisions {
            decisions.decide(now, &*self.device, &request, self.waiting);
        }
        self.waiting -= 1;
        self.account.pass_idle(now, &*self.device, IdleTime::until_request);
        self.service = match &mut self.passages {
            None => self.device.serve(now, &request),
            Some(passages) => {
                passages.clear();
                self.device.serve_noting(now, &request, passages)
            }
        };
        self.account.serve(now, &request, &self.service);
        self.serving = Some(request);
        Some((request.tag, &self.service))
    }

    fn next(&mut self, now: Time) -> Option<Request> {
        let device = &*self.device;
        let Some(background) = &mut self.background else { return self.scheduler.pop(now, device) };
        // Each queue learns of the services from the other, because its policy may remember the position of
        // the device.
        if let Some(request) = self.scheduler.pop(now, device) {
            background.queue.served(&request, device);
            return Some(request);
        }
        let request = background.queue.pop(now, device)?;
        background.waiting.retain(|waiting| waiting.row != request.row);
        self.scheduler.served(&request, device);
        Some(request)
    }

    /// Ends the service at `now`; returns the request that was served, and the time at which the host has its data.
    pub fn finish(&mut self, now: Time) -> (Request, Time) {
        let request = self.serving.take().expect("a device is done with a request");
        let completion = self.device.complete(now, &request);
        self.account.finish(&request, completion);
        (request, completion)
    }

    /// Time for which the data of the request served last waited, while the bus carried other data.
    pub fn waited_for_bus(&self, request: &Request) -> Span {
        self.device.waited_for_bus(request)
    }

    /// Removes a request from the device, because the host has its data. The device then has room for another one.
    pub fn leave(&mut self) {
        self.in_system -= 1;
        self.inside -= 1;
    }
}

#[cfg(test)]
mod tests;
