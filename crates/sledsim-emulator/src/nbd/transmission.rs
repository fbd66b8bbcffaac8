//! The phase after the handshake, in which requests arrive and are answered in any order.

use std::collections::BTreeMap;

use super::buffers::Buffers;
use super::error::Broken;
use super::export::Export;
use super::input::Input;
use super::output::Output;
use super::request::{reply_head, Errno, Header, Kind, Request, PART_BYTES};

/// Maximum number of outstanding requests (requests whose answers were not sent completely). At this limit, no
/// further request is read. A long write of zeros counts as several writes of maximum length.
pub const MOST_OUTSTANDING_REQUESTS: usize = 256;
/// Maximum number of bytes of outstanding data (data of unanswered writes, and of reads whose answer was not
/// sent completely). At this limit, no further request is read.
pub const MOST_OUTSTANDING_BYTES: usize = 64 << 20;

/// Number that stands for any refused request. Replies to refused requests have no data, so the number is never
/// looked up.
const NO_NUMBER: u64 = u64::MAX;

pub(super) struct Transmission {
    at: At,
    /// Number of the next valid request.
    next: u64,
    waiting: BTreeMap<u64, Waiting>,
    outstanding_requests: usize,
    outstanding_bytes: usize,
    buffers: Buffers,
}

/// The item of the input that comes next.
enum At {
    Request,
    /// The data of a write, of which the first `filled` bytes have arrived.
    Payload {
        request: Request,
        filled: usize,
    },
    /// The remaining data of an invalid write. The server reads and discards these data.
    Skip {
        left: u32,
        cookie: u64,
        errno: Errno,
    },
    /// The end of the input.
    End,
}

/// A request that has not been answered.
struct Waiting {
    cookie: u64,
    kind: Kind,
    bytes: usize,
    /// Number of requests as which this request counts in the limit of outstanding requests: one, or several
    /// for a long write of zeros.
    requests: usize,
}

/// The result of a step of the transmission.
pub(super) enum Step {
    /// Input must arrive or output must be sent before the next step.
    Wait,
    /// The next step can be done immediately.
    Again,
    Request(Request),
    /// The client has disconnected.
    End,
}

impl Transmission {
    pub(super) fn new(buffers: Buffers) -> Self {
        Self {
            at: At::Request,
            next: 0,
            waiting: BTreeMap::new(),
            outstanding_requests: 0,
            outstanding_bytes: 0,
            buffers,
        }
    }

