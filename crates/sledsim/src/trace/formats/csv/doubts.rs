//! Error messages for doubtful guesses of columns: those that would read every request as a read,
//! or sizes or positions in the wrong unit. The user avoids such an error by a map of columns: with
//! a unit for sizes, and with `lbn` or `offset` for positions.

use super::super::super::quantities::{whole, OFFSET_MAX, SIZE_MAX};
use super::column_map::{quoted, typed, Entry, Field, Meaning};
use super::dialect::Table;
use super::notation::Notation;
use super::values::unit_bytes;

/// Smallest number of requests with which a unit is checked.
const REQUESTS_MIN: usize = 4;
/// Smallest number of small requests at scattered positions with which positions are checked: it is
/// then hardly by chance that all positions are multiples of 512.
const SCATTERED_MIN: usize = 12;
/// Largest mean size in bytes of small requests; larger requests may read whole objects, whose
/// positions are multiples of 512 sectors.
const SMALL_BYTES: u128 = 128 << 10;
const SECTOR: u64 = 512;
/// Size that separates sizes in sectors, which are mostly smaller, from sizes in bytes, which are
/// mostly at least as large.
const SIZE_BORDER: u64 = 2048;
/// Smallest number of sequential requests (each starts where the previous one ends) that reveals
/// the unit of sizes.
const FOLLOWERS_MIN: usize = 2;
/// Number of request sizes shown in a message.
const SHOWN: usize = 4;
/// Largest number of different words that a column of operations may have.
const OPERATIONS_MAX: usize = 8;

/// Returns an error message if the columns recognised in `table` are doubtful. `said` are the
/// entries of the map that the user gave.
pub(super) fn about(
    table: &Table<'_>,
    columns: &[(usize, Entry)],
    said: &[Entry],
    notation: Notation,
) -> Option<String> {
    let is_mapped = |field: Field| said.iter().any(|entry| entry.field == field);
    let has_unit = said.iter().any(|entry| entry.field == Field::Size && entry.meaning.unit_bytes.is_some());
    let needed = [Field::Time, Field::Lbn, Field::Offset, Field::Size];
    let is_guessed =
        columns.iter().any(|(_, entry)| needed.contains(&entry.field) && !is_mapped(entry.field));
    let has_op = columns.iter().any(|(_, entry)| entry.field == Field::Op);
    if is_guessed && !has_op && !is_mapped(Field::Op) {
        return Some(no_operation(table, columns));
    }
    let places = columns.iter().find(|(_, entry)| matches!(entry.field, Field::Lbn | Field::Offset))?;
    let sizes = columns.iter().find(|(_, entry)| entry.field == Field::Size)?;
    let extents = Extents::of(table, places, sizes, notation);
    let size_unit = extents.size_looks().filter(|_| !has_unit);
    let place_unit = extents.place_looks(size_unit.is_some()).filter(|_| !is_mapped(places.1.field));
    let wrong: Vec<(&Entry, &str, Vec<u64>)> = [
        size_unit.map(|unit| (&sizes.1, unit, extents.rows.iter().map(|row| row.1).collect())),
        place_unit.map(|unit| (&places.1, unit, extents.rows.iter().map(|row| row.0).collect())),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!wrong.is_empty()).then(|| wrong_units(&wrong, said))
}

/// Returns a doubt if the columns recognised in `table` give sizes in blocks without their length, and most of the first
/// requests have no whole number of 4 KiB if blocks are sectors.
pub(super) fn of_blocks(table: &Table<'_>, columns: &[(usize, Entry)], said: &[Entry]) -> Option<String> {
    let (at, entry) = columns.iter().find(|(_, entry)| entry.field == Field::Size)?;
    let is_guessed = said.iter().all(|entry| entry.field != Field::Size);
    let is_of_blocks = |entry: &Entry| {
        let name = entry.column.to_ascii_lowercase();
        name.contains("block") || name.contains("blk") || name == "bcount"
    };
    if !is_guessed || !is_of_blocks(entry) || unit_bytes(Field::Size, &entry.meaning) != SECTOR {
        return None;
    }
    let sizes: Vec<u64> =
        table.column(*at).iter().filter_map(|size| std::str::from_utf8(size).ok()?.parse().ok()).collect();
    let odd = sizes.iter().filter(|size| **size % 8 > 0).count();
    let places = columns.iter().find(|(_, entry)| entry.field == Field::Lbn && is_of_blocks(entry));
    let in_blocks = |entry: &Entry| Entry { meaning: Meaning::of_places(4096), ..entry.clone() };
    let map: Vec<Entry> =
        places.into_iter().map(|(_, entry)| in_blocks(entry)).chain([in_blocks(entry)]).collect();
    (sizes.len() >= REQUESTS_MIN && odd * 2 > sizes.len()).then(|| {
        format!(
            "blocks are taken as sectors of 512 bytes, and {odd} of the first {} sizes are no multiples of 8: for blocks of 4,096 bytes add --map {}",
            sizes.len(),
            typed(&map)
        )
    })
}

