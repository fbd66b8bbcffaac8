//! What volumes do with data: every sector has a version, and whatever happens it has to be the right one.
//!
//! A [history](history::History) runs a volume over members that answer late and out of order, with losses of power
//! and failing members, and an [oracle] says which versions a read may find. A kind of volume is a row in
//! [`KINDS`](kinds::KINDS), in a file of its own.
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
mod single;
mod sleds;
mod stripe;
mod urgency;
mod virtual_disk;
mod write_buffer;
mod written_back;
