//! Requests by operation, for devices without distances, such as flash: the oldest read or the oldest write
//! costs least.

use std::collections::BTreeMap;

use super::WAITS;
use crate::request::{Op, Request};

#[derive(Clone, Default)]
pub(super) struct OperationQueue {
    /// The reads and the writes that wait, each in the order of arrival.
    waiting: [BTreeMap<u32, Request>; 2],
}

impl OperationQueue {
    fn of(&mut self, op: Op) -> &mut BTreeMap<u32, Request> {
        &mut self.waiting[usize::from(op == Op::Write)]
    }

    pub(super) fn push(&mut self, request: Request) {
        self.of(request.op).insert(request.row, request);
    }

    /// The request with the least cost; of several such requests, the one that arrived first.
    pub(super) fn least(&self, cost: impl Fn(&Request) -> u64) -> Option<Request> {
        let oldest = self.waiting.iter().filter_map(|queue| queue.values().next());
        oldest.min_by_key(|request| (cost(request), request.row)).copied()
    }

    pub(super) fn take(&mut self, request: &Request) {
        self.of(request.op).remove(&request.row).expect(WAITS);
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.iter().map(BTreeMap::len).sum()
    }
}
