//! A run that its caller advances step by step.

use super::alone::Alone;
use super::host::{Host, Sink};
use super::interrupted::Interrupted;
use super::machine::{self, Machine, Server};
use super::outcome::Outcome;
use super::tree::Tree;
use crate::device::Device;
use crate::error::{ensure, Error, Result};
use crate::observer::Observer;
use crate::record::Record;
use crate::request::Durable;
use crate::sched::Policy;
use crate::station::Station;
use crate::system::System;
use crate::time::Time;
use crate::volume::{FindNote, HostRequest};
use crate::workload::{Arrival, Workload};

/// A run that its caller advances: the caller submits requests, and advances the simulated time.
///
/// The steps do not influence the record: it equals that of a run to the end with the same arrivals. Of an event and an
/// arrival at the same time, the event comes first. A clone continues independently.
#[derive(Clone)]
pub struct Simulation {
    machine: Kind,
    /// Number of sectors that each traced device offers.
    sectors: Vec<u64>,
    /// The current time; all earlier events have been run.
    now: Time,
    has_begun: bool,
}

#[derive(Clone)]
enum Kind {
    Alone(Box<Alone>),
    Tree(Box<Tree>),
}

/// Evaluates the same expression for either kind of machine, with or without volumes.
macro_rules! on {
    ($kind:expr, $machine:ident => $does:expr) => {
        match $kind {
            Kind::Alone($machine) => $does,
            Kind::Tree($machine) => $does,
        }
    };
}

mod observing;

impl Simulation {
    /// Creates a run on copies of `system`, one for each traced device. `record`, which must be empty, determines the
    /// columns that are kept.
    ///
    /// # Errors Parameters or options are invalid, or the members of a volume do not fit together.
    pub fn new(system: &System, traced_devices: u32, record: Record) -> Result<Self> {
        match system {
            System::Device(plan) => Self::of_devices(plan.build(traced_devices, 0)?, &plan.policy, record),
            System::Volume(plan) => {
                let mut number = 0;
                let built =
                    (0..traced_devices).map(|_| plan.build(&mut number)).collect::<Result<Vec<_>>>()?;
                let sectors = built.iter().map(|built| built.volume.sectors()).collect();
                Ok(Self::of(Kind::Tree(Box::new(Tree::new(built, record)?)), sectors))
            }
        }
    }

    /// Creates a run on devices that are already built, one for each traced device, each behind a queue with the same
    /// policy. `record`, which must be empty, determines the columns that are kept.
    ///
    /// # Errors Options of the policy are invalid.
    pub fn of_devices(devices: Vec<Box<dyn Device>>, policy: &Policy, record: Record) -> Result<Self> {
        let sectors = devices.iter().map(|device| device.sectors()).collect();
        let station = |device: Box<dyn Device>| Ok(Station::new(policy.build(&*device)?, device));
        let stations = devices.into_iter().map(station).collect::<Result<_>>()?;
        Ok(Self::of(Kind::Alone(Box::new(Alone::new(stations, record))), sectors))
    }

    fn of(machine: Kind, sectors: Vec<u64>) -> Self {
        Self { machine, sectors, now: Time::ZERO, has_begun: false }
    }

    /// Runs a workload to its end. If a sink is given, it receives the rows of the record in order, each as soon as it
    /// can no longer change. The outcome then has no rows, and memory grows only with the number of outstanding
    /// requests.
    ///
    /// # Errors The run has begun; [`Interrupted`](Error::Interrupted) if the observer stops the run; errors of the
    /// sink.
    pub fn run<W: Workload + ?Sized>(
        mut self,
        workload: &mut W,
        observe: &mut Observer<'_>,
        sink: Option<&mut Sink<'_>>,
    ) -> Result<Outcome> {
        ensure!(
            !self.has_begun,
            "expected a new simulation for a workload, found a simulation that has begun: make a new simulation"
        );
        if let Kind::Alone(alone) = self.machine {
            match alone.in_order() {
                Ok(mut in_order) => {
                    machine::run(&mut in_order, workload, observe, sink)?;
                    return Ok(in_order.outcome());
                }
                Err(alone) => self.machine = Kind::Alone(alone),
            }
        }
        on!(&mut self.machine, machine => machine::run(&mut **machine, workload, observe, sink))?;
        Ok(self.into_outcome())
    }

