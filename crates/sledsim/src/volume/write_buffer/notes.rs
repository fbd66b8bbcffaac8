//! What the buffer has to find on the MEMS device after a loss of power.

use super::log::{Append, Extent, Log};
use crate::volume::back::MEMS;

/// Marks of notes, so that none is taken for another's.
const APPEND: u64 = 0x5bed_106a_bbed_0001;
const TAIL: u64 = 0x5bed_106a_bbed_0002;
/// Bits of the number of sectors of an extent.
const SECTORS_BITS: u32 = 20;
/// Sectors that an extent can have at most.
pub(super) const MOST_SECTORS: u64 = (1 << SECTORS_BITS) - 1;

/// What stands behind the data of an append.
pub(super) fn append_note(start: u64, extents: &[Extent]) -> Vec<u64> {
    let words = extents.iter().map(|extent| extent.sector << SECTORS_BITS | u64::from(extent.sectors));
    [APPEND, start].into_iter().chain(words).collect()
}

/// What stands in the sector before the ring.
pub(super) fn tail_note(tail: u64) -> Vec<u64> {
    vec![TAIL, tail]
}

/// Finds the log again. Every note from the tail on is of an append that is whole, as it was written after the
/// data; older ones are left from earlier turns of the ring.
pub(super) fn recover(log: &mut Log, read: &mut dyn FnMut(u32, u64) -> Option<Vec<u64>>) {
    let tail = match read(MEMS, log.first - 1).as_deref() {
        Some([TAIL, tail]) => *tail,
        _ => 0,
    };
    let mut found = Vec::new();
    for place in 0..log.sectors {
        let Some(note) = read(MEMS, log.first + place) else { continue };
        let Some((append, extents)) = parse(&note) else { continue };
        if append.start >= tail && u64::from(log.place(append.start + append.data)) == place {
            found.push((append, extents));
        }
    }
    found.sort_unstable_by_key(|(append, _)| append.start);
    log.restart(tail, found);
}

fn parse(note: &[u64]) -> Option<(Append, Vec<Extent>)> {
    let (&[mark, start], words) = note.split_first_chunk()?;
    let mut position = start;
    let extents = words.iter().map(|word| {
        let sectors = (word & MOST_SECTORS) as u32;
        let extent = Extent { sector: word >> SECTORS_BITS, sectors, position };
        position += u64::from(sectors);
        extent
    });
    let extents: Vec<Extent> = extents.collect();
    (mark == APPEND).then_some((Append { start, data: position - start, extents: extents.len() }, extents))
}
