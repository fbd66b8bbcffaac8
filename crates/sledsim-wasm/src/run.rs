//! A run that a page advances step by step.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::{json, Map, Value};
use sledsim::device::load;
use sledsim::error::{unknown_name, Result};
use sledsim::for_each_column;
use sledsim::params::{DeviceParams, Mechanism};
use sledsim::record::{self, Phase, Record, Responses, COLUMNS};
use sledsim::request::Request;
use sledsim::sched::Policy;
use sledsim::simulation::{DeviceOutcome, Simulation};
use sledsim::station::Station;
use sledsim::time::Time;
use sledsim::workload::{Arrival, PastEnd};

use crate::answer::{object, written};
use crate::arrivals::Requests;
use crate::log::{Log, Served};
use crate::path::{Place, Sled};

/// Shares for which quantiles of the response times are reported.
const SHARES: [f64; 4] = [0.5, 0.95, 0.99, 0.999];
/// Default scheduler of a device, as on the command line.
const POLICY: &str = "sptf";

/// The latest simulated time to which a run can be advanced.
const END: Time = Time(Time::LATEST.0 - 1);

/// Arguments for building a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    device: String,
    #[serde(default)]
    parameters: toml::Table,
    scheduler: Option<String>,
    /// Number of the requests in the session; the call that created them has returned it.
    pub requests: u32,
    #[serde(default = "one")]
    scale: f64,
    past_end: Option<String>,
}

fn one() -> f64 {
    1.0
}

/// Arguments for a step of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub run: u32,
    /// Simulated time in ns at which the step ends; None to advance to the end of the run.
    until_ns: Option<u64>,
    /// Number of services after whose start the step ends, even if it is before `until_ns`; None for no limit.
    services: Option<usize>,
    /// True to return no log of the step.
    #[serde(default)]
    is_quiet: bool,
    /// True to add the path of the sled to each service.
    #[serde(default)]
    paths: bool,
    /// Largest number of waiting requests to list per device, in the order in which the policy would serve
    /// them.
    #[serde(default)]
    order: usize,
}

/// Arguments that select rows and columns of the record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    pub run: u32,
    /// Largest number of rows to return. The next call returns the rows that follow.
    most: usize,
    /// Names of the columns to return.
    columns: Vec<String>,
}

/// A run, with the requests that are still to arrive.
pub struct Run {
    simulation: Simulation,
    name: String,
    scheduler: String,
    sectors: u64,
    arrivals: Vec<Arrival>,
    next: usize,
    sled: Option<Sled>,
    /// Request in service and position of each device, as they were when `look` last compared them.
    seen: Vec<(Option<u32>, Option<Place>)>,
    completions: Completions,
}

/// Totals of the requests whose rows were already removed from the record.
#[derive(Default)]
struct Completions {
    responses: Responses,
    hash: Hash,
}

/// FNV-1a hash of the completion times of all requests in the order of arrival; each time is a 64-bit number of
/// ns.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Completions {
    fn add(&mut self, rows: &Record) {
        self.responses.add(rows.responses_ns());
        for completion_ns in &rows.completion_ns {
            self.hash.0 = (self.hash.0 ^ *completion_ns as u64).wrapping_mul(0x100_0000_01b3);
        }
    }
}

impl Run {
    /// Build a run that will simulate the requests `requests`.
    ///
    /// # Errors
    /// The device, the volume or the policy is invalid, or a request does not fit.
    pub fn new(asked: &Build, requests: &Requests) -> Result<Self> {
        let policy = Policy::parse(asked.scheduler.as_deref().unwrap_or(POLICY))?;
        let spec = load(&asked.device, asked.parameters.clone())?;
        let sectors = spec.build(1)?[0].sectors();
        let past_end = asked.past_end.clone().map_or(Ok(PastEnd::Error), PastEnd::try_from)?;
        let (arrivals, devices) = requests.arrivals(sectors, asked.scale, past_end)?;
        let record = Record::new(record::select("all")?, 0);
        let simulation = Simulation::of_devices(spec.build(devices)?, &policy, record)?;
        let seen = simulation
            .stations()
            .iter()
            .map(|(_, station)| (None, place(&station.device().location())))
            .collect();
        let sled = match spec.parameters() {
            DeviceParams::Mems(params) if params.mechanism == Mechanism::Sled => Some(Sled::new(params)?),
            _ => None,
        };
        let (name, completions) = (spec.parameters().name().to_owned(), Completions::default());
        let scheduler = policy.name();
        Ok(Self { simulation, name, scheduler, sectors, arrivals, next: 0, sled, seen, completions })
    }

