//! The MEMS device: a sled of medium that moves in x and y under fixed tips.

mod access_plan;
mod approach;
mod batch;
mod cantilevers;
mod characteristics;
mod check;
mod delivery;
mod derived;
mod energy;
mod erase;
mod erasing;
mod format_keys;
mod idle;
pub(super) mod kind;
mod late;
mod merged;
mod motion;
mod noted_sweeps;
mod passages;
mod planning;
mod power;
mod runs;
mod seeks;
mod settling_keys;
mod x_bounds;
mod y_table;

use std::sync::Arc;

use super::{Approach, Coordinates, Device, Extent, Interface, Passages, Service};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::error::{fault, Result};
use crate::layout::{self, Layout, Position};
use crate::media::{Geometry, SECTOR_BYTES};
use crate::params::{MemsParams, RowOrder, TipSupply, WriteStart};
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use access_plan::Plan;
pub use cantilevers::Cantilevers;
pub use erase::Erase;
pub(crate) use erasing::ErasingCounts;
pub use erasing::ErasingDevice;
pub(crate) use merged::Merged;
use motion::{Direction, Motion, SledPlace};
use noted_sweeps::NotedSweeps;
use power::Power;
use runs::{Run, Runs};
use x_bounds::LazyXBounds;

/// A MEMS device, in the state after its last request.
///
/// A clone is a separate device with the same parameters and the same state; it shares the tables of the original.
#[derive(Clone)]
pub struct Mems {
    params: MemsParams,
    geometry: Geometry,
    layout: Arc<dyn Layout>,
    motion: Arc<Motion>,
    x_bounds: Arc<LazyXBounds>,
    /// True if a scheduler can index requests by place; stored because each decision of a scheduler asks for it.
    has_approach: bool,
    interface: Interface,
    /// Place of the sled at the end of the last access.
    place: SledPlace,
    free_since: Time,
    power: Power,
    merged: Merged,
    /// Sweeps of the request that is being planned; kept to reuse their memory.
    noted: NotedSweeps,
}

impl Mems {
    /// Creates a device whose sled passes the centre upwards.
    ///
    /// # Errors
    /// The geometry is impossible; parameters that [`load`](crate::device::load()) has read are
    /// already checked.
    pub fn new(params: &MemsParams) -> Result<Self> {
        let geometry = Geometry::new(params)?;
        let motion = Motion::new(params, &geometry)?;
        let interface =
            Interface::new(params.overhead_ms * 1e-3, params.bus_mb_per_s * 1e6, geometry.block_bytes);
        let mut device = Self {
            layout: layout::build(params, &geometry)?.into(),
            place: motion.centre(),
            has_approach: false,
            motion: Arc::new(motion),
            x_bounds: Arc::default(),
            interface,
            geometry,
            params: params.clone(),
            free_since: Time::ZERO,
            power: Power::new(params)?,
            merged: Merged::default(),
            noted: NotedSweeps::default(),
        };
        device.has_approach = device.can_have_approach();
        Ok(device)
    }

    /// The parameters of the device.
    #[must_use]
    pub fn params(&self) -> &MemsParams {
        &self.params
    }

    /// Number of whole sectors of 512 bytes that a host can use.
    #[must_use]
    pub fn usable_sectors(&self) -> u64 {
        self.usable_blocks() * self.geometry.block_bytes / SECTOR_BYTES
    }

    /// Number of logical blocks that a host can use.
    fn usable_blocks(&self) -> u64 {
        self.params.usable_blocks(&self.geometry).expect("the parameters have been checked")
    }

    /// The geometry of the medium.
    #[must_use]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The place of block `lbn`.
    ///
    /// # Errors
    /// Block `lbn` is past the end of the device.
    pub fn locate(&self, lbn: u64) -> Result<Position> {
        if lbn < self.geometry.blocks() {
            return Ok(self.layout.locate(lbn));
        }
        fault(format!(
            "LBN {lbn} is past the end of {}: it has blocks 0 to {}",
            self.params.name,
            self.geometry.blocks() - 1
        ))
    }

    /// Seek time in x in seconds from displacement `x0_m` to `x1_m`, including settling; 0 if they are
    /// equal (000-F4).
    #[must_use]
    pub fn seek_x_s(&self, x0_m: f64, x1_m: f64) -> f64 {
        self.motion.seek_x_s(x0_m, x1_m)
    }

