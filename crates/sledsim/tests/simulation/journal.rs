//! The journal of a window of time has exactly the events of the whole run's journal that overlap the window, also
//! events that begin or end at a border of the window.

use std::ops::ControlFlow;

use proptest::prelude::*;
use sledsim::record::{select, Record};
use sledsim::simulation::{Journal, Served, Simulation, Waited};
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::trace::Trace;
use sledsim::workload::{Columns, PastEnd, Replay};

use crate::coarse::{self, drum, BUS, ON_A_BUS};

/// Window that covers a whole run.
const WHOLE: [Time; 2] = [Time::ZERO, Time::LATEST];

/// Kinds of volumes without background work: its reads could still be in flight at the end of the run.
const IN_FRONT: [&str; 3] = ["sleds", "stripe", "raid5"];

fn journal(system: &System, trace: &Trace, window: [Time; 2]) -> (Journal, Record) {
    let columns = Columns::of(trace);
    let sectors = system.build().expect("it can be made").sectors();
    let record = Record::new(select("all").expect("it is a set"), trace.len());
    let mut simulation = Simulation::new(system, columns.devices(), record).expect("it can be made");
    simulation.keep_journal(window).expect("it has not begun");
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    let outcome = simulation.run(&mut replay, &mut |_| ControlFlow::Continue(()), None);
    let outcome = outcome.expect("nothing stops it");
    (*outcome.journal.expect("one was kept"), outcome.record)
}

/// All times in a journal, from which the windows are chosen.
fn times(journal: &Journal) -> Vec<Time> {
    let of_services =
        journal.served.iter().flat_map(|one| [one.arrival, one.start, one.end(), one.completion]);
    let of_waits = journal.waited.iter().flat_map(|one| [one.arrival, one.start]);
    of_services.chain(of_waits).collect()
}

fn check(what: &str, system: &System, trace: &Trace, chosen: &[prop::sample::Index]) {
    let (whole, record) = journal(system, trace, WHOLE);
    if matches!(system, System::Device(_)) {
        let served = |row: usize| [record.arrival_ns[row], record.start_ns[row], record.completion_ns[row]];
        let mut expected: Vec<_> = (0..trace.len()).map(served).collect();
        let found = whole.served.iter().map(|one| [one.arrival, one.start, one.completion]);
        let mut found: Vec<_> = found.map(|times| times.map(|time| time.0 as i64)).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{what}");
        let waits = expected.iter().filter(|[arrival, start, _]| arrival < start).count();
        assert_eq!(whole.waited.len(), waits, "{what}");
    }
    let times = times(&whole);
    for pair in chosen.chunks_exact(2) {
        let mut window = [times[pair[0].index(times.len())], times[pair[1].index(times.len())]];
        window.sort_unstable();
        let [from, until] = window;
        let (part, same) = journal(system, trace, window);
        assert!(same == record, "{what}: a journal does not change the record");
        let served = |one: &&Served| one.start <= until && one.completion >= from;
        let waited = |one: &&Waited| one.arrival <= until && one.start >= from;
        assert!(part.served.iter().eq(whole.served.iter().filter(served)), "{what}: served in {window:?}");
        assert!(part.waited.iter().eq(whole.waited.iter().filter(waited)), "{what}: waited in {window:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_window_shows_what_touches_it(
        seed in any::<u64>(), most_ms in 1..12_u64, chosen in prop::collection::vec(any::<prop::sample::Index>(), 12),
    ) {
        let system = drum("sptf");
        let sectors = system.build().expect("it can be made").sectors();
        check("drum", &system, &coarse::requests(sectors, most_ms, 40, seed), &chosen);
        for (kind, options) in ON_A_BUS.iter().filter(|(kind, _)| IN_FRONT.contains(kind)) {
            let system = coarse::volume(kind, &format!("{options}\n{BUS}"), &coarse::member());
            let sectors = system.build().expect("it can be made").sectors();
            check(kind, &system, &coarse::requests(sectors, 4 * most_ms, 40, seed), &chosen);
        }
    }
}
