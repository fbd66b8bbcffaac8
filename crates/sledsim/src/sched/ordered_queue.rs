//! Requests in the order of their positions on a line.

use std::collections::BTreeMap;

use super::WAITS;
use crate::device::Device;
use crate::request::Request;

/// The line on which a policy measures distances: blocks, tracks or cylinders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Lbn,
    Cylinder,
    Track,
}

impl Line {
    /// The position of a block on the line.
    pub(super) fn place(self, lbn: u64, device: &dyn Device) -> u64 {
        match self {
            Self::Lbn => lbn,
            Self::Cylinder => u64::from(device.coordinates(lbn).cylinder),
            Self::Track => device.coordinates(lbn).track,
        }
    }

    /// Position of the device after a request: on a line of blocks, the block that follows its last block;
    /// otherwise the cylinder or track of its last block.
    pub(super) fn end(self, request: &Request, device: &dyn Device) -> u64 {
        let end = request.lbn + u64::from(request.blocks);
        if self == Self::Lbn {
            end
        } else {
            self.place(end - 1, device)
        }
    }

    /// Number of positions on the line.
    pub(super) fn length(self, device: &dyn Device) -> u64 {
        self.place(device.blocks() - 1, device) + 1
    }
}

/// A request, with its position on the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) place: u64,
    pub(super) request: Request,
}

/// Requests by position; several requests at one position are in the order of arrival.
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

    /// The nearest request at the position `place` or above.
    pub(super) fn from(&self, place: u64) -> Option<Placed> {
        let ((place, _), request) = self.queue.range((place, 0)..).next()?;
        Some(Placed { place: *place, request: *request })
    }

    /// The nearest request below the position `place`; of several requests at its position, the one that
    /// arrived first.
    pub(super) fn below(&self, place: u64) -> Option<Placed> {
        let ((nearest, _), _) = self.queue.range(..(place, 0)).next_back()?;
        self.from(*nearest)
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }
}