    /// Computes many seek times in x in seconds: `out[i]` for the seek from `x0_m[i]` to `x1_m[i]`.
    /// The slices have equal lengths.
    pub fn seeks_x_s(&self, x0_m: &[f64], x1_m: &[f64], out: &mut [f64]) {
        self.motion.seeks_x_s(x0_m, x1_m, out);
    }

    /// Seek time in y in seconds, including turnarounds, from displacement `y0_m` with direction `d0` (+1
    /// or -1) to displacement `y1_m` with direction `d1` (000-F5).
    #[must_use]
    pub fn seek_y_s(&self, y0_m: f64, d0: f64, y1_m: f64, d1: f64) -> f64 {
        self.motion.seek_y_s(y0_m, d0, y1_m, d1)
    }

    /// Time in seconds of a turnaround at displacement `y_m`, if the sled moves in direction `d` (+1 or -1)
    /// before it (000-D3).
    #[must_use]
    pub fn turnaround_s(&self, y_m: f64, d: f64) -> f64 {
        self.motion.turnaround_s(y_m, d)
    }

    /// The runs of a request. A run consists of consecutive rows of a track.
    fn all_runs(&self, request: &Request) -> Runs<'_> {
        Runs::new(&*self.layout, request, self.sweeps())
    }

    /// The runs of rows of a request, in the order of service; the first run ends early if the device
    /// splits writes like DiskSim.
    fn runs(&self, now: Time, request: &Request) -> Runs<'_> {
        self.cut(now, request, self.all_runs(request))
    }

    /// Ends the first run of rows early if the device splits writes like DiskSim.
    fn cut<'a>(&self, now: Time, request: &Request, runs: Runs<'a>) -> Runs<'a> {
        match self.blocks_at_once(now, request) {
            Some(blocks) => runs.cut_after(blocks),
            None => runs,
        }
    }

    /// Number of blocks of a write that have arrived at `now`, at least 1, after which DiskSim splits the
    /// write; None if this device or request is not split.
    #[inline]
    fn blocks_at_once(&self, now: Time, request: &Request) -> Option<u64> {
        let splits = request.op == Op::Write && self.params.write_start != WriteStart::Buffered;
        splits.then(|| self.interface.blocks_there(now, request).max(1))
    }

    /// True if the sled may access the rows of a request in the order in which it passes them.
    fn sweeps(&self) -> bool {
        self.params.row_order == RowOrder::Sweep
    }

    /// Time from the start of a service that follows `plan` until all rows have been accessed.
    fn until_done(&self, plan: &Plan) -> Span {
        plan.positioning + plan.hold + plan.switching + self.motion.rows(plan.rows)
    }

    /// Number of tip sectors that are read or written: of all tips of each block, or only of the tips with
    /// the wanted data. Tip sectors of blocks that are read before they are written count twice.
    fn tip_sectors(&self, request: &Request) -> u64 {
        let blocks = u64::from(request.blocks - request.skipped_blocks) + request.merged_blocks();
        let all = blocks * self.params.tips_per_block;
        match request.wanted_sectors {
            Some(wanted) if request.op == Op::Read && self.params.tip_supply == TipSupply::WantedTips => {
                let wanted_bytes = u64::from(wanted.get()) * SECTOR_BYTES;
                (wanted_bytes * self.params.tips_per_block).div_ceil(self.geometry.block_bytes).min(all)
            }
            _ => all,
        }
    }

    /// True if two blocks lie in the same row; `first` is the block with the lower number.
    pub(super) fn is_one_row(&self, first: u64, other: u64) -> bool {
        let (_, to_row_end) = self.layout.locate_row(first);
        other - first < to_row_end
    }

    /// Counts a write for which a wrapper of this device has read `rows` rows, because the write begins or
    /// ends inside a block.
    pub(super) fn count_merged(&mut self, write: &Request, rows: u64) {
        self.merged.add(write, rows);
    }

    /// Serves `request` from `now` on as planned in `plan`.
    fn serve_as(&mut self, now: Time, request: &Request, plan: &Plan) -> Service {
        let (seek_y, turnaround, turnarounds) = self.motion.y_parts(plan.start.y, plan.begin);
        let woken = self.wake(now);
        let mut service = Service {
            wait: woken.after,
            positioning: plan.positioning.saturating_sub(woken.after),
            seek_x: plan.x.seek,
            settle: plan.x.total.saturating_sub(plan.x.seek),
            seek_y,
            turnaround,
            turnarounds,
            hold: plan.hold,
            switching: plan.switching,
            switches: plan.switches,
            transfer: self.motion.rows(plan.rows),
            rows: plan.rows as u32,
            tip_sectors: self.tip_sectors(request),
            direction: plan.begin.direction.sign() as i8,
            ..Service::default()
        };
        service.energy = self.service_energy((now, request), &service, plan, woken.startup_j);
        self.merged.add(request, plan.rows_before);
        self.place = plan.end;
        self.free_since = now + service.total();
        service
    }
}

