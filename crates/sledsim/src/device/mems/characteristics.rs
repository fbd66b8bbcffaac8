//! Characteristics of a MEMS device: figures as on a data sheet, computed from the model.

use super::access_plan::Plan;
use super::{Cantilevers, Mems};
use crate::device::characteristics::characteristics;
use crate::params::Mechanism;
use crate::request::{Op, Request};
use crate::time::Time;

/// Size in bytes of the small random access for which papers quote times.
const SMALL_ACCESS_BYTES: u64 = 4096;
const MIB: f64 = 1_048_576.0;

/// Maximum number of rows for which the throughput of a long read is computed from a complete plan.
const PLANNED_ROWS_MAX: u64 = 1 << 20;

characteristics! {
    /// The figures of the data sheet of a device. Times exclude command overhead and bus, as in the papers
    /// (001-D6).
    Mems, self, {
        let (g, p) = (&self.geometry, &self.params);
        let track_s = g.rows_per_track as f64 * self.motion.row_s;
        let track_bytes = g.blocks_per_track() * g.block_bytes;
        let streaming_bytes_per_s = track_bytes as f64 / track_s;
        let mean_seek_s = self.mean_seek_s();
        let small_rows = SMALL_ACCESS_BYTES.div_ceil(g.block_bytes).div_ceil(g.blocks_per_row);
        let mean_access_4k_s = mean_seek_s + small_rows as f64 * self.motion.row_s;
        let bits = u128::from(g.cylinders * g.region_bits_y) * u128::from(p.tips * p.sleds);
        let gross = bits * u128::from(p.sector_data_bytes) / u128::from(p.sector_encoded_bits);
        let tip_sectors_per_row = g.blocks_per_row * p.tips_per_block;
    }
    /// Formatted capacity: user data in whole tip sectors, without servo bursts, margins (001-C1,
    /// 003-C9) and the reserve of a log (001-F31).
    capacity_bytes: self.usable_blocks() * g.block_bytes;
    /// Capacity if all bit cells of the medium held encoded data, including the cells of servo bursts and
    /// margins (002-C3, 002-D5).
    capacity_gross_bytes: gross as u64;
    /// Number of bit cells per square metre of the medium (001-C10).
    density_bits_per_m2: g.bits_m(1).powi(-2);
    /// Number of logical blocks.
    blocks: self.usable_blocks();
    /// Size of a logical block in bytes.
    block_bytes: g.block_bytes;
    /// Number of cylinders on a sled.
    cylinders: g.cylinders;
    /// Number of tracks in a cylinder.
    tracks_per_cylinder: g.tracks_per_cylinder;
    /// Number of rows in a track.
    rows_per_track: g.rows_per_track;
    /// Number of blocks in a row.
    blocks_per_row: g.blocks_per_row;
    /// Number of tip sectors in a row: one for each active tip that belongs to a block (001-C4).
    tip_sectors_per_row: tip_sectors_per_row;
    /// Number of tip sectors in a track (001-C3).
    tip_sectors_per_track: tip_sectors_per_row * g.rows_per_track;
    /// Size of a row in bytes (001-C4).
    row_bytes: g.blocks_per_row * g.block_bytes;
    /// Size of a track in bytes (001-C3).
    track_bytes: track_bytes;
    /// Size of a cylinder in bytes (001-C3).
    cylinder_bytes: g.tracks_per_cylinder * track_bytes;
    /// Number of bits along y that belong to no row.
    spare_bits_y: g.region_bits_y - (g.rows_per_track * g.row_bits + g.servo_bits);
    /// Number of bits that pass under one tip per second (001-C8, 002-C4).
    tip_bits_per_s: p.access_velocity_mm_per_s * 1e-3 / g.bits_m(1);
    /// Settling time before a read (002-C1).
    settle_s: self.motion.settle_s;
    /// Settling time before a write.
    write_settle_s: self.motion.write_settle_s;
    /// Turnaround time with the sled in the centre (002-C2).
    turnaround_s: self.motion.turnaround_s(0.0, 1.0);
    /// Time in which a row passes under the tips (001-C4).
    row_s: self.motion.row_s;
    /// Time in which all rows of a track pass under the tips (001-C4).
    track_s: track_s;
    /// Throughput while reading within a track (001-C5).
    streaming_bytes_per_s: streaming_bytes_per_s;
    /// Throughput of a long sequential access, including track and cylinder switches.
    sustained_bytes_per_s: self.sustained_bytes_per_s();
    /// Longest seek time: the longest seek in x with settling, or the longest seek in y with turnarounds,
    /// whichever takes longer.
    max_seek_s: self.max_seek_s();
    /// Mean seek time between random rows on random cylinders. The sled leaves and enters a row in a
    /// direction that the access mode allows.
    mean_seek_s: mean_seek_s;
    /// Mean time of a random 4 KiB access to the smallest possible number of rows (001-C2, D7).
    mean_access_4k_s: mean_access_4k_s;
    /// Number of random 4 KiB accesses per second, with one request outstanding (001-C2).
    random_4k_per_s: 1.0 / mean_access_4k_s;
    /// Gamma (001-F10, C6): random 4 KiB accesses per second, divided by the streaming throughput
    /// in MiB per second.
    gamma_per_mib: MIB / (mean_access_4k_s * streaming_bytes_per_s);
}

impl Mems {
    /// Throughput of a long read in bytes per second. It is computed from the plans of two reads of
    /// different numbers of cylinders: their difference contains each track and cylinder with its switch.
    fn sustained_bytes_per_s(&self) -> f64 {
        let g = &self.geometry;
        let rows_s = |rows: u64| rows as f64 * self.motion.row_s;
        let [few, some] = [1, 2].map(|part| part * (g.cylinders / 2).clamp(1, 2));
        let all_rows = some * g.tracks_per_cylinder * g.rows_per_track;
        if g.cylinders == 1 || all_rows > PLANNED_ROWS_MAX {
            // Switches are negligible among this number of rows, or the device has only one
            // cylinder.
            return g.blocks_per_track() as f64 * g.block_bytes as f64 / rows_s(g.rows_per_track);
        }
        let lbn = (g.cylinders - some) / 2 * g.blocks_per_cylinder();
        let [few_s, some_s] = [few, some].map(|cylinders| {
            let blocks = (cylinders * g.blocks_per_cylinder()) as u32;
            let plan = self.plan_alone(&Request::new(0, lbn, blocks, Op::Read));
            plan.switching.as_s() + rows_s(plan.rows)
        });
        ((some - few) * g.blocks_per_cylinder() * g.block_bytes) as f64 / (some_s - few_s)
    }

    /// Plans a request on this device alone, with its mechanism (a sled or cantilevers).
    fn plan_alone(&self, request: &Request) -> Plan {
        match self.params.mechanism {
            Mechanism::Sled => self.plan(Time::ZERO, request),
            Mechanism::Cantilevers => Cantilevers::new(self.clone()).plan_now(Time::ZERO, request),
        }
    }
}
