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

/// What a connection holds at most, in bytes, with the data that it has given away and has no answer for: the
/// outstanding data, and besides them the room for what comes in, heads of replies, one answer to an option.
pub const MOST_HELD: usize = MOST_OUTSTANDING_BYTES
    + Input::BYTES
    + MOST_OUTSTANDING_REQUESTS * 256
    + 4 * MOST_NAME_BYTES
    + size_of::<Connection>();

/// What a client did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It has opened the export: requests follow.
    Opened,
    /// It waits for an [answer](Connection::reply).
    Request(Request),
    /// It wants nothing more but the answers that are outstanding.
    Ended,
}

/// The server's side of one connection. Its owner
/// - puts what comes in into its [`room`](Self::room) and says how much [came](Self::received), or lets it
///   [copy](Self::receive), while it [wants input](Self::wants_input);
/// - takes [events](Self::next_event) until there are none, after whatever came in or went out;
/// - answers requests by their number, in any [order](Self::reply), long reads [in parts](Self::begin_reply);
/// - sends its [output](Self::output), and says how much was [sent](Self::sent);
/// - closes it when it is [finished](Self::is_finished) or [broken](Broken).
///
/// Data of a write are copied once at most, out of the room where small things are read together; what is missing of
/// them then has room where it stays. Data of a read are not copied.
pub struct Connection {
    export: Arc<Export>,
    input: Input,
    output: Output,
    phase: Phase,
}

enum Phase {
    Handshake(Handshake),
    Transmission(Transmission),
    /// The handshake led to nothing.
    End,
}

impl Phase {
    fn transmission(&mut self) -> &mut Transmission {
        let Self::Transmission(transmission) = self else {
            panic!("a request is answered after it came");
        };
        transmission
    }
}

impl Connection {
    /// A connection that has been made: the first that it does is to greet.
    #[must_use]
    pub fn new(export: Arc<Export>) -> Self {
        Self::with_buffers(export, Buffers::default())
    }

    /// The same, with memory for data that others have, too.
    #[must_use]
    pub fn with_buffers(export: Arc<Export>, buffers: Buffers) -> Self {
        let mut output = Output::new(buffers);
        let phase = Phase::Handshake(Handshake::new(&mut output));
        Self { export, input: Input::new(), output, phase }
    }

    /// Whether more is to be read. It is not while the client has as much outstanding as it may, or has more than one
    /// answer to an option to read, nor after the end, nor while there are events to be taken.
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

    /// Where the next bytes that come in can be put; none if it does not want any.
    pub fn room(&mut self) -> &mut [u8] {
        if !self.wants_input() {
            return &mut [];
        }
        match &mut self.phase {
            // Otherwise what has come in comes before.
            Phase::Transmission(transmission) if self.input.waiting().is_empty() => {
                transmission.payload_room().unwrap_or_else(|| self.input.free())
            }
            _ => self.input.free(),
        }
    }

    /// So many bytes have been put into the [`room`](Self::room).
    ///
    /// # Panics
    /// When there was not so much room.
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

    /// Takes in as many of these bytes as there is room for; returns how many.
    pub fn receive(&mut self, bytes: &[u8]) -> usize {
        let room = self.room();
        let taken = room.len().min(bytes.len());
        room[..taken].copy_from_slice(&bytes[..taken]);
        if taken > 0 {
            self.received(taken);
        }
        taken
    }

    /// What the client did next, if that is known.
    ///
    /// # Errors
    /// A client with which there is no way to go on; after that it says nothing more, and answers to what it asked
    /// before are still taken.
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

    /// Answers the request of this number: a read with its data, anything else with none, or with an error.
    ///
    /// # Panics
    /// When no such request waits, or the data are not as many as it asked for.
    pub fn reply(&mut self, number: u64, result: Result<Vec<u8>, Errno>) {
        self.phase.transmission().reply(number, result, &mut self.output);
    }

    /// Answers the read of this number with the first of its data; the others are [wanted](Self::wanted) later.
    ///
    /// # Panics
    /// When no such read waits, or the data are more than it asked for.
    pub fn begin_reply(&mut self, number: u64, data: Vec<u8>) {
        self.phase.transmission().begin_reply(number, data, &mut self.output);
    }

    /// The read of which more data have to be [given](Self::give) before anything can be sent.
    #[must_use]
    pub fn wanted(&self) -> Option<u64> {
        self.output.wanted()
    }

    /// The data that follow of the read whose data are wanted.
    ///
    /// # Panics
    /// When none is, or they are more than it asked for.
    pub fn give(&mut self, data: Vec<u8>) {
        self.output.give(data);
    }

    /// What is to be sent, in this order, in parts of which none is empty.
    pub fn output(&self) -> impl Iterator<Item = &[u8]> {
        self.output.parts()
    }

    /// Whether something is to be sent, which may be [wanted](Self::wanted) first.
    #[must_use]
    pub fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// So many bytes of the output have been sent.
    ///
    /// # Panics
    /// When there were not so many.
    pub fn sent(&mut self, bytes: usize) {
        let freed = self.output.sent(bytes);
        if let Phase::Transmission(transmission) = &mut self.phase {
            transmission.answered(freed.requests, freed.bytes);
        }
    }

    /// How many replies to requests there have been, and how many of them have been sent to their last byte: they are
    /// sent in the order in which they are made.
    #[must_use]
    pub fn replies(&self) -> [u64; 2] {
        self.output.replies()
    }

    /// Whether the client has ended it, and has all that it asked for.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let nothing_comes = match &self.phase {
            Phase::Handshake(_) => false,
            Phase::Transmission(transmission) => transmission.has_ended() && transmission.outstanding() == 0,
            Phase::End => true,
        };
        nothing_comes && self.output.is_empty()
    }

    /// Whether the export has been opened.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Transmission(_))
    }

    /// How many requests are outstanding: not answered, or answered and not sent.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.outstanding(),
            _ => 0,
        }
    }

    /// How many bytes of data are outstanding: of writes that were not answered, and of reads whose answer was not
    /// sent.
    #[must_use]
    pub fn outstanding_bytes(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.outstanding_bytes(),
            _ => 0,
        }
    }

    /// How many bytes of data more will be outstanding once the next event was taken, as far as that is known: those of
    /// a request whose beginning has come in, unless it has to wait.
    #[must_use]
    pub fn next_bytes(&self) -> usize {
        match &self.phase {
            Phase::Transmission(transmission) => transmission.next_bytes(&self.export, &self.input),
            _ => 0,
        }
    }

    /// The memory that it holds now, in bytes, without the data that it has given away.
    #[must_use]
    pub fn held(&self) -> usize {
        let transmission = match &self.phase {
            Phase::Transmission(transmission) => transmission.held(),
            _ => 0,
        };
        size_of::<Self>() + Input::BYTES + self.output.held() + transmission
    }
}
