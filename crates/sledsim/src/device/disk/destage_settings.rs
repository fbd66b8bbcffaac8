//! Settings of the destage of a drive, converted from the parameters.

use super::mechanics::span;
use crate::params::{Destage, DestageOrder, DiskParams};
use crate::time::Span;

/// Fraction of the cache up to which data wait, unless the parameters give another.
const WATERMARK: f64 = 0.5;

/// Settings of the destage of a drive that does not write at once.
#[derive(Clone, Copy, Debug)]
pub struct DestageSettings {
    pub rule: Destage,
    pub order: DestageOrder,
    pub after: Span,
    /// Number of dirty blocks above which the rule `watermark` writes.
    pub mark: u64,
    /// Maximum number of dirty blocks.
    pub room: u64,
}

impl DestageSettings {
    /// Settings from the parameters; `None` if the drive writes at once or does not complete writes in its cache.
    pub fn new(p: &DiskParams) -> Option<Self> {
        let rule = p.destage.filter(|rule| *rule != Destage::AtOnce && p.writes_back())?;
        let room = p.write_cache_blocks.unwrap_or(p.segment_blocks);
        Some(Self {
            rule,
            order: p.destage_order.unwrap_or(DestageOrder::Nearest),
            after: span(p.destage_after_ms.unwrap_or(0.0)),
            // 0.29 of 100 blocks are 29, although the product is a little less.
            mark: (p.destage_watermark.unwrap_or(WATERMARK) * room as f64 + 1e-6) as u64,
            room,
        })
    }
}
