//! A device with episodes (stalls and slow-downs): a wrapper that takes the place of another device.

use super::episode::{Effect, Episode};
use super::times::Times;
use crate::device::{pass_on, Approach, Coordinates, Device, Extent, Passages, Seeks, Service};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::request::Request;
use crate::time::{Span, Time};

/// A device that starts no service during stalls, and is slow during slow-downs.
///
/// Policies see the inner device and do not know about episodes, as a host does not know about a drive's
/// internal work. During a stall, the service in progress continues, and the device accepts commands; waiting
/// requests are scheduled when the stall ends. During a slow-down, a service is first simulated at its usual
/// speed. Then the device stays in place and ready until the service has taken `factor` times as long.
#[derive(Clone)]
pub struct EpisodicDevice {
    device: Box<dyn Device>,
    stalls: Vec<Times>,
    slow: Vec<(Times, f64)>,
    begun: Time,
}

impl EpisodicDevice {
    /// Adds episodes to a device; the episodes must be [possible together](super::check_together).
    #[must_use]
    pub fn new(device: Box<dyn Device>, episodes: &[Episode]) -> Self {
        let (mut stalls, mut slow) = (Vec::new(), Vec::new());
        for Episode { effect, times, .. } in episodes {
            match effect {
                Effect::Stall => stalls.push(*times),
                Effect::Slow(factor) => slow.push((*times, *factor)),
            }
        }
        Self { device, stalls, slow, begun: Time::ZERO }
    }

    /// Additional time of a service that starts at `now` and would take `total` without slow-downs. If several
    /// slow-downs overlap, the one with the largest factor counts.
    fn longer(&self, now: Time, total: Span) -> Span {
        let running = self.slow.iter().filter(|(times, _)| times.until(self.begun, now).is_some());
        let factor = running.map(|(_, factor)| *factor).fold(1.0, f64::max);
        Span::from_s(total.as_s() * (factor - 1.0))
    }
}

impl Device for EpisodicDevice {
    pass_on!(device: blocks, block_bytes, coordinates, extent, queue_depth, accept, admit, complete, certain, location, idle_location, lower_ends);
    pass_on!(device: idle, counts, go_on, waited_for_bus, has_write_cache);

    fn begin(&mut self, now: Time) {
        self.begun = now;
        self.device.begin(now);
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        self.device.positioning(now, request)
    }

    fn positioning_without_overheads(&self, now: Time, request: &Request) -> Span {
        self.device.positioning_without_overheads(now, request)
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        self.device.access(now, request)
    }

    fn distance_m(&self, now: Time, request: &Request) -> f64 {
        self.device.distance_m(now, request)
    }

    fn approach(&self) -> Option<&dyn Approach> {
        self.device.approach()
    }

    fn seeks(&self) -> Option<&dyn Seeks> {
        self.device.seeks()
    }

    fn depends_on_place(&self) -> bool {
        self.device.depends_on_place()
    }

    fn may_stall(&self) -> bool {
        !self.stalls.is_empty()
    }

    fn ready_from(&self, now: Time) -> Time {
        let mut ready = now;
        // Another stall may be in progress when one ends.
        while let Some(over) = self.stalls.iter().filter_map(|times| times.until(self.begun, ready)).max() {
            ready = over;
        }
        ready
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        let service = self.device.serve(now, request);
        self.slowed(now, request, service)
    }

    fn flush(&mut self, now: Time, request: &Request) -> Service {
        let service = self.device.flush(now, request);
        self.slowed(now, request, service)
    }

    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let service = self.device.serve_noting(now, request, passages);
        self.slowed(now, request, service)
    }
}

impl EpisodicDevice {
    /// Adds the additional time of slow-downs to a service that starts at `now`.
    fn slowed(&mut self, now: Time, request: &Request, mut service: Service) -> Service {
        let longer = self.longer(now, service.total());
        if longer > Span::ZERO {
            service.energy += self.device.go_on(request, longer);
            service.bus += longer;
        }
        service
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load;
    use crate::episodes::parse;

    #[test]
    fn where_a_stall_is_over_another_may_go_on() {
        let device = load("cf-card", toml::Table::new()).unwrap().build(1).unwrap().remove(0);
        let texts =
            ["stall:at=1,ms=500", "stall:at=1.4,ms=300", "stall:at=1.7,ms=100", "slow:at=0,ms=9,factor=3"];
        let mut device = EpisodicDevice::new(device, &texts.map(|text| parse(text).unwrap()));
        device.begin(Time(7));
        let ready_ms = |ms: u64| (device.ready_from(Time(7 + ms * 1_000_000)).0 - 7) / 1_000_000;
        assert_eq!([0, 999, 1000, 1450, 1799, 1800].map(ready_ms), [0, 999, 1800, 1800, 1800, 1800]);
        let taken = |ms: u64| device.longer(Time(7 + ms * 1_000_000), Span(100)).0;
        assert_eq!([0, 8, 9].map(taken), [200, 200, 0]);
    }
}
