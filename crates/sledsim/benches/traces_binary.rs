//! Cost of reading binary traces: `cargo bench --bench traces_binary`. One thread, from memory.
//!
//! The bytes a second are those of the file, whole and in batches.

// A benchmark has a clock, and prints.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use divan::counter::BytesCount;
use divan::{black_box, Bencher};
use sledsim::trace::{Input, ReadOptions, TraceReader};

const REQUESTS: u64 = 500_000;
const FORMATS: [&str; 3] = ["blktrace", "vscsi1", "vscsi2"];

fn main() {
    divan::main();
}

/// A file that several readers can share.
#[derive(Clone)]
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn open(content: &Shared) -> TraceReader {
    let file: Box<dyn Read + Send> = Box::new(Cursor::new(content.clone()));
    TraceReader::open(Input::Reader(file, "memory".to_owned()), &ReadOptions::default())
        .expect("the trace is valid")
}

#[divan::bench(args = FORMATS, sample_count = 10, sample_size = 1)]
fn whole(bencher: Bencher<'_, '_>, format: &str) {
    let content = Shared(Arc::new(file(format)));
    bencher.counter(BytesCount::new(content.0.len())).bench(|| {
        let rows = open(&content).rest(&mut |_| ControlFlow::Continue(())).expect("the trace is valid");
        assert_eq!(rows.len() as u64, REQUESTS);
        rows
    });
}

#[divan::bench(args = FORMATS, sample_count = 10, sample_size = 1)]
fn in_batches(bencher: Bencher<'_, '_>, format: &str) {
    let content = Shared(Arc::new(file(format)));
    bencher.counter(BytesCount::new(content.0.len())).bench(|| {
        let mut reader = open(&content);
        let mut requests = 0;
        while let Some(rows) =
            reader.next_batch(&mut |_| ControlFlow::Continue(())).expect("the trace is valid")
        {
            requests += black_box(rows).len() as u64;
        }
        assert_eq!(requests, REQUESTS);
    });
}

/// A trace of that format, of 4 KiB requests all over a disk.
fn file(format: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for request in 0..REQUESTS {
        let sector = request.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        match format {
            "vscsi1" => push_vscsi(1, request, sector, &mut bytes),
            "vscsi2" => push_vscsi(2, request, sector, &mut bytes),
            _ => push_blktrace(request, sector, &mut bytes),
        }
    }
    bytes
}

fn push_vscsi(version: u16, request: u64, sector: u64, bytes: &mut Vec<u8>) {
    let command = if request.is_multiple_of(3) { 0x2a_u16 } else { 0x28 }.to_le_bytes();
    let version_bytes = (version << 8).to_le_bytes();
    let (number, length, segments) =
        ((request as u32).to_le_bytes(), 4096_u32.to_le_bytes(), 1_u32.to_le_bytes());
    let (sector, time_us) = (sector.to_le_bytes(), (request * 50).to_le_bytes());
    if version == 1 {
        for field in [&number[..], &length, &segments, &command, &version_bytes, &sector, &time_us] {
            bytes.extend_from_slice(field);
        }
    } else {
        for field in [
            &command[..],
            &version_bytes,
            &number,
            &length,
            &segments,
            &sector,
            &time_us,
            &[200, 0, 0, 0, 0, 0, 0, 0],
        ] {
            bytes.extend_from_slice(field);
        }
    }
}

/// Writes the events of the block layer for a request without merges: queued, got, inserted, dispatched, and some
/// requests later completed.
fn push_blktrace(request: u64, sector: u64, bytes: &mut Vec<u8>) {
    const DEPTH: u64 = 8;
    let write = u32::from(request.is_multiple_of(3)) << 17;
    for action in [1, 4, 12, 7] {
        push_event(request * 50_000 + u64::from(action), sector, action | write, bytes);
    }
    if let Some(earlier) = request.checked_sub(DEPTH) {
        let its_sector = earlier.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        push_event(request * 50_000 + 20_000, its_sector, 8, bytes);
    }
}

fn push_event(time_ns: u64, sector: u64, action: u32, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&0x6561_7407_u32.to_le_bytes());
    bytes.extend_from_slice(&0_u32.to_le_bytes());
    bytes.extend_from_slice(&time_ns.to_le_bytes());
    bytes.extend_from_slice(&sector.to_le_bytes());
    for field in [4096, action, 4321, 8 << 20, 0, 0_u32] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
}
