//! Matching of completions with their dispatches, for traces that list them as separate events.

use std::collections::VecDeque;

use super::columns::TraceRow;
use super::trace_info::ReaderOutput;
use crate::hashing::ByNumbers;

/// Number of later requests after which a completion is no longer awaited.
const WAITING_MAX: usize = 1 << 16;

/// Device, first sector and number of sectors: the key that matches a completion with its dispatch.
pub(super) type Extent = (i32, i64, i32);

/// An event of a request at the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The request is sent to the device.
    Dispatch,
    /// The device has finished the request.
    Completion,
    /// The device returns the request, which does not count until it is dispatched again.
    Requeue,
}

/// A request whose completion may still come.
#[derive(Debug)]
struct Waiting {
    request: TraceRow,
    last: Event,
    /// Number of an equal request that was dispatched before and is still outstanding.
    before: Option<u64>,
}

/// Requests held back until their completion is known.
#[derive(Debug, Default)]
pub(super) struct Completions {
    waiting: VecDeque<Waiting>,
    /// Number of the first held request, counted from the start of the trace.
    first: u64,
    numbers: ByNumbers<Extent, u64>,
}

impl Completions {
    /// Adds a dispatched request.
    pub fn dispatched(&mut self, request: TraceRow, out: &mut ReaderOutput) {
        let before = self.numbers.insert(key_of(&request), self.first + self.waiting.len() as u64);
        self.waiting.push_back(Waiting { request, last: Event::Dispatch, before });
        if self.waiting.len() > WAITING_MAX {
            self.pass_first(out);
        }
    }

    /// Ends the last dispatched request of an extent, by completion or requeue, if it is known.
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

    /// Returns the last outstanding request of a key; an equal earlier one then becomes the last.
    fn take(&mut self, key: Extent) -> Option<&mut Waiting> {
        let number = self.numbers.remove(&key)?;
        let waiting = self.waiting.get_mut(number.checked_sub(self.first)? as usize)?;
        if let Some(before) = waiting.before.filter(|before| *before >= self.first) {
            self.numbers.insert(key, before);
        }
        Some(waiting)
    }

    /// Passes on the remaining requests at the end of a trace.
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

/// The sector of a flush does not matter.
fn key((device, lbn, blocks): Extent) -> Extent {
    (device, if blocks == 0 { -1 } else { lbn }, blocks)
}
