//! Progress of long work, and requests to stop it.

use std::ops::ControlFlow;

use crate::error::{Error, Result};

/// Observer called with the amount of work done so far, mostly a count; a break stops the work with
/// [`Error::Interrupted`].
pub type Observer<'a, Done = u64> = dyn FnMut(Done) -> ControlFlow<()> + 'a;

/// Reports the amount of work done.
///
/// # Errors
/// [`Error::Interrupted`] when the observer breaks.
pub fn report<Done>(observe: &mut Observer<'_, Done>, done: Done) -> Result<()> {
    match observe(done) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}
