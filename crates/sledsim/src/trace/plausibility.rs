//! Notes to the user on a probably wrong unit of times, sizes or positions in a trace.

use super::evidence::Aspect;
use super::trace_info::{Times, TraceInfo};

/// Smallest number of requests with which a unit is checked.
const REQUESTS_MIN: u64 = 8;
/// Number of the first requests by which units are judged, so that later ones cost no time.
const REQUESTS_MAX: u64 = 1 << 12;
/// Number of bytes in a sector.
const SECTOR: u64 = 512;
/// Size that separates sizes in sectors, which are mostly smaller, from sizes in bytes, which are
/// mostly at least as large.
const SIZE_BORDER: u64 = 2048;
/// Largest plausible number of requests per second; no device serves more.
const RATE_MAX_PER_S: f64 = 1e7;
/// Largest plausible mean time in ns between two requests.
const GAP_MAX_NS: i64 = 1_000_000_000_000;
/// Duration in ns that no response time reaches, also with all repetitions of a drive with errors.
const HOUR_NS: i64 = 3_600_000_000_000;
const YEAR_NS: i64 = 31_556_952_000_000_000;
/// Earliest plausible arrival in ns since 1970: the year 1980, before any recorded trace.
const EARLIEST_NS: i64 = 10 * YEAR_NS;
/// Latest plausible arrival in ns since 1970: the year 2100.
const LATEST_NS: i64 = 130 * YEAR_NS;

/// Unit of positions or sizes that the format defines or the user gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Unit {
    #[default]
    Bytes,
    Sectors,
    /// Any other unit, such as KiB; plausibility is not checked for it.
    Other,
}

/// Counts of positions and sizes of the first requests in a trace, from which a wrong unit (bytes or sectors)
/// is recognised.
#[derive(Debug, Default)]
pub(super) struct Extents {
    place_unit: Unit,
    size_unit: Unit,
    requests: u64,
    /// Number of requests with a position above 0. Only these count in `aligned_places`, the number
    /// of positions that are multiples of 512.
    places: u64,
    aligned_places: u64,
    aligned_sizes: u64,
    small_sizes: u64,
    total_size: u64,
}

impl Extents {
    pub fn new(place_unit: Unit, size_unit: Unit) -> Self {
        Self { place_unit, size_unit, ..Self::default() }
    }

    /// Counts a request with the position `place` and the size `size`, as its line gives them.
    /// Returns false for a request without data, which is counted in `about` instead.
    #[inline]
    pub fn add(&mut self, place: u64, size: u64, about: &mut TraceInfo) -> bool {
        if size == 0 {
            about.skipped.empty += 1;
            return false;
        }
        if self.requests < REQUESTS_MAX {
            self.count(place, size);
        }
        true
    }

    fn count(&mut self, place: u64, size: u64) {
        self.requests += 1;
        self.places += u64::from(place > 0);
        self.aligned_places += u64::from(place > 0 && place.is_multiple_of(SECTOR));
        self.aligned_sizes += u64::from(size.is_multiple_of(SECTOR));
        self.small_sizes += u64::from(size < SIZE_BORDER);
        self.total_size = self.total_size.saturating_add(size);
    }

    /// Adds a note to `about` for positions, and one for sizes, if their unit is probably wrong.
    pub fn add_notes(&self, about: &mut TraceInfo) {
        let all = self.requests;
        if all < REQUESTS_MIN {
            return;
        }
        let sizes_look = self.size_looks();
        if let Some(unit) = sizes_look {
            about.doubt(Aspect::Plausibility, format!(
                "sizes look like {unit}: of {all} sizes, {} are multiples of 512 and {} are below {SIZE_BORDER}",
                self.aligned_sizes, self.small_sizes
            ));
        }
        if let Some(unit) = self.place_looks(sizes_look.is_some()) {
            let (places, aligned) = (self.places, self.aligned_places);
            about.doubt(
                Aspect::Plausibility,
                format!(
                "positions look like {unit}: of {places} positions above 0, {aligned} are multiples of 512"
            ),
            );
        }
    }

    fn size_looks(&self) -> Option<&'static str> {
        let all = self.requests;
        let sectors = at_most_a_tenth(self.aligned_sizes, all) && at_least_nine_tenths(self.small_sizes, all);
        let bytes = at_least_nine_tenths(self.aligned_sizes, all) && self.small_sizes * 2 < all;
        mistaken(self.size_unit, sectors, bytes)
    }

    fn place_looks(&self, are_sizes_wrong: bool) -> Option<&'static str> {
        if self.places < REQUESTS_MIN {
            return None;
        }
        let in_whole_sectors =
            self.size_unit == Unit::Sectors || at_least_nine_tenths(self.aligned_sizes, self.requests);
        let size_unit_bytes = if self.size_unit == Unit::Sectors { SECTOR } else { 1 };
        // Places at multiples of 512 sectors are likely only of large requests.
        let are_large = self.total_size / self.requests >= 128 * 1024 / size_unit_bytes;
        let sectors = at_most_a_tenth(self.aligned_places, self.places);
        let bytes = at_least_nine_tenths(self.aligned_places, self.places);
        mistaken(
            self.place_unit,
            sectors && (in_whole_sectors || are_sizes_wrong),
            bytes && (!are_large || are_sizes_wrong),
        )
    }
}

