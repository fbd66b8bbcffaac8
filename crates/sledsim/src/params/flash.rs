//! Parameters of a flash card.

use super::keys::{parameters, Key};

/// Minimum number of blocks: the 4 KiB access that data sheets quote must fit.
const FEWEST_BLOCKS: u64 = 8;
/// Range of the times of phases in ms.
const PHASE_MS: [f64; 2] = [0.0, 1_000.0];
/// Range of time-outs in ms; the longest is about 30 years, which no run reaches.
const TIME_OUT_MS: [f64; 2] = [0.0, 1e12];
/// Range of bandwidths in MB/s, in which every transfer fits its column and takes some time.
const BANDWIDTH_MB_PER_S: [f64; 2] = [1e-3, 1e6];
/// Range of powers in mW; no card takes more.
const POWER_MW: [f64; 2] = [0.0, 1e6];

parameters! {
    /// Complete, effective parameters of a flash card.
    FlashParams, "flash";
    required {
        /// Description of the device, in one line
        description: String, "";
        /// Number of logical blocks of 512 bytes that hosts may use
        block_count: u64, "", whole [FEWEST_BLOCKS, 1 << 50];
        /// Time from the command of a read until its data begin to flow
        read_latency_ms: f64, "ms", within PHASE_MS;
        /// Time from the command of a write until its data begin to flow
        write_latency_ms: f64, "ms", within PHASE_MS;
        /// Bandwidth of reads
        read_mb_per_s: f64, "MB/s", within BANDWIDTH_MB_PER_S;
        /// Bandwidth of writes
        write_mb_per_s: f64, "MB/s", within BANDWIDTH_MB_PER_S;
        /// Size of an erase block; 0: the card needs no erasure before writes
        erase_block_kib: u64, "KiB", whole [0, 1 << 20];
        /// Maximum number of erase blocks that are open for writes at the same time
        open_blocks: u64, "", whole [1, 1024];
        /// Time to erase an erase block
        erase_ms: f64, "ms", within PHASE_MS;
        /// Power while the card serves a read
        read_power_mw: f64, "mW", within POWER_MW;
        /// Power while the card serves a write
        write_power_mw: f64, "mW", within POWER_MW;
        /// Power while the card is ready and idle
        idle_power_mw: f64, "mW", within POWER_MW;
        /// Power while the card is inactive
        inactive_power_mw: f64, "mW", within POWER_MW;
        /// Duration without a request after which the card becomes inactive
        inactive_after_ms: f64, "ms", within TIME_OUT_MS;
        /// Time to wake up from the inactive state
        wake_ms: f64, "ms", within PHASE_MS;
    }
    optional {}
}
