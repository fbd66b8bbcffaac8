//! A client of a volume, which knows the possible contents of each sector and checks them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use proptest::prelude::*;
use sledsim_emulator::emulator::{Asker, Emulator, Loss, PowerCut, Torn};
use sledsim_emulator::nbd::{Errno, Kind, Request};

/// Version of a sector that a power failure may leave, if only answered writes are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Newest,
    /// The newest version if no write was in flight at the power failure; otherwise it may be an older version.
    NewestIfQuiet,
    PerhapsOlder,
}

/// An action of a client. A write waits first until no other write to the same sectors is in flight.
#[derive(Clone, Debug)]
pub enum Act {
    Write {
        sector: u64,
        sectors: u32,
        zeroes: bool,
    },
    Read {
        sector: u64,
        sectors: u32,
    },
    /// A flush: writes answered before it stay.
    Flush,
}

/// A session of a client with a volume: the actions, the time in ns from the last action to the power failure
/// (`None` if the session ends normally), and true if the client reads all sectors before the next session.
#[derive(Clone, Debug)]
pub struct Session {
    pub acts: Vec<(u64, Act)>,
    pub cut: Option<(u64, Torn)>,
    pub is_checked: bool,
}

/// The possible contents of a sector, as versions.
#[derive(Clone, Debug)]
pub struct Known {
    /// Versions that the sector may have. The list is empty while the sector is unreadable.
    pub may_be: Vec<u64>,
    pub ever: Vec<u64>,
    pub may_be_torn: bool,
    /// Number of contents that were removed from the front of `ever`, because a flush excludes them.
    pub excluded: usize,
}

impl Default for Known {
    fn default() -> Self {
        Self { may_be: vec![0], ever: vec![0], may_be_torn: false, excluded: 0 }
    }
}

#[derive(Default)]
pub struct Model {
    pub sectors: HashMap<u64, Known>,
    /// Requests in flight, by number: the range of sectors, and the version that a write puts into these
    /// sectors (`None` for a read).
    pub asked: HashMap<u64, (Range<u64>, Option<u64>)>,
    /// Numbers of writes with FUA in flight.
    pub forced: HashSet<u64>,
    /// Flushes in flight, by number: for each sector its possible contents when the flush was submitted, and the number
    /// of contents that it ever had.
    pub flushes: HashMap<u64, HashMap<u64, (Vec<u64>, usize)>>,
    /// True if flushes and FUA hold nothing, because a torn row may lose older data beside it.
    pub may_lose_flushed: bool,
    pub versions: u64,
    pub checked: u64,
}

impl Model {
    pub fn is_free(&self, sectors: &Range<u64>) -> bool {
        !self.asked.values().any(|(other, _)| other.start < sectors.end && sectors.start < other.end)
    }

    pub fn answered(&mut self, number: u64, result: Result<Vec<u8>, Errno>) -> Result<(), TestCaseError> {
        if let Some(covered) = self.flushes.remove(&number) {
            prop_assert_eq!(result, Ok(Vec::new()));
            self.flushed(covered);
            return Ok(());
        }
        let (sectors, version) = self.asked.remove(&number).expect("the request is in flight");
        let is_forced = self.forced.remove(&number) && !self.may_lose_flushed;
        let Ok(data) = result else {
            let may_be_torn = sectors.clone().any(|sector| self.sectors[&sector].may_be_torn);
            prop_assert!(
                version.is_none() && may_be_torn,
                "the read of sectors {sectors:?} failed, but none of them can be torn"
            );
            if sectors.end - sectors.start == 1 {
                self.sectors.entry(sectors.start).and_modify(|known| known.may_be.clear());
            }
            return Ok(());
        };
        for (sector, at) in sectors.zip(0..) {
            let known = self.sectors.entry(sector).or_default();
            let found = match version {
                Some(version) => {
                    if is_forced {
                        known.excluded += known.ever.len();
                        known.ever.clear();
                    }
                    known.ever.push(version);
                    version
                }
                None => {
                    let bytes = &data[at * 512..][..512];
                    let found = u64::from_le_bytes(bytes[..8].try_into().unwrap());
                    prop_assert!(
                        bytes.chunks(8).all(|word| *word == bytes[..8]),
                        "sector {sector} has the data of a single write"
                    );
                    let age = known.ever.iter().rev().position(|version| *version == found);
                    prop_assert!(
                        known.may_be.contains(&found),
                        "sector {sector}: expected one of the versions {:?}, found {found}, which is {age:?} versions old",
                        known.may_be
                    );
                    self.checked += 1;
                    found
                }
            };
            (known.may_be, known.may_be_torn) = (vec![found], false);
        }
        Ok(())
    }

    /// Exclude what sectors had before a flush that was answered; `covered` is their state when it was submitted.
    fn flushed(&mut self, covered: HashMap<u64, (Vec<u64>, usize)>) {
        if self.may_lose_flushed {
            return;
        }
        for (sector, (may_be, contents)) in covered {
            let known = self.sectors.get_mut(&sector).expect("a sector stays known");
            if known.excluded < contents {
                known.ever.drain(..contents - known.excluded);
                known.ever.splice(..0, may_be.iter().copied());
                // After a power failure more versions may be there than were written since; all of them stay allowed.
                known.excluded = contents.saturating_sub(may_be.len());
            }
        }
    }

