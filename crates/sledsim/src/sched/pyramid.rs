//! ZSPTF on a grid whose zones become smaller as the queue grows (000-F22).

use super::least_cost::{SearchBy, SEARCH};
use super::zones::{self, Grid, Zoned};
use super::{OptionRow, Options, Scheduler, SchedulerRow};
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::Time;

/// Entry of the policy `pyramid` in the table of policies.
pub(super) const ROW: SchedulerRow = SchedulerRow::new(
    "pyramid",
    "zsptf with zones that are large for short queues and small for long queues",
    &|options, device| Ok(Box::new(Pyramid::new(options, device)?)),
)
.source("000-F22")
.options(&[OPTIONS]);

/// Numbers of cells in x and in y of the coarse, the medium and the fine grid (000-F22). A cell of a grid is as large
/// as four cells of the next finer grid.
const GRIDS: [[u32; 2]; 3] = [[8, 1], [16, 2], [32, 4]];

pub(super) const OPTIONS: &[OptionRow] = &[
    OptionRow::whole(
        "medium_from",
        "400",
        [0, u64::MAX],
        "number of waiting requests from which the grid has 16x2 cells; with fewer requests, 8x1 cells",
    ),
    OptionRow::whole(
        "fine_from",
        "1600",
        [0, u64::MAX],
        "number of waiting requests from which the grid has 32x4 cells",
    ),
    zones::PARITY.default("joined"),
    SEARCH,
];

/// ZSPTF on one of three grids; the more requests wait, the finer the grid. With few waiting requests, a zone is as
/// large as 16 zones of the fine grid (000-F22).
///
/// Each of the three grids holds all waiting requests. The number of these requests determines the grid that chooses
/// the next request.
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
            return Err(options.fault("fine_from", &format!("a number from medium_from = {medium} on")));
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
