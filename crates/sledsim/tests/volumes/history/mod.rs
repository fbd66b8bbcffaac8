//! A history of a volume: requests, pauses and losses, after which every sector is read and checked.

mod losses;

use rand::RngExt;
use sledsim::request::Op;
use sledsim::volume::VolumeRequest;

use crate::kinds::Kind;
use crate::machine::{Checked, Machine};

/// Number of events after which an outstanding request counts as stuck.
const PATIENCE: u32 = 200_000;

/// Settings of a history; together with the code, the seed determines everything that happens.
#[derive(Clone, Copy)]
pub struct History {
    pub kind: &'static Kind,
    pub seed: u64,
    pub requests: u32,
    /// Number of requests outstanding at most.
    pub at_once: usize,
    /// True if power failures and failing members occur during the requests.
    pub losses: bool,
}

/// A history in progress.
pub struct Course {
    plan: History,
    pub machine: Machine,
    /// Replaced members that may not be rebuilt yet.
    filling: Vec<u32>,
    /// True if a power failure occurred, after which the volume may still resynchronise.
    unsure: bool,
    /// True if the last event completed the rebuild of a member: often a moment at which a loss finds faults.
    just_filled: bool,
    /// Time in ns at which a member last failed.
    failed_ns: u64,
    /// Number of the first sectors of the volume, to which most requests go.
    hot: u64,
    reads: f64,
    /// Upper limit in ns of the usual pauses between requests.
    pause_ns: u64,
}

impl Course {
    pub fn new(plan: History, told: bool) -> Self {
        let mut machine = Machine::new(plan.kind, plan.seed);
        machine.log = told.then(Default::default);
        let sectors = machine.sectors();
        let rng = &mut machine.rng;
        let (hot, reads) = (rng.random_range(1..=sectors), rng.random_range(0.1..0.8));
        let pause_ns = 1 << rng.random_range(10..25);
        // Some members are to be filled from the start.
        Self {
            plan,
            machine,
            filling: Vec::new(),
            unsure: true,
            just_filled: false,
            failed_ns: 0,
            hot,
            reads,
            pause_ns,
        }
    }

    pub fn run(&mut self) -> Checked {
        self.machine.begin()?;
        for _ in 0..self.plan.requests {
            self.request()?;
            if self.plan.losses && !self.mischief()? {
                return Ok(());
            }
        }
        self.settle(0)?;
        self.read_all()?;
        self.lose_power()?;
        self.read_all()?;
        self.refuse()
    }

    fn request(&mut self) -> Checked {
        self.settle(self.plan.at_once - 1)?;
        let sectors = self.machine.sectors();
        let rng = &mut self.machine.rng;
        let within = if rng.random_bool(0.7) { self.hot } else { sectors };
        let largest =
            if rng.random_bool(0.7) { self.plan.kind.largest.min(8) } else { self.plan.kind.largest };
        let size = rng.random_range(1..=largest).min(sectors as u32);
        let sector = rng.random_range(0..within).min(sectors - u64::from(size));
        let op = if rng.random_bool(self.reads) { Op::Read } else { Op::Write };
        let metadata = rng.random_bool(self.plan.kind.metadata);
        let pause_ns = match rng.random_range(0..20) {
            0 => rng.random_range(0..1_000_000_000),
            1..=5 => rng.random_range(0..self.pause_ns),
            _ => 0,
        };
        let flush = VolumeRequest { sector: 0, sectors: 0, op: Op::Write, metadata: false };
        let request = VolumeRequest { sector, sectors: size, op, metadata };
        let is_flush = self.machine.rng.random_bool(0.05);
        self.machine.submit(if is_flush { flush } else { request })?;
        self.wait(pause_ns)
    }

    fn wait(&mut self, span_ns: u64) -> Checked {
        let until = self.machine.now + span_ns;
        while self.machine.next_event().is_some_and(|at| at <= until) {
            self.advance()?;
            if self.just_filled {
                return Ok(());
            }
        }
        self.machine.now = until;
        Ok(())
    }

    /// Processes the next event of the machine; returns false if no event is left.
    fn advance(&mut self) -> Result<bool, String> {
        let filling = !self.filling.is_empty() && self.machine.left()[0] > 0.0;
        let more = self.machine.advance()?;
        self.just_filled = filling && self.machine.left()[0] == 0.0;
        Ok(more)
    }

    /// Processes events until at most `open` requests are outstanding.
    fn settle(&mut self, open: usize) -> Checked {
        for _ in 0..PATIENCE {
            if self.machine.open().0 <= open {
                return Ok(());
            }
            if !self.advance()? {
                break;
            }
        }
        Err(format!("{} requests stay outstanding", self.machine.open().0))
    }

    /// Reads every sector of the volume in pieces and in random order; a power failure may occur meanwhile.
    fn read_all(&mut self) -> Checked {
        let sectors = self.machine.sectors();
        let mut pieces = Vec::new();
        let mut sector = 0;
        while sector < sectors {
            let size =
                u64::from(self.machine.rng.random_range(1..=self.plan.kind.largest)).min(sectors - sector);
            pieces.push((sector, size as u32));
            sector += size;
        }
        while !pieces.is_empty() {
            self.settle(self.plan.at_once - 1)?;
            let (sector, sectors) = pieces.swap_remove(self.machine.rng.random_range(0..pieces.len()));
            self.machine.submit(VolumeRequest { sector, sectors, op: Op::Read, metadata: false })?;
            if self.plan.losses && self.machine.rng.random_bool(0.002) {
                self.lose_power()?;
                return self.read_all();
            }
        }
        self.settle(0)
    }
}
