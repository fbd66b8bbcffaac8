//! A plan of faults, as a TOML file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::Remapping;
use crate::error::{ensure, Error, Result};
use crate::input::{read_text, read_toml};

/// Plan of faults of a device: faults, their times, and the protection of the device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FaultPlan {
    /// Seed of all random faults.
    pub seed: u64,
    /// Number of tips that the code over tips adds to every block: as many tip sectors of a block may be missing.
    pub check_tips: u32,
    /// Number of spare tips of each track, empty until they are needed.
    pub spare_tips: u32,
    /// True if the tips of a block stand far from each other.
    pub spread: bool,
    /// Tips in a row of the array; by default the array is as nearly square as possible.
    pub array_columns: Option<u32>,
    /// Remapping of a block that has lost tip sectors.
    pub remapping: Remapping,
    /// Number of missing tip sectors at which a block is slipped or moved.
    pub remap_at: u32,
    /// Number of blocks at the end of the device, reserved for moved blocks.
    pub reserve_blocks: u64,
    /// Faults before the first write.
    pub manufacture: Manufacture,
    /// Faults after manufacture.
    pub life: Life,
    /// Shape of random defects.
    pub defects: DefectShape,
    /// Failing tips, by number.
    pub tip_failures: Vec<TipFailure>,
    /// Defects of the medium, by place.
    pub media_defects: Vec<MediaDefect>,
    /// Unreadable blocks, on a device of any kind.
    pub bad_blocks: Vec<BadBlocks>,
}

/// Faults from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manufacture {
    /// Probability that a tip never works.
    pub tip_failure_probability: f64,
    /// Mean number of defects of the medium.
    pub media_defects: f64,
}

/// Faults later on, at constant rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Life {
    /// Age of the device at the start of the run, in hours.
    pub age_hours: f64,
    /// Mean number of failures of one tip in an hour, before and during the run.
    pub tip_failures_per_tip_hour: f64,
    /// Mean number of defects of the medium in an hour, before and during the run.
    pub media_defects_per_hour: f64,
}

/// The shape of a defect: neighbouring tips, under each of which the same rectangle is bad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DefectShape {
    /// The shares of defects over 1, 2, 3 ... neighbouring tips.
    pub tips: Vec<f64>,
    /// Number of bit columns in x that the defect covers.
    pub cylinders: u32,
    /// Number of rows of tip sectors in y that the defect covers.
    pub rows: u32,
}

/// A tip that fails.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TipFailure {
    /// Number of the tip.
    pub tip: u32,
    /// Seconds from the start of the run; at manufacture by default.
    pub at_s: Option<f64>,
}

/// A defect of the medium.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MediaDefect {
    /// The tips over the defect.
    pub tips: Vec<u32>,
    /// The first bit column in x.
    pub cylinder: u32,
    /// Number of bit columns that the defect covers.
    #[serde(default = "one")]
    pub cylinders: u32,
    /// The first row of tip sectors in y.
    pub row: u32,
    /// Number of rows of tip sectors that the defect covers.
    #[serde(default = "one")]
    pub rows: u32,
    /// Seconds from the start of the run; at manufacture by default.
    pub at_s: Option<f64>,
}

/// Unreadable blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BadBlocks {
    /// The first block, as the device counts without any remapping.
    pub lbn: u64,
    /// Number of unreadable blocks.
    pub blocks: u64,
    /// Seconds from the start of the run; at manufacture by default.
    pub at_s: Option<f64>,
}

/// Maximum number of defects before a run: more defects leave nothing of a device to simulate, and each takes memory.
const DEFECTS_MAX: f64 = 100_000.0;

fn one() -> u32 {
    1
}

impl Default for FaultPlan {
    /// A device without redundancy and without faults.
    fn default() -> Self {
        Self {
            seed: 1,
            check_tips: 0,
            spare_tips: 0,
            spread: true,
            array_columns: None,
            remapping: Remapping::Leave,
            remap_at: 1,
            reserve_blocks: 0,
            manufacture: Manufacture::default(),
            life: Life::default(),
            defects: DefectShape::default(),
            tip_failures: Vec::new(),
            media_defects: Vec::new(),
            bad_blocks: Vec::new(),
        }
    }
}

impl Default for DefectShape {
    /// Defects over 1 to 4 tips, equally frequent, with one tip sector under each.
    fn default() -> Self {
        Self { tips: vec![1.0; 4], cylinders: 1, rows: 1 }
    }
}

impl FaultPlan {
    /// Reads a plan of faults from a file.
    ///
    /// # Errors
    /// A file that cannot be read, an unknown key, an invalid value; the message names file and key.
    pub fn read(path: &str) -> Result<Self> {
        let text = read_text(Path::new(path))?;
        Self::checked(read_toml(&text, path)?, path)
    }

