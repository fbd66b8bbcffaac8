//! Power failures at any time. Answered writes must be as durable as the kind of cache promises, whether
//! requests are waiting or in service.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use proptest::prelude::*;
use sledsim_emulator::emulator::{Asker, Contents, Durability, Emulator, Loss, PowerCut, Torn};
use sledsim_emulator::history::{End, Event, History};
use sledsim_emulator::nbd::{Errno, Kind, Request, PART_BYTES};
use sledsim_emulator::store::{Memory, Store, Unreadable};

use super::powered::{begin_next, device, next_and_when, Shared};
use super::{again, request, simulation, SECTORS};

/// An action of a client. The test gives the time between two actions in ns.
#[derive(Clone, Debug)]
enum Act {
    Write { sector: u64, sectors: u32, zeroes: bool, fua: bool },
    Read { sector: u64, sectors: u32 },
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
    let read = (sector(), prop::sample::select(vec![8, 600]));
    let read = read.prop_map(|(sector, sectors)| Act::Read { sector, sectors });
    let act = prop_oneof![6 => write, 1 => read, 1 => Just(Act::Flush)];
    prop::collection::vec((0..2_500_000_u64, act), 1..80)
}

/// Possible contents of each sector after a power failure, the newest last. Older contents are possible only if
/// the cache can lose the newer ones.
struct Model {
    durability: Durability,
    /// Each content has the number of answers to writes before its own.
    sectors: HashMap<u64, Vec<(u64, u8)>>,
    /// Number of answers to writes so far.
    answers: u64,
    /// Numbers of unanswered flushes, each with the number of answers before its submission.
    flushes: HashMap<u64, u64>,
    /// Unanswered requests by number, each with its range of sectors, the value of its bytes, and true if it is
    /// a FUA write.
    asked: HashMap<u64, (Range<u64>, u8, bool)>,
}

impl Model {
    fn new(durability: Durability) -> Self {
        let (sectors, flushes, asked) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { durability, sectors, answers: 0, flushes, asked }
    }

    fn answered(&mut self, number: u64) {
        if let Some(covers) = self.flushes.remove(&number) {
            self.flush(covers);
        }
        let Some((sectors, value, fua)) = self.asked.remove(&number) else { return };
        let stays =
            self.durability == Durability::WriteThrough || self.durability == Durability::Volatile && fua;
        for sector in sectors {
            let may_have = self.sectors.entry(sector).or_insert_with(|| vec![(0, 0)]);
            if stays {
                may_have.clear();
            }
            may_have.push((self.answers, value));
        }
        self.answers += 1;
    }

    /// Remove the contents that cannot be found after a flush of the first `covers` answered writes.
    fn flush(&mut self, covers: u64) {
        for may_have in self.sectors.values_mut() {
            let newest = may_have.iter().rposition(|(answer, _)| *answer < covers);
            may_have.drain(..newest.unwrap_or(0));
        }
    }
}

/// Time and parameters of a power failure, and the time in ns between two calls of the emulator while it writes
/// a long write in parts.
#[derive(Clone, Copy, Debug, Default)]
struct Cut {
    at_ns: u64,
    part_ns: u64,
    how: PowerCut,
}

/// Apply the actions `acts` until the power failure `cut`. The clock is read whenever an answer is due. Return
/// the effect of the power failure.
fn until_cut(emulator: &mut Emulator, model: &mut Model, acts: &[(u64, Act)], cut: Cut) -> Loss {
    let (mut now_ns, mut todo) = (0, acts.iter().zip(0_u64..));
    let mut next = todo.next();
    let mut arrives_ns = next.map_or(u64::MAX, |((after_ns, _), _)| *after_ns);
    loop {
        let wake_ns = emulator.wake_ns().unwrap_or(u64::MAX);
        // An early answer may still be late.
        now_ns = now_ns.max(wake_ns.min(arrives_ns));
        if now_ns >= cut.at_ns {
            return emulator.lose_power(cut.at_ns, cut.how).unwrap();
        }
        if let Some(answer) = emulator.next_answer(now_ns).unwrap() {
            emulator.sent(answer.timed.unwrap(), Some(now_ns));
            model.answered(answer.to.number);
            continue;
        }
        if emulator.wake_ns() == Some(0) {
            now_ns += cut.part_ns;
            continue;
        }
        emulator.prepare();
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
            Act::Read { sector, sectors } => request(number, Kind::Read, sector, sectors),
            Act::Flush => {
                model.flushes.insert(number, model.answers);
                request(number, Kind::Flush, 0, 0)
            }
        };
        let data = vec![value; asked.data.len()];
        let from = Asker { connection: 1, number };
        if emulator.request(now_ns, from, Request { data, ..asked }).unwrap().is_some() {
            assert_eq!(model.durability, Durability::Lying, "the device ignores the flush");
            model.flushes.remove(&number);
        }
        next = todo.next();
        arrives_ns = next.map_or(u64::MAX, |((after_ns, _), _)| now_ns + after_ns);
    }
}

