//! Motions of a disk drive: seeks of the arm, head switches and rotation.

use super::track::Track;
use super::zoned_layout::ZonedLayout;
use crate::error::{Error, Result};
use crate::params::{DiskParams, LONGEST_MS};
use crate::request::Op;
use crate::time::{Span, Time, NANOS_PER_MS};

/// Number of units into which a full turn is divided to store angles as whole numbers: the number of
/// nanoseconds in a minute. At r turns per minute, platters turn by r units per nanosecond, so angles are
/// exact.
const TURN: u64 = 60_000_000_000;
/// Lateness of a head in nanoseconds that is ignored, because times are rounded.
const IN_TIME_NS: u64 = 3;

/// The moving parts: arm, heads and platters.
#[derive(Clone, Debug)]
pub struct Mechanics {
    rpm: u64,
    /// Seek times; the index is the distance in cylinders.
    seeks: Vec<Span>,
    /// Shortest seek time for each distance in cylinders (the index): of reads and writes, over this
    /// distance or any longer one.
    least_seeks: Vec<Span>,
    head_switch: Span,
    write_settle_ns: i64,
    /// True if any two sectors of a track begin to pass at different times even after rounding.
    slots_differ: bool,
}

/// Converts milliseconds to a span in nanoseconds.
pub fn span(ms: f64) -> Span {
    Span((ms * NANOS_PER_MS).round() as u64)
}

impl Mechanics {
    /// Computes the seek times and the rotation of a drive from its parameters and layout.
    ///
    /// # Errors
    /// The seek curve or formula gives a negative time for a distance on the drive, or a time above the
    /// maximum of a parameter.
    pub fn new(p: &DiskParams, layout: &ZonedLayout) -> Result<Self> {
        let seeks = (0..layout.cylinders).map(|cylinders| seek(p, cylinders)).collect::<Result<Vec<_>>>()?;
        let write_settle_ns = (p.write_settle_ms * NANOS_PER_MS).round() as i64;
        let mut least_seeks: Vec<Span> =
            seeks.iter().map(|seek| Span(seek.0.saturating_add_signed(write_settle_ns.min(0)))).collect();
        for at in (1..least_seeks.len()).rev() {
            least_seeks[at - 1] = least_seeks[at - 1].min(least_seeks[at]);
        }
        Ok(Self {
            rpm: p.rotation_rpm,
            seeks,
            least_seeks,
            head_switch: span(p.head_switch_ms),
            write_settle_ns,
            slots_differ: TURN / u64::from(layout.sectors_per_track_max())
                > (IN_TIME_NS + 1) * p.rotation_rpm,
        })
    }

    /// The shortest seek time over a distance of `cylinders` cylinders or more.
    #[must_use]
    pub fn least_seek(&self, cylinders: u32) -> Span {
        self.least_seeks.get(cylinders as usize).copied().unwrap_or_default()
    }

    /// Time of one turn of the platters in nanoseconds.
    #[must_use]
    pub fn turn_ns(&self) -> f64 {
        TURN as f64 / self.rpm as f64
    }

    /// Time of one turn of the platters, rounded to whole nanoseconds.
    #[must_use]
    pub fn turn(&self) -> Span {
        Span(self.turn_ns().round() as u64)
    }

    /// Time to move from track `from` to track `to`. A switch to another head overlaps the seek. A write
    /// adds its settling time, which may be negative, unless it stays on the same track.
    #[must_use]
    pub fn positioning(&self, from: Track, to: Track, op: Op) -> Span {
        let seek = self.seeks[from.cylinder.abs_diff(to.cylinder) as usize];
        let switch = if from.head == to.head { Span::ZERO } else { self.head_switch };
        let longest = seek.max(switch);
        if op == Op::Read || from == to {
            return longest;
        }
        Span(longest.0.saturating_add_signed(self.write_settle_ns))
    }

