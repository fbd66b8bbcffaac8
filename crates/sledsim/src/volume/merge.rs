//! The volume that merges adjacent requests into one (003-F10).

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Hold, Io, Job, Part, Promises, Ranges, RoleRow, Ticket, Urgency, Volume, VolumeKind, VolumeRequest,
    VolumeRow,
};
use crate::counts::counts;
use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::options::{OptionRow, Options};
use crate::request::Op;
use crate::slab::Slab;
use crate::time::{Span, Time};

/// Entry of the merging queue in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "merge",
    "one device behind a queue that merges adjacent requests of one direction (read or write); background requests are sent after all others",
    VolumeKind {
        roles: &[RoleRow::one("device", "osdi00", "the device that serves the requests")],
        counters: &[Counts::COUNTERS],
        promises: Promises::OVER_ONE,
        build: |options, members| Ok(Box::new(Merge::new(options, members[0][0])?)),
    },
)
.source("003-F10")
.options(&[&[
    OptionRow::whole(
        "depth",
        "2",
        [1, 1 << 20],
        "largest number of requests outstanding at the device. 2: the device processes the next command while it serves a request; more: the device's own policy can choose among requests, but fewer requests wait in the queue to be merged",
    ),
    OptionRow::whole("most_kib", "512", [1, 1 << 20], "largest size of a merged request").unit("KiB"),
    OptionRow::number(
        "hold_ms",
        "0",
        [0.0, 1e6],
        "shortest time for which a request waits in the queue, so that other requests can be merged with it",
    )
    .unit("ms"),
]]);

/// Number of sectors of a unit in the index that finds overlapping requests.
const UNIT: u64 = 64;

/// A request of the merging queue: it waits, or is in flight to the device.
#[derive(Clone, Copy)]
struct Asked {
    job: Job,
    first: u64,
    end: u64,
    op: Op,
    metadata: bool,
    urgency: Urgency,
    since: Time,
    /// Sequence number in the order of arrival.
    order: u64,
    ticket: Ticket,
    place: Progress,
}

/// Progress of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The request waits until earlier requests that overlap it are complete.
    Waits,
    /// The request is in the queue for the device.
    Queued,
    /// The request is in flight to the device, possibly merged with others. The value is the number of the oldest of
    /// these requests.
    Sent(u32),
}

impl Asked {
    /// Class of the request: urgency, operation, and whether it is for metadata. Only requests of the same class can be
    /// merged.
    fn class(&self) -> u8 {
        (self.urgency as u8) << 2 | u8::from(self.op == Op::Write) << 1 | u8::from(self.metadata)
    }

    fn sectors(&self) -> u64 {
        self.end - self.first
    }
}

/// Requests that may be sent to the device: for each class by first sector (`starts`) and by the sector behind the last
/// (`ends`), and for each urgency by order of arrival.
#[derive(Clone, Default)]
struct Queue {
    starts: BTreeSet<(u8, u64, u32)>,
    ends: BTreeSet<(u8, u64, u32)>,
    orders: [BTreeMap<u64, u32>; 2],
}

impl Queue {
    fn add(&mut self, number: u32, asked: &Asked) {
        self.starts.insert((asked.class(), asked.first, number));
        self.ends.insert((asked.class(), asked.end, number));
        self.orders[asked.urgency as usize].insert(asked.order, number);
    }

    fn remove(&mut self, number: u32, asked: &Asked) {
        self.starts.remove(&(asked.class(), asked.first, number));
        self.ends.remove(&(asked.class(), asked.end, number));
        self.orders[asked.urgency as usize].remove(&asked.order);
    }

    fn oldest(&self, urgency: Urgency) -> Option<u32> {
        self.orders[urgency as usize].first_key_value().map(|(_, number)| *number)
    }
}

/// Finds a request of the class `class` at the sector `place`: in `Queue::starts`, one that starts there; in
/// `Queue::ends`, one that ends there.
fn at(places: &BTreeSet<(u8, u64, u32)>, class: u8, place: u64) -> Option<u32> {
    places.range((class, place, 0)..=(class, place, u32::MAX)).next().map(|(.., number)| *number)
}

