//! Histories, and a simple model that computes the possible images from the bytes of all writes.

use std::collections::VecDeque;
use std::path::Path;

use proptest::prelude::*;
use sledsim_emulator::crash::{Fate, TORN};
use sledsim_emulator::history::{About, History, Writer};
use sledsim_emulator::store::{Memory, Store};

pub const BYTES: u64 = 64 * 512;
pub const CACHES: [&str; 3] = ["none", "volatile", "lying"];
/// Capacity of the cache in bytes. The cache is so small that it moves its oldest writes to the medium without
/// a flush.
const CACHE_BYTES: u64 = 24 * 512;

#[derive(Clone, Debug)]
pub enum Step {
    Write {
        sector: u64,
        sectors: u64,
        value: u8,
        fua: bool,
    },
    Zeros {
        sector: u64,
        sectors: u64,
    },
    /// The oldest waiting write is answered.
    Answer,
    /// The newest waiting write is answered.
    AnswerNewest,
    /// The oldest waiting write fails.
    Fail,
    /// A flush is submitted and answered at once.
    Flush,
    /// A flush is submitted.
    SubmitFlush,
    /// The oldest waiting flush is answered.
    AnswerFlush,
}

impl Step {
    pub fn write(sector: u64, sectors: u64, value: u8) -> Self {
        Self::Write { sector, sectors, value, fua: false }
    }
}

pub fn histories() -> impl Strategy<Value = Vec<Step>> {
    let place = (0..64_u64, 1..17_u64).prop_map(|(sector, sectors)| (sector, sectors.min(64 - sector)));
    let step = prop_oneof![
        5 => (place.clone(), 1..200_u8, prop::bool::weighted(0.2)).prop_map(|((sector, sectors), value, fua)| {
            Step::Write { sector, sectors, value, fua }
        }),
        1 => place.prop_map(|(sector, sectors)| Step::Zeros { sector, sectors }),
        3 => Just(Step::Answer),
        1 => Just(Step::AnswerNewest),
        1 => Just(Step::Fail),
        1 => Just(Step::Flush),
        1 => Just(Step::SubmitFlush),
        1 => Just(Step::AnswerFlush),
    ];
    prop::collection::vec(step, 1..14)
}

/// The sectors of a write, each with its number on the device and its contents.
type Sectors = Vec<(u64, Vec<u8>)>;

/// The contents that certainly are on the medium, and the open writes in the order in which they overwrite each
/// other.
#[derive(Clone)]
struct State {
    settled: Vec<u8>,
    cached: Vec<usize>,
    flying: Vec<usize>,
    /// Sectors of open writes that a newer write has replaced on the medium: number of the open write, and
    /// number of the sector.
    dead: Vec<(usize, u64)>,
}

pub struct Model {
    writes: Vec<Sectors>,
    /// The state of the medium at each cut of the history.
    states: Vec<State>,
}

/// Record the steps on a device of `bytes` bytes with the cache `cache` in a history file in `folder`.
pub fn written(steps: &[Step], cache: &str, bytes: u64, folder: &Path) -> History {
    let path = folder.join("a.history");
    let about = About { bytes, cache: cache.into(), cache_bytes: CACHE_BYTES, device: "x".into() };
    let mut writer = Writer::create(&path, &about, &before(bytes)).unwrap();
    let (mut waiting, mut next) = (Vec::new(), 0);
    let (mut answers, mut flushes) = (0, VecDeque::new());
    for (now_ns, step) in (0..).zip(steps) {
        match *step {
            Step::Write { sector, sectors, value, fua } => {
                writer.write(now_ns, next, sector * 512, fua, &content(sector, sectors, value).concat());
            }
            Step::Zeros { sector, sectors } => writer.zero(now_ns, next, sector * 512, false, sectors * 512),
            Step::Flush => writer.flushed(now_ns, answers),
            Step::SubmitFlush => flushes.push_back(answers),
            Step::AnswerFlush => {
                flushes.pop_front().iter().for_each(|covers| writer.flushed(now_ns, *covers))
            }
            Step::Answer | Step::AnswerNewest | Step::Fail => {
                if let Some(number) = answered(step, &mut waiting) {
                    writer.completed(now_ns, number, !matches!(step, Step::Fail));
                    answers += 1;
                }
            }
        }
        if matches!(step, Step::Write { .. } | Step::Zeros { .. }) {
            waiting.push(next);
            next += 1;
        }
    }
    assert!(writer.finish().unwrap());
    History::open(&path).unwrap()
}

fn before(bytes: u64) -> Memory {
    let mut before = Memory::new(bytes);
    before.write(40 * 512, &[250; 512]).unwrap();
    before
}

/// Return the contents of each of the `sectors` sectors of a write that begins at sector `sector`. All sectors
/// have different contents.
fn content(sector: u64, sectors: u64, value: u8) -> Vec<Vec<u8>> {
    let one = |at: u64| {
        let mut data = vec![value; 512];
        data[511] = (sector + at) as u8;
        data
    };
    (0..sectors).map(one).collect()
}

