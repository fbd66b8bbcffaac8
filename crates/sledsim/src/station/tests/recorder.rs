//! A device and a policy that record the calls they receive, for tests of stations.

use std::sync::{Arc, Mutex};

use super::super::*;
use crate::device::{Coordinates, Extent};
use crate::energy::{IdleTime, ServiceEnergy};
use crate::request::Op;
use crate::time::Span;

/// The recorded calls, in order.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }

    /// All calls recorded since the last read.
    pub(super) fn read(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// A device that needs 10 ns for a block and 3 J for a request; read data cross a bus in 5 ns; it draws 2 W
/// while idle.
#[derive(Clone)]
pub(super) struct Recorder {
    pub(super) log: Log,
    pub(super) overhead: Span,
    pub(super) depth: Option<usize>,
    /// The time before which the device starts no service.
    pub(super) ready: Time,
}

const NS_A_BLOCK: u64 = 10;
const BUS: Span = Span(5);
pub(super) const IDLE_W: f64 = 2.0;

impl Device for Recorder {
    fn blocks(&self) -> u64 {
        1000
    }

    fn block_bytes(&self) -> u64 {
        512
    }

    fn begin(&mut self, now: Time) {
        self.log.note(format!("begin {}", now.0));
    }

    fn positioning(&self, _now: Time, _request: &Request) -> Span {
        Span::ZERO
    }

    fn access(&self, _now: Time, request: &Request) -> Span {
        Span(NS_A_BLOCK * u64::from(request.blocks))
    }

    fn distance_m(&self, _now: Time, _request: &Request) -> f64 {
        0.0
    }

    fn coordinates(&self, _lbn: u64) -> Coordinates {
        Coordinates { cylinder: 0, track: 0, y_bits: 0 }
    }

    fn extent(&self) -> Extent {
        Extent { cylinders: 1, y_bits: 1 }
    }

    fn queue_depth(&self) -> Option<usize> {
        self.depth
    }

    fn may_stall(&self) -> bool {
        self.ready > Time::ZERO
    }

    fn ready_from(&self, now: Time) -> Time {
        now.max(self.ready)
    }

    fn accept(&mut self, now: Time, _request: &Request) -> Time {
        now + self.overhead
    }

    fn admit(&mut self, now: Time, request: &mut Request) {
        request.data_from = now;
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        self.log.note(format!("serve {} at {}", request.row, now.0));
        let energy = ServiceEnergy { tips_j: 3.0, ..ServiceEnergy::default() };
        Service { transfer: self.access(now, request), energy, ..Service::default() }
    }

    fn complete(&mut self, now: Time, request: &Request) -> Time {
        self.log.note(format!("complete {} at {}", request.row, now.0));
        if request.op == Op::Read {
            now + BUS
        } else {
            now
        }
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        self.log.note(format!("idle for {}", lasts.0));
        IdleTime::ready(lasts, IDLE_W)
    }
}

/// A policy that serves requests in the order of arrival.
#[derive(Clone)]
struct Queue {
    name: &'static str,
    log: Log,
    waiting: Vec<Request>,
}

impl Scheduler for Queue {
    fn push(&mut self, request: Request, _device: &dyn Device) {
        self.log.note(format!("{} gets {}", self.name, request.row));
        self.waiting.push(request);
    }

    fn choose(&self, _now: Time, _device: &dyn Device) -> Option<Request> {
        self.waiting.first().copied()
    }

    fn take(&mut self, request: &Request, _device: &dyn Device) {
        self.log.note(format!("{} loses {}", self.name, request.row));
        self.waiting.retain(|other| other.row != request.row);
    }

    fn served(&mut self, request: &Request, _device: &dyn Device) {
        self.log.note(format!("{} hears of {}", self.name, request.row));
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }
}

pub(super) fn queue(name: &'static str, log: &Log) -> Box<dyn Scheduler> {
    Box::new(Queue { name, log: log.clone(), waiting: Vec::new() })
}
