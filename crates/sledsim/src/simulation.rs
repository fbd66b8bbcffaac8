//! A run: the way of every request from the workload to the record.

use std::ops::ControlFlow;

use crate::device::{self, Device};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::media::Geometry;
use crate::params::MemsParams;
use crate::record::Record;
use crate::request::Request;
use crate::sched::Policy;
use crate::station::Station;
use crate::time::Time;
use crate::volume::Single;
use crate::workload::{Arrival, Workload};

/// Called now and then with the number of requests that have been served; a break stops the run.
pub type Observer<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// Work between two calls of the observer: a decision counts as many as wait, for a policy may look at each, and
/// one written in Python is slow.
const OBSERVED_EVERY: u64 = 1 << 14;

/// What a run produced.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// One row a request.
    pub record: Record,
    /// How long each device served, in seconds.
    pub busy_s: Vec<f64>,
    /// Energy of all devices while they served nothing, in joules.
    pub idle_energy_j: f64,
}

/// What can happen, besides the next arrival.
#[derive(Clone, Copy)]
enum Event {
    Admit { device: u32 },
    Finish { device: u32 },
    Leave { device: u32, row: u32 },
}

/// A workload on a volume of stations.
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

/// Runs a workload to its end on `devices` devices of the same parameters, each behind the same policy.
///
/// # Errors
/// Parameters or options of the policy that cannot be; [`Error::Interrupted`] when the observer breaks.
pub fn simulate<W: Workload + ?Sized>(
    params: &MemsParams,
    devices: u32,
    policy: &Policy,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let station = |device: Box<dyn Device>| Ok(Station::new(policy.build(&*device)?, device));
    let stations = device::build(params, devices)?.into_iter().map(station).collect::<Result<_>>()?;
    let mut simulation = Simulation {
        engine: Engine::new(),
        record: Record::with_capacity(workload.expected()),
        workload,
        ahead: None,
        block_bytes: Geometry::new(params)?.block_bytes,
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
                    Event::Leave { device, row } => self.leave(now, device, row),
                }
            } else if let Some(arrival) = self.ahead {
                self.arrive(arrival);
            } else {
                return Ok(());
            }
            if self.work >= OBSERVED_EVERY {
                self.work = 0;
                if observe(self.served).is_break() {
                    return Err(Error::Interrupted);
                }
            }
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        let now = arrival.time;
        let device = arrival.request.traced_device;
        let part = Single::place(&arrival.request, self.block_bytes);
        let request = Request {
            metadata: arrival.metadata,
            arrival: now,
            data_from: now,
            ..Request::new(self.arrived, part.lbn, part.blocks, arrival.op)
        };
        let station = &mut self.stations[device as usize];
        let found = station.in_system();
        let ready = station.accept(now, request);
        self.record.arrive(self.arrived, now, ready, found);
        self.arrived += 1;
        if ready == now {
            self.admit(now, device);
        } else {
            self.engine.schedule(ready, Event::Admit { device });
        }
        self.ahead = self.workload.next();
    }

    fn admit(&mut self, now: Time, device: u32) {
        self.stations[device as usize].admit();
        self.dispatch(now, device);
    }

    fn dispatch(&mut self, now: Time, device: u32) {
        let station = &mut self.stations[device as usize];
        if let Some(free) = station.dispatch(now, &mut self.record) {
            self.served += 1;
            self.work += u64::from(station.in_system());
            self.engine.schedule(free, Event::Finish { device });
        }
    }

    fn finish(&mut self, now: Time, device: u32) {
        let (row, completion) = self.stations[device as usize].finish(now, &mut self.record);
        if completion == now {
            self.leave(now, device, row);
        } else {
            self.engine.schedule(completion, Event::Leave { device, row });
        }
        self.dispatch(now, device);
    }

    fn leave(&mut self, now: Time, device: u32, row: u32) {
        self.stations[device as usize].leave();
        self.end = self.end.max(now);
        self.workload.completed(row, now);
        self.ahead = self.workload.reconsider(self.ahead.take());
    }

    fn outcome(mut self) -> Outcome {
        self.record.resize(self.arrived as usize);
        let idle = |station: &Station| station.device().idle_energy_j(self.end);
        Outcome {
            busy_s: self.stations.iter().map(|station| station.busy().as_s()).collect(),
            idle_energy_j: self.stations.iter().map(idle).sum(),
            record: self.record,
        }
    }
}
