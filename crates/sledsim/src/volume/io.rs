//! The actions of a volume, and the interface through which it requests them.

use super::{Job, Part, Urgency};
use crate::time::Time;

/// A place in the buffer of a job: the job and the sector.
pub type BufferPlace = (Job, u64);

/// An action of a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send a part to its member, with the urgency of its job.
    Submit(Part, Urgency),
    /// Make a background job foreground, with its parts in flight; the volume is
    /// [notified](super::Volume::promoted).
    Promote(Job),
    /// End a job and free its buffer; a request is complete for its sender at that time.
    Complete(Job, Time),
    /// Credit the first job with work for the second, which served it too: it takes over a share of the
    /// energy, given as sectors out of sectors.
    Credit(Job, Job, u64, u64),
    /// Wake the volume at that time with that token.
    Wake(Time, u64),
    /// Copy the given number of sectors from the first place to the second.
    Copy(BufferPlace, BufferPlace, u64),
    /// XOR the given number of sectors at the first place into the sectors at the second.
    Xor(BufferPlace, BufferPlace, u64),
    /// Fill a sector of a buffer with a note to be found after a power failure, sealed with a checksum of the
    /// given number of sectors before it.
    Note(BufferPlace, u64, Vec<u64>),
}

/// A note that was found after a power failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Content of the note.
    pub words: Vec<u64>,
    /// True if the sectors sealed with the note have the content that they had when it was written.
    pub is_whole: bool,
}

/// A function that finds the note in a sector of a member, if there is one.
pub type FindNote<'a> = dyn FnMut(u32, u64) -> Option<Noted> + 'a;

/// The list of actions that a volume requests, in order; the simulation carries them out.
#[derive(Clone, Debug, Default)]
pub struct Io {
    actions: Vec<Action>,
    /// Number of actions already taken.
    taken: usize,
    free: Vec<Job>,
    /// Urgency of each job, by number.
    urgencies: Vec<Urgency>,
    /// Number of foreground parts in flight, by member.
    urgent: Vec<u32>,
    follows_data: bool,
}

impl Io {
    /// An empty list for a volume of `members` members; with `follows_data`, data movements in memory are
    /// listed, too.
    #[must_use]
    pub fn new(members: u32, follows_data: bool) -> Self {
        Self { urgent: vec![0; members as usize], follows_data, ..Self::default() }
    }

    /// Begins foreground work of the volume itself, with a buffer; it must be [completed](Self::complete)
    /// like a request.
    pub fn begin(&mut self) -> Job {
        self.begin_as(Urgency::Foreground)
    }

    /// Begins work of the volume itself like [`begin`](Self::begin), of any urgency.
    pub fn begin_as(&mut self, urgency: Urgency) -> Job {
        let job = self.free.pop().unwrap_or_else(|| {
            self.urgencies.push(urgency);
            Job(self.urgencies.len() as u32 - 1)
        });
        self.urgencies[job.0 as usize] = urgency;
        job
    }

    /// The urgency of a job.
    #[must_use]
    pub fn urgency(&self, job: Job) -> Urgency {
        self.urgencies[job.0 as usize]
    }

    /// Lets a job wait for another job, which becomes at least as urgent: no foreground job waits for work that every
    /// request may overtake.
    pub fn wait_for(&mut self, job: Job, other: Job) {
        if self.urgency(job) == Urgency::Foreground {
            self.promote(other);
        }
    }

    /// Makes a job foreground.
    pub fn promote(&mut self, job: Job) {
        let urgency = &mut self.urgencies[job.0 as usize];
        if std::mem::replace(urgency, Urgency::Foreground) == Urgency::Background {
            self.actions.push(Action::Promote(job));
        }
    }

    /// Sends a part to its member.
    pub fn submit(&mut self, part: Part) {
        debug_assert!(part.sectors > 0, "a part has at least one sector");
        let urgency = self.urgency(part.job);
        self.urgent[part.member as usize] += u32::from(urgency == Urgency::Foreground);
        self.actions.push(Action::Submit(part, urgency));
    }

    /// Completes a job at that time, now or later.
    pub fn complete(&mut self, job: Job, at: Time) {
        self.actions.push(Action::Complete(job, at));
    }

    /// Records that parts of other work served this job, too. The job takes over `sectors` of `left` of the
    /// remaining energy of that work; energy that no job takes over stays with the work.
    pub fn credit(&mut self, job: Job, work: Job, sectors: u64, left: u64) {
        self.actions.push(Action::Credit(job, work, sectors, left));
    }

    /// Asks to be [woken](super::Volume::woken).
    pub fn wake(&mut self, at: Time, token: u64) {
        self.actions.push(Action::Wake(at, token));
    }

    /// True if no foreground part is on its way to that member.
    #[must_use]
    pub fn is_idle(&self, member: u32) -> bool {
        self.urgent[member as usize] == 0
    }

    /// Number of foreground parts on their way to that member.
    #[must_use]
    pub fn urgent(&self, member: u32) -> u32 {
        self.urgent[member as usize]
    }

    /// True if copies, XORs and notes are listed; false if only times matter.
    #[must_use]
    pub fn follows_data(&self) -> bool {
        self.follows_data
    }

    /// Copies sectors in memory.
    pub fn copy(&mut self, from: BufferPlace, to: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Copy(from, to, sectors));
        }
    }

    /// XORs sectors in memory into other sectors.
    pub fn xor(&mut self, from: BufferPlace, into: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Xor(from, into, sectors));
        }
    }

    /// Fills a sector in memory with a note for the restart after a power failure; computed only where data
    /// are followed.
    pub fn note(&mut self, at: BufferPlace, note: impl FnOnce() -> Vec<u64>) {
        self.seal(at, 0, note);
    }

    /// Writes a note with a checksum of the `sectors` sectors before it in the buffer. A note written in one
    /// part with these sectors shows whether that write is whole, without a second write to confirm it.
    pub fn seal(&mut self, at: BufferPlace, sectors: u64, note: impl FnOnce() -> Vec<u64>) {
        if self.follows_data {
            self.actions.push(Action::Note(at, sectors, note()));
        }
    }

    /// Takes the next action; called by the simulation.
    pub fn next_action(&mut self) -> Option<Action> {
        let Some(action) = self.actions.get_mut(self.taken) else {
            self.actions.clear();
            self.taken = 0;
            return None;
        };
        self.taken += 1;
        // The value left in its place is not read.
        Some(std::mem::replace(action, Action::Wake(Time::ZERO, 0)))
    }

    /// Counts a background part on its way as foreground; called by the simulation.
    pub fn promoted(&mut self, part: &Part) {
        self.urgent[part.member as usize] += 1;
    }

    /// Counts a part as back from its member; called by the simulation.
    pub fn came_back(&mut self, part: &Part, urgency: Urgency) {
        self.urgent[part.member as usize] -= u32::from(urgency == Urgency::Foreground);
    }

    /// Frees the number of a job for the next one; called by the simulation.
    pub fn forget(&mut self, job: Job) {
        self.free.push(job);
    }
}
