//! The parameters of a device of any kind.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::kind::KIND_KEY;
use super::{DiskParams, FlashParams, Key, MemsParams};
use crate::error::{Error, Result};

/// The complete, effective parameters of a device.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum DeviceParams {
    /// Sleds, or tips, that move.
    Mems(Box<MemsParams>),
    /// A disk drive.
    Disk(Box<DiskParams>),
    /// A flash card.
    Flash(FlashParams),
}

impl DeviceParams {
    /// The kind, as files of devices name it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mems(_) => "mems",
            Self::Disk(_) => "disk",
            Self::Flash(_) => "flash",
        }
    }

    /// The name of the device, from its file.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Mems(params) => &params.name,
            Self::Disk(params) => &params.name,
            Self::Flash(params) => &params.name,
        }
    }

    /// What the device is, in one line.
    #[must_use]
    pub fn description(&self) -> &str {
        match self {
            Self::Mems(params) => &params.description,
            Self::Disk(params) => &params.description,
            Self::Flash(params) => &params.description,
        }
    }

    /// The parameters as TOML values, by key, and the kind where a file would have to name it.
    ///
    /// # Panics
    /// Never: every parameter is a number, a name or rows of numbers.
    #[must_use]
    pub fn to_table(&self) -> Table {
        let mut table = Table::try_from(self).expect("parameters are numbers and names");
        if !matches!(self, Self::Mems(_)) {
            table.insert(KIND_KEY.into(), Value::String(self.kind().into()));
        }
        table
    }

    /// Those of a MEMS device.
    ///
    /// # Errors
    /// It is of another kind; `what` says what needs a MEMS device.
    pub fn as_mems(&self, what: &str) -> Result<&MemsParams> {
        match self {
            Self::Mems(params) => Ok(params),
            _ => Err(Error::Parameter(format!(
                "device = {}: {what} needs a device of the kind mems, this one is of the kind {}",
                self.name(),
                self.kind()
            ))),
        }
    }
}

/// The parameters out of their values: complete, and possible if `check` says so.
pub(super) fn complete<P: DeserializeOwned>(
    values: Table,
    keys: &[Key],
    check: fn(&P) -> Result<()>,
) -> Result<P> {
    let needed = keys.iter().filter(|key| !key.is_optional).map(|key| key.name);
    if let Some(missing) = std::iter::once("name").chain(needed).find(|key| !values.contains_key(*key)) {
        return Err(Error::Parameter(format!("key `{missing}` is missing")));
    }
    let parameters =
        values.try_into().map_err(|error: toml::de::Error| Error::Parameter(error.message().into()))?;
    check(&parameters)?;
    Ok(parameters)
}
