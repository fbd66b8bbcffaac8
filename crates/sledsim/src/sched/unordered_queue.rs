//! Requests in no order, for policies that examine every waiting request.

use super::WAITS;
use crate::request::Request;

#[derive(Clone, Default)]
pub(super) struct UnorderedQueue {
    queue: Vec<Request>,
}

impl UnorderedQueue {
    pub(super) fn push(&mut self, request: Request) {
        self.queue.push(request);
    }

    /// The request with the least cost; of several such requests, the one that arrived first.
    pub(super) fn least<C: PartialOrd>(&self, cost: impl Fn(&Request) -> C) -> Option<Request> {
        let each = self.queue.iter().map(|request| (cost(request), request.row, request));
        let least = each.reduce(|best, next| if (&next.0, next.1) < (&best.0, best.1) { next } else { best });
        least.map(|(_, _, request)| *request)
    }

    pub(super) fn take(&mut self, request: &Request) {
        let at = self.queue.iter().position(|waiting| waiting.row == request.row).expect(WAITS);
        self.queue.swap_remove(at);
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }
}
