//! When requests are answered: the simulator's time on a clock's.

#[cfg(unix)]
mod clock;
mod scale;
mod timetable;

#[cfg(unix)]
pub use clock::{Clock, Monotonic};
pub use scale::TimeScale;
pub use timetable::{Due, Timetable};
