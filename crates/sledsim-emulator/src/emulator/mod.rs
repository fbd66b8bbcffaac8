//! The simulated device as clients see it: requests come in at times of a clock, and answers go out when they are due.

mod answer;
mod contents;
mod covered;
mod flushing;
mod history;
mod log;
mod logging;
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
use sledsim::simulation::{Outcome, Simulation};
use sledsim::time::Time;
use sledsim::volume::Noted;

use crate::nbd::{Buffers, Errno, Kind, Request, MOST_PAYLOAD_BYTES};
use crate::store::SECTOR_BYTES;
use crate::timing::{Due, TimeScale, Timetable};
pub use answer::{Answer, Asker, Timed};
pub use contents::{Contents, Durability};
use covered::Covered;
use history::History;
use log::Log;
pub use log::Served;
pub use members::{Medium, Members};
pub use power::{Loss, PowerCut, Torn};
use readings::Readings;

/// A request that the simulated device has not answered yet.
struct Waiting {
    from: Asker,
    request: Request,
    timed: Timed,
    /// Number of parts of the request (requests to the simulated device) whose completion time is not known
    /// yet.
    pending: u32,
    /// Latest of the known completion times of the request's parts.
    time: Time,
    /// Completed parts of a request that has several parts: number of the part, and completion time.
    complete: Vec<(u32, Time)>,
    /// Number of bytes of the write that are already in the contents; above 0 only for a write that is due.
    done: u64,
    /// Number of the write in the history; `None` for another request or without a history.
    write: Option<u64>,
    /// The writes that a flush covers; 0 for other requests.
    covered: Covered,
    /// True if the device lost blocks of the request.
    is_lost: bool,
}

/// Return the range of the export in bytes that a request covers.
fn range(request: &Request) -> Range<u64> {
    request.offset..request.offset + u64::from(request.bytes)
}

/// A simulated device that stores the data that clients write.
///
/// A read is one request to the simulated device. Filling a long range with zeros takes several requests. A
/// read returns the contents as they were at its simulated completion, even if the data are sent later.
pub struct Emulator {
    timetable: Timetable<u64>,
    contents: Contents,
    waiting: HashMap<u64, Waiting>,
    /// Tickets (internal numbers) of the requests whose answers are due, in the order of their due times.
    due: VecDeque<u64>,
    /// Number of bytes of data of all waiting writes.
    writing_bytes: u64,
    readings: Readings,
    next: u64,
    log: Log,
    history: Option<History>,
    can_lose_power: bool,
    /// The members of a volume, if they keep its contents. The field `contents` is not used in this case.
    members: Option<Members>,
    /// The notes that the volume found on its members at the start: member, sector and note.
    notes: Option<Vec<(u32, u64, Noted)>>,
}

impl Emulator {
    /// Create an emulator without requests. It returns an answer `lead_ns` nanoseconds of the clock before the
    /// answer is due, if no later request can change the answer.
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

