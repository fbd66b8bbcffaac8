//! Accept clients, read their requests, send their answers, and close them.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::client::{Client, TURN};
use super::{ServeError, Server, LISTENER};
use crate::emulator::{Answer, Asker};
use crate::nbd::Event;
use crate::timing::Clock;

/// Maximum number of clients, including those that have left while the device still serves their requests.
/// Further clients must wait until they are accepted. The memory for the data and input buffers of all clients
/// is less than 64 MiB.
const MOST_CLIENTS: usize = 64;
/// Maximum number of clients that are accepted before other work is done.
const ACCEPTED: usize = 16;
/// Time in nanoseconds within which a new client must open the export.
const HANDSHAKE_NS: u64 = 10_000_000_000;
/// Time in nanoseconds for which a client may keep other clients waiting by not reading its answers or not
/// sending its data.
const PATIENCE_NS: u64 = 5_000_000_000;

impl Server {
    /// Accept clients that wait for a connection.
    pub(super) fn accept(&mut self) -> Result<(), ServeError> {
        for _ in 0..ACCEPTED {
            if self.is_full() {
                break;
            }
            let (socket, peer) = match self.listener.accept() {
                Ok(Some(accepted)) => accepted,
                Ok(None) => return Ok(()),
                // The operating system lacks resources for a connection: stop listening until a client leaves or until
                // the next housekeeping.
                Err(_) => return Ok(self.listen(false)?),
            };
            self.status.clients_ever += 1;
            let token = self.status.clients_ever;
            if peer.is_some() && peer == self.expected {
                (self.expected, self.own) = (None, Some(token));
            }
            let client = Client::new(
                socket,
                Arc::clone(&self.export),
                self.emulator.buffers().clone(),
                self.clock.now_ns(),
            );
            if self.poll.add(&client.socket, token, client.watched).is_ok() {
                self.clients.insert(token, client);
                self.serve(token)?;
            }
        }
        Ok(self.listen(!self.is_full())?)
    }

    fn is_full(&self) -> bool {
        self.clients.len() + self.gone.len() >= MOST_CLIENTS
    }

    /// Listen for new clients, or stop listening.
    pub(super) fn listen(&mut self, is_listening: bool) -> io::Result<()> {
        let is_listening = is_listening && self.ending_ns.is_none();
        if self.is_listening != is_listening {
            self.poll.change(&self.listener, LISTENER, [is_listening, false])?;
            self.is_listening = is_listening;
        }
        Ok(())
    }

    /// Read input of the client with this token until its turn is over. `is_gone` is true if the client has
    /// disconnected.
    pub(super) fn hear(&mut self, token: u64, is_gone: bool) -> Result<(), ServeError> {
        let turn = if self.ending_ns.is_some() { 0 } else { TURN };
        for _ in 0..turn {
            if self.is_power_lost() {
                return Ok(());
            }
            let Some(client) = self.clients.get_mut(&token) else { return Ok(()) };
            match client.read() {
                Ok(true) => {
                    self.serve(token)?;
                    self.answer_if_due()?;
                }
                Ok(false) if is_gone => return Ok(self.close(token)?),
                Ok(false) => return self.serve(token),
                Err(_) => return Ok(self.close(token)?),
            }
        }
        // Read everything that a disconnected client sent before it left.
        if is_gone && turn == 0 {
            return Ok(self.close(token)?);
        }
        self.serve(token)
    }

    /// Send an answer to its client if the client is still connected.
    pub(super) fn reply(&mut self, answer: Answer) {
        let token = answer.to.connection;
        if let Some(client) = self.clients.get_mut(&token) {
            client.reply(answer);
            // An error occurs again when the client is served, and is handled there.
            let _ = self.write(token);
            return;
        }
        let Answer { to, result, timed, .. } = answer;
        if let Some(waiting) = self.gone.get_mut(&to.connection) {
            *waiting -= 1;
        }
        self.emulator.forget(to.connection);
        result.into_iter().for_each(|data| self.emulator.buffers().give_back(data));
        if let Some(timed) = timed {
            self.emulator.sent(timed, None);
        }
    }

    /// Send output to the client with this token until its turn is over.
    fn write(&mut self, token: u64) -> io::Result<()> {
        let Some(client) = self.clients.get_mut(&token) else { return Ok(()) };
        let more = &mut |number| self.emulator.more(Asker { connection: token, number });
        let written = client.write(&self.clock, more);
        self.note_sent(token);
        if written? {
            self.goes_on();
        }
        Ok(())
    }

