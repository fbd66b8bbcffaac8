//! Statistics of traces, computed in one pass, compared with their definitions, computed over all rows at once.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sledsim::trace::{flags, Op, Trace, TraceRow};
use sledsim::trace_statistics::{Figures, Statistics, StatisticsOptions, Summary};

const GAP: i64 = 8;

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![4 => Just(Op::Read), 5 => Just(Op::Write), 1 => Just(Op::Discard), 1 => Just(Op::Flush)]
}

/// A random request whose arrival time is relative to the previous request. It goes to one of few places, so that
/// places repeat.
fn request() -> impl Strategy<Value = TraceRow> {
    let times = (prop_oneof![0..3_i64, 0..20_000_000_i64, 0..5_000_000_000_i64], 0..2_i64, 0..40_000_000_i64);
    let place = (0..12_i64, prop_oneof![Just(8), 1..40_i32, 2000..5000_i32], 0..3_i32);
    (times, place, op(), any::<bool>(), 0..12_u8, 0..32_u8).prop_map(
        |((arrival_ns, recorded, response_ns), (place, blocks, device), op, metadata, class, flags)| {
            TraceRow {
                arrival_ns,
                lbn: place * 8,
                blocks: if op == Op::Flush { 0 } else { blocks },
                op,
                metadata,
                device: device * 7,
                class,
                flags,
                response_ns: recorded * response_ns,
                service_ns: recorded * response_ns / 2,
            }
        },
    )
}

fn requests() -> impl Strategy<Value = Vec<TraceRow>> {
    prop::collection::vec((request(), any::<bool>()), 1..120).prop_map(|drawn| {
        let mut now = 1000;
        let mut rows: Vec<TraceRow> = Vec::new();
        for (mut row, goes_on) in drawn {
            now += row.arrival_ns;
            row.arrival_ns = now;
            if let (true, Some(last)) = (goes_on, rows.last()) {
                // Without this no request would be sequential.
                (row.device, row.lbn) = (last.device, last.lbn + i64::from(last.blocks));
            }
            rows.push(row);
        }
        rows
    })
}

fn trace(rows: &[TraceRow]) -> Trace {
    let mut trace = Trace::default();
    rows.iter().for_each(|row| trace.push(*row));
    trace
}

fn summary(batches: &[&[TraceRow]]) -> Summary {
    summary_with(StatisticsOptions::default(), batches)
}

fn summary_with(options: StatisticsOptions, batches: &[&[TraceRow]]) -> Summary {
    let mut statistics = Statistics::new(StatisticsOptions { interleave_sectors: GAP as u32, ..options });
    batches.iter().for_each(|rows| statistics.add(&trace(rows)).expect("the rows are in order"));
    statistics.summary()
}

/// Options for separate statistics of a few devices, with little or much memory for them.
fn few_devices() -> impl Strategy<Value = StatisticsOptions> {
    (1..6_u32, prop_oneof![0..4000_u64, 0..400_000_u64, Just(u64::MAX)]).prop_map(
        |(devices_most, device_bytes)| StatisticsOptions {
            devices_most,
            device_bytes,
            ..StatisticsOptions::default()
        },
    )
}

/// Random requests to many devices, some of which receive many requests.
fn requests_of_many() -> impl Strategy<Value = Vec<TraceRow>> {
    let device = prop_oneof![0..4_i32, 0..12_i32, 0..40_i32];
    let moved = |rows: Vec<TraceRow>, devices: Vec<i32>| {
        let moved = rows.into_iter().zip(devices).map(|(row, device)| TraceRow { device: device * 7, ..row });
        moved.collect::<Vec<_>>()
    };
    (requests(), prop::collection::vec(device, 120)).prop_map(move |(rows, devices)| moved(rows, devices))
}

fn of_devices(rows: &[TraceRow], are: impl Fn(i32) -> bool) -> Vec<TraceRow> {
    rows.iter().filter(|row| are(row.device)).copied().collect()
}

