//! Policies that serve the request with the least cost, which depends on the time that the request would take.

use std::ops::Range;

use super::cost::Cost;
use super::cylinder_queue::CylinderQueue;
use super::index::Index;
use super::operation_queue::OperationQueue;
use super::unordered_queue::UnorderedQueue;
use super::{OptionRow, Options, Scheduler};
use crate::device::Device;
use crate::error::Result;
use crate::request::Request;
use crate::time::Time;

/// Serves the request with the least cost.
///
/// If the device has an [approach](Device::approach), an index by place finds the request, in a time that hardly grows
/// with the length of the queue. Disks, and devices without distances such as flash, have queues of their own. All
/// other devices, and the option search=linear, examine every waiting request. The chosen request is the same in each
/// case.
#[derive(Clone)]
pub(super) struct LeastCost<C> {
    cost: C,
    queue: Queue,
}

#[derive(Clone)]
enum Queue {
    Indexed(Index),
    ByCylinder(CylinderQueue),
    ByOperation(OperationQueue),
    UnorderedQueue(UnorderedQueue),
}

/// Method by which the policy finds the request with the least cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchBy {
    Index,
    Linear,
}

impl SearchBy {
    pub(super) fn from_options(options: &Options) -> Result<Self> {
        options.one_of(SEARCH.name, &[Self::Index, Self::Linear])
    }
}

pub(super) const SEARCH: OptionRow = OptionRow::one_of(
    "search",
    &["index", "linear"],
    "method of finding the best request: index: with an index by place (fast); linear: from the positioning time of every waiting request; both choose the same request",
);

impl<C: Cost> LeastCost<C> {
    /// Creates a queue in front of a device, for the requests that begin on `cylinders`.
    pub(super) fn new(cost: C, by: SearchBy, device: &dyn Device, cylinders: Range<u32>) -> Self {
        let queue = match device.approach() {
            Some(_) if by == SearchBy::Index => {
                Queue::Indexed(Index::new(cylinders.start, cylinders.end - cylinders.start))
            }
            _ if by == SearchBy::Index && !C::WHOLE && !C::AGES && device.seeks().is_some() => {
                Queue::ByCylinder(CylinderQueue::default())
            }
            _ if by == SearchBy::Index && !C::WHOLE && !device.depends_on_place() => {
                Queue::ByOperation(OperationQueue::default())
            }
            _ => Queue::UnorderedQueue(UnorderedQueue::default()),
        };
        Self { cost, queue }
    }

    /// Creates a queue in front of a device, for requests anywhere on the medium.
    pub(super) fn anywhere(cost: C, options: &Options, device: &dyn Device) -> Result<Box<dyn Scheduler>> {
        let cylinders = 0..device.extent().cylinders;
        Ok(Box::new(Self::new(cost, SearchBy::from_options(options)?, device, cylinders)))
    }
}

impl<C: Cost> Scheduler for LeastCost<C> {
    fn push(&mut self, request: Request, device: &dyn Device) {
        match &mut self.queue {
            Queue::Indexed(index) => index.push::<C>(request, device),
            Queue::ByCylinder(queue) => queue.push(request, device),
            Queue::ByOperation(queue) => queue.push(request),
            Queue::UnorderedQueue(list) => list.push(request),
        }
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        let cost = |request: &Request| self.cost.cost(C::time(now, device, request), request.arrival, now);
        match &self.queue {
            Queue::Indexed(index) => index.choose(&self.cost, now, device),
            Queue::ByCylinder(queue) => queue.least::<C>(now, device),
            Queue::ByOperation(queue) => queue.least(cost),
            Queue::UnorderedQueue(list) => list.least(cost),
        }
    }

    /// Chooses and removes a request in one step: the index removes the request where it has just found it.
    fn pop(&mut self, now: Time, device: &dyn Device) -> Option<Request> {
        if let Queue::Indexed(index) = &mut self.queue {
            return index.pop(&self.cost, now, device);
        }
        let chosen = self.choose(now, device)?;
        self.take(&chosen, device);
        Some(chosen)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        match &mut self.queue {
            Queue::Indexed(index) => index.take::<C>(request, device),
            Queue::ByCylinder(queue) => queue.take(request, device),
            Queue::ByOperation(queue) => queue.take(request),
            Queue::UnorderedQueue(list) => list.take(request),
        }
    }

    fn len(&self) -> usize {
        match &self.queue {
            Queue::Indexed(index) => index.len(),
            Queue::ByCylinder(queue) => queue.len(),
            Queue::ByOperation(queue) => queue.len(),
            Queue::UnorderedQueue(list) => list.len(),
        }
    }
}
