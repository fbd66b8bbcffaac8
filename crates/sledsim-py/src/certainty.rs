//! Conversion of the uncertainty of parameters (kind of evidence and range of values) to and from Python
//! dictionaries.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use sledsim::error::Result;
use sledsim::params::{Certainty, Evidence, Spread};
use toml::{Table, Value};

/// Lower or upper limit of a parameter's range; an integer if the parameter is an integer.
#[derive(FromPyObject, IntoPyObject)]
enum End {
    Whole(i64),
    Real(f64),
}

impl End {
    fn of(end: f64, value: Option<&Value>) -> Self {
        match value {
            Some(Value::Integer(_)) => Self::Whole(end as i64),
            _ => Self::Real(end),
        }
    }

    fn number(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(number) => number,
        }
    }
}

/// Uncertainty of a parameter, as a Python dictionary: the kind of evidence and the range of values. All items
/// except `kind` are None if the parameter has no range.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) struct Row {
    #[pyo3(item)]
    kind: String,
    #[pyo3(item)]
    low: Option<End>,
    #[pyo3(item)]
    high: Option<End>,
    #[pyo3(item)]
    log: Option<bool>,
    #[pyo3(item)]
    reason: Option<String>,
}

impl Row {
    fn of(certainty: &Certainty, value: Option<&Value>) -> Self {
        let kind: &str = certainty.kind.into();
        let spread = certainty.spread.as_ref();
        Self {
            kind: kind.to_owned(),
            low: spread.map(|spread| End::of(spread.low, value)),
            high: spread.map(|spread| End::of(spread.high, value)),
            log: spread.map(|spread| spread.is_log),
            reason: spread.map(|spread| spread.reason.clone()),
        }
    }

    fn certainty(self) -> Result<Certainty> {
        let kind = Evidence::try_from(self.kind)?;
        let spread = match (self.low, self.high, self.log, self.reason) {
            (Some(low), Some(high), Some(is_log), Some(reason)) => {
                Some(Spread { low: low.number(), high: high.number(), is_log, reason })
            }
            _ => None,
        };
        Ok(Certainty { kind, spread })
    }
}

/// Convert the uncertainty of parameters to dictionaries, by key of the parameter. `values` are the values of
/// the parameters.
pub(crate) fn rows(of: &BTreeMap<String, Certainty>, values: &Table) -> BTreeMap<String, Row> {
    of.iter().map(|(key, certainty)| (key.clone(), Row::of(certainty, values.get(key)))).collect()
}

/// Convert dictionaries, as `rows` returns them, to the uncertainty of parameters, by key of the parameter.
///
/// # Errors
/// A dictionary has an unknown `kind` of evidence.
pub(crate) fn certainties(rows: BTreeMap<String, Row>) -> Result<BTreeMap<String, Certainty>> {
    rows.into_iter().map(|(key, row)| Ok((key, row.certainty()?))).collect()
}
