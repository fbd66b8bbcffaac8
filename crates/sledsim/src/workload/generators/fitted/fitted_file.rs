//! The file of a fitted workload: whole numbers in tables.

use serde::{Deserialize, Serialize};

use super::address_motion::{MOTIONS, NEAR_BLOCKS};
use super::cascade::{Cascade, Intervals};
use super::frequencies::Quantiles;
use super::paces::PACES;
use super::sizes::Sizes;
use crate::error::{ensure, Error, Result};
use crate::input::from_toml;

/// Number of powers of two that a first block may be a multiple of: 1 to 128.
pub(super) const ALIGNMENTS: usize = 8;
/// Version of the file.
pub(super) const FORMAT: u32 = 1;
/// The largest time or place, for which sums do not overflow.
const LARGEST: i64 = i64::MAX / 4;
/// The largest count, for which sums do not overflow.
const MOST: i64 = 1 << 48;

/// A workload that is fitted to a trace, as its statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedWorkload {
    pub(super) fitted_workload: u32,
    /// Name of the trace.
    pub source: String,
    pub(super) sledsim_version: String,
    /// Number of reads and writes of the trace.
    pub requests: u64,
    pub(super) span_ns: i64,
    /// Block behind the last block of the trace.
    pub(super) end_block: i64,
    pub(super) discards_left_out: u64,
    pub(super) flushes_left_out: u64,
    pub(super) arrivals: Cascade,
    pub(super) kinds: Vec<KindModel>,
}

/// An operation by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OpName {
    #[default]
    Read,
    Write,
}

/// The requests of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindModel {
    pub op: OpName,
    pub metadata: bool,
    pub class: u8,
    pub requests: u64,
    /// Number of requests in each block of `arrivals`.
    pub blocks: Vec<u64>,
    /// Values of the flags, each with its number of requests.
    pub flags: Vec<(u8, u64)>,

    /// Number of times that a request of each kind comes next, by pace.
    pub next: [Vec<u64>; PACES],
    /// Counts of each motion after a request of another kind, by the motion of that request.
    pub motions_after_others: [[u64; MOTIONS]; MOTIONS],
    /// Counts of each motion after a request of the same kind, by the motion of that request.
    pub motions_after_same: [[u64; MOTIONS]; MOTIONS],
    pub repeated_requests_ago: Quantiles,
    pub revisited_requests_ago: Quantiles,
    /// Numbers of requests of each motion that start in a touched block, and in an untouched block; sequential and
    /// continued requests count only after a request that starts in an untouched block.
    pub covered: [[u64; 2]; MOTIONS],
    pub near_blocks: Quantiles,
    pub anywhere_blocks: Quantiles,
    /// Numbers of first blocks, near or anywhere, that are multiples of 1, 2, ... 128 and of no higher power.
    pub alignments: [u64; ALIGNMENTS],
    /// Sizes of requests that are sequential or continued.
    pub sizes_going_on: Sizes,
    /// Sizes of requests that are retraced, repeated or revisited.
    pub sizes_again: Sizes,
    /// Sizes of requests that are near or anywhere.
    pub sizes_new: Sizes,
    /// Times since the previous request, if that request is of another kind.
    #[serde(default)]
    pub intervals_after_others: Vec<Intervals>,
    /// Times since the previous request, if that request is of the same kind.
    #[serde(default)]
    pub intervals_after_same: Vec<Intervals>,
}

impl FittedWorkload {
    /// Parses the text of a file; `origin` is its name in errors.
    ///
    /// # Errors `Parameter` for a text that is no such file, or an invalid value.
    pub fn parse(text: &str, origin: &str) -> Result<Self> {
        let model: Self = from_toml(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            Error::Parameter(format!("no fitted workload: {}", error.message().trim_end()))
                .marked(origin, line.map_or(String::new(), |line| format!(":{line}")))
        })?;
        model.check().map_err(|wrong| Error::Parameter(wrong).at(origin))?;
        Ok(model)
    }

    /// Checks the values; the error names the wrong one.
    fn check(&self) -> std::result::Result<(), String> {
        within("fitted_workload", i64::from(self.fitted_workload), i64::from(FORMAT), i64::from(FORMAT))?;
        within("requests", self.requests as i64, 2, i64::MAX)?;
        within("span_ns", self.span_ns, 0, LARGEST)?;
        within("end_block", self.end_block, 1, LARGEST)?;
        check_arrivals(&self.arrivals)?;
        within("number of kinds", self.kinds.len() as i64, 1, i64::from(u16::MAX))?;

        for (at, kind) in self.kinds.iter().enumerate() {
            kind.check(self).map_err(|wrong| format!("kinds[{at}].{wrong}"))?;
        }
        for block in 0..self.arrivals.blocks_ns.len() {
            let requests: u64 = self.kinds.iter().map(|kind| kind.blocks[block]).sum();
            within(&format!("requests of all kinds in blocks[{block}]"), requests as i64, 1, i64::MAX)?;
        }
        Ok(())
    }
}

