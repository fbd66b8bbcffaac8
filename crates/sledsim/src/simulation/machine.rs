//! What serves the requests of a run, and the one loop that gives it them.

use super::host::{Host, Sink};
use super::interrupted::Interrupted;
use super::outcome::Outcome;
use crate::error::Result;
use crate::observer::Observer;
use crate::station::Station;
use crate::time::Time;
use crate::workload::{Arrival, Workload};

/// Serves the requests of a run.
pub(super) trait Server {
    /// The requests that it was given.
    fn host(&self) -> &Host;

    /// The requests that it was given.
    fn host_mut(&mut self) -> &mut Host;

    /// A run begins at `now`.
    fn begin(&mut self, now: Time);

    /// A request comes; whatever was to happen until then has.
    fn arrive(&mut self, arrival: &Arrival);

    /// Lets the next thing happen if that is not later than `limit`; returns when that was.
    fn step(&mut self, limit: Time) -> Option<Time>;

    /// The outcome of the run.
    fn outcome(self) -> Outcome;
}

/// Devices, alone or under volumes, with the events that lie before them: they can be looked at in mid-run.
pub(super) trait Machine: Server {
    /// When the next thing happens, if nothing comes before.
    fn next_event(&self) -> Option<Time>;

    /// Requests of the host whose completion nothing that may still come can change, with its time: in no order.
    fn certain(&self) -> Vec<(u32, Time)>;

    /// What a loss of power at `now` leaves of the writes that are not complete, as far as that was noted.
    fn interrupted(&self, now: Time) -> Vec<Interrupted>;

    /// The devices by name, each behind its queue.
    fn stations(&self) -> Vec<(String, &Station)>;

    /// The devices, each behind its queue.
    fn stations_mut(&mut self) -> impl Iterator<Item = &mut Station>;
}

/// Runs a workload to its end; whoever takes rows of the record is given each as soon as it is final.
///
/// # Errors
/// [`Interrupted`](crate::error::Error::Interrupted) when the observer breaks; those of the taker of rows.
pub(super) fn run<S: Server, W: Workload + ?Sized>(
    server: &mut S,
    workload: &mut W,
    observe: &mut Observer<'_>,
    mut sink: Option<&mut Sink<'_>>,
) -> Result<()> {
    server.host_mut().is_silent = !workload.waits();
    let mut ahead = workload.next();
    if let Some(first) = &ahead {
        server.begin(first.time);
    }
    // What goes on behind the last request is not waited for.
    while ahead.is_some() || server.host().waiting() > 0 {
        // The next arrival is held beside the events: it would be the busiest of them. What was to happen at the
        // same time comes first.
        let limit = ahead.map_or(Time::MAX, |arrival| arrival.time);
        if server.step(limit).is_none() {
            // Without an arrival either, a policy has refused to choose.
            let Some(arrival) = ahead else { break };
            // It may be done at once, and then the workload is asked again.
            ahead = workload.next();
            server.arrive(&arrival);
        }
        let host = server.host_mut();
        // Most events complete nothing.
        if !host.complete.is_empty() {
            for (row, now) in host.complete.drain(..) {
                workload.completed(row, now);
                ahead = workload.next_or_earlier(ahead.take());
            }
        }
        host.observed(observe, &mut sink)?;
    }
    sink.map_or(Ok(()), |sink| sink(server.host_mut().take_rest()))
}
