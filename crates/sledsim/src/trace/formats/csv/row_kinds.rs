//! Kinds of lines in a table of events: requests, completions of requests, and others.

use std::ops::Range;

use super::column_map::{Entry, Field};
use super::dialect::{words, Table};

/// The kind of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum RowKind {
    #[default]
    Request,
    Completion,
    Other,
}

/// The columns and values that tell the kind of a line.
#[derive(Debug, Default)]
pub(super) struct RowKinds {
    only: Option<(usize, Vec<String>)>,
    pub complete: Option<(usize, Vec<String>)>,
}

impl RowKinds {
    pub fn of(columns: &[(usize, Entry)]) -> Self {
        let values = |field: Field| {
            let found = columns.iter().find(|(_, entry)| entry.field == field);
            found.map(|(at, entry)| (*at, entry.meaning.values.clone()))
        };
        Self { only: values(Field::Only), complete: values(Field::Complete) }
    }

    /// True if a table has lines of one kind only.
    pub fn is_one(&self) -> bool {
        self.only.is_none() && self.complete.is_none()
    }

    /// The kind of a line; `word` gives the word in a column.
    fn kind<'a>(&self, word: impl Fn(usize) -> &'a [u8]) -> RowKind {
        let is_in = |(at, values): &(usize, Vec<String>)| {
            let found = word(*at);
            values.iter().any(|value| is_named(found, value.as_bytes()))
        };
        if self.complete.as_ref().is_some_and(is_in) {
            RowKind::Completion
        } else if self.only.as_ref().is_none_or(is_in) {
            RowKind::Request
        } else {
            RowKind::Other
        }
    }

    /// The kind of a line with columns at the given places.
    pub fn of_line(&self, line: &[u8], places: &[Range<usize>]) -> RowKind {
        self.kind(|at| places.get(at).map_or(&[][..], |place| &line[place.clone()]))
    }

    /// Removes lines other than requests from the first lines of a table.
    pub fn keep_requests(&self, table: &mut Table<'_>) {
        if self.is_one() {
            return;
        }
        let separator = table.separator;
        table.rows.retain(|row| {
            let words = words(row, separator);
            self.kind(|at| words.get(at).copied().unwrap_or_default()) == RowKind::Request
        });
    }
}

/// True if a word is `value`, or ends in it behind a colon, as `block:block_rq_issue` does: a map cannot hold a colon.
fn is_named(word: &[u8], value: &[u8]) -> bool {
    word.strip_suffix(value).is_some_and(|before| before.is_empty() || before.ends_with(b":"))
}
