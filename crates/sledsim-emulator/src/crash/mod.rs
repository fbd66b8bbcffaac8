//! Images of the medium that a power failure could have left at any moment of a recorded
//! [history](crate::history).
//!
//! **Cuts.** A cut is the moment right after the submission of a write: cut K follows write K, counted from
//! 1, and the last cut is the end of the history. Other moments add no image, because an answer to a write
//! or a flush only excludes contents of the medium.
//!
//! **Open writes.** At a cut the medium has every *settled* write; of each *open* write it may have all, nothing, or
//! some sectors ([`Medium`]):
//!
//! | cache | open writes |
//! |---|---|
//! | `none` | unanswered writes |
//! | `volatile` | unanswered writes, and answered writes without FUA that no answered flush covers, limited to the newest 16 MiB |
//! | `lying` | unanswered writes, and the newest 16 MiB of answered writes, regardless of flushes |
//!
//! A flush covers all writes that were answered before its submission; they are settled when it is answered. A write
//! through the cache (FUA) settles when it is answered; older writes can then no longer put data into its sectors. Where
//! open writes overlap, a sector has the data of the kept write that entered the cache last. Unanswered writes
//! count as newer than answered ones, in the order of submission. The limit of 16 MiB counts written bytes
//! here. The server counts replaced bytes, so its cache may hold more writes.
//!
//! **Choices.** Not all combinations of open writes can be tried. At each cut these choices are tried, in
//! this order ([`Choice`]): no open write (`none`); all (`all`); only the newest (`newest`, which tests a
//! write that overtakes all others); all except the oldest (`but-oldest`); and random subsets, of whole
//! writes (`whole=SEED`) and of parts of writes (`sectors=SEED`). A part is a sector, a block of sectors if
//! the unit is larger, or about a 64th of a write longer than 32 KiB. A torn row under the tips is optional
//! (`torn=SEED`): an unanswered write then has some new sectors, then up to 16 unreadable ones, then old
//! ones. Reads of an image file cannot fail, so the torn sectors contain [`TORN`] and are listed beside the
//! image, as the server does ([`list_beside`](crate::store::list_beside)).
//!
//! **Equal images** are built only once: a [`Plan`] computes a hash of each sector (`Picture`) without
//! building an image, and drops a choice that gives the same contents as an earlier one.
//!
//! **Images.** An [`Image`] is a sparse file that moves from cut to cut: settled writes are written, and
//! the open writes of the last cut are undone. A checker program gets a copy, because it may change the
//! file.

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

/// Ranges of sectors of a write in ascending order; sector 0 is the first sector of the write.
pub type Sectors = Vec<Range<u64>>;

/// The error for an image that cannot be built.
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

/// Number of the last cut of a history; cuts are counted from 1, and the last one is at the end of the history.
#[must_use]
pub fn last_cut(history: &History) -> usize {
    history.writes.len() + 1
}

/// Return the durability of the device from which the history was recorded.
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
