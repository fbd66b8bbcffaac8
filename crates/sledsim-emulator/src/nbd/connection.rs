//! A connection with a client, from the greeting of the server to the end.

use std::sync::Arc;

use super::buffers::Buffers;
use super::error::Broken;
use super::export::{Export, MOST_NAME_BYTES};
use super::handshake::{self, Handshake};
use super::input::Input;
use super::output::Output;
use super::request::{Errno, Request};
use super::transmission::{self, Transmission, MOST_OUTSTANDING_BYTES, MOST_OUTSTANDING_REQUESTS};

/// Maximum memory of a connection in bytes: the data of outstanding requests (including data that the owner
/// holds), the input buffer, the headers of replies, and one answer to an option.
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
    /// The client has sent a request, to be answered by [`reply`](Connection::reply).
    Request(Request),
    /// The client sends no more requests. Outstanding requests are still answered.
    Ended,
}

/// The server side of a connection. The owner of a connection
/// - puts input into the buffer [`room`](Self::room) and calls [`received`](Self::received), or passes input to
///   [`receive`](Self::receive), while the connection [wants input](Self::wants_input);
/// - calls [`next_event`](Self::next_event) after any input or output until no event is left;
/// - answers requests by number in any order with [`reply`](Self::reply), and long reads in parts with
///   [`begin_reply`](Self::begin_reply);
/// - sends the [output](Self::output) and calls [`sent`](Self::sent);
/// - closes the connection when it is [finished](Self::is_finished) or [broken](Broken).
///
/// The first data of a write are copied once, out of the input buffer; further data are received directly into
/// the buffer of the request. The data of a read are not copied.
pub struct Connection {
    export: Arc<Export>,
    input: Input,
    output: Output,
    phase: Phase,
}

enum Phase {
    Handshake(Handshake),
    Transmission(Transmission),
    /// The connection ended before the client opened the export.
    End,
}

impl Phase {
    fn transmission(&mut self) -> &mut Transmission {
        let Self::Transmission(transmission) = self else {
            panic!("requests can be answered only after the client has opened the export");
        };
        transmission
    }
}

impl Connection {
    /// Begin a connection with a client that may open `export`. The first output is the greeting.
    #[must_use]
    pub fn new(export: Arc<Export>) -> Self {
        Self::with_buffers(export, Buffers::default())
    }

    /// Begin a connection that shares the pool `buffers` with other connections.
    #[must_use]
    pub fn with_buffers(export: Arc<Export>, buffers: Buffers) -> Self {
        let mut output = Output::new(buffers);
        let phase = Phase::Handshake(Handshake::new(&mut output));
        Self { export, input: Input::new(), output, phase }
    }

    /// Return true if the connection accepts input. It accepts no input while the limit of outstanding requests
    /// or data is reached, while an answer to an option is unsent, while an event was not taken, and after its
    /// end.
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

    /// The buffer into which the owner must put the next input. The buffer is empty if the connection accepts
    /// no input.
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

    /// Report that `bytes` bytes were received into the buffer [`room`](Self::room).
    ///
    /// # Panics
    /// If the buffer is smaller than `bytes` bytes.
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

    /// Copy received bytes into the input buffer until it is full. Return the number of copied bytes.
    pub fn receive(&mut self, bytes: &[u8]) -> usize {
        let room = self.room();
        let taken = room.len().min(bytes.len());
        room[..taken].copy_from_slice(&bytes[..taken]);
        if taken > 0 {
            self.received(taken);
        }
        taken
    }

    /// Return the next action of the client, or `None` if the action has not arrived completely.
    ///
    /// # Errors
    /// The client violated the protocol. No more events follow, but earlier requests can still be answered.
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

    /// Answer the request with the number `number`. `result` is the data of a read, empty data for any other
    /// request, or an error.
    ///
    /// # Panics
    /// If no request with this number waits for an answer, or if the data do not have the length that the
    /// request asks for.
    pub fn reply(&mut self, number: u64, result: Result<Vec<u8>, Errno>) {
        self.phase.transmission().reply(number, result, &mut self.output);
    }

    /// Begin the answer to the read with this number; `data` is the first part of the requested data. Later,
    /// [`wanted`](Self::wanted) asks for the remaining data.
    ///
    /// # Panics
    /// If no read with this number waits for an answer, or if the data are longer than the request asks for.
    pub fn begin_reply(&mut self, number: u64, data: Vec<u8>) {
        self.phase.transmission().begin_reply(number, data, &mut self.output);
    }

    /// Number of the read for which [`give`](Self::give) must provide more data before more output can be sent.
    #[must_use]
    pub fn wanted(&self) -> Option<u64> {
        self.output.wanted()
    }

    /// Provide the next data of the read that [`wanted`](Self::wanted) names.
    ///
    /// # Panics
    /// If no read needs data, or if `data` is longer than the missing data of the read.
    pub fn give(&mut self, data: Vec<u8>) {
        self.output.give(data);
    }

    /// The bytes to be sent, in order, in parts that are not empty.
    pub fn output(&self) -> impl Iterator<Item = &[u8]> {
        self.output.parts()
    }

    /// Return true if bytes are to be sent. The connection may need [more data](Self::wanted) before.
    #[must_use]
    pub fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// Report that the first `bytes` bytes of the output were sent.
    ///
    /// # Panics
    /// If the output is shorter than `bytes` bytes.
    pub fn sent(&mut self, bytes: usize) {
        let freed = self.output.sent(bytes);
        if let Phase::Transmission(transmission) = &mut self.phase {
            transmission.answered(freed.requests, freed.bytes);
        }
    }

    /// Number of replies that the owner has given, and number of replies whose last byte was sent. Replies are
    /// sent in the order in which they were given.
    #[must_use]
    pub fn replies(&self) -> [u64; 2] {
        self.output.replies()
    }

    /// Return true if the client has ended the connection and all its requests are answered.
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

    /// Number of outstanding requests, that is, of requests whose answer was not sent completely.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.outstanding(),
            _ => 0,
        }
    }

    /// Number of bytes of outstanding data. These are the data of unanswered writes, and of reads whose answer
    /// was not sent completely.
    #[must_use]
    pub fn outstanding_bytes(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.outstanding_bytes(),
            _ => 0,
        }
    }

    /// Number of bytes of data of the next request, if its header has arrived and the limits allow the request
    /// to begin now; otherwise 0.
    #[must_use]
    pub fn next_bytes(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.next_bytes(&self.export, &self.input),
            _ => 0,
        }
    }

    /// Memory of the connection in bytes, without the data that were handed out with events.
    #[must_use]
    pub fn held(&self) -> usize {
        let transmission = match &self.phase {
            Phase::Transmission(transmission) => transmission.held(),
            _ => 0,
        };
        size_of::<Self>() + Input::BYTES + self.output.held() + transmission
    }
}
