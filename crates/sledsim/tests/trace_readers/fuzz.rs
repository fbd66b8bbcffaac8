//! Any bytes given to a reader result in columns of equal length or in an error.

use std::sync::LazyLock;

use proptest::prelude::*;
use sledsim::trace::{Op, FORMATS};

use crate::samples::corpus;
use crate::support::{gzip, read_bytes, rows, xz, zstd, Record};

fn read_as_everything(content: &[u8]) {
    for format in [None].into_iter().chain(FORMATS.rows().into_iter().map(|format| Some(format.name))) {
        for skip_bad in [false, true] {
            let Ok((trace, about)) = read_bytes(content, format, skip_bad) else { continue };
            assert!(skip_bad || about.bad.count == 0);
            assert!(trace.arrival_ns.is_sorted());
            for request in rows(&trace) {
                assert!(request.lbn >= 0 && request.device >= 0, "{request:?}");
                assert!(request.response_ns >= 0 && request.service_ns >= 0, "{request:?}");
                assert_eq!(request.blocks == 0, request.op == Op::Flush, "{request:?}");
                assert!(request.blocks >= 0, "{request:?}");
            }
        }
    }
}

/// Random fields of a line that look like those of trace formats.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,21}",
        "[0-9]{0,12}\\.[0-9]{0,25}",
        "[0-9]{1,3}\\.?[0-9]{0,3}[eE][-+]?[0-9]{1,3}",
        "[0-9]{1,3},[0-9]{1,10}",
        "[QGIDCM]|[RWFDNASM]{1,5}|\\+|\\[x\\]|\\(00 ..\\)",
        "[ -~]{0,6}",
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let any_action = prop_oneof![any::<u32>(), (0u32..64).prop_map(|high| high << 16 | 7)];
    (
        any::<u64>(),
        any::<u64>(),
        any::<u32>(),
        any_action,
        any::<u32>(),
        prop::collection::vec(any::<u8>(), 0..20),
    )
        .prop_map(|(time_ns, sector, bytes, action, device, payload)| Record {
            time_ns: time_ns >> 1,
            sector: sector >> 2,
            bytes,
            action,
            device,
            payload,
        })
}

#[test]
fn any_file_of_the_corpus_in_any_format() {
    corpus().iter().for_each(|(_, content)| read_as_everything(content));
}

proptest! {
    #[test]
    fn any_beginning_of_a_file_before_any_end_of_another(
        files in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        cuts in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        static FILES: LazyLock<Vec<(&'static str, Vec<u8>)>> = LazyLock::new(corpus);
        let [first, second] = [files.0, files.1].map(|file| &file.get(&FILES).1);
        let [end, start] = [(cuts.0, first), (cuts.1, second)].map(|(cut, file)| cut.index(file.len() + 1));
        read_as_everything(&[&first[..end], &second[start..]].concat());
    }

    #[test]
    fn any_bytes(content in prop::collection::vec(any::<u8>(), 0..300)) {
        read_as_everything(&content);
    }

    #[test]
    fn any_bytes_behind_the_magic_of_a_compression(
        content in prop::collection::vec(any::<u8>(), 0..300),
        at in 0usize..300,
        value: u8,
    ) {
        for mut damaged in [gzip(&content), zstd(&content), xz(&content)] {
            let place = at % damaged.len();
            damaged[place] = value;
            read_as_everything(&damaged);
        }
    }

    #[test]
    fn any_lines_of_likely_fields(lines in prop::collection::vec(prop::collection::vec(field(), 0..10), 0..5)) {
        let text: Vec<String> = lines.iter().map(|fields| fields.join(" ")).collect();
        read_as_everything(text.join("\n").as_bytes());
    }

    #[test]
    fn any_records_cut_anywhere(records in prop::collection::vec(record(), 1..6), big: bool, cut: prop::sample::Index) {
        let encode = if big { Record::big_endian } else { Record::little_endian };
        let content: Vec<u8> = records.iter().flat_map(encode).collect();
        read_as_everything(&content);
        read_as_everything(&content[..cut.index(content.len())]);
    }
}
