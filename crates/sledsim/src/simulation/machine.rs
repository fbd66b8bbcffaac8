//! The server of the requests of a run, and the one loop that drives it.

use super::host::{Host, Sink};
use super::interrupted::Interrupted;
use super::outcome::Outcome;
use crate::error::Result;
use crate::observer::Observer;
use crate::station::Station;
use crate::time::Time;
use crate::workload::{Arrival, Workload};

/// A server of the requests of a run.
pub(super) trait Server {
    /// The host's side of the run.
    fn host(&self) -> &Host;

    /// The host's side of the run, mutable.
    fn host_mut(&mut self) -> &mut Host;

    /// Begins the run at `now`.
    fn begin(&mut self, now: Time);

    /// Takes a request; the caller has run all events up to its time.
    fn arrive(&mut self, arrival: &Arrival);

    /// Runs the next event if it is not later than `limit`; returns its time.
    fn step(&mut self, limit: Time) -> Option<Time>;

    /// The outcome of the run.
    fn outcome(self) -> Outcome;
}

/// Devices, alone or under volumes, with their pending events; they can be inspected during the run.
pub(super) trait Machine: Server {
    /// The time of the next event if no request arrives before it.
    fn next_event(&self) -> Option<Time>;

    /// Requests of the host whose completion no later event can change, with their completion times, in no
    /// order.
    fn certain(&self) -> Vec<(u32, Time)>;

    /// The effect of a power failure at `now` on incomplete writes, as far as passages were noted.
    fn interrupted(&self, now: Time) -> Vec<Interrupted>;

    /// The devices by name, each behind its queue.
    fn stations(&self) -> Vec<(String, &Station)>;

    /// The devices, mutable, each behind its queue.
    fn stations_mut(&mut self) -> impl Iterator<Item = &mut Station>;
}

/// Runs a workload to its end; a sink, if given, gets each final row of the record at once.
///
/// # Errors [`Interrupted`](crate::error::Error::Interrupted) when the observer breaks; errors of the sink.
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
    // The run does not wait for background work behind the last request.
    while ahead.is_some() || server.host().waiting() > 0 {
        // The next arrival is kept outside the event heap, where it would be the busiest entry. Events at the
        // same time come first.
        let limit = ahead.map_or(Time::MAX, |arrival| arrival.time);
        if server.step(limit).is_none() {
            // Without an arrival either, a policy has refused to choose.
            let Some(arrival) = ahead else { break };
            // The request may complete at once; only then is the workload asked again.
            ahead = workload.next();
            server.arrive(&arrival);
        }
        let host = server.host_mut();
        // Most events complete no request.
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
