//! Keep large buffers for reuse, because allocating a buffer takes as long as filling it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Minimum size in bytes of a buffer that is kept; allocating a smaller buffer is quick.
const LEAST_BYTES: usize = 64 << 10;
/// Maximum total size in bytes of the pool's buffers, both free and in use. A buffer is freed instead of kept
/// if it would exceed this limit.
const MOST_BYTES: usize = 40 << 20;

/// A pool of free buffers. Clones of this value share the same pool.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    /// Free buffers by capacity, the smallest first.
    free: Vec<Vec<u8>>,
    free_bytes: usize,
    used_bytes: usize,
}

impl Buffers {
    /// Return an empty vector that has room for `bytes` bytes.
    #[must_use]
    pub fn take(&self, bytes: usize) -> Vec<u8> {
        if bytes < LEAST_BYTES {
            return Vec::with_capacity(bytes);
        }
        let mut kept = self.kept();
        let at = kept.free.partition_point(|free| free.capacity() < bytes);
        // Do not take a buffer that is much too large: a larger request may need it.
        let buffer = if kept.free.get(at).is_some_and(|free| free.capacity() <= bytes + bytes / 8) {
            let buffer = kept.free.remove(at);
            kept.free_bytes -= buffer.capacity();
            buffer
        } else {
            Vec::with_capacity(bytes)
        };
        kept.used_bytes += buffer.capacity();
        kept.settle();
        buffer
    }

    /// Give a vector that is no longer needed back to the pool.
    pub fn give_back(&self, mut buffer: Vec<u8>) {
        let bytes = buffer.capacity();
        if bytes < LEAST_BYTES {
            return;
        }
        buffer.clear();
        let mut kept = self.kept();
        // The buffer may come from outside the pool, and buffers of the pool may have been dropped elsewhere.
        kept.used_bytes = kept.used_bytes.saturating_sub(bytes);
        let at = kept.free.partition_point(|free| free.capacity() < bytes);
        kept.free.insert(at, buffer);
        kept.free_bytes += bytes;
        kept.settle();
    }

    /// Number of bytes of all free buffers in the pool.
    #[must_use]
    pub fn held(&self) -> usize {
        self.kept().free_bytes
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A panic of another thread leaves the list intact.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn settle(&mut self) {
        while self.free_bytes + self.used_bytes > MOST_BYTES {
            let Some(largest) = self.free.pop() else { return };
            self.free_bytes -= largest.capacity();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_given_back_is_had_again() {
        let buffers = Buffers::default();
        let mut first = buffers.take(1 << 20);
        first.extend([1; 100]);
        let place = first.as_ptr();
        buffers.give_back(first);
        assert_eq!(buffers.held(), 1 << 20);
        let again = buffers.clone().take((1 << 20) - 4096);
        assert_eq!((again.as_ptr(), again.len(), buffers.held()), (place, 0, 0));
    }

    #[test]
    fn one_that_is_just_large_enough_is_had_again() {
        let buffers = Buffers::default();
        let first = buffers.take(1 << 20);
        let (place, bytes) = (first.as_ptr(), first.capacity());
        buffers.give_back(first);
        let again = buffers.take(bytes);
        assert_eq!(again.as_ptr(), place);
    }

    #[test]
    fn what_is_small_or_much_too_large_is_not_kept_for_it() {
        let buffers = Buffers::default();
        buffers.give_back(buffers.take(4096));
        assert_eq!(buffers.held(), 0);
        buffers.give_back(buffers.take(1 << 20));
        assert!(buffers.take(1 << 19).capacity() < 1 << 20);
        assert_eq!(buffers.held(), 1 << 20);
    }

    proptest! {
        #[test]
        fn no_more_is_kept_than_may_be(steps in prop::collection::vec((1..32_usize << 20, any::<bool>()), 1..100)) {
            let (buffers, mut used) = (Buffers::default(), Vec::new());
            for (bytes, gives_back) in steps {
                if gives_back && !used.is_empty() {
                    buffers.give_back(used.swap_remove(bytes % used.len()));
                } else {
                    used.push(buffers.take(bytes));
                    prop_assert!(used.last().is_some_and(|buffer| buffer.capacity() >= bytes && buffer.is_empty()));
                }
                let in_use: usize = used.iter().map(Vec::capacity).filter(|bytes| *bytes >= LEAST_BYTES).sum();
                prop_assert!(buffers.held() + in_use <= MOST_BYTES.max(in_use));
            }
        }
    }
}