    /// Return a description of the run.
    pub fn about(&self) -> Value {
        let devices: Vec<String> = self.simulation.stations().into_iter().map(|(name, _)| name).collect();
        json!({
            "name": self.name,
            "scheduler": self.scheduler,
            "sectors": self.sectors,
            "devices": devices,
            "count": self.arrivals.len(),
        })
    }

    /// Advance the run by a step, and return the log of the step.
    ///
    /// # Errors
    /// The time of the step is later than any possible time.
    pub fn step(&mut self, asked: &Step) -> Result<Log> {
        let until = Time(asked.until_ns.unwrap_or(END.0));
        let mut log = Log::default();
        if asked.is_quiet {
            self.pass(until)?;
        } else {
            let has_all = |log: &Log| asked.services.is_some_and(|most| log.served.len() >= most);
            while !has_all(&log) && self.happens(until, asked, &mut log)? {}
            if asked.until_ns.is_some() && !has_all(&log) {
                log.completed.extend(told(self.simulation.advance(until, &mut go_on)?));
            }
        }
        (log.now_ns, log.pending) = (self.simulation.now().0, self.simulation.pending());
        log.is_done = self.next == self.arrivals.len() && log.pending == 0;
        Ok(log)
    }

    /// Advance the run to a time, without a log.
    fn pass(&mut self, until: Time) -> Result<()> {
        let coming = self.arrivals[self.next..].partition_point(|arrival| arrival.time <= until);
        self.simulation.submit_all(&self.arrivals[self.next..self.next + coming])?;
        self.next += coming;
        if until == END {
            self.simulation.drain(&mut go_on)?;
        } else {
            self.simulation.advance(until, &mut go_on)?;
        }
        Ok(())
    }

    /// Process the next event if it is not later than `until`. Return false if no such event exists.
    fn happens(&mut self, until: Time, asked: &Step, log: &mut Log) -> Result<bool> {
        let arrival = self.arrivals.get(self.next).copied();
        let comes = arrival.map_or(Time::MAX, |arrival| arrival.time);
        let event = match self.simulation.next_event() {
            Some(event) if arrival.is_some() || self.simulation.pending() > 0 => event,
            _ => Time::MAX,
        };
        if event.min(comes) > until {
            return Ok(false);
        }
        self.wait(event.min(comes));
        match arrival.filter(|arrival| arrival.time < event) {
            Some(arrival) => {
                self.next += 1;
                let row = self.simulation.submit(&arrival)?;
                let stations = self.simulation.stations();
                let (_, station) = &stations[arrival.request.traced_device as usize];
                log.arrived.push(row, &arrival, station.device());
            }
            None => {
                let done = self.simulation.advance(event, &mut go_on)?;
                log.completed.extend(told(done));
            }
        }
        self.look(asked, log);
        Ok(true)
    }

    /// Store the positions of the devices that are idle at the time `now`. The path of a device's next service
    /// begins there.
    fn wait(&mut self, now: Time) {
        if self.sled.is_none() {
            return;
        }
        for ((serving, at), (_, station)) in self.seen.iter_mut().zip(self.simulation.stations()) {
            if serving.is_none() {
                *at = place(&station.device().idle_location(now));
            }
        }
    }

