//! The map of the architecture, as a test: which module may know which.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module and those it may use, besides `time`, `error`, `choice`, `options`, `registry`, `input` and `observer`, which all may.
const MAP: &[(&str, &[&str])] = &[
    ("time", &[]),
    ("error", &[]),
    ("choice", &[]),
    ("options", &[]),
    ("registry", &[]),
    ("input", &[]),
    ("observer", &[]),
    ("slab", &[]),
    ("permutation", &[]),
    ("energy", &[]),
    ("design", &["device", "params", "record", "sched", "simulation", "trace", "workload"]),
    ("power", &[]),
    ("params", &["layout", "mechanics", "media", "power"]),
    ("mechanics", &[]),
    ("media", &["params"]),
    ("layout", &["media", "params", "permutation"]),
    ("faults", &["device", "energy", "layout", "media", "params", "request"]),
    ("request", &[]),
    ("device", &["energy", "layout", "mechanics", "media", "params", "power", "request"]),
    ("sched", &["device", "request"]),
    ("bounds", &["device", "request", "sched"]),
    ("volume", &["media", "request", "slab"]),
    ("trace", &[]),
    ("trace_statistics", &["trace"]),
    ("workload", &["permutation", "request", "trace", "trace_statistics", "volume"]),
    ("engine", &[]),
    ("record", &["device", "energy"]),
    ("station", &["device", "energy", "request", "sched"]),
    ("system", &["device", "faults", "params", "sched", "volume"]),
    (
        "simulation",
        &[
            "device", "energy", "engine", "media", "params", "record", "request", "sched", "slab", "station",
            "system", "volume", "workload",
        ],
    ),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn modules_know_only_what_the_map_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).expect("it was found there");
        let module = inside.iter().next().expect("a file").to_string_lossy().replace(".rs", "");
        if module == "lib" {
            continue;
        }
        let row = MAP.iter().find(|(name, _)| *name == module);
        let (_, allowed) = row.unwrap_or_else(|| panic!("module {module} is not on the map"));
        let text = fs::read_to_string(&path).expect("a source is text");
        for used in text.split("crate::").skip(1) {
            let used: String = used.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            let free = ["time", "error", "choice", "options", "registry", "input", "observer", "VERSION", ""]
                .contains(&used.as_str())
                || used == module;
            // A macro of the crate, or several modules in braces, would hide what is used.
            assert!(!used.is_empty() || text.contains("$crate"), "{}: name each module", path.display());
            let macros = used == "for_each_column";
            assert!(
                free || macros || allowed.contains(&used.as_str()),
                "{}: {module} must not know {used}",
                inside.display()
            );
        }
    }
}
