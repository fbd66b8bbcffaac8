//! Tables of things that users select by name. Each thing is declared in a file of its own, and a table lists
//! all things of one kind.

use std::sync::{OnceLock, PoisonError, RwLock};

use crate::error::{fault, normalise, unknown_name, Result};
use crate::options::{OptionRow, Options};

/// An entry of a table: a thing that users name, such as a policy, a layout or a trace format.
///
/// The type `M` is that of the additional data of each entry, in most tables a constructor.
#[derive(Clone, Copy, Debug)]
pub struct Row<M: 'static> {
    /// Name of the thing, by which users select it.
    pub name: &'static str,
    /// Other names by which users can select the thing.
    pub aliases: &'static [&'static str],
    /// Summary of the thing, in one line.
    pub summary: &'static str,
    /// Publications in which the thing is described, such as papers with the numbers of equations; empty if
    /// unknown.
    pub source: &'static str,
    /// Number and name of the same thing in DiskSim, if DiskSim has it.
    pub disksim: Option<(u8, &'static str)>,
    /// Keys in a device file that determine the properties of the thing.
    pub keys: &'static [&'static str],
    /// Options of the thing. They are in groups, because several things can have a group of options in common.
    pub options: &'static [&'static [OptionRow]],
    /// Constructor of the thing, or other data that its kind of table needs.
    pub make: M,
}

impl<M: Copy> Row<M> {
    /// Creates an entry that has no aliases, no source and no options.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, make: M) -> Self {
        Self { name, aliases: &[], summary, source: "", disksim: None, keys: &[], options: &[], make }
    }

    /// Sets other names of the entry.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Sets the source of the entry.
    #[must_use]
    pub const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    /// Sets the number and the name of the same thing in DiskSim.
    #[must_use]
    pub const fn disksim(self, number: u8, name: &'static str) -> Self {
        Self { disksim: Some((number, name)), ..self }
    }

    /// Sets the keys of a device file that the thing reads.
    #[must_use]
    pub const fn keys(self, keys: &'static [&'static str]) -> Self {
        Self { keys, ..self }
    }

    /// Sets the options of the entry.
    #[must_use]
    pub const fn options(self, options: &'static [&'static [OptionRow]]) -> Self {
        Self { options, ..self }
    }

    /// Reads the options that a user gives as a text of the form `option=value,option=value`.
    ///
    /// # Errors
    /// An option is unknown, has no value, or is given twice.
    pub fn parse(&self, options: &str) -> Result<Options> {
        Options::parse(self.name, &self.options.concat(), options)
    }

    fn answers_to(&self, normal: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|known| normalise(known) == normal)
    }
}

/// Returns the names of the `N` entries in `rows`. They can be the permitted names of an option.
#[must_use]
pub const fn names<M, const N: usize>(rows: &[Row<M>]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = rows[at].name;
        at += 1;
    }
    names
}

/// All things of one kind, including things that users added at run time.
pub struct Table<M: 'static> {
    kind: &'static str,
    built_in: &'static [Row<M>],
    added: RwLock<Vec<Row<M>>>,
}

/// A function that can add an unknown thing to its table. Its arguments are the kind of thing (policy, volume,
/// ...) and the unknown name.
pub type LoadMissing = dyn Fn(&str, &str) -> Result<()> + Send + Sync;

static LOAD_MISSING: OnceLock<Box<LoadMissing>> = OnceLock::new();

/// Sets the function that is called for an unknown name, and that can add the thing to its table. Only the
/// first call has an effect.
pub fn on_missing(load: Box<LoadMissing>) {
    let _ = LOAD_MISSING.set(load);
}

/// Calls the function that can add the thing with this name.
///
/// # Errors
/// The thing exists outside the table but cannot be loaded.
pub(crate) fn load_missing(kind: &str, name: &str) -> Result<()> {
    LOAD_MISSING.get().map_or(Ok(()), |load| load(kind, name))
}

