//! Policies that serve the medium zone by zone (000-F10..F15).

mod grid;

use std::ops::Range;

use self::grid::places;
use super::bits::Bits;
use super::fcfs::Fcfs;
use super::least_cost::{LeastCost, SearchBy, SEARCH};
use super::sptf::Sptf;
use super::{OptionRow, Options, Scheduler, SchedulerRow};
use crate::device::{Device, Extent};
use crate::error::Result;
use crate::request::Request;
use crate::time::Time;

pub(super) const FCFS: SchedulerRow =
    SchedulerRow::new("zfcfs", "zone by zone, first come, first served within a zone", &|options, device| {
        Zoned::boxed(options, device, &|_, _| Box::new(Fcfs::default()), Visit::Open)
    })
    .source("000-F12")
    .options(&[FCFS_OPTIONS]);

pub(super) const SPTF: SchedulerRow = SchedulerRow::new(
    "zsptf",
    "zone by zone, shortest positioning time first within a zone",
    &|options, device| Zoned::boxed(options, device, &sptf(SearchBy::from_options(options)?), Visit::Open),
)
.source("000-F10")
.options(&[SPTF_OPTIONS]);

pub(super) const ARRIVED: SchedulerRow = SchedulerRow::new(
    "ztsptf",
    "zsptf, but a visit to a zone serves only requests that waited when the visit began",
    &|options, device| {
        let visit = Visit::Closed { aside: Vec::new(), over: true };
        Zoned::boxed(options, device, &sptf(SearchBy::from_options(options)?), visit)
    },
)
.source("000-F11")
.options(&[SPTF_OPTIONS]);
pub(super) use grid::Grid;

/// Largest number of zones, each of which has its own queue.
const ZONES_MAX: u64 = 10_000;

/// Size of the zones with which 000 compares other policies: cylinders x bits in y (000-F15).
const ZONE_OF_000: [u32; 2] = [120, 1200];

/// Builds the queue of one zone, for requests on the cylinders of the given range.
type BuildZone = dyn Fn(&dyn Device, Range<u32>) -> Box<dyn Scheduler>;

const ZONE: OptionRow = OptionRow::size(
    "zone",
    "auto",
    "size of a zone: cylinders x bits in y; auto: 120x1200, or the whole medium if that is smaller", // 000-F15
)
.or("auto");

pub(super) const PARITY: OptionRow = OptionRow::one_of(
    "parity",
    &["split", "joined"],
    "split: the even and the odd cylinders of a cell are separate zones; joined: they are one zone",
);

const ORDER: OptionRow = OptionRow::text(
    "order",
    "figure-3",
    "figure-3, or the numbers of all zones, each once, joined by dashes",
    "order in which the zones are visited: figure-3: as in Figure 3 of paper 000, down over the even cylinders of a column of zones and up over the odd cylinders; or the numbers of all zones, joined by dashes", // 000-F14
);

pub(super) const FCFS_OPTIONS: &[OptionRow] = &[ZONE, PARITY, ORDER];
pub(super) const SPTF_OPTIONS: &[OptionRow] = &[ZONE, PARITY, ORDER, SEARCH];

/// Visits the zones in a fixed cyclic order, and skips zones without requests. The device stays in a zone
/// until no request waits there; within the zone another policy chooses (000-F10, D14).
///
/// With FCFS in the zones the policy is ZFCFS (000-F12), with SPTF it is ZSPTF (000-F10). ZTSPTF is ZSPTF
/// whose visits serve only the requests that waited when the visit began (000-F11).
#[derive(Clone)]
pub(super) struct Zoned {
    grid: Grid,
    /// The queue of each zone, indexed by the number of the zone.
    queues: Vec<Box<dyn Scheduler>>,
    /// The zones in the order of visits (000-F13).
    order: Vec<u32>,
    /// The place of each zone in the order of visits.
    places: Vec<u32>,
    /// Places in the order of visits whose zones have requests that may be served.
    occupied: Bits,
    /// Place in the order of visits of the zone that is being visited.
    current: u32,
    visit: Visit,
    len: usize,
}

/// The rule that determines the requests that a visit serves.
#[derive(Clone)]
enum Visit {
    /// A visit serves all requests that wait in the zone.
    Open,
    /// A visit serves the requests that waited when it began. `aside` holds the later arrivals, which wait for the next
    /// visit; `over` is true if the visit has ended.
    Closed { aside: Vec<Request>, over: bool },
}

impl Zoned {
    fn boxed(
        options: &Options,
        device: &dyn Device,
        build: &BuildZone,
        visit: Visit,
    ) -> Result<Box<dyn Scheduler>> {
        let (extent, split) = (device.extent(), options.is("parity", "split")?);
        let size = size(options, extent, split)?;
        let grid = Grid::of_size(size, extent, split);
        let order = order(options, &grid)?;
        Ok(Box::new(Self::new(grid, order, device, build, visit)))
    }

    /// Creates a policy that visits the zones of `grid` in the order of Figure 3 of paper 000, with SPTF within each
    /// zone.
    pub(super) fn of_grid(grid: Grid, by: SearchBy, device: &dyn Device) -> Self {
        let order = grid.figure_3();
        Self::new(grid, order, device, &sptf(by), Visit::Open)
    }

