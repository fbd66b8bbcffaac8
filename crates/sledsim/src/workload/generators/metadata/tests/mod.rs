//! Tests of the published figures and of other statements about the two days.

mod measured;

use super::bursts::FLUSH_PERIOD_S;
use super::day::Day;
use super::kinds::KINDS;
use crate::options::Options;
use crate::time::NANOS_PER_S;
use crate::trace::{flags, Op, Trace};
use crate::trace_statistics::{Statistics, StatisticsOptions, Summary};
use crate::workload::generators::tests::{draw, fault, CAPACITY};
use crate::workload::Generator;

const DAYS: [&str; 2] = ["1999-01-13", "1999-01-14"];

fn day(text: &str) -> Day {
    Day::new(&Options::parse("metadata", super::OPTIONS, text).unwrap()).unwrap()
}

fn measured(trace: &Trace) -> Summary {
    let mut statistics = Statistics::new(StatisticsOptions::default());
    statistics.add(trace).unwrap();
    statistics.summary()
}

fn is_flushed(trace: &Trace, row: usize) -> bool {
    trace.flags[row] == flags::DAEMON
}

#[test]
fn every_published_figure_is_reached() {
    // Table 2 of 003, and its text on Figure 3.
    let published =
        [((353_914, 161_531, 21_756, 12_612), 0.155, 0.788), ((41_963, 31_997, 11_012, 9_927), 0.174, 0.529)];
    for (name, (counts, sequentiality, below_10_ms)) in DAYS.iter().zip(published) {
        let found = measured(&draw(&format!("metadata:day={name}"))).overall;
        let of = found.counts;
        assert_eq!((of.requests, of.writes, of.metadata, of.metadata_writes), counts);
        let of_one = 1.0 / of.requests as f64;
        assert!((found.places.logical_sequentiality - sequentiality).abs() <= of_one, "{:?}", found.places);
        assert!((found.places.sequential_share - sequentiality).abs() <= of_one);
        let arrivals = found.arrivals;
        assert!((arrivals.all.share_below_10_ms - below_10_ms).abs() < 0.005, "{:?}", arrivals.all);
        assert!((arrivals.metadata.share_below_1_ms - 0.15).abs() < 0.01, "{:?}", arrivals.metadata);
        // Table 2's mean rates, 4.1/s and 0.5/s, and the statements on Figure 3.
        assert!((of.span_s / 86_400.0 - 1.0).abs() < 0.005, "{}", of.span_s);
        assert!(arrivals.writes.share_below_10_ms > arrivals.reads.share_below_10_ms);
        assert!(arrivals.metadata.share_below_10_ms < arrivals.reads.share_below_10_ms);
    }
}

/// Checks every sentence of 003 on Figure 3. For all seeds, these sentences hold with shares of 0.2
/// to 0.3 on both days; from 0.4 on, metadata requests are burstier than reads on the second day.
#[test]
fn metadata_come_in_bursts_as_dense_as_asked_for() {
    for (name, seed) in [(DAYS[0], 7), (DAYS[1], 8), (DAYS[1], 9)] {
        for part in [0.2, 0.3, 0.4, 0.5] {
            let text = format!("metadata:day={name},seed={seed},metadata_below_10_ms={part}");
            let arrivals = measured(&draw(&text)).overall.arrivals;
            let (metadata, reads) = (arrivals.metadata, arrivals.reads.share_below_10_ms);
            assert!((metadata.share_below_10_ms - part).abs() < 0.002, "{text}: {metadata:?}");
            assert!((metadata.share_below_1_ms - 0.15).abs() < 0.005, "{text}: {metadata:?}");
            assert!((arrivals.all.share_below_10_ms - day(&text[9..]).below_10_ms).abs() < 0.002, "{text}");
            assert!(arrivals.writes.share_below_10_ms > reads, "{text}");
            let is_less_bursty = part < 0.35 || name == DAYS[0];
            assert_eq!(metadata.share_below_10_ms < reads, is_less_bursty, "{text}: {reads}");
        }
        // Sessions and flushes give no more, and no less than the required share below 1 ms.
        let most = measured(&draw(&format!("metadata:day={name},metadata_below_10_ms=1"))).overall.arrivals;
        assert!((0.53..0.57).contains(&most.metadata.share_below_10_ms), "{:?}", most.metadata);
    }
}

