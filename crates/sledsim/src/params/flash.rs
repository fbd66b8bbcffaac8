//! Parameters of a flash card.

use super::keys::{parameters, Key};

/// Minimum number of blocks of a card, so that the access of 4 KiB fits for which data sheets quote times.
const FEWEST_BLOCKS: u64 = 8;
/// Range of latencies, erase times and wake-up times in ms.
const PHASE_MS: [f64; 2] = [0.0, 1_000.0];
/// Range of times without a request in ms, after which a card becomes inactive. The maximum is about 30
/// years; no run lasts longer.
const TIME_OUT_MS: [f64; 2] = [0.0, 1e12];
/// Range of bandwidths in MB/s. With it, each transfer takes some time, and its time fits into its column
/// of the results.
const BANDWIDTH_MB_PER_S: [f64; 2] = [1e-3, 1e6];
/// Range of powers in mW; no card needs more.
const POWER_MW: [f64; 2] = [0.0, 1e6];

parameters! {
    /// All parameters of a flash card, with the values that runs use.
    FlashParams, "flash";
    required {
        /// Description of the device, in one line
        description: String, "";
        /// Number of logical blocks of 512 bytes that hosts may use
        block_count: u64, "", whole [FEWEST_BLOCKS, 1 << 50];
        /// Time from the start of a read until its data begin to be transferred
        read_latency_ms: f64, "ms", within PHASE_MS;
        /// Time from the start of a write until its data begin to be transferred
        write_latency_ms: f64, "ms", within PHASE_MS;
        /// Throughput of reads, after the latency
        read_mb_per_s: f64, "MB/s", within BANDWIDTH_MB_PER_S;
        /// Throughput of writes, after the latency
        write_mb_per_s: f64, "MB/s", within BANDWIDTH_MB_PER_S;
        /// Size of an erase block; 0: the card writes without erasing
        erase_block_kib: u64, "KiB", whole [0, 1 << 20];
        /// Maximum number of erase blocks that are open for writes at the same time
        open_blocks: u64, "", whole [1, 1024];
        /// Time to erase an erase block
        erase_ms: f64, "ms", within PHASE_MS;
        /// Power while the card serves a read
        read_power_mw: f64, "mW", within POWER_MW;
        /// Power while the card serves a write
        write_power_mw: f64, "mW", within POWER_MW;
        /// Power while the card is ready for a request and serves none
        idle_power_mw: f64, "mW", within POWER_MW;
        /// Power while the card is inactive
        inactive_power_mw: f64, "mW", within POWER_MW;
        /// Time without a request after which the card becomes inactive
        inactive_after_ms: f64, "ms", within TIME_OUT_MS;
        /// Time to wake up from the inactive state
        wake_ms: f64, "ms", within PHASE_MS;
    }
    optional {}
}
