//! Zones of variable size (000-F22).

use super::least_cost::{SearchBy, SEARCH};
use super::zones::{self, Grid, Zoned};
use super::{OptionRow, Options, Scheduler, SchedulerRow};
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::Time;

/// Table row of the policy.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "pyramid",
    "zsptf on a grid that is coarse for short queues and fine for long queues",
    &|options, device| Ok(Box::new(Pyramid::new(options, device)?)),
)
.source("000-F22")
.options(&[OPTIONS]);

/// Cells in x and y of the coarse, the medium and the fine grid: each cell is four of the next (000-F22).
const GRIDS: [[u32; 2]; 3] = [[8, 1], [16, 2], [32, 4]];

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::whole(
        "medium_from",
        "400",
        [0, u64::MAX],
        "queue length from which the grid is 16x2 instead of 8x1",
    ),
    OptionRow::whole("fine_from", "1600", [0, u64::MAX], "queue length from which the grid is 32x4"),
    zones::PARITY.default("joined"),
    SEARCH,
];

/// ZSPTF on a grid that becomes finer as the queue grows: up to 16 zones are merged while few requests wait
/// (000-F22).
///
/// All three grids hold all waiting requests; the length of the queue selects the grid that decides.
#[derive(Clone)]
pub struct Pyramid {
    grids: [Zoned; 3],
    from: [usize; 2],
}

impl Pyramid {
    pub(super) fn new(options: &Options, device: &dyn Device) -> Result<Self> {
        let medium = options.whole("medium_from")?;
        let fine = options.whole("fine_from")?;
        if fine < medium {
            return Err(options
                .fault("fine_from", &format!("a number of requests of at least medium_from = {medium}")));
        }
        let split = options.is("parity", "split")?;
        let by = SearchBy::from_options(options)?;
        let grid = |cells| Zoned::of_grid(Grid::of_cells(cells, device.extent(), split), by, device);
        Ok(Self { grids: GRIDS.map(grid), from: [medium, fine].map(|requests| requests as usize) })
    }
}

impl Scheduler for Pyramid {
    fn push(&mut self, request: Request, device: &dyn Device) {
        self.grids.iter_mut().for_each(|grid| grid.push(request, device));
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let finer = self.from.iter().filter(|from| self.len() >= **from).count();
        self.grids[finer].choose(now, device)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.grids.iter_mut().for_each(|grid| grid.take(request, device));
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.grids.iter_mut().for_each(|grid| grid.served(request, device));
    }

    fn len(&self) -> usize {
        self.grids[0].len()
    }
}
