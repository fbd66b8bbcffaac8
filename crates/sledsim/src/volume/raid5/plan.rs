//! How a write within a stripe gets its parity.

use std::ops::Range;

use super::layout::Layout;
use crate::error::Result;
use crate::options::{OptionRow, Options};

pub(super) const OPTION: OptionRow = OptionRow {
    name: "write",
    unit: "",
    default: "auto",
    description:
        "how a part of a stripe is written: rmw (reads the old data and the old parity), reconstruct (reads \
                  the other data), auto (what reads from fewer devices; if as many, rmw)",
};

/// What is to be preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    Fewer,
    Rmw,
    Reconstruct,
}

pub(super) fn preference(options: &Options) -> Result<Preference> {
    options.one_of(
        "write",
        &[("auto", Preference::Fewer), ("rmw", Preference::Rmw), ("reconstruct", Preference::Reconstruct)],
    )
}

/// How the parity comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Method {
    /// There is nobody to hold it.
    #[default]
    NoParity,
    /// From all the data, which are new.
    Full,
    /// From the old parity and what changes: old data are read where new ones are written.
    Rmw,
    /// From all the data: they are read where no new ones are written.
    Reconstruct,
    /// From all the data, after those of the device that is missing have been found from all others.
    Everything,
}

/// A write of rows of one stripe.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) stripe: u64,
    /// Sectors of the units.
    pub(super) rows: Range<u64>,
    /// Sectors of the volume that are written, of this and of other stripes.
    pub(super) range: Range<u64>,
}

impl Target {
    /// What is written of a column.
    pub(super) fn written(&self, layout: &Layout, column: u64) -> Range<u64> {
        layout.covered(self.stripe, column, &self.range, &self.rows)
    }

    /// What is left of the rows of a column: in one piece, as what is written is at one end at least.
    pub(super) fn gap(&self, layout: &Layout, column: u64) -> Range<u64> {
        let written = self.written(layout, column);
        if written.is_empty() {
            self.rows.clone()
        } else if written.start > self.rows.start {
            self.rows.start..written.start
        } else {
            written.end..self.rows.end
        }
    }

    /// The way of writing it; `usable` says which devices hold what they should in this stripe: all but one at least.
    pub(super) fn method(
        &self,
        layout: &Layout,
        preference: Preference,
        usable: impl Fn(u32) -> bool,
    ) -> Method {
        let parity = layout.parity(self.stripe);
        if !usable(parity) {
            return Method::NoParity;
        }
        let columns = 0..layout.columns();
        let gaps = columns.clone().filter(|column| !self.gap(layout, *column).is_empty()).count();
        let written = columns.clone().filter(|column| !self.written(layout, *column).is_empty()).count();
        if gaps == 0 {
            return Method::Full;
        }
        let missing = columns.clone().find(|column| !usable(layout.behind(parity, *column)));
        if let Some(missing) = missing {
            return match (self.written(layout, missing).is_empty(), self.gap(layout, missing).is_empty()) {
                (true, _) => Method::Rmw,
                (_, true) => Method::Reconstruct,
                _ => Method::Everything,
            };
        }
        match preference {
            Preference::Rmw => Method::Rmw,
            Preference::Reconstruct => Method::Reconstruct,
            Preference::Fewer if written < gaps => Method::Rmw,
            Preference::Fewer => Method::Reconstruct,
        }
    }

    /// What is read of a column.
    pub(super) fn read(&self, layout: &Layout, method: Method, column: u64) -> Range<u64> {
        match method {
            Method::NoParity | Method::Full => 0..0,
            Method::Rmw => self.written(layout, column),
            Method::Reconstruct => self.gap(layout, column),
            Method::Everything => self.rows.clone(),
        }
    }
}

impl Method {
    /// Whether the old parity is read.
    pub(super) fn reads_parity(self) -> bool {
        matches!(self, Self::Rmw | Self::Everything)
    }
}
