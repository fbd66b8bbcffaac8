//! The simulated device as clients see it: requests come at a time, and are answered at a time.

mod answer;
mod contents;
mod history;
mod log;
mod losing_power;
mod members;
mod on_members;
mod power;
mod readings;
mod settling;
mod torn_sectors;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use sledsim::error::Result;
use sledsim::record::Record;
use sledsim::request::Op;
use sledsim::simulation::{Outcome, Simulation};
use sledsim::time::Time;
use sledsim::volume::Noted;

use crate::nbd::{Buffers, Errno, Kind, Request, MOST_PAYLOAD_BYTES};
use crate::store::SECTOR_BYTES;
use crate::timing::{Due, TimeScale, Timetable};
pub use answer::{Answer, Asker, Timed};
pub use contents::{Contents, Durability};
use history::History;
use log::Log;
pub use log::Served;
pub use members::{Medium, Members};
pub use power::{Loss, PowerCut, Torn};
use readings::Readings;

/// A request that the simulated device has.
struct Waiting {
    from: Asker,
    request: Request,
    timed: Timed,
    /// Parts that are not complete, or not certain to be soon.
    pending: u32,
    /// When the last of the others is complete.
    time: Time,
    /// Of several parts the others, by their numbers, each with when it is complete.
    complete: Vec<(u32, Time)>,
    /// Of a write that is due, so many bytes are done.
    done: u64,
    /// Its number among the writes of the history.
    write: Option<u64>,
    /// Whether the device lost blocks of any part.
    is_lost: bool,
}

/// The range of a request, in bytes.
fn range(request: &Request) -> Range<u64> {
    request.offset..request.offset + u64::from(request.bytes)
}

/// A simulated device with contents.
///
/// Reads are as long as one request of the device; to fill a long range with zeros takes several. What a read finds are
/// the contents at the time at which the device has done it, whenever its data are taken.
pub struct Emulator {
    timetable: Timetable<u64>,
    contents: Contents,
    waiting: HashMap<u64, Waiting>,
    /// Those of which the device has done its part, in that order.
    due: VecDeque<u64>,
    /// The data of writes among all that waits.
    writing_bytes: u64,
    readings: Readings,
    next: u64,
    log: Log,
    history: Option<History>,
    can_lose_power: bool,
    /// What keeps the contents in place of `contents`, if members of a volume do.
    members: Option<Members>,
    /// What they told the volume when it started.
    notes: Option<Vec<(u32, u64, Noted)>>,
}

impl Emulator {
    /// A device that nobody has asked for anything; the lead is in nanoseconds of the clock.
    #[must_use]
    pub fn new(simulation: Simulation, contents: Contents, scale: TimeScale, lead_ns: u64) -> Self {
        Self {
            timetable: Timetable::new(simulation, scale, lead_ns),
            contents,
            waiting: HashMap::new(),
            due: VecDeque::new(),
            writing_bytes: 0,
            readings: Readings::default(),
            next: 0,
            log: Log::default(),
            history: None,
            can_lose_power: false,
            members: None,
            notes: None,
        }
    }

    /// From now on what is written is kept in that file, with what is there now.
    ///
    /// # Errors
    /// Those of the system.
    pub fn keep_history(&mut self, path: &Path, device: &str) -> io::Result<()> {
        self.history = Some(History::new(self.contents.begin_history(path, device)?));
        Ok(())
    }

    /// Closes the history, if there is one; whether it is whole.
    ///
    /// # Errors
    /// Those of the system.
    pub fn close_history(&mut self) -> Option<io::Result<bool>> {
        self.history.take().map(History::finish)
    }

    /// From now on certain answers are given that much before they are due, in nanoseconds of the clock.
    pub fn lead(&mut self, lead_ns: u64) {
        self.timetable.lead(lead_ns);
    }

