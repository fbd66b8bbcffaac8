//! Tests of the data in volumes: each write gives its sectors new versions, and each read has to find a version that it
//! may find, after any failures.
//!
//! A [history](history::History) runs a volume over members that complete requests late and out of order, with power
//! failures and failing members, and an [oracle] states the versions that a read may find. Each kind of volume is
//! tested against the promises in the table of volumes; kinds with important options have their own files here.
#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "the tests print how much they check and how long they take"
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