    /// Apply a power failure to the model while requests are in flight. `kept` determines the versions that may
    /// remain.
    pub fn cut(&mut self, kept: Kept, torn: Torn) {
        if kept == Kept::PerhapsOlder {
            for known in self.sectors.values_mut() {
                known.may_be.extend(&known.ever);
            }
        }
        self.flushes.clear();
        self.forced.clear();
        for (sectors, version) in std::mem::take(&mut self.asked).into_values() {
            let Some(version) = version else { continue };
            for sector in sectors {
                let known = self.sectors.entry(sector).or_default();
                known.may_be.push(version);
                known.ever.push(version);
                known.may_be_torn |= torn == Torn::Unreadable;
            }
        }
    }
}

/// A client of a volume, with its model of the contents.
pub struct Client {
    pub emulator: Emulator,
    pub model: Model,
    pub now_ns: u64,
    pub number: u64,
}

impl Client {
    pub fn ask(&mut self, act: &Act) -> Result<(), TestCaseError> {
        let number = self.number;
        let (&Act::Write { sector, sectors, .. } | &Act::Read { sector, sectors }) = act else {
            return self.flush();
        };
        let range = sector..sector + u64::from(sectors);
        while !self.model.is_free(&range) {
            self.wait(u64::MAX)?;
        }
        self.number += 1;
        let kind = match act {
            Act::Read { .. } => Kind::Read,
            Act::Write { zeroes, .. } => {
                if *zeroes {
                    Kind::WriteZeroes
                } else {
                    Kind::Write
                }
            }
            Act::Flush => unreachable!("it was answered"),
        };
        let version = match kind {
            Kind::Read => None,
            Kind::WriteZeroes => Some(0),
            _ => {
                self.model.versions += 1;
                Some(self.model.versions)
            }
        };
        let data = match kind {
            Kind::Write => version.unwrap().to_le_bytes().repeat(sectors as usize * 64),
            _ => Vec::new(),
        };
        for sector in range.clone() {
            self.model.sectors.entry(sector).or_default();
        }
        self.model.asked.insert(number, (range, version));
        let request = Request {
            number,
            cookie: number,
            kind,
            offset: sector * 512,
            bytes: sectors * 512,
            fua: number.is_multiple_of(5) && kind != Kind::Read,
            data,
        };
        if request.fua {
            self.model.forced.insert(number);
        }
        let answer = self.emulator.request(self.now_ns, Asker { connection: 1, number }, request).unwrap();
        assert!(answer.is_none(), "the request takes time");
        Ok(())
    }

    fn flush(&mut self) -> Result<(), TestCaseError> {
        let number = self.number;
        self.number += 1;
        let request = Request {
            number,
            cookie: number,
            kind: Kind::Flush,
            offset: 0,
            bytes: 0,
            fua: false,
            data: Vec::new(),
        };
        let answer = self.emulator.request(self.now_ns, Asker { connection: 1, number }, request).unwrap();
        prop_assert!(answer.is_none(), "the flush waits for its members");
        let covered = |(sector, known): (&u64, &Known)| {
            (*sector, (known.may_be.clone(), known.excluded + known.ever.len()))
        };
        let covered = self.model.sectors.iter().map(covered).collect();
        self.model.flushes.insert(number, covered);
        Ok(())
    }

    /// Take the next answer and return true if it comes before `until_ns`; otherwise advance the clock to
    /// `until_ns`.
    pub fn wait(&mut self, until_ns: u64) -> Result<bool, TestCaseError> {
        loop {
            let Some(wake_ns) = self.emulator.wake_ns().filter(|wake_ns| *wake_ns <= until_ns) else {
                self.now_ns = self.now_ns.max(until_ns);
                return Ok(false);
            };
            self.now_ns = self.now_ns.max(wake_ns);
            if let Some(answer) = self.emulator.next_answer(self.now_ns).unwrap() {
                if let Some(timed) = answer.timed {
                    self.emulator.sent(timed, Some(self.now_ns));
                }
                self.model.answered(answer.to.number, answer.result)?;
                return Ok(true);
            }
        }
    }

    /// Run a session. Return the model, and the effect of the power failure if the session ends with one.
    pub fn run(mut self, session: &Session, kept: Kept) -> Result<(Model, Option<Loss>), TestCaseError> {
        for (after_ns, act) in &session.acts {
            let until_ns = self.now_ns + after_ns;
            while self.wait(until_ns)? {}
            self.ask(act)?;
        }
        let Some((after_ns, torn)) = session.cut else {
            while !self.model.asked.is_empty() || !self.model.flushes.is_empty() {
                self.wait(u64::MAX)?;
            }
            self.emulator.finish().unwrap();
            return Ok((self.model, None));
        };
        let until_ns = self.now_ns + after_ns;
        while self.wait(until_ns)? {}
        while kept == Kept::NewestIfQuiet && !self.model.asked.is_empty() {
            self.wait(u64::MAX)?;
        }
        let until_ns = self.now_ns;
        let loss = self.emulator.lose_power(until_ns, PowerCut { seed: 0, torn }).unwrap();
        prop_assert_eq!(loss.unanswered, (self.model.asked.len() + self.model.flushes.len()) as u64);
        self.model.cut(kept, torn);
        self.emulator.finish().unwrap();
        Ok((self.model, Some(loss)))
    }
}
