//! Properties that hold for any requests on any disk drive.

use proptest::prelude::*;
use sledsim::device::disk::Disk;
use sledsim::device::load_disk;
use sledsim::device::Source;
use sledsim::params::{Delivered, DiskParams, ReadAhead, WriteHits};
use sledsim::request::Op;
use sledsim::time::{Span, Time};

use crate::support::NAMES;

/// Built-in drives with random settings of cache and read-ahead.
fn drive() -> impl Strategy<Value = DiskParams> {
    let read_ahead = prop::sample::select(vec![
        ReadAhead::None,
        ReadAhead::Track,
        ReadAhead::Cylinder,
        ReadAhead::Segment,
        ReadAhead::Adaptive,
        ReadAhead::ToTrackEnd,
    ]);
    let delivered = prop::sample::select(vec![Delivered::Keep, Delivered::Overwrite, Delivered::Reuse]);
    let name = prop::sample::select(NAMES.to_vec());
    (name, 0_u64..4, read_ahead, delivered, any::<[bool; 6]>()).prop_map(
        |(name, cache_segments, read_ahead, delivered, flags)| DiskParams {
            cache_segments,
            read_ahead,
            delivered,
            read_ahead_on_hit: flags[0],
            whole_track_reads: flags[1],
            zero_latency_reads: flags[2],
            zero_latency_writes: flags[3],
            write_back: flags[4],
            almost_hits: flags[5],
            ..load_disk(name)
        },
    )
}

/// A request relative to the previous one: true for a write, the distance of its first block from the previous end, its
/// number of blocks, and the pause in ns after the previous completion.
type Step = (bool, i64, u32, u64);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let away = prop_oneof![Just(0), -200_i64..200, -2_000_000_i64..2_000_000];
    let pause = prop_oneof![Just(0), 0_u64..30_000_000];
    prop::collection::vec((any::<bool>(), away, 1_u32..400, pause), 1..60)
}

fn place(params: &DiskParams, last: u64, away: i64, blocks: u32) -> u64 {
    last.saturating_add_signed(away).min(params.block_count - u64::from(blocks))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn phases_add_up_and_time_goes_on(params in drive(), steps in steps()) {
        let mut disk = Disk::new(&params).unwrap();
        let (mut now, mut last) = (Time::ZERO, params.block_count / 2);
        for (is_write, away, blocks, pause) in steps {
            let op = if is_write { Op::Write } else { Op::Read };
            let lbn = place(&params, last, away, blocks);
            let before = disk.mechanical(now, op, lbn);
            prop_assert_eq!(before, disk.mechanical(now, op, lbn));
            let served = disk.serve_at(now, op, lbn, blocks);
            let in_host = served.overhead + served.wait + served.bus;
            let on_medium = served.seek + served.rotation + served.hold + served.transfer;
            let in_all = if served.source == Source::WriteCache { in_host } else { in_host + on_medium };
            prop_assert_eq!(served.complete - now, in_all);
            // Rotation takes less than a turn; all other waiting is for the data.
            prop_assert!(served.rotation.0 <= 60_000_000_000 / params.rotation_rpm + 3);
            prop_assert!(is_write || served.hold == Span::ZERO);
            prop_assert!(served.complete > now);
            // Each request takes far less than a second, even across a whole drive and with a long write before.
            prop_assert!(served.complete.since(now) < Span(1_000_000_000));
            now = served.complete + Span(pause);
            last = lbn + u64::from(blocks);
        }
    }

    #[test]
    fn blocks_that_were_read_are_read_again_from_the_cache(
        mut params in drive(),
        lbn in 0_u64..2_000_000,
        blocks in 1_u32..50,
        pause in 0_u64..1_000_000_000,
    ) {
        params.cache_segments = params.cache_segments.max(2);
        // Read-ahead to the end of the track, and of the next one, goes beyond a segment.
        params.segment_blocks = if params.read_ahead == ReadAhead::ToTrackEnd { 1_000 } else { 200 };
        params.delivered = Delivered::Keep;
        let mut disk = Disk::new(&params).unwrap();
        let first = disk.serve_at(Time(5), Op::Read, lbn, blocks);
        prop_assert_eq!(first.source, Source::Medium);
        let again = disk.serve_at(first.complete + Span(pause), Op::Read, lbn, blocks);
        prop_assert_eq!(again.source, Source::Cache);
        let written = disk.serve_at(again.complete, Op::Write, lbn, blocks);
        let behind = disk.serve_at(written.complete, Op::Read, lbn, blocks);
        let is_held = params.read_hits_on_writes;
        prop_assert_eq!(behind.source == Source::Cache, is_held);
    }

    #[test]
    fn a_look_foretells_what_a_miss_takes(lbn in 0_u64..2_000_000, other in 0_u64..2_000_000, pause in 0_u64..99_999_999) {
        let params = DiskParams {
            cache_segments: 0,
            zero_latency_reads: false,
            read_miss_after_read_ms: 0.0,
            command_ms: 0.0,
            ..load_disk("atlas10k")
        };
        let mut disk = Disk::new(&params).unwrap();
        let first = disk.serve_at(Time::ZERO, Op::Read, lbn, 8);
        let now = first.complete + Span(pause);
        let foretold = disk.mechanical(now, Op::Read, other);
        let served = disk.serve_at(now, Op::Read, other, 8);
        prop_assert_eq!(foretold, served.wait + served.seek + served.rotation);
        prop_assert!(served.rotation < Span(60_000_000_000 / params.rotation_rpm));
    }
}

