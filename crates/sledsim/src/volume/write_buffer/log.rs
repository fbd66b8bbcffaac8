//! The log on the MEMS device: a ring of sectors that is always written in the same direction.
//!
//! A position counts sectors over all that were ever appended, so that positions only grow. The place of a position is
//! its remainder modulo the size of the ring. Four positions are `tail <= clean <= stored <= head`. Data before `clean`
//! are also on the disk; data from `stored` on are still in memory. Sectors before `tail` are free; a note on the MEMS
//! device keeps `tail`.

use std::collections::VecDeque;

/// An extent: consecutive sectors of the disk that have consecutive positions in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub sector: u64,
    pub sectors: u32,
    pub position: u64,
}

/// An append: data that one part wrote to the log, followed by a note of one sector that describes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Append {
    pub start: u64,
    pub data: u64,
    pub extents: usize,
}

impl Append {
    /// The position behind the note of the append.
    pub fn end(&self) -> u64 {
        self.start + self.data + 1
    }
}

/// Consecutive appends in the log, of which none continues at the start of the ring.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AppendRun {
    pub start: u64,
    pub end: u64,
    pub appends: usize,
    pub extents: usize,
}

/// State of the log: the ring of sectors, the positions in it, and the appends between tail and head.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// First sector of the ring on the MEMS device. The sector before it holds the note with the tail.
    pub first: u64,
    /// Number of sectors of the ring.
    pub sectors: u64,
    pub tail: u64,
    pub clean: u64,
    pub stored: u64,
    pub head: u64,
    /// Position before which all appends are known to be complete, even if a power failure happens now and their
    /// checksums no longer match.
    pub confirmed: u64,
    appends: VecDeque<Append>,
    extents: VecDeque<Extent>,
    /// Number of appends that lie before the position `clean`.
    clean_appends: usize,
    /// Number of extents that belong to appends before the position `clean`.
    clean_extents: usize,
}

impl Log {
    /// Creates an empty log in `sectors` sectors of the MEMS device from `first` on. The first sector is for the note
    /// with the tail, the others form the ring.
    pub fn new(first: u64, sectors: u64) -> Self {
        Self { first: first + 1, sectors: sectors - 1, ..Self::default() }
    }

    /// The place of a position: the index of its sector in the ring.
    pub fn place(&self, position: u64) -> u32 {
        (position % self.sectors) as u32
    }

    /// The position that lies at the place `place` of the ring, among the positions from the tail on.
    pub fn position(&self, place: u32) -> u64 {
        let tail = self.tail % self.sectors;
        let place = u64::from(place);
        self.tail + if place >= tail { place - tail } else { place + self.sectors - tail }
    }

    /// The sector of the MEMS device that holds a position.
    pub fn sector(&self, position: u64) -> u64 {
        self.first + position % self.sectors
    }

    /// Number of sectors from the position `position` to the end of the ring, where the log continues at the start.
    pub fn to_turn(&self, position: u64) -> u64 {
        self.sectors - position % self.sectors
    }

    /// Number of sectors of the ring that are free for new appends.
    pub fn free(&self) -> u64 {
        self.sectors - (self.head - self.tail)
    }

    /// Number of sectors in the log that are not yet cleaned.
    pub fn dirty(&self) -> u64 {
        self.stored - self.clean
    }

    /// Adds an append, which is now on the MEMS device. This confirms that all appends before it are complete.
    pub fn push(&mut self, append: Append, extents: &[Extent]) {
        self.confirmed = self.stored;
        self.stored = append.end();
        self.appends.push_back(append);
        self.extents.extend(extents);
    }

    /// The oldest appends that are not clean: as many as fit into `most` sectors, but at least one. They end before the
    /// end of the ring, and before the first append for which `busy` returns true.
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

    /// The first extents of the appends that are not clean, at most `most` of them.
    pub fn dirty_extents(&self, most: usize) -> impl Iterator<Item = &Extent> {
        let end = self.extents.len().min(self.clean_extents.saturating_add(most));
        self.extents.range(self.clean_extents..end)
    }

    /// Marks the appends `stretch` as clean, because the disk has their data. They must be the oldest that are not
    /// clean.
    pub fn cleaned(&mut self, stretch: &AppendRun) {
        self.clean = stretch.end;
        self.clean_appends += stretch.appends;
        self.clean_extents += stretch.extents;
    }

    /// The oldest appends to give up, so that `goal` sectors of the ring are free. Appends that are not clean, or for
    /// which `pinned` returns true, end the search. Returns the number of appends, and the position behind them as the
    /// new tail.
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

    /// Removes the `appends` oldest appends, and calls `each` with each of their extents. The tail moves only later.
    pub fn give_up(&mut self, appends: usize, mut each: impl FnMut(&Extent)) {
        for append in self.appends.drain(..appends) {
            self.extents.drain(..append.extents).for_each(|extent| each(&extent));
            self.clean_extents -= append.extents;
        }
        self.clean_appends -= appends;
    }

    /// Restores the log after a power failure. `found` has its appends, the oldest first; none of them counts as clean.
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

    /// Creates a log for tests, with a ring of 20 sectors and consecutive appends; `data` has the number of data
    /// sectors of each append.
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
