//! Pure kinematics of a sled: how long a seek, a turnaround and settling take.
//!
//! SI units throughout: metres from the rest position, metres a second, seconds.

mod arc_tangent;
mod axis;
mod bang_bang;
mod first_order;
mod linear_system;
mod measured;
mod measured_table;
mod piecewise;
mod position_loop;
mod registry;
mod seek_model;
mod settings;
mod slew_limited;
mod state;
mod tabulated;

pub use axis::{settle_s, Axis, Launch};
pub use bang_bang::BangBang;
pub use linear_system::LinearSystem;
pub use measured::Measured;
pub use measured_table::MeasuredTable;
pub use piecewise::Piecewise;
pub use position_loop::Loop;
pub use registry::SEEK_MODELS;
pub use seek_model::{SeekModel, LONGEST_SEEK_S};
pub use settings::{Build, SeekModelRow, SeekSettings};
pub use slew_limited::{Profile, Residual, Segment, SlewLimited};
pub use state::State;
pub use tabulated::Tabulated;
