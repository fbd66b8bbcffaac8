//! Runs with volumes. A volume divides a request into parts for its members, which are devices or other volumes.

mod completing;
mod crossing;
mod devices;
mod flushing;
mod following;
mod promoting;
#[cfg(test)]
mod tests;
mod watching;

use super::data_moves::DataMove;
use super::host::Host;
use super::interrupted::Interrupted;
use super::jobs::{Done, JobState, Origin, PartState, Services};
use super::journal::Journal;
use super::machine::{Machine, Server};
use super::outcome::{DeviceOutcome, Outcome};
use super::shared_bus::{Crossing, SharedBus};
use crate::energy::ServiceEnergy;
use crate::engine::Engine;
use crate::error::Result;
use crate::record::Record;
use crate::request::{Durable, Op, Request};
use crate::slab::Slab;
use crate::station::Station;
use crate::system::{Built, BuiltVolume};
use crate::time::{Span, Time};
use crate::volume::{Action, HostRequest, Io, Job, Part, PerJob, Single, Urgency, Volume, VolumeRequest};
use crate::workload::Arrival;

/// A pending event of the run; the next arrival is not among them.
#[derive(Clone, Copy)]
enum Event {
    Admit { station: u32 },
    Finish { station: u32 },
    Leave { station: u32, part: u32 },
    Resume { station: u32 },
    Choose { node: u32 },
    Crossed { node: u32 },
    Complete { node: u32, job: Job },
    Wake { node: u32, token: u64 },
}

/// A member of a volume: a device or another volume.
#[derive(Clone, Copy)]
enum Target {
    Device(u32),
    Volume(u32),
}

/// A volume of the run, and its jobs.
#[derive(Clone)]
struct VolumeNode {
    name: String,
    volume: Box<dyn Volume>,
    io: Io,
    jobs: PerJob<JobState>,
    members: Vec<Target>,
    /// Number of flushes on their way to each member, and whether it has writes that no flush covers.
    unflushed: Vec<(u32, bool)>,
    /// The bus that all members share, if the volume has one.
    bus: Option<Box<SharedBus<Crossing>>>,
    /// Number of the traced device whose requests the volume serves, directly or through volumes above.
    traced: u32,
}

/// A device of the run, with its queues.
#[derive(Clone)]
struct DeviceNode {
    name: String,
    station: Station,
    block_bytes: u64,
}

/// Volumes, one for each traced device, and all volumes and devices below them.
#[derive(Clone)]
pub(super) struct Tree {
    engine: Engine<Event>,
    volumes: Vec<VolumeNode>,
    /// Number of the volume that receives the requests of each traced device.
    roots: Vec<u32>,
    devices: Vec<DeviceNode>,
    parts: Slab<PartState>,
    services: Services,
    /// Number of parts that all volumes have sent so far. `to_devices` counts only the parts that were sent to devices.
    sent: u64,
    to_devices: u32,
    host: Host,
    /// Number of requests of the host in the system, for each traced device.
    in_system: Vec<u32>,
    /// True once the host has sent a flush or a write with FUA: volumes then make the data that they move durable.
    wants_durable: bool,
    /// Energy of services that belong to no request, such as background work of volumes.
    background_energy: ServiceEnergy,
    /// Movements of data since the last call of `take_moves`; `None` if they are not recorded.
    moves: Option<Vec<DataMove>>,
    /// The journal of services of devices; `None` if the run keeps no journal.
    pub journal: Option<Box<Journal>>,
}

impl Tree {
    /// Creates a run on idle volumes, with the empty record `record`.
    ///
    /// # Errors Options of a policy are invalid.
    pub fn new(volumes: Vec<BuiltVolume>, record: Record) -> Result<Self> {
        let mut tree = Self {
            engine: Engine::new(),
            volumes: Vec::new(),
            roots: Vec::new(),
            devices: Vec::new(),
            parts: Slab::default(),
            services: Services::default(),
            sent: 0,
            to_devices: 0,
            host: Host::new(record),
            in_system: vec![0; volumes.len()],
            wants_durable: false,
            background_energy: ServiceEnergy::default(),
            moves: None,
            journal: None,
        };
        let several = volumes.len() > 1;
        for (number, volume) in volumes.into_iter().enumerate() {
            let prefix = if several { format!("{number}/") } else { String::new() };
            let root = tree.place(volume, &prefix, number as u32)?;
            tree.roots.push(root);
        }
        Ok(tree)
    }

