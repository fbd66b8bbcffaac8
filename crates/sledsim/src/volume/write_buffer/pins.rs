//! Pins on the log: they mark places that are being read or overwritten and must not be reused meanwhile.

use crate::request::Op;

/// Number of sectors of a region of the log. A pin counts in all regions that it touches.
const REGION: u64 = 64;

/// Numbers of reads and of writes in flight that touch each region of the log.
#[derive(Clone, Debug, Default)]
pub(super) struct Pins {
    readers: Vec<u32>,
    writers: Vec<u32>,
}

impl Pins {
    /// Creates the regions of a ring of `sectors` sectors, without pins.
    pub fn new(sectors: u64) -> Self {
        let regions = vec![0; sectors.div_ceil(REGION) as usize];
        Self { readers: regions.clone(), writers: regions }
    }

    /// Records that a read or write of `sectors` sectors from the place `place` on starts.
    pub fn begin(&mut self, op: Op, place: u64, sectors: u64) {
        self.counts(op, place, sectors).iter_mut().for_each(|count| *count += 1);
    }

    /// Records that a read or write of `sectors` sectors from the place `place` on has ended.
    pub fn end(&mut self, op: Op, place: u64, sectors: u64) {
        self.counts(op, place, sectors).iter_mut().for_each(|count| *count -= 1);
    }

    fn counts(&mut self, op: Op, place: u64, sectors: u64) -> &mut [u32] {
        let counts = if op == Op::Read { &mut self.readers } else { &mut self.writers };
        &mut counts[regions(place, sectors)]
    }

    /// True if any region that these sectors touch is being overwritten.
    pub fn are_written(&self, place: u64, sectors: u64) -> bool {
        self.writers[regions(place, sectors)].iter().any(|count| *count > 0)
    }

    /// True if any region that these sectors touch is being read or overwritten.
    pub fn are_used(&self, place: u64, sectors: u64) -> bool {
        self.are_written(place, sectors)
            || self.readers[regions(place, sectors)].iter().any(|count| *count > 0)
    }
}

fn regions(place: u64, sectors: u64) -> std::ops::Range<usize> {
    (place / REGION) as usize..(place + sectors).div_ceil(REGION) as usize
}
