//! The file that holds a fitted workload: tables of whole numbers.

use serde::{Deserialize, Serialize};

use super::address_motion::{MOTIONS, NEAR_BLOCKS};
use super::cascade::{Cascade, Intervals};
use super::frequencies::Quantiles;
use super::paces::PACES;
use super::sizes::Sizes;
use crate::error::{ensure, Error, Result};
use crate::input::from_toml;

/// Number of alignments that are counted, from multiples of 1 block to multiples of 128 blocks.
pub(super) const ALIGNMENTS: usize = 8;
/// Version of the file's format.
pub(super) const FORMAT: u32 = 1;
/// The largest time or position that the file may hold; sums of four such values do not overflow.
const LARGEST: i64 = i64::MAX / 4;
/// The largest count that the file may hold; sums of counts do not overflow.
const MOST: i64 = 1 << 48;

/// The statistics of a trace, from which similar requests can be drawn, as the file holds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedWorkload {
    pub(super) fitted_workload: u32,
    /// Name of the trace that was fitted.
    pub source: String,
    pub(super) sledsim_version: String,
    /// Number of reads and writes in the trace.
    pub requests: u64,
    pub(super) span_ns: i64,
    /// The block behind the highest block that the trace touches.
    pub(super) end_block: i64,
    pub(super) discards_left_out: u64,
    /// Number of flushes that are left out: those before the first request, and those right after another flush.
    pub(super) flushes_left_out: u64,
    pub(super) arrivals: Cascade,
    pub(super) kinds: Vec<KindModel>,
}

/// Name of an operation in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OpName {
    #[default]
    Read,
    Write,
}

/// Statistics of the requests of one kind, which have the same operation and class, and are all for
/// metadata or all for data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindModel {
    pub op: OpName,
    pub metadata: bool,
    pub class: u8,
    pub requests: u64,
    /// Number of requests of this kind in each block of requests of `arrivals`.
    pub blocks: Vec<u64>,
    /// Values of the column `flags` (attributes of requests), each with its number of requests.
    pub flags: Vec<(u8, u64)>,

    /// Number of requests of this kind that a flush follows before the next request.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub flushes: u64,
    /// Times in ns from a request of this kind to the flush that follows it.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub flush_after_ns: Quantiles,
    /// Number of requests of each kind (columns) that directly follow a request of this kind, by
    /// pace (rows), which is a range of the time between the two.
    pub next: [Vec<u64>; PACES],
    /// Numbers of requests of this kind by their motion (columns) and the motion of the previous
    /// request (rows), if the previous request is of another kind.
    pub motions_after_others: [[u64; MOTIONS]; MOTIONS],
    /// Numbers of requests of this kind by their motion (columns) and the motion of the previous
    /// request (rows), if the previous request is of the same kind.
    pub motions_after_same: [[u64; MOTIONS]; MOTIONS],
    pub repeated_requests_ago: Quantiles,
    pub revisited_requests_ago: Quantiles,
    /// Numbers of requests by motion that start in a block touched before, and in an untouched
    /// block. A request that continues another one counts only if the other one started in an
    /// untouched block.
    pub covered: [[u64; 2]; MOTIONS],
    pub near_blocks: Quantiles,
    pub anywhere_blocks: Quantiles,
    /// Numbers of requests with the motion near or anywhere, by the highest power of two, from 1 to
    /// 128, of which the first block is a multiple.
    pub alignments: [u64; ALIGNMENTS],
    /// Sizes of requests that continue another one (motions sequential and continued).
    pub sizes_going_on: Sizes,
    /// Sizes of requests that return to an earlier one (motions retraced, repeated and revisited).
    pub sizes_again: Sizes,
    /// Sizes of requests at new positions (motions near and anywhere).
    pub sizes_new: Sizes,
    /// Times in ns since the previous request, for requests whose previous request is of another
    /// kind.
    #[serde(default)]
    pub intervals_after_others: Vec<Intervals>,
    /// Times in ns since the previous request, for requests whose previous request is of the same
    /// kind.
    #[serde(default)]
    pub intervals_after_same: Vec<Intervals>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_empty(quantiles: &Quantiles) -> bool {
    quantiles.0.is_empty()
}

impl FittedWorkload {
    /// Reads a fitted workload from the text of a file; `origin` is the name of the file in error messages.
    ///
    /// # Errors `Parameter` if the text is not a fitted workload, or has an invalid value.
    pub fn parse(text: &str, origin: &str) -> Result<Self> {
        let model: Self = from_toml(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            Error::Parameter(format!(
                "expected a file that `sledsim trace fit` has written: {}",
                error.message().trim_end()
            ))
            .marked(origin, line.map_or(String::new(), |line| format!(":{line}")))
        })?;
        model.check().map_err(|wrong| Error::Parameter(wrong).at(origin))?;
        Ok(model)
    }

    /// Checks that all values are valid; the error message names the first invalid value.
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
        within("flushes", self.flushes as i64, 0, self.requests as i64)?;
        check_quantiles("flush_after_ns", &self.flush_after_ns, self.flushes, 0, LARGEST)?;
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

/// Checks that the values of `key` ascend from `least` to at most `most`; if `needed` is true, an
/// empty list is an error.
fn check_quantiles(
    key: &str,
    values: &Quantiles,
    needed: u64,
    least: i64,
    most: i64,
) -> std::result::Result<(), String> {
    ensure!(
        needed == 0 || !values.0.is_empty(),
        format!("{key}: expected at least one value, found an empty list")
    );
    if let Some(pair) = values.0.windows(2).find(|pair| pair[0] > pair[1]) {
        return Err(format!("{key}: expected ascending values, found {} before {}", pair[0], pair[1]));
    }
    values.0.iter().try_for_each(|value| within(key, *value, least, most))
}
