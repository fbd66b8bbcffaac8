//! Policies with a search index make the same decisions as with a linear search over all requests.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::device::build;
use sledsim::params::DeviceParams;
use sledsim::request::{Op, Request};
use sledsim::sched::{Policy, SCHEDULERS};
use sledsim::time::{Span, Time};

use crate::support::{params, turns};

/// Number of decisions compared per turn of a test on one device; the device continues from the state after the
/// previous decision.
const DECISIONS: usize = 2_500;

/// Pattern of the places to which 200 consecutive requests go.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    Random,
    /// Places within a few cylinders.
    Clustered,
    Sequential,
    /// Three places, to which requests go at random.
    Equal,
    /// Blocks at the same place within 60 cylinders, so that many requests are equally near.
    Ties,
}

const PATTERNS: [Pattern; 5] =
    [Pattern::Random, Pattern::Clustered, Pattern::Sequential, Pattern::Equal, Pattern::Ties];

struct Source {
    rng: Pcg64,
    blocks: u64,
    a_cylinder: u64,
    pattern: Pattern,
    middle: u64,
    row: u32,
    /// True if requests are admitted to the device, so that the data of a write may still be crossing the bus.
    late: bool,
}

impl Source {
    fn request(&mut self, now: Time) -> Request {
        let length = match self.rng.random_range(0..10) {
            0 => self.rng.random_range(1..200),
            1..4 => self.rng.random_range(1..40),
            _ => self.rng.random_range(1..9),
        };
        let at = match self.pattern {
            Pattern::Random => self.rng.random_range(0..self.blocks),
            Pattern::Clustered => self.middle + self.rng.random_range(0..8 * self.a_cylinder),
            Pattern::Sequential => {
                self.middle += length;
                self.middle
            }
            Pattern::Equal => self.middle + 100 * self.rng.random_range(0..3),
            Pattern::Ties => self.middle + self.a_cylinder * self.rng.random_range(0..60),
        };
        let lbn = at % (self.blocks - length);
        let op = if self.rng.random_range(0..3) == 0 { Op::Write } else { Op::Read };
        self.row += 1;
        Request { arrival: now, ..Request::new(self.row, lbn, length as u32, op) }
    }

    fn turn(&mut self) {
        self.pattern = PATTERNS[self.rng.random_range(0..PATTERNS.len())];
        self.middle = self.rng.random_range(0..self.blocks);
        self.late = self.rng.random_range(0..2) == 0;
    }
}

/// Runs a policy with a search index and with a linear search on the same requests, and checks that they choose the
/// same request each time.
fn compare(policy: &str, params: &DeviceParams, seed: u64) {
    let mut device = build(params, 1).expect("the device is valid").remove(0);
    let separator = if policy.contains(':') { ',' } else { ':' };
    let linear = format!("{policy}{separator}search=linear");
    let mut pair = [policy, linear.as_str()].map(|name| {
        let policy = Policy::parse(name).expect("it is a policy");
        policy.build(&*device).expect("it fits the device")
    });
    let mut rng = Pcg64::seed_from_u64(seed);
    let blocks = device.blocks();
    let a_cylinder = blocks / u64::from(device.extent().cylinders);
    let mut source = Source {
        rng: Pcg64::seed_from_u64(seed ^ 1),
        blocks,
        a_cylinder,
        pattern: Pattern::Random,
        middle: 0,
        row: 0,
        late: false,
    };
    let (mut now, mut decisions, mut longest) = (Time::ZERO, 0, 1);
    while decisions < DECISIONS {
        if decisions % 200 == 0 {
            source.turn();
            longest = [1, 4, 16, 64, 200][rng.random_range(0..5)];
        }
        for _ in 0..rng.random_range(0..4) {
            if pair[0].len() < longest {
                let mut request = source.request(now);
                if source.late {
                    device.admit(now, &mut request);
                }
                pair.iter_mut().for_each(|scheduler| scheduler.push(request, &*device));
            }
        }
        let [indexed, found] = pair.each_mut().map(|scheduler| scheduler.pop(now, &*device));
        assert_eq!(indexed, found, "{policy}, seed {seed}, decision {decisions}");
        let Some(request) = found else {
            // The device is idle for a while: the sled may have moved.
            now = now + Span(rng.random_range(0..3_000_000));
            continue;
        };
        decisions += 1;
        now = now + device.serve(now, &request).total();
    }
}

