//! The loop: sockets, the clock, and the emulator between them, in one thread.

mod address;
mod client;
mod clients;
mod losing_power;
mod poll;
mod power;
mod realtime;
mod room;

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use sledsim::record::Record;
use sledsim::time::Time;
use thiserror::Error;

use crate::emulator::{Emulator, Loss, Served};
use crate::nbd::Export;
use crate::timing::{Clock, Monotonic};
use address::Listener;
pub use address::{Address, Peer};
use client::Client;
pub use poll::Waker;
use poll::{Poll, Ready, Woken};
pub use power::{PowerPlan, PowerSwitch};
pub use realtime::{Realtime, RealtimeError};
use room::Room;

/// The token of the listener; those of clients follow.
const LISTENER: u64 = 0;
/// How often the loop looks after what nobody asks for.
const TICK_NS: u64 = 1_000_000_000;
/// Rows that are handed on together, and the most that wait for a moment in which nothing else is due.
const ROWS: usize = 1 << 10;
const MOST_ROWS: usize = 1 << 14;
/// Such a moment, in nanoseconds: a thousand rows are taken out in much less.
const MOMENT_NS: u64 = 1_000_000;
/// Less than that before an answer nothing is done in advance, in nanoseconds, which takes less.
const PREPARED_NS: u64 = 200_000;
/// In the end it is not waited any longer when nothing was answered or sent for so long.
const GOODBYE_NS: u64 = 10_000_000_000;