const TORN: [Torn; 3] = [Torn::Unreadable, Torn::Old, Torn::New];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Checks devices, caches, policies and leads chosen at random.
    #[test]
    fn a_loss_of_power_takes_what_the_cache_may_lose_and_what_is_under_the_tips(
        acts in acts(), cut_ns in 1..60_000_000_u64, seed in any::<u64>(), torn in prop::sample::select(&TORN[..]),
        target in prop::sample::select(vec!["osdi00", "osdi00", "atlas10k", "cf-card", "osdi00-erase"]),
        policy in prop::sample::select(vec!["fcfs", "sptf"]), lead_ns in prop::sample::select(vec![0, 400_000]),
        durability in prop::sample::select(Durability::ALL.map(|(_, durability, _)| durability).to_vec()),
        part_ns in prop::sample::select(vec![0, 200_000, 5_000_000]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let medium = Shared::new();
        let mut emulator = device(target, policy, durability, lead_ns, &medium, &list);
        let mut model = Model::new(durability);
        let cut = Cut { at_ns: cut_ns, part_ns, how: PowerCut { seed, torn } };
        let loss = until_cut(&mut emulator, &mut model, &acts, cut);
        prop_assert_eq!((emulator.waiting(), emulator.wake_ns()), (0, None));

        // At most one unanswered write was in service, as far as the device had come.
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
            let may_have = model.sectors.get(&sector).map_or(&[(0, 0)][..], |may_have| may_have);
            if may_have.iter().any(|(_, value)| *value == found) {
                continue;
            }
            let of_waiting = |(sectors, value, _): &(Range<u64>, u8, bool)| sectors.contains(&sector) && *value == found;
            prop_assert!(model.asked.values().any(of_waiting), "sector {sector}: expected one of the values {may_have:?}, found {found}");
        }

        // The record equals that of a simulation.
        let (outcome, rows) = emulator.finish().unwrap();
        let unanswered = rows.iter().filter(|row| row.sent_ns.is_none()).count() as u64;
        prop_assert_eq!(unanswered, loss.unanswered);
        prop_assert!(rows.iter().all(|row| row.due_ns > 0));
        prop_assert_eq!(again(target, policy, &outcome.record), outcome.record);
    }
}

/// Return the time in ns at which a new device completes `request`, or the first part of a long request.
fn done_ns(folder: &Path, request: Request) -> u64 {
    let list = folder.join("none");
    let mut other = device("osdi00", "fcfs", Durability::WriteThrough, 0, &Shared::new(), &list);
    other.request(0, Asker { connection: 1, number: 0 }, request).unwrap();
    other.finish().unwrap().0.record.completion_ns[0] as u64
}

fn torn_write(folder: &Path, medium: &Shared, torn: Torn) -> (Emulator, Loss) {
    let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, 0, medium, &folder.join("list"));
    let mut model = Model::new(Durability::WriteThrough);
    let write = Act::Write { sector: 0, sectors: 200, zeroes: false, fua: false };
    let done_ns = done_ns(folder, request(0, Kind::Write, 0, 200));
    // The middle of the last row but one.
    let row_ns = 90 * 40 * 1_000 / 28;
    let how = PowerCut { seed: 0, torn };
    let cut = Cut { at_ns: done_ns - row_ns * 3 / 2, how, ..Cut::default() };
    let loss = until_cut(&mut emulator, &mut model, &[(0, write)], cut);
    (emulator, loss)
}