#[test]
fn a_part_of_a_day_is_like_the_whole() {
    for (name, seed) in DAYS.iter().zip([5, 6]) {
        let text = format!("day={name},count=20000,seed={seed}");
        let (asked, whole) = (day(&text), day(&format!("day={name}")));
        let found = measured(&draw(&format!("metadata:{text}"))).overall;
        let of = found.counts;
        let part = |those: u64| those as f64 / whole.requests as f64;
        let pairs = [
            (of.writes, asked.writes, part(whole.writes)),
            (of.metadata, asked.metadata, part(whole.metadata)),
            (of.metadata_writes, asked.metadata_writes, part(whole.metadata_writes)),
        ];
        for (found, asked, part) in pairs {
            assert_eq!(found, asked);
            assert!((asked as f64 / 20_000.0 - part).abs() <= 0.5 / 20_000.0);
        }
        assert!((found.places.logical_sequentiality - asked.sequentiality).abs() <= 0.5 / 20_000.0);
        assert!((found.arrivals.all.share_below_10_ms - asked.below_10_ms).abs() < 0.005);
        assert!((found.arrivals.metadata.share_below_1_ms - asked.metadata_below_1_ms).abs() < 0.01);
    }
    for count in 1..200 {
        for name in DAYS {
            let of = day(&format!("day={name},count={count}"));
            let (metadata_reads, reads) = (of.metadata - of.metadata_writes, of.requests - of.writes);
            assert!(of.metadata_writes <= of.writes && metadata_reads <= reads, "{name}, {count}");
        }
    }
}

#[test]
fn flushes_come_every_30_s() {
    for name in DAYS {
        let trace = draw(&format!("metadata:day={name}"));
        let period_ns = (FLUSH_PERIOD_S * NANOS_PER_S) as i64;
        // Arrivals of metadata folded at the period, in slots of a second.
        let mut slots = [0_u32; FLUSH_PERIOD_S as usize];
        let mut flushes = std::collections::BTreeSet::new();
        for row in (0..trace.len()).filter(|row| trace.metadata[*row]) {
            let (flush, late_ns) = (trace.arrival_ns[row] / period_ns, trace.arrival_ns[row] % period_ns);
            slots[(late_ns as f64 / NANOS_PER_S) as usize] += 1;
            if is_flushed(&trace, row) {
                assert_eq!(trace.op[row], Op::Write);
                flushes.insert(flush);
            }
        }
        let others = slots[1..].iter().sum::<u32>() / 29;
        assert!(slots[0] > 10 * others, "{slots:?}");
        // The first request of a flush comes with it.
        let begins = |flush: &i64| trace.arrival_ns.binary_search(&(flush * period_ns)).is_ok();
        assert!(flushes.iter().all(begins));
    }
}

/// Checks that the fraction of writes in flushes is the measured one, separately for data and
/// metadata.
#[test]
fn as_many_writes_are_flushed_as_were_measured() {
    let trace = draw("metadata:day=1999-01-14");
    for (metadata, [at_once, flushed]) in [(false, [1, 2]), (true, [4, 5])] {
        let measured = [at_once, flushed].map(|kind: usize| {
            assert_eq!((KINDS[kind].metadata, KINDS[kind].flushed), (metadata, kind == flushed));
            KINDS[kind].blocks().map(|(_, _, requests)| requests).sum::<u64>() as f64
        });
        let writes =
            (0..trace.len()).filter(|row| trace.op[*row] == Op::Write && trace.metadata[*row] == metadata);
        let found = writes.clone().filter(|row| is_flushed(&trace, *row)).count() as f64;
        let expected = writes.count() as f64 * measured[1] / (measured[0] + measured[1]);
        assert!((found - expected).abs() <= 0.5, "found {found}, expected {expected}");
    }
}

