//! What is settled and what is open, from cut to cut.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use super::{durability, last_cut, CrashError, Sectors};
use crate::emulator::Durability;
use crate::history::{Event, History};
use crate::store::SECTOR_BYTES;

/// A write that may be on the medium or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Its number, counted from 0 on.
    pub write: usize,
    /// Whether it was answered.
    pub is_answered: bool,
    /// The sectors that it can still put on the medium.
    pub live: Sectors,
}

/// The medium behind a cache.
#[derive(Clone, Debug)]
pub struct Medium {
    durability: Durability,
    cache_bytes: u64,
    /// The next event, and how many writes were asked for before it.
    next: usize,
    cut: usize,
    /// In the order in which they came into the cache.
    cached: VecDeque<Open>,
    held_bytes: u64,
    /// In the order in which they were asked for.
    flying: Vec<Open>,
}

/// Told of sectors of a write that are on the medium from now on.
pub type Settle<'a> = dyn FnMut(usize, &[Range<u64>]) -> io::Result<()> + 'a;

impl Medium {
    /// At the start, where nothing is open.
    ///
    /// # Errors
    /// A cache that nobody knows.
    pub fn new(history: &History) -> Result<Self, CrashError> {
        Ok(Self {
            durability: durability(history)?,
            cache_bytes: history.about.cache_bytes,
            next: 0,
            cut: 0,
            cached: VecDeque::new(),
            held_bytes: 0,
            flying: Vec::new(),
        })
    }

    /// The cut at which it is; 0 at the start.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// What is open: one that comes later overwrites those before it.
    pub fn open(&self) -> impl DoubleEndedIterator<Item = &Open> {
        self.cached.iter().chain(&self.flying)
    }

    /// What is open and was not answered.
    #[must_use]
    pub fn flying(&self) -> &[Open] {
        &self.flying
    }

    /// Goes on to a later cut.
    ///
    /// # Errors
    /// A cut that the history has not; those of what is told.
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
                Event::Flushed if self.durability == Durability::Lying => {}
                Event::Flushed => self.settle_down_to(0, history, settle)?,
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
            for older in &mut self.cached {
                let first = history.writes[older.write].offset / SECTOR_BYTES;
                older.live = without(&older.live, first, &settled);
            }
            return Ok(());
        }
        open.is_answered = true;
        self.held_bytes += write.bytes;
        self.cached.push_back(open);
        self.settle_down_to(self.cache_bytes, history, settle)
    }

    /// The oldest leave the cache until it holds so many bytes.
    fn settle_down_to(
        &mut self,
        most_bytes: u64,
        history: &History,
        settle: &mut Settle<'_>,
    ) -> io::Result<()> {
        while self.held_bytes > most_bytes {
            let Some(open) = self.cached.pop_front() else { break };
            self.held_bytes -= history.writes[open.write].bytes;
            settle(open.write, &open.live)?;
        }
        Ok(())
    }
}

/// What is left of sectors of a write, which begins there, without these sectors of the device.
fn without(live: &[Range<u64>], first: u64, gone: &Range<u64>) -> Sectors {
    let gone = gone.start.saturating_sub(first)..gone.end.saturating_sub(first);
    let parts = live
        .iter()
        .flat_map(|range| [range.start..range.end.min(gone.start), range.start.max(gone.end)..range.end]);
    parts.filter(|part| !part.is_empty()).collect()
}
