//! Dates and times of day in the form of ISO 8601 or RFC 3339; a date without a zone is in UTC.

use std::ops::{Range, RangeInclusive};

use crate::time::NANOS_PER_S;

const NS: i64 = NANOS_PER_S as i64;
const DAY_S: i64 = 86_400;
const HALF_DAY_NS: i64 = DAY_S / 2 * NS;
/// Accepted years; times in them differ by less than 2^63 ns.
const YEARS: RangeInclusive<i64> = 1900..=2190;

/// True if a word begins with a date and a time.
pub(super) fn is_date(word: &[u8]) -> bool {
    let at = |place: usize| word.get(place).copied().unwrap_or(0);
    word.len() >= 19 && b"-/".contains(&at(4)) && at(7) == at(4) && b"Tt ".contains(&at(10)) && at(13) == b':'
}

/// Nanoseconds since 1970 of a time such as `2024-02-29T12:00:00.5+01:00`; the fraction and the zone are
/// optional.
pub(super) fn unix_ns(word: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(word).ok()?;
    let day =
        days_since_1970(field(text, 0..4, YEARS)?, field(text, 5..7, 1..=12)?, field(text, 8..10, 1..=31)?)?;
    let (of_day_ns, zone) = of_day(text.get(11..)?)?;
    Some((day * DAY_S - zone_s(zone)?) * NS + of_day_ns)
}

/// True if a word begins like a time of day.
#[inline]
pub(super) fn is_time_of_day(word: &[u8]) -> bool {
    word.get(2) == Some(&b':') && word.get(5) == Some(&b':')
}

/// Nanoseconds since midnight of a time of day such as `23:59:59.5` or `11:59:59.5 PM`; the fraction is optional.
pub(super) fn since_midnight_ns(word: &[u8]) -> Option<i64> {
    let (of_day_ns, rest) = of_day(std::str::from_utf8(word).ok()?)?;
    let (hour, half) = (HALF_DAY_NS / 12, rest.trim().to_ascii_lowercase());
    match half.as_str() {
        "" => Some(of_day_ns),
        "am" | "pm" if (hour..13 * hour).contains(&of_day_ns) => {
            Some(of_day_ns % HALF_DAY_NS + if half == "pm" { HALF_DAY_NS } else { 0 })
        }
        _ => None,
    }
}

/// Nanoseconds since midnight of the time of day with which a text begins, and the rest of the text.
fn of_day(text: &str) -> Option<(i64, &str)> {
    // A leap second is the first one of the next minute.
    let (hour, minute, second) =
        (field(text, 0..2, 0..=23)?, field(text, 3..5, 0..=59)?, field(text, 6..8, 0..=60)?);
    let (fraction_ns, rest) = fraction_ns(text.get(8..)?)?;
    is_time_of_day(text.as_bytes()).then_some(((hour * 3600 + minute * 60 + second) * NS + fraction_ns, rest))
}

/// The number in a part of a text; `None` if it is not in `range`.
fn field(text: &str, part: Range<usize>, range: RangeInclusive<i64>) -> Option<i64> {
    let digits = text.get(part).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|value| range.contains(value))
}

/// Number of days from 1970-01-01 to a day of the Gregorian calendar; `None` if the calendar has no such
/// day.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if is_leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before: i64 = lengths.iter().take(month as usize - 1).sum();
    // Leap years before this one, from the year 1 on.
    let leaps = |year: i64| (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let days = (year - 1970) * 365 + leaps(year) - leaps(1970) + before + day - 1;
    (day <= lengths[month as usize - 1]).then_some(days)
}

/// Splits a text into its leading fraction of a second, in ns (truncated), and the rest of the text.
fn fraction_ns(rest: &str) -> Option<(i64, &str)> {
    let Some(digits) = rest.strip_prefix(['.', ',']) else { return Some((0, rest)) };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let nanoseconds = digits.bytes().take(end).chain(std::iter::repeat(b'0')).take(9);
    (end > 0).then(|| (nanoseconds.fold(0, |ns, digit| ns * 10 + i64::from(digit - b'0')), &digits[end..]))
}

/// The offset from UTC, in seconds, of a time zone such as `+01:00`.
fn zone_s(zone: &str) -> Option<i64> {
    let zone = zone.trim();
    if matches!(zone, "" | "Z" | "z" | "UTC" | "GMT") {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits: String = zone.strip_prefix(['+', '-'])?.chars().filter(|c| *c != ':').collect();
    let all: i64 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    match digits.len() {
        2 => Some(sign * all * 3600),
        4 => Some(sign * (all / 100 * 3600 + all % 100 * 60)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_nanoseconds_since_1970() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1970-01-02 00:00:01", Some(86_401 * NS)),
            ("2000-02-29T12:00:00.5", Some(951_825_600 * NS + NS / 2)),
            ("2024-02-29T12:00:00.123456789123+01:00", Some(1_709_204_400 * NS + 123_456_789)),
            ("2024-02-29t12:00:00,25 UTC", Some(1_709_208_000 * NS + NS / 4)),
            ("2024-02-29T12:00:00-0130", Some((1_709_208_000 + 5400) * NS)),
            ("1969-12-31T23:59:59Z", Some(-NS)),
            ("2024/02/29 12:00:00.5", Some(1_709_208_000 * NS + NS / 2)),
            ("2023-02-29T12:00:00", None),
            ("2023-13-01T12:00:00", None),
            ("2023-12-01T24:00:00", None),
            ("2023-12-01T12:00:0x", None),
            ("2023-12-01T12:00:00.", None),
            ("2023-12-01T12:00:00 CET", None),
        ] {
            assert!(is_date(text.as_bytes()), "{text}");
            assert_eq!(unix_ns(text.as_bytes()), expected, "{text}");
        }
        assert!(!is_date(b"1234567890.123456789"));
    }

    #[test]
    fn times_of_day_are_nanoseconds_since_midnight() {
        for (text, expected) in [
            ("00:00:00", Some(0)),
            ("23:59:59.5", Some(86_399 * NS + NS / 2)),
            ("01:02:03,000000001", Some(3_723 * NS + 1)),
            ("24:00:00", None),
            ("12:60:00", None),
            ("12:00:00 AM", Some(0)),
            ("12:00:00.5 pm", Some(43_200 * NS + NS / 2)),
            ("11:59:59PM", Some(86_399 * NS)),
            ("13:00:00 PM", None),
            ("00:10:00 AM", None),
            ("12:00:00 CET", None),
        ] {
            assert!(is_time_of_day(text.as_bytes()), "{text}");
            assert_eq!(since_midnight_ns(text.as_bytes()), expected, "{text}");
        }
        for text in ["12.5", "12:00", "59:59.9", "12:00-00"] {
            assert!(!is_time_of_day(text.as_bytes()), "{text}");
        }
    }
}
