//! Matching of completions with dispatches of requests, for traces that record them as separate
//! events.

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::columns::{Op, TraceRow};
use super::evidence::Aspect;
use super::trace_info::{ReaderOutput, TraceInfo};
use crate::hashing::ByNumbers;

/// Largest number of requests held back. When more are dispatched, the earliest is passed on
/// without its completion.
const WAITING_MAX: usize = 1 << 16;
/// Largest number of requests in flight when a recording begins or ends; the events of some of them are missing
/// although the recording is whole.
const IN_FLIGHT_MAX: usize = 64;
/// Largest number of requests with the same first sector that are compared with a completion.
const COMPARED_MAX: usize = 64;

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

/// The facts that a completion or a requeue states about its request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended {
    pub device: i32,
    /// The operation; it does not matter if the number of sectors is 0.
    pub op: Op,
    pub lbn: i64,
    /// Number of sectors; 0 for a flush.
    pub blocks: i32,
    /// True if the device reports an error.
    pub has_failed: bool,
}

/// A dispatched request that is held back until its completion is read.
#[derive(Debug)]
struct Waiting {
    request: TraceRow,
    last: Event,
    /// First sector and number of the sectors that are not complete yet.
    left: (i64, i32),
    /// Number of the previous request with the same key that is not complete yet, if any. Requests are numbered in
    /// order of dispatch.
    before: Option<u64>,
}

/// Device and operation of a request, and the first of its sectors that are not complete.
type Key = (i32, i64);

/// Dispatched requests that are held back, in order of dispatch, until their completions are read.
#[derive(Debug, Default)]
pub(super) struct Completions {
    waiting: VecDeque<Waiting>,
    /// Number of the earliest request held back; requests are numbered from 0 in order of dispatch.
    first: u64,
    numbers: ByNumbers<Key, u64>,
    unpaired: Unpaired,
}

impl Completions {
    /// Adds a dispatched request, and appends to `out` a request that has waited too long for its
    /// completion.
    pub fn dispatched(&mut self, request: TraceRow, out: &mut ReaderOutput) {
        self.unpaired.dispatched(&request);
        let left = (request.lbn, request.blocks);
        let before =
            self.enter(key(request.device, request.op, left), self.first + self.waiting.len() as u64);
        self.waiting.push_back(Waiting { request, last: Event::Dispatch, left, before });
        if self.waiting.len() > WAITING_MAX {
            self.pass_first(out);
        }
    }

    /// Records that sectors of a request were completed, or that a request was requeued, at `time_ns`, and appends
    /// requests that need not wait any longer to `out`. The request is the one dispatched last of those
    /// with the same operation and the same sectors, or of those that begin with these sectors.
    #[inline]
    pub fn ended(&mut self, event: Event, ended: Ended, time_ns: i64, out: &mut ReaderOutput) {
        let Some(number) = self.take(&ended) else {
            if event == Event::Completion && ended.blocks > 0 {
                self.unpaired.completed(ended.device, time_ns);
            }
            return;
        };
        let waiting = &mut self.waiting[(number - self.first) as usize];
        if event == Event::Completion && ended.blocks < waiting.left.1 {
            // The device completes the request in parts.
            self.unpaired.parts += 1;
            self.unpaired.last_ns = self.unpaired.last_ns.max(time_ns);
            waiting.left = (waiting.left.0 + i64::from(ended.blocks), waiting.left.1 - ended.blocks);
            let key = key(ended.device, ended.op, waiting.left);
            let before = self.enter(key, number);
            self.waiting[(number - self.first) as usize].before = before;
            return;
        }
        if event == Event::Completion {
            let response_ns = time_ns.saturating_sub(waiting.request.arrival_ns).max(0);
            (waiting.request.service_ns, waiting.request.response_ns) = (response_ns, response_ns);
            self.unpaired.paired(&waiting.request, time_ns, ended.has_failed);
        }
        waiting.last = event;
        while self.waiting.front().is_some_and(|waiting| waiting.last != Event::Dispatch) {
            self.pass_first(out);
        }
    }

    /// Makes a request the last one with the key `key`; returns the number of the one before.
    fn enter(&mut self, key: Key, number: u64) -> Option<u64> {
        self.numbers.insert(key, number)
    }

    /// Takes the request that `ended` describes out of the outstanding requests, and returns its number.
    #[inline]
    fn take(&mut self, ended: &Ended) -> Option<u64> {
        let op = if ended.blocks == 0 { Op::Flush } else { ended.op };
        let key = key(ended.device, op, (ended.lbn, ended.blocks));
        let last = self.numbers.remove(&key)?;
        let at = last.checked_sub(self.first)? as usize;
        let before = self.waiting[at].before.filter(|before| *before >= self.first);
        if before.is_none() && self.waiting[at].left.1 >= ended.blocks {
            return Some(last);
        }
        self.take_of_several(key, last, ended.blocks)
    }

    /// Takes one of several outstanding requests with the same first sector: the last one of `blocks` sectors, or
    /// the last one that is longer.
    #[cold]
    fn take_of_several(&mut self, key: Key, last: u64, blocks: i32) -> Option<u64> {
        let before = |number: u64| {
            let its = self.waiting.get(number.checked_sub(self.first)? as usize)?;
            its.before.filter(|before| *before >= self.first)
        };
        let numbers: Vec<u64> =
            std::iter::successors(Some(last), |number| before(*number)).take(COMPARED_MAX).collect();
        let left = |number: &u64| self.waiting[(number - self.first) as usize].left.1;
        let equal = numbers.iter().position(|number| left(number) == blocks);
        let Some(at) = equal.or_else(|| numbers.iter().position(|number| left(number) > blocks)) else {
            self.numbers.insert(key, last);
            return None;
        };
        let after = before(numbers[at]);
        match at.checked_sub(1) {
            Some(later) => {
                self.numbers.insert(key, last);
                self.waiting[(numbers[later] - self.first) as usize].before = after;
            }
            None => {
                after.map(|number| self.numbers.insert(key, number));
            }
        }
        Some(numbers[at])
    }

