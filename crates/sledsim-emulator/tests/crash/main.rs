//! Compare the images that a power failure can leave with a simple model that stores all bytes.
#![cfg(target_os = "linux")]

mod model;

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;

use model::{built, histories, Step, BYTES, CACHES};
use proptest::prelude::*;
use sledsim_emulator::crash::{fates, last_cut, Choice, Image, Plan, Sampling, TORN};
use sledsim_emulator::history::History;
use sledsim_emulator::store::{list_beside, Unreadable};
use tempfile::tempdir;

fn sampling(history: &History, torn: bool) -> Sampling {
    Sampling { cuts: 1..=last_cut(history), every: 1, samples: 4, unit: 1, seed: 7, torn }
}

fn plan(history: &History, torn: bool) -> Plan {
    let made = Plan::new(history, &sampling(history, torn), &mut |_| ControlFlow::Continue(()));
    made.unwrap().unwrap()
}

/// Return the bytes of an image.
fn bytes(
    image: &mut Image,
    history: &History,
    cut: usize,
    choice: &Choice,
    folder: &std::path::Path,
) -> Vec<u8> {
    let copy = folder.join("copy.img");
    image.show(history, cut, choice).unwrap();
    image.copy_to(&copy).unwrap();
    fs::read(&copy).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_image_is_what_the_model_says(steps in histories(), cache in 0..CACHES.len()) {
        let folder = tempdir().unwrap();
        let (history, model) = built(&steps, CACHES[cache], folder.path());
        let plan = plan(&history, true);
        let mut image = Image::new(&history, &folder.path().join("image.img")).unwrap();
        let mut seen = HashSet::new();
        for candidate in &plan.candidates {
            let (cut, choice) = (candidate.cut, &candidate.choice);
            let found = bytes(&mut image, &history, cut, choice, folder.path());
            let fates = fates(&history, cut, &choice.to_string()).unwrap();
            let open: Vec<usize> = fates.iter().map(|fate| fate.number - 1).collect();
            prop_assert_eq!(&open, &model.open(cut), "open at {}", cut);
            prop_assert!(found == model.image(cut, &fates), "{}:{}", cut, choice);
            prop_assert!(seen.insert(found), "{}:{} is a duplicate", cut, choice);
        }
        // Going backwards, in any order, gives equal images.
        for candidate in plan.candidates.iter().rev().step_by(7) {
            let found = bytes(&mut image, &history, candidate.cut, &candidate.choice, folder.path());
            prop_assert!(seen.contains(&found));
        }
        let tried = plan.candidates.len() as u64 + plan.equal;
        prop_assert!(tried >= last_cut(&history) as u64);
    }

    #[test]
    fn what_is_written_as_a_text_is_the_same_choice(
        kept in any::<bool>(),
        items in prop::collection::vec((1..100_usize, prop::option::of(prop::collection::vec((0..5_u64, 1..4_u64), 1..4))), 1..4)
    ) {
        let ranges = |parts: Vec<(u64, u64)>| {
            let mut at = 0;
            let each = parts.into_iter().map(|(gap, length)| {
                let first = at + gap;
                at = first + length;
                first..at
            });
            each.collect::<Vec<_>>()
        };
        let items = items.into_iter().map(|(number, parts)| (number, parts.map(ranges))).collect();
        let choice = if kept { Choice::Kept(items) } else { Choice::Lost(items) };
        prop_assert_eq!(choice.to_string().parse::<Choice>().unwrap(), choice);
    }
}

#[test]
fn what_overtakes_a_flush_that_was_forgotten_is_found_and_what_was_flushed_stays() {
    let data = Step::write(0, 8, 1);
    let commit = Step::write(8, 1, 2);
    let folder = tempdir().unwrap();
    for (steps, is_possible) in [
        (vec![data.clone(), Step::Answer, commit.clone(), Step::Answer], true),
        (vec![data.clone(), Step::Answer, Step::Flush, commit.clone(), Step::Answer], false),
    ] {
        let (history, _) = built(&steps, "volatile", folder.path());
        let mut image = Image::new(&history, &folder.path().join("image.img")).unwrap();
        let found = plan(&history, false).candidates.iter().any(|candidate| {
            let found = bytes(&mut image, &history, candidate.cut, &candidate.choice, folder.path());
            found[8 * 512] == 2 && found[0] != 1
        });
        assert_eq!(found, is_possible);
        drop(image);
        fs::remove_file(folder.path().join("image.img")).unwrap();
    }
}

