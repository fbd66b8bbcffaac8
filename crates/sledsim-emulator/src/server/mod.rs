//! The loop: sockets, the clock, and the emulator between them, in one thread.

mod address;
mod client;
mod poll;
mod realtime;

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use thiserror::Error;

use crate::emulator::{Answer, Asker, Emulator};
use crate::nbd::{Event, Export};
use crate::timing::{Clock, Monotonic};
pub use address::Address;
use address::Listener;
use client::{Client, TURN};
use poll::{Poll, Ready, Woken};
pub use realtime::{Realtime, RealtimeError};

/// The token of the listener; those of clients follow.
const LISTENER: u64 = 0;
/// Clients at once; others wait to be let in.
const MOST_CLIENTS: usize = 128;
/// How long a client may take to open the export.
const HANDSHAKE_NS: u64 = 10_000_000_000;
/// How often the loop looks after what nobody asks for.
const TICK_NS: u64 = 1_000_000_000;
/// How long clients may take, in the end, to be sent what they have asked for.
const GOODBYE_NS: u64 = 10_000_000_000;

/// Why a server ends that should not.
#[derive(Debug, Error)]
pub enum ServeError {
    /// What the system said.
    #[error("{0}")]
    Io(#[from] io::Error),
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
    status: Status,
    /// Whether any client has come to read or write.
    was_opened: bool,
    /// When nobody is waited for any more; none while it serves.
    ends_ns: Option<u64>,
}

impl Server {
    /// Opens the door. The last `spin_ns` before an answer are not slept.
    ///
    /// # Errors
    /// Those of the system: an address that somebody else has, or that cannot be.
    pub fn bind(address: &Address, export: Export, emulator: Emulator, spin_ns: u64) -> io::Result<Self> {
        let (listener, clock) = (Listener::bind(address)?, Monotonic::start());
        let poll = Poll::new(clock, spin_ns)?;
        poll.add(&listener, LISTENER, [true, false])?;
        Ok(Self {
            listener,
            is_listening: true,
            poll,
            clock,
            export: Arc::new(export),
            emulator,
            clients: HashMap::new(),
            status: Status { latest_ns: i64::MIN, ..Status::default() },
            was_opened: false,
            ends_ns: None,
        })
    }

    /// Where clients find it.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.listener.address()
    }

    /// The device.
    #[must_use]
    pub fn emulator(&self) -> &Emulator {
        &self.emulator
    }

    /// Ends it, and the device is left.
    #[must_use]
    pub fn into_emulator(self) -> Emulator {
        self.emulator
    }

    /// Serves until the observer breaks, who is told every second, and whenever a signal came. What clients have asked for
    /// until then, they are answered; if the observer breaks again, they are not. `once`: until the last client has gone.
    ///
    /// # Errors
    /// Those of the system and of the simulator, not those of a client.
    pub fn run(
        &mut self,
        once: bool,
        observe: &mut dyn FnMut(&Status) -> ControlFlow<()>,
    ) -> Result<(), ServeError> {
        let mut ready = Vec::new();
        let mut tick_ns = self.clock.now_ns() + TICK_NS;
        loop {
            self.answer()?;
            if self.is_over() {
                return Ok(());
            }
            let wake_ns = self.emulator.wake_ns();
            let is_precise = wake_ns.is_some_and(|wake_ns| wake_ns <= tick_ns);
            let until_ns = wake_ns.map_or(tick_ns, |wake_ns| wake_ns.min(tick_ns));
            let woken = self.poll.wait(until_ns, is_precise, &mut ready)?;
            for Ready { token, is_gone } in ready.drain(..) {
                if token == LISTENER {
                    self.accept()?;
                } else {
                    self.hear(token, is_gone)?;
                }
            }
            let now_ns = self.clock.now_ns();
            if once && self.was_opened && self.clients.is_empty() && self.ends_ns.is_none() {
                self.end(now_ns)?;
            }
            if woken == Woken::Signal || now_ns >= tick_ns {
                tick_ns = now_ns + TICK_NS;
                self.look_after(now_ns)?;
                if observe(&self.tell(now_ns)).is_break() {
                    if self.ends_ns.is_some() {
                        return Ok(());
                    }
                    self.end(now_ns)?;
                }
            }
        }
    }

    /// From now on nothing new is taken in.
    fn end(&mut self, now_ns: u64) -> Result<(), ServeError> {
        self.ends_ns = Some(now_ns + GOODBYE_NS);
        self.listen(false)?;
        let tokens: Vec<u64> = self.clients.keys().copied().collect();
        tokens.into_iter().try_for_each(|token| self.serve(token))
    }

    fn is_over(&self) -> bool {
        let nothing_is_left = || {
            self.emulator.waiting() == 0
                && self.clients.values().all(|client| !client.connection.has_output())
        };
        self.ends_ns.is_some_and(|ends_ns| nothing_is_left() || self.clock.now_ns() >= ends_ns)
    }

