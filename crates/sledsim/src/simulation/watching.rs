//! The history of followed requests: all parts at devices while one of these requests is outstanding, and the
//! cause of each wait.
//! each wait.

use std::collections::{BTreeSet, HashMap};

use crate::device::Service;
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use crate::volume::Job;

/// The event that ended the wait of a part before it was sent, or of a request before it was complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// A wake for which a volume had asked, or the start of the run.
    #[default]
    Clock,
    /// The arrival of a request of the host; the value is the number of the request in the record.
    Arrival(u32),
    /// The completion of a part; the value is the [number](WatchedPart::number) of the part.
    Part(u32),
}

/// The owners of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    /// Number of the host's request in the record; `None` if the part belongs to no request.
    pub row: Option<u32>,
    /// Jobs on the way from the host's request to the part, each with the number of its volume.
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
    /// The event by which the part could be sent, and the time of this event.
    pub cause: (Cause, Time),
    /// Time at which the part was sent.
    pub sent: Time,
    /// Time at which the data of a write began to cross the shared bus; the time of sending without such a bus.
    pub crossing: Time,
    /// Time at which the data of a write had crossed the shared bus; the time of sending without such a bus.
    pub crossed: Time,
    /// Time at which the part entered the device, which then had room.
    pub entered: Time,
    /// Time at which the command of the part was processed.
    pub ready: Time,
    /// Time at which the service started; `None` before.
    pub start: Option<Time>,
    /// Phases of the service.
    pub service: Service,
    /// Time after the service for which the data of the part waited, while the bus carried other data.
    pub bus_wait: Span,
    /// Time at which the part was complete; `None` before.
    pub left: Option<Time>,
}

/// The completion of a followed request.
#[derive(Clone, Copy, Debug)]
pub struct WatchedEnd {
    /// Number of the request in the record.
    pub row: u32,
    /// Time at which the request arrived.
    pub arrival: Time,
    /// Time at which the request was complete.
    pub completion: Time,
    /// The event by which the request was completed, and the time of this event.
    pub cause: (Cause, Time),
}

/// The observations of followed requests.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Parts that were at devices while a followed request was outstanding, in the order of their numbers.
    pub parts: Vec<WatchedPart>,
    /// Pairs of numbers: a request, and a part for another request that also served the first.
    pub shared: Vec<(u32, u32)>,
    /// Completions of followed requests, in order of completion.
    pub ends: Vec<WatchedEnd>,
}

/// The state of the requests that are followed through a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    rows: BTreeSet<u32>,
    /// Followed requests that are outstanding, with the time of arrival of each.
    on_their_way: HashMap<u32, Time>,
    /// The last event, and its time.
    cause: (Cause, Time),
    /// The events that caused completions still to come, by volume and job.
    postponed: HashMap<(u32, Job), (Cause, Time)>,
    /// Outstanding parts by tag; the value is true if the part must be kept for a followed request.
    going: HashMap<u32, (WatchedPart, bool)>,
    /// Numbers of the parts of every incomplete job, by volume and job.
    jobs: HashMap<(u32, Job), Vec<u32>>,
    seen: Watched,
}

impl Watch {
    /// Follows the requests with the numbers `rows`.
    pub fn new(rows: impl IntoIterator<Item = u32>) -> Self {
        Self { rows: rows.into_iter().collect(), ..Self::default() }
    }

    /// True if the request with the number `row` is followed.
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

    /// Records a wake for which a volume had asked.
    pub fn wake(&mut self, now: Time) {
        self.cause = (Cause::Clock, now);
    }

    /// The last event, and its time.
    pub fn cause(&self) -> (Cause, Time) {
        self.cause
    }

    /// Continues with an earlier event as the cause of what follows, after data have crossed a bus.
    pub fn go_on(&mut self, cause: (Cause, Time)) {
        self.cause = cause;
    }

    /// Records that the present event causes the completion of a job of a volume at a later time.
    pub fn postpone(&mut self, node: u32, job: Job) {
        self.postponed.insert((node, job), self.cause);
    }

    /// Records that a job completes now whose completion an earlier event caused.
    pub fn resume(&mut self, node: u32, job: Job) {
        if let Some(cause) = self.postponed.remove(&(node, job)) {
            self.cause = cause;
        }
    }

    /// Records a request or part that is sent to a device: when it was sent, when its transfer over the
    /// shared bus began, and when this transfer ended.
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

    /// Records that a part enters a device, which will have processed its command at `ready`.
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

    /// Records that the medium has finished a part, whose data then wait for the time `bus_wait` for the bus.
    pub fn finish(&mut self, tag: u32, bus_wait: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait = bus_wait;
        }
    }

    /// Records that the data of a read get the shared bus after they waited for the time `waited`.
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

    /// Records that the job `work` of the volume `node` also served the host's request `row`. The request may
    /// be followed or not, because other requests may have waited for it.
    pub fn share(&mut self, row: u32, node: u32, work: Job) {
        let parts = self.jobs.get(&(node, work)).into_iter().flatten();
        self.seen.shared.extend(parts.map(|number| (row, *number)));
    }

    /// Records that a job of a volume has ended.
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

    /// The observations so far, with the parts in the order of their numbers.
    pub fn seen(&self) -> Watched {
        let mut seen = self.seen.clone();
        seen.parts.extend(self.going.values().filter(|(_, is_kept)| *is_kept).map(|(part, _)| *part));
        seen.parts.sort_unstable_by_key(|part| part.number);
        seen
    }
}
