//! The data format of paper 004: how sectors are divided among tips, and how much of the medium holds user data.

use std::fmt;
use std::str::FromStr;

use crate::error::{ensure, fault, Error, Result};
use crate::params::MemsParams;

/// A format (N, M, S): N active tips (probes) access M sectors of S bytes in parallel (004-F1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Number of active tips: N.
    pub probes: u64,
    /// Number of sectors that the active tips access in parallel: M.
    pub sectors: u64,
    /// Number of bytes in a sector: S.
    pub sector_bytes: u64,
}

/// Bits of a subsector (the part of a sector under one tip) that are not data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// Number of data bits for each bit of error correction.
    pub ecc_data_bits: u64,
    /// Number of bits that separate a subsector from the next one and keep the read channel running.
    pub subsector_overhead_bits: u64,
    /// Minimum number of bits of data and error correction together in a subsector.
    pub subsector_least_bits: u64,
}

/// Figures of a format on a medium (004-F2..F7). For an impossible format, they are the figures that it would have.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatCharacteristics {
    /// The reason why the format is impossible on the device, with the arithmetic; None if it is possible.
    pub reason: Option<String>,
    /// Number of bits of a subsector on the medium: data, error correction and overhead (004-F2, Eq 1).
    pub subsector_bits: u64,
    /// Capacity for user data in bytes, if every bit of the medium belongs to a subsector: the capacity of
    /// the medium times `utilization` (004-F7).
    pub capacity_bytes: f64,
    /// Capacity for user data in bytes, if each track holds only whole subsectors (004-D2).
    pub packed_capacity_bytes: u64,
    /// User data as a fraction of the bits of a subsector.
    pub utilization: f64,
    /// Time to read or write a sector in seconds. All M parallel sectors are accessed in the same time
    /// (004-F3, Eq 2).
    pub transfer_s: f64,
    /// Raw throughput in bytes per second: all bits that pass under the active tips.
    pub throughput_bytes_per_s: f64,
    /// Throughput of user data in bytes per second, without error correction and overhead.
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
    /// Maximum of each of the three numbers of a format; no real device reaches it.
    const LARGEST: u64 = 1 << 24;

    /// Creates a format. The method does not check whether it is possible on a device.
    ///
    /// # Errors
    /// One of the numbers is 0 or greater than [`LARGEST`](Self::LARGEST).
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

    /// Number of tips among which a sector is divided: K = N / M (004-F1, Eq 4).
    #[must_use]
    pub fn probes_per_sector(&self) -> u64 {
        (self.probes / self.sectors).max(1)
    }

    /// Number of bits of data and error correction together in a subsector.
    fn payload_bits(&self, overhead: &Overhead) -> u64 {
        let data = 8 * self.sector_bytes;
        (data + data.div_ceil(overhead.ecc_data_bits)).div_ceil(self.probes_per_sector())
    }

    /// Number of bits of a subsector on the medium: data, error correction and overhead (004-F2, Eq 1).
    #[must_use]
    pub fn subsector_bits(&self, overhead: &Overhead) -> u64 {
        self.payload_bits(overhead) + overhead.subsector_overhead_bits
    }

    /// Number of bytes of data in a subsector.
    #[must_use]
    pub fn subsector_bytes(&self) -> u64 {
        self.sector_bytes / self.probes_per_sector()
    }

    /// Computes the figures of the format on the medium of a device.
    ///
    /// # Errors
    /// The device lacks one of the three keys for the overhead of a subsector.
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

    /// The reason why the format is impossible, with the arithmetic (004-D3); None if it is
    /// possible.
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
        let division = format!(
            "{stored} bits of data and ECC, divided among {per_sector} tips \
             ({probes} active tips / {sectors} sectors), leave"
        );
        let (least, more) = (overhead.subsector_least_bits, overhead.subsector_overhead_bits);
        if payload < least {
            return Some(format!(
                "{division} {payload} bits for each tip, fewer than subsector_least_bits = {least}"
            ));
        }
        if bits > track_bits {
            return Some(format!(
                "{division} {payload} + {more} = {bits} bits for each tip, more than the {track_bits} bits of a track"
            ));
        }
        (sector_bytes % per_sector != 0).then(|| {
            format!(
                "a sector of {sector_bytes} bytes cannot be divided into whole bytes for {per_sector} tips"
            )
        })
    }

    /// Checks that the format is possible on the medium of a device.
    ///
    /// # Errors
    /// The format is impossible; the message shows the arithmetic.
    pub fn check(&self, p: &MemsParams) -> Result<()> {
        match self.characteristics(p)?.reason {
            None => Ok(()),
            Some(reason) => fault(format!("format = {self}: {reason}")),
        }
    }
}

impl Overhead {
    /// The overhead of a subsector, from three keys of a device.
    ///
    /// # Errors
    /// The device lacks one of the three keys.
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
        assert!(largest
            .reason
            .unwrap()
            .contains("4608 + 3 = 4611 bits for each tip, more than the 2500 bits of a track"));
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

    /// A subsector may be as long as a track, but not one bit longer.
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
                said.ends_with(&format!(
                    "= {bits} bits for each tip, more than the {} bits of a track",
                    bits - 1
                )),
                "{said}"
            );
        }
    }
}
