//! A connection from its greeting to its end.

use std::sync::Arc;

use super::buffers::Buffers;
use super::error::Broken;
use super::export::{Export, MOST_NAME_BYTES};
use super::handshake::{self, Handshake};
use super::input::Input;
use super::output::Output;
use super::request::{Errno, Request};
use super::transmission::{self, Transmission, MOST_OUTSTANDING_BYTES, MOST_OUTSTANDING_REQUESTS};

/// Maximum memory of a connection in bytes: outstanding data (including data given away and not answered), the input
/// buffer, heads of replies, and one answer to an option.
pub const MOST_HELD: usize = MOST_OUTSTANDING_BYTES
    + Input::BYTES
    + MOST_OUTSTANDING_REQUESTS * 256
    + 4 * MOST_NAME_BYTES
    + size_of::<Connection>();

/// An action of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The client opened the export: requests follow.
    Opened,
    /// The client waits for an [answer](Connection::reply).
    Request(Request),
    /// The client sends no more requests, but still reads outstanding answers.
    Ended,
}

/// The server side of a connection. Its owner
/// - puts input into its [`room`](Self::room) and reports the [received](Self::received) bytes, or lets it
///   [copy](Self::receive), while it [wants input](Self::wants_input);
/// - takes all [events](Self::next_event) after any input or output;
/// - answers requests by number in any [order](Self::reply), long reads [in parts](Self::begin_reply);
/// - sends its [output](Self::output), and reports the [sent](Self::sent) bytes;
/// - closes it when it is [finished](Self::is_finished) or [broken](Broken).
///
/// Data of a write are copied at most once, out of the input buffer for small items; the rest is received in place.
/// Data of a read are not copied.
pub struct Connection {
    export: Arc<Export>,
    input: Input,
    output: Output,
    phase: Phase,
}

enum Phase {
    Handshake(Handshake),
    Transmission(Transmission),
    /// The handshake ended without an open export.
    End,
}

impl Phase {
    fn transmission(&mut self) -> &mut Transmission {
        let Self::Transmission(transmission) = self else {
            panic!("a reply needs an open export");
        };
        transmission
    }
}

impl Connection {
    /// Begin a connection: its first output is the greeting.
    #[must_use]
    pub fn new(export: Arc<Export>) -> Self {
        Self::with_buffers(export, Buffers::default())
    }

    /// Begin a connection that shares buffers with others.
    #[must_use]
    pub fn with_buffers(export: Arc<Export>, buffers: Buffers) -> Self {
        let mut output = Output::new(buffers);
        let phase = Phase::Handshake(Handshake::new(&mut output));
        Self { export, input: Input::new(), output, phase }
    }

