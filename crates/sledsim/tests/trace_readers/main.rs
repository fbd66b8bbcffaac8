//! The trace readers as a user sees them: a file goes in, columns or an error message come out.

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
mod number_marks;
mod rare_formats;
mod real_traces;
mod recognition;
mod recognition_of_samples;
mod samples;
mod shared;
mod support;
mod table_lines;
mod text_formats;
mod windows;
mod without_data;
mod wrapped;
