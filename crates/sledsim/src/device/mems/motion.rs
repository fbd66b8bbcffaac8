//! The motion of the sled between places where an access can begin or end.

use crate::mechanics::{Axis, SeekModel, SEEK_MODELS};
use crate::media::Geometry;
use crate::params::MemsParams;
use crate::time::Span;

/// Above this many rows the times between their ends are computed each time instead of looked up: the
/// table has the square of four times as many entries.
const TABLE_ROWS_MAX: u64 = 512;

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

/// A row boundary passed in one direction: an access begins at one and ends at another.
///
/// Passed upwards, boundary r is where row r begins and row r - 1 ends. Downwards a row ends with the servo
/// burst above it, so that every boundary lies one servo burst higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boundary {
    pub(super) row: u32,
    pub(super) direction: Direction,
}

/// Where the sled is in y, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PlaceY {
    /// At access speed through a row boundary.
    At(Boundary),
    /// At access speed anywhere.
    Moving { y_m: f64, direction: Direction },
    /// At rest in the centre.
    Parked,
}

/// Where the sled is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) x_m: f64,
    pub(super) y: PlaceY,
}

/// The parts of a motion in x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CostX {
    pub(super) total: Span,
    pub(super) seek: Span,
}

/// The parts of a motion in y, in nanoseconds: kept small, for the table of them all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CostY {
    total_ns: u32,
    turnaround_ns: u32,
    turnarounds: u16,
}

/// Both axes of a sled, and the times between all row boundaries.
pub(super) struct Motion {
    geometry: Geometry,
    seek_x: Box<dyn SeekModel>,
    seek_y: Box<dyn SeekModel>,
    axis_y: Axis,
    pub(super) speed_m_per_s: f64,
    settle_s: f64,
    row_s: f64,
    table: Vec<CostY>,
    /// The totals of the table once more: this is what planning looks at, and it stays in the nearest cache.
    totals_ns: Vec<u32>,
}

impl Motion {
    pub(super) fn new(params: &MemsParams, geometry: &Geometry) -> Self {
        let axis = |stroke_nm: u64| {
            Axis::new(params.acceleration_m_per_s2, params.spring_factor, stroke_nm as f64 * 1e-9)
        };
        let model = SEEK_MODELS
            .iter()
            .find(|row| row.name == params.seek_model)
            .expect("checked when the parameters were read");
        let mut motion = Self {
            geometry: *geometry,
            seek_x: (model.build)(axis(params.stroke_x_nm)),
            seek_y: (model.build)(axis(params.stroke_y_nm)),
            axis_y: axis(params.stroke_y_nm),
            speed_m_per_s: params.access_velocity_mm_per_s * 1e-3,
            settle_s: params.settle_s(),
            row_s: geometry.bits_m(geometry.row_bits as i64) / (params.access_velocity_mm_per_s * 1e-3),
            table: Vec::new(),
            totals_ns: Vec::new(),
        };
        if geometry.rows_per_track <= TABLE_ROWS_MAX {
            motion.table = motion.boundaries().flat_map(|from| motion.costs_from(from)).collect();
            motion.totals_ns = motion.table.iter().map(|cost| cost.total_ns).collect();
        }
        motion
    }

    /// Every row boundary, in the order of [`Self::index`].
    pub(super) fn boundaries(&self) -> impl Iterator<Item = Boundary> + Clone {
        let rows = self.geometry.rows_per_track as u32;
        Direction::BOTH
            .into_iter()
            .flat_map(move |direction| (0..=rows).map(move |row| Boundary { row, direction }))
    }

    pub(super) fn row_count(&self) -> u32 {
        self.geometry.rows_per_track as u32
    }

    fn index(&self, boundary: Boundary) -> usize {
        let rows = self.geometry.rows_per_track as usize;
        boundary.direction as usize * (rows + 1) + boundary.row as usize
    }

    fn costs_from(&self, from: Boundary) -> Vec<CostY> {
        let from = (self.boundary_m(from), from.direction.sign());
        self.boundaries().map(|to| self.cost_y(from, (self.boundary_m(to), to.direction.sign()))).collect()
    }

    /// Where the sled is when it passes a row boundary.
    pub(super) fn boundary_m(&self, boundary: Boundary) -> f64 {
        let servo = if boundary.direction == Direction::Up { 0 } else { self.geometry.servo_bits as i64 };
        self.geometry.bits_m(self.geometry.row_bits_from_centre(u64::from(boundary.row)) + servo)
    }

    pub(super) fn cylinder_m(&self, cylinder: u64) -> f64 {
        self.geometry.bits_m(self.geometry.x_bits(cylinder))
    }

    /// The middle cylinder and row boundary, upwards.
    pub(super) fn centre(&self) -> Place {
        let boundary = Boundary { row: self.geometry.rows_per_track as u32 / 2, direction: Direction::Up };
        Place { x_m: self.cylinder_m(self.geometry.cylinders / 2), y: PlaceY::At(boundary) }
    }

