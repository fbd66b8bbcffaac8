//! Choice of the open writes that are on the medium after a power failure.

use std::fmt;
use std::str::FromStr;

use super::{CrashError, Medium, Open, Sectors};
use crate::history::History;
use crate::store::{Coin, SECTOR_BYTES};

/// Largest number of parts of a write that are kept or lost independently of each other.
const MOST_PARTS: u64 = 64;
/// Largest permitted UNIT in `sectors=SEED/UNIT`, the number of sectors that are kept or lost together.
const MOST_UNIT: u64 = 1 << 32;
/// Largest number of sectors in a torn row, the row that was under the tips when the power failed.
const MOST_TORN: u64 = 16;

/// Choice of the open writes that are on the medium after a power failure. The text in backquotes is what users
/// write on the command line to select the choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `none`: no open write is on the medium.
    None,
    /// `all`: every open write is on the medium.
    All,
    /// `newest`: only the newest open write is on the medium.
    Newest,
    /// `but-oldest`: every open write except the oldest is on the medium.
    ButOldest,
    /// `whole=SEED`: about half of the open writes are on the medium, each of them completely.
    Whole(u64),
    /// `sectors=SEED` or `sectors=SEED/UNIT`: about half of the parts of each open write are on the medium.
    /// Sectors in the same unit of UNIT sectors, such as 8 sectors (4 KiB), are kept or lost together.
    Sectors {
        /// Seed of the random choice.
        seed: u64,
        /// Number of sectors per unit.
        unit: u64,
    },
    /// `torn=SEED`: about half of the open writes are on the medium. In addition, one unanswered write was
    /// interrupted and has sectors that cannot be read.
    Torn(u64),
    /// `kept=3,7/0-3+6`: only the listed writes are on the medium, here write 3 and sectors 0 to 3 and 6 of
    /// write 7. Writes are numbered from 1, the sectors of a write from 0.
    Kept(Vec<Item>),
    /// `lost=3,7/0-3+6`: all open writes are on the medium except for the listed writes or sectors.
    Lost(Vec<Item>),
}

/// A write in a list of writes: the number of the write, counted from 1, and its listed sectors. `None`
/// instead of sectors means all sectors of the write.
pub type Item = (usize, Option<Sectors>);

/// The result of a choice: the sectors of open writes that are on the medium, and those that cannot be read.
/// Writes are numbered from 0. A later write in a list overwrites the sectors of earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Sectors that are on the medium: for each open write, its number and its sectors. A write that has no
    /// such sector is omitted.
    pub kept: Vec<(usize, Sectors)>,
    /// Sectors that cannot be read: for each open write, its number and its sectors.
    pub torn: Vec<(usize, Sectors)>,
}

/// The error for a text that does not describe a choice of open writes.
pub type BadChoice = CrashError;

impl Choice {
    /// Apply the choice to the open writes of a medium.
    ///
    /// # Errors
    /// The choice lists a write that is not open, or a sector that the write does not have.
    pub fn pick(&self, history: &History, medium: &Medium) -> Result<Picked, CrashError> {
        let oldest = medium.open().next().map(|open| open.write);
        let newest = medium.open().next_back().map(|open| open.write);
        let when = |is_kept: bool, open: &Open| if is_kept { open.live.clone() } else { Vec::new() };
        let picked = |choose: &mut dyn FnMut(&Open) -> Sectors| {
            let all = medium.open().map(|open| (open.write, choose(open)));
            Picked { kept: all.filter(|(_, sectors)| !sectors.is_empty()).collect(), torn: Vec::new() }
        };
        let coin = |&seed: &u64| Coin::new(seed);
        Ok(match self {
            Self::None => Picked::default(),
            Self::All => picked(&mut |open| when(true, open)),
            Self::Newest => picked(&mut |open| when(Some(open.write) == newest, open)),
            Self::ButOldest => picked(&mut |open| when(Some(open.write) != oldest, open)),
            Self::Whole(seed) => picked(&mut |open| when(coin(seed).keeps(open.write as u64, 0), open)),
            Self::Sectors { seed, unit } => {
                let coin = Coin { tears: true, ..coin(seed) };
                picked(&mut |open| {
                    let write = &history.writes[open.write];
                    let part = unit * write.sectors().div_ceil(MOST_PARTS * unit);
                    let keeps = |number| coin.keeps(open.write as u64, number);
                    in_parts(&open.live, write.offset / SECTOR_BYTES, part, keeps)
                })
            }
            Self::Torn(seed) => {
                let all = picked(&mut |open| when(coin(seed).keeps(open.write as u64, 0), open));
                tear(all, &Coin::new(*seed), history, medium)
            }
            Self::Kept(items) => {
                let named = named(items, medium)?;
                picked(&mut |open| named_of(&named, open).unwrap_or_default())
            }
            Self::Lost(items) => {
                let named = named(items, medium)?;
                picked(&mut |open| match named_of(&named, open) {
                    None => open.live.clone(),
                    Some(lost) => except(&open.live, &lost),
                })
            }
        })
    }
}

