//! Parameters of a MEMS device.

mod choices;

use super::keys::{parameters, Key};
use super::Rows;
pub use choices::{
    AccessMode, CylinderSwitch, EraseManagement, Idle, Mechanism, RowOrder, TipSupply, WriteStart,
};

/// Maximum number of bits, tips or sleds. No device has more, and products of several such numbers do not overflow.
const LARGEST_COUNT: u64 = 1_000_000;
/// Range of numbers of bits, tips or sleds that are at least 1.
pub(crate) const COUNT: [u64; 2] = [1, LARGEST_COUNT];
/// Maximum length: one metre, in nanometres.
const LARGEST_NM: u64 = 1_000_000_000;
/// Maximum time in milliseconds that a parameter may give. With it, the time of every phase of positioning
/// fits into its column of the results.
const LONGEST_MS: f64 = 1_000.0;
pub(crate) const TIME_MS: [f64; 2] = [0.0, LONGEST_MS];
/// Range of the times of erasing in ms; no useful device needs more.
const ERASING_MS: [f64; 2] = [0.0, 1e6];
/// Range of powers in mW; no device needs more.
const POWER_MW: [f64; 2] = [0.0, 1e6];
/// Range of the energies to start up or to shut down, in mJ; no device needs more.
const ENERGY_MJ: [f64; 2] = [0.0, 1e9];
/// Maximum frequency in Hz; the frequencies of resonances and control loops are lower.
const FREQUENCY_HZ: f64 = 1e9;
/// Maximum position error of a sled: one metre, in nanometres.
const ERROR_NM: f64 = 1e9;

