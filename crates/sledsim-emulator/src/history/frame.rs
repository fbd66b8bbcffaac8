//! Read and write the records of a history file.

use std::io::{self, Read, Write};

use super::hashing::hash;

pub(super) const HEADER: u8 = b'H';
pub(super) const STATE: u8 = b'S';
pub(super) const BEGIN: u8 = b'B';
pub(super) const WRITE: u8 = b'W';
pub(super) const ZEROES: u8 = b'Z';
pub(super) const COMPLETED: u8 = b'C';
pub(super) const FLUSHED: u8 = b'F';
pub(super) const OVERRUN: u8 = b'X';
pub(super) const END: u8 = b'E';

/// Maximum payload in bytes: the data of the longest request, and the fields before them.
const MOST_BYTES: u32 = (32 << 20) + 64;
/// Number of bytes of a record before its payload: the kind and the length.
const HEAD_BYTES: usize = 5;
const CHECK_BYTES: usize = 8;

/// Write a record to `file`. Its payload is `first` followed by `second`.
pub(super) fn write(file: &mut impl Write, kind: u8, first: &[u8], second: &[u8]) -> io::Result<()> {
    let length = (first.len() + second.len()) as u32;
    file.write_all(&[kind])?;
    file.write_all(&length.to_le_bytes())?;
    file.write_all(first)?;
    file.write_all(second)?;
    file.write_all(&check(kind, first, second).to_le_bytes())
}

fn check(kind: u8, first: &[u8], second: &[u8]) -> u64 {
    hash(hash(kind.into(), first), second)
}

/// Number of bytes that precede the data in the payload of a record of this kind. For a kind without data, the
/// largest size of a payload.
pub(super) fn before_data(kind: u8) -> usize {
    match kind {
        STATE => 8,
        WRITE => 25,
        _ => MOST_BYTES as usize,
    }
}

/// The item of a history file that was read next.
pub(super) enum Next {
    /// A complete record, whose payload is in `Frames::payload`.
    Record {
        kind: u8,
        /// Offset of the payload in the file.
        payload_at: u64,
    },
    /// The end of the file.
    End,
    /// An incomplete record at the end of the file.
    CutOff,
    /// Bytes that are not a valid record.
    Broken,
}

/// Reader of the records of a history file. It knows the offset of the next record, and holds the payload of
/// the last one.
pub(super) struct Frames<R> {
    file: R,
    pub(super) at: u64,
    pub(super) payload: Vec<u8>,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(file: R, at: u64) -> Self {
        Self { file, at, payload: Vec::new() }
    }

    /// Read the next record, and check its length and checksum.
    pub(super) fn next(&mut self) -> io::Result<Next> {
        let mut head = [0; HEAD_BYTES];
        match self.fill(&mut head)? {
            0 => return Ok(Next::End),
            HEAD_BYTES => {}
            _ => return Ok(Next::CutOff),
        }
        let [kind, length @ ..] = head;
        let length = u32::from_le_bytes(length);
        if length > MOST_BYTES {
            return Ok(Next::Broken);
        }
        let mut payload = std::mem::take(&mut self.payload);
        payload.resize(length as usize, 0);
        let mut found = [0; CHECK_BYTES];
        let is_whole = self.fill(&mut payload)? == payload.len() && self.fill(&mut found)? == CHECK_BYTES;
        self.payload = payload;
        if !is_whole {
            return Ok(Next::CutOff);
        }
        let payload_at = self.at + HEAD_BYTES as u64;
        let (first, second) = self.payload.split_at(before_data(kind).min(self.payload.len()));
        if check(kind, first, second) != u64::from_le_bytes(found) {
            // The last record may not have reached the disk completely.
            let is_last = self.fill(&mut [0])? == 0;
            return Ok(if is_last { Next::CutOff } else { Next::Broken });
        }
        self.at = payload_at + u64::from(length) + CHECK_BYTES as u64;
        Ok(Next::Record { kind, payload_at })
    }

    /// Read until `into` is full or the file ends. Return the number of bytes read.
    fn fill(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < into.len() {
            match self.file.read(&mut into[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}
