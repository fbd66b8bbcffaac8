//! A file as a stream of decoded bytes: plain, gzip or Zstandard, told apart by the first bytes.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::error::{Error, Result};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Compressed bytes are read in pieces of this many.
const CHUNK_BYTES: usize = 256 << 10;

/// The decoded bytes of one file.
pub(super) struct Stream {
    path: PathBuf,
    /// What the file is compressed with, for messages.
    compression: Option<&'static str>,
    decoder: Box<dyn Read>,
    consumed_bytes: Rc<Cell<u64>>,
    decoded_bytes: u64,
}

impl Stream {
    pub fn open(path: &Path) -> Result<Self> {
        let io_error = |source| Error::Io { path: path.display().to_string(), source };
        let consumed_bytes = Rc::new(Cell::new(0));
        let file = File::open(path).map_err(io_error)?;
        let mut file = CountingReader { file, consumed_bytes: Rc::clone(&consumed_bytes) };
        let mut magic = Vec::new();
        file.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut magic).map_err(io_error)?;
        let (is_gzip, is_zstd) = (magic.starts_with(&GZIP_MAGIC), magic.starts_with(&ZSTD_MAGIC));
        let whole = Cursor::new(magic).chain(file);
        let (compression, decoder): (_, Box<dyn Read>) = if is_gzip {
            (Some("gzip"), Box::new(MultiGzDecoder::new(BufReader::with_capacity(CHUNK_BYTES, whole))))
        } else if is_zstd {
            let buffered = BufReader::with_capacity(CHUNK_BYTES, whole);
            (Some("Zstandard"), Box::new(ZstdDecoder::with_buffer(buffered).map_err(io_error)?))
        } else {
            (None, Box::new(whole))
        };
        Ok(Self { path: path.to_owned(), compression, decoder, consumed_bytes, decoded_bytes: 0 })
    }

    /// The file as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of the file read so far, before decompression.
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed_bytes.get()
    }

    /// Reads some decoded bytes; none at the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.decoder.read(buffer) {
                Ok(count) => {
                    self.decoded_bytes += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.explain(error)),
            }
        }
    }

    /// A fault of the system is one thing, a damaged file another.
    fn explain(&self, error: io::Error) -> Error {
        let (path, at) = (self.path.display(), self.decoded_bytes);
        match self.compression {
            Some(name) if error.kind() == ErrorKind::UnexpectedEof => Error::Trace(format!(
                "{path}: expected more {name} data after {at} decompressed bytes, found the end of the file (it is cut short)"
            )),
            Some(name) if error.raw_os_error().is_none() => Error::Trace(format!(
                "{path}: expected valid {name} data after {at} decompressed bytes, found damage: {error}"
            )),
            _ => Error::Io { path: path.to_string(), source: error },
        }
    }
}

/// Counts the bytes that pass, so that progress can be told while a decoder owns the file.
struct CountingReader {
    file: File,
    consumed_bytes: Rc<Cell<u64>>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.consumed_bytes.set(self.consumed_bytes.get() + count as u64);
        Ok(count)
    }
}