/// Describes a unit that is probably wrong: values that look like sectors but are read as bytes, or
/// the opposite.
fn mistaken(unit: Unit, look_like_sectors: bool, look_like_bytes: bool) -> Option<&'static str> {
    match unit {
        Unit::Bytes if look_like_sectors => Some("512-byte sectors, but are read as bytes"),
        Unit::Sectors if look_like_bytes => Some("bytes, but are read as 512-byte sectors"),
        _ => None,
    }
}

fn at_most_a_tenth(count: u64, all: u64) -> bool {
    count * 10 <= all
}

fn at_least_nine_tenths(count: u64, all: u64) -> bool {
    count * 10 >= all * 9
}

/// Returns the longest of some times in ns, or the time `longest_ns` if that is longer. Of times below an hour it may be
/// any time below an hour.
pub(super) fn longest_of(longest_ns: i64, times_ns: &[i64]) -> i64 {
    // No time has a bit that is not in the union, which is quick to form.
    let union = times_ns.iter().fold(0, |union, time_ns| union | time_ns);
    if union < HOUR_NS {
        return longest_ns;
    }
    times_ns.iter().fold(longest_ns, |longest_ns, time_ns| longest_ns.max(*time_ns))
}

/// Returns a note on the longest response or service time of a trace if no device can be so slow.
pub(super) fn of_longest(longest_ns: i64) -> Option<String> {
    let hours = longest_ns / HOUR_NS;
    (hours > 0).then(|| {
        format!(
            "response times look wrong: the longest is {hours} hours; check the unit of the response times"
        )
    })
}

/// Returns notes on implausible times. `first_ns` and `last_ns` are the first and the last arrival
/// by the clock of the file; `times` tells from which point this clock counts.
pub(super) fn of_times(times: Times, first_ns: i64, last_ns: i64, requests: u64) -> Vec<String> {
    let mut notes = Vec::new();
    let mut wrong =
        |what: String| notes.push(format!("times look wrong: {what}; check the unit of the times"));
    if times == Times::OfDay && !(EARLIEST_NS..LATEST_NS).contains(&first_ns) {
        let year = 1970 + first_ns.div_euclid(YEAR_NS);
        wrong(format!("the first request came in the year {year}"));
    }
    if times == Times::FromStart && first_ns > YEAR_NS {
        let years = first_ns / YEAR_NS;
        wrong(format!("the first request came {years} years after time 0"));
    }
    let span_ns = last_ns.saturating_sub(first_ns);
    if span_ns > 100 * YEAR_NS {
        let years = span_ns / YEAR_NS;
        wrong(format!("the trace spans {years} years"));
    } else if requests >= REQUESTS_MIN && span_ns / requests.cast_signed() > GAP_MAX_NS {
        wrong(format!("{requests} requests came in {} hours", span_ns / HOUR_NS));
    }
    let rate_per_s = requests as f64 / (span_ns as f64 * 1e-9);
    if requests >= REQUESTS_MIN && span_ns > 0 && rate_per_s > RATE_MAX_PER_S {
        wrong(format!("{requests} requests came in {span_ns} ns, which is {rate_per_s:.1e} per second"));
    }
    notes
}