parameters! {
    /// All parameters of a MEMS device, with the values that runs use.
    MemsParams, "mems";
    required {
        /// Description of the device, in one line
        description: String, "";
        /// Moving part that brings the tips to their places on the medium
        mechanism: Mechanism, "";
        /// Travel of the sled in x, end to end
        stroke_x_nm: u64, "nm", whole [1, LARGEST_NM];
        /// Travel of the sled in y, end to end
        stroke_y_nm: u64, "nm", whole [1, LARGEST_NM];
        /// Width and height of a bit cell
        bit_width_nm: u64, "nm", whole [1, LARGEST_NM];
        /// Number of probe tips; each tip has its own region of the medium
        tips: u64, "", whole COUNT;
        /// Number of tips that can read or write at the same time
        active_tips: u64, "", in_words "a whole number from 1 to `tips`";
        /// Number of tips that together hold one logical block
        tips_per_block: u64, "", in_words "a whole number from 1 to `active_tips`";
        /// User data of a tip sector
        sector_data_bytes: u64, "bytes", in_words "a whole number from 1 to an eighth of `sector_encoded_bits`";
        /// Number of bits of a tip sector on the medium after encoding, without the servo burst
        sector_encoded_bits: u64, "bits", in_words "a whole number of at least 8 x `sector_data_bytes`, so that a row fits into `stroke_y_nm`";
        /// Length of the servo burst before each tip sector. One more servo burst follows the last tip
        /// sector along y
        servo_bits: u64, "bits", whole [0, LARGEST_COUNT];
        /// Number of sleds, which move together. In the layouts simple, streaming and random, blocks fill
        /// one sled after another
        sleds: u64, "", whole COUNT;
        /// Acceleration of the sled by the actuators alone, without springs
        acceleration_m_per_s2: f64, "m/s^2", positive 1e9;
        /// Constant speed of the sled in y while tips read or write
        access_velocity_mm_per_s: f64, "mm/s", positive 1e6;
        /// Spring force at the end of the stroke, divided by the actuator force; 0: no springs
        spring_factor: f64, "", in_words "a number of at least 0 and below 1";
        /// Model that computes seek times
        seek_model: String, "";
        /// Directions in y in which rows may be read or written
        access_mode: AccessMode, "";
        /// Order in which the rows of a request are accessed
        row_order: RowOrder, "";
        /// Placement of logical blocks on the medium
        layout: String, "";
        /// Motion in x from one cylinder to the next within a request
        cylinder_switch: CylinderSwitch, "";
        /// Motion of the sled while no request waits and the device is not shut down
        idle: Idle, "";
        /// Time at which the sled starts to move for a write whose data have not all crossed the bus
        write_start: WriteStart, "";
        /// Time to process the command of a request, before the request enters the queue
        overhead_ms: f64, "ms", within TIME_MS;
        /// Speed of the external bus in 10^6 bytes per second; 0: transfers on the bus take no time
        bus_mb_per_s: f64, "MB/s", within [0.0, 1e6];
        /// Power of everything except actuators and tips, while the device is not shut down
        electronics_power_mw: f64, "mW", within POWER_MW;
        /// Power of the actuators while they move the sled with full force, as in each seek
        seek_power_mw: f64, "mW", within POWER_MW;
        /// Power of the actuators if they hold the sled in place with full force
        actuation_power_mw: f64, "mW", within POWER_MW;
        /// Exponent e of the power to hold the sled, which is proportional to (holding force)^e; 0: the
        /// same power at every displacement
        actuation_exponent: f64, "", within [0.0, 100.0];
        /// Power of one tip that reads or writes
        tip_power_mw: f64, "mW", within POWER_MW;
        /// Tips that draw power while a row passes under them
        tip_supply: TipSupply, "";
        /// Power policy, which decides when the idle device is shut down: its name and options
        power_policy: String, "";
        /// Power while the device is shut down
        inactive_power_mw: f64, "mW", within POWER_MW;
        /// Energy to shut down, in addition to the energy to stop the sled in the centre
        shutdown_energy_mj: f64, "mJ", within ENERGY_MJ;
        /// Time to start up: from the first request after a shutdown until the sled can move
        startup_ms: f64, "ms", within TIME_MS;
        /// Energy to start up, in addition to the energy of the electronics
        startup_energy_mj: f64, "mJ", within ENERGY_MJ;
    }
    optional {
        /// Settling time after a seek in x. Other keys can give it instead: `resonant_frequency_hz` with
        /// `settle_time_constants`, or `settle_error_nm`
        settle_ms: f64, "ms", within TIME_MS;
        /// Resonant frequency of the sled, used only to compute the settling time
        resonant_frequency_hz: f64, "Hz", positive FREQUENCY_HZ;
        /// Settling time after a seek in x, as a number of time constants 1 / (2 pi f) of the frequency f =
        /// `resonant_frequency_hz`
        settle_time_constants: f64, "", within [0.0, 1e6];
        /// Position error at the end of a seek in x. The settling time is the time in which the position
        /// loop reduces this error to `loop_tolerance_nm`
        settle_error_nm: f64, "nm", within [0.0, ERROR_NM];
        /// Settling time before a write, if it differs from the settling time before a read
        write_settle_ms: f64, "ms", within TIME_MS;
        /// Natural frequency of the position loop, which holds the sled in place (only with seek_model =
        /// "linear-system" or `settle_error_nm`)
        loop_frequency_hz: f64, "Hz", positive FREQUENCY_HZ;
        /// Damping ratio of the position loop, which holds the sled in place; 1: critical damping
        loop_damping: f64, "", positive 1e3;
        /// Maximum position error at which tips can read and write
        loop_tolerance_nm: f64, "nm", positive ERROR_NM;
        /// Rise time of the actuators from no force to full force (only with seek_model =
        /// "slew-limited")
        actuator_rise_ms: f64, "ms", positive LONGEST_MS;
        /// Number of steps in the table of seek times (only with seek_model = "table")
        seek_table_steps: u64, "", whole COUNT;
        /// Seek times in x from the user: rows of [distance_um, ms] or of [from_um, to_um, ms], or the name
        /// of a CSV file with such rows
        measured_x: Rows, "";
        /// Seek times in y from the user, between positions that the sled passes at access velocity, in
        /// rows as in `measured_x`
        measured_y: Rows, "";
        /// Travel that the sled has beyond each end of the stroke, for turnarounds and overshoot
        spare_travel_nm: u64, "nm", whole [0, LARGEST_NM];
        /// Number of rows in each track that hold no data
        margin_rows: u64, "", whole [0, LARGEST_COUNT];
        /// Data format: active tips x parallel sectors x bytes of a sector, such as 1280x20x8. It
        /// determines `active_tips`, `tips_per_block`, `sector_data_bytes` and `sector_encoded_bits`
        format: String, "";
        /// Number of data bits for each bit of error correction (only with `format`)
        ecc_data_bits: u64, "bits", whole COUNT;
        /// Number of bits of a subsector besides data and error correction (only with `format`)
        subsector_overhead_bits: u64, "bits", whole [0, LARGEST_COUNT];
        /// Minimum number of bits of data and error correction together in a subsector (only with `format`)
        subsector_least_bits: u64, "bits", whole [0, LARGEST_COUNT];
        /// Total power while the device is ready for a request and serves none. Default: the power of the
        /// electronics and of the actuators that hold the sled
        idle_power_mw: f64, "mW", within POWER_MW;
        /// Size of an erase block. Only a medium that must be erased before it is written again has erase blocks
        erase_block_kib: u64, "KiB", in_words "one or more whole blocks of the device";
        /// Time to erase an erase block
        erase_ms: f64, "ms", within ERASING_MS;
        /// Maximum time of erasing without a pause. A request that arrives during erasing waits at most this time
        erase_slice_ms: f64, "ms", within ERASING_MS;
        /// Power of erasing, in addition to the electronics and the actuators that hold the sled
        erase_power_mw: f64, "mW", within POWER_MW;
        /// Handling of writes, on a medium with erase blocks
        erase_management: EraseManagement, "";
        /// Number of erase blocks in the reserve of the log, which hosts cannot use (only with
        /// erase_management = "log")
        erase_reserve_blocks: u64, "", in_words "a whole number of at least 2, below the number of erase blocks of the device";
        /// Seed of the random order of the extents (only with layout = "random")
        layout_seed: u64, "", in_words "a whole number from 0 to 2^63 - 1";
        /// Number of consecutive blocks in an extent, whose blocks stay together (only with layout = "random")
        layout_extent_blocks: u32, "", in_words "a whole number from 1 to the number of blocks of the device";
        /// Number of cylinders in a zone (only with layout = "zone-grouped")
        layout_zone_cylinders: u32, "", in_words "a whole number of at least 1; a larger number than the device has cylinders means all cylinders";
        /// Height of a zone in y, in bits (only with layout = "zone-grouped")
        layout_zone_y_bits: u32, "bits", in_words "a whole number of at least 1; numbers above `stroke_y_nm` / `bit_width_nm` mean the whole height";
        /// Extents of blocks, the most popular first: rows of [first sector, number of sectors] in sectors
        /// of 512 bytes, or the name of a CSV file with such rows (only with layout = "by-popularity")
        layout_popularity: Rows, "";
    }
}
