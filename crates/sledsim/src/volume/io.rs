//! The actions of a volume, and the interface through which a volume requests its actions.

use super::{Job, Part, Urgency};
use crate::time::Time;

/// A place in the buffer of a job: the job, and the number of a sector in the buffer.
pub type BufferPlace = (Job, u64);

/// An action that a volume requests of the simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send the part to its member, with the urgency of the part's job.
    Submit(Part, Urgency),
    /// Change the job and its parts in flight from background to foreground, and then
    /// [tell](super::Volume::promoted) the volume.
    Promote(Job),
    /// End the job at the time given and free its buffer; if the job is a request, the request is then complete.
    Complete(Job, Time),
    /// Move energy from the second job, whose parts also served the first job, to the first job. The two
    /// numbers give the fraction of the energy: sectors of the first job, out of sectors of the second.
    Credit(Job, Job, u64, u64),
    /// Wake the volume at the time given, with the token given.
    Wake(Time, u64),
    /// Copy sectors in memory from the first place to the second; the number of sectors is the last value.
    Copy(BufferPlace, BufferPlace, u64),
    /// XOR the sectors at the first place into the sectors at the second place; their number is the last value.
    Xor(BufferPlace, BufferPlace, u64),
    /// Fill the sector at a place with a note, which the volume reads after a power failure. The number of
    /// sectors directly before the note whose checksum the note holds, and the words of the note.
    Note(BufferPlace, u64, Vec<u64>),
}

/// A note that was found after a power failure. A note is a sector in which a volume stores its own state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Words of the note, as the volume wrote them.
    pub words: Vec<u64>,
    /// True if the sectors whose checksum the note holds have not changed since the note was written.
    pub is_whole: bool,
}

/// A function that reads the note in a sector of a member, from the numbers of the member and of the sector;
/// `None` if the sector holds no note.
pub type FindNote<'a> = dyn FnMut(u32, u64) -> Option<Noted> + 'a;

/// List of the actions that a volume requests, in order; the simulation carries them out.
#[derive(Clone, Debug, Default)]
pub struct Io {
    actions: Vec<Action>,
    /// Number of actions that the simulation has already taken.
    taken: usize,
    free: Vec<Job>,
    /// Urgency of each job, indexed by the number of the job.
    urgencies: Vec<Urgency>,
    /// Number of foreground parts in flight to each member, indexed by the number of the member.
    urgent: Vec<u32>,
    follows_data: bool,
}

impl Io {
    /// Creates an empty list for a volume of `members` members. If `follows_data` is true, the list also has
    /// the actions that copy, XOR or fill sectors in memory.
    #[must_use]
    pub fn new(members: u32, follows_data: bool) -> Self {
        Self { urgent: vec![0; members as usize], follows_data, ..Self::default() }
    }

    /// Begins foreground work of the volume itself, with a buffer. The volume must [complete](Self::complete)
    /// the job, as it completes requests.
    pub fn begin(&mut self) -> Job {
        self.begin_as(Urgency::Foreground)
    }

    /// Begins work of the volume itself as [`begin`](Self::begin) does, with the urgency given.
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

    /// Lets `job` wait for `other`, which becomes at least as urgent as `job`: otherwise a foreground job
    /// could wait for background work, which every other request overtakes.
    pub fn wait_for(&mut self, job: Job, other: Job) {
        if self.urgency(job) == Urgency::Foreground {
            self.promote(other);
        }
    }

    /// Changes a job from background to foreground.
    pub fn promote(&mut self, job: Job) {
        let urgency = &mut self.urgencies[job.0 as usize];
        if std::mem::replace(urgency, Urgency::Foreground) == Urgency::Background {
            self.actions.push(Action::Promote(job));
        }
    }

    /// Sends a part to its member, with the urgency of the part's job.
    pub fn submit(&mut self, part: Part) {
        debug_assert!(part.sectors > 0, "a part must have at least one sector");
        let urgency = self.urgency(part.job);
        self.urgent[part.member as usize] += u32::from(urgency == Urgency::Foreground);
        self.actions.push(Action::Submit(part, urgency));
    }

    /// Completes a job at the time `at`, which is the present or later.
    pub fn complete(&mut self, job: Job, at: Time) {
        self.actions.push(Action::Complete(job, at));
    }

    /// Records that parts of the job `work` also served `job`. `job` takes over the fraction `sectors` /
    /// `left` of the energy that `work` still has; `work` keeps the energy that no job takes over.
    pub fn credit(&mut self, job: Job, work: Job, sectors: u64, left: u64) {
        self.actions.push(Action::Credit(job, work, sectors, left));
    }

    /// Asks for a [wake](super::Volume::woken) at the time `at` with the token `token`.
    pub fn wake(&mut self, at: Time, token: u64) {
        self.actions.push(Action::Wake(at, token));
    }

    /// True if no foreground part is in flight to the member.
    #[must_use]
    pub fn is_idle(&self, member: u32) -> bool {
        self.urgent[member as usize] == 0
    }

    /// Number of foreground parts in flight to the member.
    #[must_use]
    pub fn urgent(&self, member: u32) -> u32 {
        self.urgent[member as usize]
    }

    /// True if the list has the actions that move data in memory; false if only the times of actions matter.
    #[must_use]
    pub fn follows_data(&self) -> bool {
        self.follows_data
    }

    /// Copies `sectors` sectors in memory.
    pub fn copy(&mut self, from: BufferPlace, to: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Copy(from, to, sectors));
        }
    }

    /// XORs `sectors` sectors in memory into the sectors at `into`.
    pub fn xor(&mut self, from: BufferPlace, into: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Xor(from, into, sectors));
        }
    }

    /// Fills the sector at `at` in memory with a note that the volume reads after a power failure. The words
    /// `note` are computed only if the list has actions that move data.
    pub fn note(&mut self, at: BufferPlace, note: impl FnOnce() -> Vec<u64>) {
        self.seal(at, 0, note);
    }

    /// Fills the sector at `at` with a note that holds a checksum of the `sectors` sectors before it in the
    /// buffer. If one part writes these sectors and the note, the note shows whether the write is whole,
    /// without a second write that confirms it.
    pub fn seal(&mut self, at: BufferPlace, sectors: u64, note: impl FnOnce() -> Vec<u64>) {
        if self.follows_data {
            self.actions.push(Action::Note(at, sectors, note()));
        }
    }

    /// Takes the next action from the list; called by the simulation.
    pub fn next_action(&mut self) -> Option<Action> {
        let Some(action) = self.actions.get_mut(self.taken) else {
            self.actions.clear();
            self.taken = 0;
            return None;
        };
        self.taken += 1;
        // The action left in the list is not read again.
        Some(std::mem::replace(action, Action::Wake(Time::ZERO, 0)))
    }

    /// Counts a background part in flight as a foreground part; called by the simulation.
    pub fn promoted(&mut self, part: &Part) {
        self.urgent[part.member as usize] += 1;
    }

    /// Counts a part of this urgency as completed by its member; called by the simulation.
    pub fn came_back(&mut self, part: &Part, urgency: Urgency) {
        self.urgent[part.member as usize] -= u32::from(urgency == Urgency::Foreground);
    }

    /// Frees the number of a completed job for another job; called by the simulation.
    pub fn forget(&mut self, job: Job) {
        self.free.push(job);
    }
}
