//! The undo log of unflushed writes. It stores the contents that these writes replaced, so that a power failure
//! can restore them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::ops::Range;

use crate::store::range::{is_zero, parts, within};
use crate::store::{Store, SECTOR_BYTES};

/// Number of sectors in a chunk, one for each bit of a mask. A chunk is an aligned block of the store. The log
/// divides each write into pieces that lie within one chunk.
const CHUNK_SECTORS: u64 = u128::BITS as u64;
const CHUNK_BYTES: u64 = CHUNK_SECTORS * SECTOR_BYTES;
/// Approximate memory in bytes that a piece takes, without the replaced contents.
const PIECE_BYTES: u64 = 128;

/// The undo log: the contents that unflushed writes replaced, in pieces. Undoing restores the newest piece of a
/// chunk first.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// Pieces, by number of the chunk and number of the write.
    pieces: BTreeMap<(u64, u64), Piece>,
    /// Chunk and write of each piece, as number of the write and number of the chunk, the oldest write first.
    /// The list may contain pieces that were already removed from `pieces`.
    order: VecDeque<(u64, u64)>,
    held: u64,
    /// Number of bytes that can be restored. A byte that several unflushed writes replaced counts once for each
    /// of them.
    live: u64,
}

#[derive(Clone, Debug)]
struct Piece {
    /// Number of the first replaced sector, counted from the start of the chunk.
    first: usize,
    /// Mask of the sectors of the chunk whose former contents can be restored.
    live: u128,
    /// The replaced contents, from the sector `first` on.
    old: Old,
}

#[derive(Clone, Debug)]
enum Old {
    Zeros,
    Bytes(Box<[u8]>),
}

impl Piece {
    fn held(&self) -> u64 {
        PIECE_BYTES
            + match &self.old {
                Old::Zeros => 0,
                Old::Bytes(bytes) => bytes.len() as u64,
            }
    }

    fn live(&self) -> u64 {
        u64::from(self.live.count_ones()) * SECTOR_BYTES
    }
}

impl Log {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// Save the contents of `range`, which the write `number` of whole sectors is about to replace.
    pub(super) fn remember(&mut self, number: u64, range: Range<u64>, store: &impl Store) -> io::Result<()> {
        for (chunk, part) in parts(range, CHUNK_BYTES) {
            let old = old(chunk, &part, store)?;
            self.add(number, chunk, &part, old);
        }
        Ok(())
    }

    /// Save the contents of `range`, which the write `number` is about to replace by zeros. Chunks that contain
    /// only zeros, and for which nothing is saved, are skipped. A range of terabytes therefore takes little
    /// time.
    pub(super) fn remember_zeroed(
        &mut self,
        number: u64,
        range: Range<u64>,
        store: &impl Store,
    ) -> io::Result<()> {
        let touched = range.start / CHUNK_BYTES..range.end.div_ceil(CHUNK_BYTES);
        let unflushed = self.pieces.range((touched.start, 0)..(touched.end, 0));
        let mut chunks: BTreeSet<u64> = unflushed.map(|(&(chunk, _), _)| chunk).collect();
        let mut at = range.start;
        while let Some(data) = store.next_data(at..range.end)? {
            chunks.extend(data.start / CHUNK_BYTES..data.end.div_ceil(CHUNK_BYTES));
            at = data.end;
        }
        for chunk in chunks {
            let start = chunk * CHUNK_BYTES;
            let part = (range.start.max(start) - start) as usize
                ..(range.end.min(start + CHUNK_BYTES) - start) as usize;
            let old = old(chunk, &part, store)?;
            let may_come_back = self.pieces.range((chunk, 0)..(chunk + 1, 0)).next().is_some();
            if may_come_back || matches!(old, Old::Bytes(_)) {
                self.add(number, chunk, &part, old);
            }
        }
        Ok(())
    }

    fn add(&mut self, number: u64, chunk: u64, part: &Range<usize>, old: Old) {
        let piece = Piece { first: part.start / SECTOR_BYTES as usize, live: mask(part), old };
        self.held += piece.held();
        self.live += piece.live();
        self.pieces.insert((chunk, number), piece);
        self.order.push_back((number, chunk));
    }

    fn remove(&mut self, chunk: u64, number: u64) {
        if let Some(piece) = self.pieces.remove(&(chunk, number)) {
            self.held -= piece.held();
            self.live -= piece.live();
        }
    }

    /// Remove the saved contents of the sectors in `range`, so that a power failure no longer restores these
    /// sectors.
    pub(super) fn forget(&mut self, range: &Range<u64>) {
        let touched = range.start / CHUNK_BYTES..range.end.div_ceil(CHUNK_BYTES);
        let mut gone = Vec::new();
        for (&(chunk, number), piece) in self.pieces.range_mut((touched.start, 0)..(touched.end, 0)) {
            let start = chunk * CHUNK_BYTES;
            let from = range.start.max(start) - start;
            let to = range.end.min(start + CHUNK_BYTES) - start;
            self.live -= piece.live();
            piece.live &= !mask(&(from as usize..to as usize));
            self.live += piece.live();
            if piece.live == 0 {
                gone.push((chunk, number));
            }
        }
        for (chunk, number) in gone {
            self.remove(chunk, number);
        }
        // Remove forgotten pieces from the order, which would otherwise grow if no flush comes.
        if self.order.len() > 2 * self.pieces.len() + 1024 {
            self.order.retain(|&(number, chunk)| self.pieces.contains_key(&(chunk, number)));
        }
    }

