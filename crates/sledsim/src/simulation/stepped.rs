//! A run that its owner takes step by step.

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
use crate::sched::Policy;
use crate::station::Station;
use crate::system::System;
use crate::time::Time;
use crate::volume::{FindNote, HostRequest};
use crate::workload::{Arrival, Workload};

/// A run in the hands of its owner, who gives it requests and lets time pass.
///
/// However that is cut into steps, the record is that of a run of the same arrivals in one go: all that happens until
/// an arrival comes before it. A clone goes its own way.
#[derive(Clone)]
pub struct Simulation {
    machine: Kind,
    /// Sectors that each traced device offers.
    sectors: Vec<u64>,
    /// Nothing can come before.
    now: Time,
    has_begun: bool,
}

#[derive(Clone)]
enum Kind {
    Alone(Box<Alone>),
    Tree(Box<Tree>),
}

/// Does the same with either kind of machine, each compiled for itself.
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
    /// A run on a system, which each traced device has one of; `record` is empty.
    ///
    /// # Errors
    /// Parameters or options that cannot be, or members of a volume that do not go together.
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

    /// A run on devices that have been built, one for each traced device, each behind the same policy; `record` is empty.
    ///
    /// # Errors
    /// Options of the policy that cannot be.
    pub fn of_devices(devices: Vec<Box<dyn Device>>, policy: &Policy, record: Record) -> Result<Self> {
        let sectors = devices.iter().map(|device| device.sectors()).collect();
        let station = |device: Box<dyn Device>| Ok(Station::new(policy.build(&*device)?, device));
        let stations = devices.into_iter().map(station).collect::<Result<_>>()?;
        Ok(Self::of(Kind::Alone(Box::new(Alone::new(stations, record))), sectors))
    }

    fn of(machine: Kind, sectors: Vec<u64>) -> Self {
        Self { machine, sectors, now: Time::ZERO, has_begun: false }
    }

    /// Runs a workload to its end. Whoever takes rows of the record is given each as soon as it is final, in their order:
    /// then the outcome has no rows, and the run takes as much memory as requests wait at once.
    ///
    /// # Errors
    /// A run that has begun; [`Interrupted`](Error::Interrupted) when the observer breaks; those of the taker of rows.
    pub fn run<W: Workload + ?Sized>(
        mut self,
        workload: &mut W,
        observe: &mut Observer<'_>,
        sink: Option<&mut Sink<'_>>,
    ) -> Result<Outcome> {
        ensure!(!self.has_begun, "a workload runs from the beginning: found a simulation that has requests");
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

    /// Takes in a request; all that happens until it comes, happens before. Returns its number: requests are counted in
    /// the order of their arrival.
    ///
    /// # Errors
    /// A request that comes before the time that has passed, or reaches past the end; a traced device that there is not.
    pub fn submit(&mut self, arrival: &Arrival) -> Result<u64> {
        self.submit_all(std::slice::from_ref(arrival))
    }

    /// Takes in requests in the order of their arrival; returns the number of the first, which those of the others
    /// follow.
    ///
    /// # Errors
    /// As [`Self::submit`]; none of them is taken in then.
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

    /// What is wrong with a request, when others until `before` have been taken in.
    fn check(&self, arrival: &Arrival, before: Time) -> std::result::Result<(), String> {
        let HostRequest { traced_device, sector, sectors } = arrival.request;
        if arrival.time < before {
            return Err(format!(
                "arrivals do not go back: expected a time of {} ns or later, found {} ns",
                before.0, arrival.time.0
            ));
        }
        if arrival.time >= Time::LATEST {
            return Err(format!(
                "expected an arrival time below {} ns, found {}",
                Time::LATEST.0,
                arrival.time.0
            ));
        }
        let Some(end) = self.sectors.get(traced_device as usize) else {
            return Err(format!("expected a device below {}, found {traced_device}", self.sectors.len()));
        };
        if sectors == 0 || sector >= *end || u64::from(sectors) > end - sector {
            return Err(format!(
                "expected one block or more of the {end} that there are, found {sectors} from LBN {sector} on"
            ));
        }
        Ok(())
    }

    /// Lets time pass until then; returns the requests that are complete and have not been returned before, each with
    /// its time, in the order of completion.
    ///
    /// # Errors
    /// A time that has passed, or later than any can be; [`Interrupted`](Error::Interrupted) when the observer breaks:
    /// then time has passed as far as it came, and what is complete is returned by the next call.
    pub fn advance(&mut self, until: Time, observe: &mut Observer<'_>) -> Result<Vec<(u32, Time)>> {
        if until < self.now {
            let (now, until) = (self.now.0, until.0);
            return Err(Error::Trace(format!(
                "time does not go back: expected {now} ns or later, found {until} ns"
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

    /// Lets time pass until no request is pending; returns what [`Self::advance`] does.
    ///
    /// # Errors
    /// As [`Self::advance`], when the observer breaks.
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

    /// The requests that are complete and have not been returned before.
    fn told(&mut self) -> Vec<(u32, Time)> {
        on!(&mut self.machine, machine => std::mem::take(&mut machine.host_mut().complete))
    }

    /// When the next thing happens, if no request comes before.
    #[must_use]
    pub fn next_event(&self) -> Option<Time> {
        on!(&self.machine, machine => machine.next_event())
    }

    /// How many requests were taken in.
    #[must_use]
    pub fn arrived(&self) -> u64 {
        self.host().arrived()
    }

    /// How many requests are not complete.
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.host().waiting()
    }

    /// The time that has passed.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Requests that are not complete, but whose completion nothing that may still come can change, with its time, in
    /// the order of completion: the medium is done with them, or serves them and their data wait for no bus.
    #[must_use]
    pub fn certain(&self) -> Vec<(u32, Time)> {
        let mut certain = on!(&self.machine, machine => machine.certain());
        certain.sort_unstable_by_key(|(row, time)| (*time, *row));
        certain
    }

    /// Volumes start after a loss of power, before the first request: `find` gives the note in a sector of a device, if
    /// there is one. Devices by themselves have nothing to find out.
    ///
    /// # Errors
    /// A run that has begun; a volume whose members are volumes.
    pub fn recover(&mut self, find: &mut FindNote<'_>) -> Result<()> {
        ensure!(!self.has_begun, "volumes recover first: found a simulation that has requests");
        match &mut self.machine {
            Kind::Alone(_) => Ok(()),
            Kind::Tree(tree) => tree.recover(find),
        }
    }

    /// The writes that a loss of power now would interrupt, and what it leaves of each, if that
    /// [is noted](Self::note_passages), in the order of their numbers. Those that wait for their service have done nothing, and are not named.
    #[must_use]
    pub fn interrupted(&self) -> Vec<Interrupted> {
        let mut all = on!(&self.machine, machine => machine.interrupted(self.now));
        all.sort_unstable_by_key(|interrupted| interrupted.row);
        all
    }

    /// How many blocks of a request, whose completion was told or is certain, the device could neither read nor write: no
    /// more is known where the record does not keep that, or the row was taken out.
    #[must_use]
    pub fn lost_blocks(&self, row: u32) -> u32 {
        self.host().record.lost_blocks_of(row)
    }

    /// Takes out of the record as many of its first rows as are final, up to so many.
    pub fn take_final(&mut self, most: usize) -> Record {
        on!(&mut self.machine, machine => machine.host_mut().take_final(most))
    }

    /// The devices by name, each behind its queue.
    #[must_use]
    pub fn stations(&self) -> Vec<(String, &Station)> {
        on!(&self.machine, machine => machine.stations())
    }

    /// Puts another policy in front of every device: what waits there, it serves.
    ///
    /// # Errors
    /// An option of the policy that cannot be.
    pub fn change_policy(&mut self, policy: &Policy) -> Result<()> {
        let now = self.now;
        on!(&mut self.machine, machine => {
            machine.stations_mut().try_for_each(|station| station.change_policy(now, policy))
        })
    }

    fn host(&self) -> &Host {
        on!(&self.machine, machine => machine.host())
    }

    /// The outcome so far; every request of the record is complete only if none is [pending](Self::pending).
    #[must_use]
    pub fn into_outcome(self) -> Outcome {
        on!(self.machine, machine => machine.outcome())
    }
}
