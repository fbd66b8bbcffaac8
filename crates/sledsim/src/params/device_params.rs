//! Parameters of a device of any kind.

use toml::{Table, Value};

use super::{DiskParams, FlashParams, MemsParams, OwnParams, Parameters};
use crate::error::{fault, Result};

/// Name of the key that gives the kind of a device.
pub(crate) const KIND_KEY: &str = "kind";

/// All parameters of a device, with the values that runs use.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum DeviceParams {
    /// Parameters of a MEMS device.
    Mems(Box<MemsParams>),
    /// Parameters of a disk drive.
    Disk(Box<DiskParams>),
    /// Parameters of a flash card.
    Flash(FlashParams),
    /// Parameters of a device of a custom kind.
    Own(Box<OwnParams>),
}

impl DeviceParams {
    /// The name of the kind of the device, such as "mems".
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.named().0
    }

    /// The name of the device, from its file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.named().1
    }

    /// Description of the device, in one line.
    #[must_use]
    pub fn description(&self) -> &str {
        self.named().2
    }

    /// Kind, name and description of the device.
    fn named(&self) -> (&'static str, &str, &str) {
        match self {
            Self::Mems(params) => (MemsParams::KIND, &params.name, &params.description),
            Self::Disk(params) => (DiskParams::KIND, &params.name, &params.description),
            Self::Flash(params) => (FlashParams::KIND, &params.name, &params.description),
            Self::Own(params) => (params.kind, &params.name, &params.description),
        }
    }

    /// The parameters as a TOML table. It contains the kind of the device unless this is the default kind "mems".
    ///
    /// # Panics
    /// If a parameter is neither a number nor a name nor a table of numbers; no such parameter exists.
    #[must_use]
    pub fn to_table(&self) -> Table {
        let mut table = Table::try_from(self).expect("parameters are numbers and names");
        if !matches!(self, Self::Mems(_)) {
            table.insert(KIND_KEY.into(), Value::String(self.kind().into()));
        }
        table
    }

    /// The parameters of a MEMS device; an error for other devices.
    ///
    /// # Errors
    /// The device is of another kind. The message names `what`, the feature that needs a MEMS device.
    pub fn as_mems(&self, what: &str) -> Result<&MemsParams> {
        match self {
            Self::Mems(params) => Ok(params),
            _ => fault(format!(
                "device = {}: {what} needs a device of the kind mems, found the kind {}",
                self.name(),
                self.kind()
            )),
        }
    }
}
