//! The host side of a device: command processing, and an external bus with a speed-matching buffer (001-F9).

use super::Delivery;
use crate::request::{Op, Request};
use crate::time::{Span, Time};

/// Commands are processed one at a time in the order of arrival, while the mechanism may be busy with other
/// requests; the bus carries data one request at a time, and may overlap command processing.
///
/// The buffer is large enough for any request: a read crosses the bus while its later rows are still being
/// read, a write while the sled is being positioned.
#[derive(Clone, Debug)]
pub struct Interface {
    overhead: Span,
    per_block_ns: f64,
    controller_free: Time,
    bus_free: Time,
}

impl Interface {
    /// An interface with a command overhead, and a bus of that many bytes a second (0: takes no time).
    #[must_use]
    pub fn new(overhead_s: f64, bus_bytes_per_s: f64, block_bytes: u64) -> Self {
        let per_block_ns =
            if bus_bytes_per_s == 0.0 { 0.0 } else { block_bytes as f64 * 1e9 / bus_bytes_per_s };
        Self {
            overhead: Span::from_s(overhead_s),
            per_block_ns,
            controller_free: Time::ZERO,
            bus_free: Time::ZERO,
        }
    }

    /// The time that `blocks` take on the bus.
    #[must_use]
    pub fn transfer(&self, blocks: u64) -> Span {
        Span((blocks as i64 as f64 * self.per_block_ns + 0.5) as i64 as u64)
    }

    /// Blocks that cross the bus in `span`.
    #[must_use]
    pub fn blocks_in(&self, span: Span) -> u64 {
        if self.per_block_ns == 0.0 {
            return u64::MAX;
        }
        (span.0 as f64 / self.per_block_ns) as u64
    }

    /// Takes in a command; returns when it can be scheduled. The data of a write start to cross the bus
    /// then, or as soon as the bus is free: `data_from` of the request says when.
    pub fn accept(&mut self, now: Time, request: &mut Request) -> Time {
        let ready = now.max(self.controller_free) + self.overhead;
        self.controller_free = ready;
        if request.op == Op::Write {
            request.data_from = ready.max(self.bus_free);
            self.bus_free = request.data_from + self.transfer(u64::from(request.blocks));
        }
        ready
    }

    /// Sends the data of a read to the host, once the medium is done at `now`; returns when they are there.
    ///
    /// Those of the first row have been in the buffer for a while; those of the last row only come now.
    pub fn send(&mut self, now: Time, delivery: &Delivery, blocks: u64) -> Time {
        if self.per_block_ns == 0.0 {
            return now;
        }
        let start = delivery.first_row.max(self.bus_free);
        let last_row = now + self.transfer(u64::from(delivery.last_row_blocks));
        self.bus_free = last_row.max(start + self.transfer(blocks));
        self.bus_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(row: u32, op: Op, blocks: u32) -> Request {
        Request::new(row, 0, blocks, op)
    }

    const DELIVERY: Delivery = Delivery { first_row: Time(500_000), last_row_blocks: 20 };

    /// 0.2 ms a command, 5.12 us a block.
    fn interface() -> Interface {
        Interface::new(0.2e-3, 100e6, 512)
    }

    #[test]
    fn commands_are_processed_one_after_the_other() {
        let mut interface = interface();
        assert_eq!(interface.accept(Time(0), &mut request(0, Op::Read, 8)), Time(200_000));
        assert_eq!(interface.accept(Time(50_000), &mut request(1, Op::Read, 8)), Time(400_000));
    }

    #[test]
    fn a_fast_bus_adds_the_last_row_to_a_read() {
        let done = interface().send(Time(1_000_000), &DELIVERY, 40);
        assert_eq!(done, Time(1_000_000 + 20 * 5_120));
    }

    #[test]
    fn a_slow_bus_is_what_a_read_waits_for() {
        let mut slow = Interface::new(0.0, 1e6, 512);
        assert_eq!(slow.send(Time(1_000_000), &DELIVERY, 40), Time(500_000 + 40 * 512_000));
    }

    #[test]
    fn the_data_of_a_write_follow_its_command() {
        let mut interface = interface();
        let (mut first, mut second) = (request(0, Op::Write, 100), request(1, Op::Write, 10));
        interface.accept(Time(0), &mut first);
        interface.accept(Time(0), &mut second);
        assert_eq!((first.data_from, second.data_from), (Time(200_000), Time(200_000 + 100 * 5_120)));
    }

    #[test]
    fn no_bus_takes_no_time() {
        let mut none = Interface::new(0.0, 0.0, 512);
        assert_eq!(none.send(Time(1_000_000), &DELIVERY, 40), Time(1_000_000));
        assert_eq!(none.accept(Time(5), &mut request(0, Op::Write, 1)), Time(5));
    }
}
