//! The parameters of a flash card.

use super::keys::{parameters, Key};

parameters! {
    /// The complete, effective parameters of a flash card.
    FlashParams;
    required {
        /// What the device is, in one line
        description: String, "";
        /// Logical blocks of 512 bytes that hosts may use
        block_count: u64, "";
        /// From the command of a read until its data begin to flow
        read_latency_ms: f64, "ms";
        /// From the command of a write until its data begin to flow
        write_latency_ms: f64, "ms";
        /// Bandwidth of reads
        read_mb_per_s: f64, "MB/s";
        /// Bandwidth of writes
        write_mb_per_s: f64, "MB/s";
        /// Size of an erase block; 0: writing any block again costs nothing more
        erase_block_kib: u64, "KiB";
        /// Erase blocks that can be written to at once
        open_blocks: u64, "";
        /// Time to erase an erase block
        erase_ms: f64, "ms";
        /// Power while it serves a read
        read_power_mw: f64, "mW";
        /// Power while it serves a write
        write_power_mw: f64, "mW";
        /// Power while it is ready and serves nothing
        idle_power_mw: f64, "mW";
        /// Power while it is inactive
        inactive_power_mw: f64, "mW";
        /// Time without a request after which it becomes inactive
        inactive_after_ms: f64, "ms";
        /// Time to wake up when a request finds it inactive
        wake_ms: f64, "ms";
    }
    optional {}
}
