//! Drawing of the requests of a fitted workload; each request depends on earlier ones.

use std::collections::HashMap;

use rand::RngExt;
use rand_pcg::Pcg64;

use super::address_motion::{end, Motion, MOTIONS};
use super::fitted_file::{FittedWorkload, KindModel, OpName};
use super::frequencies::{rounded, Urn};
use super::places::{Places, Touched};
use super::sizes::{role, SizesDraw, ROLES};

use crate::trace::{Op, TraceRow};

/// Number of positions that are drawn in search of one that is touched, or untouched, as required.
const TRIES: u32 = 6;

/// Draws the requests of a fitted workload in order; holds the state on which the next request
/// depends.
pub(super) struct Walk<'a> {
    kinds: Vec<KindWalk<'a>>,
    /// Numbers of requests of each kind in the whole trace.
    usual: Vec<u64>,
    block: Urn,
    capacity: i64,
    /// The block behind the highest block that the trace touches.
    end_block: i64,
    last: Option<Last>,
    starts: Vec<i64>,
    touched: Touched,
}

/// The previous request: the values on which the next request depends.
#[derive(Clone, Copy)]
struct Last {
    kind: usize,
    motion: Motion,
    extent: (i64, i32),
    /// True if the first block of the previous request had been touched before that request.
    is_covered: bool,
}

struct KindWalk<'a> {
    kind: &'a KindModel,
    flags: Urn,
    sizes: [SizesDraw<'a>; ROLES],
    usual_motions: [u64; MOTIONS],
    motions: Urn,
    alignments: Urn,
    /// Numbers of requests that start in a touched and in an untouched block, for each motion; they are
    /// drawn without replacement.
    covered: [Urn; MOTIONS],
    places: Places<'a>,
    last: Option<(i64, i32)>,
    was_covered: bool,
    /// First sectors of the earlier requests of this kind, by size in sectors, in order of arrival.
    starts: HashMap<i64, Vec<i64>>,
    /// Number of requests of the same kind and size since the original of the last repeat; `None`
    /// before the first repeat.
    repeated_ago: Option<i64>,
}

impl<'a> Walk<'a> {
    /// Prepares to draw requests of `model` for a device of `capacity` sectors.
    pub fn new(model: &'a FittedWorkload, capacity: u64) -> Self {
        Self {
            kinds: model.kinds.iter().map(KindWalk::new).collect(),
            usual: model.kinds.iter().map(|kind| kind.requests).collect(),
            block: Urn::new([]),
            capacity: i64::try_from(capacity).unwrap_or(i64::MAX),
            end_block: model.end_block,
            last: None,
            starts: Vec::new(),
            touched: Touched::default(),
        }
    }

    /// Begins a block of requests: the requests of each kind are as many as in the block number
    /// `block` of the trace.
    pub fn enter(&mut self, block: usize) {
        self.block = Urn::new(self.kinds.iter().map(|of_kind| of_kind.kind.blocks[block]));
    }

    /// Draws the next request, given the pace of the time before it. Returns the request without
    /// its time, its kind, and true if the previous request is of the same kind.
    pub fn next(&mut self, pace: usize, rng: &mut Pcg64) -> (TraceRow, usize, bool) {
        let next = self.last.map_or(&self.usual, |last| &self.kinds[last.kind].kind.next[pace]);
        let kind = self
            .block
            .draw_like(next, &self.usual, rng)
            .expect("every block has been checked to have requests");
        let before = self.last.map(|last| (last.kind == kind, last.motion));
        let motion = self.kinds[kind].motion(before, rng);
        let extent = self.place(kind, motion, rng);
        let is_covered = self.touched.next_free(extent.0) != extent.0;
        self.touched.add(extent.0, end(extent));
        self.starts.push(extent.0);
        self.last = Some(Last { kind, motion, extent, is_covered });
        let of_kind = &mut self.kinds[kind];
        (of_kind.last, of_kind.was_covered) = (Some(extent), is_covered);
        of_kind.starts.entry(rounded(i64::from(extent.1))).or_default().push(extent.0);
        let KindModel { op, metadata, class, .. } = *of_kind.kind;
        let flags = of_kind.flags.draw(rng).map_or(0, |at| of_kind.kind.flags[at].0);
        let op = if op == OpName::Write { Op::Write } else { Op::Read };
        let request =
            TraceRow { lbn: extent.0, blocks: extent.1, op, metadata, class, flags, ..TraceRow::default() };
        (request, kind, before.is_some_and(|(is_same, _)| is_same))
    }