    /// Submits a request, after all events up to its arrival have been run. Returns the number of the request, counted
    /// from 0 in the order of arrival.
    ///
    /// # Errors The arrival lies before the current time, the traced device is unknown, or the request
    /// extends beyond the end of the device.
    pub fn submit(&mut self, arrival: &Arrival) -> Result<u64> {
        self.submit_all(std::slice::from_ref(arrival))
    }

    /// Submits requests in the order of arrival. Returns the number of the first one; the others are numbered
    /// consecutively.
    ///
    /// # Errors The errors of [`Self::submit`]; no request is then submitted.
    pub fn submit_all(&mut self, arrivals: &[Arrival]) -> Result<u64> {
        let first = self.arrived();
        let mut before = self.now;
        for (number, arrival) in arrivals.iter().enumerate() {
            self.check(arrival, before)
                .map_err(|found| Error::Trace(format!("request {}: {found}", first as usize + number)))?;
            before = arrival.time;
        }
        on!(&mut self.machine, machine => {
            for arrival in arrivals {
                if !self.has_begun {
                    self.has_begun = true;
                    machine.begin(arrival.time);
                }
                while machine.step(arrival.time).is_some() {}
                machine.arrive(arrival);
            }
        });
        self.now = before;
        Ok(first)
    }

    /// Checks the arrival time, the traced device and the sectors of a request. `before` is the earliest valid arrival
    /// time.
    fn check(&self, arrival: &Arrival, before: Time) -> std::result::Result<(), String> {
        let HostRequest { traced_device, sector, sectors } = arrival.request;
        if arrival.time < before {
            return Err(format!(
                "arrivals must not go back in time: expected an arrival at or after {} ns, found {} ns",
                before.0, arrival.time.0
            ));
        }
        if arrival.time >= Time::LATEST {
            return Err(format!(
                "expected an arrival time below {} ns, found {} ns",
                Time::LATEST.0,
                arrival.time.0
            ));
        }
        let Some(end) = self.sectors.get(traced_device as usize) else {
            return Err(format!(
                "expected a device number below {}, found {traced_device}",
                self.sectors.len()
            ));
        };
        if arrival.durable == Durable::Earlier {
            let found = format!("expected a flush without blocks, found {sectors} blocks");
            return if sectors == 0 { Ok(()) } else { Err(found) };
        }
        if sectors == 0 || sector >= *end || u64::from(sectors) > end - sector {
            return Err(format!(
                "expected at least one block within the device's {end} blocks, found {sectors} blocks from LBN {sector} on"
            ));
        }
        Ok(())
    }

    /// Advances time to `until`. Returns the completions since the last call, in order: number of the request, and time
    /// of completion.
    ///
    /// # Errors `until` lies before the current time or after the largest time; [`Interrupted`](Error::Interrupted) if
    /// the observer stops the run: the current time is then the time of the stop, and the next call returns the
    /// completions.
    pub fn advance(&mut self, until: Time, observe: &mut Observer<'_>) -> Result<Vec<(u32, Time)>> {
        if until < self.now {
            let (now, until) = (self.now.0, until.0);
            return Err(Error::Trace(format!(
                "expected a time at or after the current time, {now} ns, found {until} ns"
            )));
        }
        if until >= Time::LATEST {
            return Err(Error::Trace(format!(
                "expected a time below {} ns, found {} ns",
                Time::LATEST.0,
                until.0
            )));
        }
        on!(&mut self.machine, machine => {
            while let Some(now) = machine.step(until) {
                self.now = now;
                machine.host_mut().observed(observe, &mut None)?;
            }
        });
        self.now = until;
        Ok(self.told())
    }

    /// Advances time until all submitted requests are complete; returns the completions as [`Self::advance`] does.
    ///
    /// # Errors [`Interrupted`](Error::Interrupted) if the observer stops the run.
    pub fn drain(&mut self, observe: &mut Observer<'_>) -> Result<Vec<(u32, Time)>> {
        on!(&mut self.machine, machine => {
            while machine.host().waiting() > 0 {
                let Some(now) = machine.step(Time::MAX) else { break };
                self.now = self.now.max(now);
                machine.host_mut().observed(observe, &mut None)?;
            }
        });
        Ok(self.told())
    }

