//! What the parameters say of cache, overheads and bus, in the units of the model.

use super::mechanics::span;
use crate::params::{Delivered, DiskParams, ReadAhead, WatermarkOf};
use crate::request::Op;
use crate::time::Span;

/// Times of a write before whose data the drive lets go of the bus.
#[derive(Clone, Copy, Debug)]
pub struct EarlyDisconnect {
    pub command: Span,
    /// From there until the data come.
    pub to_data: Span,
    /// After the medium is done.
    pub second: Span,
}

/// An overhead after a read and after a write.
#[derive(Clone, Copy, Debug)]
pub struct After([Span; 2]);

impl After {
    pub fn of(self, last: Op) -> Span {
        self.0[usize::from(last == Op::Write)]
    }
}

/// Everything but layout and mechanics.
#[derive(Clone, Debug)]
pub struct Rules {
    pub has_cache: bool,
    pub segment_blocks: u64,
    pub read_ahead: ReadAhead,
    pub read_ahead_blocks: u64,
    pub delivered: Delivered,
    pub read_ahead_on_hit: bool,
    pub almost_hits: bool,
    pub whole_track_reads: bool,
    pub zero_latency_reads: bool,
    pub zero_latency_writes: bool,
    pub write_back: bool,
    pub read_hits_on_writes: bool,
    pub append_writes: bool,
    pub read_watermark: f64,
    pub watermark_of: WatermarkOf,
    pub command: Span,
    pub read_hit: After,
    pub read_miss: After,
    pub write_hit: After,
    pub write_miss: After,
    pub read_completion: Span,
    pub write_completion: Span,
    pub data_preparation: Span,
    /// Letting go of the bus and getting it back, if the medium is at work last.
    pub reconnection: Span,
    pub early_disconnect: Option<EarlyDisconnect>,
    pub bus_read: Span,
    pub bus_write: Span,
}

impl Rules {
    pub fn new(p: &DiskParams) -> Self {
        let early_disconnect = early_disconnect(p);
        let reconnection = match early_disconnect {
            Some(early) => early.second,
            None => span(p.write_disconnect_ms) + span(p.first_reselect_ms),
        };
        let after = |read_ms, write_ms| After([span(read_ms), span(write_ms)]);
        Self {
            has_cache: p.cache_segments > 0,
            segment_blocks: p.segment_blocks,
            read_ahead: p.read_ahead,
            read_ahead_blocks: p.read_ahead_blocks,
            delivered: p.delivered,
            read_ahead_on_hit: p.read_ahead_on_hit,
            almost_hits: p.almost_hits,
            whole_track_reads: p.whole_track_reads,
            zero_latency_reads: p.zero_latency_reads,
            zero_latency_writes: p.zero_latency_writes,
            write_back: p.write_back,
            read_hits_on_writes: p.read_hits_on_writes,
            append_writes: p.append_writes,
            read_watermark: p.read_watermark,
            watermark_of: p.watermark_of,
            command: span(p.command_ms),
            read_hit: after(p.read_hit_after_read_ms, p.read_hit_after_write_ms),
            read_miss: after(p.read_miss_after_read_ms, p.read_miss_after_write_ms),
            write_hit: after(p.write_hit_after_read_ms, p.write_hit_after_write_ms),
            write_miss: after(p.write_miss_after_read_ms, p.write_miss_after_write_ms),
            read_completion: span(p.read_completion_ms),
            write_completion: span(p.write_completion_ms),
            data_preparation: span(p.data_preparation_ms),
            reconnection: if p.disconnects { span(p.data_preparation_ms) + reconnection } else { Span::ZERO },
            early_disconnect,
            bus_read: span(p.bus_read_ms_per_block),
            bus_write: span(p.bus_write_ms_per_block),
        }
    }

    /// Blocks of a read that must have passed before the first is sent.
    pub fn watermark(&self, blocks: u64) -> u64 {
        let whole = match self.watermark_of {
            WatermarkOf::Request => blocks,
            WatermarkOf::Segment => self.segment_blocks,
        };
        ((self.read_watermark * whole as f64).ceil() as u64).clamp(1, blocks)
    }
}

fn early_disconnect(p: &DiskParams) -> Option<EarlyDisconnect> {
    Some(EarlyDisconnect {
        command: span(p.early_disconnect_command_ms?),
        to_data: span(p.early_disconnect_ms?) + span(p.early_disconnect_wait_ms?) + span(p.first_reselect_ms),
        second: span(p.second_disconnect_ms?) + span(p.second_reselect_ms?),
    })
}

/// So many blocks, so long each.
pub fn times(blocks: u64, each: Span) -> Span {
    Span(blocks * each.0)
}
