//! Decompression of a file or pipe (gzip, Zstandard or xz, recognised by the first bytes) into a stream of
//! bytes.

use std::io::{self, BufReader, Chain, Cursor, ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

#[cfg(feature = "xz")]
use liblzma::bufread::XzDecoder;
#[cfg(feature = "xz")]
use liblzma::stream::{Stream as XzStream, CONCATENATED};
#[cfg(feature = "zstd")]
use zstd::stream::read::Decoder as ZstdDecoder;

#[cfg(feature = "gzip")]
use super::gzip_members::GzipMembers;
use super::reader::{Asked, ReadOptions};
use crate::error::{Error, Result};
use crate::input::Patient;

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const XZ_MAGIC: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];
/// Compressions that sledsim knows; a build of sledsim may lack the decoder of one of them.
const COMPRESSIONS: [Compression; 3] = [
    Compression { name: "gzip", magic: GZIP_MAGIC, decoder: GZIP },
    Compression { name: "Zstandard", magic: ZSTD_MAGIC, decoder: ZSTANDARD },
    Compression { name: "xz", magic: XZ_MAGIC, decoder: XZ },
];
/// Number of compressed bytes that are read in one call.
const CHUNK_BYTES: usize = 256 << 10;
/// Largest memory in bytes that an xz decoder may use, which protects against hostile files; files
/// of `xz -9` need a fifteenth of this.
#[cfg(feature = "xz")]
const XZ_MEMORY_BYTES: u64 = 1 << 30;

/// The input from which a trace is read.
pub enum Input {
    /// A file; for a blktrace capture, all files of the capture.
    File(PathBuf),
    /// Any reader, such as standard input, and the name that stands for the reader in messages.
    Reader(Box<dyn Read + Send>, String),
}

/// A way in which files are compressed.
struct Compression {
    /// Name of the compression in messages.
    name: &'static str,
    /// The bytes with which every file of this compression begins.
    magic: &'static [u8],
    /// Function that makes a decoder; `None` if this build of sledsim cannot decompress such files.
    decoder: Option<MakeDecoder>,
}

/// All bytes of a file before decompression: the first bytes, which have been examined, and the rest.
type Whole = BufReader<Chain<Cursor<Vec<u8>>, Awaited>>;
/// A function that makes a decoder for the bytes of a compressed file.
type MakeDecoder = fn(Whole) -> io::Result<Box<dyn Read + Send>>;

/// A file or pipe, read as a stream of decompressed bytes.
pub(super) struct DecodedStream {
    /// Name of the file as the user wrote it.
    pub name: String,
    /// Path of the file; `None` for a pipe.
    pub path: Option<PathBuf>,
    /// Name of the compression for messages; `None` if the file is not compressed.
    compression: Option<&'static str>,
    decoder: Box<dyn Read + Send>,
    asked: Asked,
    consumed_bytes: Arc<AtomicU64>,
    decoded_bytes: u64,
}

impl DecodedStream {
    pub fn open(input: Input, options: &ReadOptions<'_>) -> Result<Self> {
        let asked = options.asked.unwrap_or(|| ControlFlow::Continue(()));
        let (raw, name, path): (Box<dyn Read + Send>, _, _) = match input {
            Input::File(path) => {
                let name = path.display().to_string();
                let file = Patient::open(&path).map_err(|source| Error::Io { path: name.clone(), source })?;
                (Box::new(file), name, Some(path))
            }
            Input::Reader(reader, name) => (reader, name, None),
        };
        let io_error = |source| match is_stop(&source) {
            true => Error::Interrupted,
            false => Error::Io { path: name.clone(), source },
        };
        let consumed_bytes = Arc::new(AtomicU64::new(0));
        let mut file = Awaited { raw, asked, consumed_bytes: Arc::clone(&consumed_bytes) };
        let mut magic = Vec::new();
        file.by_ref().take(XZ_MAGIC.len() as u64).read_to_end(&mut magic).map_err(io_error)?;
        let compression = COMPRESSIONS.iter().find(|known| magic.starts_with(known.magic));
        let whole = Cursor::new(magic).chain(file);
        let decoder: Box<dyn Read + Send> = match compression {
            Some(Compression { decoder: Some(decoder), .. }) => {
                decoder(BufReader::with_capacity(CHUNK_BYTES, whole)).map_err(io_error)?
            }
            Some(Compression { name: kind, decoder: None, .. }) => {
                let found = format!(
                    "this build of sledsim cannot read {kind}: expected an uncompressed file, found a \
                     file compressed with {kind}; decompress the file first"
                );
                return Err(Error::Trace(found).at(name));
            }
            None => Box::new(whole),
        };
        let compression = compression.map(|known| known.name);
        let decoder = match options.ahead {
            Some(ahead) if compression.is_some() => ahead(decoder),
            _ => decoder,
        };
        Ok(Self { name, path, compression, decoder, asked, consumed_bytes, decoded_bytes: 0 })
    }

