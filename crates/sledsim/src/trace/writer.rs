//! Interface of the writers of trace formats, and functions that append numbers as text.

use super::columns::TraceRow;
use super::trace_info::TraceInfo;
use crate::error::Result;

/// A writer turns requests into the bytes of a format.
pub trait Writer: Send {
    /// Appends the bytes of a request to `bytes`; returns false if the format cannot express the request.
    ///
    /// # Errors A value of the request is outside the range of the format.
    fn request(&mut self, request: &TraceRow, about: &TraceInfo, bytes: &mut Vec<u8>) -> Result<bool>;
}

/// Appends a time in ns as a decimal number in a unit of 10^`places` ns, without trailing zeros.
pub(super) fn push_decimal(ns: i64, places: usize, bytes: &mut Vec<u8>) {
    let unit = 10u64.pow(places as u32);
    let value = ns.unsigned_abs();
    if ns < 0 {
        bytes.push(b'-');
    }
    push_whole(value / unit, bytes);
    let mut fraction = value % unit;
    if fraction > 0 {
        bytes.push(b'.');
        let mut place = unit / 10;
        while fraction > 0 {
            bytes.push(b'0' + (fraction / place) as u8);
            fraction %= place;
            place /= 10;
        }
    }
}

/// Appends a whole number in decimal digits.
pub(super) fn push_whole(mut value: u64, bytes: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    bytes.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_have_the_places_they_need() {
        let text = |ns, places| {
            let mut bytes = Vec::new();
            push_decimal(ns, places, &mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(text(0, 6), "0");
        assert_eq!(text(1_000_000, 6), "1");
        assert_eq!(text(1_500_000, 6), "1.5");
        assert_eq!(text(1, 6), "0.000001");
        assert_eq!(text(i64::MAX, 9), "9223372036.854775807");
        assert_eq!(text(i64::MIN, 3), "-9223372036854775.808");
    }
}
