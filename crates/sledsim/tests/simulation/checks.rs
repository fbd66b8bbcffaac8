//! Tests of the device checks: each device here has one fault, and a check has to find it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use sledsim::conformance::CHECKS;
use sledsim::device::{Coordinates, Device, Extent, Service};
use sledsim::energy::IdleTime;
use sledsim::request::{Op, Request};
use sledsim::time::{Span, Time};

/// The one fault of a tested device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// The block with this number has a place past the last cylinder.
    PlaceOf(u64),
    /// The device states an extent of zero bits in y.
    HasNoPlace,
    /// The device moves when it is asked for a positioning time.
    MovesWhenAsked,
    /// The device states that positioning does not depend on the place, although it does.
    HidesThatPlacesMatter,
    /// A copy of the device shares its state: services on the copy change the times of the device.
    SharesWithCopies,
    /// An access takes this number of nanoseconds longer than its phases.
    Access(u64),
    /// The parts of an idle time add up to a nanosecond more than the idle time.
    LongIdleTime,
    /// The device gains energy while it is idle.
    GainsEnergy,
    /// A service takes no time.
    TakesNoTime,
    /// The device takes longer than predicted for a second operation that continues where a first one ended; the two
    /// operations are given.
    GoingOn([Op; 2]),
}

/// A device that takes a millisecond per request and panics if it is asked for a block past its last one.
#[derive(Clone)]
struct Few {
    blocks: u64,
    fault: Fault,
    moved: Arc<AtomicU64>,
    /// The previous request: its operation and the block at its end, which is no block before the first request.
    last: (Op, u64),
}

impl Few {
    fn new(blocks: u64, fault: Fault) -> Self {
        Self { blocks, fault, moved: Arc::default(), last: (Op::Read, u64::MAX) }
    }

    /// The names of the checks that find a fault in the device.
    fn failures(&self) -> Vec<&'static str> {
        CHECKS.iter().filter(|check| check.failure(self).is_some()).map(|check| check.name).collect()
    }
}

impl Device for Few {
    fn blocks(&self) -> u64 {
        self.blocks
    }

    fn block_bytes(&self) -> u64 {
        512
    }

    fn begin(&mut self, _now: Time) {}

    fn positioning(&self, _now: Time, request: &Request) -> Span {
        assert!(request.lbn + u64::from(request.blocks) <= self.blocks, "{request:?} of {}", self.blocks);
        let further = match self.fault {
            Fault::MovesWhenAsked => self.moved.fetch_add(1, Ordering::Relaxed),
            Fault::SharesWithCopies => self.moved.load(Ordering::Relaxed),
            Fault::HidesThatPlacesMatter => request.lbn,
            _ => 0,
        };
        Span(1_000_000 + further)
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        let more = if let Fault::Access(more) = self.fault { more } else { 0 };
        self.positioning(now, request) + Span(more)
    }

    fn distance_m(&self, _now: Time, _request: &Request) -> f64 {
        0.0
    }

    fn depends_on_place(&self) -> bool {
        self.fault != Fault::HidesThatPlacesMatter
    }

    fn coordinates(&self, lbn: u64) -> Coordinates {
        assert!(lbn < self.blocks, "block {lbn} of {}", self.blocks);
        Coordinates { cylinder: u32::from(self.fault == Fault::PlaceOf(lbn)), track: 0, y_bits: 0 }
    }

    fn extent(&self) -> Extent {
        Extent { cylinders: 1, y_bits: u32::from(self.fault != Fault::HasNoPlace) }
    }

    fn accept(&mut self, now: Time, _request: &Request) -> Time {
        now
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        let mut service = Service { positioning: self.positioning(now, request), ..Service::default() };
        self.moved.fetch_add(u64::from(self.fault == Fault::SharesWithCopies), Ordering::Relaxed);
        if self.fault == Fault::TakesNoTime {
            service.positioning = Span::ZERO;
        }
        let (op, end) = self.last;
        if self.fault == Fault::GoingOn([op, request.op]) && request.lbn == end {
            service.transfer = Span(1000);
        }
        self.last = (request.op, request.lbn + u64::from(request.blocks));
        service
    }

    fn complete(&mut self, now: Time, _request: &Request) -> Time {
        now
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        match self.fault {
            Fault::LongIdleTime => IdleTime::ready(lasts + Span(1), 1.0),
            Fault::GainsEnergy => IdleTime::ready(lasts, -1.0),
            _ => IdleTime::ready(lasts, 1.0),
        }
    }
}

/// Checks do not ask a device for blocks past its end: this device would panic.
#[test]
fn the_checks_end_where_the_device_does() {
    for blocks in [20, 27, 54, 1000] {
        assert_eq!(Few::new(blocks, Fault::None).failures(), [""; 0], "{blocks} blocks");
    }
}

#[test]
fn the_checks_find_what_is_wrong() {
    for (fault, found) in [
        (Fault::PlaceOf(0), "places"),
        (Fault::PlaceOf(999), "places"),
        (Fault::HasNoPlace, "places"),
        (Fault::MovesWhenAsked, "looking"),
        (Fault::HidesThatPlacesMatter, "looking"),
        (Fault::SharesWithCopies, "copies"),
        (Fault::Access(9), "access"),
        (Fault::LongIdleTime, "idle time"),
        (Fault::GainsEnergy, "idle time"),
        (Fault::TakesNoTime, "access"),
        (Fault::GoingOn([Op::Read, Op::Read]), "access"),
        (Fault::GoingOn([Op::Read, Op::Write]), "access"),
        (Fault::GoingOn([Op::Write, Op::Read]), "access"),
        (Fault::GoingOn([Op::Write, Op::Write]), "access"),
    ] {
        let failures = Few::new(1000, fault).failures();
        assert!(failures.contains(&found), "{fault:?}: {failures:?}");
    }
    // Each phase is rounded separately.
    assert_eq!(Few::new(1000, Fault::Access(8)).failures(), [""; 0]);
}