fn answered(step: &Step, waiting: &mut Vec<u64>) -> Option<u64> {
    let at = if matches!(step, Step::AnswerNewest) { waiting.len().checked_sub(1)? } else { 0 };
    (at < waiting.len()).then(|| waiting.remove(at))
}

/// Record the steps in a history file in `folder`. Return the history and the model, which has the images of
/// this history.
pub fn built(steps: &[Step], cache: &str, folder: &Path) -> (History, Model) {
    let history = written(steps, cache, BYTES, folder);
    let mut settled = vec![0; BYTES as usize];
    before(BYTES).read(0, &mut settled).unwrap();
    let mut state = State { settled, cached: Vec::new(), flying: Vec::new(), dead: Vec::new() };
    let mut model = Model { writes: Vec::new(), states: vec![state.clone()] };
    let (mut waiting, mut flushes) = (Vec::new(), VecDeque::new());
    for step in steps {
        match *step {
            Step::Write { sector, sectors, value, .. } => {
                model.writes.push((sector..).zip(content(sector, sectors, value)).collect());
            }
            Step::Zeros { sector, sectors } => {
                model.writes.push((sector..).zip(vec![vec![0; 512]; sectors as usize]).collect());
            }
            Step::Flush | Step::SubmitFlush | Step::AnswerFlush if cache == "lying" => {}
            Step::Flush => {
                let covered = state.cached.clone();
                model.flush(&mut state, &covered);
            }
            Step::SubmitFlush => flushes.push_back(state.cached.clone()),
            Step::AnswerFlush => {
                flushes.pop_front().iter().for_each(|covered| model.flush(&mut state, covered));
            }
            Step::Answer | Step::AnswerNewest | Step::Fail => {
                let Some(number) = answered(step, &mut waiting) else { continue };
                state.flying.retain(|write| *write != number as usize);
                if !matches!(step, Step::Fail) {
                    model.arrive(&mut state, number as usize, cache, history.writes[number as usize].fua);
                }
            }
        }
        if matches!(step, Step::Write { .. } | Step::Zeros { .. }) {
            let number = model.writes.len() - 1;
            waiting.push(number as u64);
            state.flying.push(number);
            model.states.push(state.clone());
        }
    }
    model.states.push(state);
    (history, model)
}

impl Model {
    /// Apply the answer to the write with number `number` to `state`.
    fn arrive(&self, state: &mut State, number: usize, cache: &str, fua: bool) {
        if cache == "none" || cache == "volatile" && fua {
            self.settle(state, number);
            let gone: Vec<u64> = self.writes[number].iter().map(|(sector, _)| *sector).collect();
            for older in &state.cached {
                let over = self.writes[*older].iter().filter(|(sector, _)| gone.contains(sector));
                state.dead.extend(over.map(|(sector, _)| (*older, *sector)));
            }
            return;
        }
        state.cached.push(number);
        let held = |state: &State| state.cached.iter().map(|write| self.writes[*write].len()).sum::<usize>();
        while held(state) * 512 > CACHE_BYTES as usize {
            let oldest = state.cached.remove(0);
            self.settle(state, oldest);
        }
    }

    /// Settle the writes in `covered` that are still in the cache, in the order in which they entered it.
    fn flush(&self, state: &mut State, covered: &[usize]) {
        let (settled, stays) = state.cached.iter().partition(|write| covered.contains(write));
        let settled: Vec<usize> = settled;
        state.cached = stays;
        settled.into_iter().for_each(|number| self.settle(state, number));
    }

    fn settle(&self, state: &mut State, number: usize) {
        for (sector, data) in &self.writes[number] {
            if !state.dead.contains(&(number, *sector)) {
                state.settled[*sector as usize * 512..][..512].copy_from_slice(data);
            }
        }
    }

    /// Return the numbers of the open writes at a cut.
    pub fn open(&self, cut: usize) -> Vec<usize> {
        let state = &self.states[cut];
        [&state.cached[..], &state.flying].concat()
    }

    /// Return the contents of the image in which each open write of a cut has its fate in `fates`.
    pub fn image(&self, cut: usize, fates: &[Fate]) -> Vec<u8> {
        let state = &self.states[cut];
        let mut image = state.settled.clone();
        for fate in fates {
            let number = fate.number - 1;
            for at in fate.kept.iter().cloned().flatten() {
                let (sector, data) = &self.writes[number][at as usize];
                assert!(
                    !state.dead.contains(&(number, *sector)),
                    "a sector that a newer write replaced on the medium does not change"
                );
                image[*sector as usize * 512..][..512].copy_from_slice(data);
            }
        }
        for fate in fates {
            for at in fate.torn.iter().cloned().flatten() {
                let (sector, _) = self.writes[fate.number - 1][at as usize];
                image[sector as usize * 512..][..512].copy_from_slice(TORN);
            }
        }
        image
    }
}