    /// The shortest time from a track to any track `cylinders` cylinders away. The flag is true if all
    /// these tracks take exactly this time and no two sectors of a track pass at the same time.
    pub(super) fn to_cylinder(&self, cylinders: u32, op: Op) -> (Span, bool) {
        let seek = self.seeks[cylinders as usize];
        if cylinders == 0 {
            return (seek, false);
        }
        let settle_ns = if op == Op::Read { 0 } else { self.write_settle_ns };
        (Span(seek.0.saturating_add_signed(settle_ns)), seek >= self.head_switch && self.slots_differ)
    }

    /// Time at which the sector in position `slot` of a track next begins to pass under the head. It may
    /// lie up to 3 ns before `now`, because times are rounded.
    #[must_use]
    pub fn passage(&self, now: Time, slot: u32, sectors_per_track: u32) -> Time {
        let slot_angle = u64::from(slot) * TURN / u64::from(sectors_per_track);
        let ahead = (slot_angle + TURN - self.angle(now)) % TURN;
        Time((now.0 + (ahead + self.rpm / 2) / self.rpm).saturating_sub(IN_TIME_NS))
    }

    /// The position of the sector that begins to pass first after `now`. The sectors with higher positions
    /// pass after it, and then the sectors from position 0 on.
    pub(super) fn first_slot(&self, now: Time, sectors_per_track: u32) -> u32 {
        let slot = (self.angle(now) * u64::from(sectors_per_track)).div_ceil(TURN) as u32;
        if slot == sectors_per_track {
            0
        } else {
            slot
        }
    }

    /// Angle under the head 3 ns before `now`, so that a head that is late only by rounding does not miss
    /// its sector and wait for a whole turn.
    fn angle(&self, now: Time) -> u64 {
        (now.0 % TURN * self.rpm + TURN - IN_TIME_NS * self.rpm) % TURN
    }
}

/// Seek time over a distance of `cylinders` cylinders.
fn seek(p: &DiskParams, cylinders: u32) -> Result<Span> {
    let ms = seek_ms(p, f64::from(cylinders));
    if (0.0..=LONGEST_MS).contains(&ms) {
        return Ok(span(ms));
    }
    let key = if p.seek_formula.is_some() { "seek_formula" } else { "seek_curve" };
    let found =
        format!("a seek over {cylinders} cylinders would take {ms} ms, expected 0 to {LONGEST_MS} ms");
    Err(Error::Parameter(found).at(key).at(p.name.as_str()))
}

