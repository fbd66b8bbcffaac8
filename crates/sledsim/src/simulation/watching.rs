//! What becomes of some requests: every part that devices have while one of them is on its way, and what each waited for
//! before it was sent.

use std::collections::{BTreeSet, HashMap};

use crate::device::Service;
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use crate::volume::Job;

/// What happened last before a part was sent or a request was complete: it is what they waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// A time has come that a volume had asked for, or the run has begun.
    #[default]
    Clock,
    /// A request of the host came: its row.
    Arrival(u32),
    /// The sender of a part had it back: its [number](WatchedPart::number).
    Part(u32),
}

/// Whom a part is for.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    /// The request of the host, if it is for one.
    pub row: Option<u32>,
    /// The jobs on the way from there, each with the number of its volume.
    pub jobs: Vec<(u32, Job)>,
}

/// A request as a device had it: one of the host, or a part of one, or of what a volume does for itself.
#[derive(Clone, Copy, Debug)]
pub struct WatchedPart {
    /// Its number in the order in which parts were sent; without volumes that of its row.
    pub number: u32,
    /// The device, in the order in which [stations](super::Simulation::stations) are listed.
    pub device: u32,
    /// The request of the host that it is of, if it is of one.
    pub row: Option<u32>,
    /// First block on the device.
    pub lbn: u64,
    /// How many.
    pub blocks: u32,
    /// Read or write.
    pub op: Op,
    /// Whether nobody waited for it when it was sent.
    pub is_background: bool,
    /// What it had waited for, and since when that was no more to be waited for.
    pub cause: (Cause, Time),
    /// When it was sent.
    pub sent: Time,
    /// When the data of a write began to cross the bus that members of a volume share; without one when it was sent.
    pub crossing: Time,
    /// When they had crossed it.
    pub crossed: Time,
    /// When the device had room for it.
    pub entered: Time,
    /// When its command was processed.
    pub ready: Time,
    /// When its service began, if it has.
    pub start: Option<Time>,
    /// That service.
    pub service: Service,
    /// How long the bus had data of others after that.
    pub bus_wait: Span,
    /// When its sender had it back, if it has.
    pub left: Option<Time>,
}

/// The end of a request that is watched.
#[derive(Clone, Copy, Debug)]
pub struct WatchedEnd {
    /// Its row.
    pub row: u32,
    /// When it came.
    pub arrival: Time,
    /// When it was complete.
    pub completion: Time,
    /// What it had waited for last, and since when that was no more to be waited for.
    pub cause: (Cause, Time),
}

/// What is known of requests that are watched.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// The parts that a device had while one of the requests was on its way, in no order.
    pub parts: Vec<WatchedPart>,
    /// Requests, and parts for others that served them, too, by their numbers.
    pub shared: Vec<(u32, u32)>,
    /// The requests that are complete, in the order of completion.
    pub ends: Vec<WatchedEnd>,
}

/// Follows some requests through a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    rows: BTreeSet<u32>,
    /// Those that are on their way, with when they came.
    on_their_way: HashMap<u32, Time>,
    /// What happened last, and when.
    cause: (Cause, Time),
    /// The causes of completions that are still to come, by volume and job.
    postponed: HashMap<(u32, Job), (Cause, Time)>,
    /// Parts on their way, by their tags, each with whether it has to be kept.
    going: HashMap<u32, (WatchedPart, bool)>,
    /// The numbers of the parts of every job that is not over, by volume and job.
    jobs: HashMap<(u32, Job), Vec<u32>>,
    seen: Watched,
}

impl Watch {
    /// Follows these rows.
    pub fn new(rows: impl IntoIterator<Item = u32>) -> Self {
        Self { rows: rows.into_iter().collect(), ..Self::default() }
    }

    /// Whether it is one of those that are followed.
    pub fn has(&self, row: u32) -> bool {
        self.rows.contains(&row)
    }

    /// A request of the host comes.
    pub fn arrive(&mut self, row: u32, now: Time) {
        self.cause = (Cause::Arrival(row), now);
        if self.has(row) {
            self.on_their_way.insert(row, now);
        }
    }

    /// A time has come that a volume had asked for.
    pub fn wake(&mut self, now: Time) {
        self.cause = (Cause::Clock, now);
    }

    /// What happened last, and when.
    pub fn cause(&self) -> (Cause, Time) {
        self.cause
    }

    /// What happens next is due to that: what lies between has crossed a bus.
    pub fn go_on(&mut self, cause: (Cause, Time)) {
        self.cause = cause;
    }

    /// A job of a volume will be complete later, for what has happened now.
    pub fn postpone(&mut self, node: u32, job: Job) {
        self.postponed.insert((node, job), self.cause);
    }

    /// It is complete now.
    pub fn resume(&mut self, node: u32, job: Job) {
        if let Some(cause) = self.postponed.remove(&(node, job)) {
            self.cause = cause;
        }
    }

    /// A request, or a part for somebody, sets off to a device: when it was sent, when its data began to cross, and when
    /// they were across.
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

    /// A device has a part, whose command is processed at `ready`.
    pub fn enter(&mut self, now: Time, tag: u32, ready: Time) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            (part.entered, part.ready) = (now, ready);
        }
    }

    /// The service of a part begins.
    pub fn serve(&mut self, now: Time, tag: u32, service: &Service) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            (part.start, part.service) = (Some(now), *service);
        }
    }

    /// The medium is done with a part, for which the bus has data of others so long.
    pub fn finish(&mut self, tag: u32, bus_wait: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait = bus_wait;
        }
    }

    /// What a part read gets the bus that members share, for which it has waited so long.
    pub fn wait_for_bus(&mut self, tag: u32, waited: Span) {
        if let Some((part, _)) = self.going.get_mut(&tag) {
            part.bus_wait += waited;
        }
    }

    /// The sender of a part has it back.
    pub fn leave(&mut self, now: Time, tag: u32) {
        let Some((part, is_kept)) = self.going.remove(&tag) else { return };
        self.cause = (Cause::Part(part.number), now);
        if is_kept || !self.on_their_way.is_empty() {
            self.seen.parts.push(WatchedPart { left: Some(now), ..part });
        }
    }

    /// Another job of a volume has served a request of the host, too: whoever it is, for others have waited for it.
    pub fn share(&mut self, row: u32, node: u32, work: Job) {
        let parts = self.jobs.get(&(node, work)).into_iter().flatten();
        self.seen.shared.extend(parts.map(|number| (row, *number)));
    }

    /// A job of a volume is over.
    pub fn forget(&mut self, node: u32, job: Job) {
        self.jobs.remove(&(node, job));
    }

    /// The host has a request.
    pub fn complete(&mut self, row: u32, now: Time) {
        let Some(arrival) = self.on_their_way.remove(&row) else { return };
        self.seen.ends.push(WatchedEnd { row, arrival, completion: now, cause: self.cause });
        // What is on its way now has been there while it was.
        self.going.values_mut().for_each(|(_, is_kept)| *is_kept = true);
    }

    /// What is known by now.
    pub fn seen(&self) -> Watched {
        let mut seen = self.seen.clone();
        seen.parts.extend(self.going.values().filter(|(_, is_kept)| *is_kept).map(|(part, _)| *part));
        seen.parts.sort_unstable_by_key(|part| part.number);
        seen
    }
}
