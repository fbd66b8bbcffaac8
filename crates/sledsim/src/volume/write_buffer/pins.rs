//! Which stretches of the log are being read or overwritten, so that they are not given to others meanwhile.

use crate::request::Op;

/// Sectors of a region; a pin holds the regions that it touches.
const REGION: u64 = 64;

/// Requests on their way to places in the log: of each region how many there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Pins {
    readers: Vec<u32>,
    writers: Vec<u32>,
}

impl Pins {
    /// None yet, in a ring of that many sectors.
    pub fn new(sectors: u64) -> Self {
        let regions = vec![0; sectors.div_ceil(REGION) as usize];
        Self { readers: regions.clone(), writers: regions }
    }

    /// A read of these places, or a write over them, sets off.
    pub fn begin(&mut self, op: Op, place: u64, sectors: u64) {
        self.counts(op, place, sectors).iter_mut().for_each(|count| *count += 1);
    }

    /// It is done.
    pub fn end(&mut self, op: Op, place: u64, sectors: u64) {
        self.counts(op, place, sectors).iter_mut().for_each(|count| *count -= 1);
    }

    fn counts(&mut self, op: Op, place: u64, sectors: u64) -> &mut [u32] {
        let counts = if op == Op::Read { &mut self.readers } else { &mut self.writers };
        &mut counts[regions(place, sectors)]
    }

    /// Whether something near these places is being overwritten.
    pub fn are_written(&self, place: u64, sectors: u64) -> bool {
        self.writers[regions(place, sectors)].iter().any(|count| *count > 0)
    }

    /// Whether something near these places is being read or overwritten.
    pub fn are_used(&self, place: u64, sectors: u64) -> bool {
        self.are_written(place, sectors)
            || self.readers[regions(place, sectors)].iter().any(|count| *count > 0)
    }
}

fn regions(place: u64, sectors: u64) -> std::ops::Range<usize> {
    (place / REGION) as usize..(place + sectors).div_ceil(REGION) as usize
}