/// Devices in the order of their number of requests, of any kind; among equals, the device with the first request comes
/// first.
fn by_frequency(rows: &[TraceRow]) -> Vec<i32> {
    let mut devices: Vec<i32> = Vec::new();
    rows.iter().for_each(|row| {
        if !devices.contains(&row.device) {
            devices.push(row.device);
        }
    });
    devices.sort_by_key(|device| std::cmp::Reverse(of_devices(rows, |one| one == *device).len()));
    devices
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn same(one: f64, two: f64) -> bool {
    one.is_nan() && two.is_nan() || (one - two).abs() <= 1e-12 * two.abs()
}

fn is_transfer(row: &&TraceRow) -> bool {
    matches!(row.op, Op::Read | Op::Write)
}

/// The reads and writes, each with the previous read or write on its device if any.
fn pairs(rows: &[TraceRow]) -> Vec<(TraceRow, Option<TraceRow>)> {
    let before = |at: usize| rows[..at].iter().filter(is_transfer).rfind(|row| row.device == rows[at].device);
    let some = (0..rows.len()).filter(|at| is_transfer(&&rows[*at]));
    some.map(|at| (rows[at], before(at).copied())).collect()
}

fn blocks(row: &TraceRow) -> impl Iterator<Item = (i32, i64)> {
    let device = row.device;
    (row.lbn / 8..=(row.lbn + i64::from(row.blocks) - 1) / 8).map(move |block| (device, block))
}

fn check_counts(rows: &[TraceRow], found: &Figures) {
    let of = |op| rows.iter().filter(move |row| row.op == op);
    let bytes = |op| of(op).map(|row| row.blocks as u64 * 512).sum::<u64>();
    let counts = &found.counts;
    let ops = [counts.reads, counts.writes, counts.discards, counts.flushes];
    assert_eq!(ops, [Op::Read, Op::Write, Op::Discard, Op::Flush].map(|op| of(op).count() as u64));
    let moved = [counts.read_bytes, counts.written_bytes, counts.discarded_bytes];
    assert_eq!(moved, [Op::Read, Op::Write, Op::Discard].map(bytes));
    let (reads, writes) = (of(Op::Read).count(), of(Op::Write).count());
    assert!(same(counts.read_share, share(reads, reads + writes)));
    let metadata = rows.iter().filter(is_transfer).filter(|row| row.metadata).count();
    assert!(same(counts.metadata_share, share(metadata, reads + writes)));
    let metadata_writes = of(Op::Write).filter(|row| row.metadata).count();
    assert!(same(counts.metadata_share_of_writes, share(metadata_writes, writes)));
    let mut sizes: Vec<u64> = rows.iter().filter(is_transfer).map(|row| row.blocks as u64 * 512).collect();
    sizes.sort_unstable();
    assert_eq!(found.transfers.max_bytes, sizes.last().copied().unwrap_or(0));
    if let Some(median) = sizes.get(sizes.len().saturating_sub(1) / 2) {
        let error = (found.transfers.median_bytes - *median as f64).abs();
        assert!(error <= if *median <= 1 << 20 { 0.0 } else { *median as f64 / 64.0 });
    }
    let in_buckets: u64 = found.transfers.buckets_bytes.iter().map(|bucket| bucket.count).sum();
    assert_eq!(in_buckets, sizes.len() as u64);
}

fn check_places(rows: &[TraceRow], found: &Figures) {
    let pairs = pairs(rows);
    let distance = |(row, before): &(TraceRow, Option<TraceRow>)| {
        before.map(|before| row.lbn - before.lbn - i64::from(before.blocks))
    };
    let sequential = pairs.iter().filter(|pair| distance(pair) == Some(0));
    let logical = pairs.iter().filter(|pair| matches!(distance(pair), Some(0 | GAP)));
    assert!(same(found.places.sequential_share, share(sequential.clone().count(), pairs.len())));
    assert!(same(found.places.logical_sequentiality, share(logical.count(), pairs.len())));
    let writes = pairs.iter().filter(|(row, _)| row.op == Op::Write).count();
    let sequential_writes = sequential.clone().filter(|(row, _)| row.op == Op::Write).count();
    assert!(same(found.places.sequential_share_of_writes, share(sequential_writes, writes)));
    assert_eq!(found.places.runs.count as usize, pairs.len() - sequential.count());
    let jumps = pairs.iter().filter_map(distance);
    let mean = jumps.clone().map(|jump| jump.abs() as f64 * 512.0).sum::<f64>() / jumps.count() as f64;
    assert!(same(found.places.jumps_bytes.mean, mean));
    assert_eq!(found.places.first_sector, pairs.iter().map(|(row, _)| row.lbn).min().unwrap_or(0));
    let written: Vec<TraceRow> = rows.iter().filter(|row| row.op == Op::Write).copied().collect();
    let again = (1..written.len()).filter(|at| {
        let row = &written[*at];
        let before = written[..*at].iter().rfind(|before| before.device == row.device);
        before.is_some_and(|before| {
            let last = |row: &TraceRow| row.lbn + i64::from(row.blocks) - 1;
            row.lbn.max(before.lbn) <= last(row).min(last(before))
        })
    });
    assert!(same(found.places.rewrite_share, share(again.count(), writes)));
}

fn check_footprint(rows: &[TraceRow], found: &Figures) {
    let (mut touched, mut written) = (BTreeSet::new(), BTreeSet::new());
    let (mut writes, mut again) = (0, 0);
    for row in rows.iter().filter(is_transfer) {
        touched.extend(blocks(row));
        if row.op == Op::Write {
            writes += blocks(row).count();
            again += blocks(row).filter(|block| !written.insert(*block)).count();
        }
    }
    assert_eq!(found.footprint.touched_bytes, touched.len() as u64 * 4096);
    assert_eq!(found.footprint.distinct_written_bytes, written.len() as u64 * 4096);
    assert!(same(found.footprint.overwritten_share, share(again, writes)));
}

fn check_arrivals(rows: &[TraceRow], found: &Figures) {
    let arrivals = &found.arrivals;
    type Class = fn(&TraceRow) -> bool;
    let classes: [(Class, _); 4] = [
        (|row| row.op.moves_data(), &arrivals.all),
        (|row| row.op == Op::Read, &arrivals.reads),
        (|row| row.op == Op::Write, &arrivals.writes),
        (|row| row.metadata && row.op.moves_data(), &arrivals.metadata),
    ];
    for (belongs, found) in classes {
        let times: Vec<i64> = rows.iter().filter(|row| belongs(row)).map(|row| row.arrival_ns).collect();
        let mut between: Vec<i64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let below = |limit_ns| share(between.iter().filter(|time| **time < limit_ns).count(), between.len());
        assert_eq!(found.seconds.count as usize, between.len());
        assert!(same(found.share_below_1_ms, below(1_000_000)));
        assert!(same(found.share_below_10_ms, below(10_000_000)));
        let count = between.len() as f64;
        let mean = between.iter().sum::<i64>() as f64 / count;
        let variance = between.iter().map(|time| (*time as f64 - mean).powi(2)).sum::<f64>() / count;
        let cv2 = variance / (mean * mean);
        assert!(cv2.is_nan() == found.cv2.is_nan());
        assert!(cv2.is_nan() || (cv2 - found.cv2).abs() <= 1e-9 * (1.0 + cv2), "{cv2} {}", found.cv2);
        between.sort_unstable();
        if let Some(last) = between.len().checked_sub(1) {
            let median = between[last / 2] as f64 * 1e-9;
            assert!((found.seconds.median - median).abs() <= median / 64.0 * (1.0 + 1e-9));
        }
    }
}

fn check_classes(rows: &[TraceRow], found: &Figures) {
    let all = rows.iter().filter(is_transfer).count();
    let named = rows.iter().filter(is_transfer).any(|row| row.class > 0);
    assert_eq!(named, !found.classes.is_empty());
    for class in &found.classes {
        let some: Vec<&TraceRow> =
            rows.iter().filter(is_transfer).filter(|row| row.class == class.class).collect();
        let marked = |flag| some.iter().filter(|row| row.flags & flag != 0).count() as u64;
        assert_eq!(class.requests as usize, some.len());
        assert!(same(class.share, share(some.len(), all)));
        let found = [class.sync, class.asynchronous, class.flush_daemon];
        assert_eq!(found, [flags::SYNC, flags::ASYNC, flags::DAEMON].map(marked));
    }
    let recorded = rows.iter().filter(is_transfer).filter(|row| row.response_ns > 0);
    assert_eq!(found.response_s.count as usize, recorded.clone().count());
    assert_eq!(
        found.response_s.max.max(0.0),
        recorded.map(|row| row.response_ns as f64 * 1e-9).fold(0.0, f64::max)
    );
}

fn check(rows: &[TraceRow], found: &Figures) {
    check_counts(rows, found);
    check_places(rows, found);
    check_footprint(rows, found);
    check_arrivals(rows, found);
    check_classes(rows, found);
}

proptest! {
    #[test]
    fn they_are_what_their_definitions_say(rows in requests()) {
        let found = summary(&[&rows]);
        check(&rows, &found.overall);
        let numbers: BTreeSet<i32> = rows.iter().map(|row| row.device).collect();
        prop_assert!(found.devices.iter().map(|row| row.device).eq(numbers));
        for device in &found.devices {
            let own: Vec<TraceRow> = rows.iter().filter(|row| row.device == device.device).copied().collect();
            check(&own, &device.figures);
        }
    }

    #[test]
    fn batches_make_no_difference(rows in requests(), at in any::<prop::sample::Index>()) {
        let (one, two) = rows.split_at(at.index(rows.len()));
        // Values are compared as text, because a figure may be NaN, which differs from itself.
        prop_assert_eq!(format!("{:?}", summary(&[&rows])), format!("{:?}", summary(&[one, two])));
    }

    #[test]
    fn batches_make_no_difference_to_the_others(
        rows in requests_of_many(), at in any::<prop::sample::Index>(), options in few_devices()
    ) {
        let (one, two) = rows.split_at(at.index(rows.len()));
        let [whole, parts] = [&[&rows[..]][..], &[one, two]].map(|batches| summary_with(options, batches));
        prop_assert_eq!(format!("{whole:?}"), format!("{parts:?}"));
    }

    #[test]
    fn the_others_are_what_their_definitions_say(rows in requests_of_many(), options in few_devices()) {
        let found = summary_with(options, &[&rows]);
        check(&rows, &found.overall);
        let own: Vec<i32> = found.devices.iter().map(|row| row.device).collect();
        let all = by_frequency(&rows);
        prop_assert_eq!(own.len(), all.len().min(options.devices_most as usize));
        if options.device_bytes == u64::MAX {
            let most: BTreeSet<i32> = all[..own.len()].iter().copied().collect();
            prop_assert!(most.into_iter().eq(own.iter().copied()));
        }
        for device in &found.devices {
            check(&of_devices(&rows, |one| one == device.device), &device.figures);
        }
        prop_assert_eq!(found.others.as_ref().map_or(0, |others| others.devices as usize), all.len() - own.len());
        if let Some(others) = &found.others {
            let rest = of_devices(&rows, |one| !own.contains(&one));
            check_counts(&rest, &others.figures);
            check_places(&rest, &others.figures);
            check_footprint(&rest, &others.figures);
            check_classes(&rest, &others.figures);
            prop_assert_eq!(others.figures.arrivals.all.seconds.count, 0);
        }
    }
}

#[test]
fn a_request_before_the_last_is_refused() {
    let mut statistics = Statistics::new(StatisticsOptions::default());
    let row = |arrival_ns| TraceRow { arrival_ns, blocks: 8, ..TraceRow::default() };
    statistics.add(&trace(&[row(5), row(7)])).unwrap();
    let error = statistics.add(&trace(&[row(6)])).unwrap_err().to_string();
    let expected = "expected an arrival at or after the previous arrival, 7 ns, found 6 ns: sort the trace";
    assert_eq!(error, format!("request 2: {expected}"));
    let wrong = TraceRow { lbn: -1, ..row(9) };
    let error = statistics.add(&trace(&[row(8), wrong])).unwrap_err().to_string();
    assert_eq!(error, "request 3: expected lbn of at least 0, found -1");
    assert_eq!(statistics.summary().overall.counts.requests, 3);
}

#[test]
fn the_timeline_and_the_sample_hold_the_whole_of_a_long_trace() {
    let count = 50_000;
    let rows: Vec<TraceRow> = (0..count)
        .map(|at| TraceRow { arrival_ns: at * 10_000_000, lbn: at, blocks: 1, ..TraceRow::default() })
        .collect();
    let found = summary(&[&rows]);
    let intervals = &found.timeline.intervals;
    assert_eq!(intervals.iter().map(|interval| interval.reads).sum::<u64>(), count as u64);
    assert!((512..=1024).contains(&intervals.len()));
    assert_eq!(found.timeline.interval_s, 0.512);
    assert_eq!(found.sample.one_in, 8);
    assert!(found.sample.lbn.iter().enumerate().all(|(at, lbn)| *lbn == at as i64 * 8));
    assert_eq!(found.sample.lbn.len() as i64, count / 8);
}

#[test]
fn a_device_of_many_requests_that_comes_late_has_figures_of_its_own() {
    let mut rows: Vec<TraceRow> = Vec::new();
    let mut push = |device| {
        rows.push(TraceRow { arrival_ns: rows.len() as i64, device, blocks: 8, ..TraceRow::default() });
    };
    (0..2000).for_each(&mut push);
    (0..100).for_each(|_| push(1999));
    let found = summary(&[&rows]);
    assert_eq!((found.devices.len(), found.others.expect("they are many").devices), (1024, 976));
    let last = &found.devices[1023];
    assert_eq!((last.device, last.figures.counts.requests), (1999, 101));
    assert_eq!(found.devices[1022].device, 1022);
    assert_eq!(summary(&[&rows[..1024]]).others.map(|others| others.devices), None);
}

#[test]
fn an_empty_trace_has_no_statistics() {
    let found = summary(&[]);
    assert_eq!((found.overall.counts.requests, found.devices.len()), (0, 0));
    assert!(found.overall.counts.read_share.is_nan() && found.overall.arrivals.hurst.is_nan());
}