    /// Remove the saved contents that writes with numbers lower than `below` replaced, because these writes are
    /// durable.
    pub(super) fn flush(&mut self, below: u64) {
        while let Some(&(number, chunk)) = self.order.front() {
            if number >= below {
                return;
            }
            self.order.pop_front();
            self.remove(chunk, number);
        }
    }

    /// Remove the saved contents of the oldest writes until at most `most_bytes` bytes can be restored.
    pub(super) fn settle(&mut self, most_bytes: u64) {
        while self.live > most_bytes {
            let Some(&(number, _)) = self.order.front() else { return };
            self.flush(number + 1);
        }
    }

    /// Iterate over the unflushed writes of each sector: the number of a write whose replaced contents can be
    /// restored, and the sector.
    pub(super) fn sectors(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.pieces.iter().flat_map(|(&(chunk, number), piece)| {
            bits(piece.live).map(move |bit| (number, chunk * CHUNK_SECTORS + bit as u64))
        })
    }

    /// Undo unflushed writes from the newest to the oldest, and clear the log. `keeps(number, sector)` returns
    /// true if the data of this write are on the medium in this sector. The sector then keeps these data.
    /// Otherwise, it gets its former contents, and the next older write to it is undone or kept in the same
    /// way.
    pub(super) fn undo(
        &mut self,
        store: &mut impl Store,
        keeps: impl Fn(u64, u64) -> bool,
    ) -> io::Result<()> {
        self.order.clear();
        (self.held, self.live) = (0, 0);
        let (mut chunk_before, mut final_sectors) = (None, 0);
        for ((chunk, number), piece) in std::mem::take(&mut self.pieces).into_iter().rev() {
            if chunk_before != Some(chunk) {
                (chunk_before, final_sectors) = (Some(chunk), 0);
            }
            let mut lost = 0;
            for bit in bits(piece.live & !final_sectors) {
                let kept = keeps(number, chunk * CHUNK_SECTORS + bit as u64);
                *(if kept { &mut final_sectors } else { &mut lost }) |= 1 << bit;
            }
            put_back(chunk, &piece, lost, store)?;
        }
        Ok(())
    }
}

/// Return the current contents of the range `part` of bytes within the chunk with number `chunk`.
fn old(chunk: u64, part: &Range<usize>, store: &impl Store) -> io::Result<Old> {
    let mut bytes = vec![0; part.len()];
    store.read(chunk * CHUNK_BYTES + part.start as u64, &mut bytes)?;
    Ok(if is_zero(&bytes) { Old::Zeros } else { Old::Bytes(bytes.into()) })
}

/// Restore the contents that `piece` replaced, in the sectors of the mask `sectors`.
fn put_back(chunk: u64, piece: &Piece, mut sectors: u128, store: &mut impl Store) -> io::Result<()> {
    let sector = SECTOR_BYTES as usize;
    while sectors != 0 {
        let first = sectors.trailing_zeros() as usize;
        let count = (sectors >> first).trailing_ones() as usize;
        sectors &= !mask(&(first * sector..(first + count) * sector));
        let offset = chunk * CHUNK_BYTES + (first * sector) as u64;
        match &piece.old {
            Old::Zeros => {
                let range = within(offset, (count * sector) as u64, store.bytes())?;
                store.zero(range.start, range.end - range.start)?;
            }
            Old::Bytes(bytes) => {
                let from = (first - piece.first) * sector;
                store.write(offset, &bytes[from..from + count * sector])?;
            }
        }
    }
    Ok(())
}

/// Return the mask of the sectors in `part`, a range of bytes of a chunk that is not empty.
fn mask(part: &Range<usize>) -> u128 {
    let sector = SECTOR_BYTES as usize;
    let (first, count) = (part.start / sector, part.len() / sector);
    u128::MAX >> (CHUNK_SECTORS as usize - count) << first
}

/// Return the numbers of the set bits of a mask in ascending order.
fn bits(mut mask: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.checked_sub(1)?;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Memory;

    #[test]
    fn what_was_written_through_leaves_no_trail() {
        let (mut log, mut store) = (Log::default(), Memory::new(1 << 20));
        store.write(0, &[1; 8192]).unwrap();
        log.remember(0, 4096..8192, &store).unwrap();
        for number in 1..10_000 {
            log.remember(number, 0..4096, &store).unwrap();
            log.forget(&(0..4096));
        }
        assert!(log.order.len() < 1100, "{}", log.order.len());
        assert_eq!(log.held(), 4096 + PIECE_BYTES);
        assert_eq!(log.live, 4096);
        log.flush(1);
        assert!(log.is_empty() && log.held() == 0 && log.live == 0);
    }

    #[test]
    fn masks_have_the_sectors_of_a_part() {
        assert_eq!(mask(&(0..CHUNK_BYTES as usize)), u128::MAX);
        assert_eq!(mask(&(512..1536)), 0b110);
        assert_eq!(mask(&(65_024..65_536)), 1 << 127);
        assert_eq!(bits(1 << 127 | 0b110).collect::<Vec<_>>(), [1, 2, 127]);
        assert_eq!(bits(0).count(), 0);
    }
}
