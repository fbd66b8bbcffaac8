//! The set of unreadable sectors, and the file that lists them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use sledsim_emulator::store::{list_beside, Unreadable};

const SECTORS: u64 = 60;

fn saved_and_loaded(set: &Unreadable) -> Unreadable {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.unreadable");
    set.save(&path).unwrap();
    assert_eq!(path.exists(), !set.is_empty());
    assert!(fs::read_dir(folder.path()).unwrap().count() <= 1, "saving leaves no other file in the folder");
    Unreadable::load(&path, SECTORS).unwrap()
}

proptest! {
    #[test]
    fn it_is_a_set_of_sectors(
        acts in prop::collection::vec((any::<bool>(), 0..SECTORS, 0..12u64), 0..30),
        asked in prop::collection::vec((0..SECTORS, 0..20u64), 10),
    ) {
        let (mut set, mut model) = (Unreadable::default(), BTreeSet::new());
        for (torn, first, count) in acts {
            let range = first..(first + count).min(SECTORS);
            if torn {
                set.insert(range.clone());
                model.extend(range);
            } else {
                set.remove(range.clone());
                model.retain(|sector| !range.contains(sector));
            }
            let found: Vec<u64> = set.ranges().flatten().collect();
            prop_assert!(found.iter().eq(&model));
            prop_assert_eq!(set.sectors(), model.len() as u64);
            prop_assert_eq!(set.is_empty(), model.is_empty());
            let ranges: Vec<_> = set.ranges().collect();
            prop_assert!(ranges.windows(2).all(|two| two[0].end < two[1].start), "ranges neither overlap nor touch");
            for &(first, count) in &asked {
                let expected = model.iter().copied().find(|sector| (first..first + count).contains(sector));
                prop_assert_eq!(set.first_of(first..first + count), expected);
            }
        }
        prop_assert_eq!(saved_and_loaded(&set), set);
    }
}

#[test]
fn the_list_is_text_beside_the_image() {
    let folder = tempfile::tempdir().unwrap();
    let path = list_beside(&folder.path().join("sled.img"));
    assert_eq!(path, folder.path().join("sled.img.unreadable"));
    let mut set = Unreadable::default();
    set.insert(100..108);
    set.insert(4..5);
    set.save(&path).unwrap();
    let text = "sledsim unreadable sectors 1\n# first sector, number of sectors\n4 1\n100 8\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    set.remove(0..200);
    set.save(&path).unwrap();
    assert!(!path.exists(), "all sectors are readable");
    set.save(&path).unwrap();
    assert_eq!(Unreadable::load(&path, 1).unwrap(), set);
}

/// Return the message of the error for a list with this text, without the path of the list.
fn fault(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    fs::write(&path, text).unwrap();
    let error = Unreadable::load(&path, SECTORS).unwrap_err().to_string();
    error.strip_prefix(path.to_str().unwrap()).unwrap().to_owned()
}

#[test]
fn a_malformed_list_is_refused_by_its_line() {
    let titled = |lines: &str| fault(&format!("sledsim unreadable sectors 1\n{lines}"));
    for text in ["", "\n", "sledsim unreadable sectors 2\n1 1\n"] {
        let found = text.lines().next().unwrap_or("");
        assert_eq!(fault(text), format!(":1: expected \"sledsim unreadable sectors 1\", found {found:?}"));
    }
    for line in ["", "5", "5 0", "5 x", "-1 2", "1 2 3", "1  2", "18446744073709551615 2"] {
        let expected =
            format!(":3: expected the first sector and a number of sectors above 0, found {line:?}");
        assert_eq!(titled(&format!("4 1\n{line}\n")), expected);
    }
    for line in ["4 1", "5 56", "61 1"] {
        let expected =
            format!(":4: expected sectors in ascending order, from 5 on and below 60, found {line:?}");
        assert_eq!(titled(&format!("# text\n3 2\n{line}\n")), expected);
    }
}

#[test]
fn what_the_system_says_has_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let error = Unreadable::load(folder.path(), 1).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", folder.path().display())), "{error}");
    let nowhere = Path::new("/nowhere/at/all");
    let mut set = Unreadable::default();
    set.insert(0..1);
    assert!(set.save(nowhere).unwrap_err().to_string().starts_with("/nowhere/at/all: "));
}
