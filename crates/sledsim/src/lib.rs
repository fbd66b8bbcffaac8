//! sledsim: a simulator of MEMS-based (probe) storage.
//!
//! The core is deterministic: it reads no clock, uses no sockets or threads, and prints nothing. A request goes
//! from a [`workload`] through a [`volume`] to a [`station`], where a [scheduler](sched) chooses the next
//! request for a [`device`]. The [`engine`] has the queue of future events, and the [`record`] has the results
//! of past requests.

pub mod bounds;
pub mod conformance;
pub mod design;
pub mod device;
pub mod energy;
pub mod engine;
pub mod episodes;
pub mod error;
pub mod faults;
pub mod input;
pub mod layout;
pub mod mechanics;
pub mod media;
pub mod observer;
pub mod options;
pub mod params;
pub mod perfetto;
pub mod power;
pub mod record;
pub mod request;
pub mod sched;
pub mod simulation;
pub mod station;
pub mod system;
pub mod table;
pub mod tables;
pub mod time;
pub mod trace;
pub mod trace_statistics;
pub mod volume;
pub mod workload;

mod busiest;
mod choice;
mod counts;
mod hashing;
mod permutation;
mod slab;

/// The version of sledsim, which every result states.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