#[test]
fn a_torn_row_is_filled_and_listed() {
    let folder = tempdir().unwrap();
    let (history, _) = built(&[Step::write(16, 32, 1)], "none", folder.path());
    let mut image = Image::new(&history, &folder.path().join("image.img")).unwrap();
    let copy = folder.path().join("copy.img");
    let mut lengths = HashSet::new();
    for seed in 0..50 {
        let choice: Choice = format!("torn={seed}").parse().unwrap();
        let found = bytes(&mut image, &history, 1, &choice, folder.path());
        let list = Unreadable::load(&list_beside(&copy), BYTES / 512).unwrap();
        let torn: Vec<u64> =
            (0..BYTES / 512).filter(|at| found[*at as usize * 512..][..512] == *TORN).collect();
        assert_eq!(torn, list.ranges().flatten().collect::<Vec<_>>());
        assert!((1..=16).contains(&torn.len()) && torn[0] >= 16 && torn[0] + (torn.len() as u64) <= 48);
        for sector in 16..48 {
            let expected = match sector {
                _ if sector < torn[0] => 1,
                _ if torn.contains(&sector) => TORN[0],
                // The contents at the start.
                40 => 250,
                _ => 0,
            };
            assert_eq!(found[sector as usize * 512], expected, "sector {sector}");
        }
        lengths.insert(torn.len());
    }
    assert!(lengths.len() > 8, "{lengths:?}");
    bytes(&mut image, &history, 1, &Choice::All, folder.path());
    assert!(
        !list_beside(&copy).exists(),
        "the image has no unreadable sectors, so it has no file that lists them"
    );
}

#[test]
fn what_the_device_writes_as_a_whole_is_there_as_a_whole() {
    let folder = tempdir().unwrap();
    let (history, _) = built(&[Step::write(6, 20, 1)], "none", folder.path());
    let mut seen = HashSet::new();
    for seed in 0..50 {
        let fate = fates(&history, 1, &format!("sectors={seed}/8")).unwrap().remove(0);
        let kept: HashSet<u64> = fate.kept.into_iter().flatten().collect();
        // Sectors 6 and 7 of the device, then 8 to 15, 16 to 23, and 24 and 25.
        for block in [0..2, 2..10, 10..18, 18..20] {
            let there = block.clone().filter(|sector| kept.contains(sector)).count() as u64;
            assert!(there == 0 || there == block.end - block.start, "{kept:?}");
        }
        seen.insert(kept.len());
    }
    assert!(seen.len() > 4, "{seen:?}");
}

#[test]
fn terabytes_of_zeros_take_neither_time_nor_place() {
    let folder = tempdir().unwrap();
    let bytes = 8 << 40;
    let zeros =
        [Step::write(8, 8, 1), Step::Zeros { sector: 0, sectors: u32::MAX as u64 / 512 }, Step::Answer];
    let history = model::written(&zeros, "volatile", bytes, folder.path());
    let plan = plan(&history, true);
    let mut image = Image::new(&history, &folder.path().join("image.img")).unwrap();
    let copy = folder.path().join("copy.img");
    for candidate in &plan.candidates {
        image.show(&history, candidate.cut, &candidate.choice).unwrap();
        image.copy_to(&copy).unwrap();
        assert_eq!(fs::metadata(&copy).unwrap().len(), bytes);
    }
}

#[test]
fn what_there_is_not_is_refused() {
    let folder = tempdir().unwrap();
    let (history, _) = built(&[Step::write(0, 8, 1), Step::Answer], "none", folder.path());
    for (cut, choice, expected) in [
        (0, "all", "cut: expected 1 to 2, found 0"),
        (3, "all", "cut: expected 1 to 2, found 3"),
        (1, "some", "image: expected none, all,"),
        (1, "kept=2", "image: expected numbers of writes that are open at this cut, such as 1, found 2"),
        (2, "kept=1", "image: expected no numbers of writes, because no write is open at this cut, found 1"),
        (1, "lost=1/4-8", "image: expected sectors among 0-7, found 4-8"),
        (1, "kept=1/3-2", "image: expected none, all,"),
        (1, "whole=x", "image: expected none, all,"),
        (1, "sectors=1/0", "image: expected none, all,"),
    ] {
        let error = fates(&history, cut, choice).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
