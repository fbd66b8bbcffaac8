//! Positions of requests: metadata requests lie in metadata areas, data requests between them, and some
//! requests continue where the previous one ended.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::kinds::FRAGMENT_SECTORS;
use crate::error::Result;
use crate::options::{OptionRow, Options};

/// Option for the distance between metadata areas.
pub(super) const PERIOD: OptionRow = OptionRow::whole(
    "period_blocks",
    "4352",
    [2 * BLOCK_SECTORS, u64::MAX],
    "distance from one metadata area to the next", // 2176 KiB: 003-F6, D4
)
.unit("blocks");
/// Option for the size of a metadata area.
pub(super) const AREA: OptionRow = OptionRow::whole(
    "area_blocks",
    "256",
    [BLOCK_SECTORS, u64::MAX],
    "size of each metadata area; data are stored between the areas", // 128 KiB: 003-F6, D4
)
.unit("blocks");

/// Number of sectors of the largest request. Every metadata area, and every space between two
/// areas, must be large enough for such a request.
const BLOCK_SECTORS: u64 = 16;

/// Draws the positions of requests in order of arrival.
pub(super) struct Places {
    periods: u64,
    period: u64,
    area: u64,
    /// The sector behind the previous request; `None` before the first.
    end: Option<u64>,
    /// Number of requests that still have to start where the previous one ended.
    to_go_on: u64,
    /// Number of remaining requests that may start where the previous one ended.
    chances: u64,
}

impl Places {
    /// Prepares positions on a device of `capacity` sectors. `chances` requests may start where the
    /// previous one ended, and `to_go_on` of them do.
    ///
    /// # Errors The distance between metadata areas is too short for metadata and data, or longer
    /// than the device.
    pub fn new(options: &Options, capacity: u64, to_go_on: u64, chances: u64) -> Result<Self> {
        let period = options.whole_within(PERIOD.name, 2 * BLOCK_SECTORS, capacity)?;
        let area = options.whole_within(AREA.name, BLOCK_SECTORS, period - BLOCK_SECTORS)?;
        Ok(Self { periods: capacity / period, period, area, end: None, to_go_on, chances })
    }

    /// Draws the first sector of the next request.
    ///
    /// Exactly the required number of requests start where the previous one ended, because this
    /// choice is a draw without replacement.
    pub fn next(&mut self, rng: &mut Pcg64, metadata: bool, sectors: u64, may_go_on: bool) -> u64 {
        let elsewhere = self.anywhere(rng, metadata, sectors);
        let goes_on = rng.random_range(0..self.chances.max(1)) < self.to_go_on;
        let next = self.end.filter(|end| may_go_on && goes_on && self.fits(*end, metadata, sectors));
        let lbn = next.unwrap_or(elsewhere);
        self.chances -= u64::from(may_go_on);
        // A request that continues by chance counts, too.
        self.to_go_on -= u64::from(self.end == Some(lbn) && self.to_go_on > 0);
        self.end = Some(lbn + sectors);
        lbn
    }

    fn anywhere(&self, rng: &mut Pcg64, metadata: bool, sectors: u64) -> u64 {
        let stretch = self.stretch(metadata);
        let period = rng.random_range(0..self.periods);
        let fragment = rng.random_range(0..=(stretch.end - stretch.start - sectors) / FRAGMENT_SECTORS);
        period * self.period + stretch.start + fragment * FRAGMENT_SECTORS
    }

    fn fits(&self, lbn: u64, metadata: bool, sectors: u64) -> bool {
        let (stretch, offset) = (self.stretch(metadata), lbn % self.period);
        stretch.contains(&offset) && offset + sectors <= stretch.end
    }

    /// The sectors that hold metadata (if `metadata` is true) or data, counted from the start of a
    /// period, which is a metadata area and the space behind it.
    fn stretch(&self, metadata: bool) -> std::ops::Range<u64> {
        if metadata {
            0..self.area
        } else {
            self.area..self.period
        }
    }
}
