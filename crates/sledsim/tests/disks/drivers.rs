//! Tests of the policy `sptf_driver`: of a disk drive it knows only the place of the arm and the angle of the platters,
//! not the drive's overheads.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::device::build;
use sledsim::device::disk::ZonedLayout;
use sledsim::device::load_disk;
use sledsim::params::{DeviceParams, DiskParams, ReadAhead};
use sledsim::request::{Op, Request};
use sledsim::sched::Policy;
use sledsim::time::Time;

/// A drive without a cache: each command takes half a millisecond before the arm moves, and every seek takes the time
/// of the seek curve, with nothing added.
fn drive() -> DiskParams {
    DiskParams {
        command_ms: 0.5,
        cache_segments: 0,
        write_back: false,
        read_ahead: ReadAhead::None,
        whole_track_reads: false,
        ..load_disk("atlas10k")
    }
}

/// Seek time in ms over a distance in cylinders, by its definition: straight lines between the points of the seek
/// curve.
fn seek_ms(drive: &DiskParams, cylinders: f64) -> f64 {
    let curve = drive.seek_curve.rows();
    let behind = curve.iter().position(|point| point[0] >= cylinders).expect("the curve covers the drive");
    if cylinders == 0.0 || behind == 0 {
        return if cylinders == 0.0 { 0.0 } else { curve[0][1] };
    }
    let ([x0, y0], [x1, y1]) =
        ([curve[behind - 1][0], curve[behind - 1][1]], [curve[behind][0], curve[behind][1]]);
    y0 + (cylinders - x0) * (y1 - y0) / (x1 - x0)
}

/// Time in ms, from `now_ms`, until block `to` is under its head, if the arm leaves the track of block `from` at
/// `now_ms`.
fn reached_ms(drive: &DiskParams, layout: &ZonedLayout, now_ms: f64, from: u64, to: u64) -> f64 {
    let (from, to) = (layout.place(from), layout.place(to));
    let cylinders = f64::from(from.track.cylinder.abs_diff(to.track.cylinder));
    let switch_ms = if from.track.head == to.track.head { 0.0 } else { drive.head_switch_ms };
    let there_ms = now_ms + seek_ms(drive, cylinders).max(switch_ms);
    let turn_ms = 60_000.0 / drive.rotation_rpm as f64;
    let angle = f64::from(to.slot) / f64::from(to.sectors_per_track);
    let ahead = (angle - there_ms / turn_ms).rem_euclid(1.0);
    there_ms + ahead * turn_ms - now_ms
}

/// `sptf_driver` chooses the request that arm and platters would reach soonest if the arm left now. The policy `sptf`
/// inside the drive knows that the arm leaves only after the command overhead, so that it often chooses another one.
#[test]
fn a_driver_goes_by_arm_and_rotation_alone() {
    let drive = drive();
    let layout = ZonedLayout::new(&drive).unwrap();
    let mut device = build(&DeviceParams::Disk(Box::new(drive.clone())), 1).unwrap().remove(0);
    let mut rng = Pcg64::seed_from_u64(1);
    let (mut now, mut different) = (Time::ZERO, 0);
    for _ in 0..300 {
        let mut block = || rng.random_range(0..layout.blocks);
        let first = block();
        now = now + device.serve(now, &Request::new(0, first, 1, Op::Read)).total();
        let waiting: Vec<u64> = (0..40).map(|_| block()).collect();
        let [driver, own] = ["sptf_driver", "sptf"].map(|policy| {
            let mut queue = Policy::parse(policy).unwrap().build(&*device).unwrap();
            for (row, lbn) in (1..).zip(&waiting) {
                queue.push(Request::new(row, *lbn, 1, Op::Read), &*device);
            }
            queue.choose(now, &*device).unwrap().lbn
        });
        let after_ms = |lbn| reached_ms(&drive, &layout, now.0 as f64 * 1e-6, first, lbn);
        let least_ms = waiting.iter().map(|lbn| after_ms(*lbn)).fold(f64::INFINITY, f64::min);
        assert!(
            after_ms(driver) < least_ms + 1e-4,
            "chosen: reached in {} ms, nearest: {least_ms} ms",
            after_ms(driver)
        );
        different += u32::from(own != driver);
    }
    assert!(different > 100, "the drive's own SPTF chooses otherwise in {different} of 300 decisions");
}
