//! The history of some requests: every part at devices while one of these requests is outstanding, and the cause of
//! each wait.

use std::collections::{BTreeSet, HashMap};

use crate::device::Service;
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use crate::volume::Job;

/// The last event before a part was sent or a request completed, for which it had waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// A time that a volume had asked for, or the start of the run.
    #[default]
    Clock,
    /// The arrival of a request of the host, by its row.
    Arrival(u32),
    /// The return of a part to its sender, by its [number](WatchedPart::number).
    Part(u32),
}

/// The owners of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    /// Row of the host's request, if the part belongs to one.
    pub row: Option<u32>,
    /// Jobs on the path from that request, each with the number of its volume.
    pub jobs: Vec<(u32, Job)>,
}

/// A request at a device: one of the host, a part of one, or a part of a volume's own work.
#[derive(Clone, Copy, Debug)]
pub struct WatchedPart {
    /// Number in order of sending; without volumes, the row of the request.
    pub number: u32,
    /// Index of the device in the order of the [stations](super::Simulation::stations).
    pub device: u32,
    /// Row of the host's request, if the part belongs to one.
    pub row: Option<u32>,
    /// First block on the device.
    pub lbn: u64,
    /// Number of blocks.
    pub blocks: u32,
    /// Operation: read or write.
    pub op: Op,
    /// True if no request waited for the part when it was sent.
    pub is_background: bool,
    /// The event that the part had waited for, and its time.
    pub cause: (Cause, Time),
    /// Time of sending.
    pub sent: Time,
    /// Start of the data transfer of a write over the shared bus; the time of sending without such a bus.
    pub crossing: Time,
    /// End of the data transfer over the shared bus.
    pub crossed: Time,
    /// Time at which the device had room for the part.
    pub entered: Time,
    /// Time at which the command was processed.
    pub ready: Time,
    /// Start of the service, if it has started.
    pub start: Option<Time>,
    /// Phases of the service.
    pub service: Service,
    /// Time after the service during which the bus carried other data.
    pub bus_wait: Span,
    /// Time of the return to the sender, if it has returned.
    pub left: Option<Time>,
}

/// The end of a followed request.
#[derive(Clone, Copy, Debug)]
pub struct WatchedEnd {
    /// Row of the request.
    pub row: u32,
    /// Time of arrival.
    pub arrival: Time,
    /// Time of completion.
    pub completion: Time,
    /// The event that the request had waited for last, and its time.
    pub cause: (Cause, Time),
}

/// Observations of followed requests.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Parts at devices while one of the requests was outstanding, in no order.
    pub parts: Vec<WatchedPart>,
    /// Pairs of a request and a part for another request that also served it, by their numbers.
    pub shared: Vec<(u32, u32)>,
    /// Complete requests, in order of completion.
    pub ends: Vec<WatchedEnd>,
}

/// Follows some requests through a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    rows: BTreeSet<u32>,
    /// Outstanding followed requests, with their arrival times.
    on_their_way: HashMap<u32, Time>,
    /// The last event and its time.
    cause: (Cause, Time),
    /// The causes of completions that are still to come, by volume and job.
    postponed: HashMap<(u32, Job), (Cause, Time)>,
    /// Outstanding parts by tag, each with true if it has to be kept.
    going: HashMap<u32, (WatchedPart, bool)>,
    /// Numbers of the parts of every unfinished job, by volume and job.
    jobs: HashMap<(u32, Job), Vec<u32>>,
    seen: Watched,
}

impl Watch {
    /// Follows the requests of these rows.
    pub fn new(rows: impl IntoIterator<Item = u32>) -> Self {
        Self { rows: rows.into_iter().collect(), ..Self::default() }
    }

    /// True if the request of this row is followed.
    pub fn has(&self, row: u32) -> bool {
        self.rows.contains(&row)
    }

    /// Notes the arrival of a request of the host.
    pub fn arrive(&mut self, row: u32, now: Time) {
        self.cause = (Cause::Arrival(row), now);
        if self.has(row) {
            self.on_their_way.insert(row, now);
        }
    }

    /// Notes that a time has come that a volume had asked for.
    pub fn wake(&mut self, now: Time) {
        self.cause = (Cause::Clock, now);
    }

    /// The last event and its time.
    pub fn cause(&self) -> (Cause, Time) {
        self.cause
    }

    /// Sets the cause of the next events: in between, data crossed a bus.
    pub fn go_on(&mut self, cause: (Cause, Time)) {
        self.cause = cause;
    }

    /// Notes that a job of a volume will complete later because of the present event.
    pub fn postpone(&mut self, node: u32, job: Job) {
        self.postponed.insert((node, job), self.cause);
    }

    /// Notes that a postponed job completes now.
    pub fn resume(&mut self, node: u32, job: Job) {
        if let Some(cause) = self.postponed.remove(&(node, job)) {
            self.cause = cause;
        }
    }

    /// Notes that a request or a part is sent to a device: the times of sending, of the start of its data
    /// transfer and of its end.
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

    /// Notes that a device has a part, with its command processed at `ready`.
    pub fn enter(&mut self, now: Time, tag: u32, ready: Time) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            (part.entered, part.ready) = (now, ready);
        }
    }

    /// Notes that the service of a part begins.
    pub fn serve(&mut self, now: Time, tag: u32, service: &Service) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            (part.start, part.service) = (Some(now), *service);
        }
    }

    /// Notes that the medium is done with a part, which then waits `bus_wait` for the bus.
    pub fn finish(&mut self, tag: u32, bus_wait: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait = bus_wait;
        }
    }

    /// Notes that the data of a read part get the shared bus after a wait of `waited`.
    pub fn wait_for_bus(&mut self, tag: u32, waited: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait += waited;
        }
    }

    /// Notes the return of a part to its sender.
    pub fn leave(&mut self, now: Time, tag: u32) {
        let Some((part, is_kept)) = self.going.remove(&tag) else { return };
        self.cause = (Cause::Part(part.number), now);
        if is_kept || !self.on_their_way.is_empty() {
            self.seen.parts.push(WatchedPart { left: Some(now), ..part });
        }
    }

    /// Notes that another job of a volume also served a request of the host, followed or not: other requests
    /// have waited for it.
    pub fn share(&mut self, row: u32, node: u32, work: Job) {
        let parts = self.jobs.get(&(node, work)).into_iter().flatten();
        self.seen.shared.extend(parts.map(|number| (row, *number)));
    }

    /// Notes the end of a job of a volume.
    pub fn forget(&mut self, node: u32, job: Job) {
        self.jobs.remove(&(node, job));
    }

    /// Notes the completion of a request.
    pub fn complete(&mut self, row: u32, now: Time) {
        let Some(arrival) = self.on_their_way.remove(&row) else { return };
        self.seen.ends.push(WatchedEnd { row, arrival, completion: now, cause: self.cause });
        // All parts now outstanding overlap the request.
        self.going.values_mut().for_each(|(_, is_kept)| *is_kept = true);
    }

    /// The observations so far.
    pub fn seen(&self) -> Watched {
        let mut seen = self.seen.clone();
        seen.parts.extend(self.going.values().filter(|(_, is_kept)| *is_kept).map(|(part, _)| *part));
        seen.parts.sort_unstable_by_key(|part| part.number);
        seen
    }
}
