//! Tables of numbers in a device file, or in a CSV file named there.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{fault, Result};
use crate::input::read_text;

/// Rows of numbers; a file of rows until it has been read.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged, expecting = "expected rows of numbers, or the name of a CSV file")]
pub enum Rows {
    /// The numbers.
    Numbers(Vec<Vec<f64>>),
    /// A CSV file, as the user named it.
    File(String),
}

impl Rows {
    /// The numbers.
    ///
    /// # Panics
    /// If the file has not been read: that is a bug, for it is read together with the device file.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        match self {
            Self::Numbers(rows) => rows,
            Self::File(name) => unreachable!("{name} has been read with the device file"),
        }
    }

    /// Reads the file, relative to the device file that names it.
    ///
    /// # Errors
    /// A file that cannot be read, or a line that is not numbers.
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
                // A line of headings, with no number in it, may come first.
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
