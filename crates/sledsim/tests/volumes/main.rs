//! What volumes do with data: every sector has a version, and whatever happens it has to be the right one.
//!
//! A [history](history::History) runs a volume over members that answer late and out of order, with losses of power
//! and failing members, and an [oracle] says which versions a read may find. Each kind of volume is tried as its
//! row promises; one with options that matter has a file of its own here, with those.
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