counts! {
    /// Counts of the merging queue.
    Counts {
        /// requests that the volume sent to the device; each may combine several requests of the host
        sent_requests: u64,
        /// requests of the host that were merged into an earlier request
        merged_requests: u64,
    }
}

/// A volume over one device, with a queue that merges adjacent requests.
#[derive(Clone)]
struct Merge {
    sectors: u64,
    depth: u32,
    most: u64,
    hold: Span,
    asked: Slab<Asked>,
    arrived: u64,
    /// Ranges of sectors of all requests. Of two overlapping requests, the later one waits for the earlier one, because
    /// merging may change the order.
    ranges: Ranges,
    ready: Vec<u64>,
    queue: Queue,
    /// Requests in flight to the device; those that were merged into one are in one element, the oldest first.
    sent: Slab<Vec<u32>>,
    /// Number of parts in flight to the device, for each urgency. The option `depth` limits each of the two numbers.
    on_their_way: [u32; 2],
    alarm: Option<Time>,
    counts: Counts,
}

impl Merge {
    fn new(options: &Options, sectors: u64) -> Result<Self> {
        let most_kib = options.whole("most_kib")?;
        let hold_ms = options.number("hold_ms")?;
        Ok(Self {
            sectors,
            depth: options.whole("depth")? as u32,
            most: most_kib * 1024 / SECTOR_BYTES,
            hold: Span::from_s(hold_ms * 1e-3),
            asked: Slab::default(),
            arrived: 0,
            ranges: Ranges::new(UNIT),
            ready: Vec::new(),
            queue: Queue::default(),
            sent: Slab::default(),
            on_their_way: [0; 2],
            alarm: None,
            counts: Counts::default(),
        })
    }

    /// Sends requests from the queue to the device, as long as fewer than `depth` are in flight to the device;
    /// foreground requests first.
    fn feed(&mut self, now: Time, io: &mut Io) {
        for urgency in [Urgency::Foreground, Urgency::Background] {
            while self.on_their_way[urgency as usize] < self.depth {
                let Some(oldest) = self.queue.oldest(urgency) else { break };
                let until = self.asked.get(oldest).since + self.hold;
                if until > now {
                    self.wake(until, io);
                    break;
                }
                self.send(oldest, io);
            }
        }
    }

    fn wake(&mut self, at: Time, io: &mut Io) {
        if self.alarm.is_none_or(|alarm| alarm > at) {
            self.alarm = Some(at);
            io.wake(at, 0);
        }
    }

    /// Sends the request `oldest`, merged with requests of the queue that directly precede or follow its sectors.
    fn send(&mut self, oldest: u32, io: &mut Io) {
        let lead = *self.asked.get(oldest);
        self.queue.remove(oldest, &lead);
        let (mut first, mut end, class) = (lead.first, lead.end, lead.class());
        let mut together = vec![oldest];
        loop {
            let near = [at(&self.queue.starts, class, end), at(&self.queue.ends, class, first)];
            let fits = |number: &u32| end - first + self.asked.get(*number).sectors() <= self.most;
            let Some(number) = near.into_iter().flatten().find(fits) else { break };
            let other = *self.asked.get(number);
            self.queue.remove(number, &other);
            together.push(number);
            (first, end) = (first.min(other.first), end.max(other.end));
        }
        self.counts.sent_requests += 1;
        self.counts.merged_requests += together.len() as u64 - 1;
        self.on_their_way[lead.urgency as usize] += 1;
        // The data of merged requests lie together in the buffer of the oldest, behind its own data.
        let behind = if together.len() == 1 { 0 } else { lead.sectors() };
        if together.len() > 1 && lead.op == Op::Write {
            for number in &together {
                let Asked { job, first: from, .. } = *self.asked.get(*number);
                io.copy((job, 0), (lead.job, behind + from - first), self.asked.get(*number).sectors());
            }
        }
        together.iter().for_each(|number| self.asked.get_mut(*number).place = Progress::Sent(oldest));
        let tag = u64::from(self.sent.insert(together));
        let (sectors, Asked { op, metadata, job, .. }) = ((end - first) as u32, lead);
        io.submit(Part { member: 0, sector: first, sectors, op, metadata, job, at: behind, tag });
    }

