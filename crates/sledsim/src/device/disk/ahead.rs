//! Read-ahead: its beginning, its end, and reads of blocks that read-ahead is about to bring into the cache.

use super::cache::Segment;
use super::medium::Access;
use super::read_ahead::{ReadAheadStream, WholeTrack};
use super::{Disk, Fixed};
use crate::params::{Delivered, ReadAhead};
use crate::time::Time;

impl Disk {
    /// Continues the read-ahead after a read that hit segment `id` of the cache; restarts a finished
    /// read-ahead if the parameter `read_ahead_on_hit` allows this.
    pub(super) fn resume(&mut self, id: u64, now: Time, end: u64, is_sequential: bool) {
        let Some(segment) = self.cache.get(id).copied() else { return };
        let limit = self.limit(segment.first, end, is_sequential);
        if let Some(stream) = self.stream.as_mut().filter(|stream| stream.is_active()) {
            if stream.segment == id {
                stream.limit = stream.limit.max(limit);
            }
        } else if self.fixed.params.read_ahead_on_hit {
            self.read_ahead(id, now.max(self.free_at), limit);
        }
    }

    /// Times at which read-ahead will have read the first block and all blocks of a read, and the
    /// identifier of the segment into which it reads them; None if read-ahead does not bring these blocks.
    pub(super) fn arriving(&mut self, lbn: u64, end: u64, is_sequential: bool) -> Option<(Time, Time, u64)> {
        let Fixed { params, rules, .. } = &*self.fixed;
        // A drive with an internal queue lets read-ahead finish the sector with which a waiting
        // request begins.
        let is_next_hit = params.almost_hits || rules.acceptance.is_some();
        let (mut stream, segment) = self.on_its_way(lbn, end, is_next_hit)?;
        if let Some(whole) = stream.whole {
            let all = self.fixed.medium.passed_in_turn(whole.positioned, lbn, end);
            return Some((all, all, segment.id));
        }
        stream.limit = stream.limit.max(end);
        let first = stream.ready(lbn + 1, &self.fixed.medium);
        let all = stream.ready(end, &self.fixed.medium);
        stream.limit = stream.limit.max(self.limit(segment.first, end, is_sequential));
        self.stream = Some(stream);
        self.advance(all);
        self.deliver(segment.id, end);
        self.free_at = all;
        Some((first, all, segment.id))
    }

    /// The read-ahead in progress and the segment that it fills, if it brings the blocks from `lbn` to
    /// before `end`. Block `lbn` must already be in the segment or, if `is_next_hit`, may be the next one
    /// to be read.
    pub(super) fn on_its_way(
        &mut self,
        lbn: u64,
        end: u64,
        is_next_hit: bool,
    ) -> Option<(ReadAheadStream, Segment)> {
        let stream = self.stream.filter(ReadAheadStream::is_active)?;
        let segment = *self.cache.get(stream.segment)?;
        let reach = segment.end + u64::from(is_next_hit);
        let brings = match stream.whole {
            Some(whole) => whole.first <= lbn && end <= whole.end,
            None => (segment.first..reach).contains(&lbn) && lbn < stream.limit,
        };
        brings.then_some((stream, segment))
    }

    /// Starts read-ahead after a read from the medium. `access` has read the blocks before `end` into segment `id`.
    pub(super) fn follow(&mut self, id: u64, access: &Access, end: u64, is_sequential: bool) {
        let Some(segment) = self.cache.get(id).copied() else { return };
        let limit = self.limit(segment.first, end, is_sequential);
        let Fixed { params, medium, .. } = &*self.fixed;
        let is_adaptive = params.read_ahead == ReadAhead::Adaptive;
        if !(params.whole_track_reads || is_adaptive && is_sequential) {
            return self.read_ahead(id, access.last.end, limit);
        }
        let (track, positioned) = (medium.layout.track(end - 1), access.last.positioned);
        // A whole track is read ahead only if the segment has room for it beside the requested
        // blocks.
        if !is_adaptive && track.end - track.start.min(segment.first) > params.segment_blocks {
            return self.read_ahead(id, access.last.end, limit);
        }
        let done = access.last.end.max(positioned + medium.mechanics.turn());
        let whole = WholeTrack { first: track.start, end: track.end, positioned, done };
        self.stream = Some(ReadAheadStream::of_track(id, whole, limit, self.arm));
    }

    /// Starts read-ahead after the last block of segment `id`. The block before block `limit` is the last
    /// one to be read.
    fn read_ahead(&mut self, id: u64, now: Time, limit: u64) {
        let end = self.cache.get(id).map_or(limit, |segment| segment.end);
        self.stream = (limit > end).then(|| ReadAheadStream::new(id, end, limit, self.arm, now));
    }

    /// The block before which read-ahead stops, after a read whose blocks end before block `end`. The
    /// segment of the read begins at block `first`.
    fn limit(&self, first: u64, end: u64, is_sequential: bool) -> u64 {
        let (params, layout) = (&self.fixed.params, &self.fixed.medium.layout);
        let of_mode = match params.read_ahead {
            ReadAhead::None => return end,
            ReadAhead::Adaptive if !is_sequential => return end,
            ReadAhead::Adaptive => {
                let next = layout.track_end(end - 1);
                return if next < layout.mapped { layout.track_end(next) } else { next };
            }
            ReadAhead::ToTrackEnd => return self.to_track_end(first, end, is_sequential),
            ReadAhead::Track => layout.track_end(end - 1),
            ReadAhead::Cylinder => layout.cylinder(end - 1).end,
            ReadAhead::Segment => layout.mapped,
        };
        let of_segment = match params.delivered {
            Delivered::Keep => first + params.segment_blocks,
            Delivered::Reuse => end + params.segment_blocks,
            Delivered::Overwrite => u64::MAX,
        };
        (end + params.read_ahead_blocks).min(layout.mapped).min(of_mode).min(of_segment).max(end)
    }

    /// The block before which read-ahead stops in the mode "to-track-end": the end of the track that holds
    /// block `end`, the first block after the read. One more track is read if the read is sequential, or if
    /// the segment begins (at block `first`) on an earlier track.
    fn to_track_end(&self, first: u64, end: u64, is_sequential: bool) -> u64 {
        let layout = &self.fixed.medium.layout;
        if end >= layout.mapped {
            return end;
        }
        let track = layout.track(end);
        if track.end < layout.mapped && (is_sequential || first < track.start) {
            return layout.track_end(track.end);
        }
        track.end
    }
}
