//! Loss of power under a clock: what was answered stays as the cache says, whatever was in service and in the queue.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use sledsim_emulator::emulator::{Asker, Contents, Durability, Emulator, Loss, PowerCut, Torn};
use sledsim_emulator::nbd::{Errno, Kind, Request};
use sledsim_emulator::store::{Memory, Store, Unreadable};

use super::{again, request, simulation, SECTORS};

/// Bytes that are still there when the device is gone.
#[derive(Clone)]
struct Medium(Arc<Mutex<Memory>>);

impl Store for Medium {
    fn bytes(&self) -> u64 {
        self.0.lock().unwrap().bytes()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.lock().unwrap().read(offset, into)
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().write(offset, data)
    }

    fn zero(&mut self, offset: u64, bytes: u64) -> io::Result<()> {
        self.0.lock().unwrap().zero(offset, bytes)
    }

    fn next_data(&self, range: Range<u64>) -> io::Result<Option<Range<u64>>> {
        self.0.lock().unwrap().next_data(range)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Medium {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Memory::new(SECTORS * 512))))
    }

    /// The number of the write that a sector is of.
    fn sector(&self, sector: u64) -> u8 {
        let mut bytes = [0; 512];
        self.read(sector * 512, &mut bytes).unwrap();
        assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a sector is whole");
        bytes[0]
    }
}

fn device(
    target: &str,
    policy: &str,
    durability: Durability,
    lead_ns: u64,
    medium: &Medium,
    list: &Path,
) -> Emulator {
    let unreadable = Unreadable::load(list, SECTORS).unwrap();
    let contents = Contents::new(Box::new(medium.clone()), unreadable, durability).with_list(list.into());
    let mut emulator = Emulator::new(simulation(target, policy), contents, "1".parse().unwrap(), lead_ns);
    emulator.prepare_for_loss().unwrap();
    emulator
}

/// What a client does, so long after what it did before.
#[derive(Clone, Debug)]
enum Act {
    Write { sector: u64, sectors: u32, zeroes: bool, fua: bool },
    Read { sector: u64 },
    Flush,
}

fn acts() -> impl Strategy<Value = Vec<(u64, Act)>> {
    let sector = || prop_oneof![0..200_u64, 0..SECTORS - 2048];
    let write = (sector(), 1..400_u32, 0..4, 0..4).prop_map(|(sector, sectors, zeroes, fua)| Act::Write {
        sector,
        sectors: if sectors < 200 { sectors % 16 + 1 } else { sectors },
        zeroes: zeroes == 0,
        fua: fua == 0,
    });
    let act =
        prop_oneof![6 => write, 1 => sector().prop_map(|sector| Act::Read { sector }), 1 => Just(Act::Flush)];
    prop::collection::vec((0..2_500_000_u64, act), 1..80)
}

/// What each sector may have, the newest last: all but the last may be there only where that can be lost.
struct Model {
    durability: Durability,
    sectors: HashMap<u64, Vec<u8>>,
    /// By the number of a request, what it writes; taken out when it is answered.
    asked: HashMap<u64, (Range<u64>, u8, bool)>,
}

impl Model {
    fn answered(&mut self, number: u64) {
        let Some((sectors, value, fua)) = self.asked.remove(&number) else { return };
        let stays =
            self.durability == Durability::WriteThrough || self.durability == Durability::Volatile && fua;
        for sector in sectors {
            let may_have = self.sectors.entry(sector).or_insert_with(|| vec![0]);
            if stays {
                may_have.clear();
            }
            may_have.push(value);
        }
    }

    fn flush(&mut self) {
        if self.durability != Durability::Lying {
            self.sectors.values_mut().for_each(|may_have| drop(may_have.drain(..may_have.len() - 1)));
        }
    }
}

/// Does all until the cut, looking at the clock as soon as something is due; the loss.
fn until_cut(
    emulator: &mut Emulator,
    model: &mut Model,
    acts: &[(u64, Act)],
    cut_ns: u64,
    cut: PowerCut,
) -> Loss {
    let (mut now_ns, mut todo) = (0, acts.iter().zip(0_u64..));
    let mut next = todo.next();
    let mut arrives_ns = next.map_or(u64::MAX, |((after_ns, _), _)| *after_ns);
    loop {
        let wake_ns = emulator.wake_ns().unwrap_or(u64::MAX);
        // What is answered early may be early enough to be late.
        now_ns = now_ns.max(wake_ns.min(arrives_ns));
        if now_ns >= cut_ns {
            return emulator.lose_power(cut_ns, cut).unwrap();
        }
        while let Some(answer) = super::next_answer(emulator, now_ns) {
            emulator.sent(answer.timed.unwrap(), Some(now_ns));
            model.answered(answer.to.number);
        }
        if arrives_ns > now_ns {
            continue;
        }
        let ((_, act), number) = next.expect("it arrives");
        let value = (number % 250 + 1) as u8;
        let asked = match *act {
            Act::Write { sector, sectors, zeroes, fua } => {
                let kind = if zeroes { Kind::WriteZeroes } else { Kind::Write };
                let value = if zeroes { 0 } else { value };
                model.asked.insert(number, (sector..sector + u64::from(sectors), value, fua));
                Request { fua, ..request(number, kind, sector, sectors) }
            }
            Act::Read { sector } => request(number, Kind::Read, sector, 8),
            Act::Flush => request(number, Kind::Flush, 0, 0),
        };
        let data = vec![value; asked.data.len()];
        let from = Asker { connection: 1, number };
        if emulator.request(now_ns, from, Request { data, ..asked }).unwrap().is_some() {
            model.flush();
        }
        next = todo.next();
        arrives_ns = next.map_or(u64::MAX, |((after_ns, _), _)| now_ns + after_ns);
    }
}

