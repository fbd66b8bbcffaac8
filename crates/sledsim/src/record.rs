//! The record of a run: columns, one row a request in the order of arrival.

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::time::{Span, Time};

/// What happened to every request. Times are in nanoseconds since the start of the run.
///
/// Where a volume makes several parts of a request, start and phases are those of the part that was served last.
/// `completion - start = command + wait + positioning + hold + switch + transfer + bus` holds in every row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// When the host issued it.
    pub arrival_ns: Vec<i64>,
    /// When its service began.
    pub start_ns: Vec<i64>,
    /// When the host had it.
    pub completion_ns: Vec<i64>,
    /// Requests in the system that it found, waiting or in service, itself not counted.
    pub queue_length: Vec<u32>,
    /// From when its device took it in until its command was processed and it could be scheduled.
    pub overhead_ns: Vec<i64>,
    /// Command processing by the device while it could do nothing else.
    pub command_ns: Vec<i64>,
    /// Until the medium was free of an earlier access, what is read ahead was there, or the device was awake.
    pub wait_ns: Vec<i64>,
    /// Until its first row could be accessed.
    pub positioning_ns: Vec<i64>,
    /// Seek in x, part of positioning.
    pub seek_x_ns: Vec<u32>,
    /// Settling in x, part of positioning.
    pub settle_ns: Vec<u32>,
    /// Seek in y without turnarounds, part of positioning.
    pub seek_y_ns: Vec<u32>,
    /// Turnarounds, part of positioning.
    pub turnaround_ns: Vec<u32>,
    /// Their number.
    pub turnarounds: Vec<u16>,
    /// Until the medium had turned there, part of positioning.
    pub rotation_ns: Vec<i64>,
    /// Held back until the data of a write had crossed the bus.
    pub hold_ns: Vec<i64>,
    /// Track and cylinder switches inside the request; closing erase blocks.
    pub switch_ns: Vec<i64>,
    /// Their number.
    pub switches: Vec<u32>,
    /// Rows passing under the tips.
    pub transfer_ns: Vec<i64>,
    /// Their number.
    pub rows: Vec<u32>,
    /// Tip sectors read or written in them: each keeps one tip on while one row passes.
    pub tip_sectors: Vec<i64>,
    /// From the end of the transfer until the last data had crossed the bus.
    pub bus_ns: Vec<i64>,
    /// Where its data came from or went, by [number](crate::device::Source).
    pub source: Vec<u8>,
    /// Direction in y of the first row, +1 or -1.
    pub direction: Vec<i8>,
    /// Missing tip sectors that a code over tips has made up for.
    pub corrected_tip_sectors: Vec<u32>,
    /// Blocks that lie under spare tips, or elsewhere than they are counted.
    pub remapped_blocks: Vec<u32>,
    /// Blocks that could not be read or written.
    pub lost_blocks: Vec<u32>,
    /// Parts of it that devices served; none, if a volume had it in memory.
    pub parts: Vec<u32>,
    /// Which devices did, as bits by number; all from the 64th on share one.
    pub served_by: Vec<u64>,
    /// Energy of its services in joules: the sum of the six that follow.
    pub energy_j: Vec<f64>,
    /// Actuators that moved the sled.
    pub seek_j: Vec<f64>,
    /// Actuators while it did nothing but settle.
    pub settle_j: Vec<f64>,
    /// Actuators that kept it on its column.
    pub actuation_j: Vec<f64>,
    /// Tips that read or wrote.
    pub tips_j: Vec<f64>,
    /// All that is not of the sled; the whole of devices without one.
    pub electronics_j: Vec<f64>,
    /// Waking up.
    pub startup_j: Vec<f64>,
}

/// Applies a macro to every column of a record.
#[macro_export]
macro_rules! for_each_column {
    ($apply:ident) => {
        $apply!(
            arrival_ns,
            start_ns,
            completion_ns,
            queue_length,
            overhead_ns,
            command_ns,
            wait_ns,
            positioning_ns,
            seek_x_ns,
            settle_ns,
            seek_y_ns,
            turnaround_ns,
            turnarounds,
            rotation_ns,
            hold_ns,
            switch_ns,
            switches,
            transfer_ns,
            rows,
            tip_sectors,
            bus_ns,
            source,
            direction,
            corrected_tip_sectors,
            remapped_blocks,
            lost_blocks,
            parts,
            served_by,
            energy_j,
            seek_j,
            settle_j,
            actuation_j,
            tips_j,
            electronics_j,
            startup_j
        )
    };
}