    /// Adds a volume with all volumes and devices below it; returns the number of the volume. `traced` is the number of
    /// the traced device that it serves.
    fn place(&mut self, built: BuiltVolume, prefix: &str, traced: u32) -> Result<u32> {
        let at = self.volumes.len() as u32;
        let io = Io::new(built.members.len() as u32, false);
        let unflushed = vec![(0, false); built.members.len()];
        let (jobs, volume, name) = (PerJob::default(), built.volume, prefix.trim_end_matches('/').to_owned());
        let bus = built.bus_ns_per_sector.map(|ns| Box::new(SharedBus::new(ns)));
        self.volumes.push(VolumeNode { name, volume, io, jobs, members: Vec::new(), unflushed, bus, traced });
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

    /// Submits a request to the volume `node`; `origin` states where the request comes from.
    fn submit(
        &mut self,
        now: Time,
        node: u32,
        (origin, durable): (Origin, Durable),
        urgency: Urgency,
        request: &VolumeRequest,
    ) {
        let VolumeNode { volume, io, jobs, .. } = &mut self.volumes[node as usize];
        let job = io.begin_as(urgency);
        let flush_follows = durable == Durable::Itself && volume.has_write_cache();
        *jobs.of(job) = JobState { origin, durable, flush_follows, ..JobState::default() };
        if let Origin::Part(part) = origin {
            self.parts.get_mut(part).below = Some(job);
        }
        self.follow_arrival(node, job, origin, request);
        let VolumeNode { volume, io, .. } = &mut self.volumes[node as usize];
        volume.submit(now, job, request, io);
        self.act(now, node);
    }

    /// Calls the function `what` with the volume `node`, and then carries out the actions that the volume requests.
    fn tell(&mut self, now: Time, node: u32, what: impl FnOnce(&mut dyn Volume, &mut Io)) {
        let VolumeNode { volume, io, .. } = &mut self.volumes[node as usize];
        what(&mut **volume, io);
        self.act(now, node);
    }

    /// Carries out the actions that the volume `node` has requested.
    fn act(&mut self, now: Time, node: u32) {
        while let Some(action) = self.volumes[node as usize].io.next_action() {
            match action {
                Action::Submit(part, urgency) => self.send(now, node, part, urgency),
                Action::Promote(job) => self.promote(now, node, job),
                Action::Complete(job, at) if at > now => {
                    self.host.watch.iter_mut().for_each(|watch| watch.postpone(node, job));
                    self.engine.schedule(at, Event::Complete { node, job });
                }
                Action::Complete(job, _) => self.complete(now, node, job),
                Action::Flush(job) => self.flush_members(now, node, job),
                Action::Wake(at, token) => self.engine.schedule(at.max(now), Event::Wake { node, token }),
                Action::Credit(job, work, sectors, left) => {
                    self.watch_shared(node, job, work);
                    let jobs = &mut self.volumes[node as usize].jobs;
                    let mut done = jobs.of(work).done;
                    let part = sectors as f64 / left as f64;
                    self.services.share(&mut jobs.of(job).done, &mut done, part);
                    jobs.of(work).done = done;
                }
                action @ (Action::Copy(..) | Action::Xor(..) | Action::Note(..)) => {
                    self.follow_memory(node, action);
                }
            }
        }
    }

    /// Adds a part to those on their way; returns its number.
    fn add_part(&mut self, node: u32, part: Part, urgency: Urgency, durable: Durable) -> u32 {
        let (before, overhead) = (self.sent, Span::ZERO);
        self.sent += 1;
        self.parts.insert(PartState {
            node,
            before,
            overhead,
            service: None,
            below: None,
            urgency,
            durable,
            part,
        })
    }

    fn send(&mut self, now: Time, node: u32, part: Part, urgency: Urgency) {
        let durable = self.durable(node, &part);
        let tag = self.add_part(node, part, urgency, durable);
        if let Target::Device(station) = self.volumes[node as usize].members[part.member as usize] {
            self.follow_part(tag, station);
        }
        if !self.cross(now, tag, Op::Write, None) {
            self.deliver(now, tag, [now; 2]);
        }
    }

    /// Delivers the part `tag` to its member; it was sent at `sent`, and its data began to cross the shared bus at
    /// `begun`.
    fn deliver(&mut self, now: Time, tag: u32, [sent, begun]: [Time; 2]) {
        let PartState { node, urgency, durable, part, .. } = *self.parts.get(tag);
        self.parts.get_mut(tag).overhead = now - sent;
        match self.volumes[node as usize].members[part.member as usize] {
            Target::Volume(below) => {
                let Part { sector, sectors, op, metadata, .. } = part;
                let request = VolumeRequest { sector, sectors, op, metadata };
                self.submit(now, below, (Origin::Part(tag), durable), urgency, &request);
            }
            Target::Device(station) => {
                let block_bytes = self.devices[station as usize].block_bytes;
                let host = HostRequest { traced_device: 0, sector: part.sector, sectors: part.sectors };
                let placed = Single::place(&host, block_bytes);
                let is_background = urgency == Urgency::Background;
                let request = placed.request(self.to_devices, part.op, part.metadata, now);
                let request = Request { tag, is_background, durable, ..request };
                self.watch_part([sent, begun, now], (node, part.job), station, &request);
                let ready = self.devices[station as usize].station.accept(now, request);
                // Policies choose between equal requests by this number, which must not be used again while
                // others wait.
                self.to_devices = self.to_devices.wrapping_add(1);
                if let Some(ready) = ready {
                    self.enter(now, station, tag, ready);
                }
            }
        }
    }
}

impl Server for Tree {
    fn host(&self) -> &Host {
        &self.host
    }

