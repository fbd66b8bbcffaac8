//! Data of volumes: every sector has a version, and after any history it must be a permitted one.
//!
//! A [history](history::History) runs a volume over members that answer late and out of order, with power
//! failures and failing members, and an [oracle] gives the versions that a read may find. Each kind of volume
//! is tested with the promises of its row; options that matter are tested in a file for each kind.
#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "how much was checked, and how soon, is to be seen"
)]

mod cache;
mod campaign;
mod history;
mod kinds;
mod machine;
mod members;
mod merge;
mod metadata;
mod mirror;
mod oracle;
mod raid5;
mod stripe;
mod urgency;
mod virtual_disk;
mod write_buffer;
mod written_back;
