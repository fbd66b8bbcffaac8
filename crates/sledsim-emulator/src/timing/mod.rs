//! Map simulated time to the time of a clock, and find out when answers are due.

#[cfg(unix)]
mod clock;
mod scale;
mod timetable;

#[cfg(unix)]
pub use clock::{Clock, Monotonic};
pub use scale::TimeScale;
pub use timetable::{Due, Timetable};
