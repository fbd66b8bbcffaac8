//! A client and its socket.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use crate::nbd::{Connection, Export};

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
    /// It sends nothing more.
    is_closed: bool,
}

impl Client {
    pub(super) fn new(socket: Socket, export: Arc<Export>, since_ns: u64) -> Self {
        Self {
            socket,
            connection: Connection::new(export),
            since_ns,
            watched: [true, false],
            is_closed: false,
        }
    }

    /// Reads what is there, as far as it is wanted. Whether something came, or there is nothing more to come.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        if self.is_closed || !self.connection.wants_input() {
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

    /// Sends as much as the system takes.
    pub(super) fn write(&mut self) -> io::Result<()> {
        while self.connection.has_output() {
            let parts: Vec<_> = self.connection.output().take(PARTS).map(IoSlice::new).collect();
            match self.socket.write(&parts) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(bytes) => self.connection.sent(bytes),
                Err(error) if is_to_wait(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether it is to be read, and to be written to.
    pub(super) fn wants(&self) -> [bool; 2] {
        [!self.is_closed && self.connection.wants_input(), self.connection.has_output()]
    }

    /// Whether nothing more can come of it: it has ended, or is gone and has all its answers.
    pub(super) fn is_finished(&self) -> bool {
        self.connection.is_finished()
            || self.is_closed && self.connection.outstanding() == 0 && !self.connection.has_output()
    }
}

fn is_to_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