    /// A request comes at that time of the clock. It is answered at once if it takes no time.
    ///
    /// # Errors
    /// A time before one that has been told.
    pub fn request(&mut self, now_ns: u64, from: Asker, request: Request) -> Result<Option<Answer>> {
        let op = match request.kind {
            Kind::Read => Op::Read,
            Kind::Write | Kind::WriteZeroes => Op::Write,
            Kind::Flush | Kind::Trim => {
                // What is not needed any more may stay.
                if request.kind == Kind::Flush {
                    if let Some(history) = &mut self.history {
                        history.flushed(now_ns);
                    }
                    self.contents.flush();
                }
                return Ok(Some(Answer { to: from, result: Ok(Vec::new()), rest: 0, timed: None }));
            }
        };
        let ticket = self.next;
        self.next += 1;
        let mut timed = Timed { first: self.timetable.simulation().arrived(), parts: 0, due_ns: 0 };
        let (mut offset, mut left) = (request.offset, u64::from(request.bytes));
        while left > 0 {
            let bytes = left.min(MOST_PAYLOAD_BYTES.into());
            self.timetable.submit(now_ns, ticket, op, [offset, bytes].map(|bytes| bytes / SECTOR_BYTES))?;
            self.follow(&request.data)?;
            self.log.push(Served::new(request.kind, from.connection));
            timed.parts += 1;
            (offset, left) = (offset + bytes, left - bytes);
        }
        let write = self.history.as_mut().and_then(|all| all.submitted(now_ns, timed.first, &request));
        let pending = timed.parts;
        self.writing_bytes += request.data.len() as u64;
        let (time, complete) = (Time::ZERO, Vec::new());
        let waiting =
            Waiting { from, request, timed, pending, time, complete, done: 0, write, is_lost: false };
        self.waiting.insert(ticket, waiting);
        Ok(None)
    }

    /// The next answer when the clock shows that: in the order in which they are due, but that a short one does not wait for
    /// a long write, which is done in parts. None if there is none, or a part of a long write was done.
    ///
    /// # Errors
    /// A time before one that has been told.
    pub fn next_answer(&mut self, now_ns: u64) -> Result<Option<Answer>> {
        if self.timetable.wake_ns().is_some_and(|wake_ns| wake_ns <= now_ns) {
            for due in self.timetable.due(now_ns)? {
                self.take_part(&due);
            }
            self.follow(&[])?;
        }
        let quick = (0..self.due.len()).find(|at| self.is_quick(*at));
        let at = quick.unwrap_or(0);
        let Some(&ticket) = self.due.get(at) else { return Ok(None) };
        let Some((result, rest)) = self.go_on(ticket) else { return Ok(None) };
        self.due.remove(at);
        let Waiting { from, request, timed, write, .. } = self.waiting.remove(&ticket).expect("it waits");
        if let (Some(write), Some(history)) = (write, &mut self.history) {
            history.completed(now_ns, write, result.is_ok());
        }
        self.writing_bytes -= request.data.len() as u64;
        self.contents.buffers().give_back(request.data);
        Ok(Some(Answer { to: from, result, rest, timed: Some(timed) }))
    }

    /// Part of a request is to be answered: the request is due, if that is the last.
    fn take_part(&mut self, due: &Due<u64>) {
        let waiting = self.waiting.get_mut(&due.ticket).expect("it waits until its last part is complete");
        waiting.pending -= 1;
        waiting.timed.due_ns = waiting.timed.due_ns.max(due.due_ns);
        waiting.time = waiting.time.max(due.time);
        waiting.is_lost |= due.is_lost;
        if waiting.timed.parts > 1 {
            waiting.complete.push((due.row.wrapping_sub(waiting.timed.first as u32), due.time));
        }
        if waiting.pending == 0 {
            self.due.push_back(due.ticket);
        }
    }

    /// Whether what is due there is done in one go, and what is due before and is not does not have to be done first.
    fn is_quick(&self, at: usize) -> bool {
        if self.members.is_some() {
            return true;
        }
        let waiting = |at: usize| &self.waiting[&self.due[at]];
        let Waiting { request, done, is_lost, .. } = waiting(at);
        let writes = |request: &Request| request.kind != Kind::Read;
        if writes(request) && !is_lost && Contents::part(request, *done).end < range(request).end {
            return false;
        }
        let has_order = self.contents.has_order() && writes(request);
        !(0..at).map(|before| &waiting(before).request).any(|before| {
            let (one, other) = (range(before), range(request));
            let meet = one.start < other.end && other.start < one.end;
            writes(before) && (meet || has_order)
        })
    }

    /// Goes on with what is due: what became of it, if that was all, and how much more there is to read.
    fn go_on(&mut self, ticket: u64) -> Option<(std::result::Result<Vec<u8>, Errno>, u32)> {
        let Waiting { from, request, timed, done, is_lost, .. } =
            self.waiting.get_mut(&ticket).expect("it waits until it is answered");
        if let Some(members) = &mut self.members {
            let is_read = request.kind == Kind::Read;
            let found = if is_read { members.answer(timed.first as u32) } else { Ok(Vec::new()) };
            return Some((if *is_lost { Err(Errno::Io) } else { found }, 0));
        }
        let all = range(request);
        if *is_lost {
            self.readings.remove(*from, &self.contents);
            return Some((Err(Errno::Io), 0));
        }
        if request.kind == Kind::Read {
            let result = self.readings.complete(*from, all, &self.contents);
            let rest = result.as_ref().map_or(0, |data| request.bytes - data.len() as u32);
            return Some((result, rest));
        }
        let part = Contents::part(request, *done);
        self.readings.save(&part, &self.contents);
        let result = self.contents.write(request, &part);
        *done = part.end - all.start;
        (result.is_err() || part.end == all.end).then(|| (result.map(|()| Vec::new()), 0))
    }

