//! A table with a value for every job of a volume.

use super::Job;

/// A table with a value for every job, indexed by job number. The numbers of ended jobs are used again, so that the
/// table stays small.
#[derive(Clone, Debug, Default)]
pub struct PerJob<T>(Vec<T>);

impl<T: Default + Clone> PerJob<T> {
    /// The value of a job, mutable; created as the default value if missing.
    #[inline]
    pub fn of(&mut self, job: Job) -> &mut T {
        let at = job.0 as usize;
        if at >= self.0.len() {
            self.grow(at + 1);
        }
        &mut self.0[at]
    }

    #[cold]
    fn grow(&mut self, jobs: usize) {
        self.0.resize(jobs, T::default());
    }

    /// The value of a job; the caller knows that the job has one.
    #[inline]
    #[must_use]
    pub fn get(&self, job: Job) -> &T {
        &self.0[job.0 as usize]
    }

    /// The value of a job; `None` if the job has no value.
    #[must_use]
    pub fn find(&self, job: Job) -> Option<&T> {
        self.0.get(job.0 as usize)
    }

    /// All values, mutable, in the order of the numbers of their jobs.
    pub fn all(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }

    /// All job numbers for which the table has a value, in ascending order.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        (0..self.0.len() as u32).map(Job)
    }
}