fn check_arrivals(arrivals: &Cascade) -> std::result::Result<(), String> {
    let requests = arrivals.block_requests;
    if !requests.is_power_of_two() || requests > 1 << 40 {
        return Err(format!("arrivals.block_requests: expected a power of two up to 2^40, found {requests}"));
    }
    within("number of arrivals.blocks_ns", arrivals.blocks_ns.len() as i64, 1, i64::MAX)?;
    for time_ns in &arrivals.blocks_ns {
        within("arrivals.blocks_ns", *time_ns, 0, LARGEST)?;
    }
    within("number of arrivals.intervals", arrivals.intervals.len() as i64, 1, i64::MAX)?;
    check_intervals(&arrivals.intervals)?;
    for halving in &arrivals.halvings {
        let shares = &halving.first_half_ppb;
        check_quantiles("arrivals.halvings.first_half_ppb", shares, 1, 0, 1_000_000_000)?;
    }
    Ok(())
}

fn check_intervals(intervals: &[Intervals]) -> std::result::Result<(), String> {
    intervals.iter().try_for_each(|times| {
        within("intervals.count", times.count as i64, 1, MOST)?;
        check_quantiles("intervals.quantiles_ns", &times.quantiles_ns, 1, 0, LARGEST)
    })
}

fn check_sizes(sizes: &Sizes) -> std::result::Result<(), String> {
    let largest = i64::from(i32::MAX);
    for (blocks, count) in &sizes.frequent_blocks {
        within("sizes.frequent_blocks", *blocks, 1, largest)?;
        within("a count in sizes.frequent_blocks", *count as i64, 0, MOST)?;
    }
    within("sizes.others", sizes.others as i64, 0, MOST)?;
    check_quantiles("sizes.others_blocks", &sizes.others_blocks, sizes.others, 1, largest)
}

impl KindModel {
    fn check(&self, model: &FittedWorkload) -> std::result::Result<(), String> {
        let blocks = model.arrivals.blocks_ns.len() as i64;
        within("number of blocks", self.blocks.len() as i64, blocks, blocks)?;
        let kinds = model.kinds.len() as i64;
        for counts in &self.next {
            within("number of counts in next", counts.len() as i64, kinds, kinds)?;
        }
        let rows = [&self.motions_after_others, &self.motions_after_same];
        let motions = rows.into_iter().flatten().flatten();
        let flags = self.flags.iter().map(|(_, count)| count).chain(&self.alignments);
        for count in motions
            .chain([&self.requests])
            .chain(self.covered.iter().flatten())
            .chain(flags)
            .chain(self.next.iter().flatten())
            .chain(&self.blocks)
        {
            within("a count", *count as i64, 0, MOST)?;
        }
        for sizes in [&self.sizes_going_on, &self.sizes_again, &self.sizes_new] {
            check_sizes(sizes)?;
        }
        check_intervals(&self.intervals_after_others)?;
        check_intervals(&self.intervals_after_same)?;
        let end = model.end_block;
        check_quantiles("repeated_requests_ago", &self.repeated_requests_ago, 0, 1, LARGEST)?;
        check_quantiles("revisited_requests_ago", &self.revisited_requests_ago, 0, 1, LARGEST)?;
        check_quantiles("near_blocks", &self.near_blocks, 0, -NEAR_BLOCKS, NEAR_BLOCKS)?;
        check_quantiles("anywhere_blocks", &self.anywhere_blocks, 0, 0, end)
    }
}

fn within(key: &str, found: i64, least: i64, most: i64) -> std::result::Result<(), String> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(match (least == most, most) {
        (true, _) => format!("{key}: expected {least}, found {found}"),
        (_, i64::MAX) => format!("{key}: expected at least {least}, found {found}"),
        _ => format!("{key}: expected {least} to {most}, found {found}"),
    })
}

/// Checks that values ascend within bounds, and are not empty if values are needed.
fn check_quantiles(
    key: &str,
    values: &Quantiles,
    needed: u64,
    least: i64,
    most: i64,
) -> std::result::Result<(), String> {
    ensure!(needed == 0 || !values.0.is_empty(), format!("{key}: expected values, found an empty list"));
    if let Some(pair) = values.0.windows(2).find(|pair| pair[0] > pair[1]) {
        return Err(format!("{key}: expected ascending values, found {} before {}", pair[0], pair[1]));
    }
    values.0.iter().try_for_each(|value| within(key, *value, least, most))
}
