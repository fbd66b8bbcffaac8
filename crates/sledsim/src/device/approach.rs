//! Interface to devices whose positioning time is the larger of a time in x and a time in y. Schedulers
//! that index waiting requests by their place use it.

use std::borrow::Cow;

use crate::request::Request;
use crate::time::{Span, Time};

/// Beginning of the access to a request: its place, and the shortest time that the access takes after
/// positioning. Both are known before the request is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin {
    /// Cylinder of the first row of the request.
    pub cylinder: u32,
    /// Indices into `HeadPosition::y_ns` of the two places in y where the access may begin, one for each
    /// direction; equal if the access may begin in one direction only.
    pub y_starts: [u16; 2],
    /// Shortest time from the moment at which the sled reaches the first row until all rows have been accessed.
    pub transfer: Span,
    /// Time from which the estimate is exact: positioning then takes the larger of the time in x and the
    /// shorter time in y, and the access to all rows takes `transfer` after it. Before this time, both
    /// estimates are lower bounds.
    pub exact_from: Time,
}

/// The position of a device, and the time from this position to each place in y.
#[derive(Clone, Debug)]
pub struct HeadPosition<'a> {
    /// The cylinder that the device reaches soonest; cylinders farther away on either side take longer.
    pub cylinder: u32,
    /// Position in x, in metres from the centre.
    pub x_m: f64,
    /// Time until the device can start to move to a request.
    pub wait: Span,
    /// Time in nanoseconds to each place in y where an access may begin, indexed by
    /// `Begin::y_starts`.
    pub y_ns: Cow<'a, [u32]>,
    /// Bounds on the time in x to cylinders with higher numbers, and to cylinders with lower numbers; None
    /// if the device has no table of bounds.
    pub x_bounds: Option<[XBounds<'a>; 2]>,
}

/// Table of bounds on the time in x: the lower and the upper bound in nanoseconds for each range of
/// distances. The ranges widen with the distance in cylinders.
#[derive(Clone, Copy, Debug)]
pub struct XBounds<'a>(pub &'a [[u32; 2]]);

/// Number of ranges of distances in the table between a distance and twice this distance.
const STEPS_A_DOUBLING: u32 = 8;

impl XBounds<'_> {
    /// Index in the table of the range that contains a distance in cylinders: each distance below 16 has
    /// its own range, and there are eight ranges between two successive powers of two.
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

/// A device whose positioning time is the larger of a time in x and a time in y. The time in x grows with
/// the distance in cylinders, upwards and downwards; the time in y depends only on the row boundary.
pub trait Approach {
    /// Place and shortest time of the access to `request`, as known before its service.
    fn begin(&self, request: &Request) -> Begin;

    /// The position of the device at `now`.
    fn head_position(&self, now: Time) -> HeadPosition<'_>;

    /// The time in x from the position `here` to the cylinder `cylinder`.
    fn x(&self, here: &HeadPosition<'_>, cylinder: u32) -> Span;
}
