//! Open replay of a trace that is read in batches, and thus may be larger than memory.

use super::replayed_columns::{check_row, DEVICES_MAX, LATEST_NS};
use crate::error::{ensure, Error, Result};
use crate::request::operation;
use crate::time::Time;
use crate::volume::HostRequest;
use crate::workload::{Arrival, PastEnd, Workload};

/// Consecutive requests of a trace in order of arrival, as columns of the same length; see
/// [`super::Columns`].
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Arrival times in ns, ascending.
    pub arrival_ns: Vec<i64>,
    /// Number of each request's first sector; a sector has 512 bytes.
    pub lbn: Vec<i64>,
    /// Number of sectors of each request.
    pub blocks: Vec<i32>,
    /// Index of each request's kind in [`KINDS`](crate::request::KINDS).
    pub kind: Vec<u8>,
    /// True for requests to metadata of a file system.
    pub metadata: Vec<bool>,
    /// Number of each request's device in the trace; any number is permitted.
    pub device: Vec<i32>,
}

/// A function that returns the next batch of a trace; `None` after the last one.
pub type Batches<'a> = dyn FnMut() -> Result<Option<Batch>> + 'a;

/// Replay of a trace in batches; requests arrive at their recorded times, which may be scaled.
///
/// The run ends at an invalid request as it would at the end of the trace; [`end`](Self::end)
/// reports the error afterwards.
pub struct Streamed<'a> {
    batches: &'a mut Batches<'a>,
    batch: Batch,
    /// Index of the next request in the current batch.
    row: usize,
    /// Number of requests in all earlier batches.
    before: u64,
    /// Device numbers of the trace in ascending order; a device's position in this list is its
    /// number in the simulation.
    devices: Vec<i32>,
    scale: f64,
    capacity: u64,
    rule: PastEnd,
    first_ns: i64,
    last_ns: i64,
    moved: u64,
    is_over: bool,
    end: Result<()>,
}

impl<'a> Streamed<'a> {
    /// Replays batches with all inter-arrival times divided by `scale`. Only devices that have
    /// requests in the first batch are simulated. `rule` applies to requests past the end of the
    /// device.
    ///
    /// # Errors The trace has no requests; the scale is not positive; `rule` depends on the whole trace;
    /// reading a batch fails.
    pub fn new(batches: &'a mut Batches<'a>, scale: f64, rule: PastEnd) -> Result<Self> {
        ensure!(scale.is_finite() && scale > 0.0, "scale = {scale}: expected a positive number");
        ensure!(
            matches!(rule, PastEnd::Error | PastEnd::Wrap),
            "past_end = {}: expected error or wrap for a trace read in batches, because other rules depend on the highest address of the trace",
            <&str>::from(rule)
        );
        let mut made = Self {
            batches,
            batch: Batch::default(),
            row: 0,
            before: 0,
            devices: Vec::new(),
            scale,
            capacity: 0,
            rule,
            first_ns: 0,
            last_ns: 0,
            moved: 0,
            is_over: false,
            end: Ok(()),
        };
        ensure!(made.next_batch()?, Error::Trace("expected at least one read or write, found none".into()));
        made.devices.clone_from(&made.batch.device);
        made.devices.sort_unstable();
        made.devices.dedup();
        let count = made.devices.len();
        ensure!(
            count <= DEVICES_MAX as usize,
            Error::Trace(format!("expected at most {DEVICES_MAX} devices, found {count}"))
        );
        made.first_ns = made.batch.arrival_ns[0];
        Ok(made)
    }

    /// Sets the capacity of the devices, in sectors.
    #[must_use]
    pub fn on(mut self, capacity: u64) -> Self {
        self.capacity = capacity;
        self
    }

    /// Device numbers of the trace, in the order in which the simulation numbers devices.
    #[must_use]
    pub fn devices(&self) -> &[i32] {
        &self.devices
    }

    /// Number of requests whose addresses were changed to fit the device.
    #[must_use]
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// Returns the error that ended the trace too early, if any.
    ///
    /// # Errors A request is invalid, lies past the end of the device under [`PastEnd::Error`], or
    /// is for a device without requests in the first batch; or reading a batch failed.
    pub fn end(self) -> Result<()> {
        self.end
    }

