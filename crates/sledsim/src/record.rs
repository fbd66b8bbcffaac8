//! The record of a run: columns, one row a request in the order of arrival.

use self::Encoding::{Dictionary, Differences};
use crate::device::Service;
use crate::energy::ServiceEnergy;
use crate::time::{Span, Time};

/// How a file stores a column best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As differences: neighbouring values are near each other.
    Differences,
    /// As a dictionary: there are few different values.
    Dictionary,
}

/// The description of a column of a result, once, for its file, Python and the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The type of its values.
    pub values: &'static str,
    /// The unit of its values; empty if they have none.
    pub unit: &'static str,
    /// How a file stores it best.
    pub encoding: Encoding,
    /// Meaning, in one line.
    pub meaning: &'static str,
}

/// Declares the record, its columns with what a service puts into them, and a macro that applies another one to the
/// names of all columns.
macro_rules! columns {
    (
        $d:tt ($start:ident, $service:ident, $energy:ident) $(#[doc = $doc:literal])+
        $( $name:ident: $type:ty $(= $value:expr)?, $unit:literal, $encoding:ident, $meaning:literal; )+
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Record {
            $( #[doc = $meaning] pub $name: Vec<$type>, )+
        }

        /// The columns of a record, in their order.
        pub const COLUMNS: &[Column] = &[ $( Column {
            name: stringify!($name),
            values: stringify!($type),
            unit: $unit,
            encoding: Encoding::$encoding,
            meaning: $meaning,
        }, )+ ];

        impl Record {
            /// A request is being served, or the last part of it; all services for it took that energy.
            pub fn serve(&mut self, row: u32, $start: Time, $service: &Service, $energy: &ServiceEnergy) {
                let row = row as usize;
                $( $( put(&mut self.$name, row, $value); )? )+
            }
        }

        /// Applies a macro to the names of all columns of a record.
        #[macro_export]
        macro_rules! for_each_column {
            ($d apply:ident) => { $d apply!( $( $name ),+ ); };
        }
    };
}

columns! { $ (start, service, energy)
    /// What happened to every request. Times are in nanoseconds since the start of the run.
    ///
    /// Where a volume makes several parts of a request, start and phases are those of the part that was served last.
    /// `completion - start = command + wait + positioning + hold + switch + transfer + bus` holds in every row.
    arrival_ns: i64, "ns", Differences, "when the host issued the request";
    start_ns: i64 = start.0 as i64, "ns", Differences, "when its service began";
    completion_ns: i64, "ns", Differences, "when the host had it";
    queue_length: u32, "requests", Dictionary, "requests in the system that it found, waiting or in service, itself not counted";
    overhead_ns: i64, "ns", Dictionary, "from arrival, or from when a disk with queue_depth had room for it, until its command was processed (its own processing and the wait for earlier ones); 0 on a disk whose queue is at the host";
    command_ns: i64 = service.command.0 as i64, "ns", Dictionary, "command processing by a device that can do nothing else meanwhile: a disk whose queue is at the host; the latency of a flash card";
    wait_ns: i64 = service.wait.0 as i64, "ns", Differences, "until the medium of a disk was free of an earlier request, or what it reads ahead was there; until a flash card, or a sled that was shut down, was awake";
    positioning_ns: i64 = service.positioning.0 as i64, "ns", Differences, "until its first row or sector could be accessed, had the data of a write been there";
    seek_x_ns: u32 = short_ns(service.seek_x), "ns", Differences, "seek in x, part of positioning; x and y run at once; 0 on a disk, whose seek, settled, is positioning less rotation";
    settle_ns: u32 = short_ns(service.settle), "ns", Dictionary, "settling in x, part of positioning";
    seek_y_ns: u32 = short_ns(service.seek_y), "ns", Differences, "seek in y without turnarounds, part of positioning";
    turnaround_ns: u32 = short_ns(service.turnaround), "ns", Differences, "turnarounds, part of positioning";
    turnarounds: u16 = service.turnarounds, "", Dictionary, "number of turnarounds";
    rotation_ns: i64 = service.rotation.0 as i64, "ns", Differences, "the part of positioning in which a disk turned";
    hold_ns: i64 = service.hold.0 as i64, "ns", Differences, "held back until the data of a write had crossed the bus; on a disk, by how much later that let its tracks be written, the wait for a busy bus included";
    switch_ns: i64 = service.switching.0 as i64, "ns", Differences, "track and cylinder switches of a sled inside the request, and ways back to a row that was read before it is written; erase blocks that a flash card closed for it; 0 on a disk, whose switches are in transfer";
    switches: u32 = service.switches, "", Dictionary, "number of switches";
    transfer_ns: i64 = service.transfer.0 as i64, "ns", Dictionary, "rows passing under the tips; on a disk from its first sector to its last, with the switches between tracks";
    rows: u32 = service.rows, "rows", Dictionary, "rows that passed under the tips; 0 on a disk";
    tip_sectors: i64 = service.tip_sectors as i64, "tip sectors", Dictionary, "tip sectors read or written: each keeps one tip on while one row passes";
    bus_ns: i64 = service.bus.0 as i64, "ns", Differences, "from the end of the transfer until the last data had crossed the bus; on a disk until the request was complete";
    source: u8 = service.source as u8, "", Dictionary, "of a disk, 0: the medium, 1: its cache, 2: what it was reading ahead, 3: cache and medium, 4: a write complete in the cache, whose phases on the medium lie behind";
    direction: i8 = service.direction, "", Dictionary, "direction in y of the first row, +1 or -1; 0 on a disk";
    corrected_tip_sectors: u32 = service.corrected_tip_sectors, "tip sectors", Dictionary, "under a plan of faults: missing tip sectors that a code over tips made up for";
    remapped_blocks: u32 = service.remapped_blocks, "blocks", Dictionary, "under a plan of faults: blocks that lie under spare tips or elsewhere";
    lost_blocks: u32 = service.lost_blocks, "blocks", Dictionary, "under a plan of faults: blocks that could not be read or written";
    parts: u32, "", Dictionary, "in how many parts devices served it; 0 if a volume had it in memory";
    served_by: u64, "", Dictionary, "which devices served it, as bits by number; all from the 64th on share one";
    energy_j: f64 = energy.total_j(), "J", Dictionary, "energy of its services; a service for several requests is divided among them by their sectors";
    seek_j: f64 = energy.seek_j, "J", Dictionary, "of it, actuators that moved the sled";
    settle_j: f64 = energy.settle_j, "J", Dictionary, "of it, actuators while the sled did nothing but settle";
    actuation_j: f64 = energy.actuation_j, "J", Dictionary, "of it, actuators that kept the sled on its column";
    tips_j: f64 = energy.tips_j, "J", Dictionary, "of it, tips that read or wrote";
    electronics_j: f64 = energy.electronics_j, "J", Dictionary, "of it, all that is not of the sled; the whole of devices without one";
    startup_j: f64 = energy.startup_j, "J", Dictionary, "of it, waking up";
}

/// The columns that a result has of its trace, in their order.
pub const TRACE_COLUMNS: &[Column] = &[
    trace_column("lbn", "i64", "sectors", Differences, "first sector of the request, after --past-end"),
    trace_column("blocks", "i32", "sectors", Dictionary, "length of the request in sectors of 512 bytes"),
    trace_column("write", "bool", "", Dictionary, "whether it writes"),
    trace_column("metadata", "bool", "", Dictionary, "whether it is for metadata"),
    trace_column("device", "u16", "", Dictionary, "the device of the trace that it was for, by number"),
];

const fn trace_column(
    name: &'static str,
    values: &'static str,
    unit: &'static str,
    encoding: Encoding,
    meaning: &'static str,
) -> Column {
    Column { name, values, unit, encoding, meaning }
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
