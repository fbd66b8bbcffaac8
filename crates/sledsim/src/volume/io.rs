//! What a volume can do.

use super::{Job, Part, Urgency};
use crate::time::Time;

/// A place in the buffer of a job: the job and the sector.
pub type BufferPlace = (Job, u64);

/// One thing that a volume does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A part sets off to its member, as urgent as its job.
    Submit(Part, Urgency),
    /// Somebody waits now for a job of which nobody did: its parts on their way are foreground, and the volume is
    /// [told](super::Volume::promoted).
    Promote(Job),
    /// A job is done, and its buffer is gone; if it was a request, whoever asked has it at that time.
    Complete(Job, Time),
    /// What devices did for the second job so far served the first one, too: it was for so many sectors of so many.
    Credit(Job, Job, u64, u64),
    /// The volume is to be woken at that time with that token.
    Wake(Time, u64),
    /// So many sectors are copied from one place to another.
    Copy(BufferPlace, BufferPlace, u64),
    /// So many sectors of a place are added bit by bit to those at another.
    Xor(BufferPlace, BufferPlace, u64),
    /// One sector of a buffer is filled with something that the volume wants to find there after a loss of power,
    /// sealed with a checksum of so many sectors before it.
    Note(BufferPlace, u64, Vec<u64>),
}

/// A note that was found after a loss of power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// What it says.
    pub words: Vec<u64>,
    /// Whether the sectors before it with which it was sealed hold what they held then.
    pub is_whole: bool,
}

/// Finds the note in a sector of a member, if there is one.
pub type FindNote<'a> = dyn FnMut(u32, u64) -> Option<Noted> + 'a;

/// The hands of a volume: what it does is listed here, in order, and then happens.
#[derive(Debug, Default)]
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
    /// Hands for a volume of so many members; with `follows_data`, what becomes of data is listed, too.
    #[must_use]
    pub fn new(members: u32, follows_data: bool) -> Self {
        Self { urgent: vec![0; members as usize], follows_data, ..Self::default() }
    }

    /// Work of the volume's own for which somebody waits, with a buffer; to be [completed](Self::complete) as requests
    /// are.
    pub fn begin(&mut self) -> Job {
        self.begin_as(Urgency::Foreground)
    }

    /// The same, for which perhaps nobody waits.
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

    /// Somebody waits for a job from now on.
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

    /// The same, with a checksum of so many sectors that lie before it in the buffer: written in one part with them
    /// it can be told whether all of them got there. Such a part needs no other one to say so.
    pub fn seal(&mut self, at: BufferPlace, sectors: u64, note: impl FnOnce() -> Vec<u64>) {
        if self.follows_data {
            self.actions.push(Action::Note(at, sectors, note()));
        }
    }

    /// Whoever runs the volume: the next thing to do.
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

    /// Whoever runs the volume: a part that was on its way in the background is foreground now.
    pub fn promoted(&mut self, part: &Part) {
        self.urgent[part.member as usize] += 1;
    }

    /// Whoever runs the volume: a part has come back.
    pub fn came_back(&mut self, part: &Part, urgency: Urgency) {
        self.urgent[part.member as usize] -= u32::from(urgency == Urgency::Foreground);
    }

    /// Whoever runs the volume: the number of a job can be given again.
    pub fn forget(&mut self, job: Job) {
        self.free.push(job);
    }
}
