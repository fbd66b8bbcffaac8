//! The histories of watched requests: all parts that were at devices while such a request was outstanding, and the
//! cause of every wait.

use std::collections::{BTreeSet, HashMap};

use crate::device::Service;
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use crate::volume::Job;

/// The event that ended a wait: the wait of a part until it was sent, or of a request until it was complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// A wake-up that a volume had requested, or the start of the run.
    #[default]
    Clock,
    /// The arrival of a request of the host; the value is the number of the request in the record.
    Arrival(u32),
    /// The completion of a part; the value is the [number](WatchedPart::number) of the part.
    Part(u32),
}

/// The request and the jobs to which a part belongs.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    /// Number of the host's request in the record; `None` if the part belongs to no request.
    pub row: Option<u32>,
    /// Jobs from the host's request down to the part; each has the number of its volume and its number there.
    pub jobs: Vec<(u32, Job)>,
}

/// A request at a device: a request of the host, a part of such a request, or a part of a volume's own work.
#[derive(Clone, Copy, Debug)]
pub struct WatchedPart {
    /// Number in the order of sending; without volumes, the number of the request in the record.
    pub number: u32,
    /// Number of the device in the list of [stations](super::Simulation::stations).
    pub device: u32,
    /// Number of the host's request in the record; `None` if the part belongs to no request.
    pub row: Option<u32>,
    /// First block of the request, on the device.
    pub lbn: u64,
    /// Number of blocks of the request.
    pub blocks: u32,
    /// Operation: read or write.
    pub op: Op,
    /// True if no request of the host waited for the part when it was sent.
    pub is_background: bool,
    /// The event that let the part be sent, and the time of this event.
    pub cause: (Cause, Time),
    /// Time at which the part was sent.
    pub sent: Time,
    /// Time at which the data of a write began to cross the bus that members share; without such a bus, the time of
    /// sending.
    pub crossing: Time,
    /// Time at which the data of a write had crossed the bus that members share; without such a bus, the time of
    /// sending.
    pub crossed: Time,
    /// Time at which the part entered the device, after the device had room.
    pub entered: Time,
    /// Time at which the command of the part was processed.
    pub ready: Time,
    /// Time at which the service started; `None` before.
    pub start: Option<Time>,
    /// Phases of the service.
    pub service: Service,
    /// Time for which the data of the part waited for a bus, after the medium had finished the part.
    pub bus_wait: Span,
    /// Time at which the part was complete; `None` before.
    pub left: Option<Time>,
}

/// The completion of a watched request.
#[derive(Clone, Copy, Debug)]
pub struct WatchedEnd {
    /// Number of the request in the record.
    pub row: u32,
    /// Time at which the request arrived.
    pub arrival: Time,
    /// Time at which the request was complete.
    pub completion: Time,
    /// The event that completed the request, and the time of this event.
    pub cause: (Cause, Time),
}

/// The histories of watched requests.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Parts that were at devices while a watched request was outstanding, in the order of their numbers.
    pub parts: Vec<WatchedPart>,
    /// Pairs of a request and a part: the request's number in the record, and the number of a part that was sent for
    /// another request but also served this one.
    pub shared: Vec<(u32, u32)>,
    /// Completions of watched requests, in order.
    pub ends: Vec<WatchedEnd>,
}

/// State of the recording of watched requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    rows: BTreeSet<u32>,
    /// Outstanding watched requests, each with its time of arrival.
    on_their_way: HashMap<u32, Time>,
    /// The last event, and its time.
    cause: (Cause, Time),
    /// Events that completed a job at a later time than their own, by volume and job.
    postponed: HashMap<(u32, Job), (Cause, Time)>,
    /// Outstanding parts by tag. The second value is true if the part was outstanding together with a watched request
    /// that is already complete.
    going: HashMap<u32, (WatchedPart, bool)>,
    /// Numbers of the parts sent for each incomplete job, by volume and job.
    jobs: HashMap<(u32, Job), Vec<u32>>,
    seen: Watched,
}

impl Watch {
    /// Starts to watch the requests with the numbers `rows`.
    pub fn new(rows: impl IntoIterator<Item = u32>) -> Self {
        Self { rows: rows.into_iter().collect(), ..Self::default() }
    }

    /// True if the request with the number `row` is watched.
    pub fn has(&self, row: u32) -> bool {
        self.rows.contains(&row)
    }

