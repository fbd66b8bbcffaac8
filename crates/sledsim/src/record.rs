//! The record of a run: columns, one row a request in the order of arrival.

use crate::device::Service;
use crate::time::Time;

/// What happened to every request. Times are in nanoseconds since the start of the run.
///
/// `completion - start = positioning + hold + switch + transfer + bus` holds in every row.
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
    /// From arrival until its command was processed and it could be scheduled.
    pub overhead_ns: Vec<i64>,
    /// Until its first row could be accessed.
    pub positioning_ns: Vec<u32>,
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
    /// Held back until the data of a write had crossed the bus.
    pub hold_ns: Vec<i64>,
    /// Track and cylinder switches inside the request.
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
    /// Direction in y of the first row, +1 or -1.
    pub direction: Vec<i8>,
    /// Energy of its service in joules.
    pub energy_j: Vec<f64>,
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
            positioning_ns,
            seek_x_ns,
            settle_ns,
            seek_y_ns,
            turnaround_ns,
            turnarounds,
            hold_ns,
            switch_ns,
            switches,
            transfer_ns,
            rows,
            tip_sectors,
            bus_ns,
            direction,
            energy_j
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

    /// A request arrives and can be scheduled at `ready`: a new row.
    pub fn arrive(&mut self, row: u32, now: Time, ready: Time, queue_length: u32) {
        let row = row as usize;
        if row >= self.arrival_ns.len() {
            self.resize((2 * row).max(1024));
        }
        self.arrival_ns[row] = now.0 as i64;
        self.queue_length[row] = queue_length;
        self.overhead_ns[row] = (ready.0 - now.0) as i64;
    }

    /// Makes every column that long; what is added is zero.
    pub fn resize(&mut self, requests: usize) {
        macro_rules! resize {
            ($($column:ident),*) => { $( resize(&mut self.$column, requests); )* };
        }
        for_each_column!(resize);
    }

    /// A request is being served.
    pub fn serve(&mut self, row: u32, start: Time, service: &Service) {
        let row = row as usize;
        self.start_ns[row] = start.0 as i64;
        self.positioning_ns[row] = service.positioning.0 as u32;
        self.seek_x_ns[row] = service.seek_x.0 as u32;
        self.settle_ns[row] = service.settle.0 as u32;
        self.seek_y_ns[row] = service.seek_y.0 as u32;
        self.turnaround_ns[row] = service.turnaround.0 as u32;
        self.turnarounds[row] = service.turnarounds;
        self.hold_ns[row] = service.hold.0 as i64;
        self.switch_ns[row] = service.switching.0 as i64;
        self.switches[row] = service.switches;
        self.transfer_ns[row] = service.transfer.0 as i64;
        self.rows[row] = service.rows;
        self.tip_sectors[row] = service.tip_sectors as i64;
        self.direction[row] = service.direction;
        self.energy_j[row] = service.energy_j;
    }

    /// The medium is done with the request of that row at `now`, and the host has it at `completion`.
    pub fn complete(&mut self, row: u32, now: Time, completion: Time) {
        self.completion_ns[row as usize] = completion.0 as i64;
        self.bus_ns[row as usize] = (completion - now).0 as i64;
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
