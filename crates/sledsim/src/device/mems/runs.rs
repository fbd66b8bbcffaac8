//! Runs: consecutive rows of a request over which the sled can sweep without a break.

use super::motion::{Boundary, Direction};
use crate::layout::{Layout, Position};
use crate::request::{Op, Request};

/// A run: consecutive rows of one track, to be read or written in one sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) sled: u32,
    pub(super) cylinder: u32,
    pub(super) track: u32,
    pub(super) lowest_row: u32,
    pub(super) highest_row: u32,
    /// The row with the first block of the run; it is the lowest or the highest row.
    pub(super) first_row: u32,
    /// Number of blocks of the request in the rows of the run.
    pub(super) blocks: u32,
    pub(super) op: Op,
    /// True if the first row must be read before it is written, because the request covers one of its
    /// blocks only partly.
    pub(super) merges: bool,
}

impl Run {
    pub(super) fn of_row(at: Position, blocks: u32, op: Op) -> Self {
        Self {
            sled: at.sled,
            cylinder: at.cylinder,
            track: at.track,
            lowest_row: at.row,
            highest_row: at.row,
            first_row: at.row,
            blocks,
            op,
            merges: false,
        }
    }

    /// The pass that reads the first row before it is written, as a run with 0 blocks of the request; None
    /// if no row is read first.
    pub(super) fn before(&self) -> Option<Self> {
        self.merges.then_some(Self { blocks: 0, op: Op::Read, merges: false, ..*self })
    }

    /// The run of rows itself, without the pass that reads its first row before it is written.
    pub(super) fn after(&self) -> Self {
        Self { merges: false, ..*self }
    }

    pub(super) fn rows(&self) -> u64 {
        u64::from(self.highest_row - self.lowest_row + 1)
    }

    /// The row boundaries at which a sweep over the run of rows begins and ends, in the direction `direction`.
    #[inline]
    pub(super) fn sweep(&self, direction: Direction) -> (Boundary, Boundary) {
        let low = Boundary { row: self.lowest_row, direction };
        let high = Boundary { row: self.highest_row + 1, direction };
        match direction {
            Direction::Up => (low, high),
            Direction::Down => (high, low),
        }
    }

    /// True if a sweep in the direction `direction` passes the rows in the order of their block numbers.
    pub(super) fn is_in_order(&self, direction: Direction) -> bool {
        (direction == Direction::Up) == (self.first_row == self.lowest_row)
    }

    /// Number of blocks of the request in each row, for a part: a run whose rows all hold the same number.
    pub(super) fn blocks_per_row(&self) -> u32 {
        self.blocks / (self.highest_row - self.lowest_row + 1)
    }

    /// Adds `rows` whole rows to a run of one whole row: below it if `down`, otherwise above it.
    fn add(&mut self, rows: u32, down: bool) {
        self.blocks += rows * self.blocks;
        if down {
            self.lowest_row -= rows;
        } else {
            self.highest_row += rows;
        }
    }

    /// Adds the rows of `next` and returns true, if they continue this run on the same track and none of
    /// them must be read first. Otherwise returns false.
    fn extend(&mut self, next: &Run) -> bool {
        let is_elsewhere = (next.sled, next.cylinder, next.track) != (self.sled, self.cylinder, self.track);
        if is_elsewhere || next.merges {
            return false;
        }
        if next.first_row == self.highest_row + 1 {
            self.highest_row = next.highest_row;
        } else if next.first_row + 1 == self.lowest_row {
            self.lowest_row = next.lowest_row;
        } else {
            return false;
        }
        self.blocks += next.blocks;
        true
    }
}

/// Iterator over the runs of a request, in the order of their block numbers.
///
/// If a write covers a block only partly, the row of the block is read just before it is written, because
/// the error correction covers the whole block (004 5.3). The iterator returns this pass as a run of its
/// own.
#[derive(Clone)]
pub(super) struct Runs<'a> {
    layout: &'a dyn Layout,
    request: Request,
    lbn: u64,
    end: u64,
    cut: u64,
    sweeps: bool,
    joined: bool,
    ahead: Option<Run>,
}