    fn new(grid: Grid, order: Vec<u32>, device: &dyn Device, build: &BuildZone, visit: Visit) -> Self {
        let mut places = vec![0; order.len()];
        for (place, zone) in (0..).zip(&order) {
            places[*zone as usize] = place;
        }
        Self {
            queues: (0..order.len() as u32).map(|zone| build(device, grid.cylinders(zone))).collect(),
            occupied: Bits::new(order.len()),
            grid,
            // A finished visit puts all other zones first, so that the first request served is one of the first zone.
            current: if matches!(visit, Visit::Closed { .. }) { order.len() as u32 - 1 } else { 0 },
            order,
            places,
            visit,
            len: 0,
        }
    }

    fn zone(&self, request: &Request, device: &dyn Device) -> u32 {
        self.grid.zone(&device.coordinates(request.lbn))
    }

    fn queue_at(&self, place: u32) -> &dyn Scheduler {
        &*self.queues[self.order[place as usize] as usize]
    }

    fn put(&mut self, zone: u32, request: Request, device: &dyn Device) {
        self.occupied.insert(self.places[zone as usize] as usize);
        self.queues[zone as usize].push(request, device);
    }

    /// Starts a visit to the zone of `request`, which is now served, unless this zone is already being visited.
    fn visit(&mut self, request: &Request, device: &dyn Device) {
        let place = self.places[self.zone(request, device) as usize];
        if place != self.current {
            self.end_visit(device);
            self.current = place;
        }
        if let Visit::Closed { over, .. } = &mut self.visit {
            *over = false;
        }
    }

    /// Ends the visit. Requests that arrived during the visit enter the queue of the zone, to be served in the next
    /// visit.
    fn end_visit(&mut self, device: &dyn Device) {
        if let Visit::Closed { aside, over } = &mut self.visit {
            *over = true;
            let zone = self.order[self.current as usize];
            for request in std::mem::take(aside) {
                self.put(zone, request, device);
            }
        }
    }

    /// Removes a request from `aside`, the requests that wait for the next visit. Returns true if it was there.
    fn take_aside(&mut self, request: &Request) -> bool {
        let Visit::Closed { aside, .. } = &mut self.visit else { return false };
        let at = aside.iter().position(|waiting| waiting.row == request.row);
        at.map(|at| aside.remove(at)).is_some()
    }
}

fn sptf(by: SearchBy) -> impl Fn(&dyn Device, Range<u32>) -> Box<dyn Scheduler> {
    move |device, cylinders| Box::new(LeastCost::new(Sptf {}, by, device, cylinders))
}

/// Reads the size of the zones from the options; the size must suit the medium.
fn size(options: &Options, extent: Extent, split: bool) -> Result<[u32; 2]> {
    let whole = places(extent);
    if options.text(ZONE.name) == ZONE.default {
        return Ok([0, 1].map(|axis| ZONE_OF_000[axis].min(whole[axis])));
    }
    let expected = format!(
        "auto, or cylinders x bits in y such as 120x1200, from 1x1 to {}x{} on this device, with at most {ZONES_MAX} \
         zones",
        whole[0], whole[1]
    );
    let size = options.size(ZONE.name, &expected)?;
    let fits = [0, 1].iter().all(|axis| (1..=whole[*axis]).contains(&size[*axis]));
    if fits && Grid::of_size(size, extent, split).zones() <= ZONES_MAX {
        return Ok(size);
    }
    Err(options.fault(ZONE.name, &expected))
}

/// Reads the order of the zones from the options; it must contain each zone once.
fn order(options: &Options, grid: &Grid) -> Result<Vec<u32>> {
    if options.text("order") == "figure-3" {
        return Ok(grid.figure_3());
    }
    let order: Option<Vec<u32>> = options.text("order").split('-').map(|zone| zone.parse().ok()).collect();
    let order = order.filter(|order| {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.iter().map(|zone| u64::from(*zone)).eq(0..grid.zones())
    });
    let last = grid.zones() - 1;
    let expected = format!("figure-3, or the numbers from 0 to {last}, each once, joined by dashes");
    order.ok_or_else(|| options.fault("order", &expected))
}

impl Scheduler for Zoned {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.len += 1;
        let zone = self.zone(&request, device);
        match &mut self.visit {
            Visit::Closed { aside, over: false } if self.order[self.current as usize] == zone => {
                aside.push(request);
            }
            _ => self.put(zone, request, device),
        }
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let over = matches!(self.visit, Visit::Closed { over: true, .. });
        let stays = !over && !self.queue_at(self.current).is_empty();
        let place = if stays {
            self.current as usize
        } else {
            let onwards = self.occupied.from(self.current as usize + 1);
            onwards.or_else(|| self.occupied.from(0))?
        };
        self.queue_at(place as u32).choose(now, device)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.len -= 1;
        if self.take_aside(request) {
            return;
        }
        self.visit(request, device);
        let zone = self.zone(request, device) as usize;
        self.queues[zone].take(request, device);
        if self.queues[zone].is_empty() {
            self.occupied.remove(self.current as usize);
            self.end_visit(device);
        }
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.visit(request, device);
        if self.queue_at(self.current).is_empty() {
            self.end_visit(device);
        }
    }

    fn len(&self) -> usize {
        self.len
    }
}
