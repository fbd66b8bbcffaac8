//! The table of episodes.

use super::episode::MakeEffect;
use crate::table::Table;

/// Every kind of episodes.
pub static EPISODES: Table<MakeEffect> = Table::new("episode", &[super::stall::ROW, super::slow::ROW]);
