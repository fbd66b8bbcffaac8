//! Interface of a device to its host: command processing, and an external bus with a speed-matching
//! buffer (001-F9).

use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Model of command processing and of the bus. Commands are processed one at a time in the order of
/// arrival, even while the sled serves other requests. The bus carries data in the order in which they
/// become ready, even while commands are processed.
///
/// All data of a write become ready when its command has been processed. The data of a read become ready
/// row by row, when each row has been read. Once a transfer has begun, it keeps the bus until it ends. The
/// buffer is large enough for any request.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    overhead: Span,
    per_block_ns: f64,
    controller_free: Time,
    bus_free: Time,
    /// Rows of the read in service, in the order in which they are read from the medium.
    rows: Vec<Row>,
    crossed: Vec<[Time; 2]>,
    /// Number of blocks of the read in service that have crossed the bus, or for which the bus is reserved.
    carried_blocks: u64,
    /// Time by which transfers of other requests delayed the transfer of the last read on the bus, after
    /// all of its rows had been read.
    waited: Span,
}

/// A row of a read: the time at which the row has been read, and the number of blocks of the request in the row.
#[derive(Clone, Copy, Debug)]
struct Row {
    read: Time,
    blocks: u32,
}

impl Interface {
    /// Creates an interface with a command overhead of `overhead_s` seconds and a bus of
    /// `bus_bytes_per_s` bytes per second; 0 makes the bus infinitely fast.
    #[must_use]
    pub fn new(overhead_s: f64, bus_bytes_per_s: f64, block_bytes: u64) -> Self {
        let per_block_ns =
            if bus_bytes_per_s == 0.0 { 0.0 } else { block_bytes as f64 * 1e9 / bus_bytes_per_s };
        Self { overhead: Span::from_s(overhead_s), per_block_ns, ..Self::default() }
    }

    /// True if the bus takes no time.
    #[must_use]
    pub fn is_instant(&self) -> bool {
        self.per_block_ns == 0.0
    }

    /// Time in which `blocks` blocks cross the bus.
    #[must_use]
    pub fn transfer(&self, blocks: u64) -> Span {
        Span((blocks as i64 as f64 * self.per_block_ns + 0.5) as i64 as u64)
    }

    /// Time at which the first `blocks` blocks of a write have crossed the bus. Data of an internal write
    /// do not cross the bus; their time is the one at which all of them are available.
    #[must_use]
    pub fn there(&self, request: &Request, blocks: u64) -> Time {
        if request.is_internal {
            return request.data_until;
        }
        // A write for which `admit` was never called has all of its data.
        request.data_until.min(request.data_from + self.transfer(u64::from(request.data_before) + blocks))
    }

    /// Number of blocks of a write that have crossed the bus by `now`.
    #[must_use]
    pub fn blocks_there(&self, now: Time, request: &Request) -> u64 {
        if now >= request.data_until || self.is_instant() {
            return u64::from(request.blocks);
        }
        let crossed = (now.since(request.data_from).0 as f64 / self.per_block_ns) as u64;
        crossed.saturating_sub(u64::from(request.data_before))
    }

    /// Accepts a command at `now`; returns the time at which the command is processed.
    pub fn accept(&mut self, now: Time) -> Time {
        self.controller_free = now.max(self.controller_free) + self.overhead;
        self.controller_free
    }

    /// Admits a request at `now`, when its command has been processed. For a write, reserves the bus for
    /// its data and stores the times of the transfer in the request.
    pub fn admit(&mut self, now: Time, request: &mut Request) {
        if request.op == Op::Write {
            self.carry_rows(now);
            request.data_from = now.max(self.bus_free);
            request.data_until =
                request.data_from + self.transfer(u64::from(request.data_before) + u64::from(request.blocks));
            self.bus_free = request.data_until;
        }
    }

    /// Records that the next `blocks` blocks of the read in service will have been read from the medium at
    /// the time `read`.
    pub fn demand(&mut self, read: Time, blocks: u32) {
        if !self.is_instant() {
            self.rows.push(Row { read, blocks });
        }
    }

    /// Ends a read whose last row has been read at `now`; returns the time at which all of its data have
    /// crossed the bus.
    pub fn send(&mut self, now: Time) -> Time {
        self.waited = Span::ZERO;
        if self.rows.is_empty() {
            return now;
        }
        self.carry_rows(now);
        let done = self.crossed.last().map_or(now, |[_, until]| now.max(*until));
        let own = self.crossed.iter().map(|[from, until]| until.since(now.max(*from)).0).sum();
        self.waited = done.since(now).saturating_sub(Span(own));
        self.rows.clear();
        self.crossed.clear();
        self.carried_blocks = 0;
        done
    }

    /// Time by which transfers of other requests delayed the last read on the bus, for which
    /// [`send`](Self::send) was called.
    #[must_use]
    pub fn waited(&self) -> Span {
        self.waited
    }

