//! Tests of the parts that a RAID-5 sends for requests in small examples.

mod model;

use super::*;
use crate::request::Op;
use crate::time::Time;
use crate::volume::{Action, Io, Part, Urgency, Volume, VolumeRequest};

/// Number of sectors of a device: 12 stripes with 8 sectors on each device, and the sector with the array's state.
const SIZE: u64 = 97;

fn raid5(text: &str, size: u64) -> Result<Raid5> {
    let options = ROW.parse(text).unwrap();
    let devices = (ROW.make.roles[0].count)(&options)?;
    Raid5::new(&options, &vec![vec![size; devices as usize]])
}

/// Returns the parts of a request in rounds: the parts of a round are sent when all parts of the round before are
/// complete.
fn parts(volume: &mut Raid5, devices: u32, op: Op, sector: u64, sectors: u32) -> Vec<Vec<Part>> {
    let mut io = Io::new(devices, false);
    let job = io.begin();
    volume.submit(Time::ZERO, job, &VolumeRequest { sector, sectors, op, metadata: false }, &mut io);
    let mut rounds = Vec::new();
    loop {
        let (mut parts, mut completed) = (Vec::new(), false);
        while let Some(action) = io.next_action() {
            match action {
                Action::Submit(part, _) => parts.push(part),
                Action::Complete(done, _) => completed = done == job,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(completed, parts.is_empty(), "a request completes when no part is in flight");
        if completed {
            return rounds;
        }
        for part in &parts {
            io.came_back(part, Urgency::Foreground);
            volume.done(Time::ZERO, part, &mut io);
        }
        rounds.push(parts);
    }
}

/// The parts of a request in rounds, with stripe units of 8 sectors; each part in words: operation, device,
/// first sector and number of sectors.
fn rounds(text: &str, op: Op, sector: u64, sectors: u32) -> Vec<Vec<String>> {
    let mut volume = raid5(&format!("stripe_unit_kib=4,{text}"), SIZE).unwrap();
    let letter = |part: &Part| if part.op == Op::Read { 'r' } else { 'w' };
    let name = |part: &Part| format!("{}{} {}+{}", letter(part), part.member, part.sector, part.sectors);
    let rounds = parts(&mut volume, 5, op, sector, sectors);
    rounds.iter().map(|round| round.iter().map(name).collect()).collect()
}

#[test]
fn a_small_write_is_four_parts_in_two_rounds() {
    let expected = [["r0 2+3", "r4 2+3"], ["w0 2+3", "w4 2+3"]];
    assert_eq!(rounds("", Op::Write, 2, 3), expected);
    // The second stripe has its parity on device 3, and its data begin on device 4.
    assert_eq!(rounds("", Op::Write, 32, 1), [["r3 8+1", "r4 8+1"], ["w3 8+1", "w4 8+1"]]);
    let others = rounds("write=reconstruct", Op::Write, 2, 3);
    assert_eq!(others, [vec!["r1 2+3", "r2 2+3", "r3 2+3"], vec!["w0 2+3", "w4 2+3"]]);
}

#[test]
fn as_few_devices_as_possible_are_read() {
    // Of three devices, only one holds unchanged data: to read it takes fewer requests than to read old data
    // and old parity.
    assert_eq!(rounds("devices=3", Op::Write, 2, 3), [vec!["r1 2+3"], vec!["w0 2+3", "w2 2+3"]]);
    // A write to three of four units reads the fourth unit, rather than the three old units and the parity.
    let most = rounds("", Op::Write, 0, 24);
    assert_eq!(most, [vec!["r3 0+8"], vec!["w0 0+8", "w1 0+8", "w2 0+8", "w4 0+8"]]);
    // A write of a whole stripe reads nothing.
    let whole = rounds("write=rmw", Op::Write, 0, 32);
    assert_eq!(whole, [["w0 0+8", "w1 0+8", "w2 0+8", "w3 0+8", "w4 0+8"]]);
}

#[test]
fn strips_that_are_neighbours_on_a_device_are_one_part() {
    // The write covers half a stripe, two stripes and half a stripe: the second has its parity on device 3,
    // the third on device 2.
    let read = rounds("", Op::Read, 16, 96);
    assert_eq!(read, [["r0 8+16", "r1 8+16", "r2 0+32", "r3 0+32", "r4 8+16"]]);
    let read = rounds("merge_gap_kib=3", Op::Read, 16, 96);
    assert_eq!(
        read,
        [["r0 8+16", "r1 8+16", "r2 0+16", "r2 24+8", "r3 0+8", "r3 16+16", "r4 8+16"]],
        "the gaps with parity are too long to be read"
    );
}

#[test]
fn what_is_written_of_a_device_is_one_part() {
    // The write covers half a stripe, a stripe and a quarter; their parity lies on devices 4, 3 and 2.
    let written = ["w0 8+8", "w1 8+8", "w2 0+24", "w3 0+24", "w4 0+16"];
    let write = rounds("", Op::Write, 16, 56);
    assert_eq!(write, [vec!["r2 0+24", "r3 0+24", "r4 0+8"], written.to_vec()]);
    // To read old data and old parity of both ends would take two requests each to devices 2 and 3: they are
    // read for one end only.
    let write = rounds("merge_gap_kib=0", Op::Write, 16, 56);
    assert_eq!(write, [vec!["r0 0+8", "r1 0+8", "r2 16+8", "r3 16+8"], written.to_vec()]);
}

#[test]
fn the_parity_of_a_write_over_the_border_of_two_units_is_one_part_if_the_gap_is_short() {
    let apart = [["r0 6+2", "r1 0+1", "r4 0+1", "r4 6+2"], ["w0 6+2", "w1 0+1", "w4 0+1", "w4 6+2"]];
    assert_eq!(rounds("merge_gap_kib=0", Op::Write, 6, 3), apart);
    assert_eq!(rounds("merge_gap_kib=2", Op::Write, 6, 3), apart);
    let joined = [["r0 6+2", "r1 0+2", "r4 0+8"], ["w0 6+2", "w1 0+2", "w4 0+8"]];
    assert_eq!(rounds("merge_gap_kib=2", Op::Write, 6, 4), joined, "a gap of 4 sectors has 2 KiB");
    // Without a gap, the missing data of both units are reconstructed at once.
    let touching = rounds("merge_gap_kib=0,failed_device=0", Op::Write, 4, 8);
    assert_eq!(touching, [vec!["r1 0+8", "r2 0+8", "r3 0+8", "r4 0+8"], vec!["w1 0+4", "w4 0+8"]]);
}

#[test]
fn a_missing_device_is_put_together_from_all_others() {
    assert_eq!(rounds("", Op::Read, 6, 3), [["r0 6+2", "r1 0+1"]]);
    let read = rounds("failed_device=1,merge_gap_kib=0", Op::Read, 6, 3);
    assert_eq!(read, [["r0 0+1", "r0 6+2", "r2 0+1", "r3 0+1", "r4 0+1"]]);
    // The read wants all of a stripe: wanted data are not read again to reconstruct the missing data.
    let read = rounds("failed_device=1", Op::Read, 0, 32);
    assert_eq!(read, [["r0 0+8", "r2 0+8", "r3 0+8", "r4 0+8"]]);
    let write = rounds("failed_device=1", Op::Write, 8, 1);
    assert_eq!(write, [vec!["r0 0+1", "r2 0+1", "r3 0+1"], vec!["w4 0+1"]]);
    assert_eq!(rounds("failed_device=4", Op::Write, 8, 1), [["w1 0+1"]]);
}

#[test]
fn what_cannot_be_is_refused() {
    let fault = |text: &str| raid5(text, SIZE).err().expect("it is refused").to_string();
    assert!(fault("devices=2").contains("devices = 2: expected a whole number from 3 to 64"));
    assert!(fault("stripe_unit_kib=64").contains("expected at most 48"));
    assert!(fault("stripe_unit_kib=4,failed_device=5").contains("from 0 to 4"));
    assert!(fault("stripe_unit_kib=4,replaced=yes")
        .contains("replaced = yes: expected no, because failed_device is not given"));
    assert!(fault("stripe_unit_kib=4,rebuild_mb_s=0")
        .contains("rebuild_mb_s = 0: expected a number from 1e-6 to 1e6 (MB/s)"));
    assert!(
        fault("stripe_unit_kib=4,merge_gap_kib=-1").contains("merge_gap_kib = -1: expected a whole number")
    );
    let options = ROW.parse("devices=3,stripe_unit_kib=4").unwrap();
    let unlike = Raid5::new(&options, &vec![vec![97, 97, 98]]).err().unwrap().to_string();
    assert!(unlike.contains("97 sectors in device 0 and 98 in device 2: use one device"), "{unlike}");
}
