//! What a loss of power could have left, at any moment of a [history](crate::history).
//!
//! **Cuts.** A cut is a moment right after a write was asked for: cut K after write K, counted from 1 on, and one more at
//! the end. At other moments nothing more can be on the medium: when a write is answered or a flush comes, what could
//! be there becomes less.
//!
//! **What is open.** At a cut the medium has all that is *settled*; of each *open* write it may have all, nothing, or
//! some sectors ([`Medium`]):
//!
//! | cache | open are |
//! |---|---|
//! | `none` | writes that were not answered |
//! | `volatile` | these, and those that were answered since the last flush without FUA, of the newest 16 MiB |
//! | `lying` | writes that were not answered, and the newest 16 MiB of those that were, whatever was flushed |
//!
//! A flush is answered when it comes, and covers all that was answered before. What is written through the cache (FUA)
//! settles when it is answered, and its sectors cannot have what older writes put there. Where open writes overlap, the
//! one that came into the cache last has the sector, if it is there; those that were not answered come after them, in
//! the order in which they were asked for. The 16 MiB are counted as what was written, so that what the server holds
//! in fact, counted as what was replaced, is at least that.
//!
//! **Choices.** All combinations are too many. At each cut are tried, in this order ([`Choice`]): no open write (`none`),
//! all (`all`), the newest alone (`newest`: what overtakes everything is found by it), all but the oldest
//! (`but-oldest`); and by a seed subsets of whole writes (`whole=SEED`) and of the parts of writes
//! (`sectors=SEED`; a part is a sector, or about a 64th of a write that is longer than 32 KiB; it is a block of more sectors
//! where the device is told to write these as a whole). On demand the row under
//! the tips is torn, too (`torn=SEED`): a write that was not answered has some sectors of the new contents, then up
//! to 16 that cannot be read, then old ones. A file cannot fail: the torn sectors are filled with [`TORN`], and listed
//! beside the image as the server does ([`list_beside`](crate::store::list_beside)).
//!
//! **Equal images** are built once: a [`Plan`] is made of numbers that stand for the sectors (`Picture`),
//! without building any image, and has a choice only if no choice before it gives the same contents.
//!
//! **Images.** An [`Image`] is one sparse file that goes from cut to cut: what settles is written, what was open at the last
//! one is taken back. A checker is given a copy, for it may change it.

mod choice;
mod fates;
mod image;
mod medium;
mod picture;
mod plan;

pub use choice::{ranges_text, BadChoice, Choice, Item, Picked};
pub use fates::{fates, Fate};
pub use image::{Image, TORN};
pub use medium::{Medium, Open};
pub use plan::{Candidate, Plan, Sampling};

use std::io;
use std::ops::Range;

use thiserror::Error;

use crate::emulator::Durability;
use crate::history::History;

/// Sectors of a write, in ascending order, counted from its first one on.
pub type Sectors = Vec<Range<u64>>;

/// Why no image can be built.
#[derive(Debug, Error)]
pub enum CrashError {
    /// What the system said.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A cut or a choice that there is not.
    #[error("{key}: expected {expected}, found {found}")]
    Unknown {
        /// What it is about.
        key: &'static str,
        /// What there is.
        expected: String,
        /// What was asked for.
        found: String,
    },
}

/// The number of the last cut of a history, which is at its end; the first is 1.
#[must_use]
pub fn last_cut(history: &History) -> usize {
    history.writes.len() + 1
}

/// What a loss of power can take, by the name in a history.
///
/// # Errors
/// No such name.
pub fn durability(history: &History) -> Result<Durability, CrashError> {
    let found = &history.about.cache;
    let row = Durability::ALL.iter().find(|(name, _, _)| name == found);
    row.map(|(_, durability, _)| *durability).ok_or_else(|| CrashError::Unknown {
        key: "cache",
        expected: Durability::ALL.map(|(name, _, _)| name).join(", "),
        found: format!("{found:?}"),
    })
}