/// Returns the error message for a table without a recognised column of operations. It names a
/// column that may hold operations.
fn no_operation(table: &Table<'_>, columns: &[(usize, Entry)]) -> String {
    let is_taken = |at: usize| columns.iter().any(|(taken, _)| *taken == at);
    let looks_like_one = |at: &usize| {
        let mut words = table.column(*at);
        words.sort_unstable();
        words.dedup();
        !is_taken(*at) && (2..=OPERATIONS_MAX).contains(&words.len())
    };
    let likely = (0..table.names.len()).find(looks_like_one).map(|at| table.in_map(at));
    let add = match likely {
        Some(name) => {
            let [map, words] =
                [format!("op={name}"), format!("op={name}:read=X:write=Y")].map(|map| quoted(&map));
            format!("add --map {map} if this column holds the operation ({words} names the operations)")
        }
        None => "add --map op=COLUMN".to_owned(),
    };
    format!(
        "expected a column that tells reads from writes, found the columns {}, which have other names: {add}, or --map op=- if all requests are reads",
        table.names.join(", ")
    )
}

fn wrong_units(wrong: &[(&Entry, &str, Vec<u64>)], said: &[Entry]) -> String {
    // Where the user gave a map, the message shows the whole map with the addition.
    let map = |other: bool| {
        let is_kept = |entry: &&Entry| wrong.iter().all(|(its, ..)| its.field != entry.field);
        let mut entries: Vec<Entry> = said.iter().filter(is_kept).cloned().collect();
        entries.extend(wrong.iter().map(|(entry, unit, _)| {
            let unit_bytes = if (*unit == "bytes") == other { SECTOR } else { 1 };
            Entry { meaning: Meaning::of_places(unit_bytes), ..(*entry).clone() }
        }));
        typed(&entries)
    };
    let one = |(entry, unit, values): &(&Entry, &str, Vec<u64>)| {
        let (what, other) =
            (if entry.field == Field::Size { "sizes" } else { "positions" }, other_unit(unit));
        let shown: Vec<String> = values.iter().take(SHOWN).map(u64::to_string).collect();
        format!(
            "{what} in {other} in the column {:?}, found values that look like {unit} ({}, ...)",
            entry.column,
            shown.join(", ")
        )
    };
    let said: Vec<String> = wrong.iter().map(one).collect();
    format!(
        "expected {}: add --map {}, or --map {} if the values are right",
        said.join(" and "),
        map(false),
        map(true)
    )
}

fn other_unit(unit: &str) -> &'static str {
    if unit == "bytes" {
        "sectors of 512 bytes"
    } else {
        "bytes"
    }
}

/// Positions and sizes of the first requests, as the table gives them, with the assumed units in
/// bytes.
struct Extents {
    rows: Vec<(u64, u64)>,
    place_bytes: u64,
    size_bytes: u64,
}

impl Extents {
    fn of(
        table: &Table<'_>,
        places: &(usize, Entry),
        sizes: &(usize, Entry),
        mut notation: Notation,
    ) -> Self {
        let mut number = |word: &[u8], max| {
            let plain = notation.plain(word, true).ok()?;
            whole(plain.as_deref().unwrap_or(word), max, "").ok()
        };
        let of_row = |(place, size): (&[u8], &[u8])| {
            let size = number(size, SIZE_MAX).filter(|size| *size > 0)?;
            Some((number(place, OFFSET_MAX)?, size))
        };
        let (place_words, size_words) = (table.column(places.0), table.column(sizes.0));
        Self {
            rows: place_words.into_iter().zip(size_words).filter_map(of_row).collect(),
            place_bytes: unit_bytes(places.1.field, &places.1.meaning),
            size_bytes: unit_bytes(Field::Size, &sizes.1.meaning),
        }
    }

    /// Number of requests that start where the previous request ends, if positions have a unit of
    /// `place_bytes` bytes and sizes a unit of `size_bytes` bytes.
    fn followers(&self, place_bytes: u64, size_bytes: u64) -> usize {
        let follows = |two: &&[(u64, u64)]| {
            let [(place, size), (next, _)] = [two[0], two[1]];
            let end = place.checked_mul(place_bytes).zip(size.checked_mul(size_bytes));
            end.and_then(|(place, size)| place.checked_add(size)) == next.checked_mul(place_bytes)
        };
        self.rows.windows(2).filter(follows).count()
    }

