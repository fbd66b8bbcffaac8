//! Recording of sent answers, and removal of finished rows.

use sledsim::record::Record;

use super::answer::Timed;
use super::log::Served;
use super::Emulator;

impl Emulator {
    /// Record that the last byte of an answer was sent at `sent_ns`; `None` if the client left before. `timed`
    /// identifies the requests to the device to which the answer belongs.
    pub fn sent(&mut self, timed: Timed, sent_ns: Option<u64>) {
        self.log.sent(timed.first, timed.parts, timed.due_ns, sent_ns);
    }

    /// Number of rows at the start of the log whose answers were sent or are no longer awaited.
    #[must_use]
    pub fn rows_over(&self) -> usize {
        self.log.over()
    }

    /// Remove up to `most` finished requests, the earliest first. Return their rows in the record of the
    /// simulation, and the same number of rows of the server (times of the replies).
    pub fn take_rows(&mut self, most: usize) -> (Record, Vec<Served>) {
        // An early answer may precede completion, and a completed request may not be answered yet: take only rows of
        // requests that are complete and answered.
        let record = self.timetable.take_final(self.log.over().min(most));
        let rows = self.log.take(record.arrival_ns.len());
        (record, rows)
    }
}