impl Record {
    /// An empty record with room for that many requests.
    #[must_use]
    pub fn with_capacity(requests: usize) -> Self {
        let mut record = Self::default();
        record.resize(requests);
        record
    }

    /// A request arrives: a new row.
    pub fn arrive(&mut self, row: u32, now: Time, queue_length: u32) {
        let row = row as usize;
        if row >= self.arrival_ns.len() {
            self.resize((2 * row).max(1024));
        }
        self.arrival_ns[row] = now.0 as i64;
        self.queue_length[row] = queue_length;
    }

    /// A request has entered its device, and can be scheduled after that time.
    pub fn accept(&mut self, row: u32, overhead: Span) {
        put(&mut self.overhead_ns, row as usize, overhead.0 as i64);
    }

    /// Makes every column that long; what is added is zero.
    pub fn resize(&mut self, requests: usize) {
        macro_rules! resize {
            ($($column:ident),*) => { $( resize(&mut self.$column, requests); )* };
        }
        for_each_column!(resize);
    }

    /// A request is being served, or the last part of it; all services for it took that energy.
    pub fn serve(&mut self, row: u32, start: Time, service: &Service, energy: &ServiceEnergy) {
        let row = row as usize;
        put(&mut self.start_ns, row, start.0 as i64);
        put(&mut self.command_ns, row, service.command.0 as i64);
        put(&mut self.wait_ns, row, service.wait.0 as i64);
        put(&mut self.positioning_ns, row, service.positioning.0 as i64);
        put(&mut self.seek_x_ns, row, short_ns(service.seek_x));
        put(&mut self.settle_ns, row, short_ns(service.settle));
        put(&mut self.seek_y_ns, row, short_ns(service.seek_y));
        put(&mut self.turnaround_ns, row, short_ns(service.turnaround));
        put(&mut self.turnarounds, row, service.turnarounds);
        put(&mut self.rotation_ns, row, service.rotation.0 as i64);
        put(&mut self.hold_ns, row, service.hold.0 as i64);
        put(&mut self.switch_ns, row, service.switching.0 as i64);
        put(&mut self.switches, row, service.switches);
        put(&mut self.transfer_ns, row, service.transfer.0 as i64);
        put(&mut self.rows, row, service.rows);
        put(&mut self.tip_sectors, row, service.tip_sectors as i64);
        put(&mut self.bus_ns, row, service.bus.0 as i64);
        put(&mut self.source, row, service.source as u8);
        put(&mut self.direction, row, service.direction);
        put(&mut self.corrected_tip_sectors, row, service.corrected_tip_sectors);
        put(&mut self.remapped_blocks, row, service.remapped_blocks);
        put(&mut self.lost_blocks, row, service.lost_blocks);
        put(&mut self.energy_j, row, energy.total_j());
        put(&mut self.seek_j, row, energy.seek_j);
        put(&mut self.settle_j, row, energy.settle_j);
        put(&mut self.actuation_j, row, energy.actuation_j);
        put(&mut self.tips_j, row, energy.tips_j);
        put(&mut self.electronics_j, row, energy.electronics_j);
        put(&mut self.startup_j, row, energy.startup_j);
    }

    /// A request needs no service: a volume has it in memory. Returns from when on.
    pub fn serve_from_memory(&mut self, row: u32) -> Time {
        let arrival_ns = self.arrival_ns[row as usize];
        self.start_ns[row as usize] = arrival_ns;
        Time(arrival_ns as u64)
    }

    /// The device is done with the request of that row at `end`, and the host has it at `completion`; so many parts of
    /// it were served by those devices.
    pub fn complete(&mut self, row: u32, end: Time, completion: Time, parts: u32, devices: u64) {
        let row = row as usize;
        self.completion_ns[row] = completion.0 as i64;
        if completion > end {
            self.bus_ns[row] += (completion - end).0 as i64;
        }
        self.parts[row] = parts;
        self.served_by[row] = devices;
    }
}

/// Nanoseconds of a motion, which lasts 4.29 s at most: parameters with which it could take longer are refused.
fn short_ns(span: Span) -> u32 {
    u32::try_from(span.0).expect("the limits of parameters keep motions below 4.29 s")
}

/// Zeroes are there already: columns that a device never fills are never touched.
#[inline]
fn put<T: PartialEq + Default>(column: &mut [T], row: usize, value: T) {
    if value != T::default() {
        column[row] = value;
    }
}

/// Zeroes that come fresh from the system cost nothing until they are written to.
fn resize<T: Clone + Default>(column: &mut Vec<T>, length: usize) {
    if column.is_empty() {
        *column = vec![T::default(); length];
    } else {
        column.resize(length, T::default());
    }
}
