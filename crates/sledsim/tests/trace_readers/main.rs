//! The trace readers as a user meets them: files in, columns or the text of an error out.

mod captures;
mod csv;
mod errors;
mod formats;
mod fuzz;
mod identity;
mod real_traces;
mod recognition;
mod support;
mod text_formats;
