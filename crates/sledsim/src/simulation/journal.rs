//! The journal: all services of devices in a window of time, for views of a run over time.

use std::ops::Range;

use crate::device::Service;
use crate::energy::IdleTime;
use crate::request::{Op, Request};
use crate::station::Station;
use crate::time::Time;

/// Position of the mechanism of a device: the first two values of
/// [`Device::location`](crate::device::Device::location), counted from the lowest possible value of each.
pub type Place = [f64; 2];

/// The request for which a device performs a service, and the sectors of the device that the service reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Number of the host's request in the record, also if the service is for a part of it; `None` for work that a
    /// volume does by itself.
    pub row: Option<u32>,
    pub sectors: Range<u64>,
}

/// A service of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// Number of the device that served.
    pub device: u32,
    /// Number of the host's request in the record, also if the service is for a part of it; `None` for work that a
    /// volume does by itself.
    pub row: Option<u32>,
    /// Sectors of the device that the service read or wrote.
    pub sectors: Range<u64>,
    /// Operation: read or write.
    pub op: Op,
    /// True if no request of the host waited for the service.
    pub is_background: bool,
    /// Time at which the request arrived at the device or at the queue in front of it.
    pub arrival: Time,
    /// Time at which the service started.
    pub start: Time,
    /// Time at which all data of the service had crossed the bus. If members of a volume share a bus, this is the
    /// shared bus.
    pub completion: Time,
    /// Phases of the service.
    pub service: Service,
    /// Position of the mechanism at the start of the service and at its end.
    pub places: [Place; 2],
    /// The idle time directly before the service: its start and its parts; `None` if the device was not idle.
    pub idle: Option<(Time, IdleTime)>,
}

impl Served {
    /// The time at which the device was free for the next request.
    #[must_use]
    pub fn end(&self) -> Time {
        self.start + self.service.total()
    }
}

/// A time during which a request waited for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// Number of the device for which the request waited.
    pub device: u32,
    /// Number of the host's request in the record; see [`Served::row`].
    pub row: Option<u32>,
    /// Time at which the request arrived at the device or at the queue in front of it.
    pub arrival: Time,
    /// Time at which the service of the request started.
    pub start: Time,
}

/// The services that overlap a window of time, in the order of their ends, and the waits that overlap the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// Start and end of the window; both times belong to the window.
    pub window: [Time; 2],
    /// Names of the values that give the position of the mechanism, for each device.
    pub places: Vec<Vec<&'static str>>,
    /// Services that started before the end of the window, and whose data had not crossed the bus before the start of
    /// the window.
    pub served: Vec<Served>,
    /// Waits that overlap the window, in the order of the starts of the services that ended them.
    pub waited: Vec<Waited>,
    /// The idle time after the last service in the journal, for each device: its start and its parts. It ends at the
    /// first service after the window, or at the end of the run. `None` without idle time.
    pub rests: Vec<Option<(Time, IdleTime)>>,
    devices: Vec<State>,
}

/// The state of a device during the run.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    free_since: Time,
    place: Place,
    idle: Option<(Time, IdleTime)>,
    serving: Option<Served>,
}

