//! Common parts of the volumes whose members are several devices of one size.

mod array_options;
mod intent;
mod machine;
mod members;
mod notes;
mod pass;

pub(super) use array_options::{alike, stripe_unit, MOST_DEVICES, RECOVERY, STRIPE_UNIT_KIB};
pub(super) use machine::{Array, ArrayCounts, Redundant};
pub(super) use members::{bit, each};
