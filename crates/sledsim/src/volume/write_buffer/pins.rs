//! Which stretches of the log are being read or overwritten, so that they are not given to others meanwhile.

/// Sectors of a region; a pin holds the regions that it touches.
const REGION: u64 = 64;

/// Requests on their way to places in the log.
#[derive(Debug)]
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

    /// A read of these places sets off.
    pub fn read(&mut self, place: u64, sectors: u64) {
        self.readers[regions(place, sectors)].iter_mut().for_each(|count| *count += 1);
    }

    /// A read of these places is done.
    pub fn read_done(&mut self, place: u64, sectors: u64) {
        self.readers[regions(place, sectors)].iter_mut().for_each(|count| *count -= 1);
    }

    /// A write over these places sets off.
    pub fn write(&mut self, place: u64, sectors: u64) {
        self.writers[regions(place, sectors)].iter_mut().for_each(|count| *count += 1);
    }

    /// A write over these places is done.
    pub fn write_done(&mut self, place: u64, sectors: u64) {
        self.writers[regions(place, sectors)].iter_mut().for_each(|count| *count -= 1);
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
