//! What a device file says of its values, besides the values.

use std::collections::BTreeMap;

use super::certainty::{Certainty, Evidence};

/// Where values come from, and how certain they are.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The source of a value, by key.
    pub source: BTreeMap<String, String>,
    /// How certain a value is, by key; nothing is known of others.
    pub certainty: BTreeMap<String, Certainty>,
}

impl Provenance {
    /// Takes out what is said of a value.
    pub(crate) fn remove(&mut self, key: &str) {
        self.source.remove(key);
        self.certainty.remove(key);
    }

    /// A value that follows from another one.
    pub(crate) fn derive(&mut self, key: &str, source: &str) {
        self.source.insert(key.into(), source.into());
        self.certainty.insert(key.into(), Certainty::of(Evidence::Derived));
    }

    /// What a lower layer says of its values, but for the certainty of those that this layer has itself.
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
