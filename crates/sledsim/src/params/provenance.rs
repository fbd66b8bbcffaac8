//! Statements of a device file about its values.

use std::collections::BTreeMap;

use super::certainty::{Certainty, Evidence};

/// Sources and certainties of values.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The source of a value, by key.
    pub source: BTreeMap<String, String>,
    /// The certainty of a value, by key; absent where unknown.
    pub certainty: BTreeMap<String, Certainty>,
}

impl Provenance {
    /// Removes the provenance of a value.
    pub(crate) fn remove(&mut self, key: &str) {
        self.source.remove(key);
        self.certainty.remove(key);
    }

    /// Adds the provenance of a value that follows from another one.
    pub(crate) fn derive(&mut self, key: &str, source: &str) {
        self.source.insert(key.into(), source.into());
        self.certainty.insert(key.into(), Certainty::of(Evidence::Derived));
    }

    /// Merges the provenance of a lower layer, except the certainty of values that this layer has itself.
    pub(super) fn over(&mut self, lower: Self, has: impl Fn(&str) -> bool) {
        for (key, source) in lower.source {
            self.source.entry(key).or_insert(source);
        }
        for (key, certainty) in lower.certainty {
            if !has(&key) {
                self.certainty.entry(key).or_insert(certainty);
            }
        }
    }
}
