//! The disk model through its public interface.
#![expect(clippy::disallowed_macros, reason = "the table is to be seen, and a skipped test says so")]

mod drivers;
mod golden;
mod layout;
mod measured;
mod parameters;
mod queue;
mod requests;
mod support;
