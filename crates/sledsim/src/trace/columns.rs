//! A trace in memory: a vector for each quantity of a request (a column), with one entry per request (a
//! row).

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
    /// Discard (trim): the content of the blocks is no longer needed.
    Discard = 2,
    /// Flush: all data written before must become durable. A flush has no blocks.
    Flush = 3,
}

impl Op {
    /// All operations, ordered by the number that stands for them in a column.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Discard, Self::Flush];

    /// The name of the operation in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["read", "write", "discard", "flush"][self as usize]
    }

    /// True if the operation moves data: a read or a write.
    #[must_use]
    pub fn moves_data(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }
}

/// Bits of the column `flags`, which holds further attributes of a request.
pub mod flags {
    /// Synchronous: a process waits for the request (in DiskSim's words, time-critical).
    pub const SYNC: u8 = 1;
    /// Asynchronous: no process waits for the request.
    pub const ASYNC: u8 = 2;
    /// Force unit access: the data must be on the medium at completion.
    pub const FUA: u8 = 4;
    /// Read-ahead: a read of sectors that no program has asked for yet.
    pub const READ_AHEAD: u8 = 8;
    /// Write-back of cached data by a daemon that runs periodically.
    pub const DAEMON: u8 = 16;
}

/// Declares the columns of a trace, the type of a row, and the operations on each column.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident: $kind:ty,)*) => {
        /// A request, with its value in every column of a [`Trace`].
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct TraceRow { $($(#[$doc])* pub $column: $kind,)* }

        /// A block trace as columns of equal length. A sector has 512 bytes.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct Trace { $($(#[$doc])* pub $column: Vec<$kind>,)* }

        impl Trace {
            /// Appends one request.
            #[inline]
            pub fn push(&mut self, request: TraceRow) {
                $(self.$column.push(request.$column);)*
            }

            /// Appends `requests` column by column, which is faster than request by request.
            /// `rows_before` is the number of earlier requests. A column stays empty while all
            /// values are the column's default; [`fill`](Self::fill) adds these values at the end.
            pub(super) fn extend_sparsely(&mut self, requests: &[TraceRow], rows_before: usize) {
                $(extend_sparsely(
                    &mut self.$column,
                    requests.iter().map(|request| request.$column),
                    rows_before,
                );)*
            }

            /// Fills every column that is still empty with `rows` default values.
            pub(super) fn fill(&mut self, rows: usize) {
                $(if self.$column.is_empty() {
                    // For numbers the system provides these pages only when they are read.
                    self.$column = vec![<$kind>::default(); rows];
                })*
            }

            /// The request at position `row`, counted from 0.
            ///
            /// # Panics The trace has no request at this position.
            #[must_use]
            #[inline]
            pub fn row(&self, row: usize) -> TraceRow {
                TraceRow { $($column: self.$column[row],)* }
            }

            /// Appends all requests of the trace `other`.
            pub fn append(&mut self, mut other: Self) {
                if self.is_empty() {
                    *self = other;
                } else {
                    $(self.$column.append(&mut other.$column);)*
                }
            }

            /// Appends the requests of the trace `other` at the positions `rows`.
            pub fn extend_from(&mut self, other: &Self, rows: std::ops::Range<usize>) {
                $(self.$column.extend_from_slice(&other.$column[rows.clone()]);)*
            }

            /// Reserves memory for `rows` more requests.
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
    /// Time of arrival in ns from the start of the trace; never earlier than that of the previous
    /// request.
    arrival_ns: i64,
    /// Number of the first sector (LBN); 0 for a flush.
    lbn: i64,
    /// Number of sectors, at least 1; 0 for a flush.
    blocks: i32,
    /// Operation of the request.
    op: Op,
    /// True if the request accesses metadata of a file system.
    metadata: bool,
    /// Number of the device: the number that the trace gives or, if the trace gives names, a number
    /// from 0 in order of first use.
    device: i32,
    /// Class of the requested blocks, by the numbers that HP-UX uses; 0 if not recorded.
    class: u8,
    /// Attributes of the request, as bits of [`flags`].
    flags: u8,
    /// Measured time from arrival to completion in ns; 0 if not recorded.
    response_ns: i64,
    /// Measured service time in ns; 0 if not recorded.
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

    /// Takes all requests out and leaves this trace empty.
    #[must_use]
    pub fn take(&mut self) -> Self {
        mem::take(self)
    }

    /// Sorts the requests by arrival time; requests of equal times keep their order.
    ///
    /// # Panics There are more than 2^32 requests.
    pub fn sort_by_arrival(&mut self) {
        if self.arrival_ns.is_sorted() {
            return;
        }
        let rows = u32::try_from(self.len()).expect(
            "a trace that is sorted in memory has at most 2^32 \
            requests",
        );
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
