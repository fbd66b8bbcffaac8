//! Runs on one device that serves requests in the order of arrival. Such a run calls no policy, and at most three of
//! its events are pending.
//!
//! Every event has the same time and order as in a run with a [queue](super::alone). If the caller need not inspect the
//! run before its end, neither a heap of events nor a queue is needed.

use std::collections::VecDeque;

use super::host::Host;
use super::jobs::device_bit;
use super::machine::Server;
use super::outcome::{DeviceOutcome, Outcome};
use crate::device::Device;
use crate::energy::IdleTime;
use crate::request::{Durable, Request};
use crate::station::Account;
use crate::time::Time;
use crate::volume::Single;
use crate::workload::Arrival;

/// Sort key of an event: its time in the high 64 bits, and a sequence number in the low ones. Of two events at the same
/// time, the one created first comes first.
type Key = u128;
/// The key of an event that is not pending.
const NEVER: Key = Key::MAX;

/// A device, with its requests in the order of arrival.
pub(super) struct InOrder {
    device: Box<dyn Device>,
    account: Account,
    block_bytes: u64,
    /// Requests at the device that wait for service. The first `ready` of them have a key with the time at which their
    /// command was processed; the keys of the others are not yet set.
    accepted: VecDeque<(Key, Request)>,
    ready: usize,
    serving: Request,
    /// Key of the end of the service in progress; [`NEVER`] without a service.
    finish: Key,
    /// Requests that the medium has finished and whose last data still cross the bus, in the order of completion: the
    /// key of the completion, and the number of the request.
    leaving: VecDeque<(Key, u32)>,
    in_system: u32,
    sequence: u64,
    host: Host,
}

impl InOrder {
    /// Creates a run on an idle device.
    pub fn new((device, account): (Box<dyn Device>, Account), host: Host) -> Self {
        Self {
            block_bytes: device.block_bytes(),
            device,
            account,
            accepted: VecDeque::new(),
            ready: 0,
            serving: Request::default(),
            finish: NEVER,
            leaving: VecDeque::new(),
            in_system: 0,
            sequence: 0,
            host,
        }
    }

    /// Returns the sort key of a new event at `time`.
    #[inline]
    fn key(&mut self, time: Time) -> Key {
        self.sequence += 1;
        Key::from(time.0) << 64 | Key::from(self.sequence)
    }

    /// Starts the next service if the device is free and a command has been processed.
    #[inline]
    fn dispatch(&mut self, now: Time) {
        if self.finish != NEVER || self.ready == 0 {
            return;
        }
        (_, self.serving) = self.accepted.pop_front().expect("the first `ready` requests wait");
        self.ready -= 1;
        self.account.pass_idle(now, &*self.device, IdleTime::until_request);
        let service = if self.serving.is_flush() {
            self.device.flush(now, &self.serving)
        } else {
            self.device.serve(now, &self.serving)
        };
        let end = self.account.serve(now, &self.serving, &service);
        self.host.serve(self.serving.row, now, &service, &service.energy);
        self.finish = self.key(end);
    }

    #[inline]
    fn finish(&mut self, now: Time) {
        self.finish = NEVER;
        let row = self.serving.row;
        let completion = self.device.complete(now, &self.serving);
        self.account.finish(&self.serving, completion);
        self.host.record.complete(row, now, completion, 1, device_bit(0));
        if completion == now {
            self.leave(now, row);
        } else {
            let key = self.key(completion);
            let before = self.leaving.iter().rev().take_while(|(other, _)| *other > key).count();
            self.leaving.insert(self.leaving.len() - before, (key, row));
        }
        self.dispatch(now);
    }

    /// Takes a flush, which goes before all requests except earlier flushes.
    #[cold]
    fn flush(&mut self, row: u32, now: Time) {
        if !self.device.has_write_cache() {
            self.in_system -= 1;
            return self.host.complete_at_once(row, now);
        }
        let flushes = self.accepted.iter().take_while(|(_, request)| request.is_flush()).count();
        self.accepted.insert(flushes, (NEVER, Request::flush(row, now)));
        self.ready += 1;
        self.dispatch(now);
    }

    #[inline]
    fn leave(&mut self, now: Time, row: u32) {
        self.in_system -= 1;
        self.host.complete(row, now);
    }
}

impl Server for InOrder {
    fn host(&self) -> &Host {
        &self.host
    }

    fn host_mut(&mut self) -> &mut Host {
        &mut self.host
    }

    fn begin(&mut self, now: Time) {
        self.account.begin(now);
        self.device.begin(now);
    }

    #[inline(always)]
    fn arrive(&mut self, arrival: &Arrival) {
        let now = arrival.time;
        let row = self.host.arrive(arrival, self.in_system);
        self.in_system += 1;
        if arrival.durable == Durable::Earlier {
            return self.flush(row, now);
        }
        let placed = Single::place(&arrival.request, self.block_bytes);
        let mut request = placed.request(row, arrival.op, arrival.metadata, now);
        request.durable = arrival.durable;
        let ready = self.device.accept(now, &request);
        self.host.record.accept(row, ready - now);
        if ready > now {
            let key = self.key(ready);
            return self.accepted.push_back((key, request));
        }
        debug_assert_eq!(
            self.ready,
            self.accepted.len(),
            "the commands of all waiting requests must have been processed"
        );
        self.device.admit(now, &mut request);
        self.accepted.push_back((NEVER, request));
        self.ready += 1;
        self.dispatch(now);
    }

    #[inline(always)]
    fn step(&mut self, limit: Time) -> Option<Time> {
        let ready = self.accepted.get(self.ready).map_or(NEVER, |(key, _)| *key);
        let leave = self.leaving.front().map_or(NEVER, |(key, _)| *key);
        let next = ready.min(self.finish).min(leave);
        let now = Time((next >> 64) as u64);
        if next == NEVER || now > limit {
            return None;
        }
        if next == self.finish {
            self.finish(now);
        } else if next == ready {
            let (_, request) = &mut self.accepted[self.ready];
            self.device.admit(now, request);
            self.ready += 1;
            self.dispatch(now);
        } else if let Some((_, row)) = self.leaving.pop_front() {
            self.leave(now, row);
        }
        Some(now)
    }

    fn outcome(mut self) -> Outcome {
        let (record, totals) = self.host.into_record();
        self.account.pass_idle(totals.end, &*self.device, |idle| idle);
        let device = DeviceOutcome {
            name: "device".to_owned(),
            totals: self.account.totals,
            over_time: self.account.over_time,
            counts: self.device.counts(),
        };
        Outcome {
            devices: vec![device],
            volumes: Vec::new(),
            record,
            totals,
            background_energy_j: 0.0,
            journal: None,
        }
    }
}
