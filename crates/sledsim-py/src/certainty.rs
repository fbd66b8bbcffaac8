//! How certain numbers are, as dictionaries.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use sledsim::error::Result;
use sledsim::params::{Certainty, Evidence, Spread};

/// The certainty of a number; all but the kind is there only with a range.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) struct Row {
    #[pyo3(item)]
    kind: String,
    #[pyo3(item)]
    low: Option<f64>,
    #[pyo3(item)]
    high: Option<f64>,
    #[pyo3(item)]
    log: Option<bool>,
    #[pyo3(item)]
    reason: Option<String>,
}

impl Row {
    fn of(certainty: &Certainty) -> Self {
        let kind: &str = certainty.kind.into();
        let spread = certainty.spread.as_ref();
        Self {
            kind: kind.to_owned(),
            low: spread.map(|spread| spread.low),
            high: spread.map(|spread| spread.high),
            log: spread.map(|spread| spread.is_log),
            reason: spread.map(|spread| spread.reason.clone()),
        }
    }

    fn certainty(self) -> Result<Certainty> {
        let kind = Evidence::try_from(self.kind)?;
        let spread = match (self.low, self.high, self.log, self.reason) {
            (Some(low), Some(high), Some(is_log), Some(reason)) => Some(Spread { low, high, is_log, reason }),
            _ => None,
        };
        Ok(Certainty { kind, spread })
    }
}

/// By key, for Python.
pub(crate) fn rows(of: &BTreeMap<String, Certainty>) -> BTreeMap<String, Row> {
    of.iter().map(|(key, certainty)| (key.clone(), Row::of(certainty))).collect()
}

/// By key, out of what `rows` gave.
///
/// # Errors
/// A kind that is none.
pub(crate) fn certainties(rows: BTreeMap<String, Row>) -> Result<BTreeMap<String, Certainty>> {
    rows.into_iter().map(|(key, row)| Ok((key, row.certainty()?))).collect()
}