    fn tell(&mut self, now_ns: u64) -> Status {
        let status = Status {
            now_ns,
            clients: self.clients.len() as u64,
            waiting: self.emulator.waiting() as u64,
            location: self.emulator.location(),
            ..self.status.clone()
        };
        self.status.latest_ns = i64::MIN;
        status
    }

    /// Sends what is due.
    fn answer(&mut self) -> Result<(), ServeError> {
        for Answer { to, result, timed } in self.emulator.answers(self.clock.now_ns())? {
            let client = self.clients.get_mut(&to.connection);
            let is_there = client.is_some();
            if let Some(client) = client {
                client.connection.reply(to.number, result);
                self.serve(to.connection)?;
            }
            if let Some(timed) = timed {
                let sent_ns = is_there.then(|| self.clock.now_ns());
                if let Some(sent_ns) = sent_ns {
                    self.status.answered += 1;
                    self.status.latest_ns = self.status.latest_ns.max(sent_ns as i64 - timed.due_ns as i64);
                }
                self.emulator.sent(timed, sent_ns);
            }
        }
        Ok(())
    }

    /// Lets clients in.
    fn accept(&mut self) -> Result<(), ServeError> {
        while self.clients.len() < MOST_CLIENTS {
            let socket = match self.listener.accept() {
                Ok(Some(socket)) => socket,
                Ok(None) => return Ok(()),
                // Whoever knocked is gone already, or there is no room; the others are not to suffer.
                Err(_) => break,
            };
            self.status.clients_ever += 1;
            let token = self.status.clients_ever;
            let client = Client::new(socket, Arc::clone(&self.export), self.clock.now_ns());
            if self.poll.add(&client.socket, token, client.watched).is_ok() {
                self.clients.insert(token, client);
                self.serve(token)?;
            }
        }
        self.listen(false)?;
        Ok(())
    }

    fn listen(&mut self, is_listening: bool) -> io::Result<()> {
        let is_listening = is_listening && self.ends_ns.is_none();
        if self.is_listening != is_listening {
            self.poll.change(&self.listener, LISTENER, [is_listening, false])?;
            self.is_listening = is_listening;
        }
        Ok(())
    }

    /// Takes in what a client sends, as far as it is its turn.
    fn hear(&mut self, token: u64, is_gone: bool) -> Result<(), ServeError> {
        let turn = if self.ends_ns.is_some() { 0 } else { TURN };
        for _ in 0..turn {
            let Some(client) = self.clients.get_mut(&token) else { return Ok(()) };
            match client.read() {
                Ok(true) => self.serve(token)?,
                Ok(false) => break,
                Err(_) => return Ok(self.close(token)?),
            }
        }
        if is_gone {
            return Ok(self.close(token)?);
        }
        self.serve(token)
    }

    /// Does what a client has asked for, sends what there is to be sent, and closes it if that was all.
    fn serve(&mut self, token: u64) -> Result<(), ServeError> {
        let Some(client) = self.clients.get_mut(&token) else { return Ok(()) };
        while self.ends_ns.is_none() {
            match client.connection.next_event() {
                Ok(Some(Event::Request(request))) => {
                    let from = Asker { connection: token, number: request.number };
                    let answer = self.emulator.request(self.clock.now_ns(), from, request)?;
                    if let Some(Answer { to, result, .. }) = answer {
                        client.connection.reply(to.number, result);
                    }
                }
                Ok(Some(Event::Opened)) => self.was_opened = true,
                Ok(Some(Event::Ended)) => {}
                Ok(None) => break,
                Err(_) => return Ok(self.close(token)?),
            }
        }
        if client.write().is_err() || client.is_finished() {
            return Ok(self.close(token)?);
        }
        let [reads, writes] = client.wants();
        let wants = [reads && self.ends_ns.is_none(), writes];
        if wants != client.watched {
            self.poll.change(&client.socket, token, wants)?;
            client.watched = wants;
        }
        Ok(())
    }

    fn close(&mut self, token: u64) -> io::Result<()> {
        if let Some(client) = self.clients.remove(&token) {
            self.poll.remove(&client.socket)?;
            self.listen(true)?;
        }
        Ok(())
    }

    /// Sees out who does not come to the point, and opens the door again if it was closed.
    fn look_after(&mut self, now_ns: u64) -> io::Result<()> {
        let is_late = |client: &Client| {
            !client.connection.is_open() && now_ns.saturating_sub(client.since_ns) > HANDSHAKE_NS
        };
        let late: Vec<u64> =
            self.clients.iter().filter(|(_, client)| is_late(client)).map(|(token, _)| *token).collect();
        late.into_iter().try_for_each(|token| self.close(token))?;
        self.listen(self.clients.len() < MOST_CLIENTS)
    }
}
