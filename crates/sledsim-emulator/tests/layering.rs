//! Check the dependencies of the modules of this crate on each other, on the simulator and on the operating system.

use std::fs;
use std::path::{Path, PathBuf};

/// A module of the crate, and the names that its code may use.
struct Part {
    name: &'static str,
    /// Minimum number of files of the module.
    files: usize,
    /// Modules of this crate that the module may use.
    knows: &'static [&'static str],
    /// Names outside this crate that the module must not use.
    forbidden: &'static [&'static str],
}

const SIMULATOR: &str = "sledsim::";

const PARTS: [Part; 8] = [
    Part {
        name: "nbd",
        files: 9,
        knows: &[],
        forbidden: &[
            SIMULATOR,
            "std::net",
            "std::os",
            "std::fs",
            "std::time",
            "std::thread",
            "rustix",
            "libc::",
        ],
    },
    Part {
        name: "store",
        files: 9,
        knows: &[],
        forbidden: &[SIMULATOR, "std::net", "std::os::unix::net", "std::time", "std::thread"],
    },
    Part {
        name: "timing",
        files: 4,
        knows: &[],
        forbidden: &["std::net", "std::os", "std::fs", "std::time", "std::thread", "libc::"],
    },
    Part {
        name: "emulator",
        files: 3,
        knows: &["nbd", "store", "timing", "history"],
        forbidden: &["std::net", "std::os", "std::fs", "std::time", "std::thread", "rustix", "libc::"],
    },
    // The history has a thread of its own, so that the serving thread waits for no disk.
    Part {
        name: "history",
        files: 5,
        knows: &["store"],
        forbidden: &[SIMULATOR, "std::net", "std::os::unix::net", "std::time"],
    },
    Part {
        name: "crash",
        files: 6,
        knows: &["store", "history", "emulator"],
        forbidden: &[SIMULATOR, "std::net", "std::os::unix::net", "std::time", "std::thread"],
    },
    // The server knows sockets and the clock, leaves simulated things to the emulator, and uses one thread.
    Part {
        name: "server",
        files: 5,
        knows: &["nbd", "timing", "emulator"],
        forbidden: &["sledsim::simulation", "sledsim::request", "std::time", "std::thread"],
    },
    Part {
        name: "client",
        files: 4,
        knows: &["nbd", "store", "timing", "emulator", "server"],
        forbidden: &["std::fs", "std::time", "libc::"],
    },
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Return the code of a file without its unit tests.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned()
}

#[test]
fn every_part_is_on_the_map() {
    let folders = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<String> = folders
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut expected = PARTS.map(|part| part.name.to_owned());
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn the_parts_know_nothing_but_what_the_map_says() {
    for Part { name, files, knows, forbidden } in PARTS {
        let sources = sources(&root().join(name));
        assert!(sources.len() >= files, "the sources of {name} exist");
        let others =
            PARTS.iter().map(|part| part.name).filter(|other| *other != name && !knows.contains(other));
        let others: Vec<String> = others.map(|other| format!("crate::{other}")).collect();
        for file in sources {
            let text = code(&file);
            let found = forbidden.iter().copied().chain(others.iter().map(|other| &**other));
            let found = found.into_iter().find(|forbidden| text.contains(*forbidden));
            assert_eq!(found, None, "{}", file.display());
            assert!(
                !text.contains("use crate::{"),
                "{}: each use declaration must import from one module",
                file.display()
            );
        }
    }
}
