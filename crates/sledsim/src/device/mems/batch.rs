//! A batch of requests that wait at once, as a table: what getting from each to each other takes.

use super::motion::SledPlace;
use super::Mems;
use crate::device::mems::motion::{Direction, PlaceY};
use crate::error::{fault, Result};
use crate::request::Request;
use crate::time::{Span, Time};

/// Requests whose table is not too large to be kept: it has twice their square of entries.
const BATCH_MAX: usize = 4000;

/// Getting to a request: the time of positioning, and the direction in which its access ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop(u32);

impl Hop {
    /// In nanoseconds; what no seek model may exceed (`LONGEST_SEEK_S`) fits.
    fn new(positioning: Span, end: Direction) -> Self {
        debug_assert!(positioning.0 < 1 << 31, "positioning takes {} ns", positioning.0);
        Self((positioning.0 as u32) << 1 | end as u32)
    }

    /// Nanoseconds of positioning.
    #[must_use]
    pub fn cost_ns(self) -> u32 {
        self.0 >> 1
    }

    /// 0 if the access ends upwards, 1 if downwards.
    #[must_use]
    pub fn end(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// All hops between the requests of a batch.
///
/// The sled's state after request i is that its access ended upwards, 2i, or downwards, 2i + 1; before all
/// requests it is in the [start](Self::start). The device chooses the directions, so a hop from a state leads
/// to one state.
pub struct Hops {
    count: usize,
    hops: Vec<Hop>,
    occurs: Vec<bool>,
}

impl Hops {
    fn new(count: usize, hops: Vec<Hop>) -> Self {
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

    /// How many requests there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The state before the first request, which is the last in number.
    #[must_use]
    pub fn start(&self) -> usize {
        2 * self.count
    }

    /// The hop from a state to a request; from a request to itself, what it would be to another like it.
    #[inline]
    #[must_use]
    pub fn hop(&self, from: usize, to: usize) -> Hop {
        self.hops[from * self.count + to]
    }

    /// All hops from a state.
    #[must_use]
    pub fn from(&self, from: usize) -> &[Hop] {
        &self.hops[from * self.count..][..self.count]
    }

    /// The state that a hop leads to.
    #[inline]
    #[must_use]
    pub fn state_after(&self, from: usize, to: usize) -> usize {
        2 * to + self.hop(from, to).end()
    }

    /// Whether a state is the start, or a hop leads to it; an access mode may rule out a direction.
    #[must_use]
    pub fn occurs(&self, state: usize) -> bool {
        self.occurs[state]
    }

    /// For each request a number that is the same for requests that are [alike](Self::alike).
    #[must_use]
    pub fn fingerprints(&self) -> Vec<u64> {
        // The prime of the hash function of Fowler, Noll and Vo.
        let mix =
            |print: &mut u64, hop: &Hop| *print = (*print ^ u64::from(hop.0)).wrapping_mul(0x0100_0000_01b3);
        let mut prints = vec![0; self.count];
        for from in 0..=self.start() {
            self.from(from).iter().zip(&mut prints).for_each(|(hop, print)| mix(print, hop));
        }
        for (request, print) in prints.iter_mut().enumerate() {
            self.hops[2 * request * self.count..][..2 * self.count].iter().for_each(|hop| mix(print, hop));
        }
        prints
    }

    /// Whether two requests can take each other's place in any order without changing what anything costs.
    #[must_use]
    pub fn alike(&self, one: u32, other: u32) -> bool {
        let (one, other) = (one as usize, other as usize);
        let away = |request: usize| &self.hops[2 * request * self.count..][..2 * self.count];
        away(one) == away(other)
            && (0..=self.start()).all(|from| self.hop(from, one) == self.hop(from, other))
    }

    /// The table of some of the requests, with the hops from each to itself.
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

    /// Nanoseconds of positioning if the requests are served in an order.
    #[must_use]
    pub fn total_ns(&self, order: &[u32]) -> u64 {
        let (mut state, mut total_ns) = (self.start(), 0);
        for to in order {
            total_ns += u64::from(self.hop(state, *to as usize).cost_ns());
            state = self.state_after(state, *to as usize);
        }
        total_ns
    }
}

impl Mems {
    /// When all data of a batch that comes at time zero have crossed the bus, however it rounds.
    #[must_use]
    pub fn all_there(&self, requests: &[Request]) -> Time {
        let blocks = requests.iter().map(|request| u64::from(request.blocks)).sum();
        Time(2 * self.interface.transfer(blocks).0)
    }

    /// The table of a batch; no write has to wait for its data.
    ///
    /// # Errors
    /// No request, more than a table is kept for, or a request that goes past the end of the device.
    pub fn hops(&self, requests: &[Request]) -> Result<Hops> {
        self.check_batch(requests)?;
        let now = self.all_there(requests);
        let requests: Vec<Request> = requests.iter().map(Request::with_data).collect();
        let mut hops = Vec::with_capacity((2 * requests.len() + 1) * requests.len());
        let mut sled = self.clone();
        sled.free_since = now;
        let ends = requests.iter().flat_map(|request| self.ends(now, request));
        for place in ends.chain([self.place]) {
            sled.place = place;
            hops.extend(requests.iter().map(|request| sled.hop(now, request)));
        }
        Ok(Hops::new(requests.len(), hops))
    }

    fn check_batch(&self, requests: &[Request]) -> Result<()> {
        if requests.is_empty() || requests.len() > BATCH_MAX {
            return fault(format!("a batch has 1 to {BATCH_MAX} requests, found {}", requests.len()));
        }
        for request in requests {
            self.locate(request.lbn + u64::from(request.blocks) - 1)?;
        }
        Ok(())
    }

    /// Where an access can end: upwards, and downwards.
    fn ends(&self, now: Time, request: &Request) -> [SledPlace; 2] {
        let last = self.runs(now, request).last().expect("a request has a block");
        let x_m = self.motion.cylinder_m(u64::from(last.cylinder));
        Direction::BOTH.map(|direction| SledPlace::at(x_m, last.sweep(direction).1))
    }

    fn hop(&self, now: Time, request: &Request) -> Hop {
        let plan = self.plan(now, request);
        let PlaceY::At(end) = plan.end.y else { unreachable!("an access ends at a row boundary") };
        Hop::new(plan.positioning, end.direction)
    }
}
