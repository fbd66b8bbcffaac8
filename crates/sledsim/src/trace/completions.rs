//! Dispatches and their completions, which a trace of events tells apart from each other.

use std::collections::VecDeque;

use super::columns::TraceRow;
use super::trace_info::ReaderOutput;
use crate::hashing::ByNumbers;

/// Requests after one that has not completed at which it is given up.
const WAITING_MAX: usize = 1 << 16;

/// Device, sector and sectors, by which a completion is matched with its dispatch.
pub(super) type Extent = (i32, i64, i32);

/// An event of a request at the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// It goes to the device.
    Dispatch,
    /// The device is done with it.
    Completion,
    /// The device gives it back: it is no request until it is dispatched again.
    Requeue,
}

/// A request whose completion may come.
#[derive(Debug)]
struct Waiting {
    request: TraceRow,
    last: Event,
    /// The number of an equal request that was dispatched before and was still out.
    before: Option<u64>,
}

/// Requests held back until their completion is known.
#[derive(Debug, Default)]
pub(super) struct Completions {
    waiting: VecDeque<Waiting>,
    /// The number of the first of them, counted from the start of the trace.
    first: u64,
    numbers: ByNumbers<Extent, u64>,
}

impl Completions {
    /// A request goes to the device.
    pub fn dispatched(&mut self, request: TraceRow, out: &mut ReaderOutput) {
        let before = self.numbers.insert(key_of(&request), self.first + self.waiting.len() as u64);
        self.waiting.push_back(Waiting { request, last: Event::Dispatch, before });
        if self.waiting.len() > WAITING_MAX {
            self.pass_first(out);
        }
    }

    /// The device is done with what was dispatched there last, or gives it back, if that is known.
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

    /// The request of that key that was dispatched last and is still out; an equal one before it is then the last.
    fn take(&mut self, key: Extent) -> Option<&mut Waiting> {
        let number = self.numbers.remove(&key)?;
        let waiting = self.waiting.get_mut(number.checked_sub(self.first)? as usize)?;
        if let Some(before) = waiting.before.filter(|before| *before >= self.first) {
            self.numbers.insert(key, before);
        }
        Some(waiting)
    }

    /// Passes on what is left at the end of a trace.
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

/// Where a flush is does not matter.
fn key((device, lbn, blocks): Extent) -> Extent {
    (device, if blocks == 0 { -1 } else { lbn }, blocks)
}
