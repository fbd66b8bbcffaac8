//! The disk model through its public interface.
#![expect(clippy::disallowed_macros, reason = "a test prints a table, and a skipped test reports why")]

mod drivers;
mod golden;
mod layout;
mod measured;
mod parameters;
mod queue;
mod requests;
mod support;