    /// More data of a read of whose answer there is a rest.
    ///
    /// # Errors
    /// The store failed: there are no more.
    ///
    /// # Panics
    /// When there is no rest.
    pub fn more(&mut self, of: Asker) -> std::result::Result<Vec<u8>, Errno> {
        self.readings.more(of, &self.contents)
    }

    /// Nobody wants what is left of the answers to a connection.
    pub fn forget(&mut self, connection: u64) {
        self.readings.forget(connection, &self.contents);
    }

    /// Does something for what is not due yet, which takes a moment: reads ahead for answers that are certain, and makes
    /// ready for writes. Whether there is more to be done.
    pub fn prepare(&mut self) -> bool {
        if self.members.is_some() {
            return false;
        }
        if self.contents.make_ready(self.writing_bytes) {
            return true;
        }
        let certain = self.timetable.certain().filter_map(|ticket| self.waiting.get(&ticket));
        certain.into_iter().any(|Waiting { from, request, .. }| {
            request.kind == Kind::Read && self.readings.prepare(*from, range(request), &self.contents)
        })
    }

    /// Memory for data of requests and answers.
    #[must_use]
    pub fn buffers(&self) -> &Buffers {
        self.contents.buffers()
    }

    /// The answer of such a request was sent to its last byte when the clock showed that, or nobody took it.
    pub fn sent(&mut self, timed: Timed, sent_ns: Option<u64>) {
        self.log.sent(timed.first, timed.parts, timed.due_ns, sent_ns);
    }

    /// How many of the first rows could be taken out, if the simulation is done with them, too.
    #[must_use]
    pub fn rows_over(&self) -> usize {
        self.log.over()
    }

    /// Takes out what has been answered of the first requests: the rows of the simulation and of the server, as many, up to
    /// so many.
    pub fn take_rows(&mut self, most: usize) -> (Record, Vec<Served>) {
        // What was answered early may not be complete, and what is complete not be answered.
        let record = self.timetable.take_final(self.log.over().min(most));
        let rows = self.log.take(record.arrival_ns.len());
        (record, rows)
    }

    /// When the clock is to be looked at next, if nothing comes before.
    #[must_use]
    pub fn wake_ns(&self) -> Option<u64> {
        if self.due.is_empty() {
            self.timetable.wake_ns()
        } else {
            Some(0)
        }
    }

    /// Whether an answer may be due [then](Self::wake_ns); if not, it is enough to look at the clock soon after.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        self.timetable.may_answer()
    }

    /// How long so much simulated time takes, in nanoseconds of the clock.
    #[must_use]
    pub fn clock_ns(&self, time: Time) -> u64 {
        self.timetable.scale().clock_ns(time)
    }

    /// Requests that have not been answered.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The devices by name.
    #[must_use]
    pub fn devices(&self) -> Vec<String> {
        self.timetable.simulation().stations().into_iter().map(|(name, _)| name).collect()
    }

    /// Where the mechanism of the first device is: names, with units, and values.
    #[must_use]
    pub fn location(&self) -> Vec<(&'static str, f64)> {
        let stations = self.timetable.simulation().stations();
        stations.first().map_or_else(Vec::new, |(_, station)| station.device().location())
    }

    /// Ends it: the outcome of the simulation, in which all requests are complete, and a row each of what became of them;
    /// the contents are durable on this machine.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(mut self) -> std::io::Result<(Outcome, Vec<Served>)> {
        self.contents.sync()?;
        let scale = self.timetable.scale();
        let mut simulation = self.timetable.into_simulation();
        let goes_on = &mut |_| ControlFlow::Continue(());
        for (row, time) in simulation.drain(goes_on).expect("nobody breaks") {
            self.log.unanswered(row, scale.clock_ns(time));
        }
        if let Some(mut members) = self.members {
            members.follow(simulation.take_data_moves(), &[])?;
            settling::settle(members, &simulation)?;
        }
        Ok((simulation.into_outcome(), self.log.into_rows()))
    }
}
