//! Bounds on the total service time of a batch over all orders of its requests: the best order of small batches, and
//! properties for batches of any size.

use std::ops::ControlFlow;

use proptest::prelude::*;
use sledsim::bounds::{ascend, bound, improve, optimum, serve, Bounds, Effort, EXACT_MAX};
use sledsim::device::mems::Mems;
use sledsim::device::Device;
use sledsim::device::{Hop, Hops};
use sledsim::request::{Op, Request};
use sledsim::sched::{Policy, SCHEDULERS};
use sledsim::time::Span;

use crate::support::params;

const EFFORT: Effort = Effort { steps: 100, changes: 5_000, seed: 1 };
/// Devices with parameters that cover several access modes, row orders and starts of writes.
const KINDS: &[(&str, &str)] = &[
    ("osdi00", ""),
    ("osdi00", "access_mode = \"serpentine\"\ncylinder_switch = \"seek\""),
    ("osdi00", "access_mode = \"unidirectional\"\nlayout = \"simple\""),
    ("osdi00", "row_order = \"lbn\"\nwrite_start = \"at-dispatch\""),
    ("mascots03", "write_settle_ms = 0.5"),
    ("hong03", "sleds = 2\npower_policy = \"immediate\""),
];

/// Random batches of at most `most` requests: scattered, sequential, or at a few places only.
fn batch(most: usize) -> impl Strategy<Value = Vec<Request>> {
    let sequential = (0..6_000_000_u64, 1..100_u32, 1..=most).prop_map(|(lbn, blocks, count)| {
        let one = |at: u64| Request::new(0, lbn + at * u64::from(blocks), blocks, Op::Read);
        (0..count as u64).map(one).collect()
    });
    let few = (scattered(4), prop::collection::vec(any::<prop::sample::Index>(), 1..=most))
        .prop_map(|(places, chosen)| chosen.iter().map(|one| *one.get(&places)).collect());
    prop_oneof![3 => scattered(most), 1 => sequential, 1 => few]
}

/// Random reads and writes that cover one row, several rows or several tracks; many of them lie near each other.
fn scattered(most: usize) -> impl Strategy<Value = Vec<Request>> {
    let blocks = prop_oneof![1..20_u32, 1..200_u32, 400..3000_u32];
    let lbn = prop_oneof![0..6_000_000_u64, 3_000_000..3_010_000_u64];
    let one = (lbn, blocks, any::<bool>()).prop_map(|(lbn, blocks, write)| {
        let op = if write { Op::Write } else { Op::Read };
        Request::new(0, lbn, blocks, op)
    });
    prop::collection::vec(one, 1..=most)
}

fn mems(kind: usize) -> Mems {
    let (device, overrides) = KINDS[kind];
    Mems::new(params(device, overrides).as_mems("this").expect("it is one")).expect("the device is valid")
}

fn served(mems: &Mems, requests: &[Request], policy: &str) -> (Vec<u32>, u64) {
    let policy = Policy::parse(policy).expect("the policy is known");
    let (order, total) = serve(mems, mems.all_there(requests), requests, &policy).expect("its defaults fit");
    (order, total.0)
}

/// The least total time in ns of all orders that begin with the requests in `begun`.
fn least_ns(hops: &Hops, begun: &mut Vec<u32>) -> u64 {
    if begun.len() == hops.count() {
        return hops.total_ns(begun);
    }
    let mut least = u64::MAX;
    for next in 0..hops.count() as u32 {
        if !begun.contains(&next) {
            begun.push(next);
            least = least.min(least_ns(hops, begun));
            begun.pop();
        }
    }
    least
}

