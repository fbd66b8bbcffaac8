//! The log on the MEMS device: a ring of sectors that is written in one direction.
//!
//! Positions count all sectors ever allocated, so that they only grow; the place of a position in the ring is
//! the remainder. `tail <= clean <= stored <= head`: sectors before `clean` are also on the disk, those from
//! `stored` on are still in memory, and those before `tail` are free, which is known even after a power
//! failure.

use std::collections::VecDeque;

/// Consecutive sectors of the disk that lie at consecutive positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub sector: u64,
    pub sectors: u32,
    pub position: u64,
}

/// An append: data that were written at once, followed by a note that describes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Append {
    pub start: u64,
    pub data: u64,
    pub extents: usize,
}

impl Append {
    /// The position behind the note.
    pub fn end(&self) -> u64 {
        self.start + self.data + 1
    }
}

/// Consecutive appends, without a turn of the ring between them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AppendRun {
    pub start: u64,
    pub end: u64,
    pub appends: usize,
    pub extents: usize,
}

/// The map of the ring.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// First sector of the ring on the device; the sector before it holds the note of the tail.
    pub first: u64,
    /// Number of sectors of the ring.
    pub sectors: u64,
    pub tail: u64,
    pub clean: u64,
    pub stored: u64,
    pub head: u64,
    /// Position before which all is known to be whole even after a power failure, whatever is written over
    /// it.
    pub confirmed: u64,
    appends: VecDeque<Append>,
    extents: VecDeque<Extent>,
    /// Number of appends and of extents that lie before `clean`.
    clean_appends: usize,
    clean_extents: usize,
}

impl Log {
    /// An empty log of `sectors` sectors from `first` on.
    pub fn new(first: u64, sectors: u64) -> Self {
        Self { first: first + 1, sectors: sectors - 1, ..Self::default() }
    }

    /// The place of a position in the ring.
    pub fn place(&self, position: u64) -> u32 {
        (position % self.sectors) as u32
    }

    /// The position, not yet free, at a place.
    pub fn position(&self, place: u32) -> u64 {
        let tail = self.tail % self.sectors;
        let place = u64::from(place);
        self.tail + if place >= tail { place - tail } else { place + self.sectors - tail }
    }

    /// The sector of the device in which a position lies.
    pub fn sector(&self, position: u64) -> u64 {
        self.first + position % self.sectors
    }

    /// Number of sectors from a position to the turn of the ring.
    pub fn to_turn(&self, position: u64) -> u64 {
        self.sectors - position % self.sectors
    }

    /// Number of free sectors.
    pub fn free(&self) -> u64 {
        self.sectors - (self.head - self.tail)
    }

    /// Number of sectors that were written and not yet cleaned.
    pub fn dirty(&self) -> u64 {
        self.stored - self.clean
    }

    /// Adds an append that has reached the device; its note confirms that all appends before it are whole.
    pub fn push(&mut self, append: Append, extents: &[Extent]) {
        self.confirmed = self.stored;
        self.stored = append.end();
        self.appends.push_back(append);
        self.extents.extend(extents);
    }

    /// The oldest dirty appends, up to `most` sectors or one longer append, and before the first one that is
    /// `busy`.
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

    /// The extents of the oldest dirty appends.
    pub fn dirty_extents(&self, most: usize) -> impl Iterator<Item = &Extent> {
        let end = self.extents.len().min(self.clean_extents.saturating_add(most));
        self.extents.range(self.clean_extents..end)
    }

    /// Marks these oldest dirty appends as clean: the disk has their data.
    pub fn cleaned(&mut self, stretch: &AppendRun) {
        self.clean = stretch.end;
        self.clean_appends += stretch.appends;
        self.clean_extents += stretch.extents;
    }

    /// The oldest appends to give up so that `goal` sectors are free, all appends clean and none `pinned`: their
    /// number, and the resulting tail.
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

    /// Gives up the oldest appends, calling for each of their extents; the tail stays until it is moved.
    pub fn give_up(&mut self, appends: usize, mut each: impl FnMut(&Extent)) {
        for append in self.appends.drain(..appends) {
            self.extents.drain(..append.extents).for_each(|extent| each(&extent));
            self.clean_extents -= append.extents;
        }
        self.clean_appends -= appends;
    }

    /// Restarts with the appends found, oldest first; all of them count as dirty.
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

    /// A log in a ring of 20 sectors from the sector 1 on, with consecutive appends of these numbers of data
    /// sectors.
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
        // Appends of 10 sectors, each with its note: two fill the ring to its last sector.
        let mut log = log(&[9, 9]);
        assert_eq!(oldest(&log, 100), Some((0, 20, 2)), "it ends at the turn");
        let found = log.oldest_dirty(10, |_| false).unwrap();
        assert_eq!((found.start, found.end), (0, 10), "no more than asked for");
        log.cleaned(&found);
        assert_eq!(oldest(&log, 100), Some((10, 20, 1)), "one append up to the turn");
        // Another stretch begins behind the turn.
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
        // The note of an append was written when all before it was whole: that of the last one at 10.
        for (said, confirmed) in [(0, 10), (5, 10), (10, 10), (15, 15)] {
            let mut log = log(&[]);
            log.restart(0, said, &found(&before));
            assert_eq!(log.confirmed, confirmed, "the tail said {said}");
            assert_eq!((log.tail, log.clean, log.stored, log.head), (0, 0, 15, 15));
        }
    }
}
