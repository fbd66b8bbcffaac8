//! Files that a user names: texts of limited size, and pipes, which may make the reader wait.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

use crate::error::{ensure, fault, Error, Result};

/// Largest size in bytes of a parameter file, or of a file with a table of numbers that a parameter file names.
pub const TEXT_BYTES: u64 = 16 << 20;
/// Time in milliseconds for which a read waits for data. Without data, the read then fails with `WouldBlock`.
const WAIT_MS: i64 = 100;
/// Number of consecutive waits without data after which the reading of a text fails. Together they last 10 s.
const TEXT_WAITS: u32 = 100;

/// Function that is called with the path of each file that is read.
static TOLD: OnceLock<fn(&Path)> = OnceLock::new();

/// Sets the function that is called with the path of each file before it is opened; later calls have no effect.
pub fn tell_of_files(told: fn(&Path)) {
    TOLD.get_or_init(|| told);
}

/// An open file, pipe or terminal whose reads wait for at most 0.1 s. A read without data then fails with
/// `WouldBlock`. A read that a signal interrupts fails with `Interrupted`. The caller may read again after
/// either error.
pub struct Patient {
    file: File,
    /// True if a read may have to wait for data, as on a pipe or terminal.
    waits: bool,
}

impl Patient {
    /// Opens a file. Opening a pipe does not wait until another process opens the pipe for writing.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let Some(told) = TOLD.get() {
            told(path);
        }
        Self::new(open(path)?)
    }

    /// Opens standard input.
    ///
    /// # Errors
    /// Standard input is closed.
    pub fn stdin() -> io::Result<Self> {
        Self::new(stdin()?)
    }

    fn new(file: File) -> io::Result<Self> {
        let kind = file.metadata()?.file_type();
        Ok(Self { file, waits: !kind.is_file() && !kind.is_dir() })
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.waits {
            await_bytes(&self.file)?;
        }
        self.file.read(buffer)
    }
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};

    // A call of open that blocks would wait until a process opens the pipe for writing.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;

    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn await_bytes(file: &File) -> io::Result<()> {
    use rustix::event::{poll, PollFd, PollFlags, Timespec};

    let wait = Timespec { tv_sec: 0, tv_nsec: WAIT_MS * 1_000_000 };
    match poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&wait))? {
        0 => Err(ErrorKind::WouldBlock.into()),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;

    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

#[cfg(not(any(unix, windows)))]
fn stdin() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn await_bytes(_: &File) -> io::Result<()> {
    Ok(())
}

/// True if the path is a FIFO (named pipe) in a file system. Returns false for a pipe that a shell creates for
/// `<(...)`, whose path is in `/dev` or `/proc`.
#[cfg(unix)]
fn is_fifo(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;

    let is_of_shell = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    !is_of_shell && path.metadata().is_ok_and(|about| about.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_fifo(_: &Path) -> bool {
    false
}

/// Reads a whole text from a file, or from a process that writes it into an unnamed pipe.
///
/// # Errors
/// `Io` if the text cannot be read or a signal came. `Parameter` if the text is longer than [`TEXT_BYTES`] or
/// not in UTF-8, if the path names a FIFO or a terminal, or if a pipe sends no data.
pub fn read_text(path: &Path) -> Result<String> {
    let name = path.display().to_string();
    let io_error = |source| Error::Io { path: name.clone(), source };
    // Opening a FIFO and closing it again would end the process that writes to it.
    ensure!(!is_fifo(path), "{name}: expected a file, found a FIFO");
    let file = Patient::open(path).map_err(io_error)?;
    ensure!(!file.file.is_terminal(), "{name}: expected a file, found a terminal");
    let mut file = file.take(TEXT_BYTES + 1);
    let (mut bytes, mut waits) = (Vec::new(), 0);
    loop {
        match read_some(&mut file, &mut bytes) {
            Ok(0) => break,
            Ok(_) => waits = 0,
            Err(error) if error.kind() == ErrorKind::WouldBlock && waits < TEXT_WAITS => waits += 1,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                return fault(format!(
                    "{name}: expected a text, found a pipe that sent no data within {} s",
                    i64::from(TEXT_WAITS) * WAIT_MS / 1000
                ))
            }
            Err(error) => return Err(io_error(error)),
        }
    }
    ensure!(
        bytes.len() as u64 <= TEXT_BYTES,
        "{name}: expected a text of at most {} MiB, found a longer text",
        TEXT_BYTES >> 20
    );
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count() + 1;
        let byte = error.as_bytes()[good];
        Error::Parameter(format!("expected a text in UTF-8, found the byte 0x{byte:02x}"))
            .marked(name, format!(":{line}"))
    })
}

/// Reads a value from a text in TOML.
///
/// # Errors
/// The text is not valid TOML, or its value has the wrong type. The message contains `origin` (the name of the
/// file) and the position in the text.
pub fn read_toml<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T> {
    from_toml(text).map_err(|error| {
        let fault = TextFault::from(error);
        toml_fault(&fault, text, origin, &fault.message)
    })
}

/// An error of a text in TOML, with its place in the text if the place is known.
pub struct TextFault {
    /// The message of the TOML reader.
    pub message: String,
    /// Range of the bytes of the text in which the error lies; `None` if unknown.
    pub span: Option<Range<usize>>,
}

impl From<toml::de::Error> for TextFault {
    fn from(error: toml::de::Error) -> Self {
        Self { message: error.message().into(), span: error.span() }
    }
}

/// Reads a value from a text in TOML. Without the cargo feature `places`, errors do not have a position in the
/// text, which makes the compiled code much smaller.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str) -> std::result::Result<T, toml::de::Error> {
    #[cfg(feature = "places")]
    let value = toml::from_str(text);
    #[cfg(not(feature = "places"))]
    let value = toml::from_str::<toml::Table>(text).and_then(toml::Table::try_into);
    value
}

/// Creates the error for the fault `fault` in the text `text` in TOML. The error contains `origin` (the name of
/// the file), the position of the fault, and the message `said`.
#[must_use]
pub fn toml_fault(fault: &TextFault, text: &str, origin: &str, said: &str) -> Error {
    let line = |before: &str| before.matches('\n').count() + 1;
    let is_too_deep = fault.message.contains("recurs");
    let said = if is_too_deep { "keys, lists or tables are nested too deep" } else { said };
    let place = match &fault.span {
        Some(span) => {
            let before = &text[..span.start.min(text.len())];
            let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
            format!(":{}:{column}", line(before))
        }
        // The parser gives no place for a key that consists of too many parts.
        None if is_too_deep => {
            let dots = |(_, line): &(usize, &str)| line.matches('.').count();
            let deepest = text.lines().enumerate().max_by_key(dots);
            deepest.map_or_else(String::new, |(number, _)| format!(":{}", number + 1))
        }
        None => String::new(),
    };
    Error::Parameter(said.to_owned()).marked(origin, place)
}

/// Appends the next bytes of the file to `bytes`, and returns their number, which is 0 at the end of the file.
fn read_some(file: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut piece = [0; 1 << 16];
    let count = file.read(&mut piece)?;
    bytes.extend_from_slice(&piece[..count]);
    Ok(count)
}