impl Journal {
    /// Creates an empty journal for a window.
    pub(super) fn new<'a>(window: [Time; 2], stations: impl Iterator<Item = &'a Station>) -> Self {
        let (places, devices): (Vec<_>, Vec<_>) = stations
            .map(|station| {
                let names = station.device().location().iter().map(|(name, _)| *name).take(2).collect();
                (names, State { place: place(station), ..State::default() })
            })
            .unzip();
        let rests = vec![None; devices.len()];
        Self { window, places, served: Vec::new(), waited: Vec::new(), rests, devices }
    }

    /// Records that the run starts at `now`.
    pub(super) fn begin(&mut self, now: Time) {
        self.devices.iter_mut().for_each(|device| device.free_since = now);
    }

    /// Computes the idle time of a device until `now`, when it may start a service.
    pub(super) fn look(&mut self, now: Time, device: u32, station: &Station) {
        let state = &mut self.devices[device as usize];
        if station.serving().is_none() && now > state.free_since {
            let idle = station.device().idle(now.since(state.free_since));
            state.idle = Some((state.free_since, idle.until_request()));
        }
    }

    /// Records that a service starts at `now`.
    pub(super) fn start(&mut self, now: Time, device: u32, station: &Station, asked: Asked) {
        let request = station.serving().expect("a station that started a service has a request in service");
        let Request { op, is_background, arrival, .. } = *request;
        let Asked { row, sectors } = asked;
        let [from, until] = self.window;
        if arrival < now && arrival <= until && now >= from {
            self.waited.push(Waited { device, row, arrival, start: now });
        }
        let service = *station.service();
        let state = &mut self.devices[device as usize];
        if now > until {
            let rest = &mut self.rests[device as usize];
            *rest = rest.or(state.idle.filter(|(since, _)| *since <= until));
        }
        let before = std::mem::replace(&mut state.place, place(station));
        state.free_since = now + service.total();
        state.serving = Some(Served {
            device,
            row,
            sectors,
            op,
            is_background,
            arrival,
            start: now,
            completion: state.free_since,
            service,
            places: [before, state.place],
            idle: state.idle.take(),
        });
    }

    /// Records the end of a service whose data had crossed the bus of the device at `completion`. If `crosses` is true,
    /// they must also [cross](Self::carry) the bus that members of the volume share.
    pub(super) fn finish(&mut self, device: u32, completion: Time, crosses: bool) {
        let [from, until] = self.window;
        let served = self.devices[device as usize].serving.take();
        // A write that completes in a cache is complete before the medium has its data.
        let of_window = served.map(|served| Served { completion: completion.max(served.end()), ..served });
        self.served.extend(
            of_window.filter(|served| served.start <= until && (crosses || served.completion >= from)),
        );
    }

    /// Records the end of the run at `now`. The stations have already counted the energy of background services and
    /// idle times until then.
    pub(super) fn end<'a>(&mut self, now: Time, stations: impl Iterator<Item = &'a Station>) {
        let until = self.window[1];
        for (device, station) in (0..).zip(stations) {
            self.finish(device, now, false);
            let since = self.devices[device as usize].free_since;
            if now > since && since <= until {
                self.rests[device as usize] = Some((since, station.device().idle(now.since(since))));
            }
        }
    }

    /// Records that the data of a service had crossed the shared bus at `completion`; `start` is the time at which the
    /// service started.
    pub(super) fn carry(&mut self, device: u32, start: Time, completion: Time) {
        let is_it = |served: &Served| served.device == device && served.start == start;
        let Some(at) = self.served.iter().rposition(is_it) else { return };
        self.served[at].completion = completion;
        if completion < self.window[0] {
            self.served.remove(at);
        }
    }
}

fn place(station: &Station) -> Place {
    let (mut place, lower_ends) = (Place::default(), station.device().lower_ends());
    for (axis, (_, found)) in station.device().location().into_iter().take(2).enumerate() {
        place[axis] = found - lower_ends.get(axis).unwrap_or(&0.0);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{build, load_builtin, pass_on, Coordinates, Device, Extent};
    use crate::sched::Policy;
    use crate::time::Span;

    /// A device that reports its position with three values, one more than a journal keeps.
    #[derive(Clone)]
    struct OfThreeAxes {
        device: Box<dyn Device>,
    }

    impl Device for OfThreeAxes {
        pass_on!(device: blocks, block_bytes, begin, coordinates, extent, accept, complete, idle);

        fn positioning(&self, now: Time, request: &Request) -> Span {
            self.device.positioning(now, request)
        }

        fn access(&self, now: Time, request: &Request) -> Span {
            self.device.access(now, request)
        }

        fn distance_m(&self, now: Time, request: &Request) -> f64 {
            self.device.distance_m(now, request)
        }

        fn serve(&mut self, now: Time, request: &Request) -> Service {
            self.device.serve(now, request)
        }

        fn location(&self) -> Vec<(&'static str, f64)> {
            vec![("x_um", 1.0), ("y_um", 2.0), ("z_um", 3.0)]
        }
    }

    /// Checks that a journal keeps at most two values of a position, and a name for each.
    #[test]
    fn places_are_named_on_two_axes_at_most() {
        let device = build(&load_builtin("osdi00"), 1).unwrap().remove(0);
        let device = Box::new(OfThreeAxes { device });
        let station = Station::new(Policy::parse("fcfs").unwrap().build(&*device).unwrap(), device);
        let journal = Journal::new([Time::ZERO; 2], [&station].into_iter());
        assert_eq!(journal.places, [["x_um", "y_um"]]);
        assert_eq!(journal.devices[0].place, [1.0, 2.0]);
    }
}
