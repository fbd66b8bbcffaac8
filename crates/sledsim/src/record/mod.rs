//! The record of a run: columns, with one row per request in the order of arrival.

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

/// Declares the record, its columns with the values that a service gives them, and a macro that applies another macro
/// to the names of all columns.
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
            /// The number of the request in the first row.
            first: u64,
            /// Values that are not in their rows yet.
            gathered: Gathered,
        }

        /// The columns of a record, in order.
        pub const COLUMNS: &[Column] = &[ $( $( Column {
            name: stringify!($name),
            set: ColumnSet::$set,
            values: stringify!($type),
            unit: $unit,
            encoding: Encoding::$encoding,
            // A web page loads sooner without texts that it does not show.
            meaning: if cfg!(target_family = "wasm") { "" } else { $meaning },
        }, )+ )+ ];

        impl Default for Record {
            fn default() -> Self {
                let selection = Selection::all(COLUMNS).without_requests(COLUMNS);
                Self { $( $( $name: Vec::new(), )+ )+ selection, first: 0, gathered: Gathered::default() }
            }
        }

        impl Record {
            /// Puts a service into its row. A separate function, because together with others its branches get
            /// slower.
            #[inline(never)]
            fn put_service(&mut self, row: u32, $start: Time, $service: &Service, $energy: &ServiceEnergy) {
                let at = self.at(row);
                $( if self.selection.has_some(ColumnSet::$set) {
                    $( $( put(&mut self.$name, at, $value); )? )+
                } )+
            }

            /// Puts services into their rows, one column after the other.
            #[expect(unused_variables, reason = "a column needs one of them")]
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
    /// Events of every request, one row each. Times are in nanoseconds since the start of the run.
    ///
    /// Where a volume makes several parts of a request, start and phases are those of the part that was served last.
    /// `completion - start = command + wait + positioning + hold + switch + transfer + bus` holds in every row.
    Times {
        arrival_ns: i64, "ns", Differences, "time at which the host issued the request";
        start_ns: i64 = start.0 as i64, "ns", Differences, "time at which the service began";
        completion_ns: i64, "ns", Differences, "time at which the host had the result";
        queue_length: u32, "requests", Dictionary, "number of other requests in the system on arrival, waiting or in service";
    } Phases {
        overhead_ns: i64, "ns", Dictionary, "time from arrival (on a disk with queue_depth, from a free slot in the queue) until the command was processed, including the wait for earlier commands; on members that share a bus, until the data of a write had crossed the bus; 0 on a disk whose queue is at the host";
        command_ns: i64 = service.command.0 as i64, "ns", Dictionary, "time of command processing that occupies the device: on a disk whose queue is at the host; on a flash card, the latency";
        wait_ns: i64 = service.wait.0 as i64, "ns", Differences, "wait until the medium of a disk was free of an earlier request, or its read-ahead had the data; until a flash card, or a sled that was shut down, was awake";
        positioning_ns: i64 = service.positioning.0 as i64, "ns", Differences, "time until the first row or sector could be accessed, excluding the wait for the data of a write";
        seek_x_ns: u32 = short_ns(service.seek_x), "ns", Differences, "seek in x, part of positioning, concurrent with y; 0 on a disk, whose seek with settling is positioning - rotation";
        settle_ns: u32 = short_ns(service.settle), "ns", Dictionary, "settling in x, part of positioning";
        seek_y_ns: u32 = short_ns(service.seek_y), "ns", Differences, "seek in y without turnarounds, part of positioning";
        turnaround_ns: u32 = short_ns(service.turnaround), "ns", Differences, "turnarounds, part of positioning";
        turnarounds: u16 = service.turnarounds, "", Dictionary, "number of turnarounds";
        rotation_ns: i64 = service.rotation.0 as i64, "ns", Differences, "rotational latency of a disk, part of positioning";
        hold_ns: i64 = service.hold.0 as i64, "ns", Differences, "wait until the data of a write had crossed the bus; on a disk, the resulting delay of its tracks, including the wait for a busy bus";
        switch_ns: i64 = service.switching.0 as i64, "ns", Differences, "track and cylinder switches of a sled inside the request, and returns to a row that is read before it is written; closing of erase blocks by a flash card; 0 on a disk, whose switches are in transfer";
        switches: u32 = service.switches, "", Dictionary, "number of switches";
        transfer_ns: i64 = service.transfer.0 as i64, "ns", Dictionary, "time in which rows passed under the tips; on a disk from the first sector to the last, including track switches";
        rows: u32 = service.rows, "rows", Dictionary, "number of rows that passed under the tips; 0 on a disk";
        tip_sectors: i64 = service.tip_sectors as i64, "tip sectors", Dictionary, "number of tip sectors read or written; each tip sector keeps one tip on while one row passes";
        bus_ns: i64 = service.bus.0 as i64, "ns", Differences, "time from the end of the transfer until the last data had crossed the bus; on a disk until the request was complete; includes the extra time of a slow-down";
        source: u8 = service.source as u8, "", Dictionary, "source of the data on a disk, 0: medium, 1: cache, 2: read-ahead, 3: cache and medium, 4: write complete in the cache, whose phases on the medium come later";
        direction: i8 = service.direction, "", Dictionary, "direction in y of the first row, +1 or -1; 0 on a disk";
        corrected_tip_sectors: u32 = service.corrected_tip_sectors, "tip sectors", Dictionary, "number of missing tip sectors that the code over tips corrected, under a plan of faults";
        remapped_blocks: u32 = service.remapped_blocks, "blocks", Dictionary, "number of blocks under spare tips or in the reserve, under a plan of faults";
        lost_blocks: u32 = service.lost_blocks, "blocks", Dictionary, "number of blocks that could not be read or written, under a plan of faults";
        parts: u32, "", Dictionary, "number of parts that devices served; 0 if a volume served the request from memory";
        served_by: u64, "", Dictionary, "devices that served the request, as one bit for each device number; all devices from the 64th on share a bit";
    } Energy {
        energy_j: f64 = energy.total_j(), "J", Bytes, "energy of the request's services; a service for several requests is divided among them by their sectors";
        seek_j: f64 = energy.seek_j, "J", Bytes, "energy of actuators that moved the sled";
        settle_j: f64 = energy.settle_j, "J", Dictionary, "energy of actuators while the sled only settled";
        actuation_j: f64 = energy.actuation_j, "J", Dictionary, "energy of actuators that kept the sled on its column";
        tips_j: f64 = energy.tips_j, "J", Dictionary, "energy of tips that read or wrote";
        electronics_j: f64 = energy.electronics_j, "J", Bytes, "energy of everything except the sled; on devices without a sled, all energy";
        startup_j: f64 = energy.startup_j, "J", Dictionary, "energy of waking up";
    } Request {
        lbn: i64, "sectors", Differences, "first sector of the request, after --past-end";
        blocks: i32, "sectors", Dictionary, "length of the request in sectors of 512 bytes";
        write: bool, "", Dictionary, "true if the request writes";
        metadata: bool, "", Dictionary, "true if the request is for metadata";
        device: i32, "", Dictionary, "number of the traced device of the request";
    }
}