/// Divide the device into parts of `part` sectors, and select parts of a write that begins at sector `first` of
/// the device. The sectors `live` of a part are kept if `keeps` returns true for the number of the part, and
/// lost otherwise.
fn in_parts(live: &Sectors, first: u64, part: u64, keeps: impl Fn(u64) -> bool) -> Sectors {
    let mut kept = Sectors::new();
    for range in live {
        let mut at = range.start;
        while at < range.end {
            let number = (first + at) / part;
            let end = ((number + 1) * part - first).min(range.end);
            if keeps(number) {
                match kept.last_mut() {
                    Some(before) if before.end == at => before.end = end,
                    _ => kept.push(at..end),
                }
            }
            at = end;
        }
    }
    kept
}

/// Tear one unanswered write at a random sector: the sectors before it are kept, a few sectors from it on
/// cannot be read, and the remaining sectors are lost.
fn tear(mut picked: Picked, coin: &Coin, history: &History, medium: &Medium) -> Picked {
    let flying = medium.flying();
    if flying.is_empty() {
        return picked;
    }
    let victim = &flying[coin.below(0, flying.len() as u64) as usize];
    let sectors = history.writes[victim.write].sectors();
    let first = coin.below(1, sectors);
    let end = sectors.min(first + 1 + coin.below(2, MOST_TORN));
    picked.kept.retain(|(write, _)| *write != victim.write);
    if first > 0 {
        let later = medium.open().skip_while(|open| open.write != victim.write).skip(1);
        let later: Vec<usize> = later.map(|open| open.write).collect();
        let place = picked.kept.iter().position(|(write, _)| later.contains(write));
        picked
            .kept
            .insert(place.unwrap_or(picked.kept.len()), (victim.write, std::iter::once(0..first).collect()));
    }
    picked.torn.push((victim.write, std::iter::once(first..end).collect()));
    picked
}

/// Return the listed writes that are open, with their sectors. Return an error if a listed write is not open.
fn named(items: &[Item], medium: &Medium) -> Result<Vec<(usize, Sectors)>, CrashError> {
    let find = |(number, sectors): &Item| {
        let unknown = |expected: String, found: String| CrashError::Unknown { key: "image", expected, found };
        let open = medium.open().find(|open| open.write + 1 == *number).ok_or_else(|| {
            let some: Vec<String> = medium.open().take(8).map(|open| (open.write + 1).to_string()).collect();
            let expected = if some.is_empty() {
                "no numbers of writes, because no write is open at this cut".into()
            } else {
                format!("numbers of writes that are open at this cut, such as {}", some.join(", "))
            };
            unknown(expected, number.to_string())
        })?;
        let sectors = sectors.clone().unwrap_or_else(|| open.live.clone());
        let is_within = |range: &std::ops::Range<u64>| {
            open.live.iter().any(|live| live.start <= range.start && range.end <= live.end)
        };
        if !sectors.iter().all(is_within) {
            return Err(unknown(format!("sectors among {}", ranges_text(&open.live)), ranges_text(&sectors)));
        }
        Ok((open.write, sectors))
    };
    items.iter().map(find).collect()
}

