//! Reads and writes through a log, on a medium that must be erased before it is written.

use super::block_map::Run;
use super::log::{Cleaning, Log, Writer, COPIED_BLOCKS};
use super::{on_medium, ErasingDevice};
use crate::device::mems::Mems;
use crate::device::{Device, Passage, Passages, Service};
use crate::request::{Op, Partial, Request};
use crate::time::{Span, Time};

/// Reads the blocks of a request from the places at which the log stores them.
fn read_runs(sled: &mut Mems, log: &Log, now: Time, request: &Request) -> Service {
    let (mut lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
    let mut whole: Option<Service> = None;
    while lbn < end {
        let run = log.map.run(lbn, (end - lbn) as u32);
        let part = on_medium(request, run, (lbn - request.lbn) as u32);
        Service::follow(&mut whole, now, |at| sled.serve(at, &part));
        lbn += u64::from(run.blocks);
    }
    whole.expect("a request has a block")
}

impl ErasingDevice {
    fn log(&mut self) -> &mut Log {
        self.log.as_mut().expect("only a device with a log calls this")
    }

    /// Time to read the blocks of a request from the places at which the log stores them.
    pub(super) fn reading_mapped(&self, now: Time, request: &Request) -> Span {
        let log = self.log.as_ref().expect("only a device with a log calls this");
        read_runs(&mut self.device.clone(), log, now, request).total()
    }

    /// Reads the blocks of a request from the places at which the log stores them.
    pub(super) fn read_mapped(&mut self, now: Time, request: &Request) -> Service {
        let log = self.log.as_ref().expect("only a device with a log calls this");
        read_runs(&mut self.device, log, now, request)
    }

    /// Serves a write by writing its blocks to the end of the log. Blocks that the request covers only
    /// partly are read first. While the log has no room, erase blocks are cleaned.
    pub(super) fn append(&mut self, now: Time, request: &Request) -> Service {
        let (mut lbn, end) = (request.lbn, request.lbn + u64::from(request.blocks));
        let mut places: Vec<u64> = request.merged().map(|block| self.log().map.place(block)).collect();
        places.sort_unstable();
        let ends = places.first().zip(places.last());
        let mut whole = ends.map(|(first, last)| {
            self.read_parts(now, [*first..first + 1, *last.max(&(first + 1))..last + 1])
        });
        self.device.count_merged(request, whole.map_or(0, |read| read.rows.into()));
        let request = &Request { partial: Partial::default(), ..*request };
        let mut is_full = false;
        while lbn < end {
            Service::follow(&mut whole, now, |at| match self.log().room((end - lbn) as u32, Writer::Host) {
                Some(run) => {
                    let part = on_medium(request, run, (lbn - request.lbn) as u32);
                    self.log().put(lbn, run);
                    let service = self.write_to_log(at, &part, lbn);
                    lbn += u64::from(run.blocks);
                    service
                }
                None => {
                    is_full = true;
                    self.clean(at, true).expect("a full log has an erase block to clean")
                }
            });
        }
        self.counts.cleaned_before_writes += u64::from(is_full);
        whole.expect("a request has a block")
    }

    /// Writes to the log a part of a request that begins at block `lbn` of the host. The old contents lie
    /// at another place, so a power failure loses none of them.
    fn write_to_log(&mut self, now: Time, part: &Request, lbn: u64) -> Service {
        let Some(passages) = &mut self.passages else { return self.device.serve(now, part) };
        let mut rows = Passages::default();
        let service = self.device.serve_noting(now, part, &mut rows);
        let host = |block: u64| lbn + (block - part.lbn);
        passages.extend(rows.into_iter().map(|Passage { blocks, until, .. }| Passage {
            blocks: host(blocks.start)..host(blocks.end),
            from: until,
            until,
        }));
        service
    }

    /// Performs one step of cleaning from `now` on: copies some blocks, or erases for one slice of time. If
    /// `urgent`, erases to the end. Returns None if no erase block is worth cleaning.
    pub(super) fn clean(&mut self, now: Time, urgent: bool) -> Option<Service> {
        let log = self.log.as_mut()?;
        if log.cleaning.is_none() {
            let erase_block = log.victim(urgent)?;
            let from = erase_block * log.erase_block;
            log.cleaning = Some(Cleaning::Copying { erase_block, from });
        }
        match log.cleaning? {
            Cleaning::Copying { erase_block, from } => self.copy(now, erase_block, from).or_else(|| {
                let left = self.erase.takes;
                Some(self.erase(now, erase_block, left, urgent))
            }),
            Cleaning::Erasing { erase_block, left } => Some(self.erase(now, erase_block, left, urgent)),
        }
    }

    /// Erases `erase_block` from `now` on: for one slice of the remaining time `left`, or to the end if `urgent`.
    fn erase(&mut self, now: Time, erase_block: u64, left: Span, urgent: bool) -> Service {
        let step = if urgent { left } else { left.min(self.erase.slice) };
        let left = left.saturating_sub(step);
        let is_erased = left == Span::ZERO;
        let log = self.log();
        log.cleaning = (!is_erased).then_some(Cleaning::Erasing { erase_block, left });
        if is_erased {
            log.erased.push_back(erase_block);
            log.is_erased[erase_block as usize] = true;
            self.counts.erased_blocks += 1;
        }
        self.erasing(now, step)
    }

    /// Copies the next valid blocks of `erase_block`, from place `from` on, to another erase block. Returns
    /// None if no valid block remains.
    fn copy(&mut self, now: Time, erase_block: u64, from: u64) -> Option<Service> {
        let log = self.log();
        let end = (erase_block + 1) * log.erase_block;
        let place = (from..end).find(|place| log.map.owner(*place).is_some())?;
        let most = end.min(place + u64::from(COPIED_BLOCKS));
        let in_use = (place..most).take_while(|place| log.map.owner(*place).is_some()).count() as u32;
        let to = log.room(in_use, Writer::Cleaning).expect("one erased block is kept for cleaning");
        for block in 0..u64::from(to.blocks) {
            let owner = log.map.owner(place + block).expect("the copied block is in use");
            log.map.put(owner, to.place + block);
        }
        log.cleaning = Some(Cleaning::Copying { erase_block, from: place + u64::from(to.blocks) });
        self.counts.copied_blocks += u64::from(to.blocks);
        let mut service = self.access(now, Op::Read, Run { place, blocks: to.blocks });
        let written = self.access(now + service.total(), Op::Write, to);
        service.append(&written);
        Some(service)
    }
}
