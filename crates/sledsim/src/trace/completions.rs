//! Dispatches and their completions, which a trace of events tells apart from each other.

use std::collections::VecDeque;

use super::columns::{Op, Request};
use super::trace_info::ReaderOutput;
use crate::hashing::ByNumbers;

/// A request that has not completed while so many came after it never will.
const WAITING_MAX: usize = 1 << 16;

/// What a completion has in common with its dispatch: device, sector, sectors.
type Key = (i32, i64, i32);

/// A request whose completion may come.
#[derive(Debug)]
struct Waiting {
    request: Request,
    state: State,
    /// The number of an equal request that was dispatched before and was still out.
    before: Option<u64>,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    ReaderOutput,
    Complete,
    /// The device has given it back; it is dispatched again.
    Requeued,
}

/// Requests held back until their completion is known.
#[derive(Debug, Default)]
pub(super) struct Completions {
    waiting: VecDeque<Waiting>,
    /// The number of the first of them, counted from the start of the trace.
    first: u64,
    numbers: ByNumbers<Key, u64>,
}

impl Completions {
    /// A request goes to the device.
    pub fn dispatched(&mut self, request: Request, out: &mut ReaderOutput) {
        let before = self.numbers.insert(key(&request), self.first + self.waiting.len() as u64);
        self.waiting.push_back(Waiting { request, state: State::ReaderOutput, before });
        if self.waiting.len() > WAITING_MAX {
            self.pass_first(out);
        }
    }

    /// The device is done with what was dispatched there last, if it is known.
    pub fn completed(&mut self, device: i32, lbn: i64, blocks: i32, time_ns: i64, out: &mut ReaderOutput) {
        let Some(waiting) = self.take((device, lbn, blocks)) else { return };
        waiting.request.service_ns = (time_ns - waiting.request.arrival_ns).max(0);
        waiting.request.response_ns = waiting.request.service_ns;
        waiting.state = State::Complete;
        self.pass_known(out);
    }

    /// The device has given back what was dispatched there last: it is no request until it is dispatched again.
    pub fn requeued(&mut self, device: i32, lbn: i64, blocks: i32, out: &mut ReaderOutput) {
        let Some(waiting) = self.take((device, lbn, blocks)) else { return };
        waiting.state = State::Requeued;
        self.pass_known(out);
    }

    /// The request of that key that was dispatched last and is still out; an equal one before it is then the last.
    fn take(&mut self, key: Key) -> Option<&mut Waiting> {
        let number = self.numbers.remove(&key)?;
        let waiting = self.waiting.get_mut(number.checked_sub(self.first)? as usize)?;
        if let Some(before) = waiting.before.filter(|before| *before >= self.first) {
            self.numbers.insert(key, before);
        }
        Some(waiting)
    }

    fn pass_known(&mut self, out: &mut ReaderOutput) {
        while self.waiting.front().is_some_and(|waiting| waiting.state != State::ReaderOutput) {
            self.pass_first(out);
        }
    }

    /// Passes on what is left at the end of a trace.
    pub fn finish(&mut self, out: &mut ReaderOutput) {
        while !self.waiting.is_empty() {
            self.pass_first(out);
        }
    }

    fn pass_first(&mut self, out: &mut ReaderOutput) {
        let Some(Waiting { request, state, .. }) = self.waiting.pop_front() else { return };
        if state == State::ReaderOutput && self.numbers.get(&key(&request)) == Some(&self.first) {
            self.numbers.remove(&key(&request));
        }
        self.first += 1;
        if state != State::Requeued {
            out.rows.push(request);
        }
    }
}

fn key(request: &Request) -> Key {
    match request.op {
        Op::Flush => (request.device, -1, 0),
        _ => (request.device, request.lbn, request.blocks),
    }
}