fn named_of(named: &[(usize, Sectors)], open: &Open) -> Option<Sectors> {
    named.iter().find(|(write, _)| *write == open.write).map(|(_, sectors)| sectors.clone())
}

/// Return the sectors `live` that are not in `lost`. Both arguments are in ascending order.
fn except(live: &Sectors, lost: &Sectors) -> Sectors {
    let mut left = Sectors::new();
    for range in live {
        let mut at = range.start;
        for gone in lost.iter().filter(|gone| gone.start < range.end && gone.end > range.start) {
            if gone.start > at {
                left.push(at..gone.start);
            }
            at = at.max(gone.end);
        }
        if at < range.end {
            left.push(at..range.end);
        }
    }
    left
}

/// Write sectors as a text of inclusive ranges, such as `0-3+6`.
#[must_use]
pub fn ranges_text(sectors: &Sectors) -> String {
    let parts = sectors.iter().map(|range| match range.end - range.start {
        1 => range.start.to_string(),
        _ => format!("{}-{}", range.start, range.end - 1),
    });
    parts.collect::<Vec<_>>().join("+")
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, items) = match self {
            Self::None => return out.write_str("none"),
            Self::All => return out.write_str("all"),
            Self::Newest => return out.write_str("newest"),
            Self::ButOldest => return out.write_str("but-oldest"),
            Self::Whole(seed) => return write!(out, "whole={seed}"),
            Self::Sectors { seed, unit: 1 } => return write!(out, "sectors={seed}"),
            Self::Sectors { seed, unit } => return write!(out, "sectors={seed}/{unit}"),
            Self::Torn(seed) => return write!(out, "torn={seed}"),
            Self::Kept(items) => ("kept", items),
            Self::Lost(items) => ("lost", items),
        };
        let text = items.iter().map(|(number, sectors)| match sectors {
            None => number.to_string(),
            Some(sectors) => format!("{number}/{}", ranges_text(sectors)),
        });
        write!(out, "{name}={}", text.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Choice {
    type Err = BadChoice;

    fn from_str(text: &str) -> Result<Self, BadChoice> {
        let parsed = match text.split_once('=') {
            None => match text {
                "none" => Some(Self::None),
                "all" => Some(Self::All),
                "newest" => Some(Self::Newest),
                "but-oldest" => Some(Self::ButOldest),
                _ => None,
            },
            Some(("whole", seed)) => seed.parse().ok().map(Self::Whole),
            Some(("sectors", seed)) => parse_sectors(seed),
            Some(("torn", seed)) => seed.parse().ok().map(Self::Torn),
            Some(("kept", items)) => parse_items(items).map(Self::Kept),
            Some(("lost", items)) => parse_items(items).map(Self::Lost),
            Some(_) => None,
        };
        parsed.ok_or_else(|| CrashError::Unknown {
            key: "image",
            expected:
                "none, all, newest, but-oldest, whole=SEED, sectors=SEED, torn=SEED, or a list of writes after kept= or lost=, such as kept=3,7/0-3+6"
                    .into(),
            found: format!("{text:?}"),
        })
    }
}

fn parse_sectors(text: &str) -> Option<Choice> {
    let (seed, unit) = text.split_once('/').unwrap_or((text, "1"));
    let (seed, unit) = (seed.parse().ok()?, unit.parse().ok()?);
    (1..=MOST_UNIT).contains(&unit).then_some(Choice::Sectors { seed, unit })
}

fn parse_items(text: &str) -> Option<Vec<Item>> {
    let item = |text: &str| match text.split_once('/') {
        None => Some((text.parse().ok()?, None)),
        Some((number, sectors)) => Some((number.parse().ok()?, Some(parse_ranges(sectors)?))),
    };
    text.split(',').map(item).collect()
}

/// Parse a text of inclusive ranges in ascending order, such as `0-3+6`.
fn parse_ranges(text: &str) -> Option<Sectors> {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
        (first <= last && last < u64::MAX).then(|| first..last + 1)
    };
    let ranges: Sectors = text.split('+').map(range).collect::<Option<_>>()?;
    ranges.is_sorted_by(|one, next| one.end <= next.start).then_some(ranges)
}