    /// Add to the log the services that have begun since the last call of this function.
    fn look(&mut self, asked: &Step, log: &mut Log) {
        let now = self.simulation.now();
        for (number, (_, station)) in self.simulation.stations().into_iter().enumerate() {
            let serving = station.serving();
            let (before, from) = self.seen[number];
            let tag = serving.map(|request| request.tag);
            if tag == before {
                continue;
            }
            let to = place(&station.device().location());
            self.seen[number] = (tag, to);
            let Some(request) = serving else { continue };
            let mut served = Served::new(number, now, request, station.service());
            if let (true, Some(sled), Some(from), Some(to)) = (asked.paths, &self.sled, from, to) {
                served.path = Some(sled.path(request, station.service(), from, to));
            }
            if asked.order > 0 {
                let waiting = station.waiting(station.free_from(now));
                served.next = waiting.iter().take(asked.order).map(|request| request.row).collect();
            }
            log.served.push(served);
        }
    }

    /// Return the waiting requests of each device, in the order in which its policy would serve them from the
    /// device's position after the request in service.
    pub fn queue(&self) -> Value {
        let now = self.simulation.now();
        let of = |(name, station): &(String, &Station)| {
            let free = station.free_from(now);
            let waits = |request: &Request| {
                json!({
                    "row": request.row,
                    "positioning_ns": station.device().positioning(free, request).0,
                    "access_ns": station.device().access(free, request).0,
                })
            };
            json!({
                "device": name,
                "free_ns": free.0,
                "location": object(station.device().location()),
                "serving": station.serving().map(|request| request.row),
                "waiting": station.waiting(free).iter().map(waits).collect::<Vec<_>>(),
                "not_ready": station.not_ready(),
            })
        };
        json!({ "now_ns": now.0, "stations": self.simulation.stations().iter().map(of).collect::<Vec<_>>() })
    }

    /// Remove finished rows from the record, the earliest first, and return them.
    ///
    /// # Errors
    /// The name of a column is unknown.
    pub fn rows(&mut self, asked: &Rows) -> Result<Value> {
        let known = || COLUMNS.iter().map(|column| column.name);
        if let Some(name) = asked.columns.iter().find(|name| !known().any(|known| known == **name)) {
            return Err(unknown_name("column", name, known()));
        }
        let rows = self.simulation.take_final(asked.most);
        self.completions.add(&rows);
        let mut columns = Map::new();
        macro_rules! put {
            ($($column:ident),*) => { $(
                if asked.columns.iter().any(|name| name == stringify!($column)) {
                    columns.insert(stringify!($column).to_owned(), written(&rows.$column)?);
                }
            )* };
        }
        for_each_column!(put);
        Ok(json!({ "count": rows.arrival_ns.len(), "columns": columns }))
    }

    /// End the run, and return its totals.
    ///
    /// # Errors
    /// Calls from a page cause no error.
    pub fn finish(mut self) -> Result<Value> {
        self.pass(END)?;
        let rows = self.simulation.take_final(usize::MAX);
        self.completions.add(&rows);
        let Completions { responses, hash } = self.completions;
        let outcome = self.simulation.into_outcome();
        let phases = Phase::ALL.iter().map(|(phase, column)| (*column, outcome.totals.mean_s(*phase) * 1e9));
        let device = |device: &DeviceOutcome| {
            json!({
                "name": device.name,
                "busy_ns": device.totals.busy.0,
                "energy_j": object(device.accounts()),
            })
        };
        Ok(json!({
            "count": responses.count(),
            "end_ns": outcome.totals.end.0,
            "mean_response_ns": responses.sum_ns() as f64 / responses.count() as f64,
            "deviation_ns": responses.deviation_ns(),
            "max_response_ns": responses.max_ns(),
            "quantiles_ns": SHARES.iter().copied().zip(responses.quantiles_ns(&SHARES)).collect::<Vec<_>>(),
            "mean_phases_ns": object(phases),
            "devices": outcome.devices.iter().map(device).collect::<Vec<_>>(),
            "completions_hash": format!("{:016x}", hash.0),
        }))
    }
}

/// Return the position of the sled from the coordinates `location`, which its device reports.
fn place(location: &[(&str, f64)]) -> Option<Place> {
    let find = |name| location.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    Some(Place { x_um: find("x_um")?, y_um: find("y_um")? })
}

/// Let the run always continue. In a web page, no observer can stop it.
fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn told(done: Vec<(u32, Time)>) -> impl Iterator<Item = (u32, u64)> {
    done.into_iter().map(|(row, time)| (row, time.0))
}