    /// Number of bytes of the file read so far, counted before decompression.
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed_bytes.load(Ordering::Relaxed)
    }

    pub fn is_compressed(&self) -> bool {
        self.compression.is_some()
    }

    /// Reads decompressed bytes into `buffer`; returns their number, 0 at the end of the file.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match wait(self.asked, || self.decoder.read(buffer)) {
            Ok(count) => {
                self.decoded_bytes += count as u64;
                Ok(count)
            }
            Err(error) if is_stop(&error) => Err(Error::Interrupted),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Turns an error of reading into a message: a file that is cut short, damaged data, or an error of the
    /// operating system.
    fn explain(&self, error: io::Error) -> Error {
        let (name, at) = (&self.name, self.decoded_bytes);
        match self.compression {
            Some(kind) if error.kind() == ErrorKind::UnexpectedEof => Error::Trace(format!(
                "expected more {kind} data after {at} decompressed bytes, found the end of the file (the file is cut short)"
            ))
            .at(name.as_str()),
            Some(kind) if error.raw_os_error().is_none() => Error::Trace(format!(
                "expected valid {kind} data after {at} decompressed bytes, found damage: {error}"
            ))
            .at(name.as_str()),
            _ => Error::Io { path: name.clone(), source: error },
        }
    }
}

#[cfg(feature = "gzip")]
const GZIP: Option<MakeDecoder> = Some(|whole| Ok(Box::new(GzipMembers::new(whole))));
#[cfg(not(feature = "gzip"))]
const GZIP: Option<MakeDecoder> = None;

#[cfg(feature = "zstd")]
const ZSTANDARD: Option<MakeDecoder> = Some(|whole| Ok(Box::new(ZstdDecoder::with_buffer(whole)?)));
#[cfg(not(feature = "zstd"))]
const ZSTANDARD: Option<MakeDecoder> = None;

#[cfg(feature = "xz")]
const XZ: Option<MakeDecoder> = Some(|whole| {
    let decoder = XzStream::new_stream_decoder(XZ_MEMORY_BYTES, CONCATENATED)?;
    Ok(Box::new(XzDecoder::new_stream(whole, decoder)))
});
#[cfg(not(feature = "xz"))]
const XZ: Option<MakeDecoder> = None;

/// Repeats `read` while no byte is available, until it has bytes or the callback `asked` asks to
/// stop.
fn wait(asked: Asked, mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        if asked().is_break() {
            return Err(io::Error::other(Stop));
        }
        match read() {
            Err(error) if [ErrorKind::Interrupted, ErrorKind::WouldBlock].contains(&error.kind()) => {}
            done => return done,
        }
    }
}

/// Error that marks a stop which the caller asked for.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stop;

fn is_stop(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Stop>())
}

/// A reader of a file or pipe that waits for bytes, and counts the bytes read so that progress is
/// known.
struct Awaited {
    raw: Box<dyn Read + Send>,
    asked: Asked,
    consumed_bytes: Arc<AtomicU64>,
}

impl Read for Awaited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = wait(self.asked, || self.raw.read(buffer))?;
        self.consumed_bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
