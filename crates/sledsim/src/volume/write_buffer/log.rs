//! The log on the MEMS device: a ring of sectors that is written in one direction.
//!
//! A position counts all sectors ever allocated in the log, so that positions only grow; the place of a
//! position is its remainder by the size of the ring. Positions are ordered as `tail <= clean <= stored <=
//! head`. The data before `clean` are also on the disk, and the data from `stored` on are still in memory.
//! Sectors before `tail` are free, which stays known after a power failure.

use std::collections::VecDeque;

/// An extent: consecutive sectors of the disk that lie at consecutive positions of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub sector: u64,
    pub sectors: u32,
    pub position: u64,
}

/// An append: data that one write put into the log, and behind them a note that describes the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Append {
    pub start: u64,
    pub data: u64,
    pub extents: usize,
}

impl Append {
    /// The position that follows the note.
    pub fn end(&self) -> u64 {
        self.start + self.data + 1
    }
}

/// Consecutive appends that do not cross the end of the ring.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AppendRun {
    pub start: u64,
    pub end: u64,
    pub appends: usize,
    pub extents: usize,
}

/// State of the log: its ring of sectors, its positions and its appends.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// First sector of the ring on the MEMS device; the sector before holds the note with the tail.
    pub first: u64,
    /// Number of sectors of the ring.
    pub sectors: u64,
    pub tail: u64,
    pub clean: u64,
    pub stored: u64,
    pub head: u64,
    /// Position before which all appends are known to be complete even after a power failure, although their
    /// data may be overwritten.
    pub confirmed: u64,
    appends: VecDeque<Append>,
    extents: VecDeque<Extent>,
    /// Number of appends before the position `clean`.
    clean_appends: usize,
    /// Number of extents of the appends before the position `clean`.
    clean_extents: usize,
}

impl Log {
    /// Creates an empty log in `sectors` sectors of the MEMS device from `first` on; the first of them is for
    /// the note with the tail.
    pub fn new(first: u64, sectors: u64) -> Self {
        Self { first: first + 1, sectors: sectors - 1, ..Self::default() }
    }

    /// The place of a position in the ring.
    pub fn place(&self, position: u64) -> u32 {
        (position % self.sectors) as u32
    }

    /// The position of a place in the ring, from the tail on.
    pub fn position(&self, place: u32) -> u64 {
        let tail = self.tail % self.sectors;
        let place = u64::from(place);
        self.tail + if place >= tail { place - tail } else { place + self.sectors - tail }
    }

    /// The sector of the MEMS device at which a position lies.
    pub fn sector(&self, position: u64) -> u64 {
        self.first + position % self.sectors
    }

    /// Number of sectors from a position to the end of the ring.
    pub fn to_turn(&self, position: u64) -> u64 {
        self.sectors - position % self.sectors
    }

    /// Number of free sectors of the ring.
    pub fn free(&self) -> u64 {
        self.sectors - (self.head - self.tail)
    }

    /// Number of sectors that were written and are not yet cleaned.
    pub fn dirty(&self) -> u64 {
        self.stored - self.clean
    }

    /// Adds an append that is on the MEMS device; its note confirms that all appends before it are complete.
    pub fn push(&mut self, append: Append, extents: &[Extent]) {
        self.confirmed = self.stored;
        self.stored = append.end();
        self.appends.push_back(append);
        self.extents.extend(extents);
    }

    /// The oldest appends that are not cleaned, up to the end of the ring or the first append that is `busy`:
    /// as many as fit into `most` sectors, or one append that is longer.
    pub fn oldest_dirty(&self, most: u64, busy: impl Fn(&Append) -> bool) -> Option<AppendRun> {
        let mut found: Option<AppendRun> = None;
        for append in self.appends.range(self.clean_appends..) {
            let stretch = found.get_or_insert(AppendRun { start: append.start, ..AppendRun::default() });
            let longer = append.end() - stretch.start > most && stretch.appends > 0;
            if longer || append.end() - stretch.start > self.to_turn(stretch.start) || busy(append) {
                break;
            }
            stretch.end = append.end();
            stretch.appends += 1;
            stretch.extents += append.extents;
        }
        found.filter(|stretch| stretch.appends > 0)
    }

    /// The extents of the oldest appends that are not cleaned, at most `most` extents.
    pub fn dirty_extents(&self, most: usize) -> impl Iterator<Item = &Extent> {
        let end = self.extents.len().min(self.clean_extents.saturating_add(most));
        self.extents.range(self.clean_extents..end)
    }

