//! Notes of the log on the MEMS device, with which the write buffer finds the log after a power failure.

use super::log::{Append, Extent, Log};
use crate::volume::backing_store::MEMS;
use crate::volume::FindNote;

/// First word of the note of an append; the note with the tail has another first word.
const APPEND: u64 = 0x5bed_106a_bbed_0001;
const TAIL: u64 = 0x5bed_106a_bbed_0002;
/// Number of bits of a word that hold the number of sectors of an extent.
const SECTORS_BITS: u32 = 20;
/// Largest number of sectors of an extent.
pub(super) const MOST_SECTORS: u64 = (1 << SECTORS_BITS) - 1;

/// The words of the note behind an append, which starts at the position `start`; `before` is the end of the previous
/// append. The note also holds a checksum of the data of its append.
pub(super) fn append_note(start: u64, before: u64, extents: &[Extent]) -> Vec<u64> {
    let words = extents.iter().map(|extent| extent.sector << SECTORS_BITS | u64::from(extent.sectors));
    [APPEND, start, before].into_iter().chain(words).collect()
}

/// The words of the note before the ring: the tail of the log, and the position `stored`, before which all appends are
/// complete.
pub(super) fn tail_note(tail: u64, stored: u64) -> Vec<u64> {
    vec![TAIL, tail, stored]
}

/// Content of the note of an append, as found after a power failure.
struct Found {
    append: Append,
    extents: Vec<Extent>,
    before: u64,
}

/// Finds the log after a power failure. The newest append is the last one with a correct checksum of its data, or a
/// newer one that the note with the tail confirms: a write that bypassed the log may have changed its data and thus
/// invalidated its checksum. Each note holds the end of the previous append, which was complete when its own append was
/// sent.
///
/// A power failure may destroy the note with the tail, because it is always written to the same sector. Then the log is
/// followed back from the newest append as far as the ring has room, which may also find appends that were given up.
pub(super) fn recover(log: &mut Log, read: &mut FindNote<'_>) {
    let (tail, confirmed) = match read(MEMS, log.first - 1).map(|note| note.words).as_deref() {
        Some([TAIL, tail, stored]) => (Some(*tail), *stored),
        _ => (None, 0),
    };
    let mut end = confirmed;
    for place in 0..log.sectors {
        let Some(note) = read(MEMS, log.first + place).filter(|note| note.is_whole) else { continue };
        let newest = parse(&note.words).map_or(0, |found| found.append.end());
        if newest > end && u64::from(log.place(newest - 1)) == place {
            end = newest;
        }
    }
    let (mut found, head) = (Vec::new(), end);
    let mut oldest = 0;
    while end > tail.unwrap_or(0) {
        let note = read(MEMS, log.sector(end - 1)).and_then(|note| parse(&note.words));
        let Some(Found { append, extents, before }) = note.filter(|found| found.append.end() == end) else {
            break;
        };
        if tail.is_none() && head - append.start > log.sectors {
            break;
        }
        oldest = append.start;
        found.push((append, extents));
        end = before;
    }
    found.reverse();
    log.restart(tail.unwrap_or(oldest), confirmed, &found);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Noted;

    /// Returns the log found after `appends` appends of 4 sectors each, on a ring of 20 sectors. The appends `broken`
    /// have a wrong checksum; `tail` is the position in the note with the tail, `None` if this note is destroyed.
    fn found(appends: u64, broken: &[u64], tail: Option<u64>) -> Log {
        let mut log = Log::new(0, 21);
        let places = log.clone();
        recover(&mut log, &mut |member, sector| {
            assert_eq!(member, MEMS);
            if sector == 0 {
                return tail.map(|tail| Noted { words: tail_note(tail, tail), is_whole: true });
            }
            // The last append that was written to these places.
            let number = (0..appends).rev().find(|number| places.sector(5 * number + 4) == sector)?;
            let start = 5 * number;
            let extent = Extent { sector: 100 * number, sectors: 4, position: start };
            let is_whole = !broken.contains(&number);
            Some(Noted { words: append_note(start, start, &[extent]), is_whole })
        });
        log
    }

    #[test]
    fn a_log_without_its_tail_is_found_as_far_as_the_ring_has_room() {
        for (appends, broken, tail, expected) in [
            (3, &[][..], None, [0, 15, 3]),
            (7, &[], Some(20), [20, 35, 3]),
            // The ring has room for four appends.
            (7, &[], None, [15, 35, 4]),
            (7, &[4], None, [15, 35, 4]),
            (7, &[6], None, [15, 30, 3]),
            (0, &[], None, [0, 0, 0]),
        ] {
            let log = found(appends, broken, tail);
            let extents = log.dirty_extents(usize::MAX).count() as u64;
            assert_eq!([log.tail, log.head, extents], expected, "{appends} appends, {broken:?}, {tail:?}");
            assert!(log.head - log.tail <= log.sectors);
        }
    }
}
