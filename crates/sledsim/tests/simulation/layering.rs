//! The map of the architecture, as a test: which module may know which, and that no two files know each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::Sources;

/// What every module may use.
const GROUND: [&str; 9] =
    ["time", "error", "choice", "counts", "options", "table", "input", "observer", "hashing"];

/// Each module and those it may use, besides the ground; of the ground, all that each may use.
const MAP: &[(&str, &[&str])] = &[
    ("time", &[]),
    ("error", &[]),
    ("choice", &["error"]),
    ("counts", &[]),
    ("options", &["error", "time"]),
    ("table", &["error", "options"]),
    ("input", &["error"]),
    ("observer", &["error"]),
    ("hashing", &[]),
    ("slab", &[]),
    ("permutation", &[]),
    ("energy", &[]),
    ("power", &["energy"]),
    ("request", &[]),
    ("params", &[]),
    ("mechanics", &[]),
    ("media", &["params"]),
    ("layout", &["media", "params", "permutation"]),
    ("device", &["energy", "layout", "mechanics", "media", "params", "power", "request"]),
    ("episodes", &["device", "energy", "request"]),
    ("faults", &["device", "energy", "layout", "media", "params", "request"]),
    ("sched", &["device", "request"]),
    ("bounds", &["device", "request", "sched"]),
    ("volume", &["media", "request", "slab"]),
    ("trace", &[]),
    ("trace_statistics", &["trace"]),
    ("workload", &["permutation", "request", "trace", "trace_statistics", "volume"]),
    ("engine", &[]),
    ("record", &["device", "energy", "request"]),
    ("station", &["device", "energy", "request", "sched"]),
    ("system", &["device", "episodes", "faults", "params", "sched", "volume"]),
    (
        "simulation",
        &[
            "device", "energy", "engine", "media", "params", "record", "request", "sched", "slab", "station",
            "system", "volume", "workload",
        ],
    ),
    ("perfetto", &["device", "energy", "media", "record", "request", "simulation"]),
    ("conformance", &["device", "record", "request", "sched", "simulation", "trace", "workload"]),
    ("design", &["device", "params", "record", "sched", "simulation", "trace", "workload"]),
    (
        "tables",
        &[
            "device",
            "episodes",
            "faults",
            "layout",
            "mechanics",
            "power",
            "sched",
            "trace",
            "volume",
            "workload",
        ],
    ),
];

/// A way along arrows that ends where it begins, if there is one.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(
        at: &str,
        arrows: &BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        if let Some(first) = way.iter().position(|before| before == at) {
            way.drain(..first);
            return true;
        }
        if done.contains(at) {
            return false;
        }
        way.push(at.to_owned());
        if arrows.get(at).is_some_and(|next| next.iter().any(|next| walk(next, arrows, way, done))) {
            return true;
        }
        way.pop();
        done.insert(at.to_owned());
        false
    }
    let (mut way, mut done) = (Vec::new(), BTreeSet::new());
    arrows.keys().any(|at| walk(at, arrows, &mut way, &mut done)).then_some(way)
}

#[test]
fn the_map_has_no_circle() {
    let row = |(name, uses): &(&str, &[&str])| {
        let ground = GROUND.iter().filter(|_| !GROUND.contains(name));
        ((*name).to_owned(), uses.iter().chain(ground).map(|used| (*used).to_owned()).collect())
    };
    assert_eq!(circle(&MAP.iter().map(row).collect()), None);
}

#[test]
fn modules_know_only_what_the_map_allows() {
    let room = |file: &str| file.split(['/', '.']).next().expect("a name").to_owned();
    for (file, imports) in Sources::read().arrows() {
        let module = room(&file);
        let row = MAP.iter().find(|(name, _)| *name == module);
        let (_, allowed) = row.unwrap_or_else(|| panic!("module {module} is not on the map"));
        for used in imports.iter().map(|import| room(import)) {
            let free = used == module
                || used == "lib"
                || GROUND.contains(&used.as_str()) && !GROUND.contains(&module.as_str());
            assert!(free || allowed.contains(&used.as_str()), "{file}: {module} must not know {used}");
        }
    }
}

#[test]
fn no_files_know_each_other_in_a_circle() {
    let arrows = Sources::read().arrows();
    assert!(arrows.len() > 300, "the sources are there");
    if let Some(way) = circle(&arrows) {
        panic!("files that know each other in a circle: {}", way.join(" -> "));
    }
}

/// What stands beside each other in one folder, files and folders, knows each other in no circle, either.
#[test]
fn no_folders_know_each_other_in_a_circle() {
    let mut beside: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, imports) in Sources::read().arrows() {
        for used in imports {
            let (own, other): (Vec<_>, Vec<_>) = (file.split('/').collect(), used.split('/').collect());
            let fork = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
            let [from, to] = [own, other].map(|parts| parts[..=fork].join("/"));
            beside.entry(from).or_default().insert(to);
        }
    }
    if let Some(way) = circle(&beside) {
        panic!("files and folders that know each other in a circle: {}", way.join(" -> "));
    }
}
