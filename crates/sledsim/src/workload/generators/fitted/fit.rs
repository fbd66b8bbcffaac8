//! Fitting of a workload to a trace, in one pass over the requests.

use std::collections::BTreeMap;

use super::address_motion::{Follower, Motion, MOTIONS};
use super::cascade::{CascadeFit, IntervalsFit, KIND_TIME_STEPS};
use super::fitted_file::{FittedWorkload, KindModel, OpName, ALIGNMENTS, FORMAT};
use super::frequencies::{Sample, STEPS};
use super::paces::pace;
use super::places::Touched;
use super::sizes::{role, SizesFit, ROLES};
use crate::error::{Error, Result};
use crate::trace::{Op, Trace, TraceRow};

/// Largest number of kinds of requests; requests of any further kind are counted with the first
/// kind of the same operation.
const KINDS_MOST: usize = 32;

/// Learns a [`FittedWorkload`] from the batches of a trace. Its memory is limited: it remembers
/// about a million of the most recent first blocks.
#[derive(Debug, Default)]
pub struct WorkloadFit {
    requests: u64,
    /// Number of discards and number of flushes, in this order, that are left out.
    left_out: [u64; 2],
    first_ns: i64,
    last_ns: i64,
    end_block: i64,
    /// Index of each kind of request. The requests of one kind have the same operation and class,
    /// and are all for metadata or all for data.
    numbers: BTreeMap<(bool, bool, u8), usize>,
    kinds: Vec<KindFit>,
    arrivals: CascadeFit,
    follower: Follower,
    touched: Touched,
    last: Option<(usize, Motion, bool)>,
    /// True if a flush has followed the last request.
    is_flushed: bool,
}

/// Statistics of the requests of one kind.
#[derive(Debug, Default)]
struct KindFit {
    /// Counts of the requests of this kind, in the form in which the file holds them.
    counted: KindModel,
    flags: BTreeMap<u8, u64>,
    /// Sizes of requests by role: continuing, repeating or new. The role depends on the motion;
    /// immediate repeats of a request are left out.
    sizes: [SizesFit; ROLES],
    /// Times since the previous request, in two distributions: for a previous request of another
    /// kind, and of the same kind.
    intervals: [IntervalsFit; 2],
    /// Distances that belong to each motion; for the motion `Anywhere`, positions.
    distances: [Sample; MOTIONS],
    /// Times from requests of this kind to the flushes that follow them.
    flush_after_ns: Sample,
    /// True if the first block of the previous request of this kind had been touched by an earlier
    /// request.
    was_covered: bool,
}

impl WorkloadFit {
    /// Adds a batch of requests, which must be in order of arrival and follow those of previous
    /// batches.
    ///
    /// # Errors `Trace` if a request is out of order or invalid.
    pub fn add(&mut self, batch: &Trace) -> Result<()> {
        for at in 0..batch.len() {
            let request = batch.row(at);
            match request.op {
                Op::Read | Op::Write => self.add_request(&request)?,
                Op::Discard => self.left_out[0] += 1,
                Op::Flush => self.add_flush(request.arrival_ns),
            }
        }
        Ok(())
    }

    /// Counts a flush with the request before it.
    fn add_flush(&mut self, arrival_ns: i64) {
        let Some((kind, ..)) = self.last.filter(|_| !self.is_flushed) else {
            self.left_out[1] += 1;
            return;
        };
        self.is_flushed = true;
        self.kinds[kind].counted.flushes += 1;
        self.kinds[kind].flush_after_ns.add((arrival_ns - self.last_ns).max(0));
    }

    fn add_request(&mut self, request: &TraceRow) -> Result<()> {
        let end = request.lbn.checked_add(i64::from(request.blocks));
        let (Some(end), true) = (end, request.lbn >= 0 && request.blocks > 0) else {
            let found = format!("{} blocks from {}", request.blocks, request.lbn);
            return Err(self.fault(&format!("expected at least one block, from LBN 0 on, found {found}")));
        };
        if request.arrival_ns < self.last_ns {
            let order = format!("at or after {} ns, found {} ns", self.last_ns, request.arrival_ns);
            return Err(self.fault(&format!("expected an arrival {order}: sort the trace")));
        }
        let kind = self.kind(request);
        let (motion, distance) = self.follower.follow(kind, request);
        if let Some((last_kind, last_motion, _)) = self.last {
            let interval_ns = request.arrival_ns - self.last_ns;
            self.add_to_block(interval_ns, kind);
            let next = &mut self.kinds[last_kind].counted.next[pace(interval_ns)];
            next.resize(next.len().max(kind + 1), 0);
            next[kind] += 1;
            let is_same = usize::from(last_kind == kind);
            let of_kind = &mut self.kinds[kind];
            let KindModel { motions_after_others, motions_after_same, .. } = &mut of_kind.counted;
            [motions_after_others, motions_after_same][is_same][last_motion as usize][motion as usize] += 1;
            of_kind.intervals[is_same].add(interval_ns);
        } else {
            self.first_ns = request.arrival_ns;
        }
        let is_covered = self.touched.next_free(request.lbn) != request.lbn;
        self.touched.add(request.lbn, end);
        let is_behind = match motion {
            Motion::Sequential => self.last.is_some_and(|(.., was_covered)| was_covered),
            Motion::Continued => self.kinds[kind].was_covered,
            _ => false,
        };
        let of_kind = &mut self.kinds[kind];
        of_kind.counted.covered[motion as usize][usize::from(!is_covered)] += u64::from(!is_behind);
        of_kind.was_covered = is_covered;
        of_kind.add(request, motion, distance);
        self.last = Some((kind, motion, is_covered));
        self.is_flushed = false;
        self.last_ns = request.arrival_ns;
        self.end_block = self.end_block.max(end);
        self.requests += 1;
        Ok(())
    }

