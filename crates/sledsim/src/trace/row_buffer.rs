//! Buffer for requests that a reader has parsed.

use super::columns::{Trace, TraceRow};

/// Number of requests that are collected before they are moved into the columns; they fit into the
/// processor's cache.
const COLLECTED: usize = 256;

/// Buffer that collects requests and moves them into the columns of a [`Trace`].
#[derive(Debug, Default)]
pub struct RowBuffer {
    collected: Vec<TraceRow>,
    /// Columns with the values of `len` requests; a column stays empty while all its values are the
    /// default.
    columns: Trace,
    len: usize,
}

impl RowBuffer {
    /// Appends one request.
    #[inline]
    pub fn push(&mut self, request: TraceRow) {
        if self.collected.len() == COLLECTED {
            self.flush();
        }
        self.collected.push(request);
    }

    /// Reserves memory for `rows` more requests.
    pub fn reserve(&mut self, rows: usize) {
        self.columns.reserve(rows);
    }

    /// Number of requests in the buffer.
    #[must_use]
    pub fn count(&self) -> usize {
        self.len + self.collected.len()
    }

    /// Takes all requests out and leaves the buffer empty.
    #[must_use]
    pub fn take(&mut self) -> Trace {
        self.flush();
        self.columns.fill(self.len);
        self.len = 0;
        self.columns.take()
    }

    fn flush(&mut self) {
        self.columns.extend_sparsely(&self.collected, self.len);
        self.len += self.collected.len();
        self.collected.clear();
    }
}

impl From<Trace> for RowBuffer {
    fn from(columns: Trace) -> Self {
        Self { collected: Vec::with_capacity(COLLECTED), len: columns.len(), columns }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Checks that the columns hold exactly the pushed requests, even if long runs of them have default
        /// values.
        #[test]
        fn rows_become_columns(
            before in 0usize..3,
            runs in prop::collection::vec((0i64..2, 0i32..2, any::<bool>(), 0usize..600), 0..6),
        ) {
            let requests: Vec<TraceRow> = runs
                .into_iter()
                .flat_map(|(arrival_ns, device, metadata, rows)| {
                    vec![TraceRow { arrival_ns, device, metadata, ..TraceRow::default() }; rows]
                })
                .collect();
            let first = requests.len().min(before);
            let mut expected = Trace::default();
            requests.iter().for_each(|request| expected.push(*request));
            let mut begun = Trace::default();
            requests[..first].iter().for_each(|request| begun.push(*request));
            let mut rows = RowBuffer::from(begun);
            requests[first..].iter().for_each(|request| rows.push(*request));
            prop_assert_eq!(rows.take(), expected);
            prop_assert!(rows.take().is_empty());
        }
    }
}
