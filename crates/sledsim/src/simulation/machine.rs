//! The machine that serves the requests of a run, and the loop that drives the machine.

use super::host::{Host, Sink};
use super::interrupted::Interrupted;
use super::outcome::Outcome;
use crate::error::Result;
use crate::observer::Observer;
use crate::station::Station;
use crate::time::Time;
use crate::workload::{Arrival, Workload};

/// A machine that serves the requests of a run.
pub(super) trait Server {
    /// The requests of the host and their record.
    fn host(&self) -> &Host;

    /// The requests of the host and their record, mutable.
    fn host_mut(&mut self) -> &mut Host;

    /// Begins the run at `now`.
    fn begin(&mut self, now: Time);

    /// Accepts a request of the host. The caller has already run all events up to the arrival of the request.
    fn arrive(&mut self, arrival: &Arrival);

    /// Runs the next event if it is not later than `limit`; returns the time of the event, or `None` without
    /// such an event.
    fn step(&mut self, limit: Time) -> Option<Time>;

    /// Ends the run and returns its outcome.
    fn outcome(self) -> Outcome;
}

/// A machine of devices, alone or under volumes, with its pending events; it can be inspected during the run.
pub(super) trait Machine: Server {
    /// The time of the next event if no request arrives before it; `None` without an event.
    fn next_event(&self) -> Option<Time>;

    /// Incomplete requests of the host whose time of completion no later request can change: the number of each, and
    /// this time, in no order.
    fn certain(&self) -> Vec<(u32, Time)>;

    /// The effect of a power failure at `now` on each write in progress. Empty unless the run records when blocks of
    /// writes reach the medium.
    fn interrupted(&self, now: Time) -> Vec<Interrupted>;

    /// The stations (devices with their queues), each with its name.
    fn stations(&self) -> Vec<(String, &Station)>;

    /// The stations (devices with their queues), mutable.
    fn stations_mut(&mut self) -> impl Iterator<Item = &mut Station>;
}

/// Runs a workload to its end. If a sink is given, it receives each row of the record as soon as the row can no longer
/// change.
///
/// # Errors [`Interrupted`](crate::error::Error::Interrupted) if the observer stops the run; errors of the sink.
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
    // The run does not wait for background work that is left after the last request.
    while ahead.is_some() || server.host().waiting() > 0 {
        // The next arrival is not in the heap of events, where it would be the busiest entry. An event at the
        // time of an arrival comes before the arrival.
        let limit = ahead.map_or(Time::MAX, |arrival| arrival.time);
        if server.step(limit).is_none() {
            // No event and no arrival is left although requests wait: a policy has chosen no request.
            let Some(arrival) = ahead else { break };
            // The request may complete at once; the workload is asked for the next request only after that.
            ahead = workload.next();
            server.arrive(&arrival);
        }
        let host = server.host_mut();
        // Most events complete no request of the host.
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