/// Returns a note if many rows of a file are requests without data, which are left out.
pub(super) fn of_empty(empty: u64, requests: u64) -> Option<String> {
    let all = requests + empty;
    (all >= REQUESTS_MIN && empty * 10 > all).then(|| {
        format!(
            "{empty} of {all} requests have no data, and are left out; check the column or unit of the sizes"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(place: Unit, size: Unit, requests: impl Iterator<Item = (u64, u64)>) -> Vec<String> {
        let mut extents = Extents::new(place, size);
        let mut about = TraceInfo::default();
        requests.for_each(|(place, size)| assert!(extents.add(place, size, &mut about)));
        extents.add_notes(&mut about);
        about.notes()
    }

    /// Positions and sizes of requests of 4 or 8 KiB at scattered places, once in sectors and once in
    /// bytes.
    fn sectors() -> impl Iterator<Item = (u64, u64)> {
        (1..100).map(|at| (at * at * 7919 * 8 % 1_000_000, 8 + at % 2 * 8))
    }

    fn bytes() -> impl Iterator<Item = (u64, u64)> {
        sectors().map(|(place, size)| (place * 512, size * 512))
    }

    #[test]
    fn right_units_are_not_suspected() {
        assert!(notes(Unit::Bytes, Unit::Bytes, bytes()).is_empty());
        assert!(notes(Unit::Sectors, Unit::Sectors, sectors()).is_empty());
        let spc = bytes().map(|(place, size)| (place / 512, size));
        assert!(notes(Unit::Sectors, Unit::Bytes, spc).is_empty());
    }

    #[test]
    fn large_requests_one_behind_the_other_are_not_suspected() {
        let in_bytes = (0..100).map(|at| (at * 1_048_576, 1_048_576));
        assert!(notes(Unit::Bytes, Unit::Bytes, in_bytes).is_empty());
        let in_sectors = (0..100).map(|at| (at * 512, 512));
        assert!(notes(Unit::Sectors, Unit::Sectors, in_sectors).is_empty());
    }

    #[test]
    fn sectors_where_bytes_belong_and_bytes_where_sectors_belong_are_suspected() {
        let said = notes(Unit::Bytes, Unit::Bytes, sectors());
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0]
            .starts_with("sizes look like 512-byte sectors, but are read as bytes: of 99 sizes, 0 are"));
        assert!(said[1]
            .starts_with("positions look like 512-byte sectors, but are read as bytes: of 99 positions"));
        let said = notes(Unit::Sectors, Unit::Sectors, bytes());
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0]
            .starts_with("sizes look like bytes, but are read as 512-byte sectors: of 99 sizes, 99 are"));
        assert!(said[1]
            .starts_with("positions look like bytes, but are read as 512-byte sectors: of 99 positions"));
    }

    #[test]
    fn places_alone_can_be_in_the_wrong_unit() {
        let places = |said: Vec<String>| said.len() == 1 && said[0].starts_with("positions look like");
        let in_sectors = bytes().map(|(place, size)| (place / 512, size));
        assert!(places(notes(Unit::Bytes, Unit::Bytes, in_sectors)));
        assert!(places(notes(Unit::Sectors, Unit::Bytes, bytes())));
    }

    /// Checks the limits: the unit is taken as bytes if at least nine in ten sizes are whole sectors, and
    /// as sectors if at most one in ten is.
    #[test]
    fn up_to_one_in_ten_may_be_otherwise() {
        for whole in 0..=100 {
            let sizes = |all: [u64; 2]| (0..100).map(move |at| (0, all[usize::from(at >= whole)]));
            let said = notes(Unit::Other, Unit::Sectors, sizes([4096, 4000]));
            assert_eq!(said.len(), usize::from(whole >= 90), "{whole} of 100: {said:?}");
            let said = notes(Unit::Other, Unit::Bytes, sizes([1024, 8]));
            assert_eq!(said.len(), usize::from(whole <= 10), "{whole} of 100: {said:?}");
        }
    }

    #[test]
    fn a_few_requests_say_nothing() {
        for requests in 0..20 {
            let said = notes(Unit::Bytes, Unit::Bytes, sectors().take(requests));
            assert_eq!(said.is_empty(), requests < 8, "{requests}: {said:?}");
        }
    }

    /// Checks that positions of 0 are no evidence for a unit, and that positions from 1 on are.
    #[test]
    fn places_count_from_1_on() {
        for last in 0..20 {
            let said = notes(Unit::Bytes, Unit::Other, (0..=last).map(|place| (place, 4096)));
            let expected = format!(
                "positions look like 512-byte sectors, but are read as bytes: of {last} positions above 0, 0 are multiples of 512"
            );
            assert_eq!(said, if last < 8 { vec![] } else { vec![expected] });
        }
    }

    #[test]
    fn responses_of_hours_are_suspected() {
        assert_eq!(of_longest(HOUR_NS - 1), None);
        assert_eq!(longest_of(0, &[5, HOUR_NS, 7]), HOUR_NS);
        assert!(of_longest(longest_of(0, &[HOUR_NS - 1, HOUR_NS / 2])).is_none());
        assert!(of_longest(7 * HOUR_NS).unwrap().contains("the longest is 7 hours"));
    }

    #[test]
    fn times_that_cannot_be_are_suspected() {
        let (year_2007, second) = (1_172_163_600_000_000_000, 1_000_000_000);
        assert!(of_times(Times::OfDay, year_2007, year_2007 + second, 1000).is_empty());
        assert!(of_times(Times::FromStart, 0, second, 1000).is_empty());
        for (times, first_ns, last_ns, said) in [
            (Times::OfDay, second, 2 * second, "the first request came in the year 1970"),
            (Times::OfDay, 200 * YEAR_NS, 200 * YEAR_NS, "the first request came in the year 2170"),
            (Times::FromStart, 128_166_372_003_061_629, 128_166_372_003_061_629, "came 4 years after time 0"),
            (Times::FromStart, 0, 150 * YEAR_NS, "the trace spans 150 years"),
            (Times::FromStart, 0, 1000, "1000 requests came in 1000 ns, which is 1.0e9 per second"),
        ] {
            let notes = of_times(times, first_ns, last_ns, 1000);
            assert!(notes.len() == 1 && notes[0].contains(said), "{said}: {notes:?}");
        }
    }
}
