//! Counters of a device, shown below its slices: its power over time, and the position of its
//! mechanism.

use std::io;

use super::tracks::Tracks;
use crate::energy::IdleTime;
use crate::simulation::{Place, Served};
use crate::time::{Span, Time};

/// Steps of a position counter per micrometre. With these steps of 10 nm, the values of a sled's
/// whole range fit into two bytes.
const PER_UM: f64 = 100.0;

/// The counters of a device as track numbers: first the power, then each value of the position.
pub(super) struct Counters {
    tracks: Vec<u64>,
    /// Factors by which the values of the device's position are multiplied, one for each counter.
    factors: Vec<f64>,
}

impl Counters {
    /// Creates the counters below the track `group`, in display order from `rank` on; `places` are
    /// the names of the position's values.
    pub fn new(tracks: &mut Tracks<'_>, group: u64, rank: u64, places: &[&str]) -> io::Result<Self> {
        let (mut all, mut factors) = (vec![tracks.counter(group, "power", (1, "uW"), rank)?], Vec::new());
        for (rank, name) in (rank + 1..).zip(places) {
            let (name, unit, factor) = match name.strip_suffix("_um") {
                Some(axis) => (format!("sled {axis}"), (10, "nm"), PER_UM),
                None => ((*name).to_owned(), (1, ""), 1.0),
            };
            all.push(tracks.counter(group, &name, unit, rank)?);
            factors.push(factor);
        }
        Ok(Self { tracks: all, factors })
    }

    /// Track numbers of the counters: first the power, then each value of the position.
    pub fn tracks(&self) -> &[u64] {
        &self.tracks
    }

    /// Values of the counters at the start of the service `served`: power and position. The
    /// position is left out if the previous service `before` is shown, because the mechanism has
    /// not moved since; both are left out if `before` ends when `served` starts.
    pub fn at_start(&self, before: Option<&Served>, served: &Served) -> Vec<i64> {
        match before {
            Some(before) if before.end() == served.start => Vec::new(),
            Some(_) => vec![power(served)],
            None => self.values(power(served), served.places[0]),
        }
    }

    /// Values of the counters at the end of the service `served`. The power is the first entry of
    /// `follows` (the powers afterwards) if this entry begins when the service ends; otherwise it
    /// is the power of the service.
    pub fn at_end(&self, served: &Served, follows: &[(Time, i64)]) -> Vec<i64> {
        let power =
            follows.first().filter(|(at, _)| *at == served.end()).map_or(power(served), |(_, power)| *power);
        self.values(power, served.places[1])
    }

    fn values(&self, power: i64, place: Place) -> Vec<i64> {
        let places = self.factors.iter().zip(place).map(|(factor, value)| (factor * value).round() as i64);
        [power].into_iter().chain(places).collect()
    }
}

/// The powers of the idle time before a service and of the service itself, each with its start
/// time, in microwatts.
pub(super) fn powers(served: &Served) -> Vec<(Time, i64)> {
    let mut all = served.idle.as_ref().map(|(at, idle)| idle_powers(*at, idle)).unwrap_or_default();
    all.push((served.start, power(served)));
    all
}

/// The powers of the idle time after the last service, up to the end of `window`, in microwatts.
/// The last power is repeated at the end of the idle time, so that the view shows the device until
/// the run ends.
pub(super) fn rest(rest: Option<&(Time, IdleTime)>, window: [Time; 2]) -> Vec<(Time, i64)> {
    let Some((since, idle)) = rest else { return Vec::new() };
    let mut all = idle_powers(*since, idle);
    let end = idle.parts().iter().fold(*since, |at, (lasts, _)| at + *lasts);
    all.extend(all.last().map(|(_, power)| (end, *power)));
    all.retain(|(at, _)| *at <= window[1]);
    all
}

fn idle_powers(mut at: Time, idle: &IdleTime) -> Vec<(Time, i64)> {
    let mut all = Vec::new();
    for (lasts, joules) in idle.parts() {
        if lasts > Span::ZERO {
            all.push((at, microwatts(joules, lasts)));
        }
        at = at + lasts;
    }
    all
}

/// Mean power of a service in microwatts, without the energy of the device's own work before the
/// service.
fn power(served: &Served) -> i64 {
    let before_j = served.idle.as_ref().map_or(0.0, |(_, idle)| idle.work.total_j());
    microwatts(served.service.energy.total_j() - before_j, served.service.total())
}

fn microwatts(joules: f64, lasts: Span) -> i64 {
    if lasts == Span::ZERO {
        return 0;
    }
    (1e6 * joules / lasts.as_s()).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Service;
    use crate::energy::{IdleEnergy, ServiceEnergy};
    use crate::request::Op;

    /// A service that starts at 1 s and takes 1 s.
    fn served() -> Served {
        let service = Service { transfer: Span::from_s(1.0), ..Service::default() };
        Served {
            device: 0,
            row: Some(0),
            sectors: 0..8,
            op: Op::Read,
            is_background: false,
            arrival: Time::ZERO,
            start: Time::ZERO + Span::from_s(1.0),
            completion: Time::ZERO + Span::from_s(2.0),
            service,
            places: Default::default(),
            idle: None,
        }
    }

    /// Checks the power at the end of a service if no power follows, or if one follows later.
    #[test]
    fn a_service_ends_with_the_power_of_what_follows() {
        let counters = Counters { tracks: vec![1], factors: Vec::new() };
        let served = served();
        let end = served.end();
        assert_eq!(counters.at_end(&served, &[(end, 7), (end + Span(1), 8)]), [7]);
        assert_eq!(
            counters.at_end(&served, &[(end + Span(1), 8)]),
            [0],
            "expected the power of the service itself"
        );
        assert_eq!(counters.at_end(&served, &[]), [0], "expected the power of the service itself");
    }

    #[test]
    fn only_parts_of_idle_time_that_last_have_a_power() {
        let ready = IdleTime::ready(Span(1_000_000), 2.0);
        assert_eq!(idle_powers(Time(5), &ready), [(Time(5), 2_000_000)]);

        let energy = IdleEnergy { shutdown_j: 3.0, inactive_j: 4.0, ..IdleEnergy::default() };
        let work = ServiceEnergy { tips_j: 8.0, ..ServiceEnergy::default() };
        let [working, stopping, at_rest] = [4, 1, 8].map(|s| Span::from_s(f64::from(s)));
        let idle = IdleTime { working, work, stopping, at_rest, energy, ..IdleTime::default() };
        let s = |s: u64| Time(s * 1_000_000_000);
        let powers = [(s(1), 2_000_000), (s(5), 3_000_000), (s(6), 500_000)];
        assert_eq!(idle_powers(s(1), &idle), powers);
        // The last power is repeated at the end of the idle time, if the window reaches this time.
        for (end, more) in [(s(13), 0), (s(14), 1)] {
            let found = rest(Some(&(s(1), idle)), [s(0), end]);
            assert_eq!((&found[..3], found.len()), (&powers[..], 3 + more));
        }
    }

    /// Checks that the energy of a service without duration changes no power.
    #[test]
    fn a_service_that_takes_no_time_has_no_power() {
        let mut served = served();
        served.service.energy.tips_j = 3.0;
        assert_eq!(powers(&served), [(served.start, 3_000_000)]);
        served.service.transfer = Span::ZERO;
        assert_eq!(powers(&served), [(served.start, 0)]);
    }
}
