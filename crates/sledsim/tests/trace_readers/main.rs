//! The trace readers from a user's view: files in, columns or the text of an error out.

mod binary;
mod biosnoop;
mod blkparse;
mod captures;
mod csv;
mod errors;
mod fio;
mod formats;
mod ftrace;
mod fuzz;
mod guesses;
mod identity;
mod mutations;
mod real_traces;
mod recognition;
mod recognition_of_samples;
mod samples;
mod shared;
mod support;
mod text_formats;
mod windows;
