//! Files that a user names: texts read whole within a limit, and pipes that nobody waits for without a word.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

use crate::error::{ensure, fault, Error, Result};

/// More bytes than any file of parameters, and any table of numbers that it names, has.
pub const TEXT_BYTES: u64 = 16 << 20;
/// Time that a pipe is waited for before its reader is told that nothing came.
const WAIT_MS: i64 = 100;
/// Waits for a text before it is given up: ten seconds.
const TEXT_WAITS: u32 = 100;

/// Who wants to know which files are read.
static TOLD: OnceLock<fn(&Path)> = OnceLock::new();

/// Tells of each file that is read from now on, before it is opened; the first who asks is told.
pub fn tell_of_files(told: fn(&Path)) {
    TOLD.get_or_init(|| told);
}

/// An open file, pipe or terminal. Reading it fails with `WouldBlock` where nothing has come for a tenth of a
/// second, and with `Interrupted` at a signal; both times it can be tried again.
pub struct Patient {
    file: File,
    /// Whether bytes may have to be waited for.
    waits: bool,
}

impl Patient {
    /// Opens a file; a pipe that nobody writes to yet is open at once.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let Some(told) = TOLD.get() {
            told(path);
        }
        Self::new(open(path)?)
    }

    /// Standard input.
    ///
    /// # Errors
    /// It is closed.
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

    // Opening a pipe would wait for its writer.
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

/// Tells whether a path names a FIFO of a file system; the pipes of a shell's `<(...)` stand in `/dev` or `/proc`.
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

/// A text, whole: of a file, or of a process that writes it into a pipe without a name.
///
/// # Errors
/// `Io` if it cannot be read, or a signal came; `Parameter` if it is longer than any text of this kind, is not in
/// UTF-8, is a FIFO or a terminal, or comes through a pipe into which nobody writes.
pub fn read_text(path: &Path) -> Result<String> {
    let name = path.display().to_string();
    let io_error = |source| Error::Io { path: name.clone(), source };
    // Opening it would be the end for who writes to it.
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
                    "{name}: expected a text, found a pipe into which nobody has written for {} s",
                    i64::from(TEXT_WAITS) * WAIT_MS / 1000
                ))
            }
            Err(error) => return Err(io_error(error)),
        }
    }
    ensure!(
        bytes.len() as u64 <= TEXT_BYTES,
        "{name}: expected a text of at most {} MiB, found a longer one",
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

/// The value of a text in TOML.
///
/// # Errors
/// It is none, or not of that type; the message names `origin` and the place in the text.
pub fn read_toml<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T> {
    from_toml(text).map_err(|error| {
        let fault = TextFault::from(error);
        toml_fault(&fault, text, origin, &fault.message)
    })
}

/// What is wrong with a text in TOML, and where it stands there, if that is known.
pub struct TextFault {
    /// What serde says of it.
    pub message: String,
    /// Bytes of the text.
    pub span: Option<Range<usize>>,
}

impl From<toml::de::Error> for TextFault {
    fn from(error: toml::de::Error) -> Self {
        Self { message: error.message().into(), span: error.span() }
    }
}

/// The value of a text in TOML; without the feature `places` faults of its values have no place in the text, and there is
/// much less code.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str) -> std::result::Result<T, toml::de::Error> {
    #[cfg(feature = "places")]
    let value = toml::from_str(text);
    #[cfg(not(feature = "places"))]
    let value = toml::from_str::<toml::Table>(text).and_then(toml::Table::try_into);
    value
}

/// An error about a text in TOML: what is `said` of it, and where.
#[must_use]
pub fn toml_fault(fault: &TextFault, text: &str, origin: &str, said: &str) -> Error {
    let line = |before: &str| before.matches('\n').count() + 1;
    let is_too_deep = fault.message.contains("recurs");
    let said = if is_too_deep { "keys, lists or tables lie too deep in each other" } else { said };
    let place = match &fault.span {
        Some(span) => {
            let before = &text[..span.start.min(text.len())];
            let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
            format!(":{}:{column}", line(before))
        }
        // Of a key of too many parts the parser does not say where it stands.
        None if is_too_deep => {
            let dots = |(_, line): &(usize, &str)| line.matches('.').count();
            let deepest = text.lines().enumerate().max_by_key(dots);
            deepest.map_or_else(String::new, |(number, _)| format!(":{}", number + 1))
        }
        None => String::new(),
    };
    Error::Parameter(said.to_owned()).marked(origin, place)
}

/// Reads a piece behind what has been read; none at the end.
fn read_some(file: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut piece = [0; 1 << 16];
    let count = file.read(&mut piece)?;
    bytes.extend_from_slice(&piece[..count]);
    Ok(count)
}