impl Device for Mems {
    fn blocks(&self) -> u64 {
        self.geometry.blocks()
    }

    fn block_bytes(&self) -> u64 {
        self.geometry.block_bytes
    }

    fn begin(&mut self, now: Time) {
        self.free_since = now;
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        let plan = self.plan(now, request);
        plan.positioning + plan.hold_before
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        self.until_done(&self.plan(now, request))
    }

    fn distance_m(&self, now: Time, request: &Request) -> f64 {
        let (start, _) = self.start(now);
        let row = Run::of_row(self.layout.locate(request.lbn), 1, request.op);
        let x_m = self.motion.cylinder_m(u64::from(row.cylinder)) - start.x_m;
        let ends = Direction::BOTH.map(|direction| self.motion.boundary_m(row.sweep(direction).0));
        let y_m = ends.map(|end_m| end_m - self.motion.y_m(start.y));
        y_m.iter().map(|y_m| (x_m * x_m + y_m * y_m).sqrt()).fold(f64::INFINITY, f64::min)
    }

    fn coordinates(&self, lbn: u64) -> Coordinates {
        let at = self.layout.locate(lbn);
        Coordinates {
            cylinder: at.cylinder,
            track: (u64::from(at.sled) * self.geometry.cylinders + u64::from(at.cylinder))
                * self.geometry.tracks_per_cylinder
                + u64::from(at.track),
            y_bits: self.geometry.row_middle_bits(u64::from(at.row)) as u32,
        }
    }

    fn extent(&self) -> Extent {
        Extent { cylinders: self.geometry.cylinders as u32, y_bits: self.geometry.region_bits_y as u32 }
    }

    fn approach(&self) -> Option<&dyn Approach> {
        self.has_approach.then_some(self)
    }

    fn accept(&mut self, now: Time, _request: &Request) -> Time {
        self.interface.accept(now)
    }

    fn admit(&mut self, now: Time, request: &mut Request) {
        self.interface.admit(now, request);
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        let plan =
            if self.delivers(request) { self.plan_delivery(now, request) } else { self.plan(now, request) };
        self.serve_as(now, request, &plan)
    }

    fn go_on(&mut self, _request: &Request, lasts: Span) -> ServiceEnergy {
        self.free_since = self.free_since + lasts;
        self.staying_energy(lasts)
    }

    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        if request.op == Op::Read {
            return self.serve(now, request);
        }
        let plan = self.plan_passages(now, request, passages);
        self.serve_as(now, request, &plan)
    }

    fn complete(&mut self, now: Time, request: &Request) -> Time {
        match request.op {
            Op::Read => self.interface.send(now),
            Op::Write => now,
        }
    }

    fn waited_for_bus(&self, request: &Request) -> Span {
        match request.op {
            Op::Read => self.interface.waited(),
            Op::Write => Span::ZERO,
        }
    }

    /// Completion time of a write, or of a read if the bus takes no time. Other reads return None, because
    /// a write may still get the bus before them.
    fn certain(&self, end: Time, request: &Request) -> Option<Time> {
        (request.op == Op::Write || self.interface.is_instant()).then_some(end)
    }

    fn location(&self) -> Vec<(&'static str, f64)> {
        self.motion.location(self.place)
    }

    fn idle_location(&self, now: Time) -> Vec<(&'static str, f64)> {
        self.motion.location(self.start(now).0)
    }

    fn lower_ends(&self) -> Vec<f64> {
        let half_um = |bits: u64| -0.5e6 * self.geometry.bits_m(bits as i64);
        vec![half_um(self.geometry.cylinders), half_um(self.geometry.region_bits_y)]
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        self.idle_time(lasts)
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        // If blocks have at most 512 bytes, no request writes a block only partly.
        if SECTOR_BYTES.is_multiple_of(self.geometry.block_bytes) {
            return Vec::new();
        }
        self.merged.rows()
    }
}