    fn host_mut(&mut self) -> &mut Host {
        &mut self.host
    }

    fn begin(&mut self, now: Time) {
        self.devices.iter_mut().for_each(|device| device.station.begin(now));
        self.journal.iter_mut().for_each(|journal| journal.begin(now));
        for node in 0..self.volumes.len() as u32 {
            self.tell(now, node, |volume, io| volume.begin(now, io));
        }
    }

    #[inline]
    fn arrive(&mut self, arrival: &Arrival) {
        let Arrival { time: now, op, durable, metadata, request } = *arrival;
        self.wants_durable |= durable != Durable::Nothing;
        let traced = request.traced_device as usize;
        let row = self.host.arrive(arrival, self.in_system[traced]);
        self.in_system[traced] += 1;
        if durable == Durable::Earlier {
            return self.flush(
                now,
                self.roots[traced],
                Origin::Host(row),
                Urgency::Foreground,
                Done::default(),
            );
        }
        let request = VolumeRequest { sector: request.sector, sectors: request.sectors, op, metadata };
        self.submit(now, self.roots[traced], (Origin::Host(row), durable), Urgency::Foreground, &request);
    }

    #[inline]
    fn step(&mut self, limit: Time) -> Option<Time> {
        let (now, event) = self.engine.pop_until(limit)?;
        match event {
            Event::Admit { station } => {
                self.devices[station as usize].station.admit(now);
                self.dispatch(now, station);
            }
            Event::Resume { station } => self.dispatch(now, station),
            Event::Finish { station } => self.finish(now, station),
            Event::Leave { station, part } => {
                self.leave(now, station, part);
                self.let_in(now, station);
            }
            Event::Choose { node } => self.choose(now, node),
            Event::Crossed { node } => self.crossed(now, node),
            Event::Complete { node, job } => {
                self.host.watch.iter_mut().for_each(|watch| watch.resume(node, job));
                self.complete(now, node, job);
                self.act(now, node);
            }
            Event::Wake { node, token } => {
                self.host.watch.iter_mut().for_each(|watch| watch.wake(now));
                self.tell(now, node, |volume, io| volume.woken(now, token, io));
            }
        }
        Some(now)
    }

    fn outcome(mut self) -> Outcome {
        let end = self.host.totals.end;
        let stations = self.devices.iter().map(|device| &device.station);
        self.journal.iter_mut().for_each(|journal| journal.end(end, stations.clone()));
        // Parts in flight at the end belong to no request: all of their services count here.
        let begun = self.parts.iter().filter_map(|(_, state)| state.service);
        let begun = begun.map(|service| self.services.get(service).service.energy);
        let crossing = self.volumes.iter().flat_map(|node| &node.bus).flat_map(|bus| bus.all());
        let crossing: Vec<ServiceEnergy> = crossing.filter_map(|part| Some(part.done?.energy)).collect();
        let jobs = self.volumes.iter_mut().flat_map(|node| node.jobs.all()).map(|job| job.done.energy);
        let undone = jobs.chain(begun).chain(crossing);
        let background_energy = undone.fold(self.background_energy, |mut all, some| {
            all += some;
            all
        });
        let device = |node: DeviceNode| DeviceOutcome::new(node.name, node.station, end);
        let (record, totals) = self.host.into_record();
        Outcome {
            record,
            totals,
            background_energy_j: background_energy.total_j(),
            journal: self.journal,
            devices: self.devices.into_iter().map(device).collect(),
            volumes: self.volumes.into_iter().map(|node| (node.name, node.volume.counts())).collect(),
        }
    }
}

impl Machine for Tree {
    fn next_event(&self) -> Option<Time> {
        self.engine.next_time()
    }

    /// Requests of the host for which a volume has already set a later time of completion: number and time of each.
    fn certain(&self) -> Vec<(u32, Time)> {
        let certain = |(time, event): (Time, &Event)| match *event {
            Event::Complete { node, job } => match self.volumes[node as usize].jobs.get(job).origin {
                Origin::Host(row) => Some((row, time)),
                Origin::Own | Origin::Part(_) => None,
            },
            _ => None,
        };
        self.engine.iter().filter_map(certain).collect()
    }

    fn interrupted(&self, now: Time) -> Vec<Interrupted> {
        self.interrupted_parts(now)
    }

    fn stations(&self) -> Vec<(String, &Station)> {
        self.devices.iter().map(|node| (node.name.clone(), &node.station)).collect()
    }

    fn stations_mut(&mut self) -> impl Iterator<Item = &mut Station> {
        self.devices.iter_mut().map(|node| &mut node.station)
    }
}
