//! What every device did, service by service, in a window of time: for whoever shows a run in time.

use std::ops::Range;

use crate::device::Service;
use crate::energy::IdleTime;
use crate::request::{Op, Request};
use crate::station::Station;
use crate::time::Time;

/// Where the mechanism of a device is: what [`Device::location`](crate::device::Device::location) gives, up to two values,
/// from the lower ends of what it reaches.
pub type Place = [f64; 2];

/// Whose service it is, and of which sectors of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The row of the host's request, or of the one that a part is of; none where a volume works for itself.
    pub row: Option<u32>,
    pub sectors: Range<u64>,
}

/// A service by a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// Which device, by its number.
    pub device: u32,
    /// The row of the host's request, or of the one that a part is of; none where a volume works for itself.
    pub row: Option<u32>,
    /// The sectors of the device.
    pub sectors: Range<u64>,
    /// Read or write.
    pub op: Op,
    /// Whether nobody waited for it.
    pub is_background: bool,
    /// When the device, or the queue in front of it, was given it.
    pub arrival: Time,
    /// When its service began.
    pub start: Time,
    /// When its data had crossed the bus.
    pub completion: Time,
    /// Its phases.
    pub service: Service,
    /// Where the mechanism was when the service before ended, and when this one did.
    pub places: [Place; 2],
    /// When the device began to serve nothing, if it did so before, and how that time was spent.
    pub idle: Option<(Time, IdleTime)>,
}

impl Served {
    /// When the device was free for the next one.
    #[must_use]
    pub fn end(&self) -> Time {
        self.start + self.service.total()
    }
}

/// A time in which something waited for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// Which device, by its number.
    pub device: u32,
    /// As [`Served::row`].
    pub row: Option<u32>,
    /// When the device, or the queue in front of it, was given it.
    pub arrival: Time,
    /// When its service began.
    pub start: Time,
}

/// Services that reach into a window, in the order in which they ended, and all that waited in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// From when until when, both inclusive.
    pub window: [Time; 2],
    /// What the values of places are, of each device.
    pub places: Vec<Vec<&'static str>>,
    /// Services that began before the window ends, and whose data had not crossed the bus when it began.
    pub served: Vec<Served>,
    /// In the order in which services began.
    pub waited: Vec<Waited>,
    /// The idle time of each device that follows its last service here, from when on: until the service after it, which
    /// the window does not reach, or the end of the run. None where nothing follows.
    pub rests: Vec<Option<(Time, IdleTime)>>,
    devices: Vec<State>,
}

/// What is known of a device on the way.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    free_since: Time,
    place: Place,
    idle: Option<(Time, IdleTime)>,
    serving: Option<Served>,
}

impl Journal {
    /// An empty journal of a window.
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

    /// A run begins at `now`.
    pub(super) fn begin(&mut self, now: Time) {
        self.devices.iter_mut().for_each(|device| device.free_since = now);
    }

    /// A device may begin a service at `now`.
    pub(super) fn look(&mut self, now: Time, device: u32, station: &Station) {
        let state = &mut self.devices[device as usize];
        if station.serving().is_none() && now > state.free_since {
            let idle = station.device().idle(now.since(state.free_since));
            state.idle = Some((state.free_since, idle.until_request()));
        }
    }

    /// A device begins a service at `now`.
    pub(super) fn start(&mut self, now: Time, device: u32, station: &Station, asked: Asked) {
        let request = station.serving().expect("a service has begun");
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

    /// A device is done with what it serves; the data have crossed the bus at `completion`, and have then perhaps to
    /// [cross](Self::carry) one that it shares.
    pub(super) fn finish(&mut self, device: u32, completion: Time, crosses: bool) {
        let [from, until] = self.window;
        let served = self.devices[device as usize].serving.take();
        // A write that is complete in a cache is so before the medium is done with it.
        let of_window = served.map(|served| Served { completion: completion.max(served.end()), ..served });
        self.served.extend(
            of_window.filter(|served| served.start <= until && (crosses || served.completion >= from)),
        );
    }

    /// The run ends at `now`: what each device serves for nobody has been charged, and so has its idle time until then.
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

    /// The data of what a device began to serve at `start` have crossed, at `completion`, the bus that it shares.
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

    /// A device that names its places on more axes than a journal keeps.
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

    /// Every name that a journal has is that of a value.
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
