//! The requests of a trace as replayed: with scaled times, and with addresses that fit the devices.

use std::borrow::Cow;

use super::replayed_columns::{Columns, LATEST_NS};
use crate::error::{ensure, Error, Result};
use crate::request::operation;
use crate::time::Time;
use crate::volume::HostRequest;
use crate::workload::{Arrival, PastEnd};

/// A trace to be replayed on devices of a given capacity.
pub struct Replay<'a> {
    pub(super) columns: Columns<'a>,
    pub(super) scale: f64,
    pub(super) row: usize,
}

impl<'a> Replay<'a> {
    /// Prepares a replay with all inter-arrival times divided by `scale`, on devices of `capacity`
    /// sectors. `rule` applies to requests past the end of the device. The columns must have been
    /// [checked](Columns::check).
    ///
    /// # Errors The scale is not positive or makes arrival times too late; a request lies past the
    /// end of the device under [`PastEnd::Error`]; a request is longer than the device.
    pub fn new(columns: Columns<'a>, scale: f64, capacity: u64, rule: PastEnd) -> Result<Self> {
        ensure!(scale.is_finite() && scale > 0.0, "scale = {scale}: expected a positive number");
        let (first_ns, last_ns) = (columns.arrival_ns[0], columns.arrival_ns[columns.arrival_ns.len() - 1]);
        let end_ns = first_ns as f64 + (last_ns - first_ns) as f64 / scale;
        ensure!(
            end_ns < LATEST_NS,
            "scale = {scale:?}: expected arrival times below {LATEST_NS:e} ns, found {end_ns:.3e} ns for the last request"
        );
        let mut replay = Self { columns, scale, row: 0 };
        replay.fit(capacity, rule)?;
        Ok(replay)
    }

    fn fit(&mut self, capacity: u64, rule: PastEnd) -> Result<()> {
        let end = self.columns.end();
        if end <= capacity {
            return Ok(());
        }
        let (lbn, blocks) = (&self.columns.lbn, self.columns.blocks);
        let past = |row: &usize| lbn[*row] as u64 + blocks[*row] as u64 > capacity;
        if rule == PastEnd::Error {
            let row = (0..lbn.len()).find(past).expect("the end lies past the capacity");
            return Err(Error::PastEnd(format!(
                "request {row}: LBN {} + {} blocks is past the end of the device at {capacity}; the trace \
                 reaches {end}: wrap or squeeze the addresses, or add sleds (past_end=\"wrap\", \"squeeze\" or \
                 \"sleds\"; --past-end)",
                lbn[row], blocks[row]
            )));
        }
        if let Some(longest) = blocks.iter().find(|blocks| **blocks as u64 > capacity) {
            return Err(Error::Trace(format!(
                "a request of {longest} blocks is longer than the device of {capacity} blocks"
            )));
        }
        let place =
            |(lbn, blocks): (&i64, &i32)| rule.place(*lbn as u64, *blocks as u64, capacity, end) as i64;
        let moved: Vec<i64> = lbn.iter().zip(blocks).map(place).collect();
        self.columns.lbn = Cow::Owned(moved);
        Ok(())
    }

    /// Number of requests in the trace.
    pub(super) fn len(&self) -> usize {
        self.columns.arrival_ns.len()
    }

    /// The request in row `row` of the trace, with the arrival time `time`.
    #[inline]
    pub(super) fn arrival(&self, row: usize, time: Time) -> Arrival {
        let columns = &self.columns;
        let (op, durable) = operation(columns.kind[row]);
        Arrival {
            time,
            op,
            durable,
            metadata: columns.metadata[row],
            request: HostRequest {
                traced_device: columns.device[row] as u32,
                sector: columns.lbn[row] as u64,
                sectors: columns.blocks[row] as u32,
            },
        }
    }

    /// The recorded arrival time of the request in row `row`, after scaling.
    #[inline]
    pub(super) fn time(&self, row: usize) -> Time {
        let (first_ns, arrival_ns) = (self.columns.arrival_ns[0], self.columns.arrival_ns[row]);
        if self.scale == 1.0 {
            return Time(arrival_ns as u64);
        }
        let since_ns = (arrival_ns - first_ns) as f64 / self.scale;
        Time(first_ns as u64 + (since_ns + 0.5) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Trace, TraceRow};

    /// Checks the error message for two requests that end at the end of the device, and two that
    /// pass it, one of which starts before the end.
    #[test]
    fn the_first_request_past_the_end_is_named() {
        let mut trace = Trace::default();
        for (lbn, blocks) in [(0, 100), (92, 8), (95, 6), (100, 3)] {
            trace.push(TraceRow { lbn, blocks, ..TraceRow::default() });
        }
        let replay = |capacity| Replay::new(Columns::of(&trace), 1.0, capacity, PastEnd::Error).map(|_| ());
        let named = |capacity| replay(capacity).unwrap_err().to_string();
        let fault = named(100);
        assert!(
            fault.contains(
                "request 2: LBN 95 + 6 blocks is past the end of the device at 100; the trace reaches 103"
            ),
            "{fault}"
        );
        assert!(named(101).contains("request 3: LBN 100 + 3 blocks"));
        assert!(named(99).contains("request 0: LBN 0 + 100 blocks"));
        assert!(replay(103).is_ok());
    }
}
