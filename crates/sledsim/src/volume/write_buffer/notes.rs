//! Notes on the MEMS device, by which the buffer finds its log after a power failure.

use super::log::{Append, Extent, Log};
use crate::volume::backing_store::MEMS;
use crate::volume::FindNote;

/// First words of notes, which distinguish the kinds of notes.
const APPEND: u64 = 0x5bed_106a_bbed_0001;
const TAIL: u64 = 0x5bed_106a_bbed_0002;
/// Number of bits of a word that hold the number of sectors of an extent.
const SECTORS_BITS: u32 = 20;
/// Largest number of sectors of an extent.
pub(super) const MOST_SECTORS: u64 = (1 << SECTORS_BITS) - 1;

/// The note behind the data of an append at position `start`, with a checksum of these data; `before` is the
/// end of the append before.
pub(super) fn append_note(start: u64, before: u64, extents: &[Extent]) -> Vec<u64> {
    let words = extents.iter().map(|extent| extent.sector << SECTORS_BITS | u64::from(extent.sectors));
    [APPEND, start, before].into_iter().chain(words).collect()
}

/// The note in the sector before the ring: the position of the tail, and the position `stored`, before which
/// all appends are complete.
pub(super) fn tail_note(tail: u64, stored: u64) -> Vec<u64> {
    vec![TAIL, tail, stored]
}

/// Content of the note of an append that was found.
struct Found {
    append: Append,
    extents: Vec<Extent>,
    before: u64,
}

/// Finds the log after a power failure. The newest append is the last whose note has the checksum of its
/// data, unless the note with the tail confirms a newer append: a write past the log may have overwritten
/// data of that append, so that its checksum is wrong. Each append was sent when the append before was on the
/// MEMS device; its note holds the end of the append before.
///
/// The note with the tail is written in place, so that a power failure may destroy it. Then the log goes back
/// from the newest append as far as the ring has room, so that some appends that were given up may be found
/// again.
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

    /// Returns a log with a ring of 20 sectors from sector 1 on, as found after `appends` appends of 4
    /// sectors with their notes. The first append is clean and given up, the appends `broken` have a wrong
    /// checksum, and `tail` is the tail in its note, if any.
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
