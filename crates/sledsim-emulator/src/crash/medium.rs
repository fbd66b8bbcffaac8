//! Writes that certainly are on the medium (settled writes) and writes that may be on it (open writes), at each
//! cut of a history.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use super::{durability, last_cut, CrashError, Sectors};
use crate::emulator::Durability;
use crate::history::{Event, History};
use crate::store::SECTOR_BYTES;

/// An open write, whose data may or may not be on the medium.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Number of the write, counted from 0.
    pub write: usize,
    /// True if the write was answered.
    pub is_answered: bool,
    /// Sectors of the write that may still reach the medium.
    pub live: Sectors,
}

/// An answered write in the cache.
#[derive(Clone, Debug)]
struct Cached {
    open: Open,
    /// Number of answers to writes before the answer to this write.
    answer: u64,
}

/// The medium and its volatile cache, as they are at a cut (the moment of a power failure) of a history.
#[derive(Clone, Debug)]
pub struct Medium {
    durability: Durability,
    cache_bytes: u64,
    /// Index of the next event in the history that [`advance`](Self::advance) will process.
    next: usize,
    cut: usize,
    /// Answered writes that are still in the cache, oldest first.
    cached: VecDeque<Cached>,
    /// Number of answers to writes so far.
    answers: u64,
    held_bytes: u64,
    /// Unanswered writes, in the order of their submission.
    flying: Vec<Open>,
}

/// Callback that is called when sectors of a write have certainly reached the medium. It receives the number of
/// the write and these sectors.
pub type Settle<'a> = dyn FnMut(usize, &[Range<u64>]) -> io::Result<()> + 'a;

impl Medium {
    /// Return the medium at the start of a history, without open writes.
    ///
    /// # Errors
    /// The history has an unknown kind of cache.
    pub fn new(history: &History) -> Result<Self, CrashError> {
        Ok(Self {
            durability: durability(history)?,
            cache_bytes: history.about.cache_bytes,
            next: 0,
            cut: 0,
            cached: VecDeque::new(),
            answers: 0,
            held_bytes: 0,
            flying: Vec::new(),
        })
    }

    /// The cut at which the medium is at present; 0 at the start of the history.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// The open writes, in the order in which they overwrite each other.
    pub fn open(&self) -> impl DoubleEndedIterator<Item = &Open> {
        self.cached.iter().map(|cached| &cached.open).chain(&self.flying)
    }

    /// The open writes that were not answered.
    #[must_use]
    pub fn flying(&self) -> &[Open] {
        &self.flying
    }

    /// Advance to the later cut `cut`. The callback `settle` is called for each write that certainly reaches
    /// the medium before this cut.
    ///
    /// # Errors
    /// The history has no such cut, or the callback returns an error.
    pub fn advance(
        &mut self,
        history: &History,
        cut: usize,
        settle: &mut Settle<'_>,
    ) -> Result<(), CrashError> {
        let last = last_cut(history);
        if !(1..=last).contains(&cut) {
            let expected = format!("1 to {last}");
            return Err(CrashError::Unknown { key: "cut", expected, found: cut.to_string() });
        }
        while self.cut < cut {
            let Some(event) = history.events.get(self.next) else {
                self.cut = last;
                break;
            };
            self.next += 1;
            match *event {
                Event::Submitted(write) => {
                    let live = std::iter::once(0..history.writes[write].sectors()).collect();
                    self.flying.push(Open { write, is_answered: false, live });
                    self.cut = write + 1;
                }
                Event::Completed { write, is_done } => self.answered(history, write, is_done, settle)?,
                Event::Flushed { .. } if self.durability == Durability::Lying => {}
                Event::Flushed { covers } => {
                    while self.cached.front().is_some_and(|cached| cached.answer < covers) {
                        self.settle_oldest(history, settle)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn answered(
        &mut self,
        history: &History,
        number: usize,
        is_done: bool,
        settle: &mut Settle<'_>,
    ) -> io::Result<()> {
        let answer = self.answers;
        self.answers += 1;
        let Some(at) = self.flying.iter().position(|open| open.write == number) else { return Ok(()) };
        let mut open = self.flying.remove(at);
        if !is_done {
            return Ok(());
        }
        let write = &history.writes[number];
        let stays = match self.durability {
            Durability::WriteThrough => true,
            Durability::Volatile => write.fua,
            Durability::Lying => false,
        };
        if stays {
            settle(number, &open.live)?;
            let settled = write.offset / SECTOR_BYTES..(write.offset + write.bytes) / SECTOR_BYTES;
            for Cached { open: older, .. } in &mut self.cached {
                let first = history.writes[older.write].offset / SECTOR_BYTES;
                older.live = without(&older.live, first, &settled);
            }
            return Ok(());
        }
        open.is_answered = true;
        self.held_bytes += write.bytes;
        self.cached.push_back(Cached { open, answer });
        while self.held_bytes > self.cache_bytes {
            self.settle_oldest(history, settle)?;
        }
        Ok(())
    }

    /// Move the oldest write from the cache to the medium.
    fn settle_oldest(&mut self, history: &History, settle: &mut Settle<'_>) -> io::Result<()> {
        let Some(Cached { open, .. }) = self.cached.pop_front() else { return Ok(()) };
        self.held_bytes -= history.writes[open.write].bytes;
        settle(open.write, &open.live)
    }
}

/// Return the sectors `live` of a write without the sectors `gone`. Sectors in `live` are counted from the
/// start of the write, sectors in `gone` from the start of the device. The write begins at sector `first` of
/// the device.
fn without(live: &[Range<u64>], first: u64, gone: &Range<u64>) -> Sectors {
    let gone = gone.start.saturating_sub(first)..gone.end.saturating_sub(first);
    let parts = live
        .iter()
        .flat_map(|range| [range.start..range.end.min(gone.start), range.start.max(gone.end)..range.end]);
    parts.filter(|part| !part.is_empty()).collect()
}
