//! Tests of this generator's measured constants against the trace hplajw, if the trace is available.

use std::ops::ControlFlow;
use std::path::Path;

use super::super::kinds::{FRAGMENT_SECTORS, KINDS, REPEATS};
use crate::trace::{flags, Input, Op, ReadOptions, Trace, TraceReader, TraceRow};
use crate::workload::generators::sessions::{SESSION_MEAN, SESSION_MEDIAN};

/// Smallest gap in ns between the requests of two sessions.
const APART_NS: i64 = 1_000_000_000;

fn hplajw() -> Option<Trace> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces/hp-srt");
    let path = folder.join("hplajw-1week-1992.srt.zst");
    let is_there = path.is_file();
    is_there.then(|| {
        let mut reader = TraceReader::open(Input::File(path), &ReadOptions::default()).unwrap();
        reader.rest(&mut |_| ControlFlow::Continue(())).unwrap()
    })
}

fn is_flushed(row: &TraceRow) -> bool {
    row.flags & flags::DAEMON != 0
}

#[test]
fn classes_and_sizes_are_those_of_its_files() {
    let Some(trace) = hplajw() else { return };
    let rows: Vec<TraceRow> = (0..trace.len()).map(|row| trace.row(row)).collect();
    for kind in &KINDS {
        // The few reads by the daemon count as reads.
        let is_such = |row: &&TraceRow| {
            (row.op, row.metadata) == (kind.op, kind.metadata)
                && (row.op == Op::Read || is_flushed(row) == kind.flushed)
                && (row.metadata || row.class == 1)
        };
        let such: Vec<&TraceRow> = rows.iter().filter(is_such).collect();
        for (class, fragments, requests) in kind.blocks() {
            let blocks = (fragments * FRAGMENT_SECTORS) as i32;
            let found = such.iter().filter(|row| (row.class, row.blocks) == (class, blocks)).count() as u64;
            assert_eq!(found, requests, "class {class}, {fragments} KiB");
        }
        assert_eq!(such.len() as u64, kind.blocks().map(|block| block.2).sum::<u64>());
    }
}

#[test]
fn sessions_are_as_long_and_as_much_of_one_kind() {
    let Some(trace) = hplajw() else { return };
    let rows = (0..trace.len()).map(|row| trace.row(row));
    let rows: Vec<TraceRow> = rows.filter(|row| !is_flushed(row)).collect();
    let sessions: Vec<&[TraceRow]> =
        rows.chunk_by(|one, next| next.arrival_ns - one.arrival_ns < APART_NS).collect();
    let mut lengths: Vec<usize> = sessions.iter().map(|session| session.len()).collect();
    lengths.sort_unstable();
    assert_eq!(lengths[lengths.len() / 2] as f64, SESSION_MEDIAN);
    let mean = rows.len() as f64 / lengths.len() as f64;
    assert!((mean - SESSION_MEAN).abs() < 0.05, "{mean}");

    let kind = |row: &TraceRow| (row.op, row.metadata);
    let pairs: Vec<&[TraceRow]> = sessions.iter().flat_map(|session| session.windows(2)).collect();
    let same =
        pairs.iter().filter(|pair| kind(&pair[0]) == kind(&pair[1])).count() as f64 / pairs.len() as f64;
    let part = |of| rows.iter().filter(|row| kind(row) == of).count() as f64 / rows.len() as f64;
    let kinds = [(Op::Read, false), (Op::Read, true), (Op::Write, false), (Op::Write, true)];
    let by_chance: f64 = kinds.iter().map(|kind| part(*kind).powi(2)).sum();
    let repeats = (same - by_chance) / (1.0 - by_chance);
    assert!((repeats - REPEATS).abs() < 0.005, "{repeats}");
}
