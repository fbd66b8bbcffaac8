//! Provenance of the values in a device file: the source of each value, and its certainty.

use std::collections::BTreeMap;

use super::certainty::{Certainty, Evidence};

/// Source and certainty of each value of a device.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Source of each value, by key: where the value comes from, in words.
    pub source: BTreeMap<String, String>,
    /// Certainty of each value, by key; a value without a stated certainty is absent.
    pub certainty: BTreeMap<String, Certainty>,
}

impl Provenance {
    /// Removes the source and the certainty of the value `key`.
    pub(crate) fn remove(&mut self, key: &str) {
        self.source.remove(key);
        self.certainty.remove(key);
    }

    /// Sets the source and the certainty (derived) of the value `key`, which follows from another value.
    pub(crate) fn derive(&mut self, key: &str, source: &str) {
        self.source.insert(key.into(), source.into());
        self.certainty.insert(key.into(), Certainty::of(Evidence::Derived));
    }

    /// Adds the sources and certainties of a lower layer. `has` is true for values that this layer
    /// replaces; their certainties no longer apply.
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
