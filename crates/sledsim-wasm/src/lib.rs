//! The core for a web page: a [`Session`] answers calls. A call consists of a name, arguments in JSON, and
//! optional bytes.
//!
//! Every answer is JSON: `{"ok": ...}` or `{"error": "message"}`. No call, however wrong, ends the session.

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