    /// Removes and returns the completions that the caller has not yet collected.
    fn told(&mut self) -> Vec<(u32, Time)> {
        on!(&mut self.machine, machine => std::mem::take(&mut machine.host_mut().complete))
    }

    /// The time of the next event if no request arrives before it, or the current time if the caller has not yet
    /// collected a completion; `None` without both.
    #[must_use]
    pub fn next_event(&self) -> Option<Time> {
        if self.has_completions() {
            return Some(self.now);
        }
        on!(&self.machine, machine => machine.next_event())
    }

    /// True if a request is complete and the caller has not yet collected its completion. A flush without a write
    /// cache, for instance, is complete on its arrival.
    #[must_use]
    pub fn has_completions(&self) -> bool {
        !self.host().complete.is_empty()
    }

    /// Number of requests submitted so far.
    #[must_use]
    pub fn arrived(&self) -> u64 {
        self.host().arrived()
    }

    /// Number of submitted requests that are not complete.
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.host().waiting()
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Incomplete requests whose time of completion no later request can change, in the order of completion: number of
    /// the request, and this time. The medium serves or has finished such a request, and its data need not wait for a
    /// bus.
    #[must_use]
    pub fn certain(&self) -> Vec<(u32, Time)> {
        let mut certain = on!(&self.machine, machine => machine.certain());
        certain.sort_unstable_by_key(|(row, time)| (*time, *row));
        certain
    }

    /// Restores the state of volumes after a power failure, before the first request. `find` returns the note in a
    /// sector of a device, that is, the state that a volume had written there; or `None`. Bare devices have no notes.
    ///
    /// # Errors
    /// The run has begun, or a member of a volume is a volume.
    pub fn recover(&mut self, find: &mut FindNote<'_>) -> Result<()> {
        ensure!(
            !self.has_begun,
            "expected a new simulation for the recovery, found a simulation that has begun: make a new simulation"
        );
        match &mut self.machine {
            Kind::Alone(_) => Ok(()),
            Kind::Tree(tree) => tree.recover(find),
        }
    }

    /// The effect of a power failure at the current time on the writes in progress, in the order of their numbers.
    /// Empty unless [requested](Self::note_passages) before the run. Writes that wait for service have changed nothing
    /// and are omitted.
    #[must_use]
    pub fn interrupted(&self) -> Vec<Interrupted> {
        let mut all = on!(&self.machine, machine => machine.interrupted(self.now));
        all.sort_unstable_by_key(|interrupted| interrupted.row);
        all
    }

    /// Number of blocks of the request `row` that could not be read or written; valid after its completion was returned
    /// by `advance` or `certain`. 0 if the record lacks the column `lost_blocks`, or if the row was removed.
    #[must_use]
    pub fn lost_blocks(&self, row: u32) -> u32 {
        self.host().record.lost_blocks_of(row)
    }

    /// Removes the first rows of the record that can no longer change, at most `most` of them, and returns them.
    pub fn take_final(&mut self, most: usize) -> Record {
        on!(&mut self.machine, machine => machine.host_mut().take_final(most))
    }

    /// The stations (devices with their queues), each with its name.
    #[must_use]
    pub fn stations(&self) -> Vec<(String, &Station)> {
        on!(&self.machine, machine => machine.stations())
    }

    /// Replaces the policy of every device; the new policy also serves the requests that wait.
    ///
    /// # Errors An option of the policy is invalid.
    pub fn change_policy(&mut self, policy: &Policy) -> Result<()> {
        let now = self.now;
        on!(&mut self.machine, machine => {
            machine.stations_mut().try_for_each(|station| station.change_policy(now, policy))
        })
    }

    fn host(&self) -> &Host {
        on!(&self.machine, machine => machine.host())
    }

    /// The outcome of the run up to now. If requests are [pending](Self::pending), their rows in the record are
    /// incomplete.
    #[must_use]
    pub fn into_outcome(self) -> Outcome {
        on!(self.machine, machine => machine.outcome())
    }
}
