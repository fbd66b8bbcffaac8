//! Number of requests that volumes place, alone, with members that answer at once: `cargo bench --bench volumes`. One
//! thread.

use std::hint::black_box;

use divan::counter::ItemsCount;
use divan::Bencher;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::options::Options;
use sledsim::request::Op;
use sledsim::time::Time;
use sledsim::volume::{Action, Io, Members, Part, Urgency, Volume, VolumeRequest, VOLUMES};

const REQUESTS: usize = 1_000_000;
/// Sizes of members, 8 GB and 4 GB, in sectors.
const MEMBERS: [u64; 2] = [16_000_000, 8_000_000];
/// Interval between requests, and from a part to its answer: a few are in flight.
const STEP_NS: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// Requests of 4 to 16 KiB, three of five for writing, one in eight for metadata at the start of 1 MiB; 128 MiB of
/// them are popular.
fn requests() -> Vec<VolumeRequest> {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut request = || {
        let metadata = rng.random_ratio(1, 8);
        let unit: u64 =
            if rng.random_ratio(3, 4) { rng.random_range(0..1 << 15) } else { rng.random_range(0..1 << 20) };
        let sector = if metadata { unit / 256 * 2048 + unit % 16 * 8 } else { unit * 8 };
        let sectors = if metadata { 8 } else { 8 * rng.random_range(1..=4) };
        let op = if rng.random_ratio(3, 5) { Op::Write } else { Op::Read };
        VolumeRequest { sector, sectors, op, metadata }
    };
    (0..REQUESTS).map(|_| request()).collect()
}

/// Runs a volume over members that answer every part after a while.
struct Runner {
    volume: Box<dyn Volume>,
    io: Io,
    /// Parts in flight, in order, and their times of return.
    parts: std::collections::VecDeque<(Time, Part, Urgency)>,
    wakes: Vec<(Time, u64)>,
    done: u64,
}

impl Runner {
    fn new(name: &str, options: &str) -> Self {
        let row = VOLUMES.find(name).expect("a known volume");
        let options = Options::parse(row.name, &row.options.concat(), options).expect("options that can be");
        let members: Members = row.make.roles.iter().zip(MEMBERS).map(|(_, sectors)| vec![sectors]).collect();
        let volume = (row.make.build)(&options, &members).expect("a volume that can be");
        let io = Io::new(members.len() as u32, false);
        Self { volume, io, parts: Default::default(), wakes: Vec::new(), done: 0 }
    }

    fn act(&mut self, now: Time) {
        while let Some(action) = self.io.next_action() {
            match action {
                Action::Submit(part, urgency) => {
                    self.parts.push_back((Time(now.0 + 2 * STEP_NS), part, urgency));
                }
                Action::Promote(job) => {
                    for (_, part, urgency) in self.parts.iter_mut().filter(|(_, part, _)| part.job == job) {
                        if std::mem::replace(urgency, Urgency::Foreground) == Urgency::Background {
                            self.io.promoted(part);
                        }
                    }
                    self.volume.promoted(now, job, &mut self.io);
                }
                Action::Complete(job, _) => {
                    self.io.forget(job);
                    self.done += 1;
                }
                Action::Wake(at, token) => self.wakes.push((at, token)),
                Action::Credit(..) => {}
                _ => unreachable!("data are not followed"),
            }
        }
    }

    fn come_back(&mut self, now: Time) {
        while self.parts.front().is_some_and(|(at, ..)| *at <= now) {
            let (_, part, urgency) = self.parts.pop_front().expect("it was just there");
            self.io.came_back(&part, urgency);
            self.volume.done(now, &part, &mut self.io);
            self.act(now);
            if urgency == Urgency::Foreground && self.io.is_idle(part.member) {
                self.volume.idle(now, part.member, &mut self.io);
                self.act(now);
            }
        }
        while let Some(at) = self.wakes.iter().position(|(at, _)| *at <= now) {
            let (_, token) = self.wakes.swap_remove(at);
            self.volume.woken(now, token, &mut self.io);
            self.act(now);
        }
    }

    fn run(&mut self, requests: &[VolumeRequest]) -> u64 {
        self.volume.begin(Time(0), &mut self.io);
        self.act(Time(0));
        for (at, request) in (0..).zip(requests) {
            let now = Time(at * STEP_NS);
            self.come_back(now);
            let job = self.io.begin();
            self.volume.submit(now, job, request, &mut self.io);
            self.act(now);
        }
        self.done
    }
}

/// Requests that each volume places in a second.
#[divan::bench(args = [
    "single:",
    "write-buffer:clean_after_ms=0",
    "write-buffer:clean_after_ms=0,buffer_mb=500",
    "metadata:",
    "metadata:mapping=direct,zone_every_kib=1024",
    "metadata+write-buffer:clean_after_ms=0",
], sample_count = 3, sample_size = 1)]
fn volumes(bencher: Bencher, volume: &str) {
    let requests = requests();
    let (name, options) = volume.split_once(':').expect("a name and options");
    bencher
        .counter(ItemsCount::new(REQUESTS))
        .with_inputs(|| Runner::new(name, options))
        .bench_local_values(|mut runner| black_box(runner.run(&requests)));
}
