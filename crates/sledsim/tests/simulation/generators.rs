//! Properties of every generator of workloads: its requests fit the device, and each of its options has an effect.

use proptest::prelude::*;
use sledsim::trace::{Op, Trace};
use sledsim::workload::{Generator, GeneratorRow, GENERATORS};

const CAPACITY: u64 = 6_750_000;

/// A value other than the default for every option of the generators, with the further options that it needs to take
/// effect.
pub const OTHERWISE: &[(&str, &str, &str)] = &[
    ("rate", "900", ""),
    ("count", "99", ""),
    ("seed", "2", ""),
    ("arrivals", "constant", ""),
    ("on_ms", "50", "arrivals=bursts,"),
    ("off_ms", "100", "arrivals=bursts,"),
    ("on_ms", "50", "arrivals=self-similar,"),
    ("off_ms", "100", "arrivals=self-similar,"),
    ("hurst", "0.7", "arrivals=self-similar,"),
    ("sources", "4", "arrivals=self-similar,"),
    ("session", "9", "arrivals=sessions,"),
    ("close", "0.8", "arrivals=sessions,"),
    ("close_gap", "0.05", "arrivals=sessions,"),
    ("reads", "0.5", ""),
    ("flush_every", "3", ""),
    ("size_bytes", "8192", ""),
    ("sizes", "fixed", ""),
    ("sequential", "0.5", ""),
    ("local", "0.1", ""),
    ("distance_blocks", "100", ""),
    ("streams", "2", ""),
    ("sequentiality", "0.5", ""),
    ("interleave_blocks", "8", ""),
    ("theta", "1", ""),
    ("extent_blocks", "16", ""),
    ("mean", "0.15", ""),
    ("largest_bytes", "2097152", "count=5000,"),
    ("gap_ms", "3", ""),
    ("disks", "4", ""),
    ("unit_blocks", "64", ""),
    ("day", "1999-01-14", ""),
    ("metadata_below_10_ms", "0.5", ""),
    ("period_blocks", "8704", ""),
    ("area_blocks", "512", ""),
    ("file", "tests/simulation/fitted.toml", ""),
];

fn draw(name: &str, options: &str, capacity: u64) -> Trace {
    let text = format!("{name}:{options}");
    let generator = Generator::parse(&text).expect("there are such options");
    generator.draw(capacity).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The option that selects the process of arrivals; empty for a generator without such a choice.
fn by(process: &str, row: &GeneratorRow) -> String {
    let can_be_chosen = row.options.concat().iter().any(|option| option.name == "arrivals");
    if can_be_chosen {
        format!("arrivals={process},")
    } else {
        String::new()
    }
}

fn check(trace: &Trace, count: usize, capacity: u64) {
    assert_eq!(trace.len(), count);
    assert!(trace.arrival_ns[0] >= 0 && trace.arrival_ns.is_sorted());
    for row in 0..count {
        let (lbn, blocks) = (trace.lbn[row], trace.blocks[row]);
        let least = i32::from(trace.op[row] != Op::Flush);
        assert!(
            lbn >= 0 && blocks >= least && (lbn + i64::from(blocks)) as u64 <= capacity,
            "{lbn} + {blocks}"
        );
    }
}

#[test]
fn every_option_counts() {
    for row in GENERATORS.rows() {
        for option in row.options.concat() {
            let ways: Vec<_> = OTHERWISE.iter().filter(|(name, ..)| *name == option.name).collect();
            assert!(!ways.is_empty(), "{}: add a value other than the default to OTHERWISE", option.name);
            for (name, value, context) in ways {
                let stands = |option: &str| *name == option || context.contains(option);
                let rate = if stands("rate") { "" } else { "rate=1000," };
                let count = if stands("count") { "" } else { "count=100," };
                let given =
                    |value: &str| draw(row.name, &format!("{rate}{count}{context}{name}={value}"), CAPACITY);
                let default = if option.default.is_empty() { "1000" } else { option.default };
                let default = if *name == "count" { "100" } else { default };
                let (usual, other) = (given(default), given(value));
                assert_ne!(usual, other, "{}: {name}={value}", row.name);
                assert_eq!(usual, given(default), "{}: {name}={default}", row.name);
                check(&other, other.len(), CAPACITY);
            }
        }
    }
}

#[test]
fn every_generator_keeps_its_rate() {
    // The only random quantity is the number of the array's requests that a disk of raid5 sees. The mean is 0.4
    // requests each, with a variance of 0.5: of 125,000, the standard error of the rate is half a percent.
    for row in GENERATORS.rows() {
        let trace = draw(row.name, &format!("{}rate=500,count=50000", by("constant", &row)), CAPACITY);
        let requests = trace.op.iter().filter(|op| op.moves_data()).count();
        let rate = requests as f64 / (trace.arrival_ns[trace.len() - 1] as f64 * 1e-9);
        assert!((rate / 500.0 - 1.0).abs() < 0.02, "{}: {rate}", row.name);
    }
}

#[test]
fn a_name_says_how_to_draw_the_same_again() {
    for row in GENERATORS.rows() {
        let generator = Generator::parse(&format!("{}:rate=1e3,count=50", row.name)).expect("it is known");
        assert_eq!(generator.name(), format!("{}:rate=1000,count=50,seed=1", row.name));
        let again = Generator::parse(&generator.name()).expect("it is its name");
        assert_eq!(again.draw(CAPACITY).unwrap(), generator.draw(CAPACITY).unwrap());
    }
}

#[test]
fn errors_of_unknown_names_and_options_list_the_known_ones() {
    let fault = |text: &str| Generator::parse(text).err().expect("it cannot be").to_string();
    let names: Vec<&str> = GENERATORS.rows().into_iter().map(|row| row.name).collect();
    let known = names.join(", ");
    assert_eq!(
        fault("zipff:rate=1"),
        format!("unknown workload \"zipff\": did you mean \"zipf\"? known: {known}")
    );
    assert!(fault("zipf:rat=1")
        .starts_with("unknown option of zipf \"rat\": did you mean \"rate\"? known: rate, "));
    assert_eq!(fault("zipf:rate"), "zipf: expected option=value, found \"rate\"");
    assert_eq!(fault("zipf:rate=1,rate=2"), "zipf: rate is given twice");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn requests_fit_any_device(
        row in 0..GENERATORS.rows().len(),
        capacity in prop_oneof![1..200_u64, 1..1_u64 << 40],
        count in 1..60_usize,
        seed: u64,
        process in prop::sample::select(vec!["poisson", "constant", "bursts", "sessions", "self-similar", "asap"]),
    ) {
        let row = GENERATORS.rows()[row];
        let (name, process) = (row.name, by(process, &row));
        let rate = if process.contains("asap") { "" } else { "rate=1000," };
        let options = format!("{rate}{process}count={count},seed={seed}");
        match Generator::parse(&format!("{name}:{options}")).expect("there are such options").draw(capacity) {
            Ok(trace) => check(&trace, count, capacity),
            // An extent, a stripe unit, or a period of metadata areas is larger than the device.
            Err(error) => prop_assert!(error.to_string().contains("_blocks = "), "{}", error),
        }
    }
}
