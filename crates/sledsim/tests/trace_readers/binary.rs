//! Binary trace formats (SRT, vscsi, oracleGeneral): every field of a record, and the error message for every fault.

use sledsim::trace::{flags, Op, TraceRow};

use crate::samples::{oracle_general, srt_io, srt_record, srt_v4, srt_v7, vscsi, vscsi_record, SRT_HEADER};
use crate::support::{read_bytes, rows};

fn fault(content: &[u8], format: &str) -> String {
    read_bytes(content, Some(format), false).unwrap_err().to_string()
}

#[test]
fn every_field_of_srt_becomes_a_column() {
    let (trace, about) = read_bytes(&[SRT_HEADER.as_bytes(), &srt_v4()].concat(), None, false).unwrap();
    let first = TraceRow { arrival_ns: 5_000, lbn: 528, blocks: 8, class: 1, ..TraceRow::default() };
    assert_eq!(
        rows(&trace),
        [
            TraceRow { response_ns: 19_687_000, service_ns: 19_513_000, ..first },
            TraceRow {
                arrival_ns: 1_000_000_000,
                lbn: 6,
                blocks: 16,
                op: Op::Write,
                metadata: true,
                device: 1,
                class: 2,
                flags: flags::SYNC | flags::DAEMON,
                response_ns: 10_038_000,
                service_ns: 9_962_000,
            },
            TraceRow {
                arrival_ns: 2_000_000_000,
                lbn: 1,
                blocks: 2,
                op: Op::Write,
                class: 7,
                flags: flags::ASYNC,
                response_ns: 80_000,
                ..first
            },
        ]
    );
    assert_eq!(about.device_names[&0], "disc unit 0 sections 8, 14");
    assert_eq!(about.device_names[&1], "disc unit 1 section 7");
    assert_eq!((about.skipped.other, about.skipped.empty), (1, 1));
    assert!(about.notes().is_empty() && about.origin_unix_ns.is_none(), "{about:?}");
}

#[test]
fn a_note_reports_the_guessed_sector_size_of_srt_without_a_header() {
    let (trace, about) = read_bytes(&srt_v4(), None, false).unwrap();
    assert_eq!((trace.lbn, trace.blocks), (vec![1056, 3, 2], vec![8, 16, 2]));
    assert_eq!(about.notes().len(), 1);
    assert!(about.notes()[0].contains("512 bytes"), "{:?}", about.notes());
}

#[test]
fn srt_of_versions_1_to_3_has_no_queue_length() {
    for version in 1..=3 {
        let (trace, _) =
            read_bytes(&srt_io(version << 16 | 1, 0, 5, [0, 1, 512, 9, 0, 1, 0]), None, false).unwrap();
        assert_eq!((trace.lbn, trace.response_ns), (vec![9], vec![1_000]), "{version}");
    }
}

#[test]
fn srt_of_version_7_has_the_time_of_day_and_offsets_in_bytes() {
    let (trace, about) = read_bytes(&srt_v7(1_053_281_044), None, false).unwrap();
    let first = TraceRow {
        lbn: 249_616,
        blocks: 8,
        device: 0x160,
        class: 11,
        flags: flags::ASYNC,
        response_ns: 7_487_000,
        service_ns: 7_484_000,
        ..TraceRow::default()
    };
    let second = TraceRow {
        arrival_ns: 10_000_000,
        lbn: 11_718_750,
        blocks: 2,
        op: Op::Write,
        metadata: true,
        device: 0x1207,
        class: 6,
        flags: flags::SYNC,
        ..first
    };
    assert_eq!(rows(&trace), [first, second]);
    assert_eq!(about.origin_unix_ns, Some(1_053_281_044_630_058_000));
    assert_eq!(about.device_names.values().collect::<Vec<_>>(), ["c1t6d0", "c18t0d7"]);
    assert!(about.notes().is_empty());
}

