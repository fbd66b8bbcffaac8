//! The table of replacement policies.

use super::{MakeReplacement, ReplacementRow};
use crate::table::Table;

/// Every replacement policy.
pub static REPLACEMENTS: Table<MakeReplacement> = Table::new("replacement policy", ROWS);

pub(super) const ROWS: &[ReplacementRow] =
    &[super::order::LRU, super::clock::ROW, super::two_queues::ROW, super::arc::ROW, super::order::FIFO];