/// The order of SPTF, from the table of hops: always the request with the shortest positioning from the current state;
/// among equals, the first.
fn greedy(hops: &Hops) -> Vec<u32> {
    let (mut state, mut order) = (hops.start(), Vec::new());
    while order.len() < hops.count() {
        let left = (0..hops.count()).filter(|to| !order.contains(&(*to as u32)));
        let next = left.min_by_key(|to| hops.hop(state, *to).cost_ns()).expect("one is left");
        order.push(next as u32);
        state = hops.state_after(state, next);
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// The total time of an order in the table of hops (costs from the end of one request through the next) equals the
    /// time that the device takes for the order under each policy, and the table has the same SPTF order.
    #[test]
    fn the_table_is_what_a_device_does(requests in batch(30), kind in 0..KINDS.len()) {
        let mems = mems(kind);
        let hops = mems.hops(&requests).unwrap();
        for row in SCHEDULERS.rows() {
            let (order, total_ns) = served(&mems, &requests, row.name);
            prop_assert_eq!(hops.total_ns(&order), total_ns);
        }
        prop_assert_eq!(served(&mems, &requests, "sptf").0, greedy(&hops));
    }

    #[test]
    fn the_optimum_is_the_least_of_all_orders(requests in batch(6), kind in 0..KINDS.len()) {
        let hops = mems(kind).hops(&requests).unwrap();
        let best = optimum(&hops).unwrap();
        prop_assert_eq!(hops.total_ns(&best), least_ns(&hops, &mut Vec::new()));
    }

    #[test]
    fn bounds_enclose_the_optimum(requests in batch(9), kind in 0..KINDS.len()) {
        let hops = mems(kind).hops(&requests).unwrap();
        let go_on = &mut |_| ControlFlow::Continue(());
        let greedy = greedy(&hops);
        let greedy_ns = hops.total_ns(&greedy);
        let best_ns = hops.total_ns(&optimum(&hops).unwrap());
        let certificate = ascend(&hops, greedy_ns, EFFORT.steps, go_on).unwrap();
        let found = improve(&hops, &certificate, &greedy, EFFORT, go_on).unwrap();
        let found_ns = hops.total_ns(&found);
        prop_assert!(certificate.bound_ns() <= best_ns as i64);
        prop_assert!(best_ns <= found_ns && found_ns <= greedy_ns);
        prop_assert!(certificate.toll_ns.iter().all(|toll_ns| *toll_ns >= 0));
        prop_assert!(certificate.sets.iter().all(|set| set.price_ns > 0 && set.members.len() > 1));
    }

    /// The certificate, which proves a lower bound by a price for each request and each set of requests, is valid: for
    /// each hop to a request, the prices due are at most the cost of the hop plus the difference of the tolls of its
    /// two states.
    #[test]
    fn a_certificate_holds_hop_by_hop(requests in batch(40), kind in 0..KINDS.len()) {
        let hops = mems(kind).hops(&requests).unwrap();
        let upper_ns = hops.total_ns(&greedy(&hops));
        let proof = ascend(&hops, upper_ns, EFFORT.steps, &mut |_| ControlFlow::Continue(())).unwrap();
        for from in (0..=hops.start()).filter(|from| hops.occurs(*from)) {
            for to in (0..hops.count()).filter(|to| *to != from / 2) {
                let has = |set: &[u32], request: usize| set.contains(&(request as u32));
                let entered = proof.sets.iter().filter(|set| has(&set.members, to) && !has(&set.members, from / 2));
                let owed_ns = proof.price_ns[to] + entered.map(|set| set.price_ns).sum::<i64>();
                let cost_ns = hops.hop(from, to).cost_ns() as i64;
                let tolls_ns = proof.toll_ns[from] - proof.toll_ns[hops.state_after(from, to)];
                prop_assert!(owed_ns <= cost_ns + tolls_ns);
            }
        }
    }

    #[test]
    fn larger_batches_are_improved_and_repeatable(requests in batch(60), kind in 0..KINDS.len(), seed in 0..9_u64) {
        let hops = mems(kind).hops(&requests).unwrap();
        let greedy = greedy(&hops);
        let effort = Effort { seed, ..EFFORT };
        let find = || bound(&hops, &greedy, effort, &mut |_| ControlFlow::Continue(())).unwrap();
        let Bounds { mut order, exact, certificate } = find();
        prop_assert_eq!(&order, &find().order);
        prop_assert_eq!(&certificate, &find().certificate);
        prop_assert_eq!(exact, requests.len() <= EXACT_MAX);
        prop_assert!(hops.total_ns(&order) <= hops.total_ns(&greedy));
        prop_assert!(certificate.bound_ns() <= hops.total_ns(&order) as i64);
        order.sort_unstable();
        prop_assert!(order.iter().enumerate().all(|(at, request)| at as u32 == *request));
    }
}

/// The bound for a thousand equal requests at one place is below the best total by at most the cost of one hop, because
/// only the first step differs.
#[test]
fn the_bound_on_equal_requests_is_nearly_reached() {
    let hops = mems(0).hops(&vec![Request::new(0, 1_000_000, 8, Op::Read); 1000]).unwrap();
    let upper_ns = hops.total_ns(&greedy(&hops));
    let proof = ascend(&hops, upper_ns, EFFORT.steps, &mut |_| ControlFlow::Continue(())).unwrap();
    let gap_ns = upper_ns as i64 - proof.bound_ns();
    let dearest = (0..2).map(|end| hops.hop(end, 1).cost_ns()).max().expect("the request has two states");
    assert!((0..=dearest as i64).contains(&gap_ns), "{gap_ns} ns");
}

/// The bound for two requests with hops of 1 to 4 ns equals the total of the best order exactly.
#[test]
fn the_bound_on_two_requests_is_their_best_order() {
    let mut short = Vec::new();
    for code in 0..256_u64 {
        let [there, back, first, second] = [0, 1, 2, 3].map(|at| 1 + (code >> (2 * at)) % 4);
        // A device with one way to serve a request: hops from the first, which does not lead to itself, and from the
        // second.
        let costs = [0, there, 0, there, back, 0, back, 0, first, second];
        let hops = Hops::new(2, costs.map(|ns| Hop::new(Span(ns), 0)).to_vec());
        let upper_ns = (first + there).min(second + back);
        let proof = ascend(&hops, upper_ns, EFFORT.steps, &mut |_| ControlFlow::Continue(())).unwrap();
        if proof.bound_ns() != upper_ns as i64 {
            short.push((costs, proof.bound_ns()));
        }
    }
    assert!(short.is_empty(), "{}: {short:?}", short.len());
}

#[test]
fn what_cannot_be_bounded_is_refused() {
    let mems = mems(0);
    let at = |lbn| Request::new(0, lbn, 1, Op::Read);
    let refused = |requests: &[Request]| mems.hops(requests).err().expect("it is refused").to_string();
    assert_eq!(refused(&[]), "number of requests in a batch: expected 1 to 4000, found 0");
    assert_eq!(refused(&vec![at(0); 4001]), "number of requests in a batch: expected 1 to 4000, found 4001");
    assert!(refused(&[at(0), at(mems.blocks())]).contains("past the end of osdi00"));
    let many: Vec<Request> = (0..=EXACT_MAX as u64).map(|place| at(1000 * place)).collect();
    let error = optimum(&mems.hops(&many).unwrap()).unwrap_err().to_string();
    assert_eq!(error, "exact optimum: expected at most 15 requests, found 16");
    let hops = mems.hops(&many).unwrap();
    let stopped = bound(&hops, &greedy(&hops), EFFORT, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.unwrap_err().to_string(), "interrupted");
}