    /// Seconds that a row of tip sectors passes under the tips (002-F9).
    pub(super) fn row_s(&self) -> f64 {
        self.row_s
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

    pub(super) fn rest_seek_y_s(&self, y0_m: f64, y1_m: f64) -> f64 {
        self.seek_y.seek_s(y0_m, y1_m, 0.0)
    }

    pub(super) fn axis_y(&self) -> &Axis {
        &self.axis_y
    }

    pub(super) fn turnaround_s(&self, y_m: f64, d: f64) -> f64 {
        self.axis_y.turnaround_s(y_m, d, self.speed_m_per_s)
    }

    pub(super) fn seek_y_s(&self, y0_m: f64, d0: f64, y1_m: f64, d1: f64) -> f64 {
        let (turnarounds_s, _) = self.turnarounds((y0_m, d0), (y1_m, d1));
        self.seek_y.seek_s(y0_m, y1_m, self.speed_m_per_s) + turnarounds_s
    }

    /// Time and number of turnarounds: one at the start if the sled moves away from its destination, one at
    /// the end if it must pass that the other way (000-D3, D4).
    fn turnarounds(&self, (y0_m, d0): (f64, f64), (y1_m, d1): (f64, f64)) -> (f64, u16) {
        let way = if y1_m == y0_m { d1 } else { (y1_m - y0_m).signum() };
        let (mut time_s, mut number) = (0.0, 0);
        if d0 != way {
            time_s += self.turnaround_s(y0_m, d0);
            number += 1;
        }
        if d1 != way {
            time_s += self.turnaround_s(y1_m, way);
            number += 1;
        }
        (time_s, number)
    }

    fn cost_y(&self, from: (f64, f64), to: (f64, f64)) -> CostY {
        let (turnarounds_s, turnarounds) = self.turnarounds(from, to);
        let seek_s = self.seek_y.seek_s(from.0, to.0, self.speed_m_per_s);
        CostY {
            total_ns: Span::from_s(seek_s + turnarounds_s).0 as u32,
            turnaround_ns: Span::from_s(turnarounds_s).0 as u32,
            turnarounds,
        }
    }

    /// The place of a pair of boundaries in the tables.
    fn pair(&self, from: Boundary, to: Boundary) -> usize {
        self.index(from) * 2 * (self.geometry.rows_per_track as usize + 1) + self.index(to)
    }

    fn y(&self, from: PlaceY, to: Boundary) -> CostY {
        if let PlaceY::At(boundary) = from {
            if let Some(cost) = self.table.get(self.pair(boundary, to)) {
                return *cost;
            }
        }
        let target = (self.boundary_m(to), to.direction.sign());
        match from {
            PlaceY::At(boundary) => {
                self.cost_y((self.boundary_m(boundary), boundary.direction.sign()), target)
            }
            PlaceY::Moving { y_m, direction } => self.cost_y((y_m, direction.sign()), target),
            PlaceY::Parked => self.rest_to(target),
        }
    }

    /// From rest in the centre: up to access speed in either direction, and on from there.
    fn rest_to(&self, target: (f64, f64)) -> CostY {
        Direction::BOTH
            .map(|direction| {
                let d = direction.sign();
                let launch = self.axis_y.launch(0.0, d, self.speed_m_per_s);
                let mut cost = self.cost_y((d * launch.distance_m, d), target);
                cost.total_ns += Span::from_s(launch.time_s).0 as u32;
                cost
            })
            .into_iter()
            .min_by_key(|cost| cost.total_ns)
            .expect("there are two directions")
    }

    /// Getting to a row boundary in y, turnarounds included.
    #[inline]
    pub(super) fn y_total(&self, from: PlaceY, to: Boundary) -> Span {
        if let PlaceY::At(boundary) = from {
            if let Some(total_ns) = self.totals_ns.get(self.pair(boundary, to)) {
                return Span(u64::from(*total_ns));
            }
        }
        Span(u64::from(self.y(from, to).total_ns))
    }

    /// The same in parts: seek, turnarounds and their number.
    pub(super) fn y_parts(&self, from: PlaceY, to: Boundary) -> (Span, Span, u16) {
        let CostY { total_ns, turnaround_ns, turnarounds } = self.y(from, to);
        let seek_ns = total_ns.saturating_sub(turnaround_ns);
        (Span(u64::from(seek_ns)), Span(u64::from(turnaround_ns)), turnarounds)
    }

    /// Getting from one displacement in x to another and settling there; nothing if they are the same.
    pub(super) fn x(&self, from_m: f64, to_m: f64) -> CostX {
        if from_m == to_m {
            return CostX::default();
        }
        let seek_s = self.seek_x.seek_s(from_m, to_m, 0.0);
        CostX { total: Span::from_s(seek_s + self.settle_s), seek: Span::from_s(seek_s) }
    }
}
