//! Helpers that write small trace files and read them.
#![expect(clippy::disallowed_macros, reason = "a skipped test reports why")]

use std::io::{Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sledsim::error::Result;
use sledsim::trace::{Input, Op, ReadOptions, Trace, TraceInfo, TraceReader, TraceRow};

/// Writes a new file in the folder of test files. Tests may run at the same time, so that each uses its own `name`.
pub fn write(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace_readers").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

pub fn read_with(path: &Path, options: ReadOptions<'_>) -> Result<(Trace, TraceInfo)> {
    let mut reader = TraceReader::open(Input::File(path.to_owned()), &options)?;
    let rows = reader.rest(&mut |_| ControlFlow::Continue(()))?;
    Ok((rows, reader.about().clone()))
}

pub fn read(path: &Path) -> Trace {
    read_with(path, ReadOptions::default()).unwrap().0
}

/// The requests of a trace as rows.
pub fn rows(trace: &Trace) -> Vec<TraceRow> {
    (0..trace.len()).map(|row| trace.row(row)).collect()
}

/// Reads bytes in memory as a trace in the format `format`; with None, the format is recognised from the bytes.
pub fn read_bytes(content: &[u8], format: Option<&str>, skip_bad: bool) -> Result<(Trace, TraceInfo)> {
    let options = ReadOptions { format, skip_bad, ..ReadOptions::default() };
    let input = Input::Reader(Box::new(Cursor::new(content.to_vec())), "FILE".to_owned());
    let mut reader = TraceReader::open(input, &options)?;
    let rows = reader.rest(&mut |_| ControlFlow::Continue(()))?;
    Ok((rows, reader.about().clone()))
}

/// Reads a text in memory with the given options.
pub fn read_text(text: &str, options: &ReadOptions<'_>) -> Result<(Trace, TraceInfo)> {
    let input = Input::Reader(Box::new(Cursor::new(text.as_bytes().to_vec())), "FILE".to_owned());
    let mut reader = TraceReader::open(input, options)?;
    let rows = reader.rest(&mut |_| ControlFlow::Continue(()))?;
    Ok((rows, reader.about().clone()))
}

/// Reads a text in memory with a map of its columns, if there is one.
pub fn read_mapped(text: &str, map: Option<&str>) -> Result<(Trace, TraceInfo)> {
    read_text(text, &ReadOptions { map, ..ReadOptions::default() })
}

/// The error message for a file with this content, with `FILE` in place of its path.
pub fn error_with(name: &str, content: impl AsRef<[u8]>, options: ReadOptions<'_>) -> String {
    let path = write(name, content);
    let error = read_with(&path, options).unwrap_err().to_string();
    error.replace(path.to_str().unwrap(), "FILE")
}

pub fn error(name: &str, content: impl AsRef<[u8]>) -> String {
    error_with(name, content, ReadOptions::default())
}

pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(content: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 1).unwrap()
}

pub const DISPATCH: u32 = 7;
pub const COMPLETION: u32 = 8;
pub const NOTE_PROCESS: u32 = 1 << 26;
pub const NOTE_MESSAGE: u32 = 1 << 26 | 2;
pub const SYNC: u32 = 1 << 19;
pub const WRITE: u32 = 1 << 17;
pub const FLUSH: u32 = 1 << 18;
pub const PASSED_THROUGH: u32 = 1 << 25;
pub const METADATA: u32 = 1 << 28;
pub const DISCARD: u32 = 1 << 29;
pub const CGROUP: u32 = 1 << 8;
pub const MAGIC: u32 = 0x6561_7407;

/// A record of a blktrace file.
#[derive(Debug, Clone)]
pub struct Record {
    pub time_ns: u64,
    pub sector: u64,
    pub bytes: u32,
    pub action: u32,
    pub device: u32,
    pub payload: Vec<u8>,
}

impl Record {
    pub fn new(time_ns: u64, action: u32, sector: u64, bytes: u32) -> Self {
        Self { time_ns, sector, bytes, action, device: 8 << 20, payload: Vec::new() }
    }

    pub fn little_endian(&self) -> Vec<u8> {
        self.encode(|bytes| bytes.to_vec())
    }

    pub fn big_endian(&self) -> Vec<u8> {
        self.encode(|bytes| bytes.iter().rev().copied().collect())
    }

    /// The record in binary. `order` puts the bytes of each field in the order of the file; it receives them in
    /// little-endian order.
    fn encode(&self, order: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let mut record = Vec::new();
        record.extend(order(&MAGIC.to_le_bytes()));
        record.extend(order(&1u32.to_le_bytes()));
        record.extend(order(&self.time_ns.to_le_bytes()));
        record.extend(order(&self.sector.to_le_bytes()));
        for field in [self.bytes, self.action, 4321, self.device, 0] {
            record.extend(order(&field.to_le_bytes()));
        }
        record.extend(order(&0u16.to_le_bytes()));
        record.extend(order(&(self.payload.len() as u16).to_le_bytes()));
        record.extend(&self.payload);
        record
    }
}

/// The folder of the shared traces beside the checkout; None if it does not exist.
pub fn shared_traces() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: the sample traces are not at {}", folder.display());
    None
}

/// The number of reads and writes, the number of reads, and the number of flushes in a trace.
pub fn counts(trace: &Trace) -> (usize, usize, usize) {
    let count = |op| trace.op.iter().filter(|its| **its == op).count();
    (count(Op::Read) + count(Op::Write), count(Op::Read), count(Op::Flush))
}

/// The decompressed content of a Zstandard or gzip file.
pub fn decompressed(path: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    if path.extension().is_some_and(|ending| ending == "zst") {
        zstd::stream::copy_decode(file, &mut content).unwrap();
    } else {
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut content).unwrap();
    }
    content
}
