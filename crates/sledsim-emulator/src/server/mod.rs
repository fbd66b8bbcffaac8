//! The server loop. One thread reads sockets and the clock, and passes requests and answers to and from the emulator.

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

/// Token of the listening socket; clients have the tokens from 1 on.
const LISTENER: u64 = 0;
/// Interval in nanoseconds between two calls of the observer.
const TICK_NS: u64 = 1_000_000_000;
/// Number of finished requests whose rows the server hands to the sink in one step while it is idle.
const ROWS: usize = 1 << 10;
/// Number of finished requests at which the server hands their rows to the sink even if it is busy.
const MOST_ROWS: usize = 1 << 14;
/// Shortest idle time in nanoseconds in which the server hands rows to the sink. Handing over a thousand rows
/// takes much less time.
const MOMENT_NS: u64 = 1_000_000;
/// Time in nanoseconds before an answer is due during which the server does no work in advance. One step of
/// such work takes less time.
const PREPARED_NS: u64 = 200_000;
/// Time limit in nanoseconds at the end of a server: it closes once it has neither answered a request nor sent
/// data for this time.
const GOODBYE_NS: u64 = 10_000_000_000;

/// The error that ends a server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// An I/O error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The system does not grant real-time priority to the thread.
    #[error("{0}")]
    Realtime(#[from] RealtimeError),
    /// An error of the simulator.
    #[error("{0}")]
    Simulation(#[from] sledsim::error::Error),
}

/// Status of a running server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Time of the clock in nanoseconds.
    pub now_ns: u64,
    /// Number of connected clients.
    pub clients: u64,
    /// Number of clients ever connected.
    pub clients_ever: u64,
    /// Number of requests that the simulated device has not answered.
    pub waiting: u64,
    /// Maximum of the outstanding data of all clients together since the previous status, in bytes.
    pub most_held: u64,
    /// Number of requests that the simulated device has answered.
    pub answered: u64,
    /// Maximum lateness of an answer since the previous status, in nanoseconds. It is negative if every answer
    /// was sent early.
    pub latest_ns: i64,
    /// Position of the moving parts of the first device, such as the sled: name (with unit) and value of each
    /// coordinate.
    pub location: Vec<(&'static str, f64)>,
}

/// A server that offers the simulated device to all clients that connect.
pub struct Server {
    listener: Listener,
    is_listening: bool,
    poll: Poll,
    clock: Monotonic,
    export: Arc<Export>,
    emulator: Emulator,
    clients: HashMap<u64, Client>,
    /// Number of unanswered requests of each client that has left, by token.
    gone: HashMap<u64, usize>,
    room: Room,
    status: Status,
    /// Name of the latency probe (the built-in client) until it connects; `None` if no probe is expected.
    expected: Option<Peer>,
    /// Token of the latency probe, once it has connected.
    own: Option<u64>,
    /// True if a client other than the latency probe has opened the export.
    was_opened: bool,
    /// Clock time in nanoseconds at which the ending server last answered a request or sent data; `None` while
    /// the server is not ending.
    ending_ns: Option<u64>,
    /// Sink that receives the rows of finished requests, if any.
    rows: Option<Box<RowSink>>,
    power_plan: PowerPlan,
    power_switch: PowerSwitch,
    loss: Option<Loss>,
}

/// Sink that receives the rows of finished requests in the order of the requests: rows of the simulation, and
/// the same number of rows with the times of replies.
pub type RowSink = dyn FnMut(Record, Vec<Served>) + Send;

impl Server {
    /// True if the server replaced the socket of a dead one.
    #[must_use]
    pub fn took_over(&self) -> bool {
        self.listener.took_over()
    }

    /// Listen on `address` with the device of `emulator`. Clients see the device as the export `export`. For
    /// the last `spin_ns` nanoseconds before an answer is due, the server waits without sleeping.
    ///
    /// # Errors
    /// I/O errors of the operating system: the address is in use or not available.
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

    /// Address of the server.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.listener.address()
    }

    /// A handle that wakes this server from any thread.
    #[must_use]
    pub fn waker(&self) -> Waker {
        self.poll.waker()
    }

    /// Send answers that no later request can change `lead_ns` nanoseconds of the clock before they are due.
    pub fn lead(&mut self, lead_ns: u64) {
        self.emulator.lead(lead_ns);
    }

    /// Announce that the latency probe (the built-in client) will connect under the name `peer`. A server that
    /// ends with its last client (`once`) does not wait until the probe has left.
    pub fn expect(&mut self, peer: Peer) {
        self.expected = Some(peer);
    }

    /// Number of the connection of the latency probe, once it has connected.
    #[must_use]
    pub fn own_connection(&self) -> Option<u64> {
        self.own
    }

    /// Set the sink that receives the rows of finished requests while the server runs. Without a sink, the server keeps
    /// all rows until its end.
    pub fn hand_rows_to(&mut self, rows: Box<RowSink>) {
        self.rows = Some(rows);
    }

    /// The emulator that answers the requests.
    #[must_use]
    pub fn emulator(&self) -> &Emulator {
        &self.emulator
    }

    /// Close the history of writes. Return true if the history is complete, false if it ended early, and `None`
    /// if no history was recorded.
    ///
    /// # Errors
    /// I/O errors of the operating system.
    pub fn close_history(&mut self) -> Option<io::Result<bool>> {
        self.emulator.close_history()
    }

    /// End the server and return its emulator.
    #[must_use]
    pub fn into_emulator(mut self) -> Emulator {
        for client in self.clients.values_mut() {
            client.give_up(u64::MAX).for_each(|timed| self.emulator.sent(timed, None));
        }
        self.emulator
    }

    /// Serve until `observe` breaks. The server calls `observe` with the status every second, and when a waker wakes
    /// it. After the break, the server accepts no more requests and answers those that clients have sent. It stops
    /// waiting if it has answered and sent nothing for ten seconds (simulated seconds, if these are longer and requests
    /// wait), or if `observe` breaks again. If `once` is true, the server also ends when the last client leaves. A
    /// power failure ends the server at once.
    ///
    /// # Errors
    /// Errors of the operating system and of the simulator. An error on the connection of a client closes this
    /// connection, and is not returned.
    pub fn run(
        &mut self,
        once: bool,
        observe: &mut dyn FnMut(&Status) -> ControlFlow<()>,
    ) -> Result<(), ServeError> {
        if self.status.clients_ever == 0 {
            // Restart the clock when clients can be served: no time was recorded before.
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

    /// Hand the rows of finished requests to the sink, if the server is idle or if too many rows wait.
    fn hand_on(&mut self, now_ns: u64) {
        let Some(rows) = &mut self.rows else { return };
        let over = self.emulator.rows_over();
        let has_time = || self.emulator.wake_ns().is_none_or(|wake_ns| wake_ns > now_ns + MOMENT_NS);
        if over >= MOST_ROWS || over >= ROWS && has_time() {
            let (record, served) = self.emulator.take_rows(MOST_ROWS);
            rows(record, served);
        }
    }

    /// Begin to end the server: accept no more clients and requests.
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

    /// Record that an ending server has answered a request or sent data, so that its time limit begins again.
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

    /// Read ahead and prepare for writes until the next answer is nearly due.
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

    /// Send the answers that are due.
    fn answer(&mut self) -> Result<(), ServeError> {
        while !self.is_power_lost() {
            let Some(answer) = self.emulator.next_answer(self.clock.now_ns())? else { break };
            let token = answer.to.connection;
            self.reply(answer);
            self.goes_on();
            if self.is_power_lost() {
                return Ok(());
            }
            // Take waiting requests for which the sent answer has made space.
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
