//! Data in volumes: every sector has a version, which must be right after any events.
//!
//! A [history](history::History) runs a volume over members that answer late and out of order, with power failures
//! and failing members, and an [oracle] gives the versions that a read may find. Each kind of volume is tested
//! against the promises of its row; one with relevant options has its own file here.
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