#[test]
fn metadata_lie_in_their_areas_and_data_between() {
    for (options, area, period) in
        [("day=1999-01-14", 256, 4352), ("count=20000,area_blocks=16,period_blocks=100", 16, 100)]
    {
        let trace = draw(&format!("metadata:{options}"));
        for row in 0..trace.len() {
            let (offset, blocks) = (trace.lbn[row] % period, i64::from(trace.blocks[row]));
            let (from, to) = if trace.metadata[row] { (0, area) } else { (area, period) };
            assert!(from <= offset && offset + blocks <= to, "{offset} + {blocks}");
            assert_eq!(trace.metadata[row], trace.class[row] > 1);
            assert_eq!((offset % 2, blocks % 2), (0, 0));
        }
        let halves = trace.lbn.iter().filter(|lbn| (**lbn as u64) < CAPACITY / 2).count();
        assert!((halves as f64 / trace.len() as f64 - 0.5).abs() < 0.02, "{halves}");
    }
}

#[test]
fn another_rate_is_the_same_day_faster() {
    let (day, fast) = (draw("metadata:count=5000"), draw("metadata:count=5000,rate=40.96226851851852"));
    assert_eq!((&day.lbn, &day.blocks, &day.flags), (&fast.lbn, &fast.blocks, &fast.flags));
    for (slow, fast) in day.arrival_ns.iter().zip(&fast.arrival_ns) {
        assert!((slow / 10 - fast).abs() <= 1);
    }
}

#[test]
fn it_says_how_near_it_comes() {
    let notes = |text: &str| {
        let generator = Generator::parse(text).unwrap();
        generator.notes(&generator.draw(CAPACITY).unwrap()).unwrap()
    };
    for rate in ["", ",rate=1000"] {
        let note = notes(&format!("metadata:day=1999-01-14{rate}")).remove(0);
        let begin = "Reached (and published): 41963 requests (41963); 31997 writes (31997); 11012 metadata (11012); 9927 metadata writes (9927); sequential 17.40 % (17.4 %); inter-arrival times below 10 ms 52.88 % (52.9 %)";
        assert!(note.starts_with(begin), "{note}");
        assert!(note.contains(" % (15.0 %); of metadata below 10 ms 2"), "{note}");
        assert!(note.ends_with(" % (25.0 %)."), "{note}");
    }
    assert!(notes("random:rate=1,count=1").is_empty());
    for count in 1..50 {
        let note = notes(&format!("metadata:day=1999-01-14,count={count}")).remove(0);
        assert!(
            !note.contains("NaN") && (count > 1 || note.contains("below 10 ms of none (52.9 %)")),
            "{note}"
        );
    }
}

#[test]
fn what_cannot_be_is_named() {
    for (options, words) in [
        ("day=1999-01-15", "metadata: day = 1999-01-15: expected 1999-01-13 or 1999-01-14"),
        ("count=0", "metadata: count = 0: expected day, or a whole number from 1 to 4294967295"),
        ("metadata_below_10_ms=0.1", "metadata_below_10_ms = 0.1: expected a number from 0.15 to 1"),
        ("rate=0", "metadata: rate = 0: expected day, or a number above 0 (1/s)"),
        ("rate=1e-6", "metadata: rate = 0.000001: expected a rate at which all requests arrive within 4e9 s"),
        ("period_blocks=9e9", "period_blocks = 9000000000: expected a whole number from 32 to 6750000"),
        ("area_blocks=4350", "metadata: area_blocks = 4350: expected a whole number from 16 to 4336"),
    ] {
        let found = fault(&format!("metadata:{options}"));
        assert!(found.contains(words), "{found}");
    }
}