    /// Return true if no more input is read from the client.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.at, At::End)
    }

    /// Stop reading input from the client.
    pub(super) fn end(&mut self) {
        self.at = At::End;
    }

    pub(super) fn outstanding(&self) -> usize {
        self.outstanding_requests
    }

    pub(super) fn outstanding_bytes(&self) -> usize {
        self.outstanding_bytes
    }

    /// Return true if answers must be sent before the next request is read.
    pub(super) fn is_blocked(&self, export: &Export, input: &Input) -> bool {
        let full = self.outstanding_requests >= MOST_OUTSTANDING_REQUESTS
            || self.outstanding_bytes >= MOST_OUTSTANDING_BYTES;
        let too_large = || {
            let header = input.first().and_then(|bytes| Header::parse(bytes).ok());
            header.is_some_and(|header| !self.has_place_for(&header, header.check(export)))
        };
        matches!(self.at, At::Request) && (full || too_large())
    }

    fn has_place_for(&self, header: &Header, checked: Result<Kind, Errno>) -> bool {
        self.outstanding_bytes + data_bytes(header, checked) <= MOST_OUTSTANDING_BYTES
            && self.outstanding_requests + header.requests() <= MOST_OUTSTANDING_REQUESTS
    }

    /// Number of bytes of data of the next request; 0 if its header has not arrived, or if the next step does
    /// not begin a request.
    pub(super) fn next_bytes(&self, export: &Export, input: &Input) -> usize {
        let begins = matches!(self.at, At::Request) && !self.is_blocked(export, input);
        let header = input.first().filter(|_| begins);
        let header = header.and_then(|bytes| Header::parse(bytes).ok());
        header.map_or(0, |header| data_bytes(&header, header.check(export)))
    }

    /// The buffer for the next data of the write that is being received; `None` if no write is being received.
    pub(super) fn payload_room(&mut self) -> Option<&mut [u8]> {
        match &mut self.at {
            At::Payload { request, filled } => {
                // Grow the buffer in parts: allocating all of it takes as long as filling it.
                let end = (*filled + PART_BYTES).min(request.bytes as usize);
                if request.data.len() < end {
                    request.data.resize(end, 0);
                }
                Some(&mut request.data[*filled..])
            }
            _ => None,
        }
    }

    /// Report that `bytes` bytes of data of the current write were received.
    pub(super) fn payload_received(&mut self, bytes: usize) {
        let At::Payload { request, filled } = &mut self.at else {
            panic!("data were received while no write waits for data");
        };
        *filled += bytes;
        assert!(*filled <= request.data.len(), "more bytes were received than the write has");
    }

    /// Process the input up to the end of the next request.
    pub(super) fn step(
        &mut self,
        export: &Export,
        input: &mut Input,
        output: &mut Output,
    ) -> Result<Step, Broken> {
        match &mut self.at {
            At::End => Ok(Step::Wait),
            At::Request => {
                if self.is_blocked(export, input) {
                    return Ok(Step::Wait);
                }
                let Some(bytes) = input.first() else { return Ok(Step::Wait) };
                let header = Header::parse(bytes)?;
                input.take(Header::BYTES);
                Ok(self.begin(&header, export, output))
            }
            At::Payload { request, filled } => {
                let come = (request.bytes as usize - *filled).min(input.waiting().len());
                request.data.truncate(*filled);
                request.data.extend_from_slice(&input.waiting()[..come]);
                input.take(come);
                *filled += come;
                if *filled < request.bytes as usize {
                    return Ok(Step::Wait);
                }
                let At::Payload { request, .. } = std::mem::replace(&mut self.at, At::Request) else {
                    unreachable!("the current item is the data of a write")
                };
                Ok(Step::Request(request))
            }
            At::Skip { left, cookie, errno } => {
                let come = input.waiting().len().min(*left as usize);
                input.take(come);
                *left -= come as u32;
                if *left > 0 {
                    return Ok(Step::Wait);
                }
                output.reply(reply_head(*cookie, Some(*errno)), [NO_NUMBER, 1], Vec::new(), 0);
                self.at = At::Request;
                Ok(Step::Again)
            }
        }
    }

    /// Begin the request whose header has arrived, or refuse it if it is invalid.
    fn begin(&mut self, header: &Header, export: &Export, output: &mut Output) -> Step {
        if header.is_disconnect() {
            self.end();
            return Step::End;
        }
        let checked = header.check(export);
        let requests = if checked.is_ok() { header.requests() } else { 1 };
        self.outstanding_requests += requests;
        let kind = match checked {
            Ok(kind) => kind,
            Err(errno) if header.payload_bytes() > 0 => {
                self.at = At::Skip { left: header.payload_bytes(), cookie: header.cookie, errno };
                return Step::Again;
            }
            Err(errno) => {
                output.reply(reply_head(header.cookie, Some(errno)), [NO_NUMBER, 1], Vec::new(), 0);
                return Step::Again;
            }
        };
        let bytes = data_bytes(header, Ok(kind));
        self.outstanding_bytes += bytes;
        let number = self.next;
        self.next += 1;
        self.waiting.insert(number, Waiting { cookie: header.cookie, kind, bytes, requests });
        let request = Request {
            number,
            cookie: header.cookie,
            kind,
            offset: header.offset,
            bytes: header.bytes,
            fua: header.fua(),
            data: self.buffers.take(header.payload_bytes() as usize),
        };
        if kind == Kind::Write {
            self.at = At::Payload { request, filled: 0 };
            return Step::Again;
        }
        Step::Request(request)
    }

    /// Queue the answer to the request with this number.
    pub(super) fn reply(&mut self, number: u64, result: Result<Vec<u8>, Errno>, output: &mut Output) {
        let Waiting { cookie, kind, bytes, requests } = self.take(number);
        let is_sent = kind == Kind::Read && result.is_ok();
        if !is_sent {
            self.outstanding_bytes -= bytes;
        }
        let counts = [number, requests as u64];
        match result {
            Ok(data) => {
                let expected = if kind == Kind::Read { bytes } else { 0 };
                assert_eq!(data.len(), expected, "a read is answered with its data, others without");
                output.reply(reply_head(cookie, None), counts, data, expected);
            }
            Err(errno) => output.reply(reply_head(cookie, Some(errno)), counts, Vec::new(), 0),
        }
    }

    /// Queue the beginning of the answer to the read with this number. `data` is the first part of the
    /// requested data.
    pub(super) fn begin_reply(&mut self, number: u64, data: Vec<u8>, output: &mut Output) {
        let Waiting { cookie, kind, bytes, requests } = self.take(number);
        assert!(
            kind == Kind::Read && data.len() <= bytes,
            "only reads have data, and not more than requested"
        );
        output.reply(reply_head(cookie, None), [number, requests as u64], data, bytes);
    }

    fn take(&mut self, number: u64) -> Waiting {
        self.waiting.remove(&number).expect("a request with this number waits for an answer")
    }

    /// Count `requests` requests and `bytes` bytes of data of reads as sent, so that they are no longer outstanding.
    pub(super) fn answered(&mut self, requests: usize, bytes: usize) {
        self.outstanding_requests -= requests;
        self.outstanding_bytes -= bytes;
    }

    /// Memory in bytes of waiting requests, and of the data of a write that is being received.
    pub(super) fn held(&self) -> usize {
        let payload = match &self.at {
            At::Payload { request, .. } => request.data.capacity(),
            _ => 0,
        };
        self.waiting.len() * size_of::<(u64, Waiting)>() + payload
    }
}

/// Number of bytes by which a request increases the outstanding data; 0 for an invalid request.
fn data_bytes(header: &Header, checked: Result<Kind, Errno>) -> usize {
    match checked {
        Ok(Kind::Read | Kind::Write) => header.bytes as usize,
        _ => 0,
    }
}

impl Drop for Transmission {
    fn drop(&mut self) {
        if let At::Payload { request, .. } = &mut self.at {
            self.buffers.give_back(std::mem::take(&mut request.data));
        }
    }
}