    /// Return true if the connection accepts input. It does not while the client's outstanding data are at their limit,
    /// while more than one answer to an option is unread, after the end, or while events are pending.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        let blocked = match &self.phase {
            Phase::Handshake(handshake) => handshake.is_blocked(&self.output),
            Phase::Transmission(transmission) => {
                transmission.has_ended() || transmission.is_blocked(&self.export, &self.input)
            }
            Phase::End => true,
        };
        !blocked && !self.input.is_full()
    }

    /// The buffer for the next input; empty if the connection wants none.
    pub fn room(&mut self) -> &mut [u8] {
        if !self.wants_input() {
            return &mut [];
        }
        match &mut self.phase {
            // Received bytes that are still unparsed come first.
            Phase::Transmission(transmission) if self.input.waiting().is_empty() => {
                transmission.payload_room().unwrap_or_else(|| self.input.free())
            }
            _ => self.input.free(),
        }
    }

    /// Report `bytes` received bytes in the [`room`](Self::room).
    ///
    /// # Panics
    /// If the room is smaller.
    pub fn received(&mut self, bytes: usize) {
        match &mut self.phase {
            Phase::Transmission(transmission) if self.input.waiting().is_empty() => {
                if transmission.payload_room().is_some() {
                    transmission.payload_received(bytes);
                } else {
                    self.input.received(bytes);
                }
            }
            _ => self.input.received(bytes),
        }
    }

    /// Copy as many of the given bytes as fit; return their number.
    pub fn receive(&mut self, bytes: &[u8]) -> usize {
        let room = self.room();
        let taken = room.len().min(bytes.len());
        room[..taken].copy_from_slice(&bytes[..taken]);
        if taken > 0 {
            self.received(taken);
        }
        taken
    }

    /// Return the next event of the client, if one is known.
    ///
    /// # Errors
    /// The client violated the protocol; no more events follow, and earlier requests can still be answered.
    pub fn next_event(&mut self) -> Result<Option<Event>, Broken> {
        let event = self.go_on();
        if event.is_err() {
            match &mut self.phase {
                Phase::Transmission(transmission) => transmission.end(),
                phase => *phase = Phase::End,
            }
        }
        event
    }

    fn go_on(&mut self) -> Result<Option<Event>, Broken> {
        loop {
            match &mut self.phase {
                Phase::Handshake(handshake) => {
                    match handshake.step(&self.export, &mut self.input, &mut self.output)? {
                        handshake::Step::Wait => return Ok(None),
                        handshake::Step::Again => {}
                        handshake::Step::Open => {
                            self.phase =
                                Phase::Transmission(Transmission::new(self.output.buffers().clone()));
                            return Ok(Some(Event::Opened));
                        }
                        handshake::Step::End => {
                            self.phase = Phase::End;
                            return Ok(Some(Event::Ended));
                        }
                    }
                }
                Phase::Transmission(transmission) => {
                    match transmission.step(&self.export, &mut self.input, &mut self.output)? {
                        transmission::Step::Wait => return Ok(None),
                        transmission::Step::Again => {}
                        transmission::Step::Request(request) => return Ok(Some(Event::Request(request))),
                        transmission::Step::End => return Ok(Some(Event::Ended)),
                    }
                }
                Phase::End => return Ok(None),
            }
        }
    }

    /// Answer the request with this number: a read with its data, other requests without data, or any request with an
    /// error.
    ///
    /// # Panics
    /// If no such request waits, or the length of the data differs from the request.
    pub fn reply(&mut self, number: u64, result: Result<Vec<u8>, Errno>) {
        self.phase.transmission().reply(number, result, &mut self.output);
    }

    /// Answer the read with this number with the first part of its data; the rest is [wanted](Self::wanted) later.
    ///
    /// # Panics
    /// If no such read waits, or the data are longer than the request.
    pub fn begin_reply(&mut self, number: u64, data: Vec<u8>) {
        self.phase.transmission().begin_reply(number, data, &mut self.output);
    }

    /// The read that needs more [data](Self::give) before the output can continue.
    #[must_use]
    pub fn wanted(&self) -> Option<u64> {
        self.output.wanted()
    }

    /// Give the next data of the read that is wanted.
    ///
    /// # Panics
    /// If no read is wanted, or the data are longer than its rest.
    pub fn give(&mut self, data: Vec<u8>) {
        self.output.give(data);
    }

    /// The output in order, in parts that are not empty.
    pub fn output(&self) -> impl Iterator<Item = &[u8]> {
        self.output.parts()
    }

    /// Return true if output is pending; its data may be [wanted](Self::wanted) first.
    #[must_use]
    pub fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// Report `bytes` sent bytes of the output.
    ///
    /// # Panics
    /// If the output is shorter.
    pub fn sent(&mut self, bytes: usize) {
        let freed = self.output.sent(bytes);
        if let Phase::Transmission(transmission) = &mut self.phase {
            transmission.answered(freed.requests, freed.bytes);
        }
    }

    /// Number of replies to requests, and number of replies sent to the last byte; replies are sent in the order in
    /// which they are made.
    #[must_use]
    pub fn replies(&self) -> [u64; 2] {
        self.output.replies()
    }

    /// Return true if the client has ended the connection and has all its answers.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let nothing_comes = match &self.phase {
            Phase::Handshake(_) => false,
            Phase::Transmission(transmission) => transmission.has_ended() && transmission.outstanding() == 0,
            Phase::End => true,
        };
        nothing_comes && self.output.is_empty()
    }

    /// Return true if the export is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Transmission(_))
    }

    /// Number of outstanding requests: not answered, or answered and not sent.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.outstanding(),
            _ => 0,
        }
    }

    /// Number of bytes of outstanding data: of unanswered writes, and of reads whose answer was not sent.
    #[must_use]
    pub fn outstanding_bytes(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.outstanding_bytes(),
            _ => 0,
        }
    }

    /// Number of bytes of outstanding data that the next event adds, as far as known: the data of a request whose head
    /// has arrived, unless it must wait.
    #[must_use]
    pub fn next_bytes(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.next_bytes(&self.export, &self.input),
            _ => 0,
        }
    }

    /// Memory in use in bytes, without the data that events have handed out.
    #[must_use]
    pub fn held(&self) -> usize {
        let transmission = match &self.phase {
            Phase::Transmission(transmission) => transmission.held(),
            _ => 0,
        };
        size_of::<Self>() + Input::BYTES + self.output.held() + transmission
    }
}
