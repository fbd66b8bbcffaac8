//! Volumes that write back lose no data in a loss if they have finished all work before.

use std::sync::LazyLock;

use rand::RngExt;
use sledsim::request::Op;
use sledsim::volume::{Kept, VolumeRequest};

use crate::kinds::Kind;
use crate::machine::{Checked, Machine};
use crate::{cache, virtual_disk};

/// Number of random histories of each kind.
const HISTORIES: u64 = 200;
const REQUESTS: u32 = 40;

/// A cache that writes back; at rest it promises to keep all data.
static CACHE: LazyLock<Kind> = LazyLock::new(|| Kind { after_power: |_| Kept::All, ..cache::back() });
static VIRTUAL_DISK: LazyLock<Kind> =
    LazyLock::new(|| Kind { options: "segment_kib=4,dirty_low=0", ..virtual_disk::few() });

/// Runs some requests and lets the volume finish all work, then causes a loss, and checks that every sector still has
/// its last version.
fn loses_nothing_at_rest(kind: &'static Kind, lose: impl Fn(&mut Machine) -> Checked) -> Checked {
    for seed in 0..HISTORIES {
        let mut machine = Machine::new(kind, seed);
        machine.begin()?;
        let sectors = machine.sectors();
        for _ in 0..REQUESTS {
            let size = machine.rng.random_range(1..=kind.largest);
            let sector = machine.rng.random_range(0..=sectors - u64::from(size));
            let op = if machine.rng.random() { Op::Read } else { Op::Write };
            machine.submit(VolumeRequest { sector, sectors: size, op, metadata: false })?;
            machine.advance()?;
        }
        while machine.advance()? {}
        lose(&mut machine)?;
        for sector in 0..sectors {
            machine.submit(VolumeRequest { sector, sectors: 1, op: Op::Read, metadata: false })?;
        }
        while machine.advance()? {}
        assert_eq!(machine.open(), (0, 0), "seed {seed}");
    }
    Ok(())
}

#[test]
fn a_cache_at_rest_loses_nothing_with_the_power() {
    loses_nothing_at_rest(&CACHE, |machine| machine.lose_power(&[])).unwrap();
}

#[test]
fn a_virtual_disk_at_rest_loses_nothing_with_the_mems_device() {
    loses_nothing_at_rest(&VIRTUAL_DISK, |machine| {
        let goes_on = machine.fail(1, Kept::All)?;
        assert!(goes_on);
        Ok(())
    })
    .unwrap();
}
