//! Settings of cache and bus, computed from the parameters in the units of the model.

use super::mechanics::span;
use super::overheads::Overheads;
use crate::params::{DiskParams, Queue, WatermarkOf};
use crate::time::Span;

/// Settings computed from the parameters, except layout and mechanics.
#[derive(Clone, Debug)]
pub struct DriveSettings {
    /// Command processing that starts once the drive is free for the request.
    pub service: Overheads,
    /// Command processing on the arrival of a request; None unless requests wait in the drive.
    pub acceptance: Option<Overheads>,
    pub read_completion: Span,
    pub write_completion: Span,
    pub data_preparation: Span,
    /// Time to leave the bus and get it back, added to a write if the medium is done after the bus.
    pub reconnection: Span,
    pub bus_read: Span,
    pub bus_write: Span,
}

impl DriveSettings {
    pub fn new(p: &DiskParams) -> Self {
        let overheads = Overheads::new(p);
        let (service, acceptance) = match p.queue {
            Some(Queue::Drive) => (Overheads::default(), Some(overheads.without_disconnect())),
            Some(Queue::Host) | None => (overheads, None),
        };
        let reconnection = match service.early_disconnect {
            Some(early) => early.second,
            None => span(p.write_disconnect_ms) + span(p.first_reselect_ms),
        };
        Self {
            service,
            acceptance,
            read_completion: span(p.read_completion_ms),
            write_completion: span(p.write_completion_ms),
            data_preparation: span(p.data_preparation_ms),
            reconnection: if p.disconnects { span(p.data_preparation_ms) + reconnection } else { Span::ZERO },
            bus_read: span(p.bus_read_ms_per_block),
            bus_write: span(p.bus_write_ms_per_block),
        }
    }
}

impl DiskParams {
    /// Number of blocks of a read of `blocks` blocks that must have passed before the first one is
    /// sent to the host.
    pub(super) fn watermark(&self, blocks: u64) -> u64 {
        let whole = match self.watermark_of {
            WatermarkOf::Request => blocks,
            WatermarkOf::Segment => self.segment_blocks,
        };
        ((self.read_watermark * whole as f64).ceil() as u64).clamp(1, blocks)
    }
}

/// Duration of `blocks` blocks if each takes the time `each`.
pub fn times(blocks: u64, each: Span) -> Span {
    Span(blocks * each.0)
}