impl<'a> Runs<'a> {
    /// Creates the iterator. If `sweeps` is false, each row is a separate run.
    #[inline]
    pub(super) fn new(layout: &'a dyn Layout, request: &Request, sweeps: bool) -> Self {
        Self::from_first(layout, request, sweeps, layout.locate_row(request.lbn))
    }

    /// Creates the iterator from `first`: the place of the first block, and the number of blocks from it to
    /// the end of its row.
    #[inline]
    pub(super) fn from_first(
        layout: &'a dyn Layout,
        request: &Request,
        sweeps: bool,
        first: (Position, u64),
    ) -> Self {
        let lbn = request.lbn;
        let end = lbn + u64::from(request.blocks);
        let mut runs =
            Self { layout, request: *request, lbn, end, cut: lbn, sweeps, joined: sweeps, ahead: None };
        runs.ahead = Some(runs.row(first));
        runs
    }

    /// Ends the first run after `blocks` blocks, if its first row holds more blocks of the request. The
    /// remaining blocks of the row then need another pass.
    pub(super) fn cut_after(mut self, blocks: u64) -> Self {
        let first = self.ahead.expect("a request has a block").blocks;
        if blocks < u64::from(first) {
            // By this cut, the row has already been read.
            self.request.partial.last &= !self.is_single_row();
            self.lbn = self.lbn - u64::from(first) + blocks;
            self.cut = self.lbn;
            self.ahead = self.ahead.map(|run| Run { blocks: blocks as u32, ..run });
        }
        self
    }

    /// Returns an iterator over parts instead of runs. In a part, all rows hold the same number of blocks
    /// of the request.
    pub(super) fn in_parts(self) -> Self {
        Self { joined: false, ..self }
    }

    /// True if all blocks of the request lie in its first row.
    pub(super) fn is_single_row(&self) -> bool {
        self.lbn == self.end
    }

    /// The next part: a row and, if the request fills the row, the filled rows that follow it on the track.
    #[inline]
    fn next_part(&mut self) -> Option<Run> {
        if self.lbn == self.end {
            return None;
        }
        let (at, row_blocks) = self.layout.locate_row(self.lbn);
        let mut part = self.row((at, row_blocks));
        if self.sweeps && at.slot == 0 && !part.merges {
            let to_be_whole = self.end - u64::from(self.request.partial.last);
            let whole = to_be_whole.saturating_sub(self.lbn) / row_blocks;
            let (rows, down) = self.layout.rows_from(at);
            let more = whole.min(u64::from(rows - 1));
            self.lbn += more * row_blocks;
            part.add(more as u32, down);
        }
        Some(part)
    }

    /// The next row, from the place of its first block and the number of blocks from there to the end of the row.
    #[inline]
    fn row(&mut self, (at, to_row_end): (Position, u64)) -> Run {
        let blocks = to_row_end.min(self.end - self.lbn);
        let merges = self.request.merges_in(self.lbn, blocks);
        self.lbn += blocks;
        Run { merges, ..Run::of_row(at, blocks as u32, self.request.op) }
    }
}

/// Receives the runs of a request, and the parts of which they consist.
pub(super) trait Notes {
    /// Receives a part: rows with the same number of blocks of the request. Parts come in the order of
    /// block numbers.
    fn part(&mut self, _part: Run) {}

    /// Receives a run, after all of its parts. `after` is the better sweep direction of the previous run:
    /// if this run is swept upwards, and if it is swept downwards.
    fn step(&mut self, _run: Run, _after: [Direction; 2]) {}
}

impl Notes for () {}

