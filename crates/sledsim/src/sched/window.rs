//! A queue of limited length with a policy, and the rest waiting before it in the order of arrival.

use std::collections::VecDeque;

use super::Scheduler;
use crate::device::Device;
use crate::request::Request;
use crate::time::Time;

/// The policy sees so many requests at most, as a drive that orders its queue itself can hold no more; the others come in
/// as room is made.
pub struct Window {
    inside: Box<dyn Scheduler>,
    depth: usize,
    outside: VecDeque<Request>,
}

impl Window {
    /// A policy that sees `depth` requests at most.
    #[must_use]
    pub fn new(inside: Box<dyn Scheduler>, depth: usize) -> Self {
        Self { inside, depth, outside: VecDeque::new() }
    }
}

impl Scheduler for Window {
    fn push(&mut self, request: Request, device: &dyn Device) {
        if self.inside.len() < self.depth {
            self.inside.push(request, device);
        } else {
            self.outside.push_back(request);
        }
    }

    fn choose(&self, now: Time, device: &dyn Device) -> Option<Request> {
        self.inside.choose(now, device)
    }

    fn take(&mut self, request: &Request, device: &dyn Device) {
        self.inside.take(request, device);
        if let Some(next) = self.outside.pop_front() {
            self.inside.push(next, device);
        }
    }

    fn withdraw(&mut self, request: &Request, device: &dyn Device) {
        match self.outside.iter().position(|outside| outside.row == request.row) {
            Some(at) => drop(self.outside.remove(at)),
            None => self.take(request, device),
        }
    }

    fn served(&mut self, request: &Request, device: &dyn Device) {
        self.inside.served(request, device);
    }

    fn len(&self) -> usize {
        self.inside.len() + self.outside.len()
    }
}
