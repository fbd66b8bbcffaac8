//! Motion of a sled: seek models, which compute the times of seeks and turnarounds, and settling.
//!
//! All quantities are in SI units: metres from the rest position, metres per second, seconds.

mod arc_tangent;
mod axis;
mod measured_table;
mod position_loop;
mod seek_model;
mod settings;
mod state;

use crate::table::rows;
pub use axis::{settle_s, Axis, Launch};
pub use bang_bang::BangBang;
pub use linear_system::LinearSystem;
pub use measured::Measured;
pub use measured_table::MeasuredTable;
pub use piecewise::Piecewise;
pub use position_loop::Loop;
pub use seek_model::{SeekModel, LONGEST_SEEK_S};
pub use settings::{Build, SeekModelRow, SeekSettings};
pub use slew_limited::{Profile, Residual, Segment, SlewLimited};
pub use state::State;
pub use tabulated::Tabulated;

rows! {
    /// The table of seek models. Programs can add seek models at run time.
    pub static SEEK_MODELS: Table<&'static Build> = "seek model";
    mod bang_bang: ROW;
    mod first_order: ROW;
    mod tabulated: ROW;
    mod slew_limited: ROW;
    mod linear_system: ROW;
    mod measured: ROW;
    mod piecewise: ROW;
}
