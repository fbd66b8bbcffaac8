//! Matching of completions with dispatches of requests, for traces that record them as separate
//! events.

use std::collections::VecDeque;

use super::columns::TraceRow;
use super::trace_info::ReaderOutput;
use crate::hashing::ByNumbers;

/// Largest number of requests held back. When more are dispatched, the earliest is passed on
/// without its completion.
const WAITING_MAX: usize = 1 << 16;

/// Device number, first sector and number of sectors of a request, by which a completion is matched
/// with its dispatch.
pub(super) type Extent = (i32, i64, i32);

/// An event of a request at its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The request is sent to the device.
    Dispatch,
    /// The device has finished the request.
    Completion,
    /// The device returns the request unfinished; the request does not count until it is dispatched again.
    Requeue,
}

/// A dispatched request that is held back until its completion is read.
#[derive(Debug)]
struct Waiting {
    request: TraceRow,
    last: Event,
    /// Number of the previous request with the same device and sectors that is not complete yet, if
    /// any. Requests are numbered in order of dispatch.
    before: Option<u64>,
}

/// Dispatched requests that are held back, in order of dispatch, until their completions are read.
#[derive(Debug, Default)]
pub(super) struct Completions {
    waiting: VecDeque<Waiting>,
    /// Number of the earliest request held back; requests are numbered from 0 in order of dispatch.
    first: u64,
    numbers: ByNumbers<Extent, u64>,
}

impl Completions {
    /// Adds a dispatched request, and appends to `out` a request that has waited too long for its
    /// completion.
    pub fn dispatched(&mut self, request: TraceRow, out: &mut ReaderOutput) {
        let before = self.numbers.insert(key_of(&request), self.first + self.waiting.len() as u64);
        self.waiting.push_back(Waiting { request, last: Event::Dispatch, before });
        if self.waiting.len() > WAITING_MAX {
            self.pass_first(out);
        }
    }

    /// Records that the request dispatched last for the device and sectors `extent` was completed
    /// or requeued at `time_ns`, and appends requests that need not wait any longer to `out`. Does
    /// nothing if no such request is outstanding.
    #[inline]
    pub fn ended(&mut self, event: Event, extent: Extent, time_ns: i64, out: &mut ReaderOutput) {
        let Some(waiting) = self.take(key(extent)) else { return };
        if event == Event::Completion {
            waiting.request.service_ns = (time_ns - waiting.request.arrival_ns).max(0);
            waiting.request.response_ns = waiting.request.service_ns;
        }
        waiting.last = event;
        while self.waiting.front().is_some_and(|waiting| waiting.last != Event::Dispatch) {
            self.pass_first(out);
        }
    }

    /// Removes the request dispatched last for the device and sectors `key` from the outstanding
    /// requests, and returns it.
    fn take(&mut self, key: Extent) -> Option<&mut Waiting> {
        let number = self.numbers.remove(&key)?;
        let waiting = self.waiting.get_mut(number.checked_sub(self.first)? as usize)?;
        if let Some(before) = waiting.before.filter(|before| *before >= self.first) {
            self.numbers.insert(key, before);
        }
        Some(waiting)
    }

    /// Passes all requests that are still held back on to `out`, at the end of a trace.
    pub fn finish(&mut self, out: &mut ReaderOutput) {
        while !self.waiting.is_empty() {
            self.pass_first(out);
        }
    }

    fn pass_first(&mut self, out: &mut ReaderOutput) {
        let Some(Waiting { request, last, .. }) = self.waiting.pop_front() else { return };
        if last == Event::Dispatch && self.numbers.get(&key_of(&request)) == Some(&self.first) {
            self.numbers.remove(&key_of(&request));
        }
        self.first += 1;
        if last != Event::Requeue {
            out.rows.push(request);
        }
    }
}

fn key_of(request: &TraceRow) -> Extent {
    key((request.device, request.lbn, request.blocks))
}

/// The key by which a completion finds its request. Flushes of a device have the same key, because
/// traces give them arbitrary sectors.
fn key((device, lbn, blocks): Extent) -> Extent {
    (device, if blocks == 0 { -1 } else { lbn }, blocks)
}
