//! The parameters of a MEMS device.

mod choices;

use super::keys::{parameters, Key};
use super::Rows;
pub use choices::{
    AccessMode, CylinderSwitch, EraseManagement, Idle, Mechanism, RowOrder, TipSupply, WriteStart,
};

/// More bits, tips or sleds than any device has; products of them stay far from overflow.
const LARGEST_COUNT: u64 = 1_000_000;
/// Range of counts that are at least one.
pub(crate) const COUNT: [u64; 2] = [1, LARGEST_COUNT];
/// A millimetre.
const LARGEST_NM: u64 = 1_000_000_000;
/// Longest time that a parameter may give, so that every phase of positioning fits its column.
const LONGEST_MS: f64 = 1_000.0;
pub(crate) const TIME_MS: [f64; 2] = [0.0, LONGEST_MS];
/// Range of erasing times, longer than any useful device needs.
const ERASING_MS: [f64; 2] = [0.0, 1e6];
/// Range of powers, higher than any device takes.
const POWER_MW: [f64; 2] = [0.0, 1e6];
/// Range of energies, higher than any device needs to start or to stop.
const ENERGY_MJ: [f64; 2] = [0.0, 1e9];
/// Highest frequency, beyond any resonance or loop.
const FREQUENCY_HZ: f64 = 1e9;
/// Largest error of a sled: a metre.
const ERROR_NM: f64 = 1e9;

