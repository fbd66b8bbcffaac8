//! Decompression of gzip files of one or more members, which tapes and `dd` may pad by zeros.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Decoder of the members of a gzip file.
pub(super) struct GzipMembers<R> {
    /// The decoder of a member; `None` at the end of the file.
    member: Option<GzDecoder<R>>,
    /// The rest of the file behind a member.
    rest: Option<R>,
}

impl<R: BufRead> GzipMembers<R> {
    pub fn new(file: R) -> Self {
        Self { member: Some(GzDecoder::new(file)), rest: None }
    }

    /// Skips zeros behind a member, and begins the next one if there is one.
    fn begin_next(&mut self) -> io::Result<()> {
        let Some(rest) = &mut self.rest else { return Ok(()) };
        loop {
            let bytes = rest.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let (is_at_end, has_more) = (bytes.is_empty(), zeros < bytes.len());
            rest.consume(zeros);
            if is_at_end {
                self.rest = None;
                return Ok(());
            }
            if has_more {
                self.member = self.rest.take().map(GzDecoder::new);
                return Ok(());
            }
        }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.begin_next()?;
            let Some(member) = &mut self.member else { return Ok(0) };
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.rest = self.member.take().map(GzDecoder::into_inner);
        }
    }
}