    /// Report to the emulator when answers to the client with this token were sent, and update the server's
    /// status.
    fn note_sent(&mut self, token: u64) {
        let Some(client) = self.clients.get_mut(&token) else { return };
        for (timed, sent_ns) in client.sent.drain(..) {
            self.status.answered += 1;
            self.status.latest_ns = self.status.latest_ns.max(sent_ns as i64 - timed.due_ns as i64);
            self.emulator.sent(timed, Some(sent_ns));
        }
    }

    /// Take the requests of the client with this token, send its output, and close the connection if the client
    /// needs it no more.
    pub(super) fn serve(&mut self, token: u64) -> Result<(), ServeError> {
        if self.gone.get(&token) == Some(&0) {
            self.gone.remove(&token);
            self.room.hold(token, 0);
            self.listen(true)?;
        }
        loop {
            if self.ending_ns.is_none() && self.take(token)?.is_break() {
                return Ok(self.close(token)?);
            }
            let Some(client) = self.clients.get(&token) else { return Ok(()) };
            let had_output = client.connection.has_output();
            if self.write(token).is_err() {
                return Ok(self.close(token)?);
            }
            let Some(client) = self.clients.get(&token) else { return Ok(()) };
            self.room.hold(token, client.connection.outstanding_bytes());
            // Sending may have made space for requests that arrived earlier.
            if self.ending_ns.is_some() || !had_output || client.connection.has_output() {
                break;
            }
        }
        self.note_sent(token);
        let Some(client) = self.clients.get_mut(&token) else { return Ok(()) };
        if client.is_finished() {
            return Ok(self.close(token)?);
        }
        let [reads, writes] = client.wants();
        let wants = [reads && self.ending_ns.is_none(), writes];
        if wants != client.watched {
            self.poll.change(&client.socket, token, wants)?;
            client.watched = wants;
        }
        Ok(())
    }

    /// Take requests of the client with this token until the space for data is used up. Return a break if the
    /// client violated the protocol.
    fn take(&mut self, token: u64) -> Result<ControlFlow<()>, ServeError> {
        let Some(client) = self.clients.get_mut(&token) else { return Ok(ControlFlow::Continue(())) };
        loop {
            client.is_held_back = !self.room.admits(token, client.connection.next_bytes());
            if client.is_held_back {
                return Ok(ControlFlow::Continue(()));
            }
            let event = client.connection.next_event();
            self.room.hold(token, client.connection.outstanding_bytes());
            self.status.most_held = self.status.most_held.max(self.room.bytes() as u64);
            match event {
                Ok(Some(Event::Request(request))) => {
                    let now_ns = self.clock.now_ns();
                    client.blameless_ns = now_ns;
                    let from = Asker { connection: token, number: request.number };
                    match self.emulator.request(now_ns, from, request)? {
                        Some(answer) => client.reply(answer),
                        None => client.waiting += 1,
                    }
                }
                Ok(Some(Event::Opened)) => self.was_opened |= self.own != Some(token),
                Ok(Some(Event::Ended)) => {}
                Ok(None) => return Ok(ControlFlow::Continue(())),
                Err(_) => return Ok(ControlFlow::Break(())),
            }
        }
    }

    pub(super) fn close(&mut self, token: u64) -> io::Result<()> {
        self.note_sent(token);
        if let Some(mut client) = self.clients.remove(&token) {
            self.room.forget(token);
            self.emulator.forget(token);
            if client.waiting > 0 {
                self.gone.insert(token, client.waiting);
            } else {
                self.room.hold(token, 0);
            }
            self.poll.remove(&client.socket)?;
            client.give_up(u64::MAX).for_each(|timed| self.emulator.sent(timed, None));
            self.listen(!self.is_full())?;
        }
        Ok(())
    }

    /// Disconnect clients that do not open the export in time, and clients that keep the shared space occupied
    /// for too long. Then listen for new clients again.
    pub(super) fn look_after(&mut self, now_ns: u64) -> io::Result<()> {
        let somebody_waits = self.room.first().is_some();
        let mut unwanted = Vec::new();
        for (token, client) in &mut self.clients {
            // A client that does not read its answers must not hold back the rows of other clients.
            let given_up = client.give_up(now_ns.saturating_sub(PATIENCE_NS));
            given_up.for_each(|timed| self.emulator.sent(timed, None));
            if client.waiting > 0 || !self.room.is_beyond(*token) {
                client.blameless_ns = now_ns;
            }
            let is_late =
                !client.connection.is_open() && now_ns.saturating_sub(client.since_ns) > HANDSHAKE_NS;
            let is_in_the_way = somebody_waits && now_ns.saturating_sub(client.blameless_ns) > PATIENCE_NS;
            if is_late || is_in_the_way {
                unwanted.push(*token);
            }
        }
        unwanted.into_iter().try_for_each(|token| self.close(token))?;
        self.listen(!self.is_full())
    }
}