    /// Reads a plan from its table, as results hold it; messages name `origin`.
    ///
    /// # Errors
    /// Errors of [`Self::read`].
    pub fn from_table(table: Table, origin: &str) -> Result<Self> {
        let fault = |error: toml::de::Error| Error::Parameter(error.message().into()).at(origin);
        Self::checked(table.try_into().map_err(fault)?, origin)
    }

    /// The whole plan as a table.
    ///
    /// # Panics
    /// Never: a plan is numbers and names.
    #[must_use]
    pub fn to_table(&self) -> Table {
        Table::try_from(self).expect("a plan of faults holds only numbers and names")
    }

    fn checked(self, origin: &str) -> Result<Self> {
        self.check().map_err(|text| Error::Parameter(text).at(origin))?;
        Ok(self)
    }

    /// Rejects values that no device could have.
    fn check(&self) -> std::result::Result<(), String> {
        let probability = self.manufacture.tip_failure_probability;
        ensure!(
            (0.0..=1.0).contains(&probability),
            format!("manufacture.tip_failure_probability = {probability}: expected a number from 0 to 1")
        );
        let times = self.tip_failures.iter().map(|fault| ("tip_failures", fault.at_s));
        let times = times.chain(self.media_defects.iter().map(|fault| ("media_defects", fault.at_s)));
        let times = times.chain(self.bad_blocks.iter().map(|fault| ("bad_blocks", fault.at_s)));
        let times = times.map(|(table, at_s)| (format!("{table}.at_s"), at_s.unwrap_or(0.0)));
        let rates = [
            ("manufacture.media_defects", self.manufacture.media_defects),
            ("life.age_hours", self.life.age_hours),
            ("life.tip_failures_per_tip_hour", self.life.tip_failures_per_tip_hour),
            ("life.media_defects_per_hour", self.life.media_defects_per_hour),
        ];
        let rates = rates.map(|(key, value)| (key.to_owned(), value));
        let shares = self.defects.tips.iter().map(|share| ("defects.tips".to_owned(), *share));
        for (key, value) in rates.into_iter().chain(times).chain(shares) {
            // No simulation takes more than a thousand million seconds, hours or defects.
            if !(0.0..=1e9).contains(&value) {
                return Err(format!("{key} = {value}: expected a number from 0 to 1e9"));
            }
        }
        let Life { age_hours, media_defects_per_hour: per_hour, .. } = self.life;
        let by_age = format!("life.media_defects_per_hour = {per_hour} times life.age_hours = {age_hours}");
        let at_first = self.manufacture.media_defects;
        for (key, mean) in [("manufacture.media_defects", at_first), (&by_age, per_hour * age_hours)] {
            ensure!(
                mean <= DEFECTS_MAX,
                format!("{key}: expected at most {DEFECTS_MAX} defects before the run, found {mean}")
            );
        }
        let counts = [
            ("remap_at", u64::from(self.remap_at)),
            ("array_columns", self.array_columns.map_or(1, u64::from)),
            ("defects.cylinders", u64::from(self.defects.cylinders)),
            ("defects.rows", u64::from(self.defects.rows)),
            ("media_defects.cylinders", least(self.media_defects.iter().map(|defect| defect.cylinders))),
            ("media_defects.rows", least(self.media_defects.iter().map(|defect| defect.rows))),
            ("media_defects.tips", least(self.media_defects.iter().map(|defect| defect.tips.len() as u32))),
            ("defects.tips", (self.defects.tips.iter().sum::<f64>() > 0.0).into()),
        ];
        match counts.iter().find(|(_, count)| *count == 0) {
            Some((key, _)) => Err(format!("{key}: expected a number of at least 1, found 0 or no value")),
            None => Ok(()),
        }
    }
}

fn least(counts: impl Iterator<Item = u32>) -> u64 {
    u64::from(counts.min().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<FaultPlan> {
        FaultPlan::from_table(text.parse().expect("it is a table"), "mine")
    }

    #[test]
    fn a_defect_without_a_size_is_one_tip_sector_under_each_tip() {
        let found = plan("media_defects = [{ tips = [3, 4], cylinder = 7, row = 2 }]").unwrap();
        let expected =
            MediaDefect { tips: vec![3, 4], cylinder: 7, cylinders: 1, row: 2, rows: 1, at_s: None };
        assert_eq!(found.media_defects, [expected]);
    }

    #[test]
    fn a_defect_has_a_size() {
        for key in ["cylinders", "rows"] {
            let text = format!("media_defects = [{{ tips = [3], cylinder = 7, row = 2, {key} = 0 }}]");
            let fault = plan(&text).unwrap_err().to_string();
            assert!(
                fault.contains(&format!(
                    "mine: media_defects.{key}: expected a number of at least 1, found 0"
                )),
                "{fault}"
            );
        }
    }
}
