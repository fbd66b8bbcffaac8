//! Sparse tables: values by address; only addresses in use take memory.

/// Number of neighbouring values that are allocated together.
const PAGE: usize = 512;

/// A table with a value for each address. Memory is allocated only near addresses that have been set. A lookup takes
/// two memory accesses, and is thus faster than a hash table.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse<T>(Vec<Option<Box<[T; PAGE]>>>);

impl<T: Copy + Default> Sparse<T> {
    /// The value at the address `at`; the default value if none was set there.
    #[inline]
    pub fn get(&self, at: u64) -> T {
        let page = self.0.get(at as usize / PAGE).and_then(Option::as_deref);
        page.map_or_else(T::default, |page| page[at as usize % PAGE])
    }

    #[inline]
    pub fn get_mut(&mut self, at: u64) -> &mut T {
        let page = at as usize / PAGE;
        if page >= self.0.len() {
            self.0.resize_with(page + 1, || None);
        }
        &mut self.0[page].get_or_insert_with(|| Box::new([T::default(); PAGE]))[at as usize % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Compares the table with a map of all addresses that were set.
        #[test]
        fn it_is_a_table(steps in prop::collection::vec((0_u64..5000, any::<u32>()), 1..100)) {
            let (mut sparse, mut table) = (Sparse::default(), BTreeMap::new());
            for (at, value) in steps {
                *sparse.get_mut(at) = value;
                table.insert(at, value);
            }
            for at in 0..6000 {
                prop_assert_eq!(sparse.get(at), table.get(&at).copied().unwrap_or_default());
            }
        }
    }
}