#[test]
fn srt_records_of_other_things_are_passed_over_and_counted() {
    let file_system = srt_record(&[0x0004_0005, 1, 2, 3]);
    let of_a_version_to_come = srt_record(&[0x0009_0001, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    let content = [srt_v4(), file_system, of_a_version_to_come].concat();
    let (trace, about) = read_bytes(&content, None, false).unwrap();
    assert_eq!((trace.len(), about.skipped.other), (3, 3));
    let only = srt_record(&[0x0004_0005, 1, 2, 3]);
    assert_eq!(
        fault(&only, "srt"),
        "FILE: no requests found (format srt; skipped 0 passed-through commands, 0 requests without data, \
         1 records of other kinds)"
    );
}

#[test]
fn errors_of_srt_name_the_byte() {
    let good = srt_io(0x0004_0001, 0, 5, [0, 1, 512, 9, 0, 1, 0]);
    let with = |bad: &[u8]| fault(&[&good, bad].concat(), "srt");
    assert_eq!(
        with(&good[..20]),
        "FILE: byte 56: expected 56 bytes of a record, found 20 (the file is cut short)"
    );
    assert_eq!(
        with(&good[..3]),
        "FILE: byte 56: expected 8 bytes of a record, found 3 (the file is cut short)"
    );
    assert_eq!(
        with(b"not a record"),
        "FILE: byte 56: expected the version and type of an SRT record, found 0x61207265"
    );
    let mut short = good.clone();
    short[3] = 55;
    assert_eq!(
        with(&short),
        "FILE: byte 56: expected an SRT record of version 4 and type 1 to have 56 to 4096 bytes, found 55"
    );
    assert_eq!(
        fault(b"$$TR_IOREC-1.3 and no more", "srt"),
        "FILE: byte 0: expected a form feed at the end of the header, found no form feed in the first 26 bytes"
    );
}

#[test]
fn damage_in_srt_can_be_passed_over_to_the_next_record() {
    let io = |sector| srt_io(0x0004_0001, 0, sector, [0, 1, 512, sector, 0, 1, 0]);
    let content = [&io(1)[..], b"thirteen byte", &io(2), &io(3), &io(4)[..50]].concat();
    let (trace, about) = read_bytes(&content, None, true).unwrap();
    assert_eq!((trace.lbn, about.bad.count), (vec![1, 2, 3], 2));
    // The reader also finds the record behind a short one.
    for length in 1..20 {
        let content = [&io(1)[..], &vec![0xff; length], &io(2), &io(3)].concat();
        let (trace, about) = read_bytes(&content, None, true).unwrap();
        assert_eq!((trace.lbn, about.bad.count), (vec![1, 2, 3], 1), "{length} bytes");
    }
}

#[test]
fn every_field_of_vscsi_becomes_a_column() {
    for version in [1, 2] {
        let measured = |us: i64| if version == 2 { us * 1_000 } else { 0 };
        let (trace, about) = read_bytes(&vscsi(version), None, false).unwrap();
        let first = TraceRow { lbn: 42_932_745, blocks: 1, op: Op::Write, ..TraceRow::default() };
        let second = TraceRow {
            arrival_ns: 242_639_000,
            lbn: 1 << 33,
            blocks: 14,
            op: Op::Read,
            ..TraceRow::default()
        };
        let flush = TraceRow { arrival_ns: 242_641_000, op: Op::Flush, ..TraceRow::default() };
        let measured_rows = [(first, 100), (second, 2_000), (flush, 3)]
            .map(|(request, us)| TraceRow { response_ns: measured(us), ..request });
        assert_eq!(rows(&trace), measured_rows, "version {version}");
        assert_eq!((about.skipped.commands, about.skipped.empty), (1, 1));
        assert_eq!(about.origin_unix_ns, None);
    }
}

#[test]
fn errors_of_vscsi_name_the_byte() {
    let with = |version, record: &[u8]| fault(&[&vscsi(version), record].concat(), "vscsi");
    let late = vscsi_record(1, 0x28, 512, 1, [u64::MAX, 0]);
    assert_eq!(
        with(1, &late),
        "FILE: byte 160: expected a time from 0 to 9223372036854775 us, found 18446744073709551615"
    );
    let far = vscsi_record(2, 0x28, 512, u64::MAX, [1, 1]);
    assert_eq!(
        with(2, &far),
        "FILE: byte 200: expected a sector from 0 to 9223372034707292160, found 18446744073709551615"
    );
    assert_eq!(
        with(1, &vscsi_record(3, 0x28, 512, 1, [1, 1])[..32]),
        "FILE: byte 160: expected a vscsi record of version 1, found version 0"
    );
    assert_eq!(
        with(2, &vscsi(2)[..39]),
        "FILE: byte 200: expected 40 bytes of a record, found 39 (the file is cut short)"
    );
}

#[test]
fn oracle_general_has_reads_only_and_says_so() {
    let (trace, about) = read_bytes(&oracle_general(), None, false).unwrap();
    let first = TraceRow { lbn: 42_932_745, blocks: 1, ..TraceRow::default() };
    let last = TraceRow { arrival_ns: 2_000_000_000, blocks: 2, ..first };
    assert_eq!(rows(&trace), [first, TraceRow { lbn: 7, blocks: 14, ..first }, last]);
    assert_eq!(
        about.notes(),
        ["the format oracleGeneral does not distinguish writes from reads: all requests count as reads"]
    );
    let mut far = oracle_general();
    far[28..36].fill(0xff);
    assert_eq!(
        fault(&far, "oraclegeneral"),
        "FILE: byte 24: expected a sector from 0 to 9223372034707292160, found 18446744073709551615"
    );
}