    /// Records that the host's request `row` arrives.
    pub fn arrive(&mut self, row: u32, now: Time) {
        self.cause = (Cause::Arrival(row), now);
        if self.has(row) {
            self.on_their_way.insert(row, now);
        }
    }

    /// Records a wake-up that a volume had requested.
    pub fn wake(&mut self, now: Time) {
        self.cause = (Cause::Clock, now);
    }

    /// The last event, and its time.
    pub fn cause(&self) -> (Cause, Time) {
        self.cause
    }

    /// Sets the event that counts as the cause of what follows. After a transfer over a bus, this is the event before
    /// the transfer.
    pub fn go_on(&mut self, cause: (Cause, Time)) {
        self.cause = cause;
    }

    /// Records that the job `job` will complete at a later time because of the present event.
    pub fn postpone(&mut self, node: u32, job: Job) {
        self.postponed.insert((node, job), self.cause);
    }

    /// Sets the event that [`postpone`](Self::postpone) recorded for the job `job` as the present event, because the
    /// job completes now.
    pub fn resume(&mut self, node: u32, job: Job) {
        if let Some(cause) = self.postponed.remove(&(node, job)) {
            self.cause = cause;
        }
    }

    /// Records that a request or part was sent to a device. The times are those of sending, of the start of its
    /// transfer over the shared bus, and of the end of this transfer.
    pub fn send(
        &mut self,
        [sent, crossing, crossed]: [Time; 3],
        device: u32,
        owners: Owners,
        request: &Request,
    ) {
        for job in owners.jobs {
            self.jobs.entry(job).or_default().push(request.row);
        }
        let part = WatchedPart {
            number: request.row,
            device,
            row: owners.row,
            lbn: request.lbn,
            blocks: request.blocks,
            op: request.op,
            is_background: request.is_background,
            cause: self.cause,
            sent,
            crossing,
            crossed,
            entered: Time::MAX,
            ready: Time::MAX,
            start: None,
            service: Service::default(),
            bus_wait: Span::ZERO,
            left: None,
        };
        self.going.insert(request.tag, (part, false));
    }

    /// Records that a part enters a device, which will have processed the command of the part at `ready`.
    pub fn enter(&mut self, now: Time, tag: u32, ready: Time) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            (part.entered, part.ready) = (now, ready);
        }
    }

    /// Records that the service of a part begins.
    pub fn serve(&mut self, now: Time, tag: u32, service: &Service) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            (part.start, part.service) = (Some(now), *service);
        }
    }

    /// Records that the medium has finished a part, and that the data of the part wait for the bus for the duration
    /// `bus_wait`.
    pub fn finish(&mut self, tag: u32, bus_wait: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait = bus_wait;
        }
    }

    /// Records that the data of a read have waited for the shared bus for the duration `waited`.
    pub fn wait_for_bus(&mut self, tag: u32, waited: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait += waited;
        }
    }

    /// Records that a part is complete.
    pub fn leave(&mut self, now: Time, tag: u32) {
        let Some((part, is_kept)) = self.going.remove(&tag) else { return };
        self.cause = (Cause::Part(part.number), now);
        if is_kept || !self.on_their_way.is_empty() {
            self.seen.parts.push(WatchedPart { left: Some(now), ..part });
        }
    }

    /// Records that the parts of the job `work` of the volume `node` also served the host's request `row`. This is
    /// recorded for every request, because a watched request may have waited for an unwatched one.
    pub fn share(&mut self, row: u32, node: u32, work: Job) {
        let parts = self.jobs.get(&(node, work)).into_iter().flatten();
        self.seen.shared.extend(parts.map(|number| (row, *number)));
    }

    /// Drops the parts of the job `job` of the volume `node`, which has ended.
    pub fn forget(&mut self, node: u32, job: Job) {
        self.jobs.remove(&(node, job));
    }

    /// Records that the host's request `row` is complete.
    pub fn complete(&mut self, row: u32, now: Time) {
        let Some(arrival) = self.on_their_way.remove(&row) else { return };
        self.seen.ends.push(WatchedEnd { row, arrival, completion: now, cause: self.cause });
        // All parts that are now outstanding overlap the request.
        self.going.values_mut().for_each(|(_, is_kept)| *is_kept = true);
    }

    /// The histories recorded so far; parts are in the order of their numbers.
    pub fn seen(&self) -> Watched {
        let mut seen = self.seen.clone();
        seen.parts.extend(self.going.values().filter(|(_, is_kept)| *is_kept).map(|(part, _)| *part));
        seen.parts.sort_unstable_by_key(|part| part.number);
        seen
    }
}