/// The completion of an incomplete request.
const PENDING: i64 = -1;

/// Reads a selection: names of columns and of sets, with commas between, `all` or `none`. Arrivals and completions
/// are always among them.
///
/// # Errors
/// An unknown name; the message gives the nearest known one.
pub fn select(text: &str) -> Result<Selection> {
    Selection::parse(text, COLUMNS)
}

/// Names that `select` accepts, and the meaning of each.
pub fn selectable() -> impl Iterator<Item = (&'static str, &'static str)> {
    selection::selectable(COLUMNS)
}

/// The names of the columns of a selection, in order.
pub fn names(selection: Selection) -> impl Iterator<Item = &'static str> {
    COLUMNS
        .iter()
        .enumerate()
        .filter(move |(number, _)| selection.has(*number))
        .map(|(_, column)| column.name)
}

impl Record {
    /// Creates an empty record of these columns, with room for `requests` requests.
    #[must_use]
    pub fn new(selection: Selection, requests: usize) -> Self {
        let mut record = Self { selection, ..Self::default() };
        record.resize(requests);
        record
    }

    /// Creates a record like [`new`](Self::new), without the columns of the request itself, which its sender knows.
    #[must_use]
    pub fn found_out(selection: Selection, requests: usize) -> Self {
        Self::new(selection.without_requests(COLUMNS), requests)
    }

    /// Creates an empty record of all results of a run, without the columns of the request itself, which its sender
    /// knows, with room for `requests` requests.
    #[must_use]
    pub fn with_capacity(requests: usize) -> Self {
        Self::new(Self::default().selection, requests)
    }

    /// The columns that the record keeps; all other columns are empty.
    #[must_use]
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Index of a request. Numbers of requests continue from 0 after the last of 32 bits: far fewer are kept at once.
    #[inline]
    fn at(&self, row: u32) -> usize {
        row.wrapping_sub(self.first as u32) as usize
    }

    /// Adds a row for a request that arrives.
    pub fn arrive(&mut self, row: u32, now: Time, queue_length: u32) {
        let at = self.at(row);
        if at >= self.arrival_ns.len() {
            self.resize((2 * at).max(1024));
        }
        self.arrival_ns[at] = now.0 as i64;
        self.completion_ns[at] = PENDING;
        put(&mut self.queue_length, at, queue_length);
    }

