//! Table of positioning times for a batch of requests that wait together: the time from each request to
//! each other request.

use super::Device;
use crate::error::{ensure, fault, Result};
use crate::request::Request;
use crate::time::{Span, Time};

/// Maximum number of requests in a batch for which a table is built. For n requests, the table has about 2
/// n^2 entries.
pub(crate) const BATCH_MAX: usize = 4000;

/// A hop: the motion of the device to a request. It stores the positioning time, and the direction in which
/// the sled moves when the access to the request ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop(u64);

impl Hop {
    /// Creates a hop with the positioning time `positioning`. The access after it ends upwards if `end` is
    /// 0, downwards if it is 1.
    #[must_use]
    pub fn new(positioning: Span, end: usize) -> Self {
        debug_assert!(positioning.0 < 1 << 62, "positioning takes {} ns", positioning.0);
        Self(positioning.0 << 1 | end as u64)
    }

    /// Positioning time of the hop in nanoseconds.
    #[must_use]
    pub fn cost_ns(self) -> u64 {
        self.0 >> 1
    }

    /// Direction in which the sled moves when the access after the hop ends: 0 for upwards, 1 for downwards.
    #[must_use]
    pub fn end(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// Table of the hops between all requests of a batch.
///
/// A state tells which request was served last and in which direction its access ended: 2i for request i
/// and upwards, 2i + 1 for request i and downwards. Before the first request the state is
/// [`start`](Self::start). The device chooses the directions, so each hop leads to exactly one state. If a
/// device serves each request in one way only, all accesses end in states 2i.
pub struct Hops {
    count: usize,
    hops: Vec<Hop>,
    occurs: Vec<bool>,
}

impl Hops {
    /// Creates the table for `count` requests. `hops` lists the hops of each state to all requests, state
    /// after state; the hops from the start come last.
    #[must_use]
    pub fn new(count: usize, hops: Vec<Hop>) -> Self {
        let mut table = Self { count, hops, occurs: vec![false; 2 * count + 1] };
        table.occurs[2 * count] = true;
        for from in 0..=2 * count {
            for to in (0..count).filter(|to| from / 2 != *to) {
                let state = table.state_after(from, to);
                table.occurs[state] = true;
            }
        }
        table
    }

    /// Computes the table for the batch `requests`, whose service can begin at `now`. The positioning time
    /// of the device must depend only on the request served last and on the next request.
    ///
    /// # Errors
    /// The batch is empty, has too many requests for a table, or reaches past the end of the device; or the
    /// positioning time of the device depends on more than the last and the next request.
    pub fn of(device: &dyn Device, now: Time, requests: &[Request]) -> Result<Self> {
        let blocks = device.blocks();
        ensure!(
            (1..=BATCH_MAX).contains(&requests.len()),
            "number of requests in a batch: expected 1 to {BATCH_MAX}, found {}",
            requests.len()
        );
        if let Some(past) = requests.iter().find(|one| one.lbn + u64::from(one.blocks) > blocks) {
            return fault(format!(
                "a request reaches block {}, but the last block of the device is block {}",
                past.lbn + u64::from(past.blocks) - 1,
                blocks - 1
            ));
        }
        let row = |device: &dyn Device, now| {
            requests.iter().map(|to| Hop::new(device.positioning(now, to), 0)).collect::<Vec<_>>()
        };
        let mut hops = Vec::with_capacity((2 * requests.len() + 1) * requests.len());
        for (at, request) in requests.iter().enumerate() {
            let [mut alone, mut after] = [(); 2].map(|()| dyn_clone::clone_box(device));
            let end = now + alone.serve(now, request).total();
            let from = row(&*alone, end);
            // The same request, served after another one and later.
            let before = &requests[(at + 1) % requests.len()];
            let later = now + after.serve(now, before).total();
            let later = later + after.serve(later, request).total();
            ensure!(
                requests.len() == 1 || requests.iter().zip(&from).all(|(to, hop)| {
                    after.positioning(later, to).0 == hop.cost_ns()
                }),
                "bounds need a device whose positioning depends only on the previous and the next request, but on this device the positioning after request {at} depends on earlier requests or on the time"
            );
            hops.extend_from_slice(&from);
            hops.extend(from);
        }
        hops.extend(row(device, now));
        Ok(Self::new(requests.len(), hops))
    }

    /// Number of requests in the batch.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The state before the first request is served; its number is twice the number of requests.
    #[must_use]
    pub fn start(&self) -> usize {
        2 * self.count
    }

    /// The hop from the state `from` to request `to`. The entry from a request to itself holds the hop to a
    /// second request that is equal to it.
    #[inline]
    #[must_use]
    pub fn hop(&self, from: usize, to: usize) -> Hop {
        self.hops[from * self.count + to]
    }

    /// All hops from the state `from`, ordered by the request to which they lead.
    #[must_use]
    pub fn from(&self, from: usize) -> &[Hop] {
        &self.hops[from * self.count..][..self.count]
    }

    /// The state after the access to request `to`, if the device was in the state `from` before.
    #[inline]
    #[must_use]
    pub fn state_after(&self, from: usize, to: usize) -> usize {
        2 * to + self.hop(from, to).end()
    }

    /// True if the device can be in this state: it is the start, or a hop leads to it. An access mode may
    /// rule out states that end in one direction.
    #[must_use]
    pub fn occurs(&self, state: usize) -> bool {
        self.occurs[state]
    }

    /// A hash of each request. Requests that are [alike](Self::alike) have equal hashes.
    #[must_use]
    pub fn fingerprints(&self) -> Vec<u64> {
        // The prime of the hash function of Fowler, Noll and Vo.
        let mix = |print: &mut u64, hop: &Hop| *print = (*print ^ hop.0).wrapping_mul(0x0100_0000_01b3);
        let mut prints = vec![0; self.count];
        for from in 0..=self.start() {
            self.from(from).iter().zip(&mut prints).for_each(|(hop, print)| mix(print, hop));
        }
        for (request, print) in prints.iter_mut().enumerate() {
            self.hops[2 * request * self.count..][..2 * self.count].iter().for_each(|hop| mix(print, hop));
        }
        prints
    }

    /// True if two requests can be exchanged in any order of service without a change in any positioning time.
    #[must_use]
    pub fn alike(&self, one: u32, other: u32) -> bool {
        let (one, other) = (one as usize, other as usize);
        let away = |request: usize| &self.hops[2 * request * self.count..][..2 * self.count];
        away(one) == away(other)
            && (0..=self.start()).all(|from| self.hop(from, one) == self.hop(from, other))
    }

    /// The table for the requests `some` alone, with the entry from each request to itself.
    #[must_use]
    pub fn between(&self, some: &[u32]) -> Self {
        let mut hops = Vec::with_capacity((2 * some.len() + 1) * some.len());
        let states = some.iter().flat_map(|request| [2 * *request as usize, 2 * *request as usize + 1]);
        let states: Vec<usize> = states.chain([self.start()]).collect();
        for from in &states {
            hops.extend(some.iter().map(|to| self.hop(*from, *to as usize)));
        }
        Self { count: some.len(), hops, occurs: states.iter().map(|state| self.occurs[*state]).collect() }
    }

    /// Total positioning time in nanoseconds if the requests are served in the order `order`.
    #[must_use]
    pub fn total_ns(&self, order: &[u32]) -> u64 {
        let (mut state, mut total_ns) = (self.start(), 0);
        for to in order {
            total_ns += self.hop(state, *to as usize).cost_ns();
            state = self.state_after(state, *to as usize);
        }
        total_ns
    }
}
