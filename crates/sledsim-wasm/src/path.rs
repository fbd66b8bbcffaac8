//! Computes the path of the sled during a service from the durations of the service's phases.
//!
//! A device reports only the duration of each phase, and the position of the sled at the end of the service.
//! The module reconstructs the path for drawing. In x, the sled seeks and then settles. In y, the seek begins
//! late enough for the sled to reach the first row at access velocity exactly at the end of positioning. A
//! drawn seek is the fastest motion of the actuators, stretched to the duration from the device's seek model.

use serde::Serialize;
use sledsim::device::mems::Mems;
use sledsim::device::Service;
use sledsim::error::Result;
use sledsim::mechanics::{Axis, Profile, SlewLimited, State};
use sledsim::params::MemsParams;
use sledsim::request::Request;
use sledsim::time::Span;

/// Time in seconds in which the actuators reach their full force, if the device has no such parameter. It is
/// far shorter than any seek.
const RISE_S: f64 = 1e-6;
/// Number of points on the drawn path of a seek.
const POINTS: u32 = 12;
/// Distance in metres below which two positions count as equal. The length of a bit is greater.
const NEAR_M: f64 = 1e-9;

/// Position of the sled in micrometres from the centre of its travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub x_um: f64,
    pub y_um: f64,
}

/// A path of straight lines between points. A point has a time in ns from the start of the service, and a
/// position in micrometres from the centre.
#[derive(Debug, Default, Serialize)]
pub struct Path {
    pub after_ns: Vec<u64>,
    pub x_um: Vec<f64>,
    pub y_um: Vec<f64>,
}

impl Path {
    fn put(&mut self, after_s: f64, x_m: f64, y_m: f64) {
        self.after_ns.push((after_s * 1e9).round() as u64);
        // Round to a hundredth of a nanometre to keep the texts short.
        let um = |metres: f64| (metres * 1e11).round() / 1e5;
        self.x_um.push(um(x_m));
        self.y_um.push(um(y_m));
    }
}

/// The properties of a device's sled that determine its paths.
pub struct Sled {
    mems: Mems,
    motions: [(Axis, SlewLimited); 2],
    speed_m_per_s: f64,
}

/// Consecutive rows of a track.
#[derive(Clone, Copy)]
struct Rows {
    cylinder: u32,
    track: [u32; 2],
    first: u32,
    count: u32,
}

/// Rows that pass under the tips in one motion of the sled along y at access velocity.
struct Sweep {
    x_m: f64,
    from: State,
    to: State,
    rows: u32,
}

impl Sled {
    /// Return the properties of the sled of a device.
    ///
    /// # Errors
    /// The parameters of the device contradict each other.
    pub fn new(params: &MemsParams) -> Result<Self> {
        let rise_s = params.actuator_rise_ms.map_or(RISE_S, |rise_ms| rise_ms * 1e-3);
        let motions = params.seek_models()?.map(|model| {
            let axis = *model.axis();
            (axis, SlewLimited::new(axis, axis.acceleration_m_per_s2 / rise_s))
        });
        let speed_m_per_s = params.access_velocity_mm_per_s * 1e-3;
        Ok(Self { mems: Mems::new(params)?, motions, speed_m_per_s })
    }

    /// Return the path of the sled during a service, from its last position `from` to its final position
    /// `to`.
    pub fn path(&self, request: &Request, service: &Service, from: Place, to: Place) -> Path {
        let lead_s = (service.command + service.wait).as_s();
        let there_s = lead_s + service.positioning.as_s();
        let [x_m, y_m] = [from.x_um * 1e-6, from.y_um * 1e-6];
        let sweeps = self.sweeps(request, service, to);
        let (first_x_m, first_y) = match sweeps.first() {
            Some(sweep) => (sweep.x_m, sweep.from),
            // The rows of the blocks are unknown: draw a single move.
            None => (to.x_um * 1e-6, self.passing(to.y_um * 1e-6, f64::from(service.direction))),
        };
        let x = self.leg(0, State::at_rest(x_m), State::at_rest(first_x_m), service.seek_x);
        let y = self.leg(1, self.came(y_m, first_y, service), first_y, service.seek_y + service.turnaround);
        let mut path = Path::default();
        path.put(0.0, x_m, y_m);
        for after_s in times(lead_s, there_s, [x.lasts_s, y.lasts_s]) {
            path.put(after_s, x.at(after_s - lead_s), y.at(after_s - (there_s - y.lasts_s)));
        }
        self.pass(&mut path, there_s + service.hold.as_s(), &sweeps, service);
        path.put(service.total().as_s(), to.x_um * 1e-6, to.y_um * 1e-6);
        path
    }

    /// Append to `path` the sweeps over the rows of a request, and the moves from each sweep to the next. The
    /// first sweep begins at `begin_s` seconds.
    fn pass(&self, path: &mut Path, begin_s: f64, sweeps: &[Sweep], service: &Service) {
        let rows: u32 = sweeps.iter().map(|sweep| sweep.rows).sum();
        let row_s = service.transfer.as_s() / f64::from(rows.max(1));
        let switch_s = service.switching.as_s() / (sweeps.len().max(2) - 1) as f64;
        let mut now_s = begin_s;
        for (number, sweep) in sweeps.iter().enumerate() {
            if let Some(before) = number.checked_sub(1).map(|before| &sweeps[before]) {
                let lasts = Span::from_s(switch_s);
                let x = self.leg(0, State::at_rest(before.x_m), State::at_rest(sweep.x_m), lasts);
                let y = self.leg(1, before.to, sweep.from, lasts);
                for part in 1..POINTS {
                    let after_s = switch_s * f64::from(part) / f64::from(POINTS);
                    path.put(now_s + after_s, x.at(after_s), y.at(after_s));
                }
                now_s += switch_s;
            }
            path.put(now_s, sweep.x_m, sweep.from.place_m);
            now_s += row_s * f64::from(sweep.rows);
            path.put(now_s, sweep.x_m, sweep.to.place_m);
        }
    }

