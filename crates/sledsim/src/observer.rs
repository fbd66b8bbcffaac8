//! Observers, which follow the progress of long work and can stop it.

use std::ops::ControlFlow;

use crate::error::{Error, Result};

/// A callback that receives the amount of work done so far, usually a count. If it returns a break, the work
/// stops with [`Error::Interrupted`].
pub type Observer<'a, Done = u64> = dyn FnMut(Done) -> ControlFlow<()> + 'a;

/// Reports the amount of work done to an observer.
///
/// # Errors
/// [`Error::Interrupted`] if the observer returns a break.
pub fn report<Done>(observe: &mut Observer<'_, Done>, done: Done) -> Result<()> {
    match observe(done) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}
