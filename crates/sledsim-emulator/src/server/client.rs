//! A client and its socket.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use crate::emulator::{Answer, Timed};
use crate::nbd::{Buffers, Connection, Errno, Export, PART_BYTES};
use crate::timing::Clock;

/// Parts that are sent together.
const PARTS: usize = 64;
/// Times that one client is read before others have their turn.
pub(super) const TURN: usize = 16;

/// A connected socket that does not block.
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

/// A client.
pub(super) struct Client {
    pub(super) socket: Socket,
    pub(super) connection: Connection,
    /// When it came, in nanoseconds of the clock.
    pub(super) since_ns: u64,
    /// Whether the system was last asked to say when it can be read, and when it can be written to.
    pub(super) watched: [bool; 2],
    /// Requests that the emulator has not answered.
    pub(super) waiting: usize,
    /// Answers that the simulated device has given and that have not been sent to their last byte, each with how many
    /// replies there were with it.
    unsent: VecDeque<(u64, Timed)>,
    /// Those that have been sent since anybody asked, and when that was, in nanoseconds of the clock.
    pub(super) sent: Vec<(Timed, u64)>,
    /// Whether there is no room for its next request.
    pub(super) is_held_back: bool,
    /// Until when, in nanoseconds of the clock, it has surely not kept others from the room in vain.
    pub(super) blameless_ns: u64,
    /// It sends nothing more.
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

    /// Reads what is there, as far as it is wanted. Whether something came, or there is nothing more to come.
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

    /// Puts an answer behind those that are to be sent; so many bytes of a read follow.
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

    /// Answers that were due before that, in nanoseconds of the clock, and have not been sent: from now on nobody asks
    /// when they are.
    pub(super) fn give_up(&mut self, before_ns: u64) -> impl Iterator<Item = Timed> + '_ {
        let many = self.unsent.iter().take_while(|(_, timed)| timed.due_ns < before_ns).count();
        self.unsent.drain(..many).map(|(_, timed)| timed)
    }

    /// Answers that the simulated device has given and that have not been sent.
    pub(super) fn unsent(&self) -> u64 {
        self.unsent.len() as u64
    }

    /// Sends as much as the system takes, and as is its turn: answers that are due meanwhile wait no longer. `more` has the
    /// data of a read that follow. Whether anything was sent.
    pub(super) fn write(
        &mut self,
        clock: &impl Clock,
        more: &mut dyn FnMut(u64) -> Result<Vec<u8>, Errno>,
    ) -> io::Result<bool> {
        let mut turn = PART_BYTES;
        while turn > 0 && self.connection.has_output() {
            if let Some(number) = self.connection.wanted() {
                // Its answer has begun as one that went well: there is no way to take that back.
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

    /// Takes the time, if answers have been sent: a client has one when it has the last byte.
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

    /// Whether it is to be read, and to be written to.
    pub(super) fn wants(&self) -> [bool; 2] {
        [self.wants_input(), self.connection.has_output()]
    }

    /// Whether nothing more can come of it: it has ended, or sends nothing more and has all its answers. What it has
    /// begun to send and will not end is no request.
    pub(super) fn is_finished(&self) -> bool {
        let has_all = self.waiting == 0 && !self.is_held_back && !self.connection.has_output();
        self.connection.is_finished() || self.is_closed && has_all
    }
}

fn is_to_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
