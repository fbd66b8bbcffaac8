//! The table of seek models, to which users add their own while the program runs.

use super::settings::Build;
use crate::table::Table;

/// Every seek model.
pub static SEEK_MODELS: Table<&'static Build> = Table::new(
    "seek model",
    &[
        super::bang_bang::ROW,
        super::first_order::ROW,
        super::tabulated::ROW,
        super::slew_limited::ROW,
        super::linear_system::ROW,
        super::measured::ROW,
        super::piecewise::ROW,
    ],
);
