//! The interface of a device whose positioning time is the larger of one in x and one in y, for an index over places.

use std::borrow::Cow;

use crate::request::Request;
use crate::time::{Span, Time};

/// The way to the first row of a request, as far as known before the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin {
    /// Bit column in x.
    pub cylinder: u32,
    /// Numbers of the places in y where the access may begin; equal if only one exists.
    pub y_starts: [u16; 2],
    /// Least time from the first row until the medium is done.
    pub transfer: Span,
    /// Time from which the start is exactly known: positioning takes the larger of x and y, with the quicker way in y,
    /// and the access takes `transfer` more. Before this time, the two durations are lower bounds.
    pub exact_from: Time,
}

/// The position of a device, and the times in y from it.
#[derive(Clone, Debug)]
pub struct HeadPosition<'a> {
    /// The cylinder from which the time in x grows in both directions.
    pub cylinder: u32,
    /// Metres from the centre in x.
    pub x_m: f64,
    /// Time for which the device is still bound before it can start.
    pub wait: Span,
    /// Nanoseconds to each place in y at which an access may begin, by number.
    pub y_ns: Cow<'a, [u32]>,
    /// Quick lower and upper bounds on the time in x, upwards and downwards; None if unknown.
    pub x_bounds: Option<[XBounds<'a>; 2]>,
}

/// Lower and upper bounds on the nanoseconds in x by distance in cylinders, in steps that grow with the distance.
#[derive(Clone, Copy, Debug)]
pub struct XBounds<'a>(pub &'a [[u32; 2]]);

/// Number of steps within a doubling of the distance.
const STEPS_A_DOUBLING: u32 = 8;

impl XBounds<'_> {
    /// The step of a distance: one step each below 16, then eight steps per power of two.
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
    /// The lower and the upper bound on the time in x to a cylinder; None if unknown.
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

/// A device whose positioning time is the larger of a time in x, which grows with the distance in cylinders on
/// either side, and a time in y, which takes few values.
pub trait Approach {
    /// The way to the first row of a request.
    fn begin(&self, request: &Request) -> Begin;

    /// The position of the device at `now`.
    fn head_position(&self, now: Time) -> HeadPosition<'_>;

    /// The time in x from a position to a cylinder.
    fn x(&self, here: &HeadPosition<'_>, cylinder: u32) -> Span;
}
