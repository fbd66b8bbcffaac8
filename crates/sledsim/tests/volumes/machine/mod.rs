//! A test machine: it runs a volume over members that complete requests late and in any order.

mod actions;
mod events;
mod losses;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::options::Options;
use sledsim::request::Op;
use sledsim::time::Time;
use sledsim::volume::{Io, Members, Part, Start, Urgency, Volume, VolumeRequest, VOLUMES};

use crate::kinds::{Kind, LEFT};
use crate::members::{Buffers, Member, Word};
use crate::oracle::Oracle;

/// An event of the test machine; numbers of parts, tokens and requests identify its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A part of a write reaches the medium of its member.
    Land(u64),
    /// A part completes, and its data return to the buffer of its job.
    Return(u64),
    /// A wake-up that the volume has requested, with its token.
    Wake(u64),
    /// A request is acknowledged.
    Acknowledge(u64),
}

struct Flight {
    part: Part,
    urgency: Urgency,
    words: Vec<Word>,
    landed: bool,
}

/// The result of a step of the test; the error text describes what is wrong.
pub type Checked = Result<(), String>;

/// A volume, its members, and the parts in flight between them.
pub struct Machine {
    pub kind: &'static Kind,
    pub rng: Pcg64,
    pub oracle: Oracle,
    pub now: u64,
    /// Sums of the volume's counts, over all restarts after power failures.
    pub counts: BTreeMap<&'static str, f64>,
    /// The last 400 actions, kept only for a failing history.
    pub log: Option<VecDeque<String>>,
    volume: Box<dyn Volume>,
    io: Io,
    members: Vec<Member>,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    /// Parts in flight by number. The map is ordered, so that a seed determines all draws.
    flights: BTreeMap<u64, Flight>,
    buffers: Buffers,
    /// Outstanding requests by number, each with the data that it has read.
    open: HashMap<u64, (VolumeRequest, Vec<Word>)>,
    numbers: u64,
    /// Longest duration in ns of a foreground part and of a background part.
    longest: [u64; 2],
}

fn build(kind: &Kind) -> (Box<dyn Volume>, Io) {
    let row = VOLUMES.find(kind.volume).expect("a known volume");
    let options =
        Options::parse(row.name, &row.options.concat(), kind.options).expect("the options are valid");
    let sizes: Members = kind.members.iter().map(|role| role.to_vec()).collect();
    let volume = (row.make.build)(&options, &sizes).expect("the volume is valid");
    let members: usize = kind.members.iter().map(|role| role.len()).sum();
    (volume, Io::new(members as u32, true))
}

impl Machine {
    pub fn new(kind: &'static Kind, seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        let (volume, io) = build(kind);
        let member = |sectors: &u64| match kind.start {
            Start::Zeros => Member::zeros(*sectors),
            Start::Home(_) => Member::rubbish(*sectors, &mut rng),
        };
        let members: Vec<Member> = kind.members.iter().copied().flatten().map(member).collect();
        let home = match kind.start {
            Start::Zeros => vec![0; volume.sectors() as usize],
            Start::Home(home) => members[home as usize].data(volume.sectors()),
        };
        let longest = [1 << rng.random_range(17..24), 1 << rng.random_range(18..27)];
        Self {
            kind,
            rng,
            oracle: Oracle::new(&home),
            now: 0,
            counts: BTreeMap::new(),
            log: None,
            volume,
            io,
            members,
            events: BinaryHeap::new(),
            flights: BTreeMap::new(),
            buffers: Buffers::default(),
            open: HashMap::new(),
            numbers: 0,
            longest,
        }
    }

    pub fn begin(&mut self) -> Checked {
        self.volume.begin(Time(self.now), &mut self.io);
        self.act()
    }

    /// Number of sectors of the volume.
    pub fn sectors(&self) -> u64 {
        self.volume.sectors()
    }

    /// Number of outstanding requests, and number of writes among them.
    pub fn open(&self) -> (usize, usize) {
        (
            self.open.len(),
            self.open.values().filter(|(request, _)| request.op == Op::Write && request.sectors > 0).count(),
        )
    }

    /// Number of sectors that the volume still has to rebuild, and number that it has to resynchronise.
    pub fn left(&self) -> [f64; 2] {
        let counts = self.volume.counts();
        LEFT.map(|name| counts.iter().find(|(count, _)| *count == name).map_or(0.0, |(_, left)| *left))
    }

    /// Members that are down.
    pub fn down(&self) -> Vec<u32> {
        (0..).zip(&self.members).filter(|(_, member)| member.down).map(|(at, _)| at).collect()
    }

    pub fn members(&self) -> u32 {
        self.members.len() as u32
    }

    /// Submits a read or a write, or a flush, which has no sectors.
    pub fn submit(&mut self, request: VolumeRequest) -> Checked {
        let VolumeRequest { sector, sectors, op, metadata } = request;
        let urgency = if self.rng.random_bool(0.2) { Urgency::Background } else { Urgency::Foreground };
        let (id, job) = (self.number(), self.io.begin_as(urgency));
        self.say(|| format!("request {id} is job {}: {request:?}", job.0));
        if sectors == 0 {
            self.oracle.flush(id);
        } else if op == Op::Write {
            let words = self.oracle.write(id, sector, sectors, metadata).into_iter().map(Word::Data);
            let buffer = self.buffers.of(job.0).at(0, u64::from(sectors));
            buffer.iter_mut().zip(words).for_each(|(to, word)| *to = word);
        } else {
            self.oracle.read(id, sector, sectors, metadata);
        }
        self.buffers.of(job.0).request = Some(id);
        self.open.insert(id, (request, Vec::new()));
        if sectors == 0 {
            self.volume.flush(Time(self.now), job, &mut self.io);
        } else {
            self.volume.submit(Time(self.now), job, &request, &mut self.io);
        }
        self.act()
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn say(&mut self, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            if log.len() == 400 {
                log.pop_front();
            }
            log.push_back(format!("{:>12} {}", self.now, what()));
        }
    }

    fn schedule(&mut self, at: u64, event: Event) {
        let order = self.number();
        self.events.push(Reverse((at, order, event)));
    }

    fn count(&mut self) {
        for (name, value) in self.volume.counts() {
            *self.counts.entry(name).or_default() += value;
        }
    }

    /// Adds the final counts of the volume to the sums; the volume is not used afterwards.
    pub fn end(&mut self) {
        self.count();
    }
}