const TORN: [Torn; 3] = [Torn::Unreadable, Torn::Old, Torn::New];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever the device, the cache, the policy and the lead.
    #[test]
    fn a_loss_of_power_takes_what_the_cache_may_lose_and_what_is_under_the_tips(
        acts in acts(), cut_ns in 1..60_000_000_u64, seed in any::<u64>(), torn in prop::sample::select(&TORN[..]),
        target in prop::sample::select(vec!["osdi00", "osdi00", "atlas10k", "cf-card", "osdi00-erase"]),
        policy in prop::sample::select(vec!["fcfs", "sptf"]), lead_ns in prop::sample::select(vec![0, 400_000]),
        durability in prop::sample::select(Durability::ALL.map(|(_, durability, _)| durability).to_vec()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let medium = Medium::new();
        let mut emulator = device(target, policy, durability, lead_ns, &medium, &list);
        let mut model = Model { durability, sectors: HashMap::new(), asked: HashMap::new() };
        let loss = until_cut(&mut emulator, &mut model, &acts, cut_ns, PowerCut { seed, torn });
        prop_assert_eq!((emulator.waiting(), emulator.wake_ns()), (0, None));

        // Of what was not answered only one write was in service, and what the device had done by then.
        let unreadable = Unreadable::load(&list, SECTORS).unwrap();
        prop_assert_eq!(unreadable.sectors(), loss.torn_sectors);
        prop_assert!(torn == Torn::Unreadable || unreadable.is_empty());
        let is_waiting = |sector: u64| model.asked.values().any(|(sectors, ..)| sectors.contains(&sector));
        prop_assert!(unreadable.ranges().all(|range| range.into_iter().all(is_waiting)));
        let all = model.sectors.keys().copied().chain(model.asked.values().flat_map(|(sectors, ..)| sectors.clone()));
        for sector in all {
            if unreadable.first_of(sector..sector + 1).is_some() {
                continue;
            }
            let found = medium.sector(sector);
            let may_have = model.sectors.get(&sector).map_or(&[0][..], |may_have| may_have);
            if may_have.contains(&found) {
                continue;
            }
            let of_waiting = |(sectors, value, _): &(Range<u64>, u8, bool)| sectors.contains(&sector) && *value == found;
            prop_assert!(model.asked.values().any(of_waiting), "sector {sector} has {found}, not of {may_have:?}");
        }

        // The record is that of a run.
        let (outcome, rows) = emulator.finish().unwrap();
        let unanswered = rows.iter().filter(|row| row.sent_ns.is_none()).count() as u64;
        prop_assert_eq!(unanswered, loss.unanswered);
        prop_assert!(rows.iter().all(|row| row.due_ns > 0));
        prop_assert_eq!(again(target, policy, &outcome.record), outcome.record);
    }
}

/// When a request, or its first part, is done that comes first.
fn done_ns(folder: &Path, request: Request) -> u64 {
    let list = folder.join("none");
    let mut other = device("osdi00", "fcfs", Durability::WriteThrough, 0, &Medium::new(), &list);
    other.request(0, Asker { connection: 1, number: 0 }, request).unwrap();
    other.finish().unwrap().0.record.completion_ns[0] as u64
}

fn torn_write(folder: &Path, medium: &Medium, torn: Torn) -> (Emulator, Loss) {
    let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, 0, medium, &folder.join("list"));
    let mut model =
        Model { durability: Durability::WriteThrough, sectors: HashMap::new(), asked: HashMap::new() };
    let write = Act::Write { sector: 0, sectors: 200, zeroes: false, fua: false };
    let done_ns = done_ns(folder, request(0, Kind::Write, 0, 200));
    // In the midst of the last row but one.
    let row_ns = 90 * 40 * 1_000 / 28;
    let cut = PowerCut { seed: 0, torn };
    let loss = until_cut(&mut emulator, &mut model, &[(0, write)], done_ns - row_ns * 3 / 2, cut);
    (emulator, loss)
}