    /// Records that events were lost: requests that are outstanding get no completion, because an event that looks
    /// like it may be that of another request.
    pub fn lost(&mut self, out: &mut ReaderOutput) {
        self.unpaired.has_lost = true;
        while !self.waiting.is_empty() {
            self.pass_first(out);
        }
    }

    /// Passes all requests that are still held back on to `out`, at the end of a trace, with evidence on events that
    /// have no counterpart.
    pub fn finish(&mut self, out: &mut ReaderOutput) {
        while !self.waiting.is_empty() {
            self.pass_first(out);
        }
        std::mem::take(&mut self.unpaired).report(&mut out.about);
    }

    fn pass_first(&mut self, out: &mut ReaderOutput) {
        let Some(Waiting { request, last, left, .. }) = self.waiting.pop_front() else { return };
        if last == Event::Dispatch {
            let key = key(request.device, request.op, left);
            if self.numbers.get(&key) == Some(&self.first) {
                self.numbers.remove(&key);
            }
            self.unpaired.left_open(&request);
        }
        self.first += 1;
        if last != Event::Requeue {
            out.rows.push(request);
        }
    }
}

/// The key by which a completion finds its request. Flushes of a device have the same key, because
/// traces give them arbitrary sectors.
fn key(device: i32, op: Op, (lbn, blocks): (i64, i32)) -> Key {
    let of_op = device.wrapping_mul(Op::ALL.len() as i32).wrapping_add(op as i32);
    (of_op, if blocks == 0 { -1 } else { lbn })
}

/// Events without a counterpart: completions without a dispatch, and dispatches without a completion.
#[derive(Debug, Default)]
struct Unpaired {
    /// Devices to which requests were dispatched. Others, such as dm or md, pass requests on.
    devices: BTreeSet<i32>,
    last_device: Option<i32>,
    dispatches: u64,
    pairs: u64,
    /// Completions of parts of requests, which still lack another part.
    parts: u64,
    failed: u64,
    longest_ns: i64,
    first_ns: Option<i64>,
    last_ns: i64,
    /// Completions without a dispatch, by device: their number, and the times of the first ones.
    completions: HashMap<i32, (u64, Vec<i64>)>,
    /// Dispatches without a completion: their number, and the times of the last ones.
    open: (u64, VecDeque<i64>),
    has_lost: bool,
}

impl Unpaired {
    #[inline]
    fn dispatched(&mut self, request: &TraceRow) {
        self.first_ns.get_or_insert(request.arrival_ns);
        self.last_ns = self.last_ns.max(request.arrival_ns);
        self.dispatches += u64::from(request.blocks > 0);
        if self.last_device != Some(request.device) {
            self.last_device = Some(request.device);
            self.devices.insert(request.device);
        }
    }

    #[inline]
    fn paired(&mut self, request: &TraceRow, time_ns: i64, has_failed: bool) {
        self.failed += u64::from(has_failed);
        self.pairs += u64::from(request.blocks > 0);
        self.longest_ns = self.longest_ns.max(request.response_ns);
        self.last_ns = self.last_ns.max(time_ns);
    }

    #[cold]
    fn completed(&mut self, device: i32, time_ns: i64) {
        self.first_ns.get_or_insert(time_ns);
        self.last_ns = self.last_ns.max(time_ns);
        let (count, times) = self.completions.entry(device).or_default();
        *count += 1;
        if times.len() < IN_FLIGHT_MAX {
            times.push(time_ns);
        }
    }

    #[cold]
    fn left_open(&mut self, request: &TraceRow) {
        // A flush has a completion only if it is a command of its own.
        if request.blocks > 0 && !self.has_lost {
            self.open.0 += 1;
            self.open.1.push_back(request.arrival_ns);
            if self.open.1.len() > IN_FLIGHT_MAX {
                self.open.1.pop_front();
            }
        }
    }

    /// Adds evidence to `about`, without events of requests that may have been in flight when the recording began
    /// or ended.
    fn report(self, about: &mut TraceInfo) {
        let first_ns = self.first_ns.unwrap_or(0);
        let (mut completions, mut missing) = (self.pairs, 0);
        for (device, (count, times)) in &self.completions {
            about.completions += count;
            if self.devices.contains(device) {
                let in_flight = times
                    .iter()
                    .filter(|time_ns| time_ns.saturating_sub(first_ns) <= self.longest_ns)
                    .count();
                completions += count;
                missing += count - in_flight as u64;
            }
        }
        if missing > 0 && !self.has_lost {
            let text = format!(
                "completions without a dispatch: {missing} of {completions}; events are missing, perhaps the file of another CPU"
            );
            about.doubt(Aspect::Completeness, text);
        }
        let (open, times) = self.open;
        let in_flight =
            times.iter().filter(|time_ns| self.last_ns.saturating_sub(**time_ns) <= self.longest_ns).count();
        let missing = open - in_flight as u64;
        if missing > 0 && self.pairs + self.parts > 0 {
            let text = format!(
                "dispatches without a completion: {missing} of {}; events are missing, and these requests have no measured times",
                self.dispatches
            );
            about.doubt(Aspect::Completeness, text);
        }
        if self.failed > 0 {
            let text = format!("completions with an error: {}; their requests count as served", self.failed);
            about.doubt(Aspect::Pairing, text);
        }
    }
}
