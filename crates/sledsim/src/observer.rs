//! Long work says how far it is, and hears whether to go on.

use std::ops::ControlFlow;

use crate::error::{Error, Result};

/// Called now and then with the work that is done so far, mostly a count; a break stops it with [`Error::Interrupted`].
pub type Observer<'a, Done = u64> = dyn FnMut(Done) -> ControlFlow<()> + 'a;

/// Says how much is done.
///
/// # Errors
/// [`Error::Interrupted`] when the observer breaks.
pub fn report<Done>(observe: &mut Observer<'_, Done>, done: Done) -> Result<()> {
    match observe(done) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}