/// Seek time in milliseconds: interpolated between the rows of the seek curve. Beyond its last row, the
/// formula applies or, without a formula, the line through the last two rows.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_disk;
    use crate::params::Rows;
    use proptest::prelude::*;

    fn mechanics() -> (DiskParams, Mechanics) {
        let params = load_disk("hp-c2247a");
        let mechanics = Mechanics::new(&params, &ZonedLayout::new(&params).unwrap()).unwrap();
        (params, mechanics)
    }

    #[test]
    fn seeks_follow_the_curve_and_then_the_formula() {
        let (_, mechanics) = mechanics();
        let seek_ms = |cylinders: usize| mechanics.seeks[cylinders].0 as f64 / NANOS_PER_MS;
        assert_eq!([seek_ms(0), seek_ms(1), seek_ms(10)], [0.0, 2.89, 4.99]);
        assert!((seek_ms(100) - (3.81 + 0.33 * 10.0)).abs() < 1e-6);
        assert!((seek_ms(300) - (7.75 + 0.0059 * 300.0)).abs() < 1e-6);
    }

    #[test]
    fn seeks_that_cannot_be_are_refused() {
        let layout = ZonedLayout::new(&load_disk("hp-c2247a")).unwrap();
        let error = |params: &DiskParams| Mechanics::new(params, &layout).err().unwrap().to_string();
        let (mut params, _) = mechanics();
        params.seek_formula = Some(Rows::Numbers(vec![vec![300.0, 3.81, 0.33, 7.75, 1e9]]));
        assert_eq!(
            error(&params),
            "hp-c2247a: seek_formula: a seek over 300 cylinders would take 300000000007.75 ms, expected 0 to 1000 ms"
        );
        params.seek_formula = None;
        params.seek_curve = Rows::Numbers(vec![vec![1.0, 2.0], vec![2.0, 0.5]]);
        assert!(error(&params).starts_with("hp-c2247a: seek_curve: a seek over 3 cylinders would take -1 ms"));
    }

    #[test]
    fn a_curve_goes_on_straight() {
        let (mut params, _) = mechanics();
        params.seek_formula = None;
        assert!((seek_ms(&params, 1.5) - (2.89 + 3.68) / 2.0).abs() < 1e-9);
        assert!((seek_ms(&params, 20.0) - (4.99 + 10.0 * (4.99 - 4.82))).abs() < 1e-9);
    }

    proptest! {
        /// Sectors of a track pass under the head one after another, from the first slot through a whole
        /// turn. At a later time, no sector passes earlier.
        #[test]
        fn slots_pass_in_their_order(now in 0_u64..1 << 62, later in 0_u64..20_000_000, per_track in 1_u32..1_000) {
            let (_, mechanics) = mechanics();
            let first = mechanics.first_slot(Time(now), per_track);
            let passes = |now, slot| mechanics.passage(Time(now), slot, per_track).max(Time(now));
            let order: Vec<u32> = (first..per_track).chain(0..first).collect();
            prop_assert!(order.is_sorted_by(|a, b| passes(now, *a) < passes(now, *b)));
            prop_assert!(order.iter().all(|slot| passes(now, *slot) <= passes(now + later, *slot)));
        }
    }

    #[test]
    fn heads_settle_where_something_moves_and_longer_before_writes() {
        let (_, mechanics) = mechanics();
        let (here, there) = (Track { cylinder: 7, head: 2 }, Track { cylinder: 7, head: 3 });
        let ms = |to, op| mechanics.positioning(here, to, op).0 as f64 / NANOS_PER_MS;
        assert_eq!(ms(here, Op::Read), 0.0);
        assert_eq!(ms(here, Op::Write), 0.0);
        assert_eq!(ms(there, Op::Read), 0.89);
        assert_eq!(ms(there, Op::Write), 0.89 + 0.65);
    }

    #[test]
    fn a_write_on_another_track_settles_even_if_getting_there_takes_no_time() {
        let params = DiskParams {
            head_switch_ms: 0.0,
            seek_curve: Rows::Numbers(vec![vec![1.0, 0.0], vec![2.0, 3.0], vec![3.0, 3.0]]),
            seek_formula: None,
            ..load_disk("hp-c2247a")
        };
        let mechanics = Mechanics::new(&params, &ZonedLayout::new(&params).unwrap()).unwrap();
        let here = Track { cylinder: 7, head: 2 };
        for (there, reads_ms, writes_ms) in [
            (here, 0.0, 0.0),
            (Track { head: 3, ..here }, 0.0, 0.65),
            (Track { cylinder: 8, ..here }, 0.0, 0.65),
            (Track { cylinder: 9, head: 3 }, 3.0, 3.65),
        ] {
            let ms = |op| mechanics.positioning(here, there, op).0 as f64 / NANOS_PER_MS;
            assert_eq!([ms(Op::Read), ms(Op::Write)], [reads_ms, writes_ms], "{there:?}");
        }
    }

    proptest! {
        /// The time until a sector passes under the head is never negative and never longer than a turn.
        #[test]
        fn a_sector_passes_within_a_turn(now in 0_u64..1 << 60, sectors in 1_u32..1000, slot in 0_u32..1000) {
            let (_, mechanics) = mechanics();
            let (now, slot) = (Time(now), slot % sectors);
            let passage = mechanics.passage(now, slot, sectors);
            prop_assert!(passage.0 + IN_TIME_NS >= now.0);
            prop_assert!(passage.since(now) <= mechanics.turn());
            // A head that has just arrived is in time; a little later it waits for the next turn.
            prop_assert!(mechanics.passage(passage, slot, sectors).since(passage) <= Span(1));
            let late = passage + Span(IN_TIME_NS + 2);
            let next = mechanics.passage(late, slot, sectors).since(passage);
            prop_assert!(next.0.abs_diff(mechanics.turn().0) <= 1);
        }
    }
}
