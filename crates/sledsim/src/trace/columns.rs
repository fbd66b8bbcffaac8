//! A trace in memory: one column per quantity, one row per request.

use std::mem;

/// The operation of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    /// Read of data from the device.
    #[default]
    Read = 0,
    /// Write of data to the device.
    Write = 1,
    /// Discard (trim) of blocks whose content is no longer needed.
    Discard = 2,
    /// Flush: written data must become durable; it has no blocks.
    Flush = 3,
}

impl Op {
    /// Every operation, in order of its number.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Discard, Self::Flush];

    /// The name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["read", "write", "discard", "flush"][self as usize]
    }

    /// True if the operation moves data.
    #[must_use]
    pub fn moves_data(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }
}

/// Bits of the column `flags`: further attributes of a request.
pub mod flags {
    /// Synchronous: a process waits for the request (in DiskSim's words, time-critical).
    pub const SYNC: u8 = 1;
    /// Asynchronous: no process waits for the request.
    pub const ASYNC: u8 = 2;
    /// Force unit access: the data must be on the medium at completion.
    pub const FUA: u8 = 4;
    /// Read-ahead, beyond the sectors that a program asked for.
    pub const READ_AHEAD: u8 = 8;
    /// Written back by the periodic update daemon.
    pub const DAEMON: u8 = 16;
}

/// Declares the columns of a trace, the type of a row, and the operations on each column.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident: $kind:ty,)*) => {
        /// A row of a [`Trace`].
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct TraceRow { $($(#[$doc])* pub $column: $kind,)* }

        /// A block trace as columns of equal length. Sectors are 512 bytes.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct Trace { $($(#[$doc])* pub $column: Vec<$kind>,)* }

        impl Trace {
            /// Appends one request.
            #[inline]
            pub fn push(&mut self, request: TraceRow) {
                $(self.$column.push(request.$column);)*
            }

            /// Appends several requests, column by column, which is faster than one by one; a column with
            /// only defaults so far stays empty until `fill`.
            pub(super) fn extend_sparsely(&mut self, requests: &[TraceRow], rows_before: usize) {
                $(extend_sparsely(
                    &mut self.$column,
                    requests.iter().map(|request| request.$column),
                    rows_before,
                );)*
            }

            /// Fills every column that is still empty with `rows` defaults.
            pub(super) fn fill(&mut self, rows: usize) {
                $(if self.$column.is_empty() {
                    // For numbers the system provides these pages only when they are read.
                    self.$column = vec![<$kind>::default(); rows];
                })*
            }

            /// The request of a row.
            ///
            /// # Panics If the row does not exist.
            #[must_use]
            #[inline]
            pub fn row(&self, row: usize) -> TraceRow {
                TraceRow { $($column: self.$column[row],)* }
            }

            /// Appends all requests of another trace.
            pub fn append(&mut self, mut other: Self) {
                if self.is_empty() {
                    *self = other;
                } else {
                    $(self.$column.append(&mut other.$column);)*
                }
            }

            /// Appends some rows of another trace.
            pub fn extend_from(&mut self, other: &Self, rows: std::ops::Range<usize>) {
                $(self.$column.extend_from_slice(&other.$column[rows.clone()]);)*
            }

            /// Reserves room for that many more requests.
            pub fn reserve(&mut self, rows: usize) {
                $(self.$column.reserve(rows);)*
            }

            fn gather(&mut self, order: &[u32]) {
                $(gather(&mut self.$column, order);)*
            }
        }
    };
}

columns! {
    /// Time of arrival in ns from the start of the trace; never decreases from row to row.
    arrival_ns: i64,
    /// First sector (logical block number); 0 for a flush.
    lbn: i64,
    /// Length in sectors, at least 1; 0 for a flush.
    blocks: i32,
    /// Operation of the request.
    op: Op,
    /// True if the request is for metadata of a file system.
    metadata: bool,
    /// The device, as the trace numbers it or counted from 0 in order of first request.
    device: i32,
    /// The block class, as HP-UX numbers them; 0 where not recorded.
    class: u8,
    /// Bits of [`flags`].
    flags: u8,
    /// Measured time from arrival to completion in ns; 0 where not recorded.
    response_ns: i64,
    /// Measured time in service in ns; 0 where not recorded.
    service_ns: i64,
}

impl Trace {
    /// Number of requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.arrival_ns.len()
    }

    /// True if there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrival_ns.is_empty()
    }

    /// Takes all requests and leaves an empty trace.
    #[must_use]
    pub fn take(&mut self) -> Self {
        mem::take(self)
    }

    /// Sorts all columns by arrival time; requests of equal times keep their order.
    ///
    /// # Panics If there are more than 2^32 requests.
    pub fn sort_by_arrival(&mut self) {
        if self.arrival_ns.is_sorted() {
            return;
        }
        let rows = u32::try_from(self.len()).expect("a trace in memory has at most 2^32 requests");
        let mut order: Vec<u32> = (0..rows).collect();
        order.sort_by_key(|&row| self.arrival_ns[row as usize]);
        self.gather(&order);
    }
}

fn extend_sparsely<T: Copy + Default + PartialEq>(
    column: &mut Vec<T>,
    values: impl Iterator<Item = T> + Clone,
    rows_before: usize,
) {
    let default = T::default();
    if column.is_empty() {
        if !values.clone().fold(false, |other, value| other | (value != default)) {
            return;
        }
        column.resize(rows_before, default);
    }
    column.extend(values);
}

fn gather<T: Copy>(column: &mut Vec<T>, order: &[u32]) {
    *column = order.iter().map(|&row| column[row as usize]).collect();
}
