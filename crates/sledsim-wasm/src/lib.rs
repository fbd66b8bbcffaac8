//! The core for a web page: a [`Session`] answers calls in JSON. A call has a name, arguments in JSON and optional
//! bytes.
//!
//! Every answer is `{"ok": ...}` or `{"error": "message with expected and found"}`, whatever the call contains.

#[cfg(target_family = "wasm")]
mod abi;
mod answer;
mod arrivals;
mod device;
mod listing;
mod log;
mod path;
mod run;
mod session;
#[cfg(test)]
mod tests;

pub use session::Session;