impl Runs<'_> {
    /// Returns the next run, and reports the parts of the run to `notes`.
    #[inline]
    pub(super) fn next_noting(&mut self, notes: &mut impl Notes) -> Option<Run> {
        let mut run = self.ahead.take()?;
        if let Some(before) = run.before() {
            self.ahead = Some(run.after());
            return Some(before);
        }
        notes.part(run);
        loop {
            let joins = self.joined && self.lbn != self.cut;
            match self.next_part() {
                Some(part) if joins && run.extend(&part) => notes.part(part),
                part => {
                    self.ahead = part;
                    return Some(run);
                }
            }
        }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    #[inline]
    fn next(&mut self) -> Option<Run> {
        self.next_noting(&mut ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;
    use crate::layout;
    use crate::media::Geometry;
    use crate::request::Partial;

    fn runs(layout_name: &str, lbn: u64, blocks: u32, cut: u64) -> Vec<(u32, u32, u32, u32, u32)> {
        let mut params = load_mems("osdi00");
        params.layout = layout_name.into();
        let geometry = Geometry::new(&params).unwrap();
        let layout = layout::build(&params, &geometry).unwrap();
        Runs::new(&*layout, &Request::new(0, lbn, blocks, Op::Read), true)
            .cut_after(cut)
            .map(|r| (r.cylinder, r.track, r.lowest_row, r.highest_row, r.blocks))
            .collect()
    }

    #[test]
    fn rows_of_a_track_are_one_run() {
        assert_eq!(runs("simple", 15, 30, 99), [(0, 0, 0, 2, 30)]);
        // The second track of the streaming layout is numbered downwards.
        assert_eq!(runs("streaming", 540 + 15, 30, 99), [(0, 1, 24, 26, 30)]);
    }

    #[test]
    fn tracks_and_cylinders_are_runs_of_their_own() {
        assert_eq!(runs("streaming", 530, 30, 99), [(0, 0, 26, 26, 10), (0, 1, 26, 26, 20)]);
        assert_eq!(runs("simple", 2699, 2, 99), [(0, 4, 26, 26, 1), (1, 0, 0, 0, 1)]);
    }

    /// Runs of a write, each as its lowest row, its highest row, its number of blocks, and true if it is written.
    fn passes(lbn: u64, blocks: u32, partial: Partial, cut: u64) -> Vec<(u32, u32, u32, bool)> {
        let params = load_mems("osdi00");
        let geometry = Geometry::new(&params).unwrap();
        let layout = layout::build(&params, &geometry).unwrap();
        let request = Request { partial, ..Request::new(0, lbn, blocks, Op::Write) };
        Runs::new(&*layout, &request, true)
            .cut_after(cut)
            .map(|r| (r.lowest_row, r.highest_row, r.blocks, r.op == Op::Write))
            .collect()
    }

    #[test]
    fn a_row_is_read_before_a_part_of_a_block_in_it_is_written() {
        let [none, first, last, both] = [(false, false), (true, false), (false, true), (true, true)]
            .map(|(first, last)| Partial { first, last });
        assert_eq!(passes(15, 30, none, 99), [(0, 2, 30, true)]);
        assert_eq!(passes(15, 30, first, 99), [(0, 0, 0, false), (0, 2, 30, true)]);
        assert_eq!(passes(15, 30, last, 99), [(0, 1, 25, true), (2, 2, 0, false), (2, 2, 5, true)]);
        assert_eq!(passes(3, 5, both, 99), [(0, 0, 0, false), (0, 0, 5, true)]);
        assert_eq!(passes(3, 1, last, 99), [(0, 0, 0, false), (0, 0, 1, true)]);
    }

    #[test]
    fn a_row_that_is_cut_is_read_once() {
        let both = Partial { first: true, last: true };
        assert_eq!(passes(3, 5, both, 2), [(0, 0, 0, false), (0, 0, 2, true), (0, 0, 3, true)]);
        let written = passes(15, 30, both, 2);
        assert_eq!(written.iter().filter(|pass| !pass.3).map(|pass| pass.0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(written.iter().map(|pass| pass.2).sum::<u32>(), 30);
    }

    #[test]
    fn a_cut_splits_only_the_first_row() {
        assert_eq!(runs("simple", 5, 30, 3), [(0, 0, 0, 0, 3), (0, 0, 0, 1, 27)]);
        assert_eq!(runs("simple", 5, 30, 15), [(0, 0, 0, 1, 30)]);
    }
}
