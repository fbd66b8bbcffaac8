//! Data of sectors in flight, and buffers in the memory of volumes.

use std::collections::BTreeSet;

use crate::store::SECTOR_BYTES;

const BYTES: usize = SECTOR_BYTES as usize;

/// Data of consecutive sectors. Data that are computed from an unreadable sector are unreadable, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sectors {
    pub bytes: Vec<u8>,
    /// Numbers of the unreadable sectors, counted from the first sector of these data.
    pub lost: BTreeSet<u64>,
}

impl Sectors {
    pub fn zeros(sectors: u64) -> Self {
        Self::of(vec![0; (sectors * SECTOR_BYTES) as usize])
    }

    pub fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, lost: BTreeSet::new() }
    }

    /// Return `sectors` sectors, beginning with sector `sector`.
    pub fn part(&self, sector: u64, sectors: u64) -> Self {
        let bytes = self.bytes[sector as usize * BYTES..][..sectors as usize * BYTES].to_vec();
        let lost = self.lost.range(sector..sector + sectors).map(|lost| lost - sector).collect();
        Self { bytes, lost }
    }
}

/// The buffer of a job of a volume. It grows as needed, and has zeros where no data were put.
#[derive(Debug, Default)]
pub(super) struct Buffer(Sectors);

impl Buffer {
    /// Return `sectors` sectors of the buffer, beginning with sector `sector`.
    pub fn take(&mut self, sector: u64, sectors: u64) -> Sectors {
        self.room(sector, sectors as usize * BYTES);
        self.0.part(sector, sectors)
    }

    /// Copy the data `all` into the buffer, beginning at sector `sector` of the buffer.
    pub fn put(&mut self, sector: u64, all: &Sectors) {
        self.room(sector, all.bytes.len()).copy_from_slice(&all.bytes);
        let sectors = all.bytes.len() as u64 / SECTOR_BYTES;
        self.0.lost.retain(|lost| !(sector..sector + sectors).contains(lost));
        self.0.lost.extend(all.lost.iter().map(|lost| sector + lost));
    }

    /// Combine the data `all` with the contents of the buffer, beginning at sector `sector`, by exclusive or
    /// (XOR).
    pub fn xor(&mut self, sector: u64, all: &Sectors) {
        let into = self.room(sector, all.bytes.len());
        into.iter_mut().zip(&all.bytes).for_each(|(to, byte)| *to ^= byte);
        self.0.lost.extend(all.lost.iter().map(|lost| sector + lost));
    }

    fn room(&mut self, sector: u64, bytes: usize) -> &mut [u8] {
        let start = sector as usize * BYTES;
        let all = &mut self.0.bytes;
        if all.len() < start + bytes {
            all.resize(start + bytes, 0);
        }
        &mut all[start..start + bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_stays_lost_until_it_is_written() {
        let mut buffer = Buffer::default();
        let lost = Sectors { bytes: vec![1; 2 * BYTES], lost: BTreeSet::from([1]) };
        buffer.put(3, &lost);
        assert_eq!(buffer.take(2, 3).lost, BTreeSet::from([2]));
        buffer.xor(2, &Sectors { bytes: vec![3; 3 * BYTES], lost: BTreeSet::from([0]) });
        let found = buffer.take(2, 3);
        assert_eq!(found.lost, BTreeSet::from([0, 2]));
        assert_eq!(found.bytes.chunks(BYTES).map(|sector| sector[0]).collect::<Vec<_>>(), [3, 2, 2]);
        buffer.put(2, &Sectors::zeros(3));
        assert_eq!(buffer.take(0, 6), Sectors::zeros(6));
    }
}
