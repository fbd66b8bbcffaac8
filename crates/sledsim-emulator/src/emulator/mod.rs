//! The simulated device as clients see it: it takes each request and gives each answer at a given time.

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

/// A request at the simulated device, without an answer yet.
struct Waiting {
    from: Asker,
    request: Request,
    timed: Timed,
    /// Number of parts that are neither complete nor sure to be complete soon.
    pending: u32,
    /// Latest completion time of the parts that `pending` does not count.
    time: Time,
    /// Completed parts of a request of several parts: number and completion time.
    complete: Vec<(u32, Time)>,
    /// Number of bytes that are done of a write that is due.
    done: u64,
    /// Number of the write in the history.
    write: Option<u64>,
    /// True if the device lost blocks of any part.
    is_lost: bool,
}

/// The range of a request in bytes.
fn range(request: &Request) -> Range<u64> {
    request.offset..request.offset + u64::from(request.bytes)
}

/// A simulated device with contents.
///
/// A read takes one request of the device; filling a long range with zeros takes several. A read returns the contents
/// at its simulated completion time, no matter when its data are taken.
pub struct Emulator {
    timetable: Timetable<u64>,
    contents: Contents,
    waiting: HashMap<u64, Waiting>,
    /// Tickets of the requests that the device has completed, in that order.
    due: VecDeque<u64>,
    /// Number of bytes of the data of waiting writes.
    writing_bytes: u64,
    readings: Readings,
    next: u64,
    log: Log,
    history: Option<History>,
    can_lose_power: bool,
    /// The members of a volume, if they keep the contents instead of `contents`.
    members: Option<Members>,
    /// The notes that the members gave the volume at the start.
    notes: Option<Vec<(u32, u64, Noted)>>,
}

impl Emulator {
    /// A device without requests; the lead is in nanoseconds of the clock.
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

    /// Record all writes from now on in a file, beginning with the current contents.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn keep_history(&mut self, path: &Path, device: &str) -> io::Result<()> {
        self.history = Some(History::new(self.contents.begin_history(path, device)?));
        Ok(())
    }

    /// Close the history if there is one; return true if it is complete.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn close_history(&mut self) -> Option<io::Result<bool>> {
        self.history.take().map(History::finish)
    }

    /// Set the lead in nanoseconds of the clock: answers that no later request can change are sent this much early.
    pub fn lead(&mut self, lead_ns: u64) {
        self.timetable.lead(lead_ns);
    }

    /// Submit a request at a time of the clock. Return the answer at once if the request takes no time.
    ///
    /// # Errors
    /// The time is before one that was given earlier.
    pub fn request(&mut self, now_ns: u64, from: Asker, request: Request) -> Result<Option<Answer>> {
        let op = match request.kind {
            Kind::Read => Op::Read,
            Kind::Write | Kind::WriteZeroes => Op::Write,
            Kind::Flush | Kind::Trim => {
                // A trim needs no action: the data may stay.
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

    /// Return the next answer that is due at a time of the clock. Answers come in the order of their due times, except
    /// that a short one does not wait for a long write, which is done in parts. Returns None if no answer is due, or if
    /// only a part of a long write was done.
    ///
    /// # Errors
    /// The time is before one that was given earlier.
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

    /// Count a completed part of a request; the request is due after its last part.
    fn take_part(&mut self, due: &Due<u64>) {
        let waiting = self.waiting.get_mut(&due.ticket).expect("a request waits for its last part");
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

    /// Return true if the due request at index `at` needs one step only, and no earlier unfinished request must go
    /// first.
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

    /// Continue a due request: return its result once it is done, and the bytes still to be read.
    fn go_on(&mut self, ticket: u64) -> Option<(std::result::Result<Vec<u8>, Errno>, u32)> {
        let Waiting { from, request, timed, done, is_lost, .. } =
            self.waiting.get_mut(&ticket).expect("a request waits until it is answered");
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

    /// Return the next data of a read whose answer has more data to follow.
    ///
    /// # Errors
    /// The store failed; no more data follow.
    ///
    /// # Panics
    /// If the answer has no rest.
    pub fn more(&mut self, of: Asker) -> std::result::Result<Vec<u8>, Errno> {
        self.readings.more(of, &self.contents)
    }

    /// Drop the remaining data of all answers to a connection.
    pub fn forget(&mut self, connection: u64) {
        self.readings.forget(connection, &self.contents);
    }

    /// Do one short step of work in advance: read ahead for an answer that is certain, or prepare for writes. Return
    /// true if more work is left.
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

    /// Buffers for the data of requests and answers.
    #[must_use]
    pub fn buffers(&self) -> &Buffers {
        self.contents.buffers()
    }

    /// Record the time at which the last byte of an answer was sent; None if no client took it.
    pub fn sent(&mut self, timed: Timed, sent_ns: Option<u64>) {
        self.log.sent(timed.first, timed.parts, timed.due_ns, sent_ns);
    }

    /// Number of leading rows that can be taken out once the simulation is done with them.
    #[must_use]
    pub fn rows_over(&self) -> usize {
        self.log.over()
    }

    /// Remove and return at most `most` leading rows of finished requests, in equal number from the simulation and from
    /// the server.
    pub fn take_rows(&mut self, most: usize) -> (Record, Vec<Served>) {
        // An early answer may precede completion, and a completed request may lack its answer: take rows that have
        // both.
        let record = self.timetable.take_final(self.log.over().min(most));
        let rows = self.log.take(record.arrival_ns.len());
        (record, rows)
    }

    /// Time at which the clock must be read next, unless a request arrives first.
    #[must_use]
    pub fn wake_ns(&self) -> Option<u64> {
        if self.due.is_empty() {
            self.timetable.wake_ns()
        } else {
            Some(0)
        }
    }

    /// Return true if an answer may be due at the [next time](Self::wake_ns); if false, the clock may be read later
    /// than that.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        self.timetable.may_answer()
    }

    /// Convert a simulated duration to nanoseconds of the clock.
    #[must_use]
    pub fn clock_ns(&self, time: Time) -> u64 {
        self.timetable.scale().clock_ns(time)
    }

    /// Number of requests without an answer.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Names of the devices.
    #[must_use]
    pub fn devices(&self) -> Vec<String> {
        self.timetable.simulation().stations().into_iter().map(|(name, _)| name).collect()
    }

    /// Position of the mechanism of the first device: names with units, and values.
    #[must_use]
    pub fn location(&self) -> Vec<(&'static str, f64)> {
        let stations = self.timetable.simulation().stations();
        stations.first().map_or_else(Vec::new, |(_, station)| station.device().location())
    }

    /// End the emulator: complete all requests, make the contents durable on this machine, and return the outcome of
    /// the simulation with one row per request.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn finish(mut self) -> std::io::Result<(Outcome, Vec<Served>)> {
        self.contents.sync()?;
        let scale = self.timetable.scale();
        let mut simulation = self.timetable.into_simulation();
        let goes_on = &mut |_| ControlFlow::Continue(());
        for (row, time) in simulation.drain(goes_on).expect("the callback never breaks") {
            self.log.unanswered(row, scale.clock_ns(time));
        }
        if let Some(mut members) = self.members {
            members.follow(simulation.take_data_moves(), &[])?;
            settling::settle(members, &simulation)?;
        }
        Ok((simulation.into_outcome(), self.log.into_rows()))
    }
}
