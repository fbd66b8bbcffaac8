//! Motion times of the sled between the places where accesses begin and end.

use std::borrow::Cow;

use super::y_table::{CostY, LazyYTable, YTable};
use crate::error::Result;
use crate::mechanics::{SeekModel, State};
use crate::media::Geometry;
use crate::params::MemsParams;
use crate::request::Op;
use crate::time::Span;

/// Maximum number of rows in a track for which a table stores the times between row boundaries; on larger
/// devices each time is computed. The table has about (2 x rows)^2 entries.
const TABLE_ROWS_MAX: u64 = 512;

/// Number of seek times that are computed in one chunk.
const SEEKS_AT_ONCE: usize = 1024;

/// A direction of motion in y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

impl Direction {
    pub(super) const BOTH: [Self; 2] = [Self::Up, Self::Down];

    pub(super) fn sign(self) -> f64 {
        match self {
            Self::Up => 1.0,
            Self::Down => -1.0,
        }
    }
}

/// A row boundary that the sled passes in a given direction. Each access begins at one boundary and ends at
/// another.
///
/// Upwards, boundary r lies where row r - 1 ends and row r begins. Downwards, a row is accessed together
/// with the servo burst above it and not the one below it, so each boundary lies higher by one servo burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boundary {
    pub(super) row: u32,
    pub(super) direction: Direction,
}

/// The place of the sled in y, and whether it moves there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PlaceY {
    /// A row boundary that the sled passes at access velocity.
    At(Boundary),
    /// Any place that the sled passes at access velocity.
    Moving { y_m: f64, direction: Direction },
    /// The centre, where the sled is at rest.
    Parked,
}

/// The place of the sled in x and y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SledPlace {
    pub(super) x_m: f64,
    pub(super) y: PlaceY,
}

impl SledPlace {
    /// The place at displacement `x_m` in x (in metres) and at a row boundary in y.
    pub(super) fn at(x_m: f64, boundary: Boundary) -> Self {
        Self { x_m, y: PlaceY::At(boundary) }
    }
}

/// Time of a motion in x: in total, and without settling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CostX {
    pub(super) total: Span,
    pub(super) seek: Span,
}

/// The seek models of both axes, and a table of the times between all row boundaries.
pub(super) struct Motion {
    pub(super) geometry: Geometry,
    pub(super) seek_x: Box<dyn SeekModel>,
    seek_y: Box<dyn SeekModel>,
    pub(super) speed_m_per_s: f64,
    /// Settling time in seconds after a seek in x: before a read, and before a write. Both are 0 if the
    /// seek model includes settling.
    pub(super) settle_s: f64,
    pub(super) write_settle_s: f64,
    /// Time in seconds in which a row of tip sectors passes under the tips (002-F9).
    pub(super) row_s: f64,
    table: LazyYTable,
}

impl Motion {
    pub(super) fn new(params: &MemsParams, geometry: &Geometry) -> Result<Self> {
        let [seek_x, seek_y] = params.seek_models()?;
        let rows = geometry.rows_per_track;
        let settling = |settle_s| if seek_x.settles() { settle_s } else { 0.0 };
        Ok(Self {
            geometry: *geometry,
            settle_s: settling(params.settle_s()),
            write_settle_s: settling(params.write_settle_s()),
            seek_x,
            seek_y,
            speed_m_per_s: params.access_velocity_mm_per_s * 1e-3,
            row_s: geometry.bits_m(geometry.row_bits as i64) / (params.access_velocity_mm_per_s * 1e-3),
            table: LazyYTable::new(if rows <= TABLE_ROWS_MAX { 2 * (rows as usize + 1) } else { 0 }),
        })
    }

    /// True if the device has few enough rows for a table of the times between row boundaries.
    pub(super) fn may_have_table(&self) -> bool {
        self.table.may_be()
    }

    /// The table of times between row boundaries; None until enough times have been computed one by one to
    /// make the table worth its cost.
    #[inline]
    fn table(&self) -> Option<&YTable> {
        self.table.get(|| self.boundaries().flat_map(|from| self.costs_from(from)).collect())
    }

    /// All row boundaries, in the order of their indices ([`Self::index`]).
    pub(super) fn boundaries(&self) -> impl Iterator<Item = Boundary> + Clone {
        let rows = self.geometry.rows_per_track as u32;
        Direction::BOTH
            .into_iter()
            .flat_map(move |direction| (0..=rows).map(move |row| Boundary { row, direction }))
    }

    pub(super) fn row_count(&self) -> u32 {
        self.geometry.rows_per_track as u32
    }

