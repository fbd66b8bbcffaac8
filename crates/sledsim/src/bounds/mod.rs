//! Bounds on schedules of a batch, which is a set of requests that wait at the same time: a lower
//! bound on the total positioning time, and good orders.
//!
//! The device chooses the directions of accesses, and the schedule chooses the order. The minimum
//! total of positioning times is therefore the length of a travelling salesman's path over the
//! positioning times [`Hops`], with two states (directions) for each request.

mod arborescence;
mod ascent;
mod certificate;
mod heaps;
mod optimum;
mod request_kinds;
mod search;
mod tour;

use crate::device::{Device, Hops};
use crate::error::Result;
use crate::observer;
use crate::request::Request;
use crate::sched::Policy;
use crate::time::{Span, Time};
pub use ascent::ascend;
pub use certificate::{Certificate, RequestSet};
pub use optimum::{optimum, EXACT_MAX};
pub use search::{improve, Effort};

/// Callback that receives the fraction of the work that is done, from 0 to 1, and can stop the
/// work.
pub type Observer<'a> = observer::Observer<'a, f64>;

/// Approximate fraction of the work for each of the two searches for an order, before and after the
/// lower bound; the lower bound takes the rest.
const SEARCH_SHARE: f64 = 0.2;

/// The best order found for a batch, with a lower bound for all orders.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The best order that was found, as indices of requests.
    pub order: Vec<u32>,
    /// True if the order is proven to be the best, because all orders were examined.
    pub exact: bool,
    /// Proof of the lower bound on the total positioning time.
    pub certificate: Certificate,
}

/// Finds the best order of a batch of at most [`EXACT_MAX`] requests, or improves the order `known`
/// of a larger batch; also computes a lower bound.
///
/// # Errors
/// The observer stopped the work: [`Error::Interrupted`](crate::error::Error::Interrupted).
pub fn bound(hops: &Hops, known: &[u32], effort: Effort, observe: &mut Observer<'_>) -> Result<Bounds> {
    let exact = hops.count() <= EXACT_MAX;
    // A good order guides the ascent, and the prices of the ascent guide the search for a better
    // order.
    let half = Effort { changes: effort.changes / 2, ..effort };
    let [ascent, last] = [SEARCH_SHARE, 1.0 - SEARCH_SHARE];
    let mut order = if exact {
        optimum(hops)?
    } else {
        improve(hops, &Certificate::none(hops), known, half, &mut |share| observe(share * ascent))?
    };
    let upper_ns = hops.total_ns(&order);
    let certificate =
        ascend(hops, upper_ns, effort.steps, &mut |share| observe(ascent + share * (last - ascent)))?;
    if !exact {
        let mut observe = |share| observe(last + share * SEARCH_SHARE);
        order = improve(hops, &certificate, &order, half, &mut observe)?;
    }
    Ok(Bounds { order, exact, certificate })
}

/// Serves a batch that waits at `now` on a copy of the device, in the order that `policy` chooses;
/// the data of all writes are available.
///
/// Returns the order of service, as indices into `requests`, and the total of the positioning
/// times.
///
/// # Errors
/// An option of the policy is invalid.
pub fn serve(
    device: &dyn Device,
    mut now: Time,
    requests: &[Request],
    policy: &Policy,
) -> Result<(Vec<u32>, Span)> {
    let mut device = dyn_clone::clone_box(device);
    let mut queue = policy.build(&*device)?;
    device.begin(now);
    for (row, request) in (0..).zip(requests) {
        queue.push(Request { row, arrival: now, ..request.with_data() }, &*device);
    }
    let (mut order, mut total) = (Vec::with_capacity(requests.len()), Span::ZERO);
    while let Some(request) = queue.pop(now, &*device) {
        order.push(request.row);
        total += device.positioning(now, &request);
        now = now + device.serve(now, &request).total();
    }
    Ok((order, total))
}