    /// The first sector and the number of sectors of a request with the motion `motion`. A request
    /// that would reach past the end of the device starts anywhere instead.
    fn place(&mut self, kind: usize, motion: Motion, rng: &mut Pcg64) -> (i64, i32) {
        if let (Motion::Again, Some(last)) = (motion, self.last) {
            return last.extent;
        }
        let of_kind = &mut self.kinds[kind];
        let blocks = of_kind.size(motion, rng).min(self.capacity);
        // A request that starts at the end of the last one is sequential, which excludes other motions.
        let avoided = self.last.map(|last| end(last.extent));
        let start = match motion {
            Motion::Sequential | Motion::Continued => {
                let (start, is_behind) = match (motion, self.last) {
                    (Motion::Sequential, Some(last)) => (avoided, last.is_covered),
                    _ => (of_kind.last.map(end), of_kind.was_covered),
                };
                let may_be_covered = is_behind || of_kind.is_covered(motion, rng);
                start.filter(|lbn| may_be_covered || self.touched.is_free(*lbn, lbn + blocks))
            }
            Motion::Retraced | Motion::Repeated => {
                let is_last =
                    self.last.is_some_and(|last| last.kind == kind && last.extent.1 == blocks as i32);
                of_kind.repeat(motion, blocks, if is_last { 2 } else { 1 }, avoided, rng)
            }
            Motion::Revisited => {
                let ago = of_kind.kind.revisited_requests_ago.draw(rng);
                ago.and_then(|ago| before(&self.starts, ago, avoided))
            }
            Motion::Near => self.near(kind, blocks, rng),
            Motion::Again | Motion::Anywhere => None,
        };
        let fits = |start: &i64| (0..=self.capacity - blocks).contains(start);
        let start = start.filter(fits).unwrap_or_else(|| self.anywhere(kind, blocks, rng));
        (start, blocks as i32)
    }

    /// Draws a first sector near the last request of the kind, in a touched or untouched block as
    /// the counts require; `None` if no such position is found.
    fn near(&mut self, kind: usize, blocks: i64, rng: &mut Pcg64) -> Option<i64> {
        let of_kind = &mut self.kinds[kind];
        let end = of_kind.last.map(end)?;
        let is_covered = of_kind.is_covered(Motion::Near, rng);
        (0..TRIES).find_map(|_| {
            let distance = of_kind.kind.near_blocks.draw(rng)?;
            let lbn = of_kind.aligned(end + distance, rng);
            self.touched.is_as_wanted(is_covered, lbn, lbn + blocks).then_some(lbn)
        })
    }

    /// Draws a first sector anywhere, in a touched or untouched block as the counts require if such
    /// a position is found. In the first attempts it requires untouched room for later requests
    /// that continue from it.
    fn anywhere(&mut self, kind: usize, blocks: i64, rng: &mut Pcg64) -> i64 {
        let of_kind = &mut self.kinds[kind];
        let most = self.capacity - blocks;
        let is_covered = of_kind.is_covered(Motion::Anywhere, rng);
        let mut lbn = 0;
        for attempt in 1..=TRIES {
            let place = of_kind.places.draw(rng).unwrap_or_else(|| rng.random_range(0..self.end_block));
            let scaled = i128::from(place) * i128::from(self.capacity.min(self.end_block));
            lbn = of_kind.aligned((scaled / i128::from(self.end_block)) as i64, rng).min(most);
            if self.touched.is_as_wanted(is_covered, lbn, lbn + (blocks << (TRIES - attempt))) {
                return lbn;
            }
        }
        let free = self.touched.next_free(lbn);
        if is_covered || free > most {
            lbn
        } else {
            free
        }
    }
}

