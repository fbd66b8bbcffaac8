//! The rule that distinguishes requests for metadata from other requests.

use std::ops::RangeInclusive;

use crate::error::Result;
use crate::options::Options;
use crate::volume::VolumeRequest;

/// Description of a valid value of the option `metadata_sectors`, for messages.
pub(super) const RANGES: &str = "ranges of sectors such as 0-2047+8192-10239";

/// The rule that distinguishes requests for metadata from other requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The flag in the trace marks requests for metadata.
    Flag,
    /// Requests for metadata start in one of these ranges of sectors.
    Sectors(Vec<RangeInclusive<u64>>),
}

impl Rule {
    /// Reads the rule from the options `metadata_from` and `metadata_sectors`.
    ///
    /// # Errors The ranges are malformed; or they are given with metadata_from=flag, or missing with
    /// metadata_from=rule.
    pub fn read(options: &Options) -> Result<Self> {
        let by_rule = options.is("metadata_from", "rule")?;
        let is_given = !options.is_default("metadata_sectors");
        match (by_rule, is_given) {
            (false, false) => return Ok(Self::Flag),
            (false, true) => {
                return Err(options.fault("metadata_from", "rule, because metadata_sectors is given"))
            }
            (true, false) => return Err(options.fault("metadata_sectors", RANGES)),
            (true, true) => (),
        }
        let range = |text: &str| {
            let (first, last) = text.split_once('-')?;
            let range = first.parse().ok()?..=last.parse().ok()?;
            (!range.is_empty()).then_some(range)
        };
        let ranges: Option<Vec<_>> = options.text("metadata_sectors").split('+').map(range).collect();
        let mut ranges = ranges.ok_or_else(|| options.fault("metadata_sectors", RANGES))?;
        ranges.sort_unstable_by_key(|range| *range.start());
        Ok(Self::Sectors(ranges))
    }

    /// True if a request is for metadata by this rule.
    pub fn holds(&self, request: &VolumeRequest) -> bool {
        match self {
            Self::Flag => request.metadata,
            Self::Sectors(ranges) => {
                // Ranges may overlap, so that an earlier range may contain the sector when the last range
                // that begins before it does not.
                let begun = ranges.partition_point(|range| *range.start() <= request.sector);
                ranges[..begun].iter().rev().any(|range| range.contains(&request.sector))
            }
        }
    }
}