#[test]
fn the_row_under_the_tips_is_torn_and_can_be_read_once_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let medium = Shared::new();
    let (emulator, loss) = torn_write(folder.path(), &medium, Torn::Unreadable);
    // Rows have 20 blocks.
    assert_eq!((loss.written_sectors, loss.torn_sectors, loss.unanswered), (160, 20, 1));
    drop(emulator);
    let list = folder.path().join("list");
    let torn = Unreadable::load(&list, SECTORS).unwrap().ranges().next().unwrap();
    let again = |kind, sector, sectors| {
        let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, 0, &medium, &list);
        emulator.request(0, Asker { connection: 1, number: 0 }, request(0, kind, sector, sectors)).unwrap();
        // The emulator is dropped without an end: a kill must not lose answered writes.
        next_and_when(&mut emulator, 0).0.result.map(|data| data.len())
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
        let medium = Shared::new();
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
        let medium = Shared::new();
        let mut emulator = device("osdi00", "fcfs", durability, 0, &medium, &folder.path().join("list"));
        let mut model = Model::new(durability);
        let cut = Cut { at_ns: 10_000_000_000, ..Cut::default() };
        let loss = until_cut(&mut emulator, &mut model, &writes, cut);
        assert!((least..=most).contains(&loss.lost_sectors), "{loss:?}");
        let lost = (0..10_000).filter(|sector| sector % 100 < 8 && medium.sector(*sector) == 0).count();
        assert_eq!(lost as u64, loss.lost_sectors);
        assert_eq!(loss.unflushed_sectors, if durability == Durability::Volatile { 800 } else { 0 });
    }
}

#[test]
fn zeros_that_take_several_requests_of_the_device_are_there_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let mut medium = Shared::new();
    medium.write(0, &vec![9; 150_000 * 512]).unwrap();
    let mut emulator =
        device("osdi00", "fcfs", Durability::WriteThrough, 0, &medium, &folder.path().join("list"));
    let from = Asker { connection: 1, number: 0 };
    emulator.request(0, from, request(0, Kind::WriteZeroes, 0, 150_000)).unwrap();
    let first_ns = done_ns(folder.path(), request(0, Kind::WriteZeroes, 0, 150_000));
    while emulator.wake_ns().unwrap() <= first_ns {
        assert_eq!(emulator.next_answer(emulator.wake_ns().unwrap()).unwrap(), None);
    }
    let loss = emulator.lose_power(first_ns + 1_000, PowerCut::default()).unwrap();
    assert!((65_536..65_600).contains(&loss.written_sectors), "{loss:?}");
    assert_eq!([0, 65_535, 100_000].map(|sector| medium.sector(sector)), [0, 0, 9]);
    let (outcome, rows) = emulator.finish().unwrap();
    let due: Vec<i64> = rows.iter().map(|row| row.due_ns as i64).collect();
    assert_eq!(due, outcome.record.completion_ns);
}

/// Number of sectors of a long write, which the emulator writes into the contents in three parts.
const LONG: u32 = 3 * PART_BYTES as u32 / 512;

#[test]
fn a_long_write_that_the_device_has_completed_is_kept_and_not_answered() {
    let folder = tempfile::tempdir().unwrap();
    for (lead_ns, seconds) in [(0, 0), (400_000, 0), (400_000, 1)] {
        let medium = Shared::new();
        let list = folder.path().join("list");
        let durability = Durability::WriteThrough;
        let mut emulator = device("osdi00", "fcfs", durability, lead_ns, &medium, &list);
        for (number, kind) in [(1, Kind::Write), (2, Kind::Read)] {
            let from = Asker { connection: 1, number };
            emulator.request(0, from, request(number, kind, 0, LONG)).unwrap();
        }
        let now_ns = begin_next(&mut emulator, 0);
        assert!(emulator.next_answer(now_ns).unwrap().is_none(), "a part is left");
        assert_eq!([0, LONG - 1].map(|sector| medium.sector(sector.into())), [1, 0]);
        // The row under the tips is not torn for a write to be answered early, even before the device is done with it.
        let loss = emulator.lose_power(now_ns + seconds * 1_000_000_000, PowerCut::default()).unwrap();
        let whole = Loss { at_ns: loss.at_ns, unanswered: 2, ..Loss::default() };
        assert_eq!((loss, list.exists()), (whole, false));
        assert!((0..u64::from(LONG)).all(|sector| medium.sector(sector) == 1));
        assert_eq!((emulator.waiting(), emulator.wake_ns(), emulator.prepare()), (0, None, false));
    }
}