/// The first sector of the request that is `ago` requests back, or of the oldest request. If this
/// sector is `avoided`, the first sector of a request a little earlier.
fn before(starts: &[i64], ago: i64, avoided: Option<i64>) -> Option<i64> {
    let at = starts.len().saturating_sub(usize::try_from(ago).unwrap_or(usize::MAX));
    let last = at.min(starts.len().checked_sub(1)?);
    let found = (last.saturating_sub(TRIES as usize)..=last).rev().map(|at| starts[at]);
    found.into_iter().find(|start| Some(*start) != avoided)
}

impl<'a> KindWalk<'a> {
    fn new(kind: &'a KindModel) -> Self {
        let rows = [&kind.motions_after_others, &kind.motions_after_same];
        let sum = |motion: usize| rows.into_iter().flatten().map(|row| row[motion]).sum();
        let usual_motions: [u64; MOTIONS] = std::array::from_fn(sum);

        Self {
            kind,
            covered: kind.covered.map(Urn::new),
            flags: Urn::new(kind.flags.iter().map(|(_, count)| *count)),
            sizes: [&kind.sizes_going_on, &kind.sizes_again, &kind.sizes_new].map(SizesDraw::new),

            places: Places::new(&kind.anywhere_blocks, usual_motions[Motion::Anywhere as usize]),
            motions: Urn::new(usual_motions),
            usual_motions,
            alignments: Urn::new(kind.alignments),
            last: None,
            was_covered: false,
            starts: HashMap::new(),
            repeated_ago: None,
        }
    }

    /// Draws the motion of the next request, which relates its position to earlier requests.
    /// `before` describes the previous request: true if it is of the same kind, and its motion.
    fn motion(&mut self, before: Option<(bool, Motion)>, rng: &mut Pcg64) -> Motion {
        let row = match before {
            Some((true, motion)) => &self.kind.motions_after_same[motion as usize],
            Some((false, motion)) => &self.kind.motions_after_others[motion as usize],
            None => &self.usual_motions,
        };
        let drawn = self.motions.draw_like(row, &self.usual_motions, rng);
        drawn.map_or(Motion::Anywhere, |motion| Motion::ALL[motion])
    }

    /// The first sector of an earlier request of the same kind and about the size `blocks`, at
    /// least `least` such requests back; `None` if no such request exists.
    fn repeat(
        &mut self,
        motion: Motion,
        blocks: i64,
        least: i64,
        avoided: Option<i64>,
        rng: &mut Pcg64,
    ) -> Option<i64> {
        if motion == Motion::Repeated || self.repeated_ago.is_none() {
            self.repeated_ago = self.kind.repeated_requests_ago.draw(rng);
        }
        before(self.starts.get(&rounded(blocks))?, self.repeated_ago?.max(least), avoided)
    }

    /// Draws from the counts of `motion`: returns true if the request starts in a block that was
    /// touched before.
    fn is_covered(&mut self, motion: Motion, rng: &mut Pcg64) -> bool {
        self.covered[motion as usize].draw(rng) == Some(0)
    }

    /// Draws a size in sectors from the sizes of the motion's role, or of another role if the trace
    /// has no sizes for this role.
    fn size(&mut self, motion: Motion, rng: &mut Pcg64) -> i64 {
        let role = role(motion);
        (role..role + ROLES).find_map(|role| self.sizes[role % ROLES].draw(rng)).unwrap_or(1)
    }

    /// A position near `lbn` that is a multiple of a power of two; the power is drawn from the
    /// counts of the trace.
    fn aligned(&mut self, lbn: i64, rng: &mut Pcg64) -> i64 {
        let power = self.alignments.draw(rng).unwrap_or(0);
        let multiple = lbn >> power << power;
        if power + 1 == self.kind.alignments.len() {
            return multiple;
        }
        multiple | 1 << power
    }
}
