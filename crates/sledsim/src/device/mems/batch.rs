//! Table of positioning times for a batch of requests on a sled.

use super::motion::SledPlace;
use super::Mems;
use crate::device::hops::{Hop, Hops, BATCH_MAX};
use crate::device::mems::motion::{Direction, PlaceY};
use crate::error::{fault, Result};
use crate::request::Request;
use crate::time::Time;

impl Mems {
    /// Time at which the data of all writes of a batch have certainly crossed the bus, if the batch arrives
    /// at time zero.
    #[must_use]
    pub fn all_there(&self, requests: &[Request]) -> Time {
        let blocks = requests.iter().map(|request| u64::from(request.blocks)).sum();
        Time(2 * self.interface.transfer(blocks).0)
    }

    /// Computes the table of positioning times between the requests of a batch. The data of all writes are
    /// assumed to have crossed the bus.
    ///
    /// # Errors
    /// The batch is empty, too large for a table, or reaches past the end of the device.
    pub fn hops(&self, requests: &[Request]) -> Result<Hops> {
        self.check_batch(requests)?;
        let now = self.all_there(requests);
        let requests: Vec<Request> = requests.iter().map(Request::with_data).collect();
        let mut hops = Vec::with_capacity((2 * requests.len() + 1) * requests.len());
        let mut sled = self.clone();
        sled.free_since = now;
        let ends = requests.iter().flat_map(|request| self.ends(now, request));
        for place in ends.chain([self.place]) {
            sled.place = place;
            hops.extend(requests.iter().map(|request| sled.hop(now, request)));
        }
        Ok(Hops::new(requests.len(), hops))
    }

    fn check_batch(&self, requests: &[Request]) -> Result<()> {
        if requests.is_empty() || requests.len() > BATCH_MAX {
            return fault(format!(
                "number of requests in a batch: expected 1 to {BATCH_MAX}, found {}",
                requests.len()
            ));
        }
        for request in requests {
            self.locate(request.lbn + u64::from(request.blocks) - 1)?;
        }
        Ok(())
    }

    /// Places of the sled at the end of the access to a request: if its last rows are swept upwards, and if
    /// they are swept downwards.
    fn ends(&self, now: Time, request: &Request) -> [SledPlace; 2] {
        let last = self.runs(now, request).last().expect("a request has a block");
        let x_m = self.motion.cylinder_m(u64::from(last.cylinder));
        Direction::BOTH.map(|direction| SledPlace::at(x_m, last.sweep(direction).1))
    }

    fn hop(&self, now: Time, request: &Request) -> Hop {
        let plan = self.plan(now, request);
        let PlaceY::At(end) = plan.end.y else { unreachable!("an access ends at a row boundary") };
        Hop::new(plan.positioning, end.direction as usize)
    }
}
