//! A trace in memory: one column a quantity, one row a request.

use std::mem;

/// What a request asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    /// Data from the device.
    #[default]
    Read = 0,
    /// Data to the device.
    Write = 1,
    /// Blocks that hold nothing of use any more (trim).
    Discard = 2,
    /// Flush: data that were written are to be safe; it has no blocks.
    Flush = 3,
}

impl Op {
    /// Every operation, by its number.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Discard, Self::Flush];

    /// The name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["read", "write", "discard", "flush"][self as usize]
    }

    /// Whether data moves.
    #[must_use]
    pub fn moves_data(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }
}

/// Bits of the column `flags`: what else a trace says of a request.
pub mod flags {
    /// Synchronous: somebody waits for it (in DiskSim's words, time-critical).
    pub const SYNC: u8 = 1;
    /// Asynchronous: nobody waits for it.
    pub const ASYNC: u8 = 2;
    /// It is to be on the medium when it is complete (force unit access).
    pub const FUA: u8 = 4;
    /// Read ahead of what was asked for.
    pub const READ_AHEAD: u8 = 8;
    /// Written back by the periodic update daemon.
    pub const DAEMON: u8 = 16;
}

/// Declares the columns of a trace, a row of them, and what is done to each.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident: $kind:ty,)*) => {
        /// One row of a [`Trace`].
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

            /// Appends several requests, column by column, which is faster than one by one; a column that holds
            /// nothing but defaults so far stays empty, which `fill` mends.
            pub(super) fn extend_sparsely(&mut self, requests: &[TraceRow], rows_before: usize) {
                $(extend_sparsely(
                    &mut self.$column,
                    requests.iter().map(|request| request.$column),
                    rows_before,
                );)*
            }

            /// Gives every column that is still empty so many defaults.
            pub(super) fn fill(&mut self, rows: usize) {
                $(if self.$column.is_empty() {
                    // Of numbers these are pages that the system has yet to provide, when somebody looks at them.
                    self.$column = vec![<$kind>::default(); rows];
                })*
            }

            /// The request of a row.
            ///
            /// # Panics
            /// There is no such row.
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

            /// Makes room for that many more requests.
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
    /// Time of arrival in ns from the start of the trace; of a row never before that of the row above.
    arrival_ns: i64,
    /// First sector (logical block number); 0 of a flush.
    lbn: i64,
    /// Length in sectors, at least 1; 0 of a flush.
    blocks: i32,
    /// What the request asks for.
    op: Op,
    /// Whether it is metadata of a file system.
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
    /// The number of requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.arrival_ns.len()
    }

    /// Whether there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrival_ns.is_empty()
    }

    /// All requests; none are left behind.
    #[must_use]
    pub fn take(&mut self) -> Self {
        mem::take(self)
    }

    /// Sorts all columns by arrival time; requests of equal times keep their order.
    ///
    /// # Panics
    /// There are more than 2^32 requests.
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
