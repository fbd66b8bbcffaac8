//! Traces that are written in a format and read again are the same, as far as the format can hold them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sledsim::trace::{flags, Op, Trace, TraceInfo, TraceRow, TraceWriter, FORMATS};

use crate::support::read_bytes;

/// Writes a trace in two batches, as a converter does; returns the file and the number of requests left out.
fn write(format: &str, trace: &Trace, about: &TraceInfo) -> (Vec<u8>, u64) {
    let mut writer = TraceWriter::new(format).unwrap();
    let half = trace.len() / 2;
    let mut bytes = Vec::new();
    for rows in [0..half, half..trace.len()] {
        let mut batch = Trace::default();
        batch.extend_from(trace, rows);
        bytes.extend(writer.rows(&batch, about).unwrap());
    }
    (bytes, writer.left_out)
}

fn request() -> impl Strategy<Value = TraceRow> {
    let numbers = (0..1i64 << 40, 0..1i64 << 50, 1..i32::MAX, 0..4i32, 0..1i64 << 40);
    (numbers, 0..4usize).prop_map(|((arrival_ns, lbn, blocks, device, response_ns), op)| {
        let op = Op::ALL[op];
        let blocks = if op == Op::Flush { 0 } else { blocks };
        let lbn = if op == Op::Flush { 0 } else { lbn };
        TraceRow { arrival_ns, lbn, blocks, op, device, response_ns, ..TraceRow::default() }
    })
}

fn sorted(mut requests: Vec<TraceRow>) -> Vec<TraceRow> {
    requests.sort_by_key(|request| request.arrival_ns);
    requests
}

fn requests() -> impl Strategy<Value = Vec<TraceRow>> {
    prop::collection::vec(request(), 1..60)
        .prop_map(sorted)
        .prop_filter("some that move data", |requests| requests.iter().any(|request| request.op.moves_data()))
}

fn trace(requests: impl Iterator<Item = TraceRow>) -> Trace {
    let mut trace = Trace::default();
    requests.for_each(|request| trace.push(request));
    trace
}

fn assert_identity(format: &str, written: &Trace, about: &TraceInfo) -> Result<TraceInfo, TestCaseError> {
    let (bytes, left_out) = write(format, written, about);
    let kept = (0..written.len()).map(|row| written.row(row)).filter(|request| request.op.moves_data());
    let kept = trace(kept);
    prop_assert_eq!(left_out as usize, written.len() - kept.len());
    let (read, read_about) = read_bytes(&bytes, Some(format), false).unwrap();
    prop_assert_eq!(&read, &kept);
    let (again, _) = write(format, &read, &read_about);
    prop_assert_eq!(again, bytes);
    Ok(read_about)
}

proptest! {
    #[test]
    fn of_disksim(requests in requests(), bits in prop::collection::vec(0u8..4, 60)) {
        let flags_of = [0, flags::SYNC, flags::ASYNC, flags::SYNC | flags::ASYNC];
        let requests = requests.iter().zip(bits).map(|(request, bits)| TraceRow {
            flags: flags_of[bits as usize],
            response_ns: 0,
            ..*request
        });
        assert_identity("disksim", &trace(requests), &TraceInfo::default())?;
    }

    #[test]
    fn of_spc(requests in requests()) {
        let requests = requests.iter().map(|request| TraceRow { response_ns: 0, ..*request });
        assert_identity("spc", &trace(requests), &TraceInfo::default())?;
    }

    #[test]
    fn of_msr(requests in requests(), origin in 0i64..4_000_000_000) {
        // The format counts from its first request, in units of 100 ns, and devices in order of their first.
        let first = requests.iter().find(|request| request.op.moves_data()).unwrap().arrival_ns / 100;
        let mut order: Vec<i32> = Vec::new();
        let requests = requests.iter().map(|request| {
            let device = match order.iter().position(|device| *device == request.device) {
                Some(place) => place as i32,
                None if request.op.moves_data() => {
                    order.push(request.device);
                    order.len() as i32 - 1
                }
                None => 99,
            };
            TraceRow {
                arrival_ns: (request.arrival_ns / 100 - first) * 100,
                response_ns: request.response_ns / 100 * 100,
                lbn: request.lbn,
                device,
                ..*request
            }
        });
        let names = ["usr.0", "src1.12", "8,16", "sda"].map(str::to_owned);
        let about = TraceInfo {
            origin_unix_ns: Some(origin * 1_000_000_000),
            device_names: (0..).zip(names).collect::<BTreeMap<_, _>>(),
            ..TraceInfo::default()
        };
        let read = assert_identity("msr", &trace(requests), &about)?;
        prop_assert_eq!(read.origin_unix_ns, about.origin_unix_ns);
        let names = ["usr.0", "src1.12", "8_16.2", "sda.3"];
        for (device, name) in read.device_names {
            prop_assert_eq!(name, names[device as usize]);
        }
    }
}

#[test]
fn spc_has_a_decimal_point() {
    let trace = trace([TraceRow { blocks: 8, arrival_ns: 2_000_000_000, ..TraceRow::default() }].into_iter());
    assert_eq!(write("spc", &trace, &TraceInfo::default()).0, b"0,0,4096,R,2.0\n");
}

#[test]
fn a_place_that_bytes_cannot_count_is_refused() {
    let lbn = i64::MAX / 512 + 1;
    let trace = trace([TraceRow { blocks: 8, lbn, ..TraceRow::default() }].into_iter());
    let error = TraceWriter::new("msr").unwrap().rows(&trace, &TraceInfo::default()).unwrap_err().to_string();
    let expected =
        "expected a block number from 0 to 18014398509481983 for the format msr, which stores offsets in bytes, found";
    assert_eq!(error, format!("{expected} {lbn}"));
}

#[test]
fn what_cannot_be_written_is_refused() {
    let error = |name| TraceWriter::new(name).map(|_| ()).unwrap_err().to_string();
    let writable: Vec<&str> =
        FORMATS.rows().into_iter().filter(|format| format.is_writable()).map(|format| format.name).collect();
    assert_eq!(
        error("tencent"),
        format!(
            "traces in the format tencent can be read, but not written: expected one of {}",
            writable.join(", ")
        )
    );
    assert!(error("cps").starts_with("unknown trace format \"cps\": "));
}