/// Why a server ends that should not.
#[derive(Debug, Error)]
pub enum ServeError {
    /// What the system said.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The system does not let its thread have real-time priority.
    #[error("{0}")]
    Realtime(#[from] RealtimeError),
    /// What the simulator said.
    #[error("{0}")]
    Simulation(#[from] sledsim::error::Error),
}

/// How it goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// What the clock shows, in nanoseconds.
    pub now_ns: u64,
    /// Clients that are connected.
    pub clients: u64,
    /// Clients that were connected once, these among them.
    pub clients_ever: u64,
    /// Requests that wait.
    pub waiting: u64,
    /// The most data that clients had outstanding at once since the last status, in bytes.
    pub most_held: u64,
    /// Requests that the simulated device has answered.
    pub answered: u64,
    /// The latest answer since the last status, in nanoseconds after it was due.
    pub latest_ns: i64,
    /// Where the mechanism of the first device is: names, with units, and values.
    pub location: Vec<(&'static str, f64)>,
}

/// A server: whoever comes in by its door finds the device.
pub struct Server {
    listener: Listener,
    is_listening: bool,
    poll: Poll,
    clock: Monotonic,
    export: Arc<Export>,
    emulator: Emulator,
    clients: HashMap<u64, Client>,
    /// Of clients that have gone, how many requests wait each.
    gone: HashMap<u64, usize>,
    room: Room,
    status: Status,
    /// A client of one's own that is to come, by its name.
    expected: Option<Peer>,
    /// The token of that client.
    own: Option<u64>,
    /// Whether any other client has come to read or write.
    was_opened: bool,
    /// When the end began, or something was last answered or sent since; none while it serves.
    ending_ns: Option<u64>,
    /// Is given rows of requests that are over.
    rows: Option<Box<RowSink>>,
    power_plan: PowerPlan,
    power_switch: PowerSwitch,
    loss: Option<Loss>,
}

/// Given rows of the simulation and of the server, as many, in their order.
pub type RowSink = dyn FnMut(Record, Vec<Served>) + Send;

impl Server {
    /// Opens the door. The last `spin_ns` before an answer are not slept.
    ///
    /// # Errors
    /// Those of the system: an address that somebody else has, or that cannot be.
    pub fn bind(address: &Address, export: Export, emulator: Emulator, spin_ns: u64) -> io::Result<Self> {
        let (listener, clock) = (Listener::bind(address)?, Monotonic::start());
        let poll = Poll::new(clock, spin_ns)?;
        poll.add(&listener, LISTENER, [true, false])?;
        let power_switch = PowerSwitch::new(poll.waker());
        Ok(Self {
            listener,
            is_listening: true,
            poll,
            clock,
            export: Arc::new(export),
            emulator,
            clients: HashMap::new(),
            gone: HashMap::new(),
            room: Room::default(),
            status: Status { latest_ns: i64::MIN, ..Status::default() },
            expected: None,
            own: None,
            was_opened: false,
            ending_ns: None,
            rows: None,
            power_plan: PowerPlan::default(),
            power_switch,
            loss: None,
        })
    }

    /// Where clients find it.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.listener.address()
    }

    /// Calls this server, from any thread.
    #[must_use]
    pub fn waker(&self) -> Waker {
        self.poll.waker()
    }

    /// From now on certain answers are sent that much before they are due, in nanoseconds of the clock.
    pub fn lead(&mut self, lead_ns: u64) {
        self.emulator.lead(lead_ns);
    }

    /// A client of one's own is to come, which is not waited for: a server that serves once does so until others have
    /// gone.
    pub fn expect(&mut self, peer: Peer) {
        self.expected = Some(peer);
    }

    /// The connection of that client, if it has come.
    #[must_use]
    pub fn own_connection(&self) -> Option<u64> {
        self.own
    }

    /// From now on rows are handed on as requests are over; without, they are kept to the end.
    pub fn hand_rows_to(&mut self, rows: Box<RowSink>) {
        self.rows = Some(rows);
    }

    /// The device.
    #[must_use]
    pub fn emulator(&self) -> &Emulator {
        &self.emulator
    }

    /// Closes the history of what was written, if it is kept; whether it is whole.
    ///
    /// # Errors
    /// Those of the system.
    pub fn close_history(&mut self) -> Option<io::Result<bool>> {
        self.emulator.close_history()
    }

    /// Ends it, and the device is left.
    #[must_use]
    pub fn into_emulator(mut self) -> Emulator {
        for client in self.clients.values_mut() {
            client.give_up(u64::MAX).for_each(|timed| self.emulator.sent(timed, None));
        }
        self.emulator
    }

    /// Serves until the observer breaks, who is told every second, and when the server is called. What clients have asked for
    /// until then, they are answered, unless nothing was answered or sent for ten seconds: simulated ones, where these are
    /// longer and the device is at work. If the observer breaks again, that is not waited for. `once`: until the last client
    /// has gone. When power is lost, it ends at once.
    ///
    /// # Errors
    /// Those of the system and of the simulator, not those of a client.
    pub fn run(
        &mut self,
        once: bool,
        observe: &mut dyn FnMut(&Status) -> ControlFlow<()>,
    ) -> Result<(), ServeError> {
        if self.status.clients_ever == 0 {
            // Nothing has a time yet: it counts from when somebody can be served.
            self.clock = Monotonic::start();
            self.poll.go_by(self.clock);
        }
        let mut ready = Vec::new();
        let mut tick_ns = self.clock.now_ns() + TICK_NS;
        loop {
            self.answer()?;
            if self.is_power_lost() {
                return self.lose_power();
            }
            if self.is_over() {
                return Ok(());
            }
            self.prepare();
            let wake_ns = self.emulator.wake_ns();
            let other_ns = self.power_plan.at_ns.map_or(tick_ns, |at_ns| at_ns.min(tick_ns));
            let is_precise = wake_ns.is_some_and(|wake_ns| wake_ns <= other_ns) && self.emulator.may_answer();
            let until_ns = wake_ns.map_or(other_ns, |wake_ns| wake_ns.min(other_ns));
            let woken = self.poll.wait(until_ns, is_precise, &mut ready)?;
            for Ready { token, is_gone } in ready.drain(..) {
                if token == LISTENER {
                    self.accept()?;
                } else {
                    self.hear(token, is_gone)?;
                }
                self.answer_if_due()?;
            }
            let now_ns = self.clock.now_ns();
            self.hand_on(now_ns);
            if once && self.was_opened && self.has_only_its_own() && self.ending_ns.is_none() {
                self.end(now_ns)?;
            }
            if woken == Woken::Called || now_ns >= tick_ns {
                tick_ns = now_ns + TICK_NS;
                self.look_after(now_ns)?;
                if observe(&self.tell(now_ns)).is_break() {
                    if self.ending_ns.is_some() {
                        return Ok(());
                    }
                    self.end(now_ns)?;
                }
            }
        }
    }

    fn has_only_its_own(&self) -> bool {
        self.clients.keys().all(|token| Some(*token) == self.own)
    }

    /// Hands on rows, when there is time for it.
    fn hand_on(&mut self, now_ns: u64) {
        let Some(rows) = &mut self.rows else { return };
        let over = self.emulator.rows_over();
        let has_time = || self.emulator.wake_ns().is_none_or(|wake_ns| wake_ns > now_ns + MOMENT_NS);
        if over >= MOST_ROWS || over >= ROWS && has_time() {
            let (record, served) = self.emulator.take_rows(MOST_ROWS);
            rows(record, served);
        }
    }

    /// From now on nothing new is taken in.
    fn end(&mut self, now_ns: u64) -> Result<(), ServeError> {
        self.ending_ns = Some(now_ns);
        self.listen(false)?;
        let tokens: Vec<u64> = self.clients.keys().copied().collect();
        tokens.into_iter().try_for_each(|token| self.serve(token))
    }

    fn is_over(&self) -> bool {
        let nothing_is_left = || {
            self.emulator.waiting() == 0
                && self.clients.values().all(|client| !client.connection.has_output())
        };
        let patience_ns = if self.emulator.waiting() > 0 {
            self.emulator.clock_ns(Time(GOODBYE_NS)).max(GOODBYE_NS)
        } else {
            GOODBYE_NS
        };
        self.ending_ns.is_some_and(|ending_ns| {
            nothing_is_left() || self.clock.now_ns().saturating_sub(ending_ns) >= patience_ns
        })
    }

    /// Something was answered or sent.
    fn goes_on(&mut self) {
        if let Some(ending_ns) = &mut self.ending_ns {
            *ending_ns = self.clock.now_ns();
        }
    }

    fn tell(&mut self, now_ns: u64) -> Status {
        let status = Status {
            now_ns,
            clients: self.clients.len() as u64,
            waiting: self.emulator.waiting() as u64,
            location: self.emulator.location(),
            ..self.status.clone()
        };
        (self.status.latest_ns, self.status.most_held) = (i64::MIN, 0);
        status
    }

    /// Does in advance what can be, when there is time for it.
    fn prepare(&mut self) {
        let mut has_time = || {
            let soon_ns = self.clock.now_ns() + PREPARED_NS;
            self.emulator.wake_ns().is_some_and(|wake_ns| wake_ns > soon_ns) && self.emulator.prepare()
        };
        while has_time() {}
    }

    fn answer_if_due(&mut self) -> Result<(), ServeError> {
        if self.emulator.wake_ns().is_some_and(|wake_ns| wake_ns <= self.clock.now_ns()) {
            self.answer()?;
        }
        Ok(())
    }

    /// Sends what is due.
    fn answer(&mut self) -> Result<(), ServeError> {
        while !self.is_power_lost() {
            let Some(answer) = self.emulator.next_answer(self.clock.now_ns())? else { break };
            let token = answer.to.connection;
            self.reply(answer);
            self.goes_on();
            if self.is_power_lost() {
                return Ok(());
            }
            // What this makes room for comes after the time was taken.
            self.serve(token)?;
        }
        while let Some(first) = self.room.first().filter(|_| !self.is_power_lost()) {
            self.serve(first)?;
            if self.room.first() == Some(first) {
                break;
            }
        }
        Ok(())
    }
}
