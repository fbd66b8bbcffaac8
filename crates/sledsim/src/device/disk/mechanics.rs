//! Arm, head switch and rotation.

use super::layout::{Layout, Track};
use crate::params::DiskParams;
use crate::request::Op;
use crate::time::{Span, Time, NANOS_PER_MS};

/// In a minute the platters make a whole number of turns, so that their angle is known exactly at any time: it is
/// counted in parts of a turn of which there are as many as nanoseconds in a minute.
const TURN: u64 = 60_000_000_000;
/// A head that is late by rounding only is in time.
const IN_TIME_NS: u64 = 3;

/// What moves.
#[derive(Clone, Debug)]
pub struct Mechanics {
    rpm: u64,
    /// Seek time by distance.
    seeks: Vec<Span>,
    head_switch: Span,
    write_settle_ns: i64,
}

/// A time in nanoseconds.
pub fn span(ms: f64) -> Span {
    Span((ms * NANOS_PER_MS).round() as u64)
}

impl Mechanics {
    /// Those of a drive.
    #[must_use]
    pub fn new(p: &DiskParams, layout: &Layout) -> Self {
        let seeks = (0..layout.cylinders()).map(|cylinders| span(seek_ms(p, f64::from(cylinders))));
        Self {
            rpm: p.rotation_rpm,
            seeks: seeks.collect(),
            head_switch: span(p.head_switch_ms),
            write_settle_ns: (p.write_settle_ms * NANOS_PER_MS).round() as i64,
        }
    }

    /// A turn of the platters, in nanoseconds.
    #[must_use]
    pub fn turn_ns(&self) -> f64 {
        TURN as f64 / self.rpm as f64
    }

    /// A turn of the platters, rounded.
    #[must_use]
    pub fn turn(&self) -> Span {
        Span(self.turn_ns().round() as u64)
    }

    /// From one track to another. The arm moves while heads are switched. The first track of a request needs at
    /// least the time to settle after a head switch, even where nothing moves; a write settles longer, or shorter.
    #[must_use]
    pub fn positioning(&self, from: Track, to: Track, op: Op, is_first: bool) -> Span {
        let seek = self.seeks[from.cylinder.abs_diff(to.cylinder) as usize];
        let switch = if is_first || from.head != to.head { self.head_switch } else { Span::ZERO };
        let longest = seek.max(switch);
        if op == Op::Read || longest == Span::ZERO {
            return longest;
        }
        Span(longest.0.saturating_add_signed(self.write_settle_ns))
    }

    /// When the start of a sector next passes under the head; before `now` by rounding at most.
    #[must_use]
    pub fn passage(&self, now: Time, slot: u32, sectors_per_track: u32) -> Time {
        let angle = now.0 % TURN * self.rpm % TURN;
        let slot_angle = u64::from(slot) * TURN / u64::from(sectors_per_track);
        let late = IN_TIME_NS * self.rpm;
        // From a little before now on, so that who is late by rounding does not wait for a turn.
        let ahead = (slot_angle + TURN + late - angle) % TURN;
        Time((now.0 + (ahead + self.rpm / 2) / self.rpm).saturating_sub(IN_TIME_NS))
    }
}

/// Straight lines between the points of the curve; beyond it the formula, or else the last line goes on.
fn seek_ms(p: &DiskParams, cylinders: f64) -> f64 {
    let curve = p.seek_curve.rows();
    let behind = curve.partition_point(|point| point[0] < cylinders);
    let formula = p.seek_formula.as_ref().and_then(|table| table.rows().first());
    match (behind, formula.map(Vec::as_slice)) {
        _ if cylinders == 0.0 => 0.0,
        (0, _) => curve[0][1],
        (behind, Some([limit, a, b, _, _])) if behind == curve.len() && cylinders < *limit => {
            a + b * cylinders.sqrt()
        }
        (behind, Some([_, _, _, c, e])) if behind == curve.len() => c + e * cylinders,
        _ => {
            let upper = behind.min(curve.len() - 1);
            let ([x0, y0], [x1, y1]) = (point(&curve[upper - 1]), point(&curve[upper]));
            y0 + (cylinders - x0) * (y1 - y0) / (x1 - x0)
        }
    }
}

fn point(row: &[f64]) -> [f64; 2] {
    [row[0], row[1]]
}
