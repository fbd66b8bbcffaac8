//! The addresses of the server and of its clients.

use std::fmt;
use std::io::{
    self,
    ErrorKind::{ConnectionAborted, Interrupted, WouldBlock},
};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{fchmod, Mode};
use rustix::io::Errno;
use rustix::net::{
    bind, connect, listen, socket_with, AddressFamily, SocketAddrUnix, SocketFlags, SocketType,
};

use super::client::Socket;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 128;

/// The address of a server: a Unix socket or a TCP port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// Path of a Unix socket.
    Unix(PathBuf),
    /// IP address and port; port 0 selects any free port.
    Tcp(SocketAddr),
}

impl fmt::Display for Address {
    /// Format the address as an NBD URI.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => {
                to.write_str("nbd+unix:///?socket=")?;
                path.to_string_lossy().bytes().try_for_each(|byte| match byte {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                        write!(to, "{}", char::from(byte))
                    }
                    _ => write!(to, "%{byte:02X}"),
                })
            }
            Self::Tcp(address) => write!(to, "nbd://{address}"),
        }
    }
}

/// Name by which the server identifies a client. Two clients that are connected at the same time have different
/// names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Name of the client's Unix socket in the abstract namespace of Linux.
    Abstract(Vec<u8>),
    /// IP address and port.
    Tcp(SocketAddr),
}

/// The listening socket. The file of a Unix socket is removed when the listener is dropped.
pub(super) struct Listener {
    socket: Listening,
    address: Address,
    /// Identity of the file of a Unix socket; `None` for TCP.
    file: Option<FileId>,
    /// True if the socket replaced one that a dead server had left.
    took_over: bool,
}

/// Device and inode number, which identify a file.
type FileId = (u64, u64);

enum Listening {
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    /// Listen on `address`. Only the user who runs the server can connect to a Unix socket.
    pub(super) fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Unix(path) => {
                let took_over = take_over(path)?;
                let listener = bind_unix(path)?;
                let path = std::path::absolute(path)?;
                let file = file_id(&path);
                Ok(Self { socket: Listening::Unix(listener), address: Address::Unix(path), file, took_over })
            }
            Address::Tcp(address) => {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                let address = Address::Tcp(listener.local_addr()?);
                Ok(Self { socket: Listening::Tcp(listener), address, file: None, took_over: false })
            }
        }
    }

    /// True if the socket replaced one that a dead server had left.
    pub(super) fn took_over(&self) -> bool {
        self.took_over
    }

    /// Address of the listening socket. Its port is the actual one, also if port 0 (any free port) was asked
    /// for.
    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// Accept the next connection. Return its socket, and the name of the client if the client has one. Return
    /// `None` if no client waits, or if the waiting client has left.
    pub(super) fn accept(&self) -> io::Result<Option<(Socket, Option<Peer>)>> {
        let accepted = match &self.socket {
            Listening::Unix(listener) => listener.accept().and_then(|(stream, from)| {
                let name = from.as_abstract_name().map(|name| Peer::Abstract(name.to_vec()));
                Ok((of_unix(stream)?, name))
            }),
            Listening::Tcp(listener) => {
                listener.accept().and_then(|(stream, from)| Ok((of_tcp(stream)?, Some(Peer::Tcp(from)))))
            }
        };
        match accepted {
            Ok(accepted) => Ok(Some(accepted)),
            // The operating system wakes the server again if other clients wait.
            Err(error) if matches!(error.kind(), WouldBlock | Interrupted | ConnectionAborted) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.socket {
            Listening::Unix(listener) => listener.as_fd(),
            Listening::Tcp(listener) => listener.as_fd(),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Address::Unix(path) = &self.address {
            // Another server may have replaced the file: remove only the file that this listener created.
            if self.file.is_some() && self.file == file_id(path) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

fn file_id(path: &Path) -> Option<FileId> {
    std::fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

fn of_unix(stream: UnixStream) -> io::Result<Socket> {
    stream.set_nonblocking(true)?;
    Ok(Socket::Unix(stream))
}

fn of_tcp(stream: TcpStream) -> io::Result<Socket> {
    stream.set_nonblocking(true)?;
    // Send each answer at once, without Nagle's delay.
    stream.set_nodelay(true)?;
    Ok(Socket::Tcp(stream))
}

/// Remove the file at `path` if it is a socket that a dead server left behind; return true if it was.
///
/// # Errors
/// Another server listens there, or there is another file, which stays.
fn take_over(path: &Path) -> io::Result<bool> {
    let Ok(found) = std::fs::symlink_metadata(path) else { return Ok(false) };
    if !found.file_type().is_socket() {
        let why = "expected a new name, or a socket on which no server listens, found another file";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    // A busy server makes a client wait (EAGAIN). Only a refused connection proves that the server is dead.
    if connect(&unix_socket()?, &SocketAddrUnix::new(path)?) == Err(Errno::CONNREFUSED) {
        std::fs::remove_file(path)?;
        return Ok(true);
    }
    Err(io::Error::new(io::ErrorKind::AddrInUse, "another server runs there: end it, or give another name"))
}

fn unix_socket() -> io::Result<OwnedFd> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    Ok(socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?)
}

fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    let socket = unix_socket()?;
    // Set the mode before the socket has a name, so that other users can never connect.
    fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    bind(&socket, &SocketAddrUnix::new(path)?)?;
    listen(&socket, BACKLOG)?;
    Ok(socket.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_uri_says_where() {
        let address = Address::Unix("/tmp/a b/s.sock".into());
        assert_eq!(address.to_string(), "nbd+unix:///?socket=/tmp/a%20b/s.sock");
        assert_eq!(Address::Tcp(([127, 0, 0, 1], 10809).into()).to_string(), "nbd://127.0.0.1:10809");
    }

    #[test]
    fn a_socket_is_its_owners_and_goes_with_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sock");
        let listener = Listener::bind(&Address::Unix(path.clone())).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(listener.address(), &Address::Unix(path.clone()));
        assert!(listener.accept().unwrap().is_none());
        drop(listener);
        assert!(!path.exists());
    }

    #[test]
    fn only_what_a_server_left_behind_is_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sock");
        drop(UnixListener::bind(&path).unwrap());
        let listener = Listener::bind(&Address::Unix(path.clone())).unwrap();
        assert!(listener.took_over());
        let error = Listener::bind(&Address::Unix(path.clone())).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
        drop(listener);
        std::fs::write(&path, "mine").unwrap();
        assert!(Listener::bind(&Address::Unix(path.clone())).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
}
