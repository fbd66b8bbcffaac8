//! Build the images that a loss of power could have left, at any moment of a [history](crate::history).
//!
//! **Cuts.** A cut is the moment right after a write was submitted: cut K follows write K, counted from 1 on, and one
//! more cut is at the end. No other moment adds an image: an answer to a write and a flush only reduce what the medium
//! can hold.
//!
//! **Open writes.** At a cut the medium has every *settled* write; of each *open* write it may have all, nothing, or
//! some sectors ([`Medium`]):
//!
//! | cache | open writes |
//! |---|---|
//! | `none` | unanswered writes |
//! | `volatile` | unanswered writes, and the answered writes since the last flush without FUA, limited to the newest 16 MiB |
//! | `lying` | unanswered writes, and the newest 16 MiB of answered writes, regardless of flushes |
//!
//! A flush is answered when it arrives, and covers every write answered before. A write through the cache (FUA) settles
//! when it is answered; older writes can no longer put data into its sectors. Where open writes overlap, the sector has
//! the data of the last of them to enter the cache, if that write is kept; unanswered writes come after answered ones,
//! in the order of submission. The 16 MiB here count written bytes. The server counts replaced bytes and holds at least
//! as much.
//!
//! **Choices.** All combinations are too many. At each cut these choices are tried, in this order ([`Choice`]): no open
//! write (`none`); all (`all`); the newest alone (`newest`, which finds a write that overtakes all others); all but the
//! oldest (`but-oldest`); and random subsets, of whole writes (`whole=SEED`) and of parts of writes (`sectors=SEED`). A
//! part is a sector, a block of sectors if the unit is larger, or about a 64th of a write longer than 32 KiB. A torn
//! row under the tips is optional (`torn=SEED`): an unanswered write then has some new sectors, then up to 16
//! unreadable ones, then old ones. An image file cannot fail on reads, so the torn sectors contain [`TORN`] and are
//! listed beside the image, as the server does ([`list_beside`](crate::store::list_beside)).
//!
//! **Equal images** are built once: a [`Plan`] computes one number per sector (`Picture`) without building an image,
//! and drops a choice if an earlier choice gives the same contents.
//!
//! **Images.** An [`Image`] is one sparse file that moves from cut to cut: settled writes are written, open writes of
//! the last cut are undone. A checker gets a copy, because it may change the file.

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

/// Ranges of sectors of a write in ascending order, counted from the first sector of the write.
pub type Sectors = Vec<Range<u64>>;

/// The error that prevents an image.
#[derive(Debug, Error)]
pub enum CrashError {
    /// An I/O error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A cut or a choice that does not exist.
    #[error("{key}: expected {expected}, found {found}")]
    Unknown {
        /// Name of the value that is wrong.
        key: &'static str,
        /// Description of the valid values.
        expected: String,
        /// The value that was found.
        found: String,
    },
}

/// Number of the last cut of a history, which is at its end; the first cut is 1.
#[must_use]
pub fn last_cut(history: &History) -> usize {
    history.writes.len() + 1
}

/// Durability of the served device, looked up by the name in the history.
///
/// # Errors
/// The history names an unknown durability.
pub fn durability(history: &History) -> Result<Durability, CrashError> {
    let found = &history.about.cache;
    let row = Durability::ALL.iter().find(|(name, _, _)| name == found);
    row.map(|(_, durability, _)| *durability).ok_or_else(|| CrashError::Unknown {
        key: "cache",
        expected: Durability::ALL.map(|(name, _, _)| name).join(", "),
        found: format!("{found:?}"),
    })
}
