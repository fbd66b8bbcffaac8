//! The table of ways to replay a trace.

use super::MakeReplay;
use crate::table::Table;

/// Every way to replay a trace.
pub static REPLAYS: Table<MakeReplay> =
    Table::new("replay", &[super::open::ROW, super::closed::ROW, super::think::ROW]);
