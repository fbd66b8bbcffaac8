//! Tables of seek times: by distance, or by the place at the start and at the end.

use super::seek_model::LONGEST_SEEK_S;
use crate::error::{ensure, Error, Result};

/// A table of seek times that are interpolated. Places and distances are in metres, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasuredTable {
    /// Pairs of distance and time, in ascending order of the distances.
    Distance(Vec<(f64, f64)>),
    /// Places in ascending order, and the time from each place to each place: one row of the matrix for
    /// each start, and one column for each end.
    Places(Vec<f64>, Vec<f64>),
}

impl MeasuredTable {
    /// Creates a table from rows of `distance, time`, or of `from, to, time` with each pair of places once;
    /// lengths are in um and times in ms. `stroke_m` is the stroke of the sled in metres, and `key` the
    /// name of the table for error messages.
    ///
    /// # Errors
    /// The rows have different lengths; a distance or a pair of places is missing or occurs twice; the
    /// table does not cover the whole stroke; a time is negative; or a time is shorter than that for a
    /// smaller distance.
    pub fn new(key: &str, rows: &[Vec<f64>], stroke_m: f64) -> Result<Self> {
        let fault = |text: String| Err(Error::Parameter(text).at(key));
        if let Some(row) = rows.iter().find(|row| row.iter().any(|value| !value.is_finite())) {
            return fault(format!("expected numbers, found {row:?}"));
        }
        let longest_ms = LONGEST_SEEK_S * 1e3;
        if let Some(row) = rows.iter().find(|row| row.last().is_some_and(|ms| *ms > longest_ms)) {
            return fault(format!("expected times of at most {longest_ms} ms, found {row:?}"));
        }
        let table = match rows.first().map(Vec::len) {
            Some(2) if rows.iter().all(|row| row.len() == 2) => by_distance(rows),
            Some(3) if rows.iter().all(|row| row.len() == 3) => by_places(rows),
            _ => {
                return fault(
                    "expected only rows of [distance_um, ms], or only rows of [from_um, to_um, ms]".into(),
                )
            }
        };
        table.and_then(|table| table.covers(stroke_m).map(|()| table)).or_else(fault)
    }

    pub(super) fn covers(&self, stroke_m: f64) -> std::result::Result<(), String> {
        // Tolerance below a picometre, because the stroke is in whole nanometres and the table in
        // decimal fractions of micrometres.
        let near = 1e-12;
        match self {
            Self::Distance(points) => {
                let (first, last) = (points[0], points[points.len() - 1]);
                if first.0 != 0.0 || last.0 < stroke_m - near {
                    return Err(format!(
                        "expected distances from 0 to the whole stroke of {} um, found {} to {}",
                        um(stroke_m),
                        um(first.0),
                        um(last.0)
                    ));
                }
            }
            Self::Places(places, _) => {
                let (first, last) = (places[0], places[places.len() - 1]);
                if first > -stroke_m / 2.0 + near || last < stroke_m / 2.0 - near {
                    return Err(format!(
                        "expected positions from {} to {} um from the centre, found {} to {}",
                        um(-stroke_m / 2.0),
                        um(stroke_m / 2.0),
                        um(first),
                        um(last)
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn time_s(&self, from_m: f64, to_m: f64) -> f64 {
        match self {
            Self::Distance(points) => {
                let distance_m = (to_m - from_m).abs();
                let (at, part) = between(points, distance_m, |point| point.0);
                points[at].1 + part * (points[at + 1].1 - points[at].1)
            }
            Self::Places(places, times_s) => {
                let (row, down) = between(places, from_m, |place| *place);
                let (column, along) = between(places, to_m, |place| *place);
                let time = |row: usize, column: usize| times_s[row * places.len() + column];
                let across = |row| time(row, column) + along * (time(row, column + 1) - time(row, column));
                across(row) + down * (across(row + 1) - across(row))
            }
        }
    }
}

/// Converts metres to um, rounded to whole picometres, as users write lengths.
pub(super) fn um(m: f64) -> f64 {
    (m * 1e12).round() / 1e6
}

/// Index of the interval in an ascending sequence in which `value` lies, and the place of `value` in it as
/// a fraction from 0 to 1. A value beyond the sequence counts as its nearest end.
pub(super) fn between<T>(points: &[T], value: f64, at: impl Fn(&T) -> f64) -> (usize, f64) {
    let high = points.partition_point(|point| at(point) <= value).clamp(1, points.len() - 1);
    let [from, to] = [high - 1, high].map(|index| at(&points[index]));
    (high - 1, ((value - from) / (to - from)).clamp(0.0, 1.0))
}

pub(super) fn by_distance(rows: &[Vec<f64>]) -> std::result::Result<MeasuredTable, String> {
    let mut points: Vec<(f64, f64)> = rows.iter().map(|row| (row[0] * 1e-6, row[1] * 1e-3)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    ensure!(points.len() >= 2, "expected at least two rows, each with another distance".into());
    for pair in points.windows(2) {
        let [(before_m, before_s), (m, s)] = [pair[0], pair[1]];
        if m == before_m || s < before_s || before_s < 0.0 {
            return Err(format!(
                "expected times that grow with the distance, found {} ms for {} um and {} ms for {} um",
                before_s * 1e3,
                um(before_m),
                s * 1e3,
                um(m)
            ));
        }
    }
    Ok(MeasuredTable::Distance(points))
}

pub(super) fn by_places(rows: &[Vec<f64>]) -> std::result::Result<MeasuredTable, String> {
    // Adding 0 turns -0 into 0.
    let place_m = |um: f64| um * 1e-6 + 0.0;
    let mut places: Vec<f64> = rows.iter().map(|row| place_m(row[0])).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut times_s = vec![f64::NAN; places.len() * places.len()];
    for row in rows {
        let index = |um: f64| places.binary_search_by(|place| place.total_cmp(&place_m(um)));
        let (Ok(from), Ok(to)) = (index(row[0]), index(row[1])) else {
            return Err(format!(
                "a seek ends at {} um from the centre, but no row has a seek that starts there",
                row[1]
            ));
        };
        let time_s = &mut times_s[from * places.len() + to];
        if !time_s.is_nan() || row[2] < 0.0 {
            return Err(format!(
                "from {} to {} um: expected exactly one row, with a time of 0 ms or more",
                row[0], row[1]
            ));
        }
        *time_s = row[2] * 1e-3;
    }
    if let Some(missing) = times_s.iter().position(|time_s| time_s.is_nan()) {
        let (from, to) = (um(places[missing / places.len()]), um(places[missing % places.len()]));
        return Err(format!(
            "expected a time for each pair of positions, found no row from {from} to {to} um"
        ));
    }
    ensure!(places.len() >= 2, "expected rows for at least two positions".into());
    Ok(MeasuredTable::Places(places, times_s))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of both kinds may list their rows in any order.
    #[test]
    fn the_order_of_rows_is_no_matter() {
        let by_distance = [[0.0, 0.1], [10.0, 0.3], [40.0, 0.4], [100.0, 0.9]].map(Vec::from);
        let by_places =
            [[-50.0, -50.0, 0.1], [-50.0, 50.0, 0.9], [50.0, -50.0, 0.8], [50.0, 50.0, 0.2]].map(Vec::from);
        for rows in [by_distance, by_places] {
            let table = MeasuredTable::new("measured_x", &rows, 100e-6).unwrap();
            for order in [[3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
                let rows = order.map(|at: usize| rows[at].clone());
                assert_eq!(MeasuredTable::new("measured_x", &rows, 100e-6).unwrap(), table, "{rows:?}");
            }
        }
    }
}