/// Devices that are difficult for a search index: every access mode, longer or shorter settling of writes, writes whose
/// data come late over the bus or that start at dispatch, sleds that drift or park when idle, other seek models and
/// layouts, and a device without an index.
const DEVICES: [(&str, &str); 21] = [
    ("osdi00", ""),
    ("osdi00", "access_mode = \"parity\""),
    ("osdi00", "access_mode = \"serpentine\""),
    ("osdi00", "access_mode = \"unidirectional\""),
    ("osdi00", "write_settle_ms = 0.5"),
    ("osdi00", "write_settle_ms = 0.05"),
    ("osdi00", "bus_mb_per_s = 2.0"),
    ("osdi00", "settle_ms = 0.0\nlayout = \"simple\""),
    ("osdi00", "sleds = 3\nidle = \"sweep\""),
    ("osdi00", "write_start = \"at-dispatch\"\nrow_order = \"lbn\"\nbus_mb_per_s = 5.0"),
    ("osdi00", "write_start = \"at-dispatch\"\nbus_mb_per_s = 5.0"),
    ("mascots03", "power_policy = \"immediate\""),
    ("mascots03-zones", "seek_model = \"table\"\nseek_table_steps = 64"),
    ("sigmetrics00", ""),
    ("hong03", ""),
    ("disksim-g2", "seek_model = \"bang-bang\""),
    ("osdi00", "layout = \"random\"\nlayout_seed = 1\nlayout_extent_blocks = 30"),
    ("osdi00", "layout = \"subregioned\""),
    ("osdi00", "layout = \"organ-pipe\"\naccess_mode = \"serpentine\""),
    ("osdi00", "layout = \"zone-grouped\"\nlayout_zone_cylinders = 120\nlayout_zone_y_bits = 1200"),
    ("osdi00", "layout = \"by-popularity\"\nlayout_popularity = [[5000, 50], [10, 7], [400000, 90000]]"),
];

#[test]
fn an_index_decides_as_looking_at_every_request_does() {
    let searching =
        |options: &[sledsim::sched::OptionRow]| options.iter().any(|option| option.name == "search");
    let names: Vec<String> = SCHEDULERS
        .rows()
        .iter()
        .filter(|row| searching(&row.options.concat()))
        .flat_map(|row| match row.name {
            "asptf" | "asatf" => vec![row.name.to_owned(), format!("{}:weight=60", row.name)],
            "wptf" => vec!["wptf".to_owned(), "wptf:limit_ms=20".to_owned()],
            "zsptf" | "ztsptf" => {
                vec![format!("{}:zone=60x600", row.name), format!("{}:parity=joined", row.name)]
            }
            name => vec![name.to_owned()],
        })
        .collect();
    assert!(names.len() >= 9, "at least 9 policies have an index: {names:?}");
    // Each device in turn.
    let turns = DEVICES.len() * turns(1) as usize;
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(move || {
                for turn in 0..turns {
                    let (device, overrides) = DEVICES[turn % DEVICES.len()];
                    compare(name, &params(device, overrides), turn as u64);
                }
            });
        }
    });
}

/// The policy chooses the first to arrive of two requests with equal positioning. Both are equally far from the middle,
/// where the sled rests, and the search looks at the upper one first. Some seek models first give bounds on the time in
/// x, others the time itself.
#[test]
fn of_two_that_are_as_near_the_first_to_come_is_chosen() {
    for overrides in [
        "seek_model = \"bang-bang\"",
        "seek_model = \"slew-limited\"\nactuator_rise_ms = 0.05",
        "seek_model = \"linear-system\"\nloop_frequency_hz = 739.0\nloop_damping = 1.0\nloop_tolerance_nm = 4.0",
    ] {
        let device = build(&params("osdi00", overrides), 1).expect("the device is valid").remove(0);
        let cylinders = u64::from(device.extent().cylinders);
        let in_each = device.blocks() / cylinders;
        for policy in ["sptf", "sptf:search=linear", "asptf", "asptf:search=linear", "wptf"] {
            for part in 0..60 {
                let below = (1 + 20 * part) * in_each + in_each * part / 60;
                let above = below + (cylinders - 2 * (1 + 20 * part)) * in_each;
                for places in [[below, above], [above, below]] {
                    let mut scheduler =
                        Policy::parse(policy).and_then(|policy| policy.build(&*device)).expect("it fits");
                    for (row, lbn) in places.into_iter().enumerate() {
                        scheduler.push(Request::new(row as u32, lbn, 1, Op::Read), &*device);
                    }
                    let chosen = scheduler.choose(Time::ZERO, &*device).expect("two wait");
                    assert_eq!(chosen.row, 0, "{overrides}, {policy}, {places:?}");
                }
            }
        }
    }
}

/// Disk drives with all kinds of read-ahead and with other settling times of writes.
const DRIVES: [(&str, &str); 11] = [
    ("atlas-iii", ""),
    ("atlas10k", ""),
    ("barracuda", ""),
    ("cheetah4lp", ""),
    ("dec-rz26", ""),
    ("hp-c2247a", ""),
    ("hp-c2490a", ""),
    ("st41601n", ""),
    ("atlas10k", "write_settle_ms = 3.0"),
    ("hp-c2247a", "cache_segments = 1"),
    ("hp-c2247a", "write_settle_ms = -1.0"),
];

