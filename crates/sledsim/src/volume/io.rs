//! The actions of a volume, and the interface through which it asks for them.

use super::{Job, Part, Urgency};
use crate::time::Time;

/// A place in the buffer of a job: the job and the sector.
pub type BufferPlace = (Job, u64);

/// One thing that a volume does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A part sets off to its member, as urgent as its job.
    Submit(Part, Urgency),
    /// A background job becomes foreground, with its parts on their way; the volume is
    /// [told](super::Volume::promoted).
    Promote(Job),
    /// A job is done, and its buffer is gone; a request is complete for its sender at that time.
    Complete(Job, Time),
    /// Work for the second job served the first one, too, which takes over its share of the energy: the first number
    /// of sectors out of the second.
    Credit(Job, Job, u64, u64),
    /// The volume asks to be woken at that time with that token.
    Wake(Time, u64),
    /// Sectors, as many as the number says, are copied from the first place to the second.
    Copy(BufferPlace, BufferPlace, u64),
    /// Sectors of the first place, as many as the number says, are added bit by bit to those at the second.
    Xor(BufferPlace, BufferPlace, u64),
    /// One sector of a buffer is filled with something that the volume wants to find there after a loss of power,
    /// sealed with a checksum of so many sectors before it.
    Note(BufferPlace, u64, Vec<u64>),
}

/// A note that was found after a loss of power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Content of the note.
    pub words: Vec<u64>,
    /// Whether the sectors before it with which it was sealed hold what they held then.
    pub is_whole: bool,
}

/// Finds the note in a sector of a member, if there is one.
pub type FindNote<'a> = dyn FnMut(u32, u64) -> Option<Noted> + 'a;

/// The list of actions that a volume asks for, in order; the simulation carries them out.
#[derive(Clone, Debug, Default)]
pub struct Io {
    actions: Vec<Action>,
    /// How many of them have been taken.
    taken: usize,
    free: Vec<Job>,
    /// By job.
    urgencies: Vec<Urgency>,
    /// Foreground parts on their way, by member.
    urgent: Vec<u32>,
    follows_data: bool,
}

impl Io {
    /// An empty list for a volume of `members` members; with `follows_data` the moves of data in memory are listed,
    /// too.
    #[must_use]
    pub fn new(members: u32, follows_data: bool) -> Self {
        Self { urgent: vec![0; members as usize], follows_data, ..Self::default() }
    }

    /// Work of the volume's own for which somebody waits, with a buffer; to be [completed](Self::complete) as requests
    /// are.
    pub fn begin(&mut self) -> Job {
        self.begin_as(Urgency::Foreground)
    }

    /// Begins work of the volume's own like [`begin`](Self::begin), of any urgency.
    pub fn begin_as(&mut self, urgency: Urgency) -> Job {
        let job = self.free.pop().unwrap_or_else(|| {
            self.urgencies.push(urgency);
            Job(self.urgencies.len() as u32 - 1)
        });
        self.urgencies[job.0 as usize] = urgency;
        job
    }

    /// Whether somebody waits for a job.
    #[must_use]
    pub fn urgency(&self, job: Job) -> Urgency {
        self.urgencies[job.0 as usize]
    }

    /// A job waits for another one, which from now on is as urgent: nobody in the foreground waits for what everybody
    /// may overtake.
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

    /// The job is done at that time, now or later.
    pub fn complete(&mut self, job: Job, at: Time) {
        self.actions.push(Action::Complete(job, at));
    }

    /// Parts of other work served this job, too: the record says so. Of the energy that still stands with the work the
    /// job takes over its share, `sectors` of `left`; what nobody takes over stays with the work.
    pub fn credit(&mut self, job: Job, work: Job, sectors: u64, left: u64) {
        self.actions.push(Action::Credit(job, work, sectors, left));
    }

    /// Asks to be [woken](super::Volume::woken).
    pub fn wake(&mut self, at: Time, token: u64) {
        self.actions.push(Action::Wake(at, token));
    }

    /// Whether no foreground part is on its way to that member.
    #[must_use]
    pub fn is_idle(&self, member: u32) -> bool {
        self.urgent[member as usize] == 0
    }

    /// Foreground parts on their way to that member.
    #[must_use]
    pub fn urgent(&self, member: u32) -> u32 {
        self.urgent[member as usize]
    }

    /// Whether it matters what is copied, added up and noted: where only time does, that is not listed.
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

    /// Adds sectors in memory, bit by bit.
    pub fn xor(&mut self, from: BufferPlace, into: BufferPlace, sectors: u64) {
        if self.follows_data {
            self.actions.push(Action::Xor(from, into, sectors));
        }
    }

    /// Fills a sector in memory with what the volume wants to know after a loss of power; made only where data are
    /// followed.
    pub fn note(&mut self, at: BufferPlace, note: impl FnOnce() -> Vec<u64>) {
        self.seal(at, 0, note);
    }

    /// Writes a note that also checksums the `sectors` sectors before it in the buffer. Written in one part with
    /// them, the note shows whether that write is whole, so that no second part has to confirm it.
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
        // Whatever is left in its place is not looked at.
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
