//! The layout of a disk maps each block to one place, and each place back to the same block.

use proptest::prelude::*;
use sledsim::device::disk::ZonedLayout;
use sledsim::device::load_disk;
use sledsim::params::{DiskParams, HeadOrder, Rows, Sparing};

use crate::support::NAMES;

const SPARINGS: [Sparing; 11] = [
    Sparing::None,
    Sparing::Tracks,
    Sparing::Cylinder,
    Sparing::Track,
    Sparing::CylinderSlipZone,
    Sparing::CylinderFront,
    Sparing::CylinderFrontSlipZone,
    Sparing::Disk,
    Sparing::Range,
    Sparing::Zone,
    Sparing::ZoneAndSlips,
];

/// Checks that the place of each block maps back to the block, and that the next blocks lie beside it on the track, as
/// far as the layout's `run` states.
fn assert_one_to_one(layout: &ZonedLayout, blocks: std::ops::Range<u64>) {
    for lbn in blocks.start..blocks.end.min(layout.mapped) {
        let place = layout.place(lbn);
        assert_eq!(layout.block(place.track, place.slot), Some(lbn), "{place:?}");
        assert!(place.run > 0 && place.slot < place.sectors_per_track);
        if place.run > 1 {
            let next = layout.place(lbn + 1);
            assert_eq!((next.track, next.run), (place.track, place.run - 1), "{lbn}");
            assert_eq!(next.slot, (place.slot + 1) % place.sectors_per_track, "{lbn}");
        }
    }
}

fn small(
    sparing: Sparing,
    head_order: HeadOrder,
    surfaces: u64,
    zones: &[(u64, u64)],
    slips: &[u64],
) -> DiskParams {
    let (mut rows, mut first) = (Vec::new(), 0);
    for (cylinders, sectors) in zones {
        // An unused cylinder between zones.
        let row = [first, first + cylinders - 1, *sectors, 1, 2, 3, 5, 2];
        rows.push(row.map(|value| value as f64).to_vec());
        first += cylinders + 1;
    }
    let has_slips = sparing != Sparing::None;
    let slips = slips.iter().filter(|_| has_slips).map(|slip| vec![0.0, *slip as f64]).collect();
    DiskParams {
        surfaces,
        block_count: 1,
        zones: Rows::Numbers(rows),
        head_order,
        sparing,
        spare_range_cylinders: (sparing == Sparing::Range).then_some(2),
        slips: Some(Rows::Numbers(slips)),
        defects: None,
        ..load_disk("st41601n")
    }
}

proptest! {
    #[test]
    fn blocks_and_places_are_one_to_one_for_every_sparing(
        sparing in prop::sample::select(SPARINGS.to_vec()),
        order in prop::sample::select(vec![HeadOrder::Same, HeadOrder::SerpentineByZone, HeadOrder::Serpentine]),
        surfaces in 1_u64..5,
        zones in prop::collection::vec((2_u64..9, 8_u64..20), 1..4),
        slips in prop::collection::btree_set(0_u64..100, 0..3),
    ) {
        let slips: Vec<u64> = slips.into_iter().collect();
        let params = small(sparing, order, surfaces, &zones, &slips);
        // Slips among spares, or more slips than spares in a place, are rejected.
        if let Ok(layout) = ZonedLayout::new(&params) {
            assert_one_to_one(&layout, 0..layout.mapped);
            for lbn in 0..layout.mapped {
                let track = layout.track(lbn);
                prop_assert!(track.contains(&lbn));
                prop_assert_eq!(layout.place(track.start).track, layout.place(track.end - 1).track);
                prop_assert!(track.end == layout.mapped || layout.track(track.end).start == track.end);
                let cylinder = layout.cylinder(lbn);
                prop_assert!(cylinder.start <= track.start && track.end <= cylinder.end);
            }
        }
    }
}

#[test]
fn few_slips_are_accepted_by_every_sparing() {
    for sparing in SPARINGS {
        let params = small(sparing, HeadOrder::Serpentine, 2, &[(6, 12), (4, 10)], &[5]);
        assert!(ZonedLayout::new(&params).is_ok(), "{sparing:?}");
    }
}

#[test]
fn blocks_of_the_drives_are_one_to_one_with_places() {
    for name in NAMES {
        let layout = ZonedLayout::new(&load_disk(name)).unwrap();
        let step = layout.mapped / 60;
        for start in (0..layout.mapped).step_by(step as usize) {
            assert_one_to_one(&layout, start..start + 700);
        }
    }
}

/// The zones of a drive hold exactly its blocks if its layout is known in full; for other drives they hold a known
/// number more.
#[test]
fn zones_hold_the_blocks_of_the_drives() {
    for name in ["dec-rz26", "hp-c2247a", "hp-c2490a", "st41601n"] {
        let params = load_disk(name);
        assert_eq!(ZonedLayout::new(&params).unwrap().mapped, params.block_count, "{name}");
    }
    for (name, more) in
        [("atlas-iii", 14_694), ("barracuda", 107_670), ("cheetah4lp", 740), ("atlas10k", 27_967)]
    {
        let params = load_disk(name);
        assert_eq!(ZonedLayout::new(&params).unwrap().mapped, params.block_count + more, "{name}");
    }
}

#[test]
fn more_slips_than_spares_are_refused() {
    let params = small(Sparing::Cylinder, HeadOrder::Same, 1, &[(4, 12)], &[1, 2, 3]);
    let error = ZonedLayout::new(&params).unwrap_err().to_string();
    assert_eq!(
        error,
        "slips: zone 0: 3 sectors are slipped in the group of sector 1, which has only 2 spare sectors"
    );
}

/// The head on which a cylinder begins follows from the order of heads. The disk has two zones, and its second zone
/// begins in a cylinder with an odd number.
#[test]
fn cylinders_begin_at_the_head_that_the_order_says() {
    let heads = |order| {
        let layout = ZonedLayout::new(&small(Sparing::None, order, 4, &[(2, 12), (5, 10)], &[])).unwrap();
        let places: Vec<_> = (0..layout.mapped).map(|lbn| layout.place(lbn).track).collect();
        let cylinders = places.chunk_by(|one, next| one.cylinder == next.cylinder);
        cylinders.map(|cylinder| (cylinder[0].cylinder, cylinder[0].head)).collect::<Vec<_>>()
    };
    let same = [0, 1, 3, 4, 5, 6, 7].map(|cylinder| (cylinder, 0));
    assert_eq!(heads(HeadOrder::Same), same);
    assert_eq!(
        heads(HeadOrder::Serpentine),
        same.map(|(cylinder, _)| (cylinder, if cylinder % 2 == 1 { 3 } else { 0 }))
    );
    let by_zone = [(0, 0), (1, 3), (3, 0), (4, 3), (5, 0), (6, 3), (7, 0)];
    assert_eq!(heads(HeadOrder::SerpentineByZone), by_zone);
}