    /// Record the current contents and all later writes in the history file `path`; `device` is the name of the device.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn keep_history(&mut self, path: &Path, device: &str) -> io::Result<()> {
        self.history = Some(History::new(self.contents.begin_history(path, device)?));
        Ok(())
    }

    /// Close the history. Return true if the history is complete, false if it ended early, and `None` if no
    /// history was recorded.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn close_history(&mut self) -> Option<io::Result<bool>> {
        self.history.take().map(History::finish)
    }

    /// Set the lead: an answer is returned `lead_ns` nanoseconds of the clock before it is due, if no later
    /// request can change it.
    pub fn lead(&mut self, lead_ns: u64) {
        self.timetable.lead(lead_ns);
    }

    /// Submit a request of client `from` at `now_ns` nanoseconds of the clock. Return the answer if the request
    /// takes no time (a trim, or a flush that the device ignores), otherwise `None`.
    ///
    /// # Errors
    /// The time is before the time of an earlier call.
    pub fn request(&mut self, now_ns: u64, from: Asker, request: Request) -> Result<Option<Answer>> {
        let covered = self.covered();
        let Some(operation) = self.operation(&request) else {
            if let (Kind::Flush, Some(history)) = (request.kind, &mut self.history) {
                history.flushed(now_ns, covered.answers);
            }
            return Ok(Some(Answer { to: from, result: Ok(Vec::new()), rest: 0, timed: None }));
        };
        let ticket = self.next;
        self.next += 1;
        let mut timed = Timed { first: self.timetable.simulation().arrived(), parts: 0, due_ns: 0 };
        let (mut offset, mut left) = (request.offset, u64::from(request.bytes));
        // A flush is one request without bytes.
        while left > 0 || timed.parts == 0 {
            let bytes = left.min(MOST_PAYLOAD_BYTES.into());
            let sectors = [offset, bytes].map(|bytes| bytes / SECTOR_BYTES);
            self.timetable.submit(now_ns, ticket, operation, sectors)?;
            self.follow(&request.data)?;
            self.log.push(Served::new(request.kind, from.connection));
            timed.parts += 1;
            (offset, left) = (offset + bytes, left - bytes);
        }
        let write = self.history.as_mut().and_then(|all| all.submitted(now_ns, timed.first, &request));
        let pending = timed.parts;
        self.writing_bytes += request.data.len() as u64;
        let (time, complete) = (Time::ZERO, Vec::new());
        let waiting = Waiting {
            from,
            request,
            timed,
            pending,
            time,
            complete,
            done: 0,
            write,
            covered,
            is_lost: false,
        };
        self.waiting.insert(ticket, waiting);
        Ok(None)
    }

    /// Return the next answer that is due at `now_ns` nanoseconds of the clock. Answers come in the order of
    /// their due times, except that short requests overtake long writes, whose data are written in parts.
    /// Return `None` if no answer is due, or if this call has only written a part of a long write.
    ///
    /// # Errors
    /// The time is before the time of an earlier call.
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
        let Waiting { from, request, timed, write, covered, .. } =
            self.waiting.remove(&ticket).expect("it waits");
        if let Some(history) = &mut self.history {
            match write {
                Some(write) => history.completed(now_ns, write, result.is_ok()),
                None if request.kind == Kind::Flush => history.flushed(now_ns, covered.answers),
                None => {}
            }
        }
        self.writing_bytes -= request.data.len() as u64;
        self.contents.buffers().give_back(request.data);
        Ok(Some(Answer { to: from, result, rest, timed: Some(timed) }))
    }

    /// Record that one part of a request (a request to the simulated device) is complete. The answer is due
    /// when all parts are complete.
    fn take_part(&mut self, due: &Due<u64>) {
        let waiting = self
            .waiting
            .get_mut(&due.ticket)
            .expect("a request stays in `waiting` until its last part is complete");
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

    /// Return true if the request at index `at` of `due` can be finished in one step, and may be finished
    /// before the requests in front of it.
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

    /// Do the next step of the due request with the ticket `ticket`. Return the result of the request, and the
    /// number of bytes of its data that follow later. Return `None` if the request needs more steps.
    fn go_on(&mut self, ticket: u64) -> Option<(std::result::Result<Vec<u8>, Errno>, u32)> {
        let Waiting { from, request, timed, done, covered, is_lost, .. } =
            self.waiting.get_mut(&ticket).expect("a request stays in `waiting` until it is answered");
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
        if request.kind == Kind::Flush {
            self.contents.flush(covered.below);
            return Some((Ok(Vec::new()), 0));
        }
        let part = Contents::part(request, *done);
        self.readings.save(&part, &self.contents);
        let result = self.contents.write(request, &part);
        *done = part.end - all.start;
        (result.is_err() || part.end == all.end).then(|| (result.map(|()| Vec::new()), 0))
    }

    /// Return the next data of the read `of`, whose answer contained only the first part of the data.
    ///
    /// # Errors
    /// The contents cannot be read; in this case no more data of the read follow.
    ///
    /// # Panics
    /// If all data of the read have already been returned.
    pub fn more(&mut self, of: Asker) -> std::result::Result<Vec<u8>, Errno> {
        self.readings.more(of, &self.contents)
    }

    /// Drop the remaining data of all answers to the connection with number `connection`.
    pub fn forget(&mut self, connection: u64) {
        self.readings.forget(connection, &self.contents);
    }

    /// Do one short step of work in advance: prepare memory for writes, or read the data of an answer that no
    /// later request can change. Return true if there may be more such work.
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

    /// Buffers that hold the data of requests and answers.
    #[must_use]
    pub fn buffers(&self) -> &Buffers {
        self.contents.buffers()
    }

    /// Clock time in nanoseconds at which the caller must call [`next_answer`](Self::next_answer) again if no
    /// request arrives before; `None` if nothing is pending.
    #[must_use]
    pub fn wake_ns(&self) -> Option<u64> {
        if self.due.is_empty() {
            self.timetable.wake_ns()
        } else {
            Some(0)
        }
    }

    /// Return true if an answer may be due at [`wake_ns`](Self::wake_ns). Otherwise the caller may wake up a
    /// little later.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        self.timetable.may_answer()
    }

    /// Convert the simulated duration `time` to nanoseconds of the clock.
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

    /// Position of the moving parts of the first device, such as the sled: name (with unit) and value of each
    /// coordinate.
    #[must_use]
    pub fn location(&self) -> Vec<(&'static str, f64)> {
        let stations = self.timetable.simulation().stations();
        stations.first().map_or_else(Vec::new, |(_, station)| station.device().location())
    }

    /// End the emulator: complete all requests of the simulation, and make the contents durable on this
    /// machine. Return the result of the simulation, and the times of the reply to each request.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn finish(mut self) -> std::io::Result<(Outcome, Vec<Served>)> {
        self.contents.sync()?;
        let scale = self.timetable.scale();
        let mut simulation = self.timetable.into_simulation();
        let goes_on = &mut |_| ControlFlow::Continue(());
        for (row, time) in simulation.drain(goes_on).expect("the callback never stops the simulation") {
            self.log.unanswered(row, scale.clock_ns(time));
        }
        if let Some(mut members) = self.members {
            members.follow(simulation.take_data_moves(), &[])?;
            settling::settle(members, &simulation)?;
        }
        Ok((simulation.into_outcome(), self.log.into_rows()))
    }
}