impl<M: Copy> Table<M> {
    /// Creates a table of built-in entries. `kind` is the word for a thing of the table in error messages.
    #[must_use]
    pub const fn new(kind: &'static str, built_in: &'static [Row<M>]) -> Self {
        Self { kind, built_in, added: RwLock::new(Vec::new()) }
    }

    /// Adds an entry, or replaces the entry that was added before under the same name.
    ///
    /// # Errors
    /// The name belongs to a built-in entry.
    pub fn add(&self, row: Row<M>) -> Result<()> {
        let normal = normalise(row.name);
        if self.built_in.iter().any(|known| known.answers_to(&normal)) {
            let text = format!("{} = {}: expected a new name, found a built-in name", self.kind, row.name);
            return fault(text);
        }
        let mut added = self.added.write().unwrap_or_else(PoisonError::into_inner);
        added.retain(|known| !known.answers_to(&normal));
        added.push(row);
        Ok(())
    }

    /// All entries, the built-in entries first.
    #[must_use]
    pub fn rows(&self) -> Vec<Row<M>> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        self.built_in.iter().chain(&*added).copied().collect()
    }

    /// The built-in entries, whose texts are the same in every process.
    #[must_use]
    pub fn built_in(&self) -> &'static [Row<M>] {
        self.built_in
    }

    /// The entries that users added.
    #[must_use]
    pub fn added(&self) -> Vec<Row<M>> {
        self.added.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the entry with this name or alias; case and punctuation do not matter.
    ///
    /// # Errors
    /// The name is unknown (the message gives the nearest name and all names), or a thing with this name exists
    /// elsewhere but cannot be loaded.
    pub fn find(&self, name: &str) -> Result<Row<M>> {
        let normal = normalise(name);
        let known = || self.rows().into_iter().find(|row| row.answers_to(&normal));
        if let Some(row) = known() {
            return Ok(row);
        }
        load_missing(self.kind, name)?;
        known().ok_or_else(|| unknown_name(self.kind, name, self.rows().iter().map(|row| row.name)))
    }

    /// Returns the entry and the options that a user names in the form `name:option=value`.
    ///
    /// # Errors
    /// The name is unknown, or an option is unknown, has no value or is given twice.
    pub fn parse(&self, text: &str) -> Result<(Row<M>, Options)> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let row = self.find(name)?;
        Ok((row, row.parse(options)?))
    }
}

/// A table of any kind, as listings and documentation pages show it.
pub trait Listing: Sync {
    /// The word for a thing of this table in error messages, such as `policy`.
    fn kind(&self) -> &'static str;

    /// All entries without their constructors, the built-in entries first.
    fn entries(&self) -> Vec<Row<()>>;

    /// Returns the name of the entry that has this name or alias.
    ///
    /// # Errors
    /// The name is unknown; the message gives the nearest name and all names.
    fn name_of(&self, name: &str) -> Result<&'static str>;
}

impl<M: Copy + Send + Sync> Listing for Table<M> {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn entries(&self) -> Vec<Row<()>> {
        let shown = |row: Row<M>| {
            let Row { name, aliases, summary, source, disksim, keys, options, .. } = row;
            Row { name, aliases, summary, source, disksim, keys, options, make: () }
        };
        self.rows().into_iter().map(shown).collect()
    }

    fn name_of(&self, name: &str) -> Result<&'static str> {
        self.find(name).map(|row| row.name)
    }
}

