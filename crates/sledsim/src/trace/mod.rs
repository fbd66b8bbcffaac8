//! Block traces: their columns in memory, and the file formats that can be read or written.

mod columns;
mod completions;
mod decoded_stream;
mod device_numbers;
mod evidence;
mod fields;
mod formats;
mod gaps;
#[cfg(feature = "gzip")]
mod gzip_members;
mod lines;
mod order;
mod packed;
mod plausibility;
// A web page reads fewer formats.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))]
mod quantities;
mod read;
mod reader;
mod recorded_clock;
// A web page reads fewer formats.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))]
mod records;
mod restarts;
mod row_buffer;
mod scsi;
mod sequence_numbers;
mod source;
mod trace_info;
mod unwrapping;
mod write;
mod writer;

pub use columns::{flags, Op, Trace, TraceRow};
pub use decoded_stream::Input;
pub use evidence::{Aspect, Evidence};
pub use formats::{FormatRow, FORMATS};
pub use gaps::GapCut;
pub use read::{size_bytes, unpacked_bytes, Observer, TraceReader};
pub use reader::{Ahead, Asked, ReadOptions, Reader};
pub use recorded_clock::Clock;
pub use row_buffer::RowBuffer;
pub use trace_info::{Bad, ReaderOutput, Skipped, Times, TraceInfo};
pub use write::TraceWriter;
pub use writer::Writer;
