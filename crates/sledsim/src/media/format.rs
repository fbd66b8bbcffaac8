//! The format of 004: the division of sectors over probes, and the resulting use of the medium.

use std::fmt;
use std::str::FromStr;

use crate::error::{ensure, fault, Error, Result};
use crate::params::MemsParams;

/// A format (N, M, S): N active probes read M sectors of S bytes side by side (004-F1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Number of probes that are active together: N.
    pub probes: u64,
    /// Number of sectors that the probes read side by side: M.
    pub sectors: u64,
    /// Number of bytes of a sector: S.
    pub sector_bytes: u64,
}

/// Contents of each subsector besides data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// Number of bits of data for each bit of error correction.
    pub ecc_data_bits: u64,
    /// Number of bits that separate a subsector from the next and keep the channel running.
    pub subsector_overhead_bits: u64,
    /// Minimum number of bits of data and error correction.
    pub subsector_least_bits: u64,
}

/// Characteristics of a format on a medium (004-F2..F7). An impossible format has a reason and hypothetical values.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatCharacteristics {
    /// Reason why the format is impossible, with the arithmetic; None if it is possible.
    pub reason: Option<String>,
    /// Number of bits of a subsector on the medium: data, error correction and overhead (004-F2, Eq 1).
    pub subsector_bits: u64,
    /// User data by the ratio of data to bits of a subsector, over every bit of the medium (004-F7).
    pub capacity_bytes: f64,
    /// User data in whole subsectors, as many as each track holds (004-D2).
    pub packed_capacity_bytes: u64,
    /// User data over all bits of the medium, by the ratio.
    pub utilization: f64,
    /// Time to read or write a sector, and at the same time every sector beside it (004-F3, Eq 2).
    pub transfer_s: f64,
    /// Nominal throughput: bits that all active probes pass in a second, as bytes.
    pub throughput_bytes_per_s: f64,
    /// User data that all active probes pass in a second, in bytes.
    pub data_bytes_per_s: f64,
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}x{}", self.probes, self.sectors, self.sector_bytes)
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers: Option<Vec<u64>> = text.split('x').map(|part| part.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[probes, sectors, sector_bytes]) => Self::new(probes, sectors, sector_bytes),
            _ => fault(format!("format = {text}: expected active tips x parallel sectors x bytes of a sector, such as 4096x1x4096")),
        }
    }
}

impl Format {
    /// Upper limit of probes, sectors and bytes, above any real device.
    const LARGEST: u64 = 1 << 24;

    /// A format, which need not be possible.
    ///
    /// # Errors
    /// A count of zero, or one beyond all reason.
    pub fn new(probes: u64, sectors: u64, sector_bytes: u64) -> Result<Self> {
        for (name, value) in [("probes", probes), ("sectors", sectors), ("sector_bytes", sector_bytes)] {
            ensure!(
                (1..=Self::LARGEST).contains(&value),
                "{name} = {value}: expected a whole number from 1 to {}",
                Self::LARGEST
            );
        }
        Ok(Self { probes, sectors, sector_bytes })
    }

    /// Number of probes over which a sector is striped: K = N / M (004-F1, Eq 4).
    #[must_use]
    pub fn probes_per_sector(&self) -> u64 {
        (self.probes / self.sectors).max(1)
    }

    /// Number of bits of data and error correction of a subsector.
    fn payload_bits(&self, overhead: &Overhead) -> u64 {
        let data = 8 * self.sector_bytes;
        (data + data.div_ceil(overhead.ecc_data_bits)).div_ceil(self.probes_per_sector())
    }

    /// Number of bits of a subsector on the medium (004-F2, Eq 1).
    #[must_use]
    pub fn subsector_bits(&self, overhead: &Overhead) -> u64 {
        self.payload_bits(overhead) + overhead.subsector_overhead_bits
    }

    /// Number of bytes of data of a subsector.
    #[must_use]
    pub fn subsector_bytes(&self) -> u64 {
        self.sector_bytes / self.probes_per_sector()
    }

    /// Characteristics of the format on the medium of a device.
    ///
    /// # Errors
    /// The device does not define the overhead of a subsector.
    pub fn characteristics(&self, p: &MemsParams) -> Result<FormatCharacteristics> {
        let overhead = Overhead::of(p)?;
        let (columns, track_bits) = (p.stroke_x_nm / p.bit_width_nm, p.stroke_y_nm / p.bit_width_nm);
        let medium_bits = (p.tips * p.sleds) as f64 * columns as f64 * track_bits as f64;
        let subsector_bits = self.subsector_bits(&overhead);
        let data_bits = 8.0 * self.sector_bytes as f64 / self.probes_per_sector() as f64;
        let utilization = data_bits / subsector_bits as f64;
        let bits_per_s = p.access_velocity_mm_per_s * 1e6 / p.bit_width_nm as f64;
        let transfer_s = subsector_bits as f64 / bits_per_s;
        let tracks = (p.tips / self.probes * p.sleds).saturating_mul(columns);
        let groups = tracks.saturating_mul(track_bits / subsector_bits);
        Ok(FormatCharacteristics {
            reason: self.fault(&overhead, p.tips, track_bits),
            subsector_bits,
            capacity_bytes: utilization * medium_bits / 8.0,
            packed_capacity_bytes: groups.saturating_mul(self.sectors * self.sector_bytes),
            utilization,
            transfer_s,
            throughput_bytes_per_s: self.probes as f64 * bits_per_s / 8.0,
            data_bytes_per_s: (self.sectors * self.sector_bytes) as f64 / transfer_s,
        })
    }

