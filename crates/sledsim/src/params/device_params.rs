//! The parameters of a device of any kind.

use toml::{Table, Value};

use super::{DiskParams, FlashParams, MemsParams, OwnParams, Parameters};
use crate::error::{fault, Result};

/// The key that names the kind.
pub(crate) const KIND_KEY: &str = "kind";

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
    /// A device of a kind that the program has added.
    Own(Box<OwnParams>),
}

impl DeviceParams {
    /// The kind, as files of devices name it.
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

    /// Kind, name and description.
    fn named(&self) -> (&'static str, &str, &str) {
        match self {
            Self::Mems(params) => (MemsParams::KIND, &params.name, &params.description),
            Self::Disk(params) => (DiskParams::KIND, &params.name, &params.description),
            Self::Flash(params) => (FlashParams::KIND, &params.name, &params.description),
            Self::Own(params) => (params.kind, &params.name, &params.description),
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

    /// The parameters of a MEMS device.
    ///
    /// # Errors
    /// A device of another kind; `what` names the feature that needs a MEMS device.
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
