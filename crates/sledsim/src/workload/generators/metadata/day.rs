//! Published figures of the two days that the generator `metadata` can imitate.

use super::super::arrival_options::LATEST_S;
use super::super::draws::{count, COUNT_MAX};
use crate::error::Result;
use crate::options::{OptionRow, Options};

/// Word that the user writes to request the imitated day's own value of an option.
const OWN: &str = "day";
/// Length of a day in seconds.
const DAY_S: f64 = 86_400.0;

/// Option for the mean arrival rate.
pub(super) const RATE: OptionRow = OptionRow::number(
    "rate",
    OWN,
    [0.0, f64::INFINITY],
    "mean arrival rate; day: rate of the imitated day; another rate stretches or compresses all times", // 003-F7
)
.unit("1/s")
.above()
.or(OWN);
/// Option for the total number of requests.
pub(super) const COUNT: OptionRow =
    OptionRow::whole("count", OWN, [1, COUNT_MAX], "number of requests; day: as many as on the imitated day")
        .unit("requests")
        .or(OWN);
/// Option that selects the day to imitate.
pub(super) const WHICH: OptionRow = OptionRow::one_of(
    "day",
    &["1999-01-13", "1999-01-14"],
    "published day to imitate: 1999-01-13 (busy) or 1999-01-14 (mostly writes)",
);

/// Option for the burstiness of metadata requests.
pub(super) const METADATA: OptionRow = OptionRow::number(
    "metadata_below_10_ms",
    "0.25",
    [METADATA_BELOW_1_MS, 1.0],
    "fraction of the gaps between metadata requests that are shorter than 10 ms (the fraction shorter than 1 ms is always 0.15); 1: metadata requests come only in sessions and flushes", // 003-F7
);
/// Share of the gaps between metadata requests that are shorter than 1 ms. Paper 003 gives this
/// share only for the first day; the generator uses it for both days.
const METADATA_BELOW_1_MS: f64 = 0.15;

/// Figures that the requests of a day should have.
#[derive(Clone, Copy)]
pub(super) struct Day {
    pub requests: u64,
    pub writes: u64,
    pub metadata: u64,
    pub metadata_writes: u64,
    /// Share of the requests that start where the previous request ended.
    pub sequentiality: f64,
    /// Share of the inter-arrival times of all requests that are shorter than 10 ms.
    pub below_10_ms: f64,
    /// Share of the gaps between metadata requests that are shorter than 1 ms.
    pub metadata_below_1_ms: f64,
    /// Share of the gaps between metadata requests that are shorter than 10 ms, set by an option.
    /// In 003, metadata requests are less bursty than reads and writes.
    pub metadata_below_10_ms: f64,
    /// Time in s over which the day's requests are spread.
    pub span_s: f64,
}

/// The days that [`WHICH`] selects. Their figures are those of Table 2 of 003, and the points of
/// Figure 3 that the text of the paper gives.
const DAYS: &[Day] = &[
    Day {
        requests: 353_914,
        writes: 161_531,
        metadata: 21_756,
        metadata_writes: 12_612,
        sequentiality: 0.155,
        below_10_ms: 0.788,
        metadata_below_1_ms: METADATA_BELOW_1_MS,
        metadata_below_10_ms: 1.0,
        span_s: DAY_S,
    },
    Day {
        requests: 41_963,
        writes: 31_997,
        metadata: 11_012,
        metadata_writes: 9_927,
        sequentiality: 0.174,
        below_10_ms: 0.529,
        metadata_below_1_ms: METADATA_BELOW_1_MS,
        metadata_below_10_ms: 1.0,
        span_s: DAY_S,
    },
];

impl Day {
    /// Returns the figures of the day that the options select, with the requested number of
    /// requests and the arrival rate of the day.
    ///
    /// # Errors The day is unknown, or the number of requests is not possible.
    pub fn new(options: &Options) -> Result<Self> {
        let metadata_below_10_ms = options.number(METADATA.name)?;
        let day = Self { metadata_below_10_ms, ..options.one_of(WHICH.name, DAYS)? };
        if options.is_default(COUNT.name) {
            return Ok(day);
        }
        let requests = count(options)? as u64;
        let part = requests as f64 / day.requests as f64;
        let of = |all: u64| (all as f64 * part).round() as u64;
        let (writes, metadata) = (of(day.writes), of(day.metadata));
        // Rounding must not make more writes of metadata than writes, nor more reads of it than reads.
        let least = (writes + metadata).saturating_sub(requests);
        let metadata_writes = of(day.metadata_writes).clamp(least, writes.min(metadata));
        Ok(Self { requests, writes, metadata, metadata_writes, span_s: DAY_S * part, ..day })
    }

    /// Number of requests that start where the previous request ended.
    pub fn sequential(&self) -> u64 {
        (self.sequentiality * self.requests as f64).round() as u64
    }

    /// Share of reads among the metadata requests.
    pub fn metadata_reads(&self) -> f64 {
        1.0 - self.metadata_writes as f64 / self.metadata.max(1) as f64
    }

    /// Factor by which times are compressed to reach the requested arrival rate.
    ///
    /// # Errors The rate is not positive, or so low that requests arrive after more than a century.
    pub fn pace(&self, options: &Options) -> Result<f64> {
        if options.is_default(RATE.name) {
            return Ok(1.0);
        }
        let pace = options.number(RATE.name)? * self.span_s / self.requests as f64;
        if self.span_s / pace >= LATEST_S {
            return Err(options
                .fault(RATE.name, &format!("a rate at which all requests arrive within {LATEST_S:e} s")));
        }
        Ok(pace)
    }
}