#[test]
fn the_row_under_the_tips_is_torn_and_can_be_read_once_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let medium = Medium::new();
    let (emulator, loss) = torn_write(folder.path(), &medium, Torn::Unreadable);
    // Rows of 20 blocks.
    assert_eq!((loss.written_sectors, loss.torn_sectors, loss.unanswered), (160, 20, 1));
    drop(emulator);
    let list = folder.path().join("list");
    let torn = Unreadable::load(&list, SECTORS).unwrap().ranges().next().unwrap();
    let again = |kind, sector, sectors| {
        let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, 0, &medium, &list);
        emulator.request(0, Asker { connection: 1, number: 0 }, request(0, kind, sector, sectors)).unwrap();
        loop {
            let now_ns = emulator.wake_ns().unwrap();
            if let Some(answer) = super::next_answer(&mut emulator, now_ns) {
                // It is not finished: a kill loses nothing of what was answered.
                return answer.result.map(|data| data.len());
            }
        }
    };
    assert_eq!(again(Kind::Read, 0, 200), Err(Errno::Io));
    assert_eq!(again(Kind::Read, torn.start, 1), Err(Errno::Io));
    assert_eq!(again(Kind::Write, torn.start, 19), Ok(0));
    assert_eq!(again(Kind::Read, torn.start, 19), Ok(19 * 512));
    assert_eq!(again(Kind::Read, torn.start, 20), Err(Errno::Io));
    assert_eq!(again(Kind::WriteZeroes, torn.start, 20), Ok(0));
    assert_eq!(again(Kind::Read, 0, 200), Ok(200 * 512));
    assert!(!list.exists(), "all can be read");
}

#[test]
fn what_becomes_of_a_torn_row_can_be_chosen() {
    for (torn, written) in [(Torn::Old, 160), (Torn::New, 180)] {
        let folder = tempfile::tempdir().unwrap();
        let medium = Medium::new();
        let (_, loss) = torn_write(folder.path(), &medium, torn);
        assert_eq!((loss.written_sectors, loss.torn_sectors), (written, 0));
        assert_eq!((0..200).filter(|sector| medium.sector(*sector) == 1).count() as u64, written);
        assert!(!folder.path().join("list").exists());
    }
}

#[test]
fn about_half_of_what_was_not_flushed_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let writes: Vec<(u64, Act)> = (0..100)
        .map(|at| (2_000_000, Act::Write { sector: 100 * at, sectors: 8, zeroes: false, fua: false }))
        .collect();
    for (durability, least, most) in [(Durability::WriteThrough, 0, 0), (Durability::Volatile, 340, 460)] {
        let medium = Medium::new();
        let mut emulator = device("osdi00", "fcfs", durability, 0, &medium, &folder.path().join("list"));
        let mut model = Model { durability, sectors: HashMap::new(), asked: HashMap::new() };
        let loss = until_cut(&mut emulator, &mut model, &writes, 10_000_000_000, PowerCut::default());
        assert!((least..=most).contains(&loss.lost_sectors), "{loss:?}");
        let lost = (0..10_000).filter(|sector| sector % 100 < 8 && medium.sector(*sector) == 0).count();
        assert_eq!(lost as u64, loss.lost_sectors);
        assert_eq!(loss.unflushed_sectors, if durability == Durability::Volatile { 800 } else { 0 });
    }
}

#[test]
fn zeros_that_take_several_requests_of_the_device_are_there_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let mut medium = Medium::new();
    medium.write(0, &vec![9; 150_000 * 512]).unwrap();
    let mut emulator =
        device("osdi00", "fcfs", Durability::WriteThrough, 0, &medium, &folder.path().join("list"));
    let from = Asker { connection: 1, number: 0 };
    emulator.request(0, from, request(0, Kind::WriteZeroes, 0, 150_000)).unwrap();
    let first_ns = done_ns(folder.path(), request(0, Kind::WriteZeroes, 0, 150_000));
    while emulator.wake_ns().unwrap() <= first_ns {
        let now_ns = emulator.wake_ns().unwrap();
        assert!(super::next_answer(&mut emulator, now_ns).is_none());
    }
    let loss = emulator.lose_power(first_ns + 1_000, PowerCut::default()).unwrap();
    assert!((65_536..65_600).contains(&loss.written_sectors), "{loss:?}");
    assert_eq!([0, 65_535, 100_000].map(|sector| medium.sector(sector)), [0, 0, 9]);
}

#[test]
fn volumes_are_refused() {
    let contents =
        Contents::new(Box::new(Memory::new(1 << 20)), Unreadable::default(), Durability::WriteThrough);
    let mut emulator =
        Emulator::new(simulation("raid5:devices=4", "fcfs"), contents, "1".parse().unwrap(), 0);
    let error = emulator.prepare_for_loss().unwrap_err().to_string();
    assert_eq!(error, "loss of power: expected a device without a volume, found a volume");
    let error = emulator.lose_power(0, PowerCut::default()).unwrap_err().to_string();
    assert_eq!(error, "loss of power: expected a server that was prepared for it");
}