    /// Reads the next batch that has requests; returns false at the end of the trace.
    fn next_batch(&mut self) -> Result<bool> {
        loop {
            self.before += self.batch.arrival_ns.len() as u64;
            self.row = 0;
            let Some(batch) = (self.batches)()? else {
                self.batch = Batch::default();
                return Ok(false);
            };
            self.batch = batch;
            if !self.batch.arrival_ns.is_empty() {
                return Ok(true);
            }
        }
    }

    fn next_arrival(&mut self) -> Result<Option<Arrival>> {
        if self.row == self.batch.arrival_ns.len() && !self.next_batch()? {
            return Ok(None);
        }
        let (batch, row) = (&self.batch, self.row);
        let wrong = |found: String| Error::Trace(format!("request {}: {found}", self.before + row as u64));
        let (arrival_ns, number) = (batch.arrival_ns[row], batch.device[row]);
        let place = [batch.lbn[row], batch.blocks[row].into(), number.into()];
        check_row(arrival_ns, self.last_ns, place, batch.kind[row]).map_err(wrong)?;
        let (op, durable) = operation(batch.kind[row]);
        let (sector, sectors) = (batch.lbn[row] as u64, batch.blocks[row] as u64);
        let traced_device = match self.devices[..] {
            [only] if only == number => 0,
            _ => self.devices.binary_search(&number).map_err(|_| wrong(late(number, &self.devices)))?,
        };
        let place = if sector + sectors <= self.capacity {
            sector
        } else {
            let row = self.before + row as u64;
            past_end(self.rule, [sector, sectors], self.capacity)
                .map_err(|error| error.at(format!("request {row}")))?
        };
        let arrival = Arrival {
            time: self.time(arrival_ns).map_err(wrong)?,
            op,
            durable,
            metadata: batch.metadata[row],
            request: HostRequest {
                traced_device: traced_device as u32,
                sector: place,
                sectors: sectors as u32,
            },
        };
        self.moved += u64::from(place != sector);
        self.last_ns = arrival_ns;
        self.row += 1;
        Ok(Some(arrival))
    }

    /// The scaled arrival time of a request whose recorded time is `arrival_ns`.
    fn time(&self, arrival_ns: i64) -> std::result::Result<Time, String> {
        if self.scale == 1.0 {
            return Ok(Time(arrival_ns as u64));
        }
        let since_ns = (arrival_ns - self.first_ns) as f64 / self.scale;
        let ns = self.first_ns as f64 + since_ns;
        ensure!(
            ns < LATEST_NS,
            format!(
                "expected an arrival time below {LATEST_NS:e} ns with scale = {:?}, found {ns:.3e} ns",
                self.scale
            )
        );
        Ok(Time(self.first_ns as u64 + (since_ns + 0.5) as u64))
    }
}

/// Applies `rule` to a request that reaches past the end of the device; returns its new first
/// sector.
fn past_end(rule: PastEnd, [sector, sectors]: [u64; 2], capacity: u64) -> Result<u64> {
    ensure!(
        rule != PastEnd::Error,
        Error::PastEnd(format!(
            "LBN {sector} + {sectors} blocks is past the end of the device at {capacity}: wrap or squeeze the \
             addresses, or add sleds (past_end=\"wrap\", \"squeeze\" or \"sleds\"; --past-end)"
        ))
    );
    ensure!(
        sectors <= capacity,
        Error::Trace(format!("a request of {sectors} blocks is longer than the device of {capacity} blocks"))
    );
    Ok(rule.place(sector, sectors, capacity, sector + sectors))
}

fn late(number: i32, devices: &[i32]) -> String {
    format!(
        "device {number} has no request in the first batch of the trace, which has requests for {} devices: choose devices (slice_trace, --traced-device), or read the trace into memory (TraceStream.read)",
        devices.len()
    )
}

impl Workload for Streamed<'_> {
    #[inline]
    fn next(&mut self) -> Option<Arrival> {
        if self.is_over {
            return None;
        }
        let next = self.next_arrival();
        self.is_over = !matches!(next, Ok(Some(_)));
        // The first fault ends the trace: the run continues to the end of the requests until there.
        next.unwrap_or_else(|error| {
            self.end = Err(error);
            None
        })
    }

    fn waits(&self) -> bool {
        false
    }
}
