//! The simulated device as clients see it: requests come at a time, and are answered at a time.

mod contents;
mod log;

use std::collections::HashMap;
use std::ops::ControlFlow;

use sledsim::error::Result;
use sledsim::record::Record;
use sledsim::request::Op;
use sledsim::simulation::{Outcome, Simulation};

use crate::nbd::{Errno, Kind, Request, MOST_PAYLOAD_BYTES};
use crate::store::SECTOR_BYTES;
use crate::timing::{TimeScale, Timetable};
pub use contents::{Contents, Durability};
use log::Log;
pub use log::Served;

/// Who asked: a connection, and the number of the request there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Asker {
    /// The connection, of which none ever has the number of another.
    pub connection: u64,
    /// The number of the request.
    pub number: u64,
}

/// The answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who asked.
    pub to: Asker,
    /// The data of a read, or why it failed.
    pub result: std::result::Result<Vec<u8>, Errno>,
    /// What the simulated device was asked for it: none for what takes no time.
    pub timed: Option<Timed>,
}

/// A request of which the simulated device says when it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Its first request to the simulated device, and how many they are.
    first: u64,
    parts: u32,
    /// When it is due, in nanoseconds of the clock.
    pub due_ns: u64,
}

/// A request that the simulated device has.
struct Waiting {
    from: Asker,
    request: Request,
    timed: Timed,
    /// Parts that are not complete.
    pending: u32,
    /// Whether the device lost blocks of any part.
    is_lost: bool,
}

/// A simulated device with contents.
///
/// Reads are as long as one request of the device; to fill a long range with zeros takes several.
pub struct Emulator {
    timetable: Timetable<u64>,
    contents: Contents,
    waiting: HashMap<u64, Waiting>,
    next: u64,
    log: Log,
}

impl Emulator {
    /// A device that nobody has asked for anything; the lead is in nanoseconds of the clock.
    #[must_use]
    pub fn new(simulation: Simulation, contents: Contents, scale: TimeScale, lead_ns: u64) -> Self {
        let timetable = Timetable::new(simulation, scale, lead_ns);
        Self { timetable, contents, waiting: HashMap::new(), next: 0, log: Log::default() }
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
                let result = self.contents.perform(&request);
                return Ok(Some(Answer { to: from, result, timed: None }));
            }
        };
        let ticket = self.next;
        self.next += 1;
        let mut timed = Timed { first: self.timetable.simulation().arrived(), parts: 0, due_ns: 0 };
        let (mut offset, mut left) = (request.offset, u64::from(request.bytes));
        while left > 0 {
            let bytes = left.min(MOST_PAYLOAD_BYTES.into());
            self.timetable.submit(now_ns, ticket, op, [offset, bytes].map(|bytes| bytes / SECTOR_BYTES))?;
            self.log.push(Served::new(request.kind, from.connection));
            timed.parts += 1;
            (offset, left) = (offset + bytes, left - bytes);
        }
        self.waiting.insert(ticket, Waiting { from, request, timed, pending: timed.parts, is_lost: false });
        Ok(None)
    }

    /// What is to be answered when the clock shows that, in the order in which it is due.
    ///
    /// # Errors
    /// A time before one that has been told.
    pub fn answers(&mut self, now_ns: u64) -> Result<Vec<Answer>> {
        let mut answers = Vec::new();
        for due in self.timetable.due(now_ns)? {
            let waiting =
                self.waiting.get_mut(&due.ticket).expect("it waits until its last part is complete");
            waiting.pending -= 1;
            waiting.timed.due_ns = waiting.timed.due_ns.max(due.due_ns);
            waiting.is_lost |= due.is_lost;
            if waiting.pending == 0 {
                let waiting = self.waiting.remove(&due.ticket).expect("it waits");
                let Waiting { from, ref request, timed, is_lost, .. } = waiting;
                let result = if is_lost { Err(Errno::Io) } else { self.contents.perform(request) };
                answers.push(Answer { to: from, result, timed: Some(timed) });
            }
        }
        Ok(answers)
    }

    /// The answer of such a request was sent when the clock showed that, or nobody was left to send it to.
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
        self.timetable.wake_ns()
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
        let mut simulation = self.timetable.into_simulation();
        let goes_on = &mut |_| ControlFlow::Continue(());
        simulation.drain(goes_on).expect("nobody breaks");
        Ok((simulation.into_outcome(), self.log.into_rows()))
    }
}
