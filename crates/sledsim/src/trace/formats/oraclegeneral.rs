//! The format oracleGeneral of libCacheSim: little-endian records of 24 bytes, `time_s u32, object u64,
//! bytes u32, next i64`, without a header. In block traces the object is the first sector.

use crate::error::ensure;
use std::collections::HashMap;

use super::super::columns::TraceRow;
use super::super::evidence::Aspect;
use super::super::fields::LBN_MAX;
use super::super::quantities::sectors;
use super::super::records::{u32_le, u64_le, Decoded, RecordFormat, Records};
use super::super::trace_info::{ReaderOutput, Times};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "oraclegeneral",
    "libCacheSim oracleGeneral binary of block traces; all requests count as reads",
    FormatKind::new(SAMPLE, matches, |source, _| Ok(Records::reader(source, OracleGeneral))),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"j\xf7U\0\t\x1a\x8f\x02\0\0\0\0\0\x02\0\0\x01\0\0\0\0\0\0\0j\xf7U\0\t\x1a\x8f\x02\0\0\0\0\0\x04\0\0\xff\xff\xff\xff\xff\xff\xff\xff";

const RECORD_BYTES: usize = 24;
const NS_PER_S: i64 = 1_000_000_000;
/// Largest number of records examined to recognise a file.
const LOOKED_AT: usize = 1024;
/// Largest plausible request, in bytes.
const PLAUSIBLE_BYTES: u32 = 1 << 28;
/// Largest plausible disk, in sectors.
const PLAUSIBLE_LBN: u64 = 1 << 48;
/// Largest plausible trace, in requests.
const PLAUSIBLE_REQUESTS: u64 = 1 << 36;

const NOTE: &str =
    "the format oracleGeneral does not distinguish writes from reads: all requests count as reads";

struct OracleGeneral;

/// True if the times never decrease, the sizes are plausible, and each record gives the right
/// position of the next access to its object.
fn matches(head: &[u8]) -> bool {
    let (records, _) = head.as_chunks::<RECORD_BYTES>();
    let records = &records[..records.len().min(LOOKED_AT)];
    let is_sorted = records.is_sorted_by_key(|record| u32_le(record, 0));
    !records.is_empty() && is_sorted && records.iter().all(is_plausible) && next_accesses_agree(records)
}

fn is_plausible(record: &[u8; RECORD_BYTES]) -> bool {
    (1..=PLAUSIBLE_BYTES).contains(&u32_le(record, 12))
        && u64_le(record, 4) <= PLAUSIBLE_LBN
        && (is_never(record) || next(record) <= PLAUSIBLE_REQUESTS)
}

/// True if each record gives the position of the next record with the same object. Positions may be
/// shifted, because the file may be a part of a longer trace.
fn next_accesses_agree(records: &[[u8; RECORD_BYTES]]) -> bool {
    let mut last = HashMap::new();
    let mut cut = None;
    (0..).zip(records).all(|(at, record)| {
        let agrees = match last.insert(u64_le(record, 4), record) {
            Some(before) if is_never(before) => false,
            Some(before) => next(before).checked_sub(at).is_some_and(|its| *cut.get_or_insert(its) == its),
            None => true,
        };
        agrees && (is_never(record) || next(record) > at)
    })
}

/// The position of the next access to its object that a record gives.
fn next(record: &[u8; RECORD_BYTES]) -> u64 {
    u64_le(record, 16)
}

fn is_never(record: &[u8; RECORD_BYTES]) -> bool {
    [-1, i64::MAX].contains(&(next(record) as i64))
}

impl RecordFormat<RECORD_BYTES> for OracleGeneral {
    #[inline]
    fn record(&mut self, record: &[u8; RECORD_BYTES], out: &mut ReaderOutput) -> Decoded<Option<TraceRow>> {
        if out.times != Times::FromAnywhere {
            out.times = Times::FromAnywhere;
            out.about.doubt(Aspect::Plausibility, NOTE);
        }
        let (time_s, lbn, size) = (u32_le(record, 0), u64_le(record, 4), u32_le(record, 12));
        ensure!(lbn <= LBN_MAX, format!("expected a sector from 0 to {LBN_MAX}, found {lbn}"));
        if size == 0 {
            out.about.skipped.empty += 1;
            return Ok(None);
        }
        let (_, blocks) = sectors(0, u64::from(size));
        let arrival_ns = i64::from(time_s) * NS_PER_S;
        Ok(Some(TraceRow { arrival_ns, lbn: lbn as i64, blocks, ..TraceRow::default() }))
    }
}
