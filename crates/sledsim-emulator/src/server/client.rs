//! A client and its socket.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use crate::nbd::{Buffers, Connection, Errno, Export, PART_BYTES};

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

    /// Sends as much as the system takes, and as is its turn: answers that are due meanwhile wait no longer. `more` has the
    /// data of a read that follow. Whether anything was sent.
    pub(super) fn write(&mut self, more: &mut dyn FnMut(u64) -> Result<Vec<u8>, Errno>) -> io::Result<bool> {
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
                    turn = turn.saturating_sub(bytes);
                }
                Err(error) if is_to_wait(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(turn < PART_BYTES)
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
