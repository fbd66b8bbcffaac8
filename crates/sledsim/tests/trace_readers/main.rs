//! The trace readers as a user meets them: files in, columns or the text of an error out.

mod captures;
mod errors;
mod formats;
mod fuzz;
mod support;
