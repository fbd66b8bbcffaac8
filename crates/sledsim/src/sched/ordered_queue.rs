//! Requests in the order of their places along a line.

use std::collections::BTreeMap;

use super::WAITS;
use crate::device::Device;
use crate::request::Request;

/// The line along which a policy measures distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Lbn,
    Cylinder,
    Track,
}

impl Line {
    /// The place of a block.
    pub(super) fn place(self, lbn: u64, device: &dyn Device) -> u64 {
        match self {
            Self::Lbn => lbn,
            Self::Cylinder => u64::from(device.coordinates(lbn).cylinder),
            Self::Track => device.coordinates(lbn).track,
        }
    }

    /// Place of the device after a request: behind its last block, or on the cylinder or track of that block.
    pub(super) fn end(self, request: &Request, device: &dyn Device) -> u64 {
        let end = request.lbn + u64::from(request.blocks);
        if self == Self::Lbn {
            end
        } else {
            self.place(end - 1, device)
        }
    }

    /// Number of places on the line.
    pub(super) fn length(self, device: &dyn Device) -> u64 {
        self.place(device.blocks() - 1, device) + 1
    }
}

/// A request and its place on the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) place: u64,
    pub(super) request: Request,
}

/// Requests by place; requests at one place are in the order of arrival.
#[derive(Clone)]
pub(super) struct OrderedQueue {
    pub(super) line: Line,
    queue: BTreeMap<(u64, u32), Request>,
}

impl OrderedQueue {
    pub(super) fn new(line: Line) -> Self {
        Self { line, queue: BTreeMap::new() }
    }

    pub(super) fn push(&mut self, request: Request, device: &dyn Device) {
        self.queue.insert((self.line.place(request.lbn, device), request.row), request);
    }

    pub(super) fn take(&mut self, request: &Request, device: &dyn Device) {
        self.queue.remove(&(self.line.place(request.lbn, device), request.row)).expect(WAITS);
    }

    /// The nearest request at `place` or above.
    pub(super) fn from(&self, place: u64) -> Option<Placed> {
        let ((place, _), request) = self.queue.range((place, 0)..).next()?;
        Some(Placed { place: *place, request: *request })
    }

    /// The nearest request below `place`; the earliest of several requests at that place.
    pub(super) fn below(&self, place: u64) -> Option<Placed> {
        let ((nearest, _), _) = self.queue.range(..(place, 0)).next_back()?;
        self.from(*nearest)
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }
}
