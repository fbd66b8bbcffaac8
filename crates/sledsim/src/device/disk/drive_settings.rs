//! Settings of a drive's cache and bus, converted from the parameters to the units of the model.

use super::destage_settings::DestageSettings;
use super::mechanics::span;
use super::overheads::Overheads;
use crate::params::{DiskParams, Queue, WatermarkOf};
use crate::time::{Span, Time};

/// All settings of a drive that are computed from the parameters, except its layout and its mechanics.
#[derive(Clone, Debug)]
pub struct DriveSettings {
    /// Overheads of commands that the drive processes when it starts to serve a request.
    pub service: Overheads,
    /// Overheads of commands that the drive processes when a request arrives; None unless requests wait in
    /// the drive.
    pub acceptance: Option<Overheads>,
    pub read_completion: Span,
    pub write_completion: Span,
    pub flush: Span,
    /// Settings of the destage; `None` if the drive writes at once.
    pub destage: Option<DestageSettings>,
    pub data_preparation: Span,
    /// Time to leave the bus and to get it back; added to a write that is on the medium only after its data
    /// have crossed the bus.
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
            flush: span(p.flush_fixed_ms.unwrap_or(0.0)),
            destage: DestageSettings::new(p),
            data_preparation: span(p.data_preparation_ms),
            reconnection: if p.disconnects { span(p.data_preparation_ms) + reconnection } else { Span::ZERO },
            bus_read: span(p.bus_read_ms_per_block),
            bus_write: span(p.bus_write_ms_per_block),
        }
    }

    /// Time at which all data of a write of `blocks` blocks have crossed the bus, which is free from `bus` on.
    pub fn written_to_cache(&self, bus: Time, blocks: u64) -> Time {
        bus + self.data_preparation + times(blocks, self.bus_write)
    }
}

impl DiskParams {
    /// Number of blocks that must be in the buffer before the first block of a read is sent to the host;
    /// the read has `blocks` blocks.
    pub(super) fn watermark(&self, blocks: u64) -> u64 {
        let whole = match self.watermark_of {
            WatermarkOf::Request => blocks,
            WatermarkOf::Segment => self.segment_blocks,
        };
        ((self.read_watermark * whole as f64).ceil() as u64).clamp(1, blocks)
    }
}

/// Total time of `blocks` blocks that take the time `each` one after another.
pub fn times(blocks: u64, each: Span) -> Span {
    Span(blocks * each.0)
}
