//! The way of requests through volumes: each becomes parts, parts go to devices or to volumes below, and what comes
//! back goes the same way up.

mod devices;

use std::mem;

use super::jobs::{Done, JobState, Origin, PartState, Services};
use super::outcome::{DeviceOutcome, Outcome, OBSERVED_EVERY};
use crate::energy::ServiceEnergy;
use crate::engine::Engine;
use crate::error::Result;
use crate::observer::{report, Observer};
use crate::record::Record;
use crate::request::Request;
use crate::slab::Slab;
use crate::station::Station;
use crate::system::{Built, BuiltVolume};
use crate::time::{Span, Time};
use crate::volume::{Action, HostRequest, Io, Job, Part, PerJob, Single, Urgency, Volume, VolumeRequest};
use crate::workload::{Arrival, Workload};

/// Events besides the next arrival.
#[derive(Clone, Copy)]
enum Event {
    Admit { station: u32 },
    Finish { station: u32 },
    Leave { station: u32, part: u32 },
    Complete { node: u32, job: Job },
    Wake { node: u32, token: u64 },
}

/// A member of a volume: a device or another volume.
#[derive(Clone, Copy)]
enum Target {
    Device(u32),
    Volume(u32),
}

/// A volume of the tree, with what it is working on.
struct VolumeNode {
    name: String,
    volume: Box<dyn Volume>,
    io: Io,
    jobs: PerJob<JobState>,
    members: Vec<Target>,
    /// The traced device that it, or a volume above, stands for.
    traced: u32,
}

/// A device of the tree, with its queues.
struct DeviceNode {
    name: String,
    station: Station,
    block_bytes: u64,
}

/// A workload on volumes.
struct Simulation<'a, W: ?Sized> {
    engine: Engine<Event>,
    workload: &'a mut W,
    ahead: Option<Arrival>,
    volumes: Vec<VolumeNode>,
    /// The uppermost volume of each traced device.
    roots: Vec<u32>,
    devices: Vec<DeviceNode>,
    parts: Slab<PartState>,
    services: Services,
    /// Parts that were sent, and those of them that went to devices.
    sent: u64,
    to_devices: u32,
    record: Record,
    arrived: u32,
    /// Requests of the host that are not complete, of each traced device.
    in_system: Vec<u32>,
    /// Requests of the host that are not complete.
    waiting: u64,
    completed: u64,
    work: u64,
    end: Time,
    /// Energy of services that are attributed to no request.
    background_energy: ServiceEnergy,
}

/// Runs a workload to its end on volumes, one for each traced device.
///
/// # Errors
/// Options of a policy that cannot be; [`Interrupted`](crate::error::Error::Interrupted) when the observer breaks.
pub(super) fn run<W: Workload + ?Sized>(
    volumes: Vec<BuiltVolume>,
    workload: &mut W,
    observe: &mut Observer<'_>,
) -> Result<Outcome> {
    let mut simulation = Simulation {
        engine: Engine::new(),
        record: Record::with_capacity(workload.expected()),
        workload,
        ahead: None,
        volumes: Vec::new(),
        roots: Vec::new(),
        devices: Vec::new(),
        parts: Slab::default(),
        services: Services::default(),
        sent: 0,
        to_devices: 0,
        arrived: 0,
        in_system: vec![0; volumes.len()],
        waiting: 0,
        completed: 0,
        work: 0,
        end: Time::ZERO,
        background_energy: ServiceEnergy::default(),
    };
    let several = volumes.len() > 1;
    for (number, volume) in volumes.into_iter().enumerate() {
        let prefix = if several { format!("{number}/") } else { String::new() };
        let root = simulation.place(volume, &prefix, number as u32)?;
        simulation.roots.push(root);
    }
    simulation.run(observe)?;
    Ok(simulation.outcome())
}

