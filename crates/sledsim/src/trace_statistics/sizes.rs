//! Statistics of the sizes of requests.

use serde::Serialize;

use super::log_histogram::{Bucket, LogHistogram};
use super::units::SECTOR_BYTES;

/// Largest size in sectors (1 MiB) that has its own count; larger sizes go into a logarithmic
/// histogram.
const EXACT_SECTORS: usize = 2048;

/// Counts of requests by size.
#[derive(Debug, Clone, Default)]
pub(super) struct Sizes {
    /// Number of requests of each size in sectors; the length of the vector is a power of two above
    /// the largest size.
    exact: Vec<u64>,
    larger: LogHistogram,
    count: u64,
    sectors: u64,
    max: u64,
}

/// Statistics of the sizes of requests in bytes; NaN without requests.
#[derive(Debug, Clone, Serialize)]
pub struct SizeFigures {
    /// Number of requests.
    pub count: u64,
    /// Mean size in bytes, exact.
    pub mean_bytes: f64,
    /// Median size in bytes: exact up to 1 MiB, within 1.6 % above.
    pub median_bytes: f64,
    /// Largest size in bytes, exact.
    pub max_bytes: u64,
    /// Numbers of requests by size in bytes: each size up to 1 MiB has its own bucket; larger sizes are in
    /// buckets whose width is at most 1/32 of the size.
    pub buckets_bytes: Vec<Bucket>,
}

impl Sizes {
    /// Counts a request of `sectors` sectors.
    #[inline]
    pub fn add(&mut self, sectors: u64) {
        self.count += 1;
        self.sectors += sectors;
        self.max = self.max.max(sectors);
        let size = sectors as usize;
        if size > EXACT_SECTORS {
            self.larger.add(sectors);
            return;
        }
        if size >= self.exact.len() {
            self.exact.resize((size + 1).next_power_of_two().min(EXACT_SECTORS + 1), 0);
        }
        self.exact[size] += 1;
    }

    /// Adds the counts of `other` to these.
    pub fn merge(&mut self, other: &Self) {
        if other.exact.len() > self.exact.len() {
            self.exact.resize(other.exact.len(), 0);
        }
        self.exact.iter_mut().zip(&other.exact).for_each(|(mine, theirs)| *mine += theirs);
        self.larger.merge(&other.larger);
        self.count += other.count;
        self.sectors += other.sectors;
        self.max = self.max.max(other.max);
    }

    /// Memory of the counts on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.exact[..]) + self.larger.bytes()
    }

    pub fn figures(&self) -> SizeFigures {
        let exact = self.exact.iter().enumerate().filter(|(_, count)| **count > 0).map(|(size, count)| {
            let bytes = size as u64 * SECTOR_BYTES;
            Bucket { low: bytes, high: bytes, count: *count }
        });
        let larger = self.larger.buckets().map(|bucket| Bucket {
            low: bucket.low * SECTOR_BYTES,
            high: bucket.high * SECTOR_BYTES,
            count: bucket.count,
        });
        let buckets_bytes: Vec<Bucket> = exact.chain(larger).collect();
        SizeFigures {
            count: self.count,
            mean_bytes: self.sectors as f64 / self.count as f64 * SECTOR_BYTES as f64,
            median_bytes: median(&buckets_bytes, self.count),
            max_bytes: self.max * SECTOR_BYTES,
            buckets_bytes,
        }
    }
}

/// Median of `count` values in `buckets`: the middle of the bucket that holds the median.
fn median(buckets: &[Bucket], count: u64) -> f64 {
    let mut below = 0;
    let middle = buckets.iter().find(|bucket| {
        below += bucket.count;
        below >= count.div_ceil(2)
    });
    middle.map_or(f64::NAN, |bucket| (bucket.low + bucket.high) as f64 / 2.0)
}
