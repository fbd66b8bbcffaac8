//! Volumes that lose power with the contents of their members: what was answered is there, as each kind promises.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use proptest::prelude::*;
use sledsim_emulator::emulator::{
    Asker, Contents, Durability, Emulator, Loss, Medium, Members, PowerCut, Torn,
};
use sledsim_emulator::nbd::{Errno, Kind, Request};
use sledsim_emulator::store::{list_beside, Memory, Store, Unreadable};
use tempfile::TempDir;

use super::powered::Shared;
use super::simulation;

const SALT: u64 = 0x5a17;
/// No sector is asked for from there on.
const LAST: u64 = 2140;

/// Which version of an answered write a loss of power leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Newest,
    /// The newest, if nothing was on its way.
    NewestIfQuiet,
    PerhapsOlder,
}

/// Volumes, and what each keeps where a sector is old or new; the options make them so small that they fill up.
const KINDS: &[(&str, Kept)] = &[
    ("single", Kept::Newest),
    ("sleds:devices=2", Kept::Newest),
    ("stripe:devices=3,stripe_unit_kib=4", Kept::Newest),
    ("mirror:devices=2,intent_s=0.002,read=round-robin", Kept::Newest),
    ("mirror:devices=3,read=nearest,intent_s=1", Kept::Newest),
    ("raid5:devices=4,stripe_unit_kib=4,intent_s=1", Kept::Newest),
    ("raid5:devices=4,stripe_unit_kib=4,intent_s=1,failed_device=1", Kept::NewestIfQuiet),
    ("raid5:devices=3,stripe_unit_kib=2,intent_s=0.002", Kept::Newest),
    ("write-buffer:buffer_mb=0.05,segment_kib=16", Kept::Newest),
    ("write-buffer:buffer_mb=0.05,acknowledge=memory,clean_after_ms=2", Kept::PerhapsOlder),
    ("metadata:metadata_mb=0.18,unit_kib=2", Kept::Newest),
    ("metadata:metadata_mb=0.18,mapping=direct,unit_kib=1,zone_kib=3,zone_every_kib=7", Kept::Newest),
    ("metadata+write-buffer:metadata_mb=0.07,unit_kib=4,buffer_mb=0.05,segment_kib=8", Kept::Newest),
    ("virtual-disk:segment_kib=4,size_ratio=0.001", Kept::Newest),
    ("cache:cache_mb=0.05,read_ahead_kib=8", Kept::Newest),
    ("cache:cache_mb=0.05,writes=back,dirty_ms=5", Kept::PerhapsOlder),
    ("merge", Kept::Newest),
];

/// What a client does, so long after what it did before; a write where one is on its way waits for that.
#[derive(Clone, Debug)]
enum Act {
    Write { sector: u64, sectors: u32, zeroes: bool },
    Read { sector: u64, sectors: u32 },
}

/// Acts that a loss of power ends, so long after the last one, or a clean end where there is none.
#[derive(Clone, Debug)]
struct Session {
    acts: Vec<(u64, Act)>,
    cut: Option<(u64, Torn)>,
}

fn sessions() -> impl Strategy<Value = Vec<Session>> {
    let sector = || prop_oneof![3 => 0..120_u64, 1 => 2000..2100_u64];
    let write = (sector(), 1..40_u32, 0..6).prop_map(|(sector, sectors, zeroes)| Act::Write {
        sector,
        sectors,
        zeroes: zeroes == 0,
    });
    let read = (sector(), 1..40_u32).prop_map(|(sector, sectors)| Act::Read { sector, sectors });
    let act = prop_oneof![3 => write, 1 => read];
    let acts = prop::collection::vec((0..2_500_000_u64, act), 1..50);
    let torn = prop::sample::select(vec![Torn::Unreadable, Torn::Old, Torn::New]);
    let cut = prop::option::weighted(0.8, (0..6_000_000_u64, torn));
    prop::collection::vec((acts, cut).prop_map(|(acts, cut)| Session { acts, cut }), 1..5)
}

/// Media that stay when the device is gone.
struct Shelf {
    media: Vec<Shared>,
    lists: TempDir,
}

impl Shelf {
    fn of(target: &str) -> Self {
        let simulation = simulation(target, "fcfs");
        let sectors = simulation.stations().into_iter().map(|(_, station)| station.device().sectors());
        let media = sectors.map(|sectors| Shared::of(sectors * 512)).collect();
        Self { media, lists: tempfile::tempdir().unwrap() }
    }

    /// A volume of them.
    fn volume(&self, target: &str, were_used: bool) -> Emulator {
        let simulation = simulation(target, "fcfs");
        let medium = |(number, shared): (usize, &Shared)| {
            let list = list_beside(&self.lists.path().join(number.to_string()));
            let unreadable = Unreadable::load(&list, u64::MAX).unwrap();
            Medium::new(Box::new(shared.clone()), unreadable).with_list(list)
        };
        let media = self.media.iter().enumerate().map(medium).collect();
        let nothing =
            Contents::new(Box::new(Memory::new(0)), Unreadable::default(), Durability::WriteThrough);
        let mut emulator = Emulator::new(simulation, nothing, "1".parse().unwrap(), 0);
        emulator.keep_on_members(Members::new(media, SALT), were_used).unwrap();
        emulator
    }
}

impl Shelf {
    /// Any member of an array could be done without: copies are alike, and parities are right.
    fn check_redundancy(&self, target: &str) {
        let sectors = |medium: &Shared| {
            let mut bytes = vec![0; LAST as usize * 512];
            medium.read(0, &mut bytes).unwrap();
            bytes
        };
        let all: Vec<Vec<u8>> = self.media.iter().map(sectors).collect();
        match target.split(':').next().unwrap() {
            "mirror" => assert!(all.iter().all(|copy| *copy == all[0]), "{target}: copies are alike"),
            "raid5" => {
                let sum = |at: usize| all.iter().fold(0, |sum, member| sum ^ member[at]);
                assert!((0..all[0].len()).all(|at| sum(at) == 0), "{target}: parities are right");
            }
            _ => {}
        }
    }
}

