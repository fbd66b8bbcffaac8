//! Runs without volumes: the requests to each traced device go straight to one simulated device.

use super::host::Host;
use super::in_order::InOrder;
use super::interrupted::Interrupted;
use super::jobs::device_bit;
use super::journal::{Asked, Journal};
use super::machine::{Machine, Server};
use super::outcome::{DeviceOutcome, Outcome};
use super::watching::Owners;
use crate::engine::Engine;
use crate::media::SECTOR_BYTES;
use crate::record::Record;
use crate::request::{Durable, Request};
use crate::station::Station;
use crate::time::Time;
use crate::volume::Single;
use crate::workload::Arrival;

/// A pending event of the run; the next arrival is not among them.
#[derive(Clone, Copy)]
enum Event {
    Admit { device: u32 },
    Finish { device: u32 },
    Leave { device: u32, row: u32 },
    Resume { device: u32 },
}

/// The simulated devices, one for each traced device, each behind a queue of its own.
#[derive(Clone)]
pub(super) struct Alone {
    engine: Engine<Event>,
    block_bytes: u64,
    stations: Vec<Station>,
    host: Host,
    /// The journal of services of devices; `None` if the run keeps no journal.
    pub journal: Option<Box<Journal>>,
}

impl Alone {
    /// Creates a run on idle devices, with the empty record `record`.
    pub fn new(stations: Vec<Station>, record: Record) -> Self {
        let block_bytes = stations.first().map_or(SECTOR_BYTES, |station| station.device().block_bytes());
        Self { engine: Engine::new(), block_bytes, stations, host: Host::new(record), journal: None }
    }

    /// Changes a run on a single device, before the first request, into a run without a queue. This is possible if the
    /// device serves requests in the order of arrival and no journal is kept; otherwise returns the run unchanged.
    pub fn in_order(mut self: Box<Self>) -> Result<InOrder, Box<Self>> {
        match &self.stations[..] {
            [station] if self.journal.is_none() && station.is_in_order() => {
                let station = self.stations.remove(0);
                Ok(InOrder::new(station.into_device(), self.host))
            }
            _ => Err(self),
        }
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let several = self.stations.len() > 1;
        (0..self.stations.len())
            .map(move |number| if several { format!("device {number}") } else { "device".to_owned() })
    }

    /// Passes the request with the number `row` to a device, which will have processed the command of the request at
    /// `ready`.
    #[inline]
    fn enter(&mut self, now: Time, device: u32, row: u32, ready: Time) {
        self.host.record.accept(row, ready - now);
        if let Some(watch) = &mut self.host.watch {
            watch.enter(now, row, ready);
        }
        if ready == now {
            self.dispatch(now, device);
        } else {
            self.engine.schedule(ready, Event::Admit { device });
        }
    }

    /// Passes the next request that waits at the host to a device, if the device has room.
    #[inline]
    fn let_in(&mut self, now: Time, device: u32) {
        let station = &mut self.stations[device as usize];
        if station.is_flushing() {
            return self.dispatch(now, device);
        }
        // More than one has room after a flush.
        while let Some((row, ready)) = self.stations[device as usize].let_in(now) {
            self.enter(now, device, row, ready);
        }
    }

    /// Takes a flush.
    #[cold]
    fn flush(&mut self, arrival: &Arrival) {
        let (now, device) = (arrival.time, arrival.request.traced_device);
        let station = &mut self.stations[device as usize];
        let row = self.host.arrive(arrival, station.in_system());
        let request = Request::flush(row, now);
        if let Some(watch) = &mut self.host.watch {
            watch.send([now; 3], device, Owners { row: Some(row), jobs: Vec::new() }, &request);
        }
        if station.accept_flush(request) {
            return self.dispatch(now, device);
        }
        self.host.complete_at_once(row, now);
    }

    #[inline]
    fn admit(&mut self, now: Time, device: u32) {
        self.stations[device as usize].admit(now);
        self.dispatch(now, device);
    }

    fn dispatch(&mut self, now: Time, device: u32) {
        let station = &mut self.stations[device as usize];
        if let Some(journal) = &mut self.journal {
            journal.look(now, device, station);
        }
        if let Some((row, service)) = station.dispatch(now) {
            self.host.serve(row, now, service, &service.energy);
            if let Some(watch) = &mut self.host.watch {
                watch.serve(now, row, service);
            }
            self.engine.schedule(now + service.total(), Event::Finish { device });
            self.host.work += u64::from(station.in_system());
            if let Some(journal) = &mut self.journal {
                let (_, sectors) = self.host.record.asked(row).expect("a run with a journal records sectors");
                journal.start(now, device, station, Asked { row: Some(row), sectors });
            }
        } else if let Some(at) = station.resumes_at(now) {
            self.engine.schedule(at, Event::Resume { device });
        }
    }