/// A stream of sequential writes into the cache takes at least as long as on the medium; only the writes that fit in
/// one segment of the cache may complete earlier.
#[test]
fn a_stream_of_writes_is_no_faster_than_the_medium() {
    for blocks in [8_u64, 100, 334, 1000] {
        let params = DiskParams { bus_write_ms_per_block: 0.0, ..load_disk("atlas10k") };
        let mut disk = Disk::new(&params).unwrap();
        let (mut now, first) = (Time::ZERO, params.block_count / 2);
        let written = 100_000 / blocks * blocks;
        for lbn in (first..first + written).step_by(blocks as usize) {
            let served = disk.serve_at(now, Op::Write, lbn, blocks as u32);
            assert!(served.complete >= now);
            now = served.complete;
        }
        // At most 334 sectors pass in a turn of 10,025 rpm.
        let least_s = (written - params.segment_blocks - blocks) as f64 / 334.0 * 60.0 / 10_025.0;
        assert!(now.since(Time::ZERO).as_s() > least_s, "{blocks}: {} s", now.since(Time::ZERO).as_s());
    }
}

/// A read directly behind a cached write waits for the write to reach the medium, but needs neither seek nor rotation:
/// the head is on the track, and the first sector of the read comes next.
#[test]
fn a_read_right_behind_a_cached_write_loses_no_turn() {
    for name in ["atlas10k", "atlas-iii", "barracuda", "cheetah4lp"] {
        let params = DiskParams { read_hits_on_writes: false, whole_track_reads: false, ..load_disk(name) };
        let mut disk = Disk::new(&params).unwrap();
        let written = disk.serve_at(Time::ZERO, Op::Write, 1_000_000, 8);
        assert_eq!(written.source, Source::WriteCache);
        let read = disk.serve_at(written.complete, Op::Read, 1_000_008, 8);
        assert!(read.wait > Span::ZERO, "{name}: the medium is still at work");
        assert_eq!(read.seek + read.rotation, Span::ZERO, "{name}");
    }
}

/// Zero-latency reads begin at any sector of the track. With long pauses between requests, they take in total no longer
/// than other reads, whatever their size.
#[test]
fn long_reads_of_the_atlas_10k_lose_nothing_by_zero_latency() {
    for blocks in [128_u32, 256, 512, 1000] {
        let total = |zero_latency_reads| {
            let params = DiskParams { zero_latency_reads, cache_segments: 0, ..load_disk("atlas10k") };
            let mut disk = Disk::new(&params).unwrap();
            let last = params.block_count - u64::from(blocks);
            let read = |number: u64| {
                let now = Time(number * 1_000_000_007);
                disk.serve_at(now, Op::Read, number * 7_919_003 % last, blocks).complete - now
            };
            (0..500_u64).map(read).map(|span| span.0).sum::<u64>()
        };
        assert!(total(true) <= total(false), "{blocks}");
    }
}

/// Source (cache or medium) of a read of block `lbn`, which arrives 50 ms after consecutive reads of 8 blocks each that
/// cover `reads`.
fn source_after(reads: std::ops::Range<u64>, lbn: u64) -> Source {
    let params = DiskParams {
        read_ahead: ReadAhead::ToTrackEnd,
        whole_track_reads: false,
        segment_blocks: 2_000,
        ..load_disk("atlas10k")
    };
    let mut disk = Disk::new(&params).unwrap();
    let mut now = Time::ZERO;
    for first in reads.step_by(8) {
        now = disk.serve_at(now, Op::Read, first, 8).complete;
    }
    disk.serve_at(now + Span(50_000_000), Op::Read, lbn, 8).source
}