#[test]
fn what_was_answered_early_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (medium, list) = (Shared::new(), folder.path().join("list"));
    let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, 400_000, &medium, &list);
    emulator.request(0, Asker { connection: 1, number: 1 }, request(1, Kind::Write, 0, 200)).unwrap();
    let (answer, now_ns) = next_and_when(&mut emulator, 0);
    assert!(answer.timed.unwrap().due_ns > now_ns + 200_000);
    emulator.sent(answer.timed.unwrap(), Some(now_ns));
    let loss = emulator.lose_power(now_ns, PowerCut::default()).unwrap();
    assert_eq!(loss, Loss { at_ns: now_ns, ..Loss::default() });
    assert!((0..200).all(|sector| medium.sector(sector) == 1));
    let (_, rows) = emulator.finish().unwrap();
    assert_eq!(rows[0].sent_ns, Some(now_ns));
}

#[test]
fn what_was_to_be_answered_early_and_has_not_begun_is_in_service() {
    let folder = tempfile::tempdir().unwrap();
    let (medium, list) = (Shared::new(), folder.path().join("list"));
    let ask = |lead_ns| {
        let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, lead_ns, &medium, &list);
        for number in [1, 2] {
            let write = request(number, Kind::Write, 20 * number, 20);
            emulator.request(0, Asker { connection: 1, number }, write).unwrap();
        }
        emulator
    };
    let done_ns = ask(0).finish().unwrap().0.record.completion_ns;
    assert!(done_ns[1] - done_ns[0] < 400_000, "the times of both completions differ by less than the lead");
    // The clock is read late: both answers are due, and the second write has barely begun.
    let mut emulator = ask(400_000);
    let now_ns = done_ns[0] as u64 + 1_000;
    assert_eq!(emulator.next_answer(now_ns).unwrap().unwrap().to.number, 1);
    assert_eq!(emulator.wake_ns(), Some(0));
    let loss = emulator.lose_power(now_ns, PowerCut::default()).unwrap();
    assert_eq!((loss.unanswered, loss.written_sectors), (1, 0));
    assert_eq!([39, 40, 59].map(|sector| medium.sector(sector)), [1, 0, 0]);
}

#[test]
fn a_history_ends_with_the_power() {
    let folder = tempfile::tempdir().unwrap();
    let (medium, path) = (Shared::new(), folder.path().join("history"));
    let list = folder.path().join("list");
    let mut emulator = device("osdi00", "fcfs", Durability::WriteThrough, 0, &medium, &list);
    emulator.keep_history(&path, "osdi00").unwrap();
    for (number, sectors) in [(1, 8), (2, LONG), (3, 8)] {
        let from = Asker { connection: 1, number };
        emulator.request(0, from, request(number, Kind::Write, 1000 * number, sectors)).unwrap();
    }
    let (_, now_ns) = next_and_when(&mut emulator, 0);
    let now_ns = begin_next(&mut emulator, now_ns);
    let loss = emulator.lose_power(now_ns, PowerCut::default()).unwrap();
    assert_eq!(loss.unanswered, 2);
    assert!(emulator.close_history().unwrap().unwrap());
    let history = History::open(&path).unwrap();
    let submitted = [0, 1, 2].map(Event::Submitted);
    let answered = Event::Completed { write: 0, is_done: true };
    assert_eq!((history.events, history.end), ([&submitted[..], &[answered]].concat(), End::Whole));
}

#[test]
fn volumes_are_refused() {
    let contents =
        Contents::new(Box::new(Memory::new(1 << 20)), Unreadable::default(), Durability::WriteThrough);
    let mut emulator =
        Emulator::new(simulation("raid5:devices=4", "fcfs"), contents, "1".parse().unwrap(), 0);
    let error = emulator.prepare_for_loss().unwrap_err().to_string();
    assert_eq!(error, "losses in a power failure: expected a bare device, found a volume");
    let error = emulator.lose_power(0, PowerCut::default()).unwrap_err().to_string();
    assert_eq!(error, "power failure: expected a server that was prepared for it at the start");
}
