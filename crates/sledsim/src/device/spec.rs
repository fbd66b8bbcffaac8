//! A device as read from its file, from which simulated devices are built.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{build, Device};
use crate::error::Result;
use crate::params::{DeviceParams, PaperFigure, Provenance};

/// A device as read from its file: its parameters, the provenance of each value, and the figures that
/// papers print for it.
#[derive(Clone, Debug)]
pub struct DeviceSpec {
    parameters: DeviceParams,
    /// Provenance of each value: its source, and how certain the value is.
    pub said: Provenance,
    /// Figures that papers print, by the name of the figure on the data sheet.
    pub paper: BTreeMap<String, PaperFigure>,
    model: Model,
}

/// The first device built from the specification. It stays in its initial state; all devices that runs use
/// are copies of it and share its tables.
#[derive(Clone, Default)]
struct Model(Arc<OnceLock<Box<dyn Device>>>);

impl fmt::Debug for Model {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(if self.0.get().is_some() { "built" } else { "not built" })
    }
}

impl DeviceSpec {
    pub(super) fn new(
        parameters: DeviceParams,
        said: Provenance,
        paper: BTreeMap<String, PaperFigure>,
    ) -> Self {
        Self { parameters, said, paper, model: Model::default() }
    }

    /// The parameters of the device, with the values that runs use.
    #[must_use]
    pub fn parameters(&self) -> &DeviceParams {
        &self.parameters
    }

    /// Returns the parameters of the device, and drops their provenance and the figures of papers.
    #[must_use]
    pub fn into_parameters(self) -> DeviceParams {
        self.parameters
    }

    /// Replaces the parameters. Devices built after this call have the new parameters.
    pub fn set_parameters(&mut self, parameters: DeviceParams) {
        (self.parameters, self.model) = (parameters, Model::default());
    }

    /// Builds `count` devices in their initial state. Devices of one specification and of its
    /// clones share tables, such as the table of times in y.
    ///
    /// # Errors
    /// The parameters are invalid.
    pub fn build(&self, count: u32) -> Result<Vec<Box<dyn Device>>> {
        let model = match self.model.0.get() {
            Some(model) => model,
            None => {
                let [built] = build(&self.parameters, 1)?
                    .try_into()
                    .unwrap_or_else(|_| unreachable!("one device was asked for"));
                self.model.0.get_or_init(|| built)
            }
        };
        Ok((0..count).map(|_| model.clone()).collect())
    }
}
