//! Provenance of the values in a device file: sources and certainties.

use std::collections::BTreeMap;

use super::certainty::{Certainty, Evidence};

/// Source and certainty of each value.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Source of each value, by key.
    pub source: BTreeMap<String, String>,
    /// Certainty of each value, by key; unknown certainties are absent.
    pub certainty: BTreeMap<String, Certainty>,
}

impl Provenance {
    /// Removes the source and the certainty of a value.
    pub(crate) fn remove(&mut self, key: &str) {
        self.source.remove(key);
        self.certainty.remove(key);
    }

    /// Sets the provenance of a value that follows from another value.
    pub(crate) fn derive(&mut self, key: &str, source: &str) {
        self.source.insert(key.into(), source.into());
        self.certainty.insert(key.into(), Certainty::of(Evidence::Derived));
    }

    /// Merges the provenance of a lower layer, except certainties of values that the upper layer
    /// also has.
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
