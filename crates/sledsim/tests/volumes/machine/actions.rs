//! Actions that the volume under test asks the machine to perform.

use rand::RngExt;
use sledsim::request::Op;
use sledsim::time::Time;
use sledsim::volume::{Action, BufferPlace, Job, Part, Urgency};

use super::{Checked, Event, Flight, Machine};
use crate::members::{Note, Word};

impl Machine {
    /// Performs all actions that the volume has asked for.
    pub(super) fn act(&mut self) -> Checked {
        while let Some(action) = self.io.next_action() {
            self.say(|| format!("  {action:?}"));
            match action {
                Action::Submit(part, urgency) => self.send(part, urgency)?,
                Action::Promote(job) => self.promote(job),
                // A credit concerns the record only.
                Action::Credit(..) => {}
                Action::Complete(job, at) => self.complete(job, at)?,
                // Members have no write cache: what came back is durable.
                Action::Flush(job) => self.complete(job, Time(self.now))?,
                Action::Wake(at, token) => self.schedule(at.0.max(self.now), Event::Wake(token)),
                Action::Copy(from, to, sectors) => self.combine(from, to, sectors, |from, _| from.clone()),
                Action::Xor(from, to, sectors) => self.combine(from, to, sectors, Word::xor),
                Action::Note((job, at), sectors, words) => {
                    if words.len() > 60 {
                        return Err(format!("a note of {} words exceeds a sector", words.len()));
                    }
                    let buffer = self.buffers.of(job.0);
                    let sealed = buffer.at(at - sectors, sectors).to_vec();
                    buffer.at(at, 1)[0] = Word::Note(Note { words, sealed }.into());
                }
            }
        }
        Ok(())
    }

    pub(super) fn combine(
        &mut self,
        from: BufferPlace,
        to: BufferPlace,
        sectors: u64,
        with: impl Fn(&Word, &Word) -> Word,
    ) {
        let words = self.buffers.of(from.0 .0).at(from.1, sectors).to_vec();
        let into = self.buffers.of(to.0 .0).at(to.1, sectors);
        words.iter().zip(into).for_each(|(word, into)| *into = with(word, into));
    }

    /// Moves a job to the foreground, and with it those of its parts in flight that are in the background.
    fn promote(&mut self, job: Job) {
        let own = self.flights.values_mut().filter(|flight| flight.part.job == job);
        for flight in own.filter(|flight| flight.urgency == Urgency::Background) {
            flight.urgency = Urgency::Foreground;
            self.io.promoted(&flight.part);
        }
        self.volume.promoted(Time(self.now), job, &mut self.io);
    }

    pub(super) fn send(&mut self, part: Part, urgency: Urgency) -> Checked {
        let member = &self.members[part.member as usize];
        if member.down
            || part.sectors == 0
            || part.sector + u64::from(part.sectors) > member.words.len() as u64
        {
            return Err(format!("{part:?}: the member is down or too small for the part"));
        }
        let buffer = self.buffers.of(part.job.0);
        buffer.parts += 1;
        let words = buffer.at(part.at, u64::from(part.sectors)).to_vec();
        let id = self.number();
        let longest = self.longest[urgency as usize];
        let back = self.now + self.rng.random_range(1..=longest);
        if part.op == Op::Write {
            let land = self.rng.random_range(self.now..=back);
            self.schedule(land, Event::Land(id));
        }
        self.schedule(back, Event::Return(id));
        self.flights.insert(id, Flight { part, urgency, words, landed: part.op == Op::Read });
        Ok(())
    }

    pub(super) fn complete(&mut self, job: Job, at: Time) -> Checked {
        let Some(mut buffer) = self.buffers.close(job.0) else {
            return Err(format!("job {} completes without having begun", job.0));
        };
        if buffer.parts > 0 {
            return Err(format!("job {} completes with {} parts in flight", job.0, buffer.parts));
        }
        self.io.forget(job);
        if let Some(id) = buffer.request {
            let (request, found) = self.open.get_mut(&id).expect("a request has one job");
            if request.op == Op::Read {
                *found = buffer.at(0, u64::from(request.sectors)).to_vec();
            }
            self.schedule(at.0.max(self.now), Event::Acknowledge(id));
        }
        Ok(())
    }
}
