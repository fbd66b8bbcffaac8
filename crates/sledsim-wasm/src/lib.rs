//! The core for a web page: a [`Session`] answers calls, which are a name, arguments in JSON and perhaps bytes, by JSON.
//!
//! Whatever a call holds, the answer is `{"ok": ...}` or `{"error": "what was expected and found"}`.

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