    fn passing(&self, place_m: f64, direction: f64) -> State {
        State { place_m, speed_m_per_s: direction * self.speed_m_per_s }
    }

    /// Return the motion of the sled in y before the service. The sled moves in the direction for which the
    /// service needs the reported number of turnarounds, or rests if this holds for neither direction.
    fn came(&self, y_m: f64, to: State, service: &Service) -> State {
        let ways = [1.0, -1.0].map(|direction| self.passing(y_m, direction));
        let found = ways.into_iter().find(|from| from.turnarounds_to(to) == service.turnarounds);
        found.unwrap_or(State::at_rest(y_m))
    }

    fn leg(&self, axis: usize, from: State, to: State, lasts: Span) -> Leg {
        let (axis, motion) = self.motions[axis];
        let profile = motion.profile(from, to);
        let profile = (profile.duration_s() > 0.0).then_some(profile);
        Leg { axis, from, to, profile, lasts_s: lasts.as_s() }
    }

    /// Return the sweeps over the rows of a request. Return no sweep if the last one does not end at the sled's
    /// final position `to`, which is the case for remapped blocks.
    fn sweeps(&self, request: &Request, service: &Service, to: Place) -> Vec<Sweep> {
        let mut sweeps: Vec<Sweep> = Vec::new();
        for rows in self.rows(request) {
            let x_m = self.mems.geometry().bits_m(self.mems.geometry().x_bits(u64::from(rows.cylinder)));
            let ways = [1.0, -1.0].map(|direction| self.sweep(x_m, rows, direction));
            let way = match sweeps.last() {
                None => usize::from(service.direction < 0),
                Some(before) => {
                    let [up, down] = [0, 1].map(|way| (ways[way].from.place_m - before.to.place_m).abs());
                    usize::from(down < up)
                }
            };
            sweeps.extend(ways.into_iter().nth(way));
        }
        let is_there = |last: &Sweep| {
            (last.x_m - to.x_um * 1e-6).abs() < NEAR_M && (last.to.place_m - to.y_um * 1e-6).abs() < NEAR_M
        };
        if sweeps.last().is_some_and(is_there) {
            sweeps
        } else {
            Vec::new()
        }
    }

    fn sweep(&self, x_m: f64, rows: Rows, direction: f64) -> Sweep {
        let geometry = self.mems.geometry();
        // A downward sweep ends with the servo burst above the row.
        let servo_bits = if direction > 0.0 { 0 } else { geometry.servo_bits as i64 };
        let boundary = |row: u32| {
            let bits = geometry.row_bits_from_centre(u64::from(row)) + servo_bits;
            self.passing(geometry.bits_m(bits), direction)
        };
        let [low, high] = [boundary(rows.first), boundary(rows.first + rows.count)];
        let [from, to] = if direction > 0.0 { [low, high] } else { [high, low] };
        Sweep { x_m, from, to, rows: rows.count }
    }

    /// Return the rows of a request in groups; each group consists of consecutive rows of a track.
    fn rows(&self, request: &Request) -> Vec<Rows> {
        let mut all: Vec<Rows> = Vec::new();
        let blocks = request.lbn..request.lbn + u64::from(request.blocks);
        for at in blocks.filter_map(|block| self.mems.locate(block).ok()) {
            let (cylinder, track) = (at.cylinder, [at.sled, at.track]);
            match all.last_mut() {
                Some(rows) if rows.cylinder == cylinder && rows.track == track && rows.reaches(at.row) => {
                    rows.take_in(at.row);
                }
                _ => all.push(Rows { cylinder, track, first: at.row, count: 1 }),
            }
        }
        all
    }
}

impl Rows {
    fn reaches(self, row: u32) -> bool {
        row + 1 >= self.first && row <= self.first + self.count
    }

    fn take_in(&mut self, row: u32) {
        let end = (self.first + self.count).max(row + 1);
        self.first = self.first.min(row);
        self.count = end - self.first;
    }
}

/// A motion of the sled along one axis.
struct Leg {
    axis: Axis,
    from: State,
    to: State,
    profile: Option<Profile>,
    lasts_s: f64,
}

impl Leg {
    /// Return the position of the sled at `after_s` seconds after the start of the motion.
    fn at(&self, after_s: f64) -> f64 {
        if after_s <= 0.0 {
            return self.from.place_m;
        }
        if after_s >= self.lasts_s {
            return self.to.place_m;
        }
        let share = after_s / self.lasts_s;
        match &self.profile {
            Some(profile) => profile.sample(&self.axis, self.from, share * profile.duration_s()).0,
            None => self.from.place_m + (self.to.place_m - self.from.place_m) * share,
        }
    }
}

/// Return the times in seconds of the points at which the move to the first row is drawn. They are evenly
/// spaced over the motion in x, which begins first, and over the motion in y, which ends last.
fn times(lead_s: f64, there_s: f64, [x_s, y_s]: [f64; 2]) -> Vec<f64> {
    let even = |begin_s: f64, lasts_s: f64| {
        (0..=POINTS).map(move |part| begin_s + lasts_s * f64::from(part) / f64::from(POINTS))
    };
    let mut all: Vec<f64> = even(lead_s, x_s).chain(even((there_s - y_s).max(lead_s), y_s)).collect();
    all.retain(|after_s| *after_s <= there_s);
    all.push(there_s);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}
