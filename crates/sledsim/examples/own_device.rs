//! A custom device in one file: `cargo run --release --example own_device`.
//!
//! A drum with a head for every track needs no seek: a request waits only until its first block passes. Under FCFS
//! that is half a turn in the mean; SPTF serves the block that passes next.

use std::ops::ControlFlow;

use sledsim::conformance::CHECKS;
use sledsim::device::{build, load, register_device, Coordinates, Device, Extent, OwnKind, Service};
use sledsim::energy::{IdleTime, ServiceEnergy};
use sledsim::error::{Error, Result};
use sledsim::params::{DeviceParams, Key, OwnKey, OwnParams, Range};
use sledsim::request::Request;
use sledsim::sched::Policy;
use sledsim::simulation::simulate;
use sledsim::time::{Span, Time};
use sledsim::workload::{random, Columns, PastEnd, Replay};
use toml::{Table, Value};

/// A drum that turns under a head for every track.
#[derive(Clone)]
struct Drum {
    turn: Span,
    tracks: u64,
    track_blocks: u64,
}

const POWER_W: f64 = 100.0;

impl Drum {
    fn new(params: &OwnParams) -> Result<Self> {
        let whole = |name: &str| params.values[name].as_integer().map_or(0, i64::unsigned_abs);
        let turn_s = params.values["turn_ms"].as_float().map_or(0.0, |ms| ms * 1e-3);
        Ok(Self { turn: Span::from_s(turn_s), tracks: whole("tracks"), track_blocks: whole("track_blocks") })
    }

    /// Rotation of the drum until a block passes, from the beginning of the first block, in nanoseconds.
    fn turned_ns(&self, lbn: u64) -> u64 {
        (u128::from(lbn) * u128::from(self.turn.0) / u128::from(self.track_blocks)) as u64
    }

    /// The wait for the first block, and the time until the last has passed.
    fn times(&self, now: Time, request: &Request) -> [Span; 2] {
        let [from, until] =
            [request.lbn, request.lbn + u64::from(request.blocks)].map(|lbn| self.turned_ns(lbn));
        let turn = self.turn.0;
        [Span((from % turn + turn - now.0 % turn) % turn), Span(until - from)]
    }
}

impl Device for Drum {
    fn blocks(&self) -> u64 {
        self.tracks * self.track_blocks
    }

    fn block_bytes(&self) -> u64 {
        512
    }

    fn begin(&mut self, _now: Time) {}

    fn positioning(&self, now: Time, request: &Request) -> Span {
        self.times(now, request)[0]
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        let [wait, transfer] = self.times(now, request);
        wait + transfer
    }

    fn distance_m(&self, _now: Time, _request: &Request) -> f64 {
        0.0
    }

    fn coordinates(&self, lbn: u64) -> Coordinates {
        Coordinates { cylinder: 0, track: lbn / self.track_blocks, y_bits: (lbn % self.track_blocks) as u32 }
    }

    fn extent(&self) -> Extent {
        Extent { cylinders: 1, y_bits: self.track_blocks as u32 }
    }

    fn accept(&mut self, now: Time, _request: &Request) -> Time {
        now
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        let [wait, transfer] = self.times(now, request);
        let electronics_j = POWER_W * (wait + transfer).as_s();
        Service {
            positioning: wait,
            rotation: wait,
            transfer,
            energy: ServiceEnergy { electronics_j, ..ServiceEnergy::default() },
            ..Service::default()
        }
    }

    fn complete(&mut self, now: Time, _request: &Request) -> Time {
        now
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        IdleTime::ready(lasts, POWER_W)
    }
}

fn key(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    range: Range,
    default: Value,
) -> OwnKey {
    OwnKey { key: Key { name, unit, description: meaning, range: Some(range), is_optional: false }, default }
}

/// Registers the drum under its name, for this program and everything that it calls.
///
/// # Errors
/// Never: the name is free.
pub fn register() -> Result<()> {
    let whole = Range::Whole([1, 1 << 20]);
    let heads = "Tracks, each with a head";
    register_device(OwnKind {
        name: "drum",
        summary: "A drum with a head for every track",
        keys: vec![
            key("turn_ms", "ms", "Time of a turn", Range::Within([1.0, 1000.0]), Value::Float(17.5)),
            key("tracks", "", heads, whole, Value::Integer(800)),
            key("track_blocks", "", "Blocks of 512 bytes on a track", whole, Value::Integer(20)),
        ],
        characteristics: Vec::new(),
        make: Box::new(|params| Ok(Box::new(Drum::new(params)?))),
    })
}

/// A drum, with some parameters set.
///
/// # Errors
/// An unknown key, an invalid value.
pub fn drum(set: Table) -> Result<DeviceParams> {
    Ok(load("drum", set)?.into_parameters())
}

/// The checks of all devices that the drum fails.
///
/// # Errors
/// Never: the parameters are those of a drum.
pub fn failures(params: &DeviceParams) -> Result<Vec<String>> {
    let device = build(params, 1)?.remove(0);
    Ok(CHECKS.iter().filter_map(|check| check.failure(&*device)).collect())
}

/// The mean response time in milliseconds of random requests at a rate.
///
/// # Errors
/// An unknown policy, an invalid rate.
pub fn mean_response_ms(params: &DeviceParams, policy: &str, rate_per_s: f64) -> Result<f64> {
    let sectors = build(params, 1)?[0].sectors();
    let trace = random(sectors, rate_per_s, 5_000, 1)?;
    let mut replay = Replay::new(Columns::of(&trace), 1.0, sectors, PastEnd::Error)?;
    let go_on = &mut |_| ControlFlow::Continue(());
    let record = simulate(params, 1, &Policy::parse(policy)?, &mut replay, go_on)?.record;
    let responses = record.completion_ns.iter().zip(&record.arrival_ns).map(|(end, start)| end - start);
    Ok(responses.sum::<i64>() as f64 / trace.len() as f64 * 1e-6)
}

#[expect(clippy::disallowed_macros, reason = "the core does not print, a program does")]
fn main() -> Result<()> {
    register()?;
    let params = drum(Table::new())?;
    match failures(&params)?.as_slice() {
        [] => println!("it does what every device has to ({} checks)", CHECKS.len()),
        all => return Err(Error::Parameter(all.join("; "))),
    }
    println!("{:8} {:>22}", "rate", "mean response");
    for rate_per_s in [10.0, 30.0, 50.0] {
        for policy in ["fcfs", "sptf"] {
            let ms = mean_response_ms(&params, policy, rate_per_s)?;
            println!("{rate_per_s:4.0} / s {policy:>8} {ms:10.1} ms");
        }
    }
    Ok(())
}
