//! The record of a run: columns, with one row per request in the order of arrival.

mod asking;
mod gathered;
mod lookup;
mod responses;
mod selection;
#[cfg(test)]
mod tests;
mod totals;

use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::error::Result;
use crate::time::{Span, Time};
use gathered::{Completion, Gathered, Served};
pub use responses::Responses;
pub use selection::{Column, ColumnSet, Encoding, Selection};
pub use totals::{Phase, Totals};

/// Declares the struct `Record` with its columns, and for each column the value that it takes from a service. Also
/// declares the macro `for_each_column`, which applies another macro to the names of all columns.
macro_rules! columns {
    (
        $d:tt ($start:ident, $service:ident, $energy:ident) $(#[doc = $doc:literal])+
        $( $set:ident {
            $( $name:ident: $type:ty $(= $value:expr)?, $unit:literal, $encoding:ident, $meaning:literal; )+
        } )+
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct Record {
            $( $( #[doc = $meaning] pub $name: Vec<$type>, )+ )+
            selection: Selection,
            /// Request number of the first row: the number of rows that were already removed from the record.
            first: u64,
            /// Services and completions that are not yet copied into their rows.
            gathered: Gathered,
        }

        /// All columns that a record can have, in order.
        pub const COLUMNS: &[Column] = &[ $( $( Column {
            name: stringify!($name),
            set: ColumnSet::$set,
            values: stringify!($type),
            unit: $unit,
            encoding: Encoding::$encoding,
            // A web page loads sooner without texts, and shows none of these.
            meaning: if cfg!(target_family = "wasm") { "" } else { $meaning },
        }, )+ )+ ];

        impl Default for Record {
            fn default() -> Self {
                let selection = Selection::all(COLUMNS).without_requests(COLUMNS);
                Self { $( $( $name: Vec::new(), )+ )+ selection, first: 0, gathered: Gathered::default() }
            }
        }

        impl Record {
            /// Puts a service into its row. This is a separate function because its branches are slower
            /// inside a larger one.
            #[inline(never)]
            fn put_service(&mut self, row: u32, $start: Time, $service: &Service, $energy: &ServiceEnergy) {
                let at = self.at(row);
                $( if self.selection.has_some(ColumnSet::$set) {
                    $( $( put(&mut self.$name, at, $value); )? )+
                } )+
            }

            /// Puts several services into their rows: all values of one column, then all values of the next column.
            #[expect(unused_variables, reason = "each column needs only one of the variables")]
            fn put_services<'a>(&mut self, services: impl Iterator<Item = Served<'a>> + Clone) {
                $( if self.selection.has_some(ColumnSet::$set) {
                    $( $(
                        let values = services.clone().map(|(at, $start, $service, $energy)| (at, $value));
                        put_all(&mut self.$name, values);
                    )? )+
                } )+
            }
        }

        /// Applies a macro to the names of all columns of a record.
        #[macro_export]
        macro_rules! for_each_column {
            ($d apply:ident) => { $d apply!( $( $( $name ),+ ),+ ); };
        }
    };
}

columns! { $ (start, service, energy)
    /// Events of every request, with one row for each request. Times are in nanoseconds since the start of the run.
    ///
    /// If a volume divides a request into parts, start and phases are those of the part that was served last.
    /// `completion - start = command + wait + positioning + hold + switch + transfer + bus` holds in every row.
    Times {
        arrival_ns: i64, "ns", Differences, "time at which the host issued the request";
        start_ns: i64 = start.0 as i64, "ns", Differences, "time at which the service of the request began";
        completion_ns: i64, "ns", Differences, "time at which the host had the data of a read or the acknowledgement of a write";
        queue_length: u32, "requests", Dictionary, "number of other requests that waited or were in service when the request arrived";
    } Phases {
        overhead_ns: i64, "ns", Dictionary, "time from arrival until the command was processed, including the wait for earlier commands; on a disk with queue_depth, counted from a free slot in the queue; on members that share a bus, until the data of a write had crossed the bus; 0 on a disk whose queue is at the host";
        command_ns: i64 = service.command.0 as i64, "ns", Dictionary, "time of command processing during which the device can serve no other request: on a disk whose queue is at the host, the command overhead; on a flash card, the latency";
        wait_ns: i64 = service.wait.0 as i64, "ns", Differences, "wait until the medium of a disk was free or its read-ahead had the data, or until a sleeping flash card or sled was awake";
        positioning_ns: i64 = service.positioning.0 as i64, "ns", Differences, "time until the first row or sector could be accessed, excluding the wait for the data of a write";
        seek_x_ns: u32 = short_ns(service.seek_x), "ns", Differences, "time of the seek in x, part of positioning, at the same time as the motion in y; 0 on a disk, where seek and settling together take positioning - rotation";
        settle_ns: u32 = short_ns(service.settle), "ns", Dictionary, "time of settling after the seek in x, part of positioning";
        seek_y_ns: u32 = short_ns(service.seek_y), "ns", Differences, "time of the seek in y without turnarounds, part of positioning";
        turnaround_ns: u32 = short_ns(service.turnaround), "ns", Differences, "time of turnarounds in y, part of positioning";
        turnarounds: u16 = service.turnarounds, "", Dictionary, "number of turnarounds in y during positioning";
        rotation_ns: i64 = service.rotation.0 as i64, "ns", Differences, "rotational latency of a disk, part of positioning";
        hold_ns: i64 = service.hold.0 as i64, "ns", Differences, "wait of the medium until the data of a write had crossed the bus, including the wait for a busy bus";
        switch_ns: i64 = service.switching.0 as i64, "ns", Differences, "time of track and cylinder switches of a sled inside the request, and of returns to a row that is read before it is written; on a flash card, time of closing erase blocks; 0 on a disk, whose switches count as transfer";
        switches: u32 = service.switches, "", Dictionary, "number of track and cylinder switches inside the request";
        transfer_ns: i64 = service.transfer.0 as i64, "ns", Dictionary, "time in which rows passed under the tips; on a disk from the first sector to the last, including track switches";
        rows: u32 = service.rows, "rows", Dictionary, "number of rows that passed under the tips; 0 on a disk";
        tip_sectors: i64 = service.tip_sectors as i64, "tip sectors", Dictionary, "number of tip sectors read or written; for each, one tip is on while one row passes";
        bus_ns: i64 = service.bus.0 as i64, "ns", Differences, "time from the end of the transfer until the last data had crossed the bus (on a disk: until the request was complete), including the extra time of a slow-down of the device";
        source: u8 = service.source as u8, "", Dictionary, "source of the data on a disk, 0: medium, 1: cache, 2: read-ahead, 3: cache and medium, 4: write complete in the cache, whose phases on the medium come later";
        direction: i8 = service.direction, "", Dictionary, "direction in y of the first row, +1 or -1; 0 on a disk";
        corrected_tip_sectors: u32 = service.corrected_tip_sectors, "tip sectors", Dictionary, "number of missing tip sectors that the error-correcting code over tips corrected, under a plan of faults";
        remapped_blocks: u32 = service.remapped_blocks, "blocks", Dictionary, "number of blocks read or written under spare tips or in the reserve instead of their own place, under a plan of faults";
        lost_blocks: u32 = service.lost_blocks, "blocks", Dictionary, "number of blocks that could not be read or written, under a plan of faults";
        parts: u32, "", Dictionary, "number of parts that devices served; 0 if a volume served the request from memory";
        served_by: u64, "", Dictionary, "set of the devices that served the request: one bit for each device number; all devices from the 64th on share a bit";
    } Energy {
        energy_j: f64 = energy.total_j(), "J", Bytes, "energy of all services for the request; the energy of a service for several requests is divided in proportion to their sectors";
        seek_j: f64 = energy.seek_j, "J", Bytes, "energy of actuators that moved the sled";
        settle_j: f64 = energy.settle_j, "J", Dictionary, "energy of actuators while the sled settled after a seek";
        actuation_j: f64 = energy.actuation_j, "J", Dictionary, "energy of actuators that held the sled at its place in x, while rows passed or a write waited for its data";
        tips_j: f64 = energy.tips_j, "J", Dictionary, "energy of the tips while they read or wrote";
        electronics_j: f64 = energy.electronics_j, "J", Bytes, "energy of the electronics, that is, of all parts except actuators and tips; on devices without a sled, all energy";
        startup_j: f64 = energy.startup_j, "J", Dictionary, "energy of waking a sleeping device up";
    } Request {
        lbn: i64, "sectors", Differences, "first sector of the request on the simulated device, after a change by --past-end";
        blocks: i32, "sectors", Dictionary, "length of the request in sectors of 512 bytes";
        write: bool, "", Dictionary, "true if the request writes";
        metadata: bool, "", Dictionary, "true if the request is for metadata";
        device: i32, "", Dictionary, "number of the traced device to which the request went";
        kind: u8, "", Dictionary, "kind of request, 0: read, 1: write, 2: write with force unit access (FUA), 3: flush";
    }
}

/// Value of the column `completion_ns` in the row of an incomplete request.
const PENDING: i64 = -1;

/// Reads a selection of columns from `text`: names of columns and of sets, separated by commas, or `all`, or `none`.
/// The columns of arrival and completion times and of kinds are always selected.
///
/// # Errors
/// A name is unknown; the message gives the nearest known name.
pub fn select(text: &str) -> Result<Selection> {
    Selection::parse(text, COLUMNS)
}

/// The names that `select` accepts, each with its meaning.
pub fn selectable() -> impl Iterator<Item = (&'static str, &'static str)> {
    selection::selectable(COLUMNS)
}

/// The names of the columns of a selection, in the order of columns.
pub fn names(selection: Selection) -> impl Iterator<Item = &'static str> {
    COLUMNS
        .iter()
        .enumerate()
        .filter(move |(number, _)| selection.has(*number))
        .map(|(_, column)| column.name)
}

impl Record {
    /// Creates an empty record with the columns of `selection`, and with room for `requests` requests.
    #[must_use]
    pub fn new(selection: Selection, requests: usize) -> Self {
        let mut record = Self { selection, ..Self::default() };
        record.resize(requests);
        record
    }

    /// Creates a record as [`new`](Self::new) does, but without the columns of the set `request`: the caller knows
    /// these values, because it submits the requests.
    #[must_use]
    pub fn found_out(selection: Selection, requests: usize) -> Self {
        Self::new(selection.without_requests(COLUMNS), requests)
    }

    /// Creates an empty record like [`found_out`](Self::found_out), of all columns.
    #[must_use]
    pub fn with_capacity(requests: usize) -> Self {
        Self::new(Self::default().selection, requests)
    }

    /// The columns that the record keeps; other columns are empty.
    #[must_use]
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Index of the row of the request `row`. Request numbers wrap around at 2^32; a record holds far fewer rows.
    #[inline]
    fn at(&self, row: u32) -> usize {
        row.wrapping_sub(self.first as u32) as usize
    }

    /// Adds a row for the request `row`, which arrives at `now`.
    pub fn arrive(&mut self, row: u32, now: Time, queue_length: u32) {
        let at = self.at(row);
        if at >= self.arrival_ns.len() {
            self.resize((2 * at).max(1024));
        }
        self.arrival_ns[at] = now.0 as i64;
        self.completion_ns[at] = PENDING;
        put(&mut self.queue_length, at, queue_length);
    }

    /// Stores the overhead of the request `row`: the time from its arrival until it could be scheduled.
    pub fn accept(&mut self, row: u32, overhead: Span) {
        let at = self.at(row);
        put(&mut self.overhead_ns, at, overhead.0 as i64);
    }

    /// Resizes every kept column to `requests` values; new values are zero.
    fn resize(&mut self, requests: usize) {
        let (selection, mut number) = (self.selection, 0);
        macro_rules! resize {
            ($($column:ident),*) => { $(
                if selection.has(number) {
                    resize(&mut self.$column, requests);
                }
                number += 1;
            )* };
        }
        for_each_column!(resize);
        debug_assert_eq!(number, COLUMNS.len());
    }

    /// Stores the service of the request `row`, or that of its last part; `energy` is the energy of all services for
    /// the request. The values may wait in a buffer until rows are removed.
    #[inline]
    pub fn serve(&mut self, row: u32, start: Time, service: &Service, energy: &ServiceEnergy) {
        let at = self.at(row);
        if self.selection.has_many() && self.gathered.is_far(at) {
            self.gather(at, start, service, energy);
        } else {
            self.put_service(row, start, service, energy);
        }
    }

    /// Puts a service into the buffer, because its row is far from the row served before.
    #[inline(never)]
    fn gather(&mut self, at: usize, start: Time, service: &Service, energy: &ServiceEnergy) {
        self.gathered.serve(at, start, service, energy);
        if self.gathered.is_full() {
            self.put_gathered();
        }
    }

    /// Stores that a volume served the request `row` from its memory, without a device. Returns the start of the
    /// service, which is the arrival of the request.
    pub fn serve_from_memory(&mut self, row: u32) -> Time {
        let at = self.at(row);
        let arrival_ns = self.arrival_ns[at];
        put(&mut self.start_ns, at, arrival_ns);
        Time(arrival_ns as u64)
    }

    /// Stores the completion of the request `row`: the device has finished it at `end`, and the host has the result at
    /// `completion`. `parts` is the number of its parts, and `devices` the set of devices that served them.
    #[inline]
    pub fn complete(&mut self, row: u32, end: Time, completion: Time, parts: u32, devices: u64) {
        let done = Completion { at: self.at(row), end, completion, parts, devices };
        if self.gathered.is_empty() {
            self.put_completion(&done);
        } else {
            self.gather_completion(done);
        }
    }

    /// Puts a completion into the buffer, behind the services that are still there.
    #[inline(never)]
    fn gather_completion(&mut self, done: Completion) {
        self.gathered.complete(done);
        if self.gathered.is_full() {
            self.put_gathered();
        }
    }

    #[inline]
    fn put_completion(&mut self, done: &Completion) {
        let Completion { at, end, completion, parts, devices } = *done;
        self.completion_ns[at] = completion.0 as i64;
        if completion > end {
            if let Some(bus_ns) = self.bus_ns.get_mut(at) {
                *bus_ns += (completion - end).0 as i64;
            }
        }
        put(&mut self.parts, at, parts);
        put(&mut self.served_by, at, devices);
    }

    /// Copies all services and completions of the buffer into their rows.
    #[inline(never)]
    fn put_gathered(&mut self) {
        let mut gathered = std::mem::take(&mut self.gathered);
        self.put_services(gathered.services());
        gathered.completions().for_each(|done| self.put_completion(done));
        gathered.clear();
        self.gathered = gathered;
    }

    /// Number of complete rows at the start of the record, up to the first incomplete row. `known` rows are already
    /// known to be complete; `arrived` is the number of requests that have arrived.
    #[must_use]
    pub fn complete_rows(&mut self, known: usize, arrived: usize) -> usize {
        self.put_gathered();
        let pending = self.completion_ns[known..arrived].iter().position(|at| *at == PENDING);
        pending.map_or(arrived, |behind| known + behind)
    }

    /// Removes and returns the first `rows` rows of the record; the remaining rows move up. `arrived` is the number of
    /// rows that hold a request.
    #[must_use]
    pub fn take(&mut self, rows: usize, arrived: usize) -> Self {
        self.put_gathered();
        let mut taken = Self { selection: self.selection, first: self.first, ..Self::default() };
        macro_rules! take {
            ($($column:ident),*) => { $( taken.$column = take(&mut self.$column, rows, arrived); )* };
        }
        for_each_column!(take);
        self.first += rows as u64;
        taken
    }

    /// Returns the first `arrived` rows, which are the rows with a request. An incomplete request gets the completion
    /// time 0.
    #[must_use]
    pub fn into_rows(mut self, arrived: usize) -> Self {
        self.put_gathered();
        self.gathered = Gathered::default();
        self.resize(arrived);
        let pending = self.completion_ns.iter_mut().filter(|at| **at == PENDING);
        pending.for_each(|at| *at = 0);
        self
    }
}

/// Nanoseconds of a motion, as a 32-bit number: the limits of parameters keep every motion below 4.29 s.
fn short_ns(span: Span) -> u32 {
    u32::try_from(span.0).expect("the limits of parameters keep every motion below 4.29 s")
}

/// Puts a value into a column of the record. A value of 0 is not written, so that the memory of a column that a device
/// never fills is never touched.
#[inline]
fn put<T: PartialEq + Default>(column: &mut [T], at: usize, value: T) {
    if value != T::default() {
        if let Some(there) = column.get_mut(at) {
            *there = value;
        }
    }
}

/// Puts values into a column of the record; each value comes with the index of its row.
#[inline]
fn put_all<T: PartialEq + Default>(column: &mut [T], values: impl Iterator<Item = (usize, T)>) {
    if !column.is_empty() {
        for (at, value) in values {
            if value != T::default() {
                column[at] = value;
            }
        }
    }
}

/// Resizes a column. Fresh zeros from the operating system cost nothing until they are written.
fn resize<T: Clone + Default>(column: &mut Vec<T>, length: usize) {
    if column.is_empty() {
        *column = vec![T::default(); length];
    } else {
        column.resize(length, T::default());
    }
}

/// Removes and returns the first `rows` values of a kept column; the other values move up and leave zeros at the end.
fn take<T: Copy + Default>(column: &mut [T], rows: usize, arrived: usize) -> Vec<T> {
    let Some(there) = column.get_mut(..arrived) else { return Vec::new() };
    let taken = there[..rows].to_vec();
    there.copy_within(rows.., 0);
    there[arrived - rows..].fill(T::default());
    taken
}
