//! Geometry of the medium in whole numbers (001-F1, 000-F7; 001 Table 1 for the servo burst after the last row).

use crate::error::{ensure, fault, Result};
use crate::params::MemsParams;

/// Number of bytes in a sector, the unit in which hosts and traces count.
pub const SECTOR_BYTES: u64 = 512;

/// Numbers of cylinders, tracks, rows and blocks that follow from the parameters of a device, and the
/// places of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Number of cylinders: bits of a tip region in x.
    pub cylinders: u64,
    /// Number of tracks in a cylinder: groups of tips that are active together.
    pub tracks_per_cylinder: u64,
    /// Number of rows of tip sectors in a track, along y.
    pub rows_per_track: u64,
    /// Number of logical blocks side by side in a row.
    pub blocks_per_row: u64,
    /// Number of sleds that move together.
    pub sleds: u64,
    /// Number of bytes in a logical block.
    pub block_bytes: u64,
    /// Length of a row along y in bits: the servo burst and the encoded tip sector.
    pub row_bits: u64,
    /// Length of a servo burst in bits.
    pub servo_bits: u64,
    /// Height of a tip region in y, in bits.
    pub region_bits_y: u64,
    /// Width and height of a bit cell in nanometres.
    pub bit_width_nm: u64,
}

impl Geometry {
    /// Computes the geometry of a device from its parameters.
    ///
    /// # Errors
    /// There are more active tips than tips, a block needs more tips than are active, a row is longer than
    /// the region, or the medium has too many blocks to number. The message shows the arithmetic.
    pub fn new(p: &MemsParams) -> Result<Self> {
        ensure!(
            p.active_tips <= p.tips,
            "active_tips = {}: expected at most tips = {}",
            p.active_tips,
            p.tips
        );
        if p.tips_per_block > p.active_tips {
            return fault(format!(
                "tips_per_block = {}: expected at most active_tips = {}",
                p.tips_per_block, p.active_tips
            ));
        }
        let (cylinders, region_bits_y) = (p.stroke_x_nm / p.bit_width_nm, p.stroke_y_nm / p.bit_width_nm);
        let row_bits = p.servo_bits + p.sector_encoded_bits;
        ensure!(
            cylinders > 0 && region_bits_y >= row_bits + p.servo_bits,
            "a row of servo_bits {} + sector_encoded_bits {} + servo_bits {} after the last row = {} bits does not \
             fit a region of stroke_y_nm {} / bit_width_nm {} = {} bits (stroke_x_nm gives {})",
            p.servo_bits,
            p.sector_encoded_bits,
            p.servo_bits,
            row_bits + p.servo_bits,
            p.stroke_y_nm,
            p.bit_width_nm,
            region_bits_y,
            cylinders
        );
        ensure!(
            p.sector_encoded_bits >= 8 * p.sector_data_bytes,
            "sector_encoded_bits = {}: expected at least 8 x sector_data_bytes = {}",
            p.sector_encoded_bits,
            8 * p.sector_data_bytes
        );
        let (rows, margin) = ((region_bits_y - p.servo_bits) / row_bits, p.margin_rows.unwrap_or(0));
        let Some(rows_per_track) = rows.checked_sub(margin).filter(|rows| *rows > 0) else {
            return fault(format!(
                "margin_rows = {margin} leaves no row for data: a track has ({region_bits_y} - {}) / {row_bits} = {rows} rows",
                p.servo_bits
            ));
        };
        let geometry = Self {
            cylinders,
            tracks_per_cylinder: p.tips / p.active_tips,
            rows_per_track,
            blocks_per_row: p.active_tips / p.tips_per_block,
            sleds: p.sleds,
            block_bytes: p.tips_per_block * p.sector_data_bytes,
            row_bits,
            servo_bits: p.servo_bits,
            region_bits_y,
            bit_width_nm: p.bit_width_nm,
        };
        geometry.countable(p)
    }

    /// Checks that the numbers of blocks and bytes of the device fit into signed 64-bit columns of results.
    fn countable(self, p: &MemsParams) -> Result<Self> {
        let bytes = [
            self.cylinders,
            self.tracks_per_cylinder,
            self.rows_per_track,
            self.blocks_per_row,
            self.sleds,
            self.block_bytes,
        ]
        .iter()
        .try_fold(1_u64, |product, factor| product.checked_mul(*factor));
        match bytes {
            Some(bytes) if bytes < SECTOR_BYTES * p.sleds => fault(format!(
                "a sled of {} bytes is smaller than a sector of {SECTOR_BYTES} bytes: tips {} x {} x {} bits",
                bytes / p.sleds,
                p.tips,
                self.cylinders,
                self.region_bits_y
            )),
            Some(bytes) if bytes <= i64::MAX as u64 => Ok(self),
            _ => fault(format!(
                "sleds {} x tips {} x {} x {} bits is more than 64 bits can count",
                p.sleds, p.tips, self.cylinders, self.region_bits_y
            )),
        }
    }

    /// Number of logical blocks in a track.
    #[must_use]
    pub fn blocks_per_track(&self) -> u64 {
        self.rows_per_track * self.blocks_per_row
    }

