//! Block traces: columns, and the formats in which they can be read and written.

mod about;
mod columns;
mod completions;
mod devices;
mod fields;
mod formats;
mod lines;
mod order;
mod quantities;
mod read;
mod records;
mod rows;
mod source;
mod stream;
mod suspicions;
mod write;

pub use about::{About, Bad, Out, Skipped, Times};
pub use columns::{flags, Op, Request, Trace};
pub use formats::{Format, FORMATS};
pub use read::{size_bytes, Ahead, Asked, Observer, ReadOptions, Reader, TraceReader};
pub use stream::Input;
pub use write::{TraceWriter, Writer};