parameters! {
    /// The complete, effective parameters of a MEMS device.
    MemsParams, "mems";
    required {
        /// Description of the device, in one line
        description: String, "";
        /// Moving part that positions the tips over the medium
        mechanism: Mechanism, "";
        /// Travel of the sled in x, end to end
        stroke_x_nm: u64, "nm", whole [1, LARGEST_NM];
        /// Travel of the sled in y, end to end
        stroke_y_nm: u64, "nm", whole [1, LARGEST_NM];
        /// Width and height of a bit cell
        bit_width_nm: u64, "nm", whole [1, LARGEST_NM];
        /// Probe tips, each over a region of its own
        tips: u64, "", whole COUNT;
        /// Tips that can read or write at the same time
        active_tips: u64, "", in_words "a whole number from 1 to `tips`";
        /// Tips over which one logical block is striped
        tips_per_block: u64, "", in_words "a whole number from 1 to `active_tips`";
        /// User data in a tip sector
        sector_data_bytes: u64, "bytes", in_words "a whole number from 1 to an eighth of `sector_encoded_bits`";
        /// Bits of a tip sector as encoded on the medium, without servo
        sector_encoded_bits: u64, "bits", in_words "a whole number from 8 x `sector_data_bytes` to what fits `stroke_y_nm`";
        /// Servo burst before every tip sector, and once more after the last of a column
        servo_bits: u64, "bits", whole [0, LARGEST_COUNT];
        /// Sleds that move as one; in the layouts simple, streaming and random low LBNs lie on low-numbered sleds
        sleds: u64, "", whole COUNT;
        /// Acceleration of the sled by its actuators alone
        acceleration_m_per_s2: f64, "m/s^2", positive 1e9;
        /// Speed in y while tips read or write
        access_velocity_mm_per_s: f64, "mm/s", positive 1e6;
        /// Spring force at full displacement over actuator force; 0 is a sled without springs
        spring_factor: f64, "", in_words "a number of at least 0 and below 1";
        /// Model that computes seek times
        seek_model: String, "";
        /// Directions of y in which a row may be read or written
        access_mode: AccessMode, "";
        /// Order in which the rows of a request are accessed
        row_order: RowOrder, "";
        /// Placement of logical blocks on the medium
        layout: String, "";
        /// Cost in x of a step to the next cylinder within a request
        cylinder_switch: CylinderSwitch, "";
        /// Motion of the sled while no request waits and the device is not shut down
        idle: Idle, "";
        /// Start of the sled on a write whose data still cross the bus
        write_start: WriteStart, "";
        /// Command processing of a request, before it enters the queue
        overhead_ms: f64, "ms", within TIME_MS;
        /// External bus, in 10^6 bytes a second; 0 leaves the bus out (it takes no time)
        bus_mb_per_s: f64, "MB/s", within [0.0, 1e6];
        /// Power of all but actuators and tips, while the device is not shut down
        electronics_power_mw: f64, "mW", within POWER_MW;
        /// Power of the actuators while they move the sled with full force, as in every bang-bang seek
        seek_power_mw: f64, "mW", within POWER_MW;
        /// Power of the actuators if they had to hold the sled with full force
        actuation_power_mw: f64, "mW", within POWER_MW;
        /// Exponent of the holding force in the holding power; 0: the same power at every displacement
        actuation_exponent: f64, "", within [0.0, 100.0];
        /// Power of one tip that reads or writes
        tip_power_mw: f64, "mW", within POWER_MW;
        /// Tips that take power while a row passes
        tip_supply: TipSupply, "";
        /// Policy that shuts the device down, with its options
        power_policy: String, "";
        /// Power while the device is shut down
        inactive_power_mw: f64, "mW", within POWER_MW;
        /// Energy to shut down, besides stopping the sled in the centre
        shutdown_energy_mj: f64, "mJ", within ENERGY_MJ;
        /// Time from the first request after a shutdown until the sled can move
        startup_ms: f64, "ms", within TIME_MS;
        /// Energy to start up, besides that of the electronics
        startup_energy_mj: f64, "mJ", within ENERGY_MJ;
    }
    optional {
        /// Settling time after a seek in x; alternatives are a frequency with time constants, or an error
        settle_ms: f64, "ms", within TIME_MS;
        /// Resonant frequency of the sled, for settling only
        resonant_frequency_hz: f64, "Hz", positive FREQUENCY_HZ;
        /// Time constants of the resonant frequency until the sled has settled
        settle_time_constants: f64, "", within [0.0, 1e6];
        /// Position error after a seek in x, which the position loop reduces to its tolerance
        settle_error_nm: f64, "nm", within [0.0, ERROR_NM];
        /// Settling time before a write, if it differs from that before a read
        write_settle_ms: f64, "ms", within TIME_MS;
        /// Natural frequency of the position loop (seek_model = "linear-system", settle_error_nm)
        loop_frequency_hz: f64, "Hz", positive FREQUENCY_HZ;
        /// Damping ratio of the position loop; 1 is critical
        loop_damping: f64, "", positive 1e3;
        /// Position error within which tips can read and write
        loop_tolerance_nm: f64, "nm", positive ERROR_NM;
        /// Rise time of the actuators from no force to full force (seek_model = "slew-limited")
        actuator_rise_ms: f64, "ms", positive LONGEST_MS;
        /// Number of steps in the seek table (seek_model = "table")
        seek_table_steps: u64, "", whole COUNT;
        /// Measured seek times in x: rows of [distance_um, ms] or [from_um, to_um, ms], or a CSV file of them
        measured_x: Rows, "";
        /// Measured seek times in y, between places that are passed at access speed; rows as in measured_x
        measured_y: Rows, "";
        /// Travel beyond the stroke at either end, for turnarounds and overshoot
        spare_travel_nm: u64, "nm", whole [0, LARGEST_NM];
        /// Rows of each track that are left unused
        margin_rows: u64, "", whole [0, LARGEST_COUNT];
        /// PROBESxSECTORSxBYTES: active probes, sectors side by side, bytes of a sector; sets four other parameters
        format: String, "";
        /// Bits of data for each bit of error correction (format)
        ecc_data_bits: u64, "bits", whole COUNT;
        /// Bits of a subsector besides data and error correction (format)
        subsector_overhead_bits: u64, "bits", whole [0, LARGEST_COUNT];
        /// Fewest bits of data and error correction in a subsector (format)
        subsector_least_bits: u64, "bits", whole [0, LARGEST_COUNT];
        /// Power while ready and idle, if it differs from that of the electronics and of holding the sled
        idle_power_mw: f64, "mW", within POWER_MW;
        /// Size of an erase block, on a medium that is erased before it is written again
        erase_block_kib: u64, "KiB", in_words "one or more whole blocks of the device";
        /// Time to erase an erase block
        erase_ms: f64, "ms", within ERASING_MS;
        /// Time after which an erasure can pause for a request
        erase_slice_ms: f64, "ms", within ERASING_MS;
        /// Power of erasing, besides that of the electronics and of holding the sled
        erase_power_mw: f64, "mW", within POWER_MW;
        /// Handling of writes on a medium with erase blocks
        erase_management: EraseManagement, "";
        /// Erase blocks reserved for the log (erase_management = "log")
        erase_reserve_blocks: u64, "", in_words "a whole number from 2 to one less than the device's erase blocks";
        /// Seed of the order of the extents (layout = "random")
        layout_seed: u64, "", in_words "a whole number from 0 to 2^63 - 1";
        /// Consecutive blocks that stay together (layout = "random")
        layout_extent_blocks: u32, "", in_words "a whole number from 1 to the device's blocks";
        /// Cylinders of a zone (layout = "zone-grouped")
        layout_zone_cylinders: u32, "", in_words "a whole number from 1; more than the device's cylinders is all of them";
        /// Bits in y of a zone (layout = "zone-grouped")
        layout_zone_y_bits: u32, "bits", in_words "a whole number from 1; more than `stroke_y_nm` / `bit_width_nm` is all of them";
        /// Extents, the most popular first (layout = "by-popularity"): rows of [first, count] in sectors of 512 bytes, or a CSV file of them
        layout_popularity: Rows, "";
    }
}