    /// Number of logical blocks in a cylinder.
    #[must_use]
    pub fn blocks_per_cylinder(&self) -> u64 {
        self.tracks_per_cylinder * self.blocks_per_track()
    }

    /// Number of logical blocks on one sled.
    #[must_use]
    pub fn blocks_per_sled(&self) -> u64 {
        self.cylinders * self.blocks_per_cylinder()
    }

    /// Number of logical blocks on the device.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.sleds * self.blocks_per_sled()
    }

    /// Number of whole sectors of 512 bytes on the device; hosts and traces count in such sectors.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        self.blocks() * self.block_bytes / SECTOR_BYTES
    }

    /// Minimum number of sleds for a capacity of `sectors` sectors of 512 bytes.
    #[must_use]
    pub fn sleds_for(&self, sectors: u64) -> u64 {
        sectors.saturating_mul(SECTOR_BYTES).div_ceil(self.blocks_per_sled() * self.block_bytes)
    }

    /// Displacement of cylinder `cylinder` in x, in bits from the centre.
    #[must_use]
    pub fn x_bits(&self, cylinder: u64) -> i64 {
        cylinder as i64 - (self.cylinders / 2) as i64
    }

    /// The cylinder nearest to the displacement `x_m` in x (in metres from the centre).
    #[must_use]
    pub fn cylinder_near(&self, x_m: f64) -> u32 {
        let bits = (x_m * 1e9 / self.bit_width_nm as f64).round() as i64;
        (bits + (self.cylinders / 2) as i64) as u32
    }

    /// Middle of the tip sectors of row `row`, in bits from the lower end of the region. The first and the
    /// last row have the same distance from the centre.
    #[must_use]
    pub fn row_middle_bits(&self, row: u64) -> u64 {
        let above_lowest = self.row_bits * (2 * row + 1);
        (self.region_bits_y + above_lowest - self.row_bits * self.rows_per_track) / 2
    }

    /// Displacement in y of the lower end of row `row`, in bits from the centre. Upwards, an access to this
    /// row begins there, and an access to the row below ends there. All rows together lie symmetrically
    /// about the centre.
    #[must_use]
    pub fn row_bits_from_centre(&self, row: u64) -> i64 {
        let half = (self.row_bits * self.rows_per_track + self.servo_bits) / 2;
        (self.row_bits * row) as i64 - half as i64
    }

    /// Distance in metres from the centre to the outermost row boundary. The sled may have to turn around
    /// there to access the outermost row.
    #[must_use]
    pub fn row_edge_m(&self) -> f64 {
        self.bits_m(self.row_bits_from_centre(0).abs())
    }

    /// Length in metres of `bits` bits.
    #[must_use]
    pub fn bits_m(&self, bits: i64) -> f64 {
        (bits * self.bit_width_nm as i64) as f64 * 1e-9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;

    #[test]
    fn counts_of_the_golden_table() {
        // Expected cylinders, tracks, rows, blocks per row and blocks of DiskSim's devices G1, G2
        // and G3.
        for (name, expected) in [
            ("disksim-g1", (2000, 10, 22, 10, 4_400_000)),
            ("disksim-g2", (2500, 5, 27, 20, 6_750_000)),
            ("disksim-g3", (3333, 2, 36, 50, 11_998_800)),
        ] {
            let g = Geometry::new(&load_mems(name)).unwrap();
            let counts = (g.cylinders, g.tracks_per_cylinder, g.rows_per_track, g.blocks_per_row, g.blocks());
            assert_eq!(counts, expected, "{name}");
        }
    }

    #[test]
    fn capacities_of_the_papers() {
        for (name, bytes) in
            [("sigmetrics00", 2_252_800_000), ("osdi00", 3_456_000_000), ("hong03", 5_068_800_000)]
        {
            let g = Geometry::new(&load_mems(name)).unwrap();
            assert_eq!(g.blocks() * g.block_bytes, bytes, "{name}");
        }
    }

    #[test]
    fn rows_lie_symmetrically() {
        let g = Geometry::new(&load_mems("osdi00")).unwrap();
        assert_eq!(g.row_bits_from_centre(0), -1220);
        assert_eq!(g.row_bits_from_centre(27), 1210);
    }

    /// The middle of a row is the middle of its tip sectors: 50 bits above the lower end, because 10 bits
    /// of servo burst precede 80 bits of tip sector.
    #[test]
    fn the_middle_of_a_row_is_that_of_its_tip_sectors() {
        for name in ["osdi00", "disksim-g1", "disksim-g3", "hong03"] {
            let g = Geometry::new(&load_mems(name)).unwrap();
            let centre = g.region_bits_y / 2;
            for row in 0..g.rows_per_track {
                let middle = g.row_middle_bits(row);
                let from_lower_end = middle as i64 - centre as i64 - g.row_bits_from_centre(row);
                assert!((50..=51).contains(&from_lower_end), "{name} {row}: {from_lower_end}");
                let mirrored = g.region_bits_y - g.row_middle_bits(g.rows_per_track - 1 - row);
                assert!(mirrored - middle <= 1, "{name} {row}: to a bit, where the middle is between two");
            }
        }
    }
}
