//! The way of requests straight to devices, each to the one of its traced device: nothing stands between.

use super::jobs::device_bit;
use super::outcome::{DeviceOutcome, Outcome, OBSERVED_EVERY};
use crate::engine::Engine;
use crate::error::Result;
use crate::media::SECTOR_BYTES;
use crate::observer::{report, Observer};
use crate::record::Record;
use crate::request::Request;
use crate::station::Station;
use crate::time::Time;
use crate::volume::Single;
use crate::workload::{Arrival, Workload};

/// Events besides the next arrival.
#[derive(Clone, Copy)]
enum Event {
    Admit { device: u32 },
    Finish { device: u32 },
    Leave { device: u32, row: u32 },
}

/// A workload on stations.
struct Simulation<'a, W: ?Sized> {
    engine: Engine<Event>,
    workload: &'a mut W,
    ahead: Option<Arrival>,
    block_bytes: u64,
    stations: Vec<Station>,
    record: Record,
    arrived: u32,
    served: u64,
    work: u64,
    end: Time,
}

/// Runs a workload to its end on stations, one for each traced device.
///
/// # Errors
/// [`Interrupted`](crate::error::Error::Interrupted) when the observer breaks.
pub(super) fn run<W: Workload + ?Sized>(
    stations: Vec<Station>,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let block_bytes = stations.first().map_or(SECTOR_BYTES, |station| station.device().block_bytes());
    let mut simulation = Simulation {
        engine: Engine::new(),
        record: Record::with_capacity(workload.expected()),
        workload,
        ahead: None,
        block_bytes,
        stations,
        arrived: 0,
        served: 0,
        work: 0,
        end: Time::ZERO,
    };
    simulation.run(observe)?;
    Ok(simulation.outcome())
}

impl<W: Workload + ?Sized> Simulation<'_, W> {
    fn run(&mut self, observe: &mut Observer<'_>) -> Result<()> {
        self.ahead = self.workload.next();
        if let Some(first) = &self.ahead {
            self.stations.iter_mut().for_each(|station| station.begin(first.time));
        }
        loop {
            // The next arrival is held beside the engine: it would be its busiest event. What was scheduled
            // for the same time comes first.
            let arrival = self.ahead.map_or(Time::MAX, |arrival| arrival.time);
            if let Some((now, event)) = self.engine.pop_until(arrival) {
                match event {
                    Event::Admit { device } => self.admit(now, device),
                    Event::Finish { device } => self.finish(now, device),
                    Event::Leave { device, row } => {
                        self.leave(now, device, row);
                        self.let_in(now, device);
                    }
                }
            } else if let Some(arrival) = self.ahead {
                self.arrive(arrival);
            } else {
                return Ok(());
            }
            if self.work >= OBSERVED_EVERY {
                self.work = 0;
                report(observe, self.served)?;
            }
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        let now = arrival.time;
        let device = arrival.request.traced_device;
        let placed = Single::place(&arrival.request, self.block_bytes);
        let request = placed.request(self.arrived, arrival.op, arrival.metadata, now);
        let station = &mut self.stations[device as usize];
        let found = station.in_system();
        let ready = station.accept(now, request);
        let row = self.arrived;
        self.record.arrive(row, now, found);
        self.arrived += 1;
        if let Some(ready) = ready {
            self.enter(now, device, row, ready);
        }
        self.ahead = self.workload.next();
    }

    /// A device has a request from now on, and its command is processed at `ready`.
    fn enter(&mut self, now: Time, device: u32, row: u32, ready: Time) {
        self.record.accept(row, ready - now);
        if ready == now {
            self.dispatch(now, device);
        } else {
            self.engine.schedule(ready, Event::Admit { device });
        }
    }

    /// Lets in what waits for room in a device.
    fn let_in(&mut self, now: Time, device: u32) {
        if let Some((row, ready)) = self.stations[device as usize].let_in(now) {
            self.enter(now, device, row, ready);
        }
    }

    fn admit(&mut self, now: Time, device: u32) {
        self.stations[device as usize].admit(now);
        self.dispatch(now, device);
    }

    fn dispatch(&mut self, now: Time, device: u32) {
        let station = &mut self.stations[device as usize];
        if let Some((row, service)) = station.dispatch(now) {
            self.record.serve(row, now, &service, &service.energy);
            self.served += 1;
            self.work += u64::from(station.in_system());
            self.engine.schedule(now + service.total(), Event::Finish { device });
        }
    }

    fn finish(&mut self, now: Time, device: u32) {
        let (Request { row, .. }, completion) = self.stations[device as usize].finish(now);
        self.record.complete(row, now, completion, 1, device_bit(device));
        if completion == now {
            self.leave(now, device, row);
        } else {
            self.engine.schedule(completion, Event::Leave { device, row });
        }
        // The device chooses among what it has before it is given more.
        self.dispatch(now, device);
        self.let_in(now, device);
    }

    fn leave(&mut self, now: Time, device: u32, row: u32) {
        self.stations[device as usize].leave();
        self.end = self.end.max(now);
        self.workload.completed(row, now);
        self.ahead = self.workload.next_or_earlier(self.ahead.take());
    }

    fn outcome(mut self) -> Outcome {
        self.record.resize(self.arrived as usize);
        let several = self.stations.len() > 1;
        let name = |number: usize| if several { format!("device {number}") } else { "device".to_owned() };
        let stations = self.stations.into_iter().enumerate();
        let device = |(number, station)| DeviceOutcome::new(name(number), station, self.end);
        Outcome {
            devices: stations.map(device).collect(),
            volumes: Vec::new(),
            record: self.record,
            background_energy_j: 0.0,
        }
    }
}