    /// Marks the appends `stretch`, the oldest that are not cleaned, as clean: the disk has their data.
    pub fn cleaned(&mut self, stretch: &AppendRun) {
        self.clean = stretch.end;
        self.clean_appends += stretch.appends;
        self.clean_extents += stretch.extents;
    }

    /// The oldest appends that must be given up so that `goal` sectors are free. The search ends at the first
    /// append that is not clean or is `pinned`. Returns the number of appends, and the tail behind them.
    pub fn oldest_clean(&self, goal: u64, pinned: impl Fn(&Append) -> bool) -> (usize, u64) {
        let (mut count, mut tail) = (0, self.tail);
        for append in self.appends.range(..self.clean_appends) {
            if self.sectors - (self.head - tail) >= goal || pinned(append) {
                break;
            }
            (count, tail) = (count + 1, append.end());
        }
        (count, tail)
    }

    /// Gives up the `appends` oldest appends, and calls `each` with each of their extents. The tail does not move yet.
    pub fn give_up(&mut self, appends: usize, mut each: impl FnMut(&Extent)) {
        for append in self.appends.drain(..appends) {
            self.extents.drain(..append.extents).for_each(|extent| each(&extent));
            self.clean_extents -= append.extents;
        }
        self.clean_appends -= appends;
    }

    /// Restores the log with the appends `found` after a power failure, the oldest first; all of them count
    /// as not cleaned.
    pub fn restart(&mut self, tail: u64, confirmed: u64, found: &[(Append, Vec<Extent>)]) {
        *self = Self::new(self.first - 1, self.sectors + 1);
        (self.tail, self.clean, self.stored) = (tail, tail, tail);
        found.iter().for_each(|(append, extents)| self.push(*append, extents));
        self.head = self.stored;
        self.confirmed = self.confirmed.max(confirmed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a log with a ring of 20 sectors from sector 1 on. It holds consecutive appends; `data` has the
    /// number of data sectors of each.
    fn log(data: &[u64]) -> Log {
        let mut log = Log::new(0, 21);
        append(&mut log, data);
        log
    }

    fn append(log: &mut Log, data: &[u64]) {
        for data in data {
            let extent = Extent { sector: 1000, sectors: *data as u32, position: log.head };
            let append = Append { start: log.head, data: *data, extents: 1 };
            log.head = append.end();
            log.push(append, &[extent]);
        }
    }

    fn oldest(log: &Log, most: u64) -> Option<(u64, u64, usize)> {
        let found = log.oldest_dirty(most, |_| false);
        found.map(|stretch| (stretch.start, stretch.end, stretch.appends))
    }

    #[test]
    fn a_stretch_goes_up_to_the_turn_of_the_ring_and_not_over_it() {
        // Two appends of 10 sectors, including their notes, fill the ring to its last sector.
        let mut log = log(&[9, 9]);
        assert_eq!(oldest(&log, 100), Some((0, 20, 2)), "the appends end at the end of the ring");
        let found = log.oldest_dirty(10, |_| false).unwrap();
        assert_eq!((found.start, found.end), (0, 10), "no more sectors than wanted");
        log.cleaned(&found);
        assert_eq!(oldest(&log, 100), Some((10, 20, 1)), "one append before the end of the ring");
        // Other appends begin behind the end of the ring.
        let (appends, tail) = log.oldest_clean(10, |_| false);
        log.give_up(appends, |_| {});
        log.tail = tail;
        append(&mut log, &[4]);
        let found = log.oldest_dirty(100, |_| false).unwrap();
        assert_eq!((found.start, found.end, found.appends, found.extents), (10, 20, 1, 1));
        log.cleaned(&found);
        assert_eq!(oldest(&log, 100), Some((20, 25, 1)));
    }

    #[test]
    fn after_a_restart_is_whole_what_either_the_tail_or_an_append_says() {
        let found = |log: &Log| {
            let extents = |append: &Append| vec![Extent { sector: 0, sectors: 4, position: append.start }];
            log.appends.iter().map(|append| (*append, extents(append))).collect::<Vec<_>>()
        };
        let before = log(&[4, 4, 4]);
        // The note of an append was written when all appends before it were complete: the note of the last
        // append at position 10.
        for (said, confirmed) in [(0, 10), (5, 10), (10, 10), (15, 15)] {
            let mut log = log(&[]);
            log.restart(0, said, &found(&before));
            assert_eq!(log.confirmed, confirmed, "the note with the tail confirmed {said}");
            assert_eq!((log.tail, log.clean, log.stored, log.head), (0, 0, 15, 15));
        }
    }
}
