//! Runs many random histories (sequences of requests and losses) of a kind of volume. A history that fails is shortened
//! as far as it still fails.

use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use crate::history::{Course, History};
use crate::kinds::{Kind, KINDS};

/// Least number of histories that are run for a kind of volume.
const HISTORIES: u64 = 200;

/// Runs histories of a kind of volume until enough of them have been run and enough reads checked.
pub fn run(kind: &'static Kind) {
    let begun = Instant::now();
    let (mut histories, mut reads) = (0, 0);
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    while histories < HISTORIES || reads < kind.reads {
        let at_once = [1, 4, 16][histories as usize % 3];
        let history = History { kind, seed: histories, requests: 300, at_once, losses: true };
        let mut course = Course::new(history, false);
        if let Err(text) = attempt(&mut course) {
            report(&shortest(history), &text);
        }
        histories += 1;
        reads += course.machine.oracle.checked;
        for (name, value) in &course.machine.counts {
            *counts.entry(name).or_default() += value;
        }
    }
    let name = format!("{}:{}", kind.volume, kind.options);
    let took_s = begun.elapsed().as_secs_f64();
    eprintln!("{name}: {reads} reads checked in {histories} histories, {took_s:.1} s; {counts:?}");
    for path in kind.reached {
        assert!(counts.get(path).is_some_and(|count| *count > 0.0), "{name}: the count {path} stays 0");
    }
}

fn attempt(course: &mut Course) -> Result<(), String> {
    let result = catch_unwind(AssertUnwindSafe(|| course.run())).unwrap_or_else(|_| Err("it panics".into()));
    // A volume that has panicked is not used any more.
    if result.as_ref().err().is_none_or(|text| text != "it panics") {
        course.machine.end();
    }
    result
}

/// The simplest variant found of a failing history that still fails: without losses, with one request in flight, or
/// with fewer requests.
fn shortest(mut history: History) -> History {
    let fails = |history: &History| attempt(&mut Course::new(*history, false)).is_err();
    let candidates = |history: &History| {
        let requests = [history.requests / 2, history.requests.saturating_sub(1)];
        let shorter = requests.map(|requests| History { requests, ..*history });
        [History { losses: false, ..*history }, History { at_once: 1, ..*history }, shorter[0], shorter[1]]
    };
    let differs =
        |a: &History, b: &History| (a.losses, a.at_once, a.requests) != (b.losses, b.at_once, b.requests);
    while let Some(simpler) =
        candidates(&history).into_iter().find(|simpler| differs(simpler, &history) && fails(simpler))
    {
        history = simpler;
    }
    history
}

/// Runs a failing history again, and panics with its last actions and its settings.
fn report(history: &History, first: &str) -> ! {
    let mut course = Course::new(*history, true);
    let text = attempt(&mut course).expect_err("it failed before");
    let log = course.machine.log.take().unwrap_or_default();
    let log: Vec<String> = log.into_iter().collect();
    let History { kind, seed, requests, at_once, losses } = history;
    panic!(
        "{}:{}: {first}\nseed {seed}, {requests} requests, at most {at_once} outstanding, losses {losses}:\n{}\n{text}",
        kind.volume,
        kind.options,
        log.join("\n")
    );
}

#[test]
fn a_million_reads_are_checked() {
    let reads: u64 = KINDS.iter().map(|kind| kind.reads).sum();
    assert!(reads >= 1_000_000, "{reads}");
}
