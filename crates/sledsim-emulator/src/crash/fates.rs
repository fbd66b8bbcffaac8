//! The fate of each open write in an image.

use std::str::FromStr;

use super::{Choice, CrashError, Medium, Sectors};
use crate::history::History;

/// One open write in an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Its number, counted from 1 on.
    pub number: usize,
    /// Whether it was answered.
    pub is_answered: bool,
    /// Its sectors that can be there or not.
    pub live: Sectors,
    /// Those that are there.
    pub kept: Sectors,
    /// Those that cannot be read.
    pub torn: Sectors,
}

/// Tells what becomes of each open write.
///
/// # Errors
/// A cut or a choice that the history has not.
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
