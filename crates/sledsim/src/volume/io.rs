//! The actions that a volume can request of the simulation, and the list in which it does so.

use super::{Job, Part, Urgency};
use crate::time::Time;

/// A place in the buffer of a job: the job, and the sector in its buffer, counted from 0.
pub type BufferPlace = (Job, u64);

/// An action that a volume requests of the simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send the part to its member, with the urgency of the part's job.
    Submit(Part, Urgency),
    /// Change the job and its parts in flight from background to foreground, and then call
    /// [`promoted`](super::Volume::promoted) of the volume.
    Promote(Job),
    /// End the job at this time and free its buffer. A request whose job ends is complete.
    Complete(Job, Time),
    /// Flush the members that have unflushed writes, and then complete the job.
    Flush(Job),
    /// Move energy from the second job to the first one, because parts of the second job also served the first one. The
    /// share of the energy is the third value divided by the fourth, both in sectors.
    Credit(Job, Job, u64, u64),
    /// Wake the volume at this time; the volume receives the second value as a token.
    Wake(Time, u64),
    /// Copy sectors in memory from the first place to the second one. The last value is the number of sectors.
    Copy(BufferPlace, BufferPlace, u64),
    /// XOR the sectors at the first place into the sectors at the second one. The last value is the number of sectors.
    Xor(BufferPlace, BufferPlace, u64),
    /// Fill the sector at this place with a note, that is, words that the volume reads after a power failure. The note
    /// also holds a checksum of the sectors directly before it; the second value is the number of these sectors.
    Note(BufferPlace, u64, Vec<u64>),
}

/// A note that a volume finds after a power failure: a sector into which the volume had written its own state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Words of the note, as the volume wrote them.
    pub words: Vec<u64>,
    /// True if the checksum in the note still matches the sectors that were written before it.
    pub is_whole: bool,
}

/// A function that reads the note in a sector of a member. Its arguments are the number of the member and the sector;
/// it returns `None` if the sector holds no note.
pub type FindNote<'a> = dyn FnMut(u32, u64) -> Option<Noted> + 'a;

/// List of the actions that a volume requests of the simulation, in the order in which they are carried out.
#[derive(Clone, Debug, Default)]
pub struct Io {
    actions: Vec<Action>,
    /// Number of actions that the simulation has already removed from the list.
    taken: usize,
    free: Vec<Job>,
    /// Urgency of each job, indexed by the number of the job.
    urgencies: Vec<Urgency>,
    /// Number of foreground parts in flight to each member, indexed by the number of the member.
    urgent: Vec<u32>,
    follows_data: bool,
}

impl Io {
    /// Creates an empty list for a volume of `members` members. If `follows_data` is false, the list leaves out the
    /// actions that copy, XOR or fill sectors in memory.
    #[must_use]
    pub fn new(members: u32, follows_data: bool) -> Self {
        Self { urgent: vec![0; members as usize], follows_data, ..Self::default() }
    }

    /// Begins a foreground job for work of the volume itself, and returns it. The volume must
    /// [complete](Self::complete) this job like a request.
    pub fn begin(&mut self) -> Job {
        self.begin_as(Urgency::Foreground)
    }

    /// Begins a job for work of the volume itself with the urgency `urgency`; otherwise like [`begin`](Self::begin).
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

    /// Records that `job` waits for `other`. If `job` is foreground, `other` becomes foreground, too: a foreground job
    /// must not wait for background work, which all other requests overtake.
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

    /// Completes a job at the time `at`, now or later.
    pub fn complete(&mut self, job: Job, at: Time) {
        self.actions.push(Action::Complete(job, at));
    }

    /// Flushes every member to which the volume has written since the last flush of that member, and then completes the
    /// job; called once in a flush.
    pub fn flush_members(&mut self, job: Job) {
        self.actions.push(Action::Flush(job));
    }

    /// Records that parts of the job `work` also served `job`. Of the energy of `work` that is left, the fraction
    /// `sectors / left` moves to `job`.
    pub fn credit(&mut self, job: Job, work: Job, sectors: u64, left: u64) {
        self.actions.push(Action::Credit(job, work, sectors, left));
    }

    /// Requests a [wake-up](super::Volume::woken) at the time `at`, with the token `token`.
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

    /// True if the list includes the actions that copy, XOR or fill sectors in memory; false if only times are
    /// simulated.
    #[must_use]
    pub fn follows_data(&self) -> bool {
        self.follows_data
    }

    /// Copies `sectors` sectors in memory from `from` to `to`.
    pub fn copy(&mut self, from: BufferPlace, to: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Copy(from, to, sectors));
        }
    }

    /// XORs `sectors` sectors in memory at `from` into those at `into`.
    pub fn xor(&mut self, from: BufferPlace, into: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Xor(from, into, sectors));
        }
    }

    /// Fills the sector at `at` in memory with a note, that is, words that the volume reads after a power failure.
    /// `note` computes the words, and is called only if data are followed.
    pub fn note(&mut self, at: BufferPlace, note: impl FnOnce() -> Vec<u64>) {
        self.seal(at, 0, note);
    }

    /// Fills the sector at `at` with a note that also holds a checksum of the `sectors` sectors before it. If one part
    /// writes these sectors together with the note, the note shows after a power failure if the write was complete.
    pub fn seal(&mut self, at: BufferPlace, sectors: u64, note: impl FnOnce() -> Vec<u64>) {
        if self.follows_data {
            self.actions.push(Action::Note(at, sectors, note()));
        }
    }

    /// Removes the next action from the list and returns it; `None` at the end. The simulation calls this.
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

    /// Counts a part in flight as foreground after its change from background. The simulation calls this.
    pub fn promoted(&mut self, part: &Part) {
        self.urgent[part.member as usize] += 1;
    }

    /// Records that a member has completed the part `part` of the urgency `urgency`. The simulation calls this.
    pub fn came_back(&mut self, part: &Part, urgency: Urgency) {
        self.urgent[part.member as usize] -= u32::from(urgency == Urgency::Foreground);
    }

    /// Releases the number of a completed job, so that a new job can get it. The simulation calls this.
    pub fn forget(&mut self, job: Job) {
        self.free.push(job);
    }
}