    /// Puts the request `number` into the queue; it no longer waits for requests that overlap it.
    fn enqueue(&mut self, number: u32) {
        self.asked.get_mut(number).place = Progress::Queued;
        self.queue.add(number, self.asked.get(number));
    }

    /// Promotes to foreground all requests for which the request `number` waits, if the request `number` itself is
    /// foreground.
    fn hurry(&self, number: u32, io: &mut Io) {
        let Asked { job, ticket, .. } = *self.asked.get(number);
        let others = self.ranges.blockers(ticket);
        others.for_each(|other| io.wait_for(job, self.asked.get(other as u32).job));
    }

    /// Completes the request `number`; requests that overlap it and waited for it may be added to `ready`.
    fn complete(&mut self, now: Time, number: u32, io: &mut Io) {
        let asked = self.asked.remove(number);
        self.ranges.leave(asked.ticket, &mut self.ready);
        io.complete(asked.job, now);
    }
}

impl Volume for Merge {
    fn sectors(&self) -> u64 {
        self.sectors
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector: first, sectors, op, metadata } = *request;
        let (end, order) = (first + u64::from(sectors), self.arrived);
        self.arrived += 1;
        let number = self.asked.next();
        let hold = if op == Op::Read { Hold::Shared } else { Hold::Exclusive };
        let (ticket, is_ready) = self.ranges.enter(first..end, hold, u64::from(number));
        let (urgency, place) = (io.urgency(job), Progress::Waits);
        self.asked.insert(Asked { job, first, end, op, metadata, urgency, since: now, order, ticket, place });
        if is_ready {
            self.enqueue(number);
            self.feed(now, io);
        } else {
            self.hurry(number, io);
        }
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        let together = self.sent.remove(part.tag as u32);
        let (lead, others) = together.split_first().expect("a part carries at least one request");
        self.on_their_way[self.asked.get(*lead).urgency as usize] -= 1;
        let mut left = u64::from(part.sectors);
        for number in others {
            let other = *self.asked.get(*number);
            if part.op == Op::Read {
                io.copy((part.job, part.at + other.first - part.sector), (other.job, 0), other.sectors());
            }
            io.credit(other.job, part.job, other.sectors(), left);
            left -= other.sectors();
            self.complete(now, *number, io);
        }
        let Asked { first, .. } = *self.asked.get(*lead);
        if part.op == Op::Read && !others.is_empty() {
            let sectors = self.asked.get(*lead).sectors();
            io.copy((part.job, part.at + first - part.sector), (part.job, 0), sectors);
        }
        self.complete(now, *lead, io);
        let mut ready = std::mem::take(&mut self.ready);
        ready.drain(..).for_each(|number| self.enqueue(number as u32));
        self.ready = ready;
        self.feed(now, io);
    }

    fn promoted(&mut self, now: Time, job: Job, io: &mut Io) {
        let found = self.asked.iter().find(|(_, asked)| asked.job == job);
        let (number, asked) =
            found.map(|(number, asked)| (number, *asked)).expect("every job belongs to a request");
        if asked.place == Progress::Queued {
            self.queue.remove(number, &asked);
        }
        self.asked.get_mut(number).urgency = Urgency::Foreground;
        match asked.place {
            Progress::Waits => self.hurry(number, io),
            Progress::Queued => self.enqueue(number),
            Progress::Sent(lead) if lead == number => {
                self.on_their_way[Urgency::Background as usize] -= 1;
                self.on_their_way[Urgency::Foreground as usize] += 1;
            }
            Progress::Sent(lead) => io.promote(self.asked.get(lead).job),
        }
        self.feed(now, io);
    }

    fn woken(&mut self, now: Time, _token: u64, io: &mut Io) {
        self.alarm = self.alarm.filter(|alarm| *alarm > now);
        self.feed(now, io);
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        self.counts.rows()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Action;

    fn merge(options: &str) -> (Merge, Io) {
        let options = ROW.parse(options).unwrap();
        (Merge::new(&options, 10_000).unwrap(), Io::new(1, false))
    }

    /// Submits a read or write of `sectors` sectors, and returns the parts that the volume then sends.
    fn submit(merge: &mut Merge, io: &mut Io, now: Time, (sector, sectors, op): (u64, u32, Op)) -> Vec<Part> {
        let job = io.begin();
        merge.submit(now, job, &VolumeRequest { sector, sectors, op, metadata: false }, io);
        parts(io)
    }

    fn parts(io: &mut Io) -> Vec<Part> {
        let actions: Vec<Action> = std::iter::from_fn(|| io.next_action()).collect();
        let part = |action| if let Action::Submit(part, _) = action { Some(part) } else { None };
        actions.into_iter().filter_map(part).collect()
    }

    fn done(merge: &mut Merge, io: &mut Io, part: &Part) -> Vec<(u64, u32)> {
        io.came_back(part, Urgency::Foreground);
        merge.done(Time(1), part, io);
        parts(io).iter().map(|part| (part.sector, part.sectors)).collect()
    }

    #[test]
    fn what_waits_and_follows_goes_together() {
        let (mut merge, mut io) = merge("depth=1");
        let at_once = submit(&mut merge, &mut io, Time::ZERO, (0, 8, Op::Read));
        assert_eq!(at_once.len(), 1);
        for asked in [(108, 4, Op::Read), (100, 8, Op::Read), (112, 8, Op::Write), (96, 4, Op::Read)] {
            assert!(submit(&mut merge, &mut io, Time::ZERO, asked).is_empty());
        }
        assert_eq!(done(&mut merge, &mut io, &at_once[0]), [(96, 16)]);
        assert_eq!(merge.counts(), [("sent_requests", 2.0), ("merged_requests", 2.0)]);
    }

    #[test]
    fn no_more_goes_together_than_may() {
        let (mut merge, mut io) = merge("depth=1,most_kib=6");
        let at_once = submit(&mut merge, &mut io, Time::ZERO, (0, 8, Op::Read));
        for sector in [8, 16, 24] {
            submit(&mut merge, &mut io, Time::ZERO, (sector, 4, Op::Write));
            submit(&mut merge, &mut io, Time::ZERO, (sector + 4, 4, Op::Write));
        }
        assert_eq!(done(&mut merge, &mut io, &at_once[0]), [(8, 12)]);
    }

    #[test]
    fn where_the_follower_is_too_large_the_one_before_goes() {
        let (mut merge, mut io) = merge("depth=1,most_kib=6");
        let at_once = submit(&mut merge, &mut io, Time::ZERO, (900, 1, Op::Read));
        for (sector, sectors) in [(100, 4), (104, 10), (96, 4)] {
            submit(&mut merge, &mut io, Time::ZERO, (sector, sectors, Op::Read));
        }
        assert_eq!(done(&mut merge, &mut io, &at_once[0]), [(96, 8)]);
    }

    #[test]
    fn what_is_held_back_waits_for_others() {
        let (mut merge, mut io) = merge("hold_ms=1,depth=8");
        assert!(submit(&mut merge, &mut io, Time::ZERO, (0, 8, Op::Read)).is_empty());
        assert!(submit(&mut merge, &mut io, Time(900_000), (8, 8, Op::Read)).is_empty());
        merge.woken(Time(1_000_000), 0, &mut io);
        assert_eq!(parts(&mut io).iter().map(|part| part.sectors).collect::<Vec<_>>(), [16]);
    }
}
