//! Texts from Python. A text with lone surrogates (bytes that are not UTF-8) raises an error.

use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::exceptions::ParameterError;
use crate::parameters::shown;

/// A text from Python in UTF-8, as the core needs it.
pub(crate) struct Text(String);

impl FromPyObject<'_, '_> for Text {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let text = value.cast::<PyString>()?;
        match text.to_cow() {
            Ok(text) => Ok(Self(text.into_owned())),
            Err(_) => {
                Err(ParameterError::new_err(format!("expected names in UTF-8, found {}", shown(&value)?)))
            }
        }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
