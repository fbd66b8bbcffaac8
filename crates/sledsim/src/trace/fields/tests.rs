use proptest::prelude::*;

use super::*;

fn decimal(text: &str, places: usize) -> Option<i64> {
    Fields::new(text.as_bytes()).decimal(places, "").ok()
}

#[test]
fn decimals_are_exact_and_rounded_half_up_beyond_the_last_place() {
    for (text, places, expected) in [
        ("0", 6, Some(0)),
        ("13.191135", 6, Some(13_191_135)),
        (".5", 6, Some(500_000)),
        ("5.", 6, Some(5_000_000)),
        ("1.0000004999", 6, Some(1_000_000)),
        ("1.0000005", 6, Some(1_000_001)),
        ("0.99999999999999999999999999999", 9, Some(1_000_000_000)),
        ("9223372036854.775807", 6, Some(i64::MAX)),
        ("9223372036854.775808", 6, None),
        ("9007199254.740993001", 9, Some(9_007_199_254_740_993_001)),
        ("1e-3", 6, Some(1_000)),
        ("1.5E3", 6, Some(1_500_000_000)),
        ("1e13", 6, None),
        ("1e", 6, None),
        (".", 6, None),
        ("", 6, None),
        ("1.5x", 6, None),
        ("1.5.2", 6, None),
        ("-1", 6, None),
        ("+1", 6, None),
        ("nan", 6, None),
        ("00000000000000000001", 6, None),
    ] {
        assert_eq!(decimal(text, places), expected, "{text:?}");
    }
}

proptest! {
    #[test]
    fn decimals_with_all_their_places_are_exact(value in 0..=i64::MAX, places in 1usize..=9) {
        let scale = POWERS_OF_TEN[places] as i64;
        let text = format!("{}.{:0places$}", value / scale, value % scale);
        prop_assert_eq!(decimal(&text, places), Some(value));
    }
}

#[test]
fn integers_keep_to_their_range() {
    let integer = |text: &str| Fields::new(text.as_bytes()).integer(1..=u64::MAX, "").ok();
    assert_eq!(integer(" \t42 x"), Some(42));
    for wrong in ["", "0", "4x", "-4", "0x4", "18446744073709551617", "99999999999999999999"] {
        assert_eq!(integer(wrong), None, "{wrong:?}");
    }
}

#[test]
fn flags_are_hexadecimal_with_or_without_a_prefix() {
    let flags = |text: &str| Fields::new(text.as_bytes()).hexadecimal("").ok();
    assert_eq!((flags("80000001"), flags("0x1f"), flags("Ff")), (Some(0x8000_0001), Some(0x1f), Some(0xff)));
    assert_eq!((flags("g"), flags("0x"), flags("100000000"), flags("-1")), (None, None, None, None));
}

proptest! {
    /// Checks that digits read eight at a time give the same number as digits read singly, wherever the
    /// line ends.
    #[test]
    fn digits_are_read_as_one_by_one(line in "[0-9]{0,20}[ ,x]?[0-9]{0,3}") {
        let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
        let mut fields = Fields::new(line.as_bytes());
        let (value, count) = fields.digits();
        prop_assert_eq!(count, digits.len());
        if count <= SAFE_DIGITS {
            prop_assert_eq!(value, digits.parse().unwrap_or(0));
        }
    }

    #[test]
    fn words_are_what_lies_between_separators(line in "[a-f0-9, \t\u{80}]{0,40}") {
        let line = line.as_bytes();
        let mut blanks = Fields::new(line);
        for expected in line.split(|byte| b" \t".contains(byte)).filter(|word| !word.is_empty()) {
            let (word, bytes) = blanks.short_word();
            prop_assert_eq!(word, expected);
            let mut first = [0; 8];
            first[..word.len().min(8)].copy_from_slice(&word[..word.len().min(8)]);
            prop_assert_eq!(bytes, u64::from_le_bytes(first));
        }
        prop_assert!(blanks.end().is_ok());
        let mut commas = Commas::of(line);
        for expected in line.split(|byte| *byte == b',') {
            prop_assert_eq!(commas.word(), expected.trim_ascii());
        }
        prop_assert!(commas.end().is_ok());
    }
}
