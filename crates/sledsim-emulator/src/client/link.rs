//! A client's connection to a server.

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

/// A connection of a client that sends one request at a time and waits for the reply.
pub struct Link {
    socket: Arc<OwnedFd>,
    peer: Peer,
    /// Number of the last request that was sent.
    asked: u64,
}

/// A handle that ends a connection from any thread.
pub struct Closer(Arc<OwnedFd>);

impl Closer {
    /// End the connection. A request that is outstanding on this connection then fails.
    pub fn close(&self) {
        let _ = shutdown(&self.0, Shutdown::Both);
    }
}

impl Link {
    /// Connect to the server at `address`, which need not serve requests yet.
    ///
    /// # Errors
    /// I/O errors of the operating system.
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

    /// Name by which the server knows this client.
    #[must_use]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Return a handle by which another thread can end this connection.
    #[must_use]
    pub fn closer(&self) -> Closer {
        Closer(Arc::clone(&self.socket))
    }

    /// Open the export and return its size in bytes.
    ///
    /// # Errors
    /// I/O errors of the operating system. The server ends the connection, or does not use the NBD protocol.
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

    /// Read the part of the export that begins at byte `offset`, and wait for the reply. Return true if the
    /// data arrived, false if the server replied with an error.
    ///
    /// # Errors
    /// I/O errors of the operating system. The server ends the connection, or sends a malformed reply.
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

    /// Wait for `wait_ns` ns, or until the connection ends. Return true if the connection is still open after
    /// the wait.
    pub fn rests(&self, wait_ns: u64) -> bool {
        let wait =
            Timespec { tv_sec: (wait_ns / NANOS_PER_S) as i64, tv_nsec: (wait_ns % NANOS_PER_S) as i64 };
        // No data are outstanding here, so a readable socket means the end of the connection.
        let mut watched = [PollFd::new(&*self.socket, PollFlags::IN)];
        matches!(poll(&mut watched, Some(&wait)), Ok(0) | Err(Errno::INTR))
    }

    fn send(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            // NOSIGNAL: SIGPIPE would end the process when the peer is gone.
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

/// Connect to the Unix socket at `path`. The client's socket gets a unique name, by which the server
/// distinguishes it from the sockets of other clients.
fn connect_unix(path: &Path) -> io::Result<(OwnedFd, Peer)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name =
        format!("sledsim-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)).into_bytes();
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrUnix::new_abstract_name(&name)?)?;
    connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok((socket, Peer::Abstract(name)))
}
