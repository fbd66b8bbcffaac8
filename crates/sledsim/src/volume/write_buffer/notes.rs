//! Notes that the buffer has to find on the MEMS device after a loss of power.

use super::log::{Append, Extent, Log};
use crate::volume::backing_store::MEMS;
use crate::volume::FindNote;

/// Marks of notes, so that none is taken for another's.
const APPEND: u64 = 0x5bed_106a_bbed_0001;
const TAIL: u64 = 0x5bed_106a_bbed_0002;
/// Bits of the number of sectors of an extent.
const SECTORS_BITS: u32 = 20;
/// Sectors that an extent can have at most.
pub(super) const MOST_SECTORS: u64 = (1 << SECTORS_BITS) - 1;

/// Note behind the data of an append, sealed with them: `before` is the end of the append before it.
pub(super) fn append_note(start: u64, before: u64, extents: &[Extent]) -> Vec<u64> {
    let words = extents.iter().map(|extent| extent.sector << SECTORS_BITS | u64::from(extent.sectors));
    [APPEND, start, before].into_iter().chain(words).collect()
}

/// Note in the sector before the ring: where the tail is, and up to where all appends are whole.
pub(super) fn tail_note(tail: u64, stored: u64) -> Vec<u64> {
    vec![TAIL, tail, stored]
}

/// Content of the note of an append.
struct Found {
    append: Append,
    extents: Vec<Extent>,
    before: u64,
}

/// Finds the log again. The newest append is the last one that is whole by its seal, unless the note of the tail knows
/// a newer one: what went past the log may have been written over data in it, and so broken the seal. Each append was
/// sent when the one before was on the device, of which its note says where that ends.
pub(super) fn recover(log: &mut Log, read: &mut FindNote<'_>) {
    let (tail, confirmed) = match read(MEMS, log.first - 1).map(|note| note.words).as_deref() {
        Some([TAIL, tail, stored]) => (*tail, *stored),
        _ => (0, 0),
    };
    let mut end = confirmed;
    for place in 0..log.sectors {
        let Some(note) = read(MEMS, log.first + place).filter(|note| note.is_whole) else { continue };
        let newest = parse(&note.words).map_or(0, |found| found.append.end());
        if newest > end && u64::from(log.place(newest - 1)) == place {
            end = newest;
        }
    }
    let mut found = Vec::new();
    while end > tail {
        let note = read(MEMS, log.sector(end - 1)).and_then(|note| parse(&note.words));
        let Some(Found { append, extents, before }) = note.filter(|found| found.append.end() == end) else {
            break;
        };
        found.push((append, extents));
        end = before;
    }
    found.reverse();
    log.restart(tail, confirmed, &found);
}

fn parse(note: &[u64]) -> Option<Found> {
    let (&[mark, start, before], words) = note.split_first_chunk()?;
    let mut position = start;
    let extents = words.iter().map(|word| {
        let sectors = (word & MOST_SECTORS) as u32;
        let extent = Extent { sector: word >> SECTORS_BITS, sectors, position };
        position += u64::from(sectors);
        extent
    });
    let extents: Vec<Extent> = extents.collect();
    let append = Append { start, data: position - start, extents: extents.len() };
    (mark == APPEND && before <= start).then_some(Found { append, extents, before })
}
