//! Parameters of a disk drive.

mod choices;

use super::keys::{parameters, Key};
use super::Rows;
pub use choices::{
    Delivered, Destage, DestageOrder, HeadOrder, Queue, ReadAhead, Sparing, WatermarkOf, WriteHits,
};

/// Maximum time in milliseconds that a parameter of a drive may give. With it, the time of every phase fits
/// into its column of the results.
pub(crate) const LONGEST_MS: f64 = 1_000.0;
const TIME_MS: [f64; 2] = [0.0, LONGEST_MS];
/// Range of powers in mW; no drive needs more.
const POWER_MW: [f64; 2] = [0.0, 1e6];
/// Maximum number of blocks in a segment, of cylinders that share spare sectors, and of waiting requests.
/// No drive has more.
const LARGEST_COUNT: u64 = 1_000_000_000;

parameters! {
    /// All parameters of a disk drive, with the values that runs use.
    DiskParams, "disk";
    required {
        /// Description of the device, in one line
        description: String, "";
        /// Number of recording surfaces; each surface has its own head
        surfaces: u64, "", whole [1, 1_000];
        /// Number of logical blocks that hosts may use; at most as many as fit into the zones
        block_count: u64, "", whole [1, u64::MAX >> 1];
        /// Speed of rotation
        rotation_rpm: u64, "rpm", whole [60, 1_000_000];
        /// Zones of the disk: rows of [first cylinder, last cylinder, sectors per track, angle of the first
        /// sector in sectors, number of unused sectors at the front, track skew in sectors, cylinder skew
        /// in sectors, number of spares (`sparing` states what is counted)]
        zones: Rows, "";
        /// Order in which the tracks of a cylinder are used
        head_order: HeadOrder, "";
        /// Places of spare sectors, and what happens to a bad sector that is slipped (skipped)
        sparing: Sparing, "";
        /// Seek time by distance: rows of [cylinders, ms], interpolated linearly
        seek_curve: Rows, "";
        /// Time to switch to another head without a seek
        head_switch_ms: f64, "ms", within TIME_MS;
        /// Additional settling time before a write after a seek or head switch; may be negative
        write_settle_ms: f64, "ms", within [-LONGEST_MS, LONGEST_MS];
        /// Number of segments of the disk's cache. With 0, the disk has no cache and no read-ahead, and a
        /// write completes only on the medium, even with `write_back`
        cache_segments: u64, "", whole [0, 10_000];
        /// Size of a segment of the disk's cache
        segment_blocks: u64, "blocks", whole [1, LARGEST_COUNT];
        /// True if one segment of the disk's cache holds only data of writes
        separate_write_segment: bool, "";
        /// Blocks that the drive reads into its cache after the blocks of a read
        read_ahead: ReadAhead, "";
        /// Maximum number of blocks that are read ahead, unless whole tracks are read ahead
        read_ahead_blocks: u64, "blocks", whole [0, LARGEST_COUNT];
        /// Handling of blocks in the cache that the host has already received
        delivered: Delivered, "";
        /// True if a read that hits the disk's cache starts the read-ahead again
        read_ahead_on_hit: bool, "";
        /// True if a read counts as a hit, and waits for read-ahead, if its first block is the next that
        /// read-ahead will read
        almost_hits: bool, "";
        /// True if a read also brings the other blocks of its last track into the cache
        whole_track_reads: bool, "";
        /// True if a read may begin with any of its sectors on a track; otherwise it begins with the first one
        zero_latency_reads: bool, "";
        /// True if a write may begin with any of its sectors on a track; otherwise it begins with the first one
        zero_latency_writes: bool, "";
        /// True if a write is complete as soon as its data are in the cache
        write_back: bool, "";
        /// True if later reads can find the data of writes in the cache
        read_hits_on_writes: bool, "";
        /// True if sequential writes share one segment of the cache
        append_writes: bool, "";
        /// Fraction of a number of blocks (see `watermark_of`) that must be in the disk's cache before the
        /// first block of a read is sent to the host
        read_watermark: f64, "", within [0.0, 1.0];
        /// Number of blocks of which `read_watermark` is a fraction: of the request, or of a segment of the cache
        watermark_of: WatermarkOf, "";
        /// Time to process the command of each request
        command_ms: f64, "ms", within TIME_MS;
        /// Overhead of a read that hits the disk's cache and follows a read
        read_hit_after_read_ms: f64, "ms", within TIME_MS;
        /// Overhead of a read that hits the disk's cache and follows a write
        read_hit_after_write_ms: f64, "ms", within TIME_MS;
        /// Overhead of a read that misses the disk's cache and follows a read
        read_miss_after_read_ms: f64, "ms", within TIME_MS;
        /// Overhead of a read that misses the disk's cache and follows a write
        read_miss_after_write_ms: f64, "ms", within TIME_MS;
        /// Overhead of a write that counts as a hit (see `write_hits`) and follows a read
        write_hit_after_read_ms: f64, "ms", within TIME_MS;
        /// Overhead of a write that counts as a hit (see `write_hits`) and follows a write
        write_hit_after_write_ms: f64, "ms", within TIME_MS;
        /// Overhead of a write that does not count as a hit (see `write_hits`) and follows a read
        write_miss_after_read_ms: f64, "ms", within TIME_MS;
        /// Overhead of a write that does not count as a hit (see `write_hits`) and follows a write
        write_miss_after_write_ms: f64, "ms", within TIME_MS;
        /// Overhead of a read after all of its data have crossed the bus
        read_completion_ms: f64, "ms", within TIME_MS;
        /// Overhead at the end of a write: once all data have crossed the bus; without `write_back`, once they
        /// are on the medium
        write_completion_ms: f64, "ms", within TIME_MS;
        /// Overhead before the data of a request begin to cross the bus
        data_preparation_ms: f64, "ms", within TIME_MS;
        /// True if the drive leaves the bus while it reads or writes the medium
        disconnects: bool, "";
        /// Time of a write to disconnect from the bus
        write_disconnect_ms: f64, "ms", within TIME_MS;
        /// Time to reconnect to the bus, for the first time in a request
        first_reselect_ms: f64, "ms", within TIME_MS;
        /// Time in which one block crosses the bus to the host
        bus_read_ms_per_block: f64, "ms", within TIME_MS;
        /// Time in which one block crosses the bus from the host
        bus_write_ms_per_block: f64, "ms", within TIME_MS;
    }
    optional {
        /// Writes that count as hits and take the overhead of a hit (only with `write_back`). Default: every write
        write_hits: WriteHits, "";
        /// Place where requests wait until the drive serves them. Default: at the host
        queue: Queue, "";
        /// Maximum number of requests that wait in the drive (only with queue = "drive"). Further requests
        /// wait at the host in the order of arrival. Default: no limit
        queue_depth: u64, "", whole [1, LARGEST_COUNT];
        /// True if the arm starts to move to the next request while data of the previous request still
        /// cross the bus (only with queue = "drive"). Default: false
        preseeks: bool, "";
        /// Time of a flush besides the writes that it waits for (only with `write_back`). Default: 0
        flush_fixed_ms: f64, "ms", within TIME_MS;
        /// Time at which data of completed writes move from the cache to the medium (only with
        /// `write_back`). Default: at once
        destage: Destage, "";
        /// Order in which waiting data move to the medium (only with `destage` other than at-once).
        /// Default: nearest
        destage_order: DestageOrder, "";
        /// Time before data move to the medium (only with destage = "idle" or "age"). Default: 0
        destage_after_ms: f64, "ms", within [0.0, 1e6];
        /// Fraction of `write_cache_blocks` up to which data wait (only with destage = "watermark"). Default: 0.5
        destage_watermark: f64, "", within [0.0, 1.0];
        /// Maximum number of blocks that wait in the cache; a larger write is written at once (only with
        /// `destage` other than at-once). Default: `segment_blocks`
        write_cache_blocks: u64, "blocks", whole [1, LARGEST_COUNT];
        /// Number of cylinders that share spare sectors (only with sparing = "range")
        spare_range_cylinders: u64, "", whole [1, LARGEST_COUNT];
        /// Power while the disk turns but serves no request
        idle_power_mw: f64, "mW", within POWER_MW;
        /// Power while the disk serves a request
        active_power_mw: f64, "mW", within POWER_MW;
        /// Bad sectors that are slipped (skipped): rows of [zone, sector within the zone]. With sparing =
        /// "tracks", whole tracks: rows of [zone, track within the zone]
        slips: Rows, "";
        /// Bad sectors that are replaced: rows of [zone, bad sector, replacement sector]. Both sectors are
        /// counted within the zone
        defects: Rows, "";
        /// Seek time for distances d beyond the last row of `seek_curve`, as one row of [d0, a, b, c, e]:
        /// a + b sqrt(d) ms if d is below d0 cylinders, else c + e d ms. Default: the line through the last
        /// two rows of `seek_curve` continues
        seek_formula: Rows, "";
        /// Time to process the command of a write with early disconnect, in which the drive leaves the bus
        /// before the data arrive. It replaces all other command overheads of the write
        early_disconnect_command_ms: f64, "ms", within TIME_MS;
        /// Time to disconnect from the bus before the data arrive, in a write with early disconnect
        early_disconnect_ms: f64, "ms", within TIME_MS;
        /// Time after an early disconnect until the drive asks for the bus again
        early_disconnect_wait_ms: f64, "ms", within TIME_MS;
        /// Time to disconnect from the bus for the second time, after the data of a write with early disconnect
        second_disconnect_ms: f64, "ms", within TIME_MS;
        /// Time to reconnect to the bus for the second time, in a write with early disconnect
        second_reselect_ms: f64, "ms", within TIME_MS;
    }
}

impl DiskParams {
    /// True if the drive has a cache.
    #[must_use]
    pub fn has_cache(&self) -> bool {
        self.cache_segments > 0
    }

    /// True if a write completes once its data are in the cache; false without a cache.
    #[must_use]
    pub fn writes_back(&self) -> bool {
        self.write_back && self.has_cache()
    }
}
