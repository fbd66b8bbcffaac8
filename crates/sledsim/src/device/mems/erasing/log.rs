//! A log: writes go to erased blocks, and erase blocks with few valid blocks are cleaned (copied and erased).

use std::collections::VecDeque;

use super::block_map::{Map, Run};
use crate::device::mems::Erase;
use crate::time::Span;

/// Maximum number of blocks that cleaning copies in one step. A request that arrives waits for one step at most.
pub(super) const COPIED_BLOCKS: u32 = 256;

/// The writer to the log: the host or cleaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// The host. Its writes must leave one erase block erased, into which cleaning can copy.
    Host,
    Cleaning,
}

/// Progress in cleaning an erase block: first its valid blocks are copied, then it is erased.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cleaning {
    /// Valid blocks are being copied; the places before `from` are done.
    Copying { erase_block: u64, from: u64 },
    /// The erase block is being erased; `left` is the remaining time of erasing.
    Erasing { erase_block: u64, left: Span },
}

/// The log of a device: the map of its blocks, its erased blocks, and the progress of cleaning.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) map: Map,
    pub erase_block: u64,
    /// The place that will be written next, and the end of the erase block in which it lies.
    pub head: u64,
    pub end: u64,
    pub erased: VecDeque<u64>,
    pub is_erased: Vec<bool>,
    pub reserve: usize,
    pub cleaning: Option<Cleaning>,
    /// True if the host has written since cleaning last found no erase block worth cleaning.
    pub is_changed: bool,
}

impl Log {
    /// Creates a log in which all `blocks` blocks hold data and the erase blocks of the reserve are erased.
    pub(super) fn new(blocks: u64, erase: &Erase) -> Self {
        let first = blocks / erase.blocks;
        let mut erased: VecDeque<u64> = (first..first + erase.reserve).collect();
        let head = erased.pop_front().expect("a reserve has two erase blocks") * erase.blocks;
        let map = Map::new(blocks, erase.blocks, erase.reserve);
        let (erase_block, end) = (erase.blocks, head + erase.blocks);
        let is_erased = (0..map.used.len() as u64).map(|at| at > first).collect();
        let (reserve, cleaning, is_changed) = (erase.reserve as usize, None, false);
        Self { map, erase_block, head, end, erased, is_erased, reserve, cleaning, is_changed }
    }

    /// The consecutive places that the next write of `blocks` blocks would get: at most `blocks`, or fewer
    /// if the erase block ends before.
    pub(super) fn next_run(&self, blocks: u32) -> Run {
        let next = self.erased.front().map_or(self.head, |at| at * self.erase_block);
        let (place, room) =
            if self.head < self.end { (self.head, self.end - self.head) } else { (next, self.erase_block) };
        Run { place, blocks: blocks.min(room.min(u64::from(u32::MAX)) as u32) }
    }

    /// True if the current erase block has room for a write of the host of `blocks` blocks.
    pub fn has_room(&self, blocks: u32) -> bool {
        !self.erased.is_empty() && u64::from(blocks) <= self.end - self.head
    }

    /// Reserves up to `blocks` consecutive places and returns them; None if the log has no erase block for
    /// `writer`.
    pub fn room(&mut self, blocks: u32, writer: Writer) -> Option<Run> {
        let kept = usize::from(writer == Writer::Host);
        if self.erased.len() < kept {
            return None;
        }
        if self.head == self.end {
            if self.erased.len() == kept {
                return None;
            }
            let next = self.erased.pop_front()?;
            self.is_erased[next as usize] = false;
            self.head = next * self.erase_block;
            self.end = self.head + self.erase_block;
        }
        let run = self.next_run(blocks);
        self.head += u64::from(run.blocks);
        Some(run)
    }

    /// The erase block to clean next: the one with the fewest valid blocks. None unless cleaning is worth
    /// it: at least half of the erase block is free, less than half of the reserve is erased, or `urgent`
    /// is true.
    pub fn victim(&mut self, urgent: bool) -> Option<u64> {
        if !urgent && !self.is_changed {
            return None;
        }
        let head = (self.end - 1) / self.erase_block;
        let full = (0..self.is_erased.len() as u64).filter(|at| *at != head && !self.is_erased[*at as usize]);
        let best = full.min_by_key(|at| self.map.used[*at as usize])?;
        let used = u64::from(self.map.used[best as usize]);
        let is_wanted = urgent || 2 * used <= self.erase_block || 2 * self.erased.len() < self.reserve;
        self.is_changed = used < self.erase_block && is_wanted;
        self.is_changed.then_some(best)
    }

    /// Records that the host has written the blocks from `lbn` on to the places of `run`.
    pub fn put(&mut self, lbn: u64, run: Run) {
        (0..u64::from(run.blocks)).for_each(|at| self.map.put(lbn + at, run.place + at));
        self.is_changed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::EraseManagement;

    /// Creates a log of two erase blocks; `left` blocks of the first one are still valid.
    fn used(left: u64) -> Log {
        let (management, takes) = (EraseManagement::Log, Span(1));
        let erase = Erase { blocks: 8, reserve: 4, management, takes, slice: takes, power_w: 0.0 };
        let mut log = Log::new(16, &erase);
        for lbn in left..8 {
            let run = log.room(1, Writer::Host).expect("the log has room");
            log.put(lbn, run);
        }
        log
    }

    #[test]
    fn cleaning_in_idle_time_gains_half_an_erase_block() {
        for left in 0..8 {
            assert_eq!(used(left).victim(false), (left <= 4).then_some(0), "{left} in use");
            assert_eq!(used(left).victim(true), Some(0), "{left} in use");
        }
    }

    #[test]
    fn cleaning_in_idle_time_gains_less_where_half_of_the_reserve_is_gone() {
        for erased in 0..4 {
            let mut log = used(7);
            log.erased.truncate(erased);
            assert_eq!(log.victim(false), (erased < 2).then_some(0), "{erased} erased");
        }
    }
}
