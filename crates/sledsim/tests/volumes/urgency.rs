//! Tests that foreground requests never wait for background work.
//!
//! Members serve no background part while a foreground request is outstanding. Such a request may therefore wait only
//! for work that is in the foreground, too, or that starts at a time set by the volume.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::options::Options;
use sledsim::request::Op;
use sledsim::time::Time;
use sledsim::volume::{Action, Io, Job, Members, Part, Urgency, Volume, VolumeRequest, VOLUMES};

use crate::kinds::{Kind, KINDS};

/// Number of random histories of each kind, and number of steps of a history.
const HISTORIES: u64 = 60;
const STEPS: u32 = 300;
/// Number of times that a request may wait for the clock in succession without any other work.
const PATIENCE: u32 = 2000;

/// A volume whose members serve a part only when the test asks for it.
struct Run {
    kind: &'static Kind,
    rng: Pcg64,
    volume: Box<dyn Volume>,
    io: Io,
    now: u64,
    flights: Vec<(Part, Urgency)>,
    /// Tokens of requested wake-ups, by time in ns.
    wakes: BTreeMap<u64, Vec<u64>>,
    later: BTreeMap<u64, Vec<Job>>,
    open: BTreeSet<u32>,
    promotions: u32,
}

impl Run {
    fn new(kind: &'static Kind, seed: u64) -> Self {
        let row = VOLUMES.find(kind.volume).expect("a known volume");
        let options =
            Options::parse(row.name, &row.options.concat(), kind.options).expect("the options are valid");
        let sizes: Members = kind.members.iter().map(|role| role.to_vec()).collect();
        let volume = (row.make.build)(&options, &sizes).expect("the volume is valid");
        let members: usize = kind.members.iter().map(|role| role.len()).sum();
        let mut run = Self {
            kind,
            rng: Pcg64::seed_from_u64(seed),
            volume,
            io: Io::new(members as u32, false),
            now: 0,
            flights: Vec::new(),
            wakes: BTreeMap::new(),
            later: BTreeMap::new(),
            open: BTreeSet::new(),
            promotions: 0,
        };
        run.volume.begin(Time(0), &mut run.io);
        run.act();
        run
    }

    fn act(&mut self) {
        while let Some(action) = self.io.next_action() {
            match action {
                Action::Submit(part, urgency) => self.flights.push((part, urgency)),
                Action::Promote(job) => self.promote(job),
                Action::Complete(job, at) if at.0 > self.now => self.later.entry(at.0).or_default().push(job),
                Action::Complete(job, _) | Action::Flush(job) => self.complete(job),
                Action::Wake(at, token) => self.wakes.entry(at.0.max(self.now)).or_default().push(token),
                Action::Credit(..) | Action::Copy(..) | Action::Xor(..) | Action::Note(..) => {}
            }
        }
    }

    fn promote(&mut self, job: Job) {
        self.promotions += 1;
        for (part, urgency) in self.flights.iter_mut().filter(|(part, _)| part.job == job) {
            if std::mem::replace(urgency, Urgency::Foreground) == Urgency::Background {
                self.io.promoted(part);
            }
        }
        self.volume.promoted(Time(self.now), job, &mut self.io);
    }

    fn complete(&mut self, job: Job) {
        self.open.remove(&job.0);
        self.io.forget(job);
    }

    fn submit(&mut self) {
        let (sectors, largest) = (self.volume.sectors(), self.kind.largest);
        let size = self.rng.random_range(1..=largest);
        // Few places, so that requests overlap.
        let sector = self.rng.random_range(0..=(sectors - u64::from(size)).min(80));
        let op = if self.rng.random() { Op::Read } else { Op::Write };
        let metadata = self.rng.random_bool(self.kind.metadata);
        let urgency = if self.rng.random() { Urgency::Foreground } else { Urgency::Background };
        let job = self.io.begin_as(urgency);
        self.open.insert(job.0);
        let request = VolumeRequest { sector, sectors: size, op, metadata };
        self.volume.submit(Time(self.now), job, &request, &mut self.io);
        self.act();
    }

    /// Lets a random member serve a part that may be served now; returns false if no such part exists.
    fn serve(&mut self) -> bool {
        let is_urgent = self.waits();
        let may = |(_, urgency): &(Part, Urgency)| !is_urgent || *urgency == Urgency::Foreground;
        let able: Vec<usize> = (0..self.flights.len()).filter(|at| may(&self.flights[*at])).collect();
        if able.is_empty() {
            return false;
        }
        let (part, urgency) = self.flights.swap_remove(able[self.rng.random_range(0..able.len())]);
        self.io.came_back(&part, urgency);
        self.volume.done(Time(self.now), &part, &mut self.io);
        self.act();
        if urgency == Urgency::Foreground && self.io.is_idle(part.member) {
            self.volume.idle(Time(self.now), part.member, &mut self.io);
            self.act();
        }
        true
    }

    /// Advances to the next requested time, if any; returns false if no time is requested.
    fn tick(&mut self) -> bool {
        let next = self.wakes.keys().chain(self.later.keys()).min().copied();
        let Some(next) = next else { return false };
        self.now = self.now.max(next);
        self.later.remove(&next).into_iter().flatten().for_each(|job| self.complete(job));
        for token in self.wakes.remove(&next).into_iter().flatten() {
            self.volume.woken(Time(self.now), token, &mut self.io);
            self.act();
        }
        true
    }

    /// True if a foreground request is outstanding.
    fn waits(&self) -> bool {
        self.open.iter().any(|job| self.io.urgency(Job(*job)) == Urgency::Foreground)
    }

    /// Serves parts and advances the clock until no foreground request is outstanding.
    fn settle(&mut self) -> Result<(), String> {
        let mut ticks = 0;
        while self.waits() {
            if self.serve() {
                ticks = 0;
                continue;
            }
            ticks += 1;
            if ticks > PATIENCE || !self.tick() {
                let waiting =
                    self.open.iter().filter(|job| self.io.urgency(Job(**job)) == Urgency::Foreground);
                return Err(format!(
                    "foreground jobs {:?} wait for background parts among {:?}",
                    waiting.collect::<Vec<_>>(),
                    self.flights
                ));
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        match self.rng.random_range(0..20) {
            0..9 => self.submit(),
            9..16 => drop(self.serve()),
            16 => drop(self.tick()),
            // The sender of a background request now waits for it.
            17 => {
                let some = self.open.iter().nth(self.rng.random_range(0..=self.open.len())).copied();
                some.into_iter().for_each(|job| self.io.promote(Job(job)));
                self.act();
            }
            18 => self.settle()?,
            _ => while self.open.len() > 12 && (self.serve() || self.tick()) {},
        }
        Ok(())
    }
}

#[test]
fn foreground_requests_never_wait_for_background_work() {
    for kind in KINDS.iter().copied() {
        let mut promotions = 0;
        for seed in 0..HISTORIES {
            let mut run = Run::new(kind, seed);
            for step in 0..STEPS {
                let done = run.step().and_then(|()| if step == STEPS - 1 { run.settle() } else { Ok(()) });
                if let Err(text) = done {
                    panic!("{} {}, seed {seed}, step {step}: {text}", kind.volume, kind.options);
                }
            }
            promotions += run.promotions;
        }
        // One step in twenty promotes a job from outside; the volume promotes the others.
        println!("{:>24} {promotions:>6} promoted {}", kind.volume, kind.options);
    }
}
