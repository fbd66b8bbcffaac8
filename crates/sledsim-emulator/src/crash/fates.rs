//! The fates of open writes in an image: which of their sectors are on the medium, lost or unreadable.

use std::str::FromStr;

use super::{Choice, CrashError, Medium, Sectors};
use crate::history::History;

/// The fate of one open write in an image: kept, lost or torn, sector by sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Number of the write, counted from 1.
    pub number: usize,
    /// True if the write was answered.
    pub is_answered: bool,
    /// Sectors of the write whose data may or may not be on the medium.
    pub live: Sectors,
    /// Sectors of the write whose data are on the medium in this image.
    pub kept: Sectors,
    /// Sectors of the write that cannot be read in this image.
    pub torn: Sectors,
}

/// Return the fate of each open write in the image of a cut and a choice.
///
/// # Errors
/// The history has no cut with this number, or `choice` does not fit the writes that are open at the cut.
pub fn fates(history: &History, cut: usize, choice: &str) -> Result<Vec<Fate>, CrashError> {
    let mut medium = Medium::new(history)?;
    medium.advance(history, cut, &mut |_, _| Ok(()))?;
    let picked = Choice::from_str(choice)?.pick(history, &medium)?;
    let of = |list: &[(usize, Sectors)], write: usize| {
        list.iter().find(|(found, _)| *found == write).map_or_else(Vec::new, |(_, sectors)| sectors.clone())
    };
    let open = medium.open().map(|open| Fate {
        number: open.write + 1,
        is_answered: open.is_answered,
        live: open.live.clone(),
        kept: of(&picked.kept, open.write),
        torn: of(&picked.torn, open.write),
    });
    Ok(open.collect())
}