#[test]
fn a_queue_by_cylinder_decides_as_looking_at_every_request_does() {
    std::thread::scope(|scope| {
        for policy in ["sptf", "sptf_driver"] {
            scope.spawn(move || {
                for (name, overrides) in DRIVES {
                    for turn in 0..turns(1) {
                        compare(policy, &params(name, overrides), u64::from(turn));
                    }
                }
            });
        }
    });
}

/// Flash cards: two on which the service time depends only on the operation, and one that erases blocks.
const CARDS: [(&str, &str); 3] =
    [("cf-card", ""), ("cf-card", "write_latency_ms = 0.3"), ("cf-card", "erase_block_kib = 128")];

#[test]
fn the_oldest_of_either_operation_is_what_looking_at_every_request_finds() {
    for policy in ["sptf", "asptf:weight=3", "satf", "wptf"] {
        for (name, overrides) in CARDS {
            compare(policy, &params(name, overrides), 7);
        }
    }
}

/// Further disk drives: with a queue in the drive, with head switches that take longer than a seek of several cylinders
/// or no time, and one on which several sectors pass in a nanosecond.
const MORE_DRIVES: [(&str, &str); 5] = [
    ("atlas10k", "queue = \"drive\"\npreseeks = true"),
    ("atlas10k", "head_switch_ms = 1.5"),
    ("hp-c2247a", "head_switch_ms = 9.0"),
    ("dec-rz26", "head_switch_ms = 0.0"),
    // Several sectors pass in a nanosecond.
    (
        "dec-rz26",
        "rotation_rpm = 1000000\nblock_count = 1400000000\nzones = [[0, 99, 1000000, 0, 0, 7, 9, 0]]",
    ),
];

/// Compares both searches while 300 requests wait in a few cylinders, at all angles and under all heads; at some
/// decisions the drive is still busy.
fn compare_crowded(policy: &str, params: &DeviceParams, seed: u64) {
    let mut device = build(params, 1).expect("the device is valid").remove(0);
    let linear = format!("{policy}:search=linear");
    let mut pair = [policy, linear.as_str()]
        .map(|name| Policy::parse(name).and_then(|policy| policy.build(&*device)).expect("it fits"));
    let mut rng = Pcg64::seed_from_u64(seed);
    let (blocks, cylinders) = (device.blocks() - 40, u64::from(device.extent().cylinders));
    let (mut now, mut row, mut lbn) = (Time::ZERO, 0, 0);
    for cylinders_used in [1, 2, 4, 12, 60] {
        let reach = (blocks / cylinders * cylinders_used).min(blocks);
        let first = rng.random_range(0..=blocks - reach);
        for _ in 0..60 {
            while pair[0].len() < 300 {
                let op = if rng.random_bool(0.4) { Op::Write } else { Op::Read };
                let is_random = row == 0 || rng.random_bool(0.7);
                lbn = if is_random { first + rng.random_range(0..reach) } else { lbn.saturating_sub(1) };
                row += 1;
                let request = Request::new(row, lbn, rng.random_range(1..40), op);
                pair.iter_mut().for_each(|scheduler| scheduler.push(request, &*device));
            }
            for after in [0, rng.random_range(0..3_000_000), rng.random_range(0..30_000_000)] {
                let [indexed, found] =
                    pair.each_ref().map(|scheduler| scheduler.choose(now + Span(after), &*device));
                assert_eq!(
                    indexed,
                    found,
                    "{policy}, {}, seed {seed}, request {row}, {after} ns later",
                    params.name()
                );
            }
            let [request, _] = pair.each_mut().map(|scheduler| scheduler.pop(now, &*device));
            let takes = device.serve(now, &request.expect("many wait")).total();
            now = now + Span(rng.random_range(takes.0 / 2..=takes.0 + 100_000));
        }
    }
}

#[test]
fn a_queue_by_angle_decides_as_looking_at_every_request_does() {
    std::thread::scope(|scope| {
        for policy in ["sptf", "sptf_driver"] {
            scope.spawn(move || {
                for (name, overrides) in DRIVES.into_iter().chain(MORE_DRIVES) {
                    for turn in 0..turns(1) {
                        compare_crowded(policy, &params(name, overrides), u64::from(turn));
                    }
                }
            });
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// The index and the linear search also agree for random seeds.
    #[test]
    fn and_does_so_from_any_seed(seed: u64, device in 0..DEVICES.len()) {
        let (device, overrides) = DEVICES[device];
        for policy in ["sptf", "asptf", "wptf:limit_ms=50", "zsptf", "ztsptf"] {
            compare(policy, &params(device, overrides), seed);
        }
    }
}