/// The parameter `delivered` decides whether the cache keeps data that the host has received: a second read of them is
/// served from the cache or from the medium.
#[test]
fn what_was_read_is_read_again_from_the_cache_if_it_is_kept() {
    for (delivered, source) in [
        (Delivered::Keep, Source::Cache),
        (Delivered::Overwrite, Source::Medium),
        (Delivered::Reuse, Source::Medium),
    ] {
        let params = DiskParams {
            read_ahead: ReadAhead::None,
            whole_track_reads: false,
            delivered,
            ..load_disk("atlas10k")
        };
        let mut disk = Disk::new(&params).unwrap();
        let read = disk.serve_at(Time::ZERO, Op::Read, 96, 8);
        let again = disk.serve_at(read.complete + Span(50_000_000), Op::Read, 96, 8);
        assert_eq!((read.source, again.source), (Source::Medium, source), "{delivered:?}");
    }
}

/// A single read brings the rest of its track into the cache, and sequential reads also bring the next track. The first
/// tracks of the Atlas 10K have 334 sectors.
#[test]
fn any_read_brings_the_rest_of_its_track_and_sequential_ones_the_next() {
    assert_eq!(source_after(96..104, 320), Source::Cache);
    assert_eq!(source_after(96..104, 88), Source::Medium);
    assert_eq!(source_after(96..104, 340), Source::Medium);
    assert_eq!(source_after(96..112, 650), Source::Cache);
    assert_eq!(source_after(96..112, 680), Source::Medium);
}

/// Read-ahead stops at the end of the track or cylinder. A read that itself ends there is followed by no read-ahead.
#[test]
fn reading_ahead_ends_with_the_track_or_the_cylinder() {
    for read_ahead in [ReadAhead::Track, ReadAhead::Cylinder] {
        let params = DiskParams {
            read_ahead,
            read_ahead_blocks: 100_000,
            segment_blocks: 100_000,
            whole_track_reads: false,
            ..load_disk("atlas10k")
        };
        let disk = Disk::new(&params).unwrap();
        let is_track = read_ahead == ReadAhead::Track;
        let border = if is_track { disk.layout().track(0).end } else { disk.layout().cylinder(0).end };
        for before in [0, 1, 100] {
            for (lbn, source) in [(border - 1, Source::Cache), (border, Source::Medium)] {
                let mut disk = disk.clone();
                let read = disk.serve_at(Time::ZERO, Op::Read, border - 8 - before, 8);
                let found = disk.serve_at(read.complete + Span(500_000_000), Op::Read, lbn, 1).source;
                assert_eq!(found, source, "{read_ahead:?}: {before} before its end, block {lbn}");
            }
        }
    }
}

/// Writes into the cache take the overhead of a hit (0.186 ms or 0.189 ms). With `WriteHits::Sequential`, a write that
/// does not continue the previous one takes the overhead of a miss (0.34492 ms or 0.49673 ms).
#[test]
fn writes_into_the_cache_take_the_overhead_of_a_hit() {
    let overheads = |write_hits| {
        let params = DiskParams { write_hits, ..load_disk("atlas10k") };
        let mut disk = Disk::new(&params).unwrap();
        let mut write =
            |second: u64, lbn| disk.serve_at(Time(second * 1_000_000_000), Op::Write, lbn, 8).overhead.0;
        [write(0, 5_000), write(1, 9_000), write(2, 9_008)]
    };
    assert_eq!(overheads(None), [186_000, 189_000, 189_000]);
    assert_eq!(overheads(Some(WriteHits::Every)), [186_000, 189_000, 189_000]);
    assert_eq!(overheads(Some(WriteHits::Sequential)), [344_920, 496_730, 189_000]);
}

/// A drive without cache segments ignores `write_back`: no write completes before it is on the medium.
#[test]
fn a_drive_without_segments_has_no_write_back() {
    for name in NAMES {
        let serve = |write_back| {
            let params = DiskParams { cache_segments: 0, write_back, ..load_disk(name) };
            let mut disk = Disk::new(&params).unwrap();
            let write = |number: u64| {
                let lbn = number * 7_919 % (params.block_count - 64);
                disk.serve_at(Time(number * 100_000_000), Op::Write, lbn, 1 + number as u32 % 64)
            };
            (0..40).map(write).collect::<Vec<_>>()
        };
        let served = serve(true);
        assert_eq!(served, serve(false), "{name}");
        for write in served {
            assert!(
                write.source == Source::Medium && write.complete >= write.medium_done,
                "{name}: {write:?}"
            );
        }
    }
}
