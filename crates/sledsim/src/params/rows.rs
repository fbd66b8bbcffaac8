//! Tables of numbers in a device file, or in a CSV file that the device file names.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{fault, Result};
use crate::input::read_text;

/// A table of numbers, or the name of a CSV file that has not been read yet.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged, expecting = "expected rows of numbers, or the name of a CSV file")]
pub enum Rows {
    /// The rows of the table.
    Numbers(Vec<Vec<f64>>),
    /// The name of a CSV file, as the device file gives it.
    File(String),
}

impl Rows {
    /// Returns the rows of the table.
    ///
    /// # Panics
    /// If the CSV file has not been read; it is always read together with the device file.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        match self {
            Self::Numbers(rows) => rows,
            Self::File(name) => unreachable!("{name} has been read with the device file"),
        }
    }

    /// Reads the CSV file, if the table is given by its name. A relative path is relative to the folder of
    /// the device file `named_by`.
    ///
    /// # Errors
    /// The file cannot be read, or a line does not consist of numbers.
    pub(super) fn read(self, named_by: Option<&Path>) -> Result<Self> {
        let Self::File(name) = self else { return Ok(self) };
        let path = named_by.and_then(Path::parent).map_or_else(|| name.clone().into(), |dir| dir.join(&name));
        let origin = path.display().to_string();
        let text = read_text(&path)?;
        let mut rows = Vec::new();
        let mut headed = false;
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            let values = || line.split(',').map(|value| value.trim().parse::<f64>());
            match values().collect() {
                _ if line.is_empty() => {}
                Ok(row) => rows.push(row),
                // The first line may contain headings, without any number.
                Err(_) if rows.is_empty() && !headed && values().all(|value| value.is_err()) => headed = true,
                Err(_) => {
                    let place = number + 1;
                    return fault(format!(
                        "{origin}:{place}: expected numbers separated by commas, found {line:?}"
                    ));
                }
            }
        }
        Ok(Self::Numbers(rows))
    }
}