/// What a sector may have.
#[derive(Clone, Debug)]
struct Known {
    may_be: Vec<u64>,
    ever: Vec<u64>,
    may_be_torn: bool,
}

impl Default for Known {
    fn default() -> Self {
        Self { may_be: vec![0], ever: vec![0], may_be_torn: false }
    }
}

#[derive(Default)]
struct Model {
    sectors: HashMap<u64, Known>,
    /// By its number, each request on its way: its sectors, and of a write its version.
    asked: HashMap<u64, (Range<u64>, Option<u64>)>,
    versions: u64,
    checked: u64,
}

impl Model {
    fn is_free(&self, sectors: &Range<u64>) -> bool {
        !self.asked.values().any(|(other, _)| other.start < sectors.end && sectors.start < other.end)
    }

    fn answered(&mut self, number: u64, result: Result<Vec<u8>, Errno>) -> Result<(), TestCaseError> {
        let (sectors, version) = self.asked.remove(&number).expect("it was asked for");
        let Ok(data) = result else {
            let may_be_torn = sectors.clone().any(|sector| self.sectors[&sector].may_be_torn);
            prop_assert!(version.is_none() && may_be_torn, "{sectors:?} fails and is not torn");
            return Ok(());
        };
        for (sector, at) in sectors.zip(0..) {
            let known = self.sectors.entry(sector).or_default();
            let found = match version {
                Some(version) => {
                    known.ever.push(version);
                    version
                }
                None => {
                    let bytes = &data[at * 512..][..512];
                    let found = u64::from_le_bytes(bytes[..8].try_into().unwrap());
                    prop_assert!(bytes.chunks(8).all(|word| *word == bytes[..8]), "sector {sector} is whole");
                    let age = known.ever.iter().rev().position(|version| *version == found);
                    prop_assert!(
                        known.may_be.contains(&found),
                        "sector {sector}: {found} (older by {age:?}), expected one of {:?}",
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

    /// Power is lost, in the midst of these.
    fn cut(&mut self, kept: Kept, torn: Torn) {
        if kept == Kept::PerhapsOlder {
            for known in self.sectors.values_mut() {
                known.may_be.extend(&known.ever);
            }
        }
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

/// A client of a volume.
struct Client {
    emulator: Emulator,
    model: Model,
    now_ns: u64,
    number: u64,
}

impl Client {
    fn ask(&mut self, act: &Act) -> Result<(), TestCaseError> {
        let (&(Act::Write { sector, sectors, .. } | Act::Read { sector, sectors }), number) =
            (act, self.number);
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
            fua: false,
            data,
        };
        let answer = self.emulator.request(self.now_ns, Asker { connection: 1, number }, request).unwrap();
        assert!(answer.is_none(), "it takes time");
        Ok(())
    }

    /// Takes the next answer, if it comes until then; else the time is that.
    fn wait(&mut self, until_ns: u64) -> Result<bool, TestCaseError> {
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

    /// Does a session; the loss, if it ends with one.
    fn run(mut self, session: &Session, kept: Kept) -> Result<(Model, Option<Loss>), TestCaseError> {
        for (after_ns, act) in &session.acts {
            let until_ns = self.now_ns + after_ns;
            while self.wait(until_ns)? {}
            self.ask(act)?;
        }
        let Some((after_ns, torn)) = session.cut else {
            while !self.model.asked.is_empty() {
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
        prop_assert_eq!(loss.unanswered, self.model.asked.len() as u64);
        self.model.cut(kept, torn);
        self.emulator.finish().unwrap();
        Ok((self.model, Some(loss)))
    }
}

/// Reads every sector that was ever written, each by itself.
fn check_all(emulator: Emulator, model: Model) -> Result<Model, TestCaseError> {
    let sectors: BTreeSet<u64> = model.sectors.keys().copied().collect();
    let mut client = Client { emulator, model, now_ns: 0, number: 1 << 32 };
    for sector in sectors {
        client.ask(&Act::Read { sector, sectors: 1 })?;
        while client.wait(u64::MAX).is_ok_and(|_| !client.model.asked.is_empty()) {}
    }
    client.emulator.finish().unwrap();
    Ok(client.model)
}

fn keeps_its_promise(target: &str, kept: Kept, sessions: &[Session]) -> Result<u64, TestCaseError> {
    let is_torn = sessions.iter().any(|session| matches!(session.cut, Some((_, Torn::Unreadable))));
    // It writes its table in place: with a sector of that it loses where segments are.
    let kept = if is_torn && target.starts_with("virtual-disk") { Kept::PerhapsOlder } else { kept };
    let shelf = Shelf::of(target);
    let mut model = Model::default();
    for (number, session) in sessions.iter().enumerate() {
        let emulator = shelf.volume(target, number > 0);
        let client = Client { emulator, model, now_ns: 0, number: 0 };
        (model, _) = client.run(session, kept)?;
        if number % 2 == 0 {
            model = check_all(shelf.volume(target, true), model)?;
        }
    }
    model = check_all(shelf.volume(target, true), model)?;
    if kept == Kept::Newest && !is_torn {
        shelf.check_redundancy(target);
    }
    Ok(model.checked)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]
    #[test]
    fn volumes_keep_what_they_promise((target, kept) in prop::sample::select(KINDS), sessions in sessions()) {
        keeps_its_promise(target, kept, &sessions)?;
    }
}