    /// Reserves the bus for the rows that have been read by `now`.
    ///
    /// The order on the bus is right: a write is admitted when its data become ready, and before it
    /// reserves the bus, the bus is reserved for all rows that were read before.
    fn carry_rows(&mut self, now: Time) {
        let mut before = self.transfer(self.carried_blocks);
        while let Some(row) = self.rows.get(self.crossed.len()).filter(|row| row.read <= now) {
            self.carried_blocks += u64::from(row.blocks);
            // The total time of all blocks is used because times of single rows would accumulate
            // rounding.
            let all = self.transfer(self.carried_blocks);
            let from = row.read.max(self.bus_free);
            self.bus_free = from + all.saturating_sub(before);
            before = all;
            self.crossed.push([from, self.bus_free]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(blocks: u32) -> Request {
        Request::new(0, 0, blocks, Op::Write)
    }

    /// Times in nanoseconds at which the data of a write of `blocks` blocks begin and end to cross
    /// the bus, if its command is processed at `now`.
    fn admit(interface: &mut Interface, now: u64, blocks: u32) -> (u64, u64) {
        let mut request = write(blocks);
        interface.admit(Time(now), &mut request);
        (request.data_from.0, request.data_until.0)
    }

    /// Creates an interface that takes 0.2 ms for each command and 5.12 us for each block on the bus.
    fn interface() -> Interface {
        Interface::new(0.2e-3, 100e6, 512)
    }

    #[test]
    fn commands_are_processed_one_after_the_other() {
        let mut interface = interface();
        assert_eq!(interface.accept(Time(0)), Time(200_000));
        assert_eq!(interface.accept(Time(50_000)), Time(400_000));
        assert_eq!(interface.accept(Time(1_000_000)), Time(1_200_000));
    }

    #[test]
    fn the_data_of_a_write_that_was_not_admitted_are_there() {
        let interface = interface();
        assert_eq!(interface.there(&write(20), 8), Time::ZERO);
        assert_eq!(interface.blocks_there(Time::ZERO, &write(20)), 20);
    }

    #[test]
    fn a_fast_bus_adds_the_last_row_to_a_read() {
        let mut interface = interface();
        interface.demand(Time(500_000), 20);
        interface.demand(Time(1_000_000), 20);
        assert_eq!(interface.send(Time(1_000_000)), Time(1_000_000 + 20 * 5_120));
    }

    #[test]
    fn a_slow_bus_is_what_a_read_waits_for() {
        let mut slow = Interface::new(0.0, 1e6, 512);
        slow.demand(Time(500_000), 20);
        slow.demand(Time(1_000_000), 20);
        assert_eq!(slow.send(Time(1_000_000)), Time(500_000 + 40 * 512_000));
    }

    #[test]
    fn the_data_of_writes_follow_each_other() {
        let mut interface = interface();
        let first = admit(&mut interface, 200_000, 100);
        let second = admit(&mut interface, 400_000, 10);
        assert_eq!(first, (200_000, 712_000));
        assert_eq!(second, (712_000, 712_000 + 51_200));
    }

    #[test]
    fn a_write_crosses_between_the_rows_of_a_read() {
        let mut interface = interface();
        interface.demand(Time(500_000), 20);
        interface.demand(Time(1_000_000), 20);
        // The bus is idle until the first row has been read, and again after that row has crossed.
        assert_eq!(admit(&mut interface, 300_000, 10), (300_000, 351_200));
        assert_eq!(admit(&mut interface, 700_000, 10), (700_000, 751_200));
        // A write that is ready before the last row keeps the bus, and the row waits.
        assert_eq!(admit(&mut interface, 990_000, 100), (990_000, 1_502_000));
        assert_eq!(interface.send(Time(1_000_000)), Time(1_502_000 + 20 * 5_120));
        assert_eq!(interface.waited(), Span(502_000));
    }

    #[test]
    fn its_own_rows_are_not_waited_for() {
        let mut slow = Interface::new(0.0, 1e6, 512);
        slow.demand(Time(500_000), 20);
        slow.demand(Time(1_000_000), 20);
        slow.send(Time(1_000_000));
        assert_eq!(slow.waited(), Span::ZERO);
        // The only row of the next read waits until both rows of the first read have crossed, at
        // 0.5 + 40 x 0.512 ms.
        slow.demand(Time(2_000_000), 1);
        assert_eq!(slow.send(Time(2_000_000)), Time(20_980_000 + 512_000));
        assert_eq!(slow.waited(), Span(20_980_000 - 2_000_000));
    }

    #[test]
    fn a_row_that_was_read_first_crosses_first() {
        let mut interface = interface();
        interface.demand(Time(500_000), 20);
        assert_eq!(admit(&mut interface, 500_000, 10), (602_400, 653_600));
        assert_eq!(interface.send(Time(500_000)), Time(602_400));
    }

    #[test]
    fn no_bus_takes_no_time() {
        let mut none = Interface::new(0.0, 0.0, 512);
        none.demand(Time(900_000), 8);
        assert_eq!(none.send(Time(1_000_000)), Time(1_000_000));
        assert_eq!(none.accept(Time(5)), Time(5));
        assert_eq!(admit(&mut none, 5, 8), (5, 5));
    }

    #[test]
    fn the_data_of_a_part_follow_those_before_it() {
        let mut interface = interface();
        let mut whole = write(30);
        interface.admit(Time(1_000), &mut whole);
        let part = whole.part(500, 10, 20);
        assert_eq!(interface.there(&part, 1), Time(1_000 + 21 * 5_120));
        assert_eq!(interface.there(&part, 10), whole.data_until);
        assert_eq!(interface.blocks_there(Time(1_000 + 20 * 5_120), &part), 0);
        assert_eq!(interface.blocks_there(Time(1_000 + 23 * 5_120), &part), 3);
        assert_eq!(interface.blocks_there(whole.data_until, &part), 10);
    }
}
