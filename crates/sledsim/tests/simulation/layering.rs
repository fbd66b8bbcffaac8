//! Tests of the architecture: each module of the core uses only the modules that the map allows, and no files of a
//! crate use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::imports::Sources;

/// Basic modules, which every other module may use.
const GROUND: [&str; 10] =
    ["time", "error", "choice", "counts", "busiest", "options", "table", "input", "observer", "hashing"];

/// The modules that each module may use besides those of `GROUND`; the row of a module of `GROUND` is complete.
const MAP: &[(&str, &[&str])] = &[
    ("time", &[]),
    ("error", &[]),
    ("choice", &["error"]),
    ("counts", &[]),
    ("busiest", &[]),
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

/// The files or folders that each file or folder uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// A circle of files, each of which uses the next; None if there is no circle.
fn circle(arrows: &Arrows) -> Option<Vec<String>> {
    fn walk(at: &str, arrows: &Arrows, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
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
    // The root declares all modules.
    for (file, imports) in Sources::of_the_core().arrows().into_iter().filter(|(file, _)| file != "lib.rs") {
        let module = room(&file);
        let row = MAP.iter().find(|(name, _)| *name == module);
        let (_, allowed) = row.unwrap_or_else(|| panic!("module {module} has no row in MAP"));
        for used in imports.iter().map(|import| room(import)) {
            let free = used == module
                || used == "lib"
                || GROUND.contains(&used.as_str()) && !GROUND.contains(&module.as_str());
            assert!(
                free || allowed.contains(&used.as_str()),
                "{file}: MAP does not allow {module} to use {used}"
            );
        }
    }
}

/// The uses between neighbours in a folder: a use between two files counts for the two entries (files or folders) at
/// which their paths part.
fn beside(arrows: Arrows) -> Arrows {
    let mut beside = Arrows::new();
    for (file, imports) in arrows {
        for used in imports {
            let (own, other): (Vec<_>, Vec<_>) = (file.split('/').collect(), used.split('/').collect());
            let fork = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
            let [from, to] = [own, other].map(|parts| parts[..=fork].join("/"));
            beside.entry(from).or_default().insert(to);
        }
    }
    beside
}

#[test]
fn every_crate_of_the_workspace_is_looked_at() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let text = fs::read_to_string(root).expect("the workspace is there");
    let workspace: toml::Table = text.parse().expect("it is a table");
    let members = workspace["workspace"]["members"].as_array().expect("it has some");
    let crates = Sources::of_every_crate();
    let found: Vec<String> = crates.keys().map(|name| format!("crates/{name}")).collect();
    let mut expected: Vec<&str> = members.iter().filter_map(toml::Value::as_str).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
    for (name, sources) in crates {
        assert!(sources.arrows().values().flatten().count() > 1, "the sources of {name} are there");
    }
    assert!(Sources::of_the_core().arrows().len() > 300, "the sources of the core are there");
}

#[test]
fn no_files_know_each_other_in_a_circle() {
    for (name, sources) in Sources::of_every_crate() {
        if let Some(way) = circle(&sources.arrows()) {
            panic!("crate {name}: files use each other in a circle: {}", way.join(" -> "));
        }
    }
}

#[test]
fn no_folders_know_each_other_in_a_circle() {
    for (name, sources) in Sources::of_every_crate() {
        if let Some(way) = circle(&beside(sources.arrows())) {
            panic!("crate {name}: files and folders use each other in a circle: {}", way.join(" -> "));
        }
    }
}

/// The circles found in made-up files: one among the files, and one among neighbouring files and folders.
fn circles<const N: usize>(texts: [(&str, &str); N]) -> [Option<String>; 2] {
    let arrows = Sources::of(texts).arrows();
    [circle(&arrows), circle(&beside(arrows))].map(|way| way.map(|way| way.join(" -> ")))
}

#[test]
fn a_circle_is_found() {
    let root = ("lib.rs", "mod run;\nmod session;\npub use session::Session;\n");
    let run = ("run.rs", "use crate::session::written;\n\npub struct Run;\n");
    let session = ("session.rs", "use crate::run::{self, Run};\n\npub fn written() {}\n");
    let way = Some("run.rs -> session.rs".to_owned());
    assert_eq!(circles([root, run, session]), [way.clone(), way]);
    assert_eq!(circles([root, ("run.rs", "pub struct Run;\n"), session]), [None, None]);
}

#[test]
fn a_circle_through_the_root_is_found() {
    let root = ("lib.rs", "mod part;\nuse part::Part;\npub struct Whole(Part);\n");
    let text = "const IN_USE: &str = \"it is in use by others\";\npub struct Part(Box<crate::Whole>);\n";
    let way = Some("lib.rs -> part.rs".to_owned());
    assert_eq!(circles([root, ("part.rs", text)]), [way.clone(), way]);
}

#[test]
fn a_circle_of_folders_is_found_without_one_of_files() {
    let one = [("one/mod.rs", "mod a;\nmod b;\n"), ("one/a.rs", "use crate::two::c::C;\n"), ("one/b.rs", "")];
    let two = [("two/mod.rs", "mod c;\nmod d;\n"), ("two/c.rs", ""), ("two/d.rs", "use crate::one::b::B;\n")];
    let [[a, b, c], [d, e, f]] = [one, two];
    assert_eq!(
        circles([("lib.rs", "mod one;\nmod two;\n"), a, b, c, d, e, f]),
        [None, Some("one -> two".to_owned())]
    );
}

#[test]
fn a_circle_through_a_table_is_found() {
    let root = ("lib.rs", "mod part;\n");
    let table = "use crate::table::rows;\npub trait Part {}\n\nrows! {\n    /// All.\n    pub static PARTS: Table<u32> = \"part\";\n    \
                 mod one: ROW;\n    mod two: A, B;\n}\n";
    let [innocent, asks] = ["use super::Part;\n", "use super::{Part, PARTS};\nfn all() { PARTS.rows(); }\n"];
    let found =
        |two| circles([root, ("part/mod.rs", table), ("part/one.rs", innocent), ("part/two.rs", two)]);
    assert_eq!(found(innocent), [None, None]);
    let way = Some("part/registry.rs -> part/two.rs".to_owned());
    assert_eq!(found(asks), [way.clone(), way]);
}
