//! Counters that begin again at 0, by which long recordings count their times.

use proptest::prelude::*;

use crate::csv::read_mapped;

fn table(times: &[u64]) -> String {
    let rows: Vec<String> =
        times.iter().enumerate().map(|(at, time)| format!("{time},{},8,R\n", at * 8)).collect();
    "time,lbn,n,op\n".to_owned() + &rows.concat()
}

proptest! {
    /// Checks that a counter of 32 bits is unwrapped in each of its units, and that small disorder stays disorder.
    #[test]
    fn counters_count_on_from_their_start(
        unit in prop::sample::select(vec!["ns", "us", "ms"]),
        start in 0u64..1000,
        steps in prop::collection::vec(0u64..50_000_000, 100..200),
    ) {
        // The steps before the start show how long a step may be.
        let mut time = (1 << 32) - start - 1_000_000_000;
        let times: Vec<u64> = steps.iter().map(|step| { time += step; time }).collect();
        let counted: Vec<u64> = times.iter().map(|time| time % (1 << 32)).collect();
        let (trace, about) = read_mapped(&table(&counted), &format!("time=1:{unit},lbn=2,size=3:sectors,op=4")).unwrap();
        let unit_ns = match unit { "ns" => 1, "us" => 1_000, _ => 1_000_000 };
        let expected: Vec<i64> = times.iter().map(|time| (time * unit_ns) as i64).collect();
        prop_assert_eq!(trace.arrival_ns, expected);
        let has_wrapped = times.last().unwrap() >> 32 > 0;
        prop_assert_eq!(about.notes().iter().any(|note| note.contains("counter that wraps")), has_wrapped);
        prop_assert_eq!(about.late, 0);
    }
}

#[test]
fn times_out_of_order_are_no_counter() {
    for times in [
        &[5, 3, 4][..],
        &[4_000_000_000, 3, 4],
        &[4_294_967_295, 4_000_000_000],
        &[9_000_000_000, 1],
        // Two recordings of 4 s, one behind the other.
        &[0, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 0, 1_000_000],
        &[1, 1_000_001, 2_000_003, 3_999_999, 3],
    ] {
        let (trace, about) = read_mapped(&table(times), "time=1:us,lbn=2,size=3:sectors,op=4").unwrap();
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let expected: Vec<i64> = sorted.iter().map(|time| (time * 1_000) as i64).collect();
        assert_eq!((trace.arrival_ns, about.late > 0), (expected, true));
    }
}