    pub(super) fn index(&self, boundary: Boundary) -> usize {
        let rows = self.geometry.rows_per_track as usize;
        boundary.direction as usize * (rows + 1) + boundary.row as usize
    }

    fn costs_from(&self, from: Boundary) -> impl Iterator<Item = CostY> + '_ {
        let from = self.state(from);
        self.boundaries().map(move |to| self.cost_y(from, self.state(to)))
    }

    /// Place and speed of a sled that passes a row boundary at access velocity.
    fn state(&self, boundary: Boundary) -> State {
        self.passing(self.boundary_m(boundary), boundary.direction.sign())
    }

    fn passing(&self, place_m: f64, d: f64) -> State {
        State { place_m, speed_m_per_s: d * self.speed_m_per_s }
    }

    /// Displacement in y of a row boundary, in metres.
    pub(super) fn boundary_m(&self, boundary: Boundary) -> f64 {
        let servo = if boundary.direction == Direction::Up { 0 } else { self.geometry.servo_bits as i64 };
        self.geometry.bits_m(self.geometry.row_bits_from_centre(u64::from(boundary.row)) + servo)
    }

    /// Displacement in y of the place `place`, in metres.
    pub(super) fn y_m(&self, place: PlaceY) -> f64 {
        match place {
            PlaceY::At(boundary) => self.boundary_m(boundary),
            PlaceY::Moving { y_m, .. } => y_m,
            PlaceY::Parked => 0.0,
        }
    }

    /// Displacements of the place `place` in micrometres, each with its name, as devices report them.
    pub(super) fn location(&self, place: SledPlace) -> Vec<(&'static str, f64)> {
        vec![("x_um", 1e6 * place.x_m), ("y_um", 1e6 * self.y_m(place.y))]
    }

    pub(super) fn cylinder_m(&self, cylinder: u64) -> f64 {
        self.geometry.bits_m(self.geometry.x_bits(cylinder))
    }

    /// The place of a sled that passes the middle row boundary of the middle cylinder upwards.
    pub(super) fn centre(&self) -> SledPlace {
        let boundary = Boundary { row: self.geometry.rows_per_track as u32 / 2, direction: Direction::Up };
        SledPlace { x_m: self.cylinder_m(self.geometry.cylinders / 2), y: PlaceY::At(boundary) }
    }

    pub(super) fn rows(&self, rows: u64) -> Span {
        Span::from_s(rows as i64 as f64 * self.row_s)
    }

    pub(super) fn seek_x_s(&self, x0_m: f64, x1_m: f64) -> f64 {
        if x0_m == x1_m {
            return 0.0;
        }
        self.seek_x.seek_s(x0_m, x1_m, 0.0) + self.settle_s
    }

    /// Computes many seek times in x in seconds, including settling. Chunks are small enough for the
    /// processor's cache.
    pub(super) fn seeks_x_s(&self, x0_m: &[f64], x1_m: &[f64], out: &mut [f64]) {
        let parts = out.chunks_mut(SEEKS_AT_ONCE).zip(x0_m.chunks(SEEKS_AT_ONCE));
        for ((out, x0_m), x1_m) in parts.zip(x1_m.chunks(SEEKS_AT_ONCE)) {
            self.seek_x.seeks_s(x0_m, x1_m, 0.0, out);
            for ((time_s, x0_m), x1_m) in out.iter_mut().zip(x0_m).zip(x1_m) {
                *time_s += if x0_m == x1_m { 0.0 } else { self.settle_s };
            }
        }
    }

    /// Computes seek times in x in seconds, including settling, between `from_m` and each of `others_m`:
    /// `out[i][0]` there, and `out[i][1]` back.
    pub(super) fn both_ways_s(&self, from_m: f64, others_m: &[f64], out: &mut [[f64; 2]]) {
        let from_m = vec![from_m; others_m.len()];
        let mut times_s = vec![0.0; others_m.len()];
        self.seeks_x_s(&from_m, others_m, &mut times_s);
        for (both, there_s) in out.iter_mut().zip(&times_s) {
            *both = [*there_s; 2];
        }
        if self.seek_x.is_symmetric() {
            return;
        }
        self.seeks_x_s(others_m, &from_m, &mut times_s);
        for (both, back_s) in out.iter_mut().zip(&times_s) {
            both[1] = *back_s;
        }
    }

    /// Time in seconds to come to rest at `y1_m`, for a sled that passes `y0_m` at access velocity in
    /// direction `d0`.
    pub(super) fn stop_y_s(&self, y0_m: f64, d0: f64, y1_m: f64) -> f64 {
        self.seek_y.move_s(self.passing(y0_m, d0), State::at_rest(y1_m))
    }

    pub(super) fn turnaround_s(&self, y_m: f64, d: f64) -> f64 {
        self.seek_y_s(y_m, d, y_m, -d)
    }

    pub(super) fn seek_y_s(&self, y0_m: f64, d0: f64, y1_m: f64, d1: f64) -> f64 {
        self.seek_y.move_s(self.passing(y0_m, d0), self.passing(y1_m, d1))
    }

    /// Time of a motion in y from one state of motion to another. All time beyond the seek itself counts as
    /// turnarounds.
    fn cost_y(&self, from: State, to: State) -> CostY {
        let total_s = self.seek_y.move_s(from, to);
        let seek_s = self.seek_y.seek_s(from.place_m, to.place_m, self.speed_m_per_s);
        CostY {
            total_ns: Span::from_s(total_s).0 as u32,
            turnaround_ns: Span::from_s((total_s - seek_s).max(0.0)).0 as u32,
            turnarounds: from.turnarounds_to(to),
        }
    }

    /// Place and speed of the sled at the place `place`.
    fn state_at(&self, place: PlaceY) -> State {
        match place {
            PlaceY::At(boundary) => self.state(boundary),
            PlaceY::Moving { y_m, direction } => self.passing(y_m, direction.sign()),
            PlaceY::Parked => State::at_rest(0.0),
        }
    }

    fn total_ns(&self, from: State, to: State) -> u32 {
        Span::from_s(self.seek_y.move_s(from, to)).0 as u32
    }

    fn y(&self, from: PlaceY, to: Boundary) -> CostY {
        if let (PlaceY::At(boundary), Some(table)) = (from, self.table()) {
            return table.cost(self.index(boundary), self.index(to));
        }
        let (state, target) = (self.state_at(from), self.state(to));
        match from {
            PlaceY::Parked => CostY { total_ns: self.total_ns(state, target), ..CostY::default() },
            _ => self.cost_y(state, target),
        }
    }

    /// Time in y from a place to a row boundary, including turnarounds.
    #[inline]
    pub(super) fn y_total(&self, from: PlaceY, to: Boundary) -> Span {
        let total_ns = match (from, self.table()) {
            (PlaceY::At(boundary), Some(table)) => table.total_ns(self.index(boundary), self.index(to)),
            _ => self.total_ns(self.state_at(from), self.state(to)),
        };
        Span(u64::from(total_ns))
    }

    /// Times in nanoseconds in y from a place to all row boundaries, by the indices of the boundaries,
    /// including turnarounds.
    pub(super) fn y_totals_ns(&self, from: PlaceY) -> Cow<'_, [u32]> {
        match (from, self.table()) {
            (PlaceY::At(boundary), Some(table)) => Cow::Borrowed(table.totals_from(self.index(boundary))),
            _ => self.boundaries().map(|to| self.y_total(from, to).0 as u32).collect(),
        }
    }

    /// True if the operation `op` settles longer than the other operation (read or write).
    pub(super) fn settles_longer(&self, op: Op) -> bool {
        self.settle_of(op) > self.settle_s.min(self.write_settle_s)
    }

    fn settle_of(&self, op: Op) -> f64 {
        match op {
            Op::Read => self.settle_s,
            Op::Write => self.write_settle_s,
        }
    }

    /// The time in y from a place to a row boundary, in three numbers: time of the seek, time of
    /// turnarounds, and number of turnarounds.
    pub(super) fn y_parts(&self, from: PlaceY, to: Boundary) -> (Span, Span, u16) {
        let CostY { total_ns, turnaround_ns, turnarounds } = self.y(from, to);
        let seek_ns = total_ns.saturating_sub(turnaround_ns);
        (Span(u64::from(seek_ns)), Span(u64::from(turnaround_ns)), turnarounds)
    }

    /// Time of a motion in x between two displacements, including settling for `op`; zero if the
    /// displacements are equal.
    #[inline]
    pub(super) fn x(&self, from_m: f64, to_m: f64, op: Op) -> CostX {
        if from_m == to_m {
            return CostX::default();
        }
        let seek_s = self.seek_x.seek_s(from_m, to_m, 0.0);
        CostX { total: Span::from_s(seek_s + self.settle_of(op)), seek: Span::from_s(seek_s) }
    }

    /// Shortest time of a motion in x between two displacements: it includes the settling time of the
    /// operation (read or write) that settles faster.
    #[inline]
    pub(super) fn x_at_least(&self, from_m: f64, to_m: f64) -> Span {
        if from_m == to_m {
            return Span::ZERO;
        }
        Span::from_s(self.seek_x.seek_s(from_m, to_m, 0.0) + self.settle_s.min(self.write_settle_s))
    }
}