    /// Stores operation and sectors of the request of a row, if kept.
    pub fn ask(&mut self, row: u32, [lbn, blocks]: [u64; 2], [write, metadata]: [bool; 2], device: u32) {
        if self.selection.has_some(ColumnSet::Request) {
            let at = self.at(row);
            put(&mut self.lbn, at, lbn as i64);
            put(&mut self.blocks, at, blocks as i32);
            put(&mut self.write, at, write);
            put(&mut self.metadata, at, metadata);
            put(&mut self.device, at, device as i32);
        }
    }

    /// Stores the acceptance of a request by its device, and its overhead, after which it can be scheduled.
    pub fn accept(&mut self, row: u32, overhead: Span) {
        let at = self.at(row);
        put(&mut self.overhead_ns, at, overhead.0 as i64);
    }

    /// Resizes every kept column; new values are zero.
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

    /// Stores the service of a request, or of its last part; all services for the request took that energy. The
    /// values are in the row at the latest when rows are removed.
    #[inline]
    pub fn serve(&mut self, row: u32, start: Time, service: &Service, energy: &ServiceEnergy) {
        let at = self.at(row);
        if self.selection.has_many() && self.gathered.is_far(at) {
            self.gather(at, start, service, energy);
        } else {
            self.put_service(row, start, service, energy);
        }
    }

    /// Stores a service for later, if its row is far from the last row.
    #[inline(never)]
    fn gather(&mut self, at: usize, start: Time, service: &Service, energy: &ServiceEnergy) {
        self.gathered.serve(at, start, service, energy);
        if self.gathered.is_full() {
            self.put_gathered();
        }
    }

    /// Stores a request that a volume serves from memory, without a device. Returns its start.
    pub fn serve_from_memory(&mut self, row: u32) -> Time {
        let at = self.at(row);
        let arrival_ns = self.arrival_ns[at];
        put(&mut self.start_ns, at, arrival_ns);
        Time(arrival_ns as u64)
    }

    /// Stores the completion of the request of a row: at `end` at the device, at `completion` at the host, with the
    /// number of parts and the devices that served the parts.
    #[inline]
    pub fn complete(&mut self, row: u32, end: Time, completion: Time, parts: u32, devices: u64) {
        let done = Completion { at: self.at(row), end, completion, parts, devices };
        if self.gathered.is_empty() {
            self.put_completion(&done);
        } else {
            self.gather_completion(done);
        }
    }

    /// Stores a completion behind the gathered services.
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

    /// Puts the gathered services and completions into their rows.
    #[inline(never)]
    fn put_gathered(&mut self) {
        let mut gathered = std::mem::take(&mut self.gathered);
        self.put_services(gathered.services());
        gathered.completions().for_each(|done| self.put_completion(done));
        gathered.clear();
        self.gathered = gathered;
    }

    /// Number of complete rows from the first on, given a number of rows known to be complete and the number of
    /// arrivals.
    #[must_use]
    pub fn complete_rows(&mut self, known: usize, arrived: usize) -> usize {
        self.put_gathered();
        let pending = self.completion_ns[known..arrived].iter().position(|at| *at == PENDING);
        pending.map_or(arrived, |behind| known + behind)
    }

    /// Removes and returns the first `rows` rows of the requests that have arrived; the remaining rows move up.
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

    /// All rows of the requests that have arrived; incomplete requests count as complete at time 0.
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

/// Nanoseconds of a motion, which lasts at most 4.29 s: parameters that would allow more are rejected.
fn short_ns(span: Span) -> u32 {
    u32::try_from(span.0).expect("the limits of parameters keep motions below 4.29 s")
}

/// New values are zero already: columns that a device never fills are never touched. Columns that are not kept are
/// empty.
#[inline]
fn put<T: PartialEq + Default>(column: &mut [T], at: usize, value: T) {
    if value != T::default() {
        if let Some(there) = column.get_mut(at) {
            *there = value;
        }
    }
}

/// Puts values into a kept column, each at its place.
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

/// Fresh zeroes from the system cost nothing until they are written to.
fn resize<T: Clone + Default>(column: &mut Vec<T>, length: usize) {
    if column.is_empty() {
        *column = vec![T::default(); length];
    } else {
        column.resize(length, T::default());
    }
}

/// Removes and returns the first rows of a kept column; the rest moves up and leaves zeroes.
fn take<T: Copy + Default>(column: &mut [T], rows: usize, arrived: usize) -> Vec<T> {
    let Some(there) = column.get_mut(..arrived) else { return Vec::new() };
    let taken = there[..rows].to_vec();
    there.copy_within(rows.., 0);
    there[arrived - rows..].fill(T::default());
    taken
}
