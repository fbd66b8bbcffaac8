//! A flash card. It has no moving parts, so all blocks take the same time, except for work on erase blocks.
//!
//! The card serves one request at a time. After some time without requests it becomes inactive; the next
//! request wakes it up.

mod characteristics;
mod erase_blocks;
pub(super) mod kind;

use super::passages::note_in_turn;
use super::{Coordinates, Device, Extent, Passages, Service};
use crate::energy::{IdleEnergy, IdleTime, ServiceEnergy};
use crate::media::SECTOR_BYTES;
use crate::params::FlashParams;
use crate::request::{Op, Request};
use crate::time::{Span, Time};
use erase_blocks::{Closed, EraseBlocks};

/// A flash card in the state after its last request.
#[derive(Clone, Debug)]
pub struct Flash {
    params: FlashParams,
    read: Operation,
    write: Operation,
    /// The erase blocks and their states; None if the card writes without erasing.
    erase_blocks: Option<EraseBlocks>,
    inactive_after: Span,
    free_since: Time,
}

/// Latency, time per block and power of a read or a write.
#[derive(Clone, Copy, Debug)]
struct Operation {
    latency: Span,
    s_per_block: f64,
    power_w: f64,
}

impl Operation {
    fn new(latency_ms: f64, mb_per_s: f64, power_mw: f64) -> Self {
        Self {
            latency: Span::from_s(latency_ms * 1e-3),
            s_per_block: SECTOR_BYTES as f64 / (mb_per_s * 1e6),
            power_w: power_mw * 1e-3,
        }
    }

    fn transfer(&self, blocks: u32) -> Span {
        Span::from_s(f64::from(blocks) * self.s_per_block)
    }
}

impl Flash {
    /// Creates a card that is awake and has no open erase block.
    #[must_use]
    pub fn new(p: &FlashParams) -> Self {
        let size = p.erase_block_blocks();
        Self {
            read: Operation::new(p.read_latency_ms, p.read_mb_per_s, p.read_power_mw),
            write: Operation::new(p.write_latency_ms, p.write_mb_per_s, p.write_power_mw),
            erase_blocks: (size > 0).then(|| EraseBlocks::new(size, p.open_blocks)),
            inactive_after: Span::from_s(p.inactive_after_ms * 1e-3),
            params: p.clone(),
            free_since: Time::ZERO,
        }
    }

    /// The parameters of the card.
    #[must_use]
    pub fn params(&self) -> &FlashParams {
        &self.params
    }

    fn operation(&self, op: Op) -> &Operation {
        match op {
            Op::Read => &self.read,
            Op::Write => &self.write,
        }
    }

    /// Time until the card is awake, for a request that starts at `now`; zero if the card is awake already.
    fn waking(&self, now: Time) -> Span {
        if now.since(self.free_since) > self.inactive_after {
            return Span::from_s(self.params.wake_ms * 1e-3);
        }
        Span::ZERO
    }

    /// Time to close erase blocks, by copying and erasing as counted in `closed`. The card copies at the
    /// speed at which it reads and writes for a host.
    fn closing(&self, closed: Closed) -> Span {
        let copy_s = self.read.s_per_block + self.write.s_per_block;
        Span::from_s(f64::from(closed.blocks) * self.params.erase_ms * 1e-3 + closed.copied as f64 * copy_s)
    }

    /// Computes the service of a request that starts at `now`; `closed` counts the copying and erasing that
    /// it needs first.
    fn service(&self, now: Time, request: &Request, closed: Closed) -> Service {
        let operation = self.operation(request.op);
        let service = Service {
            command: operation.latency,
            wait: self.waking(now),
            switching: self.closing(closed),
            switches: closed.blocks,
            transfer: operation.transfer(request.blocks),
            ..Service::default()
        };
        let electronics_j = operation.power_w * service.total().as_s();
        Service { energy: ServiceEnergy { electronics_j, ..ServiceEnergy::default() }, ..service }
    }
}

/// Opens and closes erase blocks for the blocks of a request. Returns counts of the closed erase blocks.
fn make_room(erase_blocks: &mut Option<EraseBlocks>, request: &Request) -> Closed {
    match (erase_blocks, request.op) {
        (Some(blocks), Op::Write) => blocks.write(request.lbn, request.lbn + u64::from(request.blocks)),
        _ => Closed::default(),
    }
}

impl Device for Flash {
    fn blocks(&self) -> u64 {
        self.params.block_count
    }

    fn block_bytes(&self) -> u64 {
        SECTOR_BYTES
    }

    fn begin(&mut self, now: Time) {
        self.free_since = now;
    }

    fn positioning(&self, now: Time, request: &Request) -> Span {
        let room = match (&self.erase_blocks, request.op) {
            (Some(blocks), Op::Write) => self.closing(blocks.before_writing(request.lbn)),
            _ => Span::ZERO,
        };
        self.operation(request.op).latency + self.waking(now) + room
    }

    fn depends_on_place(&self) -> bool {
        self.erase_blocks.is_some()
    }

    fn access(&self, now: Time, request: &Request) -> Span {
        let closed = make_room(&mut self.erase_blocks.clone(), request);
        self.service(now, request, closed).total()
    }

    /// Returns distance 0, because nothing moves.
    fn distance_m(&self, _now: Time, _request: &Request) -> f64 {
        0.0
    }

    /// Returns the same coordinates for all blocks.
    fn coordinates(&self, _lbn: u64) -> Coordinates {
        Coordinates { cylinder: 0, track: 0, y_bits: 0 }
    }

    fn extent(&self) -> Extent {
        Extent { cylinders: 1, y_bits: 1 }
    }

    fn accept(&mut self, now: Time, _request: &Request) -> Time {
        now
    }

    fn serve(&mut self, now: Time, request: &Request) -> Service {
        let closed = make_room(&mut self.erase_blocks, request);
        let service = self.service(now, request, closed);
        self.free_since = now + service.total();
        service
    }

    fn go_on(&mut self, request: &Request, lasts: Span) -> ServiceEnergy {
        self.free_since = self.free_since + lasts;
        let electronics_j = self.operation(request.op).power_w * lasts.as_s();
        ServiceEnergy { electronics_j, ..ServiceEnergy::default() }
    }

    /// Serves a request. For a write, adds one passage for each block: blocks are written one after another
    /// at the end of the service, after copying and erasing.
    fn serve_noting(&mut self, now: Time, request: &Request, passages: &mut Passages) -> Service {
        let service = self.serve(now, request);
        if request.op == Op::Write {
            let from = now + service.total().saturating_sub(service.transfer);
            let blocks = request.lbn..request.lbn + u64::from(request.blocks);
            note_in_turn(passages, blocks, from, |blocks| self.write.transfer(blocks as u32));
        }
        service
    }

    fn complete(&mut self, now: Time, _request: &Request) -> Time {
        now
    }

    fn certain(&self, end: Time, _request: &Request) -> Option<Time> {
        Some(end)
    }

    fn idle(&self, lasts: Span) -> IdleTime {
        let at_rest = lasts.saturating_sub(self.inactive_after);
        let ready = lasts.saturating_sub(at_rest);
        let p = &self.params;
        let energy = IdleEnergy {
            idle_j: 1e-3 * p.idle_power_mw * ready.as_s(),
            inactive_j: 1e-3 * p.inactive_power_mw * at_rest.as_s(),
            shutdown_j: 0.0,
        };
        IdleTime { ready, at_rest, energy, ..IdleTime::default() }
    }
}
