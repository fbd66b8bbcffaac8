//! Plans of faults, read from TOML files.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::Remapping;
use crate::error::{ensure, Error, Result};
use crate::input::{read_text, read_toml};

/// Plan of the faults of a device: faults, their times, and the protection of the device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FaultPlan {
    /// Seed of all random faults.
    pub seed: u64,
    /// Number of check tips that the code over tips adds to each block. A block can be read if at
    /// most this number of its tip sectors is missing.
    pub check_tips: u32,
    /// Number of spare tips in each track; they are empty until they are needed.
    pub spare_tips: u32,
    /// True if the tips of a block are placed far from each other.
    pub spread: bool,
    /// Number of tips in a row of the array; by default the array is as nearly square as possible.
    pub array_columns: Option<u32>,
    /// Handling of a block that has lost tip sectors.
    pub remapping: Remapping,
    /// Number of missing tip sectors of a block at which the block is skipped or moved.
    pub remap_at: u32,
    /// Number of blocks at the end of the device that are reserved for moved blocks.
    pub reserve_blocks: u64,
    /// Random faults before the first write.
    pub manufacture: Manufacture,
    /// Random faults after manufacture.
    pub life: Life,
    /// Shape of random defects of the medium.
    pub defects: DefectShape,
    /// Tips that fail, with their times.
    pub tip_failures: Vec<TipFailure>,
    /// Defects of the medium at listed places, with their times.
    pub media_defects: Vec<MediaDefect>,
    /// Blocks that become unreadable, on devices of all kinds.
    pub bad_blocks: Vec<BadBlocks>,
}

/// Random faults at manufacture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manufacture {
    /// Probability that a tip never works.
    pub tip_failure_probability: f64,
    /// Mean number of defects of the medium at manufacture.
    pub media_defects: f64,
}

/// Random faults after manufacture, at constant rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Life {
    /// Age of the device at the start of the run, in hours.
    pub age_hours: f64,
    /// Mean number of failures of one tip per hour, before and during the run.
    pub tip_failures_per_tip_hour: f64,
    /// Mean number of defects of the medium per hour, before and during the run.
    pub media_defects_per_hour: f64,
}

/// Shape of random defects: the same rectangle is bad under each of some neighbouring tips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DefectShape {
    /// Relative frequencies of defects over 1, 2, 3 ... neighbouring tips.
    pub tips: Vec<f64>,
    /// Number of cylinders (bit columns in x) that a defect covers.
    pub cylinders: u32,
    /// Number of rows of tip sectors in y that a defect covers.
    pub rows: u32,
}

/// A tip that fails at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TipFailure {
    /// Index of the tip, from 0.
    pub tip: u32,
    /// Time of the failure in seconds from the start of the run; by default the tip fails at
    /// manufacture.
    pub at_s: Option<f64>,
}

/// A defect of the medium at a given place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MediaDefect {
    /// Indices of the tips over the defect, from 0.
    pub tips: Vec<u32>,
    /// First cylinder (bit column in x) of the defect.
    pub cylinder: u32,
    /// Number of cylinders that the defect covers.
    #[serde(default = "one")]
    pub cylinders: u32,
    /// First row of tip sectors of the defect.
    pub row: u32,
    /// Number of rows of tip sectors that the defect covers.
    #[serde(default = "one")]
    pub rows: u32,
    /// Time of the defect in seconds from the start of the run; by default it exists since
    /// manufacture.
    pub at_s: Option<f64>,
}

/// Consecutive blocks that become unreadable at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BadBlocks {
    /// LBN of the first unreadable block, counted on the device without remapping.
    pub lbn: u64,
    /// Number of unreadable blocks.
    pub blocks: u64,
    /// Time in seconds from the start of the run at which the blocks become unreadable; by default
    /// at manufacture.
    pub at_s: Option<f64>,
}

/// Maximum mean number of defects before a run. With more, a device would be useless, and each
/// defect takes memory.
const DEFECTS_MAX: f64 = 100_000.0;

fn one() -> u32 {
    1
}

impl Default for FaultPlan {
    /// Creates a plan without redundancy and without faults.
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
    /// Creates the shape of defects over 1 to 4 tips, equally frequent, with one bad tip sector
    /// under each tip.
    fn default() -> Self {
        Self { tips: vec![1.0; 4], cylinders: 1, rows: 1 }
    }
}

impl FaultPlan {
    /// Reads a plan of faults from a file.
    ///
    /// # Errors
    /// The file cannot be read, a key is unknown, or a value is invalid; the message names the file
    /// and the key.
    pub fn read(path: &str) -> Result<Self> {
        let text = read_text(Path::new(path))?;
        Self::checked(read_toml(&text, path)?, path)
    }

    /// Reads a plan of faults from a table, in the form in which a result stores it. Error messages
    /// give `origin` as the place of the table.
    ///
    /// # Errors
    /// A key is unknown, or a value is invalid.
    pub fn from_table(table: Table, origin: &str) -> Result<Self> {
        let fault = |error: toml::de::Error| Error::Parameter(error.message().into()).at(origin);
        Self::checked(table.try_into().map_err(fault)?, origin)
    }

    /// Converts the whole plan to a table.
    ///
    /// # Panics
    /// If a value is neither a number, a name, nor a list of them; a plan has no such value.
    #[must_use]
    pub fn to_table(&self) -> Table {
        Table::try_from(self).expect("a plan of faults holds only numbers and names")
    }

    fn checked(self, origin: &str) -> Result<Self> {
        self.check().map_err(|text| Error::Parameter(text).at(origin))?;
        Ok(self)
    }

    /// Rejects values that are impossible on all devices.
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
            // No simulation takes more than 1e9 seconds, hours or defects.
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
        FaultPlan::from_table(text.parse().expect("the text is a table"), "mine")
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
