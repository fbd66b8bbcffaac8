//! A connected client: its socket, its connection and its unsent answers.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use crate::emulator::{Answer, Timed};
use crate::nbd::{Buffers, Connection, Errno, Export, PART_BYTES};
use crate::timing::Clock;

/// Maximum number of parts of output that one system call sends.
const PARTS: usize = 64;
/// Maximum number of reads from the socket of one client before other clients have their turn.
pub(super) const TURN: usize = 16;

/// A connected non-blocking socket.
pub(super) enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(stream) => stream.as_fd(),
            Self::Tcp(stream) => stream.as_fd(),
        }
    }
}

impl Socket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(into),
            Self::Tcp(stream) => stream.read(into),
        }
    }

    fn write(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write_vectored(parts),
            Self::Tcp(stream) => stream.write_vectored(parts),
        }
    }
}

/// A client with its connection and its unsent answers.
pub(super) struct Client {
    pub(super) socket: Socket,
    pub(super) connection: Connection,
    /// Time at which the client connected, in nanoseconds of the clock.
    pub(super) since_ns: u64,
    /// Events that the operating system reports for the socket: whether it has become readable, and whether it
    /// has become writable.
    pub(super) watched: [bool; 2],
    /// Number of requests that the emulator has not answered.
    pub(super) waiting: usize,
    /// Answers of the simulated device whose last byte was not sent yet. The number with each answer is its
    /// position among all replies of the connection, counted from 1.
    unsent: VecDeque<(u64, Timed)>,
    /// Answers that were sent and not yet reported to the emulator, each with the time of sending in
    /// nanoseconds of the clock.
    pub(super) sent: Vec<(Timed, u64)>,
    /// True if the next request must wait because the space for data that all clients share is full.
    pub(super) is_held_back: bool,
    /// Latest clock time in nanoseconds at which the client did not keep other clients from using the shared
    /// space.
    pub(super) blameless_ns: u64,
    /// True if the client sends no more requests.
    is_closed: bool,
}

impl Client {
    pub(super) fn new(socket: Socket, export: Arc<Export>, buffers: Buffers, since_ns: u64) -> Self {
        Self {
            socket,
            connection: Connection::with_buffers(export, buffers),
            since_ns,
            watched: [true, false],
            waiting: 0,
            unsent: VecDeque::new(),
            sent: Vec::new(),
            is_held_back: false,
            blameless_ns: since_ns,
            is_closed: false,
        }
    }

    /// Read from the socket once, if the connection accepts input. Return true if bytes arrived.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        if !self.wants_input() {
            return Ok(false);
        }
        match self.socket.read(self.connection.room()) {
            Ok(0) => {
                self.is_closed = true;
                Ok(false)
            }
            Ok(bytes) => {
                self.connection.received(bytes);
                Ok(true)
            }
            Err(error) if is_to_wait(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Queue an answer for sending. If `rest` is above 0, `result` is only the first part of a read's data, and
    /// [`write`](Self::write) sends the remaining data later.
    pub(super) fn reply(&mut self, Answer { to, result, rest, timed }: Answer) {
        match result {
            Ok(data) if rest > 0 => self.connection.begin_reply(to.number, data),
            result => self.connection.reply(to.number, result),
        }
        if let Some(timed) = timed {
            self.waiting -= 1;
            let [replies, _] = self.connection.replies();
            self.unsent.push_back((replies, timed));
        }
    }

    /// Return the unsent answers that were due before `before_ns` nanoseconds of the clock. The times at which
    /// these answers are sent later are not recorded.
    pub(super) fn give_up(&mut self, before_ns: u64) -> impl Iterator<Item = Timed> + '_ {
        let many = self.unsent.iter().take_while(|(_, timed)| timed.due_ns < before_ns).count();
        self.unsent.drain(..many).map(|(_, timed)| timed)
    }

    /// Number of answers of the simulated device whose last byte was not sent.
    pub(super) fn unsent(&self) -> u64 {
        self.unsent.len() as u64
    }

    /// Send output until the socket accepts no more bytes, or until this client has used up its turn. The
    /// callback `more` returns the next data of the read with the number that it receives. Return true if any
    /// byte was sent.
    pub(super) fn write(
        &mut self,
        clock: &impl Clock,
        more: &mut dyn FnMut(u64) -> Result<Vec<u8>, Errno>,
    ) -> io::Result<bool> {
        let mut turn = PART_BYTES;
        while turn > 0 && self.connection.has_output() {
            if let Some(number) = self.connection.wanted() {
                // The reply has already begun as a success, so an error can only close the connection.
                let data = more(number).map_err(|_| io::Error::from(ErrorKind::UnexpectedEof))?;
                self.connection.give(data);
            }
            let parts: Vec<_> = self.connection.output().take(PARTS).map(IoSlice::new).collect();
            match self.socket.write(&parts) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(bytes) => {
                    self.connection.sent(bytes);
                    self.look_at(clock);
                    turn = turn.saturating_sub(bytes);
                }
                Err(error) if is_to_wait(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(turn < PART_BYTES)
    }

    /// If the last byte of an answer was sent, read the clock and record this time for the answer.
    fn look_at(&mut self, clock: &impl Clock) {
        let [_, sent] = self.connection.replies();
        let first = self.unsent.front().map(|(replies, _)| *replies);
        if first.is_some_and(|replies| replies <= sent) {
            let now_ns = clock.now_ns();
            let many = self.unsent.iter().take_while(|(replies, _)| *replies <= sent).count();
            self.sent.extend(self.unsent.drain(..many).map(|(_, timed)| (timed, now_ns)));
        }
    }

    fn wants_input(&self) -> bool {
        !self.is_closed && !self.is_held_back && self.connection.wants_input()
    }

    /// Return two flags: true if the client's socket should be read, and true if output waits to be written to
    /// the socket.
    pub(super) fn wants(&self) -> [bool; 2] {
        [self.wants_input(), self.connection.has_output()]
    }

    /// Return true if the connection can be closed: it has ended, or the client sends nothing more and has
    /// received all its answers. A request that arrived incompletely is not answered.
    pub(super) fn is_finished(&self) -> bool {
        let has_all = self.waiting == 0 && !self.is_held_back && !self.connection.has_output();
        self.connection.is_finished() || self.is_closed && has_all
    }
}

fn is_to_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
