//! Compare the data of reads with a model that applies requests in the order of their completion. The clients
//! take the data at random times.

use std::collections::{HashMap, VecDeque};

use proptest::prelude::*;
use sledsim_emulator::emulator::{Answer, Asker, Contents, Durability, Emulator};
use sledsim_emulator::nbd::{Kind, Request, PART_BYTES};
use sledsim_emulator::store::{Memory, Unreadable};

use super::{ask, simulation, SECTORS};

/// Number of sectors that requests use. The range is so small that requests often overlap.
const PLACE: u64 = 6 * PART_BYTES as u64 / 512;

/// A request that a client sends some nanoseconds after its previous request.
#[derive(Clone, Debug)]
struct Asked {
    after_ns: u64,
    kind: Kind,
    sector: u64,
    sectors: u32,
}

fn asked() -> impl Strategy<Value = Asked> {
    let kind = prop::sample::select(vec![Kind::Read, Kind::Read, Kind::Write, Kind::WriteZeroes]);
    let longest = prop::sample::select(vec![9, 300, PLACE]);
    (0..2_000_000_u64, kind, 0..PLACE, any::<u64>(), longest).prop_map(
        |(after_ns, kind, sector, sectors, longest)| {
            let sectors = 1 + sectors % longest.min(PLACE - sector);
            Asked { after_ns, kind, sector, sectors: sectors as u32 }
        },
    )
}

fn request(number: u64, asked: &Asked) -> Request {
    super::request(number, asked.kind, asked.sector, asked.sectors)
}

fn emulator(target: &str, policy: &str, durability: Durability, lead_ns: u64) -> Emulator {
    let store = Box::new(Memory::new(SECTORS * 512));
    let contents = Contents::new(store, Unreadable::default(), durability);
    Emulator::new(simulation(target, policy), contents, "1".parse().unwrap(), lead_ns)
}

/// A client that receives the data of reads in parts, at random times.
#[derive(Default)]
struct Taker {
    /// Reads whose data were not received completely, in the order of their answers.
    open: VecDeque<Asker>,
    found: HashMap<u64, Vec<u8>>,
    left: HashMap<u64, u32>,
}

impl Taker {
    fn begin(&mut self, answer: Answer) {
        let data = answer.result.unwrap();
        assert!(data.len() <= PART_BYTES);
        self.found.insert(answer.to.number, data);
        if answer.rest > 0 {
            self.left.insert(answer.to.number, answer.rest);
            self.open.push_back(answer.to);
        }
    }

    /// Receive the next part of the first read. Return true if there was a part to receive.
    fn take(&mut self, emulator: &mut Emulator) -> bool {
        let Some(of) = self.open.pop_front() else { return false };
        let data = emulator.more(of).unwrap();
        let left = self.left.get_mut(&of.number).unwrap();
        *left -= data.len() as u32;
        if *left > 0 {
            self.open.push_back(of);
        }
        self.found.get_mut(&of.number).unwrap().extend(data);
        true
    }
}

/// Serve all requests in an order of steps that the random numbers `ways` determine. Return the client with the
/// data of all reads, and the request number and due time of each answer.
fn serve(emulator: &mut Emulator, all: &[Asked], ways: &[u8]) -> (Taker, Vec<(u64, u64)>) {
    let (mut taker, mut answered) = (Taker::default(), Vec::new());
    let (mut now_ns, mut next_ns, mut todo) = (0, 0, all.iter().enumerate().peekable());
    let mut ways = ways.iter().cycle();
    loop {
        // Choose the next step: take a part, read ahead, or go on.
        match ways.next().unwrap() % 4 {
            0 => drop(taker.take(emulator)),
            1 => drop(emulator.prepare()),
            _ => {}
        }
        if let Some(answer) = emulator.next_answer(now_ns).unwrap() {
            let timed = answer.timed.unwrap();
            emulator.sent(timed, Some(now_ns));
            answered.push((answer.to.number, timed.due_ns));
            taker.begin(answer);
            continue;
        }
        let wake_ns = emulator.wake_ns().unwrap_or(u64::MAX);
        if wake_ns <= now_ns {
            continue;
        }
        match todo.peek() {
            Some((number, asked)) if next_ns + asked.after_ns <= wake_ns => {
                now_ns = now_ns.max(next_ns + asked.after_ns);
                next_ns = now_ns;
                assert_eq!(ask(emulator, now_ns, request(*number as u64, asked)), None);
                todo.next();
            }
            // Read the clock late, so that several answers are due at once.
            _ if wake_ns < u64::MAX => now_ns = wake_ns + u64::from(*ways.next().unwrap()) * 50_000,
            _ => break,
        }
    }
    while taker.take(emulator) {}
    (taker, answered)
}

