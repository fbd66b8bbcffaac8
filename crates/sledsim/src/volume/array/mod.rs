//! What volumes over several like members share.

mod array_options;
mod intent;
mod members;
mod notes;
mod pass;

pub(super) use array_options::{
    alike, devices, failed, intent_s, stripe_unit, FAILED_DEVICE, INTENT_S, MOST_DEVICES, REBUILD_MB_S,
    REPLACED, STRIPE_UNIT_KIB,
};
pub(super) use intent::Intent;
pub(super) use members::{bit, each, States};
pub(super) use notes::Notes;
pub(super) use pass::{Pass, Step};

use super::Job;

/// Something for every job, found by its number: the numbers are given again, so there are few.
pub(super) struct PerJob<T>(Vec<T>);

impl<T: Default + Clone> PerJob<T> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn of(&mut self, job: Job) -> &mut T {
        let at = job.0 as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, T::default());
        }
        &mut self.0[at]
    }

    /// The same, of a job that has one.
    pub(super) fn get(&self, job: Job) -> &T {
        &self.0[job.0 as usize]
    }

    /// One more than the highest number.
    pub(super) fn len(&self) -> u32 {
        self.0.len() as u32
    }
}