    fn count(&self, is: impl Fn(u64) -> bool, of: impl Fn(&(u64, u64)) -> u64) -> usize {
        self.rows.iter().filter(|row| is(of(row))).count()
    }

    /// The unit that sizes almost certainly have if the assumed unit is wrong; `None` if the
    /// assumed unit may be right.
    fn size_looks(&self) -> Option<&'static str> {
        let all = self.rows.len();
        if all < REQUESTS_MIN {
            return None;
        }
        let of_size = |row: &(u64, u64)| row.1;
        let aligned = self.count(|size| size.is_multiple_of(SECTOR), of_size);
        let small = self.count(|size| size < SIZE_BORDER, of_size);
        let neat = self.count(is_neat, of_size);
        let [in_bytes, in_sectors] = [1, SECTOR].map(|bytes| self.followers(self.place_bytes, bytes));
        let show = |some: usize, others: usize| some >= FOLLOWERS_MIN && some > 2 * others;
        match self.size_bytes {
            1 => {
                let are_sectors = is_mostly(neat, all) || show(in_sectors, in_bytes);
                (aligned * 2 <= all && is_mostly(small, all) && are_sectors).then_some("sectors of 512 bytes")
            }
            SECTOR => {
                let aligned_places = self.count(|place| place.is_multiple_of(SECTOR), |row| row.0);
                let are_bytes = show(in_bytes, in_sectors)
                    || in_sectors == 0 && self.place_bytes == SECTOR && aligned_places * 10 <= all;
                (aligned == all && small * 2 < all && are_bytes).then_some("bytes")
            }
            _ => None,
        }
    }

    /// The unit that positions almost certainly have if the assumed unit is wrong; `None` if the
    /// assumed unit may be right.
    fn place_looks(&self, are_sizes_wrong: bool) -> Option<&'static str> {
        let places: Vec<u64> = self.rows.iter().map(|row| row.0).filter(|place| *place > 0).collect();
        if places.len() < REQUESTS_MIN {
            return None;
        }
        let aligned = places.iter().filter(|place| place.is_multiple_of(SECTOR)).count();
        match self.place_bytes {
            1 => {
                let in_bytes = |size: u64| size.checked_mul(self.size_bytes);
                let sizes = self.count(
                    |size| in_bytes(size).is_some_and(|bytes| bytes.is_multiple_of(SECTOR)),
                    |row| row.1,
                );
                // In old partitions, which begin behind 63 sectors, all places are shifted by that much.
                let neat =
                    places.iter().filter(|place| is_neat(**place) || **place % 8 == places[0] % 8).count();
                let has_sectors = are_sizes_wrong || is_mostly(sizes, self.rows.len());
                (has_sectors && aligned * 10 <= places.len() && is_mostly(neat, places.len()))
                    .then_some("sectors of 512 bytes")
            }
            SECTOR => {
                // Both in bytes, one behind the other.
                let in_bytes = self.followers(1, 1);
                let size_bytes = if are_sizes_wrong { 1 } else { self.size_bytes };
                let in_sectors = self.followers(SECTOR, size_bytes);
                let follow = in_bytes >= FOLLOWERS_MIN && in_bytes > 2 * in_sectors;
                (aligned == places.len() && (follow || self.are_small_and_scattered(size_bytes)))
                    .then_some("bytes")
            }
            _ => None,
        }
    }

    /// True if requests are small, not consecutive and not at equal distances. If their positions
    /// were in sectors, they would be multiples of 512 only by chance.
    fn are_small_and_scattered(&self, size_bytes: u64) -> bool {
        let total: u128 = self.rows.iter().map(|row| u128::from(row.1) * u128::from(size_bytes)).sum();
        let mut distances: Vec<u64> = self.rows.windows(2).map(|two| two[1].0.abs_diff(two[0].0)).collect();
        distances.sort_unstable();
        distances.dedup();
        self.rows.len() >= SCATTERED_MIN
            && total / (self.rows.len() as u128) < SMALL_BYTES
            && distances.len() * 2 > self.rows.len()
    }
}

/// True if a number looks like a size or position in sectors: it is a multiple of 8 (whole blocks
/// of 4 KiB) or a power of two.
fn is_neat(number: u64) -> bool {
    number.is_multiple_of(8) || number.is_power_of_two()
}

fn is_mostly(count: usize, all: usize) -> bool {
    count * 10 >= all * 9
}
