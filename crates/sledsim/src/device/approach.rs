//! Interface to devices whose positioning time is the larger of a time in x and a time in y, for
//! schedulers with an index over places.

use std::borrow::Cow;

use crate::request::Request;
use crate::time::{Span, Time};

/// The place where the access of a request begins, and the shortest duration of the access, as
/// known before the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin {
    /// Cylinder of the first row: a bit column in x.
    pub cylinder: u32,
    /// Indices into `HeadPosition::y_ns` of the places in y where the access may begin; equal if
    /// only one exists.
    pub y_starts: [u16; 2],
    /// Shortest time from the arrival at the first row until the medium is done.
    pub transfer: Span,
    /// Time from which the two durations are exact: positioning takes the larger of the time in x
    /// and the shorter of the times in y, and the access takes `transfer` more. Before this time
    /// they are lower bounds.
    pub exact_from: Time,
}

/// The position of a device, and the times from there to places in y.
#[derive(Clone, Debug)]
pub struct HeadPosition<'a> {
    /// Cylinder with the shortest time in x; the time grows from there in both directions.
    pub cylinder: u32,
    /// Position in x, in metres from the centre.
    pub x_m: f64,
    /// Time until the device can begin the next positioning.
    pub wait: Span,
    /// Time in nanoseconds to each place in y where an access may begin, indexed by
    /// `Begin::y_starts`.
    pub y_ns: Cow<'a, [u32]>,
    /// Bounds on the time in x to cylinders above and to cylinders below; None if the device has no
    /// table of bounds.
    pub x_bounds: Option<[XBounds<'a>; 2]>,
}

/// Lower and upper bounds on the time in x, in nanoseconds: a table whose steps grow with the
/// distance in cylinders.
#[derive(Clone, Copy, Debug)]
pub struct XBounds<'a>(pub &'a [[u32; 2]]);

/// Number of steps of the table in each doubling of the distance.
const STEPS_A_DOUBLING: u32 = 8;

impl XBounds<'_> {
    /// Index of the step for a distance in cylinders: one step for each distance below 16, then
    /// eight steps per power of two.
    #[inline]
    #[must_use]
    pub fn step(distance: u32) -> usize {
        let shift = (distance / STEPS_A_DOUBLING).checked_ilog2().unwrap_or(0);
        (STEPS_A_DOUBLING * shift + (distance >> shift)) as usize
    }

    #[inline]
    fn over(&self, distance: u32) -> [Span; 2] {
        self.0[Self::step(distance)].map(|ns| Span(u64::from(ns)))
    }
}

impl HeadPosition<'_> {
    /// The lower and the upper bound on the time in x to `cylinder`; None if the device has no
    /// table of bounds.
    #[inline]
    #[must_use]
    pub fn x_bounds(&self, cylinder: u32) -> Option<[Span; 2]> {
        let [up, down] = self.x_bounds.as_ref()?;
        Some(if cylinder >= self.cylinder {
            up.over(cylinder - self.cylinder)
        } else {
            down.over(self.cylinder - cylinder)
        })
    }
}

/// A device whose positioning time is the larger of a time in x and a time in y. The time in x
/// grows with the distance in cylinders on either side; the time in y takes few values.
pub trait Approach {
    /// The place where the access of `request` begins.
    fn begin(&self, request: &Request) -> Begin;

    /// The position of the device at `now`.
    fn head_position(&self, now: Time) -> HeadPosition<'_>;

    /// The time in x from the position `here` to `cylinder`.
    fn x(&self, here: &HeadPosition<'_>, cylinder: u32) -> Span;
}
