//! Characteristics of a disk drive: figures as on a data sheet, computed from the model.

use super::track::Track;
use super::zones::zones;
use super::Disk;
use crate::device::characteristics::characteristics;
use crate::device::Device;
use crate::media::SECTOR_BYTES;
use crate::request::Op;
use crate::time::NANOS_PER_S;

/// Size in blocks of the small random access (4 KiB) for which papers quote times.
const SMALL_ACCESS_BLOCKS: f64 = 8.0;
/// Number of evenly spaced blocks among which the mean seek time is computed, over all pairs.
const PLACES: u64 = 2000;
const MIB: f64 = 1_048_576.0;

characteristics! {
    /// The figures of the data sheet of a drive. Times exclude command overheads and the bus.
    Disk, self, {
        let (layout, mechanics, p) = (self.layout(), &self.fixed.medium.mechanics, self.params());
        let seek_s = |from: u32, to: u32| {
            let track = |cylinder| Track { cylinder, head: 0 };
            mechanics.positioning(track(from), track(to), Op::Read).as_s()
        };
        let revolution_s = mechanics.turn_ns() / NANOS_PER_S;
        let last = layout.cylinders - 1;
        let (most, least) = (layout.sectors_per_track_max(), layout.sectors_per_track_min());
        let rate = |sectors: u32| f64::from(sectors) * SECTOR_BYTES as f64 / revolution_s;
        let mean_seek_s = self.mean_seek_s(&seek_s);
        let mean_sectors = 0.5 * f64::from(most + least);
        let access_s = mean_seek_s + revolution_s * (0.5 + SMALL_ACCESS_BLOCKS / mean_sectors);
    }
    /// Capacity in bytes that hosts may use.
    capacity_bytes: self.blocks() * SECTOR_BYTES;
    /// Number of logical blocks that hosts may use.
    blocks: self.blocks();
    /// Size of a logical block in bytes.
    block_bytes: SECTOR_BYTES;
    /// Number of cylinders, including unused cylinders.
    cylinders: u64::from(layout.cylinders);
    /// Number of recording surfaces.
    surfaces: p.surfaces;
    /// Number of zones.
    zones: p.zones.rows().len() as u64;
    /// Number of logical blocks that fit into the zones; at least `blocks`.
    zone_blocks: zones(p).map_or(0, |zones| zones.iter().map(|zone| zone.blocks(p)).sum::<i64>()) as u64;
    /// Number of sectors on the longest track.
    sectors_per_track_max: u64::from(most);
    /// Number of sectors on the shortest track.
    sectors_per_track_min: u64::from(least);
    /// Time of one revolution.
    revolution_s: revolution_s;
    /// Mean time until a random sector passes under the head: half a revolution.
    mean_rotational_latency_s: 0.5 * revolution_s;
    /// Seek time to the next cylinder.
    track_to_track_seek_s: seek_s(0, 1.min(last));
    /// Mean seek time between random blocks, for reads.
    mean_seek_s: mean_seek_s;
    /// Seek time from the outermost cylinder to the innermost.
    max_seek_s: seek_s(0, last);
    /// Time to switch to another head without a seek.
    head_switch_s: p.head_switch_ms * 1e-3;
    /// Throughput while reading the longest track.
    outer_track_bytes_per_s: rate(most);
    /// Throughput while reading the shortest track.
    inner_track_bytes_per_s: rate(least);
    /// Rate of the bus from the disk to the host.
    bus_bytes_per_s: SECTOR_BYTES as f64 / (p.bus_read_ms_per_block * 1e-3);
    /// Size of the disk's cache in bytes.
    cache_bytes: p.cache_segments * p.segment_blocks * SECTOR_BYTES;
    /// Mean time of a random 4 KiB access: seek, half a revolution and transfer.
    mean_access_4k_s: access_s;
    /// Number of random 4 KiB accesses per second, with one request outstanding.
    random_4k_per_s: access_s.recip();
    /// Gamma (001-F10): random 4 KiB accesses per second, divided by the throughput of the longest
    /// track in MiB per second.
    gamma_per_mib: access_s.recip() / (rate(most) / MIB);
}

impl Disk {
    fn mean_seek_s(&self, seek_s: &dyn Fn(u32, u32) -> f64) -> f64 {
        let places = PLACES.min(self.blocks());
        let lbn = |place: u64| (2 * place + 1) * (self.blocks() / places) / 2;
        let cylinder = |place| self.layout().place(lbn(place)).track.cylinder;
        let cylinders: Vec<u32> = (0..places).map(cylinder).collect();
        let from = |from: &u32| cylinders.iter().map(|to| seek_s(*from, *to)).sum::<f64>();
        cylinders.iter().map(from).sum::<f64>() / (places * places) as f64
    }
}