impl<W: Workload + ?Sized> Simulation<'_, W> {
    /// Sets up a volume and all below it.
    fn place(&mut self, built: BuiltVolume, prefix: &str, traced: u32) -> Result<u32> {
        let at = self.volumes.len() as u32;
        let io = Io::new(built.members.len() as u32, false);
        let (jobs, volume, name) = (PerJob::default(), built.volume, prefix.trim_end_matches('/').to_owned());
        self.volumes.push(VolumeNode { name, volume, io, jobs, members: Vec::new(), traced });
        for (name, member) in built.members {
            let name = format!("{prefix}{name}");
            let target = match member {
                Built::Device(device, policy) => {
                    let block_bytes = device.block_bytes();
                    let background = policy.build(&*device)?;
                    let station = Station::new(policy.build(&*device)?, device).with_background(background);
                    self.devices.push(DeviceNode { name, station, block_bytes });
                    Target::Device(self.devices.len() as u32 - 1)
                }
                Built::Volume(volume) => Target::Volume(self.place(volume, &format!("{name}/"), traced)?),
            };
            self.volumes[at as usize].members.push(target);
        }
        Ok(at)
    }

    fn run(&mut self, observe: &mut Observer<'_>) -> Result<()> {
        self.ahead = self.workload.next();
        if let Some(first) = &self.ahead {
            self.begin(first.time);
        }
        loop {
            let arrival = self.ahead.map_or(Time::MAX, |arrival| arrival.time);
            // What goes on behind the last request is not waited for.
            if self.ahead.is_none() && self.waiting == 0 {
                return Ok(());
            }
            if let Some((now, event)) = self.engine.pop_until(arrival) {
                self.handle(now, event);
            } else if let Some(arrival) = self.ahead {
                self.arrive(arrival);
            } else {
                unreachable!("a request that is not complete is on its way");
            }
            if self.work >= OBSERVED_EVERY {
                self.work = 0;
                report(observe, self.completed)?;
            }
        }
    }

    fn begin(&mut self, now: Time) {
        self.devices.iter_mut().for_each(|device| device.station.begin(now));
        for node in 0..self.volumes.len() as u32 {
            self.tell(now, node, |volume, io| volume.begin(now, io));
        }
    }

    fn handle(&mut self, now: Time, event: Event) {
        match event {
            Event::Admit { station } => {
                self.devices[station as usize].station.admit(now);
                self.dispatch(now, station);
            }
            Event::Finish { station } => self.finish(now, station),
            Event::Leave { station, part } => {
                self.leave(now, station, part);
                self.let_in(now, station);
            }
            Event::Complete { node, job } => {
                self.complete(now, node, job);
                self.act(now, node);
            }
            Event::Wake { node, token } => self.tell(now, node, |volume, io| volume.woken(now, token, io)),
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        let Arrival { time: now, op, metadata, request } = arrival;
        let traced = request.traced_device as usize;
        let (root, row) = (self.roots[traced], self.arrived);
        self.record.arrive(row, now, self.in_system[traced]);
        self.arrived += 1;
        self.in_system[traced] += 1;
        self.waiting += 1;
        let request = VolumeRequest { sector: request.sector, sectors: request.sectors, op, metadata };
        // A volume may have it done at once, and then the workload is asked again.
        self.ahead = self.workload.next();
        self.submit(now, root, Origin::Host(row), Urgency::Foreground, &request);
    }

    /// Gives a request to a volume.
    fn submit(&mut self, now: Time, node: u32, origin: Origin, urgency: Urgency, request: &VolumeRequest) {
        let VolumeNode { volume, io, jobs, .. } = &mut self.volumes[node as usize];
        let job = io.begin_as(urgency);
        *jobs.of(job) = JobState { origin, done: Done::default() };
        if let Origin::Part(part) = origin {
            self.parts.get_mut(part).below = Some(job);
        }
        volume.submit(now, job, request, io);
        self.act(now, node);
    }

    /// Tells a volume something, and does what it answers.
    fn tell(&mut self, now: Time, node: u32, what: impl FnOnce(&mut dyn Volume, &mut Io)) {
        let VolumeNode { volume, io, .. } = &mut self.volumes[node as usize];
        what(&mut **volume, io);
        self.act(now, node);
    }

    /// Does what a volume has listed.
    fn act(&mut self, now: Time, node: u32) {
        while let Some(action) = self.volumes[node as usize].io.next_action() {
            match action {
                Action::Submit(part, urgency) => self.send(now, node, part, urgency),
                Action::Promote(job) => self.promote(now, node, job),
                Action::Complete(job, at) if at > now => {
                    self.engine.schedule(at, Event::Complete { node, job });
                }
                Action::Complete(job, _) => self.complete(now, node, job),
                Action::Wake(at, token) => self.engine.schedule(at.max(now), Event::Wake { node, token }),
                Action::Credit(job, work, sectors, left) => {
                    let jobs = &mut self.volumes[node as usize].jobs;
                    let mut done = jobs.of(work).done;
                    let part = sectors as f64 / left as f64;
                    self.services.share(&mut jobs.of(job).done, &mut done, part);
                    jobs.of(work).done = done;
                }
                Action::Copy(..) | Action::Xor(..) | Action::Note(..) => {}
            }
        }
    }

    fn send(&mut self, now: Time, node: u32, part: Part, urgency: Urgency) {
        let (before, overhead) = (self.sent, Span::ZERO);
        self.sent += 1;
        let state = PartState { node, before, overhead, service: None, below: None, urgency, part };
        let tag = self.parts.insert(state);
        match self.volumes[node as usize].members[part.member as usize] {
            Target::Volume(below) => {
                let Part { sector, sectors, op, metadata, .. } = part;
                let request = VolumeRequest { sector, sectors, op, metadata };
                self.submit(now, below, Origin::Part(tag), urgency, &request);
            }
            Target::Device(station) => {
                let device = &mut self.devices[station as usize];
                let host = HostRequest { traced_device: 0, sector: part.sector, sectors: part.sectors };
                let placed = Single::place(&host, device.block_bytes);
                let is_background = urgency == Urgency::Background;
                let request = placed.request(self.to_devices, part.op, part.metadata, now);
                let request = Request { tag, is_background, ..request };
                let ready = device.station.accept(now, request);
                // Policies break ties by it, so that it must not be given again while others wait.
                self.to_devices = self.to_devices.wrapping_add(1);
                if let Some(ready) = ready {
                    self.enter(now, station, tag, ready);
                }
            }
        }
    }

    /// A background job of a volume becomes foreground, with its parts on their way down to the devices and whatever
    /// the volume lets it wait for.
    fn promote(&mut self, now: Time, node: u32, job: Job) {
        let is_behind = |state: &PartState| {
            state.node == node && state.part.job == job && state.urgency == Urgency::Background
        };
        // In the order in which they were sent: numbers are given again, so that they say nothing of that.
        let next = |parts: &Slab<PartState>| {
            let behind = parts.iter().filter(|(_, state)| is_behind(state));
            behind.min_by_key(|(_, state)| state.before).map(|(tag, _)| tag)
        };
        while let Some(tag) = next(&self.parts) {
            let state = self.parts.get_mut(tag);
            state.urgency = Urgency::Foreground;
            let VolumeNode { io, members, .. } = &mut self.volumes[node as usize];
            io.promoted(&state.part);
            match members[state.part.member as usize] {
                Target::Device(station) => self.devices[station as usize].station.promote(tag),
                Target::Volume(below) => {
                    let job = state.below.expect("a part is a job of the volume below");
                    self.volumes[below as usize].io.promote(job);
                    self.act(now, below);
                }
            }
        }
        let VolumeNode { volume, io, .. } = &mut self.volumes[node as usize];
        volume.promoted(now, job, io);
    }

    /// A part is done: the volume that it came from goes on.
    fn part_done(&mut self, now: Time, part: u32, done: &Done) {
        let PartState { node, part, urgency, .. } = self.parts.remove(part);
        let VolumeNode { volume, io, jobs, .. } = &mut self.volumes[node as usize];
        self.services.and(&mut jobs.of(part.job).done, done);
        io.came_back(&part, urgency);
        volume.done(now, &part, io);
        if urgency == Urgency::Foreground && io.is_idle(part.member) {
            volume.idle(now, part.member, io);
        }
        self.act(now, node);
    }

    /// A job is done.
    fn complete(&mut self, now: Time, node: u32, job: Job) {
        let VolumeNode { io, jobs, traced, .. } = &mut self.volumes[node as usize];
        let (state, traced) = (mem::take(jobs.of(job)), *traced);
        io.forget(job);
        match state.origin {
            Origin::Own => {
                self.background_energy += state.done.energy;
                self.services.release(state.done.last);
            }
            Origin::Host(row) => self.request_done(now, traced, row, &state.done),
            Origin::Part(part) => self.part_done(now, part, &state.done),
        }
    }

    /// A request of the host is done.
    fn request_done(&mut self, now: Time, traced: u32, row: u32, done: &Done) {
        self.in_system[traced as usize] -= 1;
        self.waiting -= 1;
        self.completed += 1;
        self.work += 1;
        self.end = self.end.max(now);
        let end = match done.last {
            Some(last) => {
                let last = self.services.get(last);
                self.record.accept(row, last.overhead);
                self.record.serve(row, last.start, &last.service, &done.energy);
                last.end
            }
            None => self.record.serve_from_memory(row),
        };
        self.services.release(done.last);
        self.record.complete(row, end, now, done.parts, done.devices);
        self.workload.completed(row, now);
        self.ahead = self.workload.next_or_earlier(self.ahead.take());
    }

    fn outcome(mut self) -> Outcome {
        self.record.resize(self.arrived as usize);
        let end = self.end;
        // What is not done yet was for no request: all of those are.
        let begun = self.parts.iter().filter_map(|(_, state)| state.service);
        let begun = begun.map(|service| self.services.get(service).service.energy);
        let undone =
            self.volumes.iter_mut().flat_map(|node| node.jobs.all()).map(|job| job.done.energy).chain(begun);
        let background_energy = undone.fold(self.background_energy, |mut all, some| {
            all += some;
            all
        });
        let device = |node: DeviceNode| DeviceOutcome::new(node.name, node.station, end);
        Outcome {
            record: self.record,
            background_energy_j: background_energy.total_j(),
            devices: self.devices.into_iter().map(device).collect(),
            volumes: self.volumes.into_iter().map(|node| (node.name, node.volume.counts())).collect(),
        }
    }
}
