//! Sample files, each of which is recognised from its content as its own format.

use proptest::prelude::*;
use sledsim::trace::FORMATS;

use crate::recognition::SAMPLES;
use crate::samples::samples;
use crate::support::read_bytes;

fn recognised(content: &[u8]) -> Option<&'static str> {
    read_bytes(content, None, true).ok().map(|(_, about)| about.format)
}

#[test]
fn every_sample_is_recognised_as_itself() {
    for (name, content) in samples() {
        let shown = content.escape_ascii().to_string();
        assert_eq!(
            recognised(&content),
            Some(name),
            "{shown}: see SAMPLE of the format {name} or what it matches"
        );
    }
}

/// The samples in the table of formats and those in `SAMPLES` are read without a fault, and contain at least one
/// request.
#[test]
fn every_sample_is_read() {
    let rows = FORMATS.built_in().iter().map(|row| (row.name, row.sample()));
    let text = SAMPLES.iter().map(|(name, text)| (*name, text.as_bytes()));
    for (name, content) in rows.chain(text) {
        let shown = content.escape_ascii().to_string();
        let read = read_bytes(content, None, false);
        let (trace, about) =
            read.unwrap_or_else(|error| panic!("SAMPLE of the format {name}: {error}: {shown}"));
        assert_eq!(about.format, name, "{shown}");
        assert!(!trace.is_empty(), "SAMPLE of the format {name} has no request: {shown}");
    }
}

#[test]
fn text_and_what_is_all_the_same_is_not_taken_for_records() {
    for content in [
        vec![0; 4096],
        vec![0xff; 4096],
        vec![1; 4096],
        vec![2; 4096],
        (0..=255).cycle().take(8192).collect(),
        b"timestamp,lba,size\n".repeat(100),
        b"The quick brown fox jumps over the lazy dog. ".repeat(100),
        "Grüße, größer — ändern\n".repeat(100).into_bytes(),
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".repeat(40),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0".repeat(40),
    ] {
        let found = recognised(&content);
        assert_eq!(found, None, "{:?}", content[..40].escape_ascii().to_string());
    }
}

proptest! {
    #[test]
    fn noise_is_not_taken_for_records(content in prop::collection::vec(any::<u8>(), 100..400)) {
        prop_assert_eq!(recognised(&content), None);
    }

    /// Files of counters in little-endian words are not taken for a trace, although they resemble binary records
    /// without a header.
    #[test]
    fn counters_are_not_taken_for_records(first in 0u32..1000, step in 0u32..100, words in 30usize..200) {
        let content: Vec<u8> =
            (0..words as u32).flat_map(|word| (first + step * word).to_le_bytes()).collect();
        prop_assert_eq!(recognised(&content), None);
    }
}