/// Return the data that each read must find, by number of the read, if the requests `all` are applied one after
/// the other in the order `completed`.
fn model(all: &[Asked], completed: &[u64]) -> HashMap<u64, Vec<u8>> {
    let mut contents = vec![0; PLACE as usize * 512];
    let mut found = HashMap::new();
    for number in completed {
        let Request { kind, offset, bytes, data, .. } = request(*number, &all[*number as usize]);
        let place = &mut contents[offset as usize..offset as usize + bytes as usize];
        match kind {
            Kind::Read => drop(found.insert(*number, place.to_vec())),
            Kind::Write => place.copy_from_slice(&data),
            _ => place.fill(0),
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_read_finds_what_was_there_when_it_was_complete(
        all in prop::collection::vec(asked(), 1..60),
        ways in prop::collection::vec(any::<u8>(), 1..40),
        target in prop::sample::select(vec!["osdi00", "osdi00", "stripe:devices=2", "cf-card"]),
        policy in prop::sample::select(vec!["fcfs", "sptf"]),
        durability in prop::sample::select(vec![Durability::WriteThrough, Durability::Volatile, Durability::Lying]),
        early in any::<bool>(),
    ) {
        // Early answers of several devices do not come in the order of completion.
        let lead_ns = if early && target == "osdi00" { 25_000 } else { 0 };
        let mut emulator = emulator(target, policy, durability, lead_ns);
        let (taker, answered) = serve(&mut emulator, &all, &ways);
        prop_assert_eq!(answered.len(), all.len());
        let (outcome, _) = emulator.finish().unwrap();
        let mut completed: Vec<u64> = (0..all.len() as u64).collect();
        completed.sort_by_key(|row| outcome.record.completion_ns[*row as usize]);
        let times: Vec<i64> = completed.iter().map(|row| outcome.record.completion_ns[*row as usize]).collect();
        prop_assume!(times.is_sorted_by(|one, other| one < other), "the order of requests completed at the same time is not defined");
        let expected = model(&all, &completed);
        for (number, data) in expected {
            prop_assert!(taker.found[&number] == data, "read {}", number);
        }
    }
}

#[test]
fn a_short_answer_does_not_wait_for_a_long_write() {
    let mut emulator = emulator("stripe:devices=2", "fcfs", Durability::WriteThrough, 0);
    let long = Asked { after_ns: 0, kind: Kind::Write, sector: 0, sectors: 4096 };
    let short = Asked { kind: Kind::Read, sector: 200_000, sectors: 8, ..long };
    let meets = Asked { sector: 4000, ..short };
    for (number, asked) in [&long, &short, &meets].into_iter().enumerate() {
        assert_eq!(ask(&mut emulator, 0, request(number as u64, asked)), None);
    }
    // The clock is read long after all are due.
    let mut answered = Vec::new();
    for _ in 0..100 {
        answered.extend(emulator.next_answer(10_000_000_000).unwrap().map(|answer| answer.to.number));
    }
    assert_eq!(answered, [1, 0, 2], "the second read overlaps the write");
}

/// Checks that reads do not wait for a long write before them. Two of the four reads overlap the ends of the
/// write, and two lie next to its ends.
#[test]
fn what_touches_a_long_write_does_not_wait_for_it() {
    let mut emulator = emulator("osdi00", "fcfs", Durability::WriteThrough, 0);
    let long = Asked { after_ns: 0, kind: Kind::Write, sector: 8, sectors: 4096 };
    let before = Asked { kind: Kind::Read, sector: 0, sectors: 8, ..long };
    let behind = Asked { sector: 8 + 4096, ..before };
    let meets = [Asked { sectors: 9, ..before }, Asked { sector: 8 + 4095, ..before }];
    for (number, asked) in [&long, &before, &meets[0], &behind, &meets[1]].into_iter().enumerate() {
        assert_eq!(ask(&mut emulator, 0, request(number as u64, asked)), None);
    }
    let mut answered = Vec::new();
    for _ in 0..100 {
        answered.extend(emulator.next_answer(10_000_000_000).unwrap().map(|answer| answer.to.number));
    }
    assert_eq!(answered, [1, 3, 0, 2, 4]);
}

#[test]
fn the_rest_of_answers_to_a_client_that_left_is_freed() {
    let mut emulator = emulator("osdi00", "fcfs", Durability::WriteThrough, 0);
    let read = Asked { after_ns: 0, kind: Kind::Read, sector: 0, sectors: PLACE as u32 };
    assert_eq!(ask(&mut emulator, 0, request(0, &read)), None);
    let answer = emulator.next_answer(10_000_000_000).unwrap().unwrap();
    assert_eq!(answer.rest as usize, 5 * PART_BYTES);
    // The data of the read are saved from the write that follows.
    let write = Asked { kind: Kind::Write, ..read };
    assert_eq!(ask(&mut emulator, 10_000_000_000, request(1, &write)), None);
    while emulator.next_answer(20_000_000_000).unwrap().is_none() {}
    let before = emulator.buffers().held();
    emulator.forget(answer.to.connection);
    assert_eq!(emulator.buffers().held(), before + 5 * PART_BYTES);
}
