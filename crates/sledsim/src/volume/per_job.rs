//! Something for every job of a volume.

use super::Job;

/// Something for every job, found by its number: the numbers are given again, so there are few.
#[derive(Clone, Debug, Default)]
pub struct PerJob<T>(Vec<T>);

impl<T: Default + Clone> PerJob<T> {
    /// What belongs to a job.
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

    /// What belongs to a job that has asked for it before.
    #[inline]
    #[must_use]
    pub fn get(&self, job: Job) -> &T {
        &self.0[job.0 as usize]
    }

    /// What belongs to a job, if it has asked for it before.
    #[must_use]
    pub fn find(&self, job: Job) -> Option<&T> {
        self.0.get(job.0 as usize)
    }

    /// What there is, in the order of the jobs.
    pub fn all(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }

    /// All jobs that have had something.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        (0..self.0.len() as u32).map(Job)
    }
}