/// Declares the modules that contain the entries of a table, and the table with these entries in the order of
/// the lines.
///
/// Each line has a module and its entries, such as `mod sstf: LBN, TRACK;`. A line without `mod` adds entries
/// of a module that is declared elsewhere. With `const ROWS: &[MyRow];` instead of a table, the macro declares
/// a slice of entries.
macro_rules! rows {
    ($(#[$about:meta])* $vis:vis static $table:ident: Table<$make:ty> = $kind:literal; $($lines:tt)*) => {
        $crate::table::rows!(@ [$(#[$about])* $vis static $table, $make, $kind] [] $($lines)*);
    };
    ($(#[$about:meta])* $vis:vis const $rows:ident: $type:ty; $($lines:tt)*) => {
        $crate::table::rows!(@ [$(#[$about])* $vis const $rows, $type] [] $($lines)*);
    };
    (@ $table:tt [$($done:tt)*] #[$if:meta] $vis:vis mod $module:ident: $($row:ident),+; $($lines:tt)*) => {
        #[$if]
        $vis mod $module;
        $crate::table::rows!(@ $table [$($done)* $(#[$if] $module::$row,)+] $($lines)*);
    };
    (@ $table:tt [$($done:tt)*] $module:ident: $($row:ident),+; $($lines:tt)*) => {
        $crate::table::rows!(@ $table [$($done)* $($module::$row,)+] $($lines)*);
    };
    (@ $table:tt [$($done:tt)*] $vis:vis mod $module:ident: $($row:ident),+; $($lines:tt)*) => {
        $vis mod $module;
        $crate::table::rows!(@ $table [$($done)* $($module::$row,)+] $($lines)*);
    };
    (@ [$(#[$about:meta])* $vis:vis static $table:ident, $make:ty, $kind:literal] [$($rows:tt)*]) => {
        $(#[$about])*
        $vis static $table: $crate::table::Table<$make> = $crate::table::Table::new($kind, &[$($rows)*]);
    };
    (@ [$(#[$about:meta])* $vis:vis const $name:ident, $type:ty] [$($rows:tt)*]) => {
        $(#[$about])*
        $vis const $name: $type = &[$($rows)*];
    };
}
pub(crate) use rows;

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHT: &[OptionRow] = &[OptionRow::number("weight", "5", [0.0, 1e5], "")];
    const ROWS: &[Row<u32>] = &[
        Row::new("look-lbn", "ascending, then descending", 1).aliases(&["elevator"]),
        Row::new("aged", "by age", 2).options(&[WEIGHT]).source("000 Eq 7"),
    ];

    #[test]
    fn names_and_aliases_are_found_without_regard_to_case_and_punctuation() {
        let table = Table::new("policy", ROWS);
        for name in ["look-lbn", "LOOK_LBN", "Elevator"] {
            assert_eq!(table.find(name).unwrap().make, 1, "{name}");
        }
        let error = table.find("agde").unwrap_err().to_string();
        assert_eq!(error, "unknown policy \"agde\": did you mean \"aged\"? known: look-lbn, aged");
    }

    #[test]
    fn options_follow_a_name() {
        let table = Table::new("policy", ROWS);
        let (row, options) = table.parse("AGED:weight=7").unwrap();
        assert_eq!((row.make, options.text("weight")), (2, "7"));
        assert!(table.parse("look-lbn:weight=7").is_err());
    }

    #[test]
    fn a_program_adds_a_row_when_it_is_named() {
        static LATE: Table<u32> = Table::new("late policy", ROWS);
        on_missing(Box::new(|kind, name| match (kind, name) {
            ("late policy", "mine") => LATE.add(Row::new("mine", "", 3)),
            ("late policy", "broken") => fault("broken: it cannot be loaded".into()),
            _ => Ok(()),
        }));
        assert_eq!(LATE.rows().len(), 2);
        assert_eq!(LATE.find("mine").unwrap().make, 3);
        assert_eq!(LATE.find("broken").unwrap_err().to_string(), "broken: it cannot be loaded");
        let error = LATE.find("agde").unwrap_err().to_string();
        assert!(error.ends_with("known: look-lbn, aged, mine"), "{error}");
    }

    #[test]
    fn a_row_is_added_once_and_takes_no_built_in_name() {
        let table = Table::new("policy", ROWS);
        table.add(Row::new("mine", "", 3)).unwrap();
        table.add(Row::new("Mine", "", 4)).unwrap();
        assert_eq!(table.find("mine").unwrap().make, 4);
        assert_eq!(table.entries().len(), 3);
        assert!(table.add(Row::new("ELEVATOR", "", 5)).is_err());
    }
}
