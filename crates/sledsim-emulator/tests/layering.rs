//! What the parts of this crate know: neither a simulator nor a clock nor a socket, nor each other.

use std::fs;
use std::path::{Path, PathBuf};

/// Each part, and what it must not name.
const FORBIDDEN: [(&str, &[&str]); 2] = [
    (
        "nbd",
        &[
            "sledsim::",
            "crate::store",
            "std::net",
            "std::os",
            "std::fs",
            "std::time",
            "std::thread",
            "rustix",
        ],
    ),
    ("store", &["sledsim::", "crate::nbd", "std::net", "std::os::unix::net", "std::time", "std::thread"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn the_parts_know_nothing_of_their_surroundings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (part, forbidden) in FORBIDDEN {
        let files = sources(&root.join(part));
        assert!(files.len() >= 9, "the sources are there");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let found = forbidden.iter().find(|name| text.contains(**name));
            assert_eq!(found, None, "{}", file.display());
        }
    }
}
