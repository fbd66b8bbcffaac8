//! Statistics of a trace, counted in one pass over batches of requests. The batches may have any
//! size, and little memory is needed.
//!
//! Counting a request takes about as long as reading it. Memory is needed for the bitmap of blocks
//! and for the counts of each device, which take tens of kilobytes; both have a limit. Each device
//! beyond the limit takes some hundred bytes. All sums are sums of whole numbers, so the sizes of
//! the batches do not affect the result. Approximate figures are marked as such.

mod arrivals;
mod classes;
mod device_figures;
mod devices;
mod footprint;
mod idle;
mod log_histogram;
mod operations;
mod options;
mod sample;
mod sequentiality;
mod sizes;
mod timeline;
mod units;
mod windows;

use serde::Serialize;

pub use crate::busiest::BusiestTime;
pub use arrivals::{ArrivalFigures, InterArrivals};
pub use classes::ClassFigures;
pub use device_figures::{DeviceFigures, Figures, OtherFigures};
pub use footprint::FootprintFigures;
pub use idle::{IdleTime, LongGaps};
pub use log_histogram::{Bucket, Distribution};
pub use operations::CountFigures;
pub use options::{StatisticsOptions, DEVICES_MOST};
#[cfg(feature = "fitted")]
pub(crate) use sample::EveryNth;
pub use sample::SampleFigures;
pub use sequentiality::PlaceFigures;
pub use sizes::SizeFigures;
pub use timeline::{Interval, TimelineFigures};
pub use windows::WindowCounts;

use crate::error::{Error, Result};
use crate::trace::{Trace, TraceRow};
use arrivals::Arrivals;
use devices::Devices;
use footprint::Blocks;
use sample::Sample;
use timeline::Timeline;

/// Counter of the requests of a trace.
#[derive(Debug)]
pub struct Statistics {
    options: StatisticsOptions,
    devices: Devices,
    /// Index in `devices` of the device of each request of the current batch.
    row_numbers: Vec<u32>,
    blocks: Blocks,
    /// Arrivals at all devices together; `None` while the trace has only one device.
    arrivals: Option<Arrivals>,
    timeline: Timeline,
    sample: Sample,
    last_arrival_ns: i64,
    requests: u64,
}

/// All statistics of a trace.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// Statistics of all devices together.
    pub overall: Figures,
    /// Statistics of each device or, if there are too many devices, of those with the most
    /// requests; in ascending order of device number.
    pub devices: Vec<DeviceFigures>,
    /// Common statistics of all devices that are not in `devices`; `None` if `devices` has every
    /// device.
    pub others: Option<OtherFigures>,
    /// True if the memory was large enough to count the distinct blocks of the whole trace.
    pub is_footprint_whole: bool,
    /// Value of the option `interleave_sectors`: a request that starts at this distance in sectors
    /// after the end of the previous one counts as logically sequential.
    pub interleave_sectors: u32,
    /// Numbers of arrivals over the time of the trace.
    pub timeline: TimelineFigures,
    /// Evenly chosen requests of the trace, for charts.
    pub sample: SampleFigures,
}

impl Statistics {
    /// Returns empty statistics.
    #[must_use]
    pub fn new(options: StatisticsOptions) -> Self {
        Self {
            options,
            devices: Devices::new(options),
            row_numbers: Vec::new(),
            blocks: Blocks::new(options.bitmap_bytes),
            arrivals: None,
            timeline: Timeline::default(),
            sample: Sample::default(),
            last_arrival_ns: i64::MIN,
            requests: 0,
        }
    }

    /// Counts the requests of a batch. They must be in order of arrival, and not earlier than those of
    /// previous batches.
    ///
    /// # Errors `Trace` for an invalid request or one out of order; the requests before it are counted.
    pub fn add(&mut self, batch: &Trace) -> Result<()> {
        let first = self.requests;
        let outcome = self.count_rows(batch);
        // A separate loop, so that the processor waits for the memory of several requests at once.
        let counted = (self.requests - first) as usize;
        for (at, number) in self.row_numbers[..counted].iter().enumerate() {
            self.devices.mark(&batch.row(at), *number, &mut self.blocks);
        }
        outcome
    }

    /// Counts the requests of a batch, except for the distinct blocks that they touch.
    fn count_rows(&mut self, batch: &Trace) -> Result<()> {
        self.row_numbers.clear();
        self.row_numbers.reserve(batch.len());
        let mut last: Option<(i32, u32)> = None;
        for at in 0..batch.len() {
            let row = batch.row(at);
            self.check(&row)?;
            let number = match last {
                Some((device, number)) if device == row.device => number,
                _ => self.number(row.device),
            };
            last = Some((row.device, number));
            self.row_numbers.push(number);
            self.count(&row, number as usize);
        }
        Ok(())
    }

    #[inline]
    fn check(&mut self, row: &TraceRow) -> Result<()> {
        let is_back = row.arrival_ns < self.last_arrival_ns;
        if is_back || row.lbn < 0 || row.blocks < 0 || row.response_ns < 0 {
            return Err(self.fault(row));
        }
        self.last_arrival_ns = row.arrival_ns;
        Ok(())
    }

    #[cold]
    fn fault(&self, row: &TraceRow) -> Error {
        let columns = [("lbn", row.lbn), ("blocks", i64::from(row.blocks)), ("response_ns", row.response_ns)];
        let wrong = match columns.iter().find(|(_, value)| *value < 0) {
            Some((name, value)) => format!("expected {name} of at least 0, found {value}"),
            None => format!(
                "expected an arrival at or after the previous arrival, {} ns, found {} ns: sort the trace",
                self.last_arrival_ns, row.arrival_ns
            ),
        };
        Error::Trace(format!("request {}: {wrong}", self.requests))
    }

    /// Returns the index of the device with the number `device`; adds the device if it is new.
    fn number(&mut self, device: i32) -> u32 {
        if let Some(number) = self.devices.number(device) {
            return number;
        }
        if let Some(only) = self.devices.only() {
            // All arrivals until now belong to this device.
            self.arrivals = Some(only.clone());
        }
        self.devices.make(device)
    }

    #[inline]
    fn count(&mut self, row: &TraceRow, number: usize) {
        self.devices.count(row, number);
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.add(row);
        }
        self.timeline.add(row);
        if row.op.moves_data() {
            self.sample.add(*row);
        }
        self.requests += 1;
    }

    /// Returns the statistics of the requests counted so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let summed = self.devices.summed();
        let none = Arrivals::default();
        let arrivals = self.arrivals.as_ref().or(self.devices.only()).unwrap_or(&none);
        Summary {
            overall: summed.sums.figures(&summed.footprint, arrivals),
            devices: summed.devices,
            others: summed.others,
            is_footprint_whole: !self.blocks.is_full,
            interleave_sectors: self.options.interleave_sectors,
            timeline: self.timeline.figures(),
            sample: self.sample.figures(),
        }
    }
}
