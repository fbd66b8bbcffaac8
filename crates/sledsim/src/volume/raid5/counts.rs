//! What a RAID-5 counts.

use super::plan::Method;
use super::Raid5;

/// Writes of rows of a stripe, by method; requests that put data together; and what waited for others.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) by_method: [u64; 5],
    pub(super) mended: u64,
    pub(super) waited: u64,
}

impl Raid5 {
    /// The names and values for the summary of a run.
    pub(super) fn sums(&self) -> Vec<(&'static str, f64)> {
        let rebuild = self.states.unfilled() != 0;
        let left = self.pass.left() as f64;
        let method = |method: Method| self.counts.by_method[method as usize] as f64;
        vec![
            ("rmw_writes", method(Method::Rmw)),
            ("reconstruct_writes", method(Method::Reconstruct)),
            ("full_writes", method(Method::Full)),
            ("everything_writes", method(Method::Everything)),
            ("no_parity_writes", method(Method::NoParity)),
            ("degraded_reads", self.counts.mended as f64),
            ("accesses_waited", self.counts.waited as f64),
            ("notes_written", self.notes.written as f64),
            ("passed_sectors", self.pass.done as f64),
            // The last moment of it is when the others note that it is over.
            ("rebuild_left_sectors", if rebuild { left.max(1.0) } else { 0.0 }),
            ("resync_left_sectors", if rebuild { 0.0 } else { left }),
        ]
    }
}
