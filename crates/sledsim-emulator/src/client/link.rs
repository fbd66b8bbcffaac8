//! A connection to a server.

use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{
    bind, connect, send, shutdown, socket_with, AddressFamily, SendFlags, Shutdown, SocketAddrUnix,
    SocketFlags, SocketType,
};

use crate::nbd::protocol::{command, handshake_flag, option};
use crate::nbd::protocol::{GREETING_MAGIC, OPTION_MAGIC, REQUEST_MAGIC, SIMPLE_REPLY_MAGIC};
use crate::server::{Address, Peer};

const GREETING_BYTES: usize = 18;
const EXPORT_BYTES: usize = 10;
const REPLY_BYTES: usize = 16;
const NANOS_PER_S: u64 = 1_000_000_000;

/// A connection over which one request at a time is asked and waited for.
pub struct Link {
    socket: Arc<OwnedFd>,
    peer: Peer,
    /// The number of the last request.
    asked: u64,
}

/// Ends a connection, from any thread.
pub struct Closer(Arc<OwnedFd>);

impl Closer {
    /// Whoever waits for an answer is told that there is none.
    pub fn close(&self) {
        let _ = shutdown(&self.0, Shutdown::Both);
    }
}

impl Link {
    /// Knocks at the door; the server need not serve yet.
    ///
    /// # Errors
    /// Those of the system.
    pub fn connect(address: &Address) -> io::Result<Self> {
        let (socket, peer) = match address {
            Address::Unix(path) => connect_unix(path)?,
            Address::Tcp(to) => {
                let stream = TcpStream::connect(to)?;
                stream.set_nodelay(true)?;
                let peer = Peer::Tcp(stream.local_addr()?);
                (stream.into(), peer)
            }
        };
        Ok(Self { socket: Arc::new(socket), peer, asked: 0 })
    }

    /// Its name, as the server finds it.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// What ends it.
    #[must_use]
    pub fn closer(&self) -> Closer {
        Closer(Arc::clone(&self.socket))
    }

    /// Opens the export; its size in bytes.
    ///
    /// # Errors
    /// Those of the system; the end of the connection; something else than a server that greets.
    pub fn open(&mut self) -> io::Result<u64> {
        let greeting: [u8; GREETING_BYTES] = self.take()?;
        if greeting[..8] != GREETING_MAGIC.to_be_bytes() || greeting[8..16] != OPTION_MAGIC.to_be_bytes() {
            return Err(ErrorKind::InvalidData.into());
        }
        let flags = u32::from(handshake_flag::FIXED_NEWSTYLE | handshake_flag::NO_ZEROES);
        let mut opening = flags.to_be_bytes().to_vec();
        opening.extend(OPTION_MAGIC.to_be_bytes());
        opening.extend(option::EXPORT_NAME.to_be_bytes());
        opening.extend(0_u32.to_be_bytes());
        self.send(&opening)?;
        let export: [u8; EXPORT_BYTES] = self.take()?;
        Ok(u64::from_be_bytes(export[..8].try_into().expect("eight bytes")))
    }

    /// Reads a part of the export, and waits for it; whether it could be read.
    ///
    /// # Errors
    /// Those of the system; the end of the connection; something else than an answer.
    pub fn read(&mut self, offset: u64, into: &mut [u8]) -> io::Result<bool> {
        self.asked += 1;
        let mut request = [0; 28];
        request[..4].copy_from_slice(&REQUEST_MAGIC.to_be_bytes());
        request[6..8].copy_from_slice(&command::READ.to_be_bytes());
        request[8..16].copy_from_slice(&self.asked.to_be_bytes());
        request[16..24].copy_from_slice(&offset.to_be_bytes());
        request[24..].copy_from_slice(&(into.len() as u32).to_be_bytes());
        self.send(&request)?;
        let reply: [u8; REPLY_BYTES] = self.take()?;
        if reply[..4] != SIMPLE_REPLY_MAGIC.to_be_bytes() || reply[8..] != self.asked.to_be_bytes() {
            return Err(ErrorKind::InvalidData.into());
        }
        let is_read = reply[4..8] == [0; 4];
        if is_read {
            self.fill(into)?;
        }
        Ok(is_read)
    }

    /// Waits so long, in nanoseconds, if the connection does not end before; whether it has not.
    pub fn rests(&self, wait_ns: u64) -> bool {
        let wait =
            Timespec { tv_sec: (wait_ns / NANOS_PER_S) as i64, tv_nsec: (wait_ns % NANOS_PER_S) as i64 };
        // Nothing comes that was not asked for, but the end.
        let mut watched = [PollFd::new(&*self.socket, PollFlags::IN)];
        matches!(poll(&mut watched, Some(&wait)), Ok(0) | Err(Errno::INTR))
    }

    fn send(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            // Who is told of an end by a signal could not go on.
            match send(&*self.socket, bytes, SendFlags::NOSIGNAL) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn take<const N: usize>(&self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&self, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            match rustix::io::read(&*self.socket, &mut *into) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => into = &mut into[read..],
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// A socket with a name of its own.
fn connect_unix(path: &Path) -> io::Result<(OwnedFd, Peer)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name =
        format!("sledsim-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)).into_bytes();
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrUnix::new_abstract_name(&name)?)?;
    connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok((socket, Peer::Abstract(name)))
}
