//! When requests are answered: the simulator's time on a clock's.

mod clock;
mod scale;
mod timetable;

pub use clock::{Clock, Monotonic};
pub use scale::TimeScale;
pub use timetable::{Due, Timetable};
