//! Map simulated time to a clock, and schedule the answers.

#[cfg(unix)]
mod clock;
mod scale;
mod timetable;

#[cfg(unix)]
pub use clock::{Clock, Monotonic};
pub use scale::TimeScale;
pub use timetable::{Due, Timetable};