    /// The reason why the format is impossible, with the arithmetic (004-D3).
    fn fault(&self, overhead: &Overhead, tips: u64, track_bits: u64) -> Option<String> {
        let Self { probes, sectors, sector_bytes } = *self;
        let per_sector = self.probes_per_sector();
        if probes > tips {
            return Some(format!("{probes} active tips are more than tips = {tips}"));
        }
        if probes % sectors != 0 {
            return Some(format!("{probes} active tips cannot be divided equally among {sectors} sectors"));
        }
        let (payload, bits) = (self.payload_bits(overhead), self.subsector_bits(overhead));
        let stored = 8 * sector_bytes + (8 * sector_bytes).div_ceil(overhead.ecc_data_bits);
        let division = format!("{stored} bits of data and ECC over {probes} / {sectors} = {per_sector} tips");
        let (least, more) = (overhead.subsector_least_bits, overhead.subsector_overhead_bits);
        if payload < least {
            return Some(format!(
                "{division} are {payload} bits each, fewer than subsector_least_bits = {least}"
            ));
        }
        if bits > track_bits {
            return Some(format!(
                "{division} are {payload} + {more} = {bits} bits each, more than the {track_bits} of a track"
            ));
        }
        (sector_bytes % per_sector != 0).then(|| {
            format!(
                "{sector_bytes} bytes of a sector cannot be divided into whole bytes for {per_sector} tips"
            )
        })
    }

    /// The parameters of the same medium with this format.
    ///
    /// # Errors
    /// An impossible format, with the arithmetic.
    pub fn check(&self, p: &MemsParams) -> Result<()> {
        match self.characteristics(p)?.reason {
            None => Ok(()),
            Some(reason) => fault(format!("format = {self}: {reason}")),
        }
    }
}

impl Overhead {
    /// The format of a device.
    ///
    /// # Errors
    /// The device does not define a format.
    pub fn of(p: &MemsParams) -> Result<Self> {
        match (p.ecc_data_bits, p.subsector_overhead_bits, p.subsector_least_bits) {
            (Some(ecc_data_bits), Some(subsector_overhead_bits), Some(subsector_least_bits)) => {
                Ok(Self { ecc_data_bits, subsector_overhead_bits, subsector_least_bits })
            }
            _ => fault(format!(
                "{}: format needs a device with ecc_data_bits, subsector_overhead_bits and subsector_least_bits, such as emsoft08",
                p.name
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;

    const GIB: f64 = (1_u64 << 30) as f64;

    fn space() -> impl Iterator<Item = Format> {
        let sizes = [512, 1024, 2048, 4096, 8192];
        (6..=12).flat_map(move |probes| {
            (0..=4).flat_map(move |sectors| {
                sizes.map(|bytes| Format::new(1 << probes, 1 << sectors, bytes).unwrap())
            })
        })
    }

    #[test]
    fn the_papers_space_has_155_formats() {
        let p = load_mems("emsoft08");
        let all: Vec<_> = space().map(|format| format.characteristics(&p).unwrap()).collect();
        let why =
            |word: &str| all.iter().filter_map(|c| c.reason.as_ref()).filter(|r| r.contains(word)).count();
        assert_eq!((all.len(), why("fewer than"), why("more than the")), (175, 10, 10));
        assert_eq!(all.iter().filter(|c| c.reason.is_none()).count(), 155, "004-C2");
        let best = all.iter().filter(|c| c.reason.is_none()).map(|c| c.capacity_bytes).fold(0.0, f64::max);
        assert_eq!((best / GIB * 1e4).round(), 26457.0, "004-D3");
    }

    #[test]
    fn capacities_of_the_paper() {
        let p = load_mems("emsoft08");
        for (format, gib) in [
            ("4096x16x4096", 2.595),
            ("4096x1x4096", 1.987),
            ("2048x16x2048", 2.595),
            ("2048x1x4096", 2.271),
            ("64x4x8192", 2.647),
        ] {
            let found = format.parse::<Format>().unwrap().characteristics(&p).unwrap();
            assert!((found.capacity_bytes / GIB - gib).abs() < 0.0005, "{format}: 004-C3, C4");
        }
        let largest = "64x4x8192".parse::<Format>().unwrap().characteristics(&p).unwrap();
        assert_eq!((largest.subsector_bits, largest.packed_capacity_bytes), (4611, 0), "004-C4");
        assert!(largest.reason.unwrap().contains("4608 + 3 = 4611 bits each, more than the 2500 of a track"));
    }

    #[test]
    fn a_format_is_read_back_from_its_name() {
        let format: Format = "2048x16x2048".parse().unwrap();
        assert_eq!(format.to_string(), "2048x16x2048");
        for (text, expected) in [
            ("4096x1", "format = 4096x1: expected active tips x parallel sectors x bytes of a sector, such as 4096x1x4096"),
            ("0x1x512", "probes = 0: expected a whole number from 1"),
        ] {
            assert!(text.parse::<Format>().unwrap_err().to_string().contains(expected), "{text}");
        }
    }

    /// The bits of a sector on one of its tips may fill a track to the last one.
    #[test]
    fn a_track_may_be_full_and_no_more() {
        let mut p = load_mems("emsoft08");
        for text in ["2048x16x2048", "4096x1x4096", "64x1x512"] {
            let format: Format = text.parse().unwrap();
            let bits = format.characteristics(&p).unwrap().subsector_bits;
            let mut reason = |track_bits: u64| {
                p.stroke_y_nm = track_bits * p.bit_width_nm;
                format.characteristics(&p).unwrap().reason
            };
            assert_eq!(reason(bits), None, "{text}");
            let said = reason(bits - 1).unwrap();
            assert!(
                said.ends_with(&format!("= {bits} bits each, more than the {} of a track", bits - 1)),
                "{said}"
            );
        }
    }
}