    #[inline]
    fn finish(&mut self, now: Time, device: u32) {
        let station = &mut self.stations[device as usize];
        let (request, completion) = station.finish(now);
        let row = request.row;
        if let Some(watch) = &mut self.host.watch {
            watch.finish(row, station.waited_for_bus(&request));
        }
        self.host.record.complete(row, now, completion, 1, device_bit(device));
        if let Some(journal) = &mut self.journal {
            journal.finish(device, completion, false);
        }
        if completion == now {
            self.leave(now, device, row);
        } else {
            self.engine.schedule(completion, Event::Leave { device, row });
        }
        // The device chooses among the requests that it has before more requests enter.
        self.dispatch(now, device);
        self.let_in(now, device);
    }

    #[inline]
    fn leave(&mut self, now: Time, device: u32, row: u32) {
        self.stations[device as usize].leave();
        if let Some(watch) = &mut self.host.watch {
            watch.leave(now, row);
        }
        self.host.complete(row, now);
    }
}

impl Server for Alone {
    fn host(&self) -> &Host {
        &self.host
    }

    fn host_mut(&mut self) -> &mut Host {
        &mut self.host
    }

    fn begin(&mut self, now: Time) {
        self.stations.iter_mut().for_each(|station| station.begin(now));
        self.journal.iter_mut().for_each(|journal| journal.begin(now));
    }

    #[inline(always)]
    fn arrive(&mut self, arrival: &Arrival) {
        if arrival.durable == Durable::Earlier {
            return self.flush(arrival);
        }
        let now = arrival.time;
        let device = arrival.request.traced_device;
        let station = &mut self.stations[device as usize];
        let row = self.host.arrive(arrival, station.in_system());
        let placed = Single::place(&arrival.request, self.block_bytes);
        let request =
            Request { durable: arrival.durable, ..placed.request(row, arrival.op, arrival.metadata, now) };
        if let Some(watch) = &mut self.host.watch {
            watch.send([now; 3], device, Owners { row: Some(row), jobs: Vec::new() }, &request);
            if watch.has(row) {
                station.watch(row);
            }
        }
        if let Some(ready) = station.accept(now, request) {
            self.enter(now, device, row, ready);
        }
    }

    #[inline(always)]
    fn step(&mut self, limit: Time) -> Option<Time> {
        let (now, event) = self.engine.pop_until(limit)?;
        match event {
            Event::Admit { device } => self.admit(now, device),
            Event::Resume { device } => self.dispatch(now, device),
            Event::Finish { device } => self.finish(now, device),
            Event::Leave { device, row } => {
                self.leave(now, device, row);
                self.let_in(now, device);
            }
        }
        Some(now)
    }

    fn outcome(mut self) -> Outcome {
        let end = self.host.totals.end;
        self.journal.iter_mut().for_each(|journal| journal.end(end, self.stations.iter()));
        let names: Vec<String> = self.names().collect();
        let device = |(name, station)| DeviceOutcome::new(name, station, end);
        let devices = names.into_iter().zip(self.stations).map(device).collect();
        let (record, totals) = self.host.into_record();
        Outcome {
            devices,
            volumes: Vec::new(),
            record,
            totals,
            background_energy_j: 0.0,
            journal: self.journal,
        }
    }
}

impl Machine for Alone {
    fn next_event(&self) -> Option<Time> {
        self.engine.next_time()
    }

    fn certain(&self) -> Vec<(u32, Time)> {
        let certain = |(time, event): (Time, &Event)| match *event {
            Event::Leave { row, .. } => Some((row, time)),
            Event::Finish { device } => {
                let station = &self.stations[device as usize];
                let request = station.serving()?;
                Some((request.row, station.device().certain(time, request)?))
            }
            Event::Admit { .. } | Event::Resume { .. } => None,
        };
        self.engine.iter().filter_map(certain).collect()
    }

    fn interrupted(&self, now: Time) -> Vec<Interrupted> {
        let interrupted = |(_, event): (Time, &Event)| match *event {
            Event::Leave { row, .. } => Interrupted::done(row, &self.host.record),
            Event::Finish { device } => {
                let station = &self.stations[device as usize];
                let (request, passed) = station.interrupted(now)?;
                let (_, asked) = self.host.record.asked(request.row)?;
                let passed = passed.in_sectors(self.block_bytes, SECTOR_BYTES);
                Some(Interrupted::in_service(request.row, asked, passed, station.device().sectors()))
            }
            Event::Admit { .. } | Event::Resume { .. } => None,
        };
        self.engine.iter().filter_map(interrupted).collect()
    }

    fn stations(&self) -> Vec<(String, &Station)> {
        self.names().zip(&self.stations).collect()
    }

    fn stations_mut(&mut self) -> impl Iterator<Item = &mut Station> {
        self.stations.iter_mut()
    }
}
