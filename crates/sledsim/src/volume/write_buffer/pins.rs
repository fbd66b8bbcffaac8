//! Pins: parts of the log that are being read or overwritten and must not be reused meanwhile.

use crate::request::Op;

/// Number of sectors of a region of the log; a pin covers all regions that it touches.
const REGION: u64 = 64;

/// Numbers of reads and of writes in flight to each region of the log.
#[derive(Clone, Debug, Default)]
pub(super) struct Pins {
    readers: Vec<u32>,
    writers: Vec<u32>,
}

impl Pins {
    /// Creates a set without pins for a ring of `sectors` sectors.
    pub fn new(sectors: u64) -> Self {
        let regions = vec![0; sectors.div_ceil(REGION) as usize];
        Self { readers: regions.clone(), writers: regions }
    }

    /// Counts a read of `sectors` sectors from `place` on, or a write over them, that starts.
    pub fn begin(&mut self, op: Op, place: u64, sectors: u64) {
        self.counts(op, place, sectors).iter_mut().for_each(|count| *count += 1);
    }

    /// Counts a read of `sectors` sectors from `place` on, or a write over them, that ends.
    pub fn end(&mut self, op: Op, place: u64, sectors: u64) {
        self.counts(op, place, sectors).iter_mut().for_each(|count| *count -= 1);
    }

    fn counts(&mut self, op: Op, place: u64, sectors: u64) -> &mut [u32] {
        let counts = if op == Op::Read { &mut self.readers } else { &mut self.writers };
        &mut counts[regions(place, sectors)]
    }

    /// True if a region with any of these sectors is being overwritten.
    pub fn are_written(&self, place: u64, sectors: u64) -> bool {
        self.writers[regions(place, sectors)].iter().any(|count| *count > 0)
    }

    /// True if a region with any of these sectors is being read or overwritten.
    pub fn are_used(&self, place: u64, sectors: u64) -> bool {
        self.are_written(place, sectors)
            || self.readers[regions(place, sectors)].iter().any(|count| *count > 0)
    }
}

fn regions(place: u64, sectors: u64) -> std::ops::Range<usize> {
    (place / REGION) as usize..(place + sectors).div_ceil(REGION) as usize
}
