//! Tables of rows to which a user can add while the program runs.

use std::sync::{PoisonError, RwLock};

use crate::error::{unknown_name, Error, Result};

/// A row that is found by its name.
pub trait Row: Copy + 'static {
    /// What the rows are, as errors call them.
    const KIND: &'static str;

    /// The name that users give.
    fn name(&self) -> &'static str;

    /// Whether `name` means this row.
    fn answers_to(&self, name: &str) -> bool {
        self.name() == name
    }
}

/// The built-in rows of a table, and those that were added.
pub struct Registry<R: 'static> {
    built_in: &'static [R],
    added: RwLock<Vec<R>>,
}

impl<R: Row> Registry<R> {
    /// A table of built-in rows.
    #[must_use]
    pub const fn new(built_in: &'static [R]) -> Self {
        Self { built_in, added: RwLock::new(Vec::new()) }
    }

    /// Adds a row, or replaces one that was added under the same name.
    ///
    /// # Errors
    /// The name of a built-in row.
    pub fn add(&self, row: R) -> Result<()> {
        if self.built_in.iter().any(|known| known.answers_to(row.name())) {
            return Err(Error::Parameter(format!(
                "{} = {}: this name is a built-in one's",
                R::KIND,
                row.name()
            )));
        }
        let mut added = self.added.write().unwrap_or_else(PoisonError::into_inner);
        added.retain(|known| !known.answers_to(row.name()));
        added.push(row);
        Ok(())
    }

    /// Every row, the built-in ones first.
    #[must_use]
    pub fn all(&self) -> Vec<R> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        self.built_in.iter().chain(&*added).copied().collect()
    }

    /// The row that `name` means.
    ///
    /// # Errors
    /// There is none; the message names those that there are.
    pub fn find(&self, name: &str) -> Result<R> {
        let all = self.all();
        let found = all.iter().find(|row| row.answers_to(name)).copied();
        found.ok_or_else(|| unknown_name(R::KIND, name, all.iter().map(Row::name)))
    }
}
