//! The table of kinds of devices.

use super::DeviceKind;
use crate::table::Table;

/// The table of all kinds of devices, built-in and custom.
pub static KINDS: Table<DeviceKind> =
    Table::new("kind", &[super::mems::kind::ROW, super::disk::kind::ROW, super::flash::kind::ROW]);