    /// Adds a request of the kind `kind` to the counts of the current block of requests; the
    /// request arrives `interval_ns` after the previous one.
    fn add_to_block(&mut self, interval_ns: i64, kind: usize) {
        let level = self.arrivals.level;
        self.arrivals.add(interval_ns);
        if self.arrivals.level != level {
            for of_kind in &mut self.kinds {
                let blocks = &mut of_kind.counted.blocks;
                *blocks = blocks.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
        }
        let block = ((self.requests - 1) >> self.arrivals.level) as usize;
        let blocks = &mut self.kinds[kind].counted.blocks;
        blocks.resize(blocks.len().max(block + 1), 0);
        blocks[block] += 1;
    }

    fn fault(&self, wrong: &str) -> Error {
        Error::Trace(format!("request {}: {wrong}", self.requests))
    }

    /// Returns the index of a request's kind; a new kind is added.
    fn kind(&mut self, request: &TraceRow) -> usize {
        let key = (request.op == Op::Write, request.metadata, request.class);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let op = if request.op == Op::Write { OpName::Write } else { OpName::Read };
        let alike = self.kinds.iter().position(|kind| kind.counted.op == op);
        let number = match alike {
            Some(alike) if self.kinds.len() >= KINDS_MOST => alike,
            _ => {
                let TraceRow { metadata, class, .. } = *request;
                let counted = KindModel { op, metadata, class, ..KindModel::default() };
                self.kinds.push(KindFit { counted, ..KindFit::default() });
                self.kinds.len() - 1
            }
        };
        self.numbers.insert(key, number);
        number
    }

    /// Returns the fitted workload; `source` is the name of the trace.
    ///
    /// # Errors `Trace` if the trace has fewer than two reads and writes.
    pub fn finish(&self, source: &str) -> Result<FittedWorkload> {
        if self.requests < 2 {
            let found =
                format!("expected at least two reads or writes in the trace, found {}", self.requests);
            return Err(Error::Trace(found).at(source));
        }
        let arrivals = self.arrivals.finish();
        let sizes = (self.kinds.len(), arrivals.blocks_ns.len());
        let fitted = FittedWorkload {
            fitted_workload: FORMAT,
            source: source.to_owned(),
            sledsim_version: crate::VERSION.to_owned(),
            requests: self.requests,
            span_ns: self.last_ns - self.first_ns,
            end_block: self.end_block,
            discards_left_out: self.left_out[0],
            flushes_left_out: self.left_out[1],
            arrivals,
            kinds: self.kinds.iter().map(|kind| kind.finish(sizes)).collect(),
        };
        // A workload must be readable from its own text.
        FittedWorkload::parse(&fitted.text(), source)
    }
}

impl KindFit {
    fn add(&mut self, request: &TraceRow, motion: Motion, distance: i64) {
        self.counted.requests += 1;
        *self.flags.entry(request.flags).or_default() += 1;

        if motion != Motion::Again {
            self.sizes[role(motion)].add(request.blocks);
        }
        let place = if motion == Motion::Anywhere { request.lbn } else { distance };
        self.distances[motion as usize].add(place);
        if matches!(motion, Motion::Near | Motion::Anywhere) {
            let power = request.lbn.trailing_zeros() as usize;
            self.counted.alignments[power.min(ALIGNMENTS - 1)] += 1;
        }
    }

    /// Returns the statistics of this kind; the arguments are the number of kinds and the number of
    /// blocks of requests in the trace.
    fn finish(&self, (kinds, blocks): (usize, usize)) -> KindModel {
        let quantiles = |motion: Motion| self.distances[motion as usize].quantiles(STEPS);
        let mut counted = self.counted.clone();
        counted.next.iter_mut().for_each(|counts| counts.resize(kinds, 0));
        counted.blocks.resize(blocks, 0);
        KindModel {
            flags: self.flags.iter().map(|(flags, count)| (*flags, *count)).collect(),
            repeated_requests_ago: quantiles(Motion::Repeated),
            revisited_requests_ago: quantiles(Motion::Revisited),
            near_blocks: quantiles(Motion::Near),
            anywhere_blocks: quantiles(Motion::Anywhere),
            flush_after_ns: self.flush_after_ns.quantiles(STEPS),
            sizes_going_on: self.sizes[0].finish(),
            sizes_again: self.sizes[1].finish(),
            sizes_new: self.sizes[2].finish(),
            intervals_after_others: self.intervals[0].finish(KIND_TIME_STEPS),
            intervals_after_same: self.intervals[1].finish(KIND_TIME_STEPS),
            ..counted
        }
    }
}
