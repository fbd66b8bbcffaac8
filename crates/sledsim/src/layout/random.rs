//! Random layout: a seed determines the places of all extents (001-F19).

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{needed, Layout, LayoutRow, MemsParams, Position, Streaming};
use crate::error::Result;
use crate::media::Geometry;
use crate::permutation::Permutation;

/// Entry for this layout in the table of layouts.
pub(super) const ROW: LayoutRow = LayoutRow::new(
    "random",
    "groups of consecutive blocks (extents) lie in random order",
    |params, geometry| Ok(Box::new(Random::new(params, geometry)?)),
)
.source("001-F19")
.keys(&["layout_seed", "layout_extent_blocks"]);

/// Layout with extents (groups of consecutive blocks) in random order. Within and between extents, places
/// follow one another as in [`Streaming`].
///
/// Blocks after the last whole extent keep their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random {
    streaming: Streaming,
    blocks: u64,
    extent_blocks: u64,
    extents: u64,
    order: Permutation,
}

impl Random {
    pub(super) fn new(params: &MemsParams, geometry: &Geometry) -> Result<Self> {
        let seed = needed(params, "layout_seed", params.layout_seed, 0..=i64::MAX as u64)?;
        let most = 1..=geometry.blocks();
        let extent_blocks = params.layout_extent_blocks.map(u64::from);
        let extent_blocks = needed(params, "layout_extent_blocks", extent_blocks, most)?;
        let extents = geometry.blocks() / extent_blocks;
        Ok(Self {
            streaming: Streaming::new(geometry),
            blocks: geometry.blocks(),
            extent_blocks,
            extents,
            order: Permutation::new(extents, &mut Pcg64::seed_from_u64(seed)),
        })
    }

    /// Moves the block `block` together with its extent; `to` maps the index of an extent to its new index.
    fn moved(&self, block: u64, to: impl Fn(u64) -> u64) -> u64 {
        let (extent, within) = (block / self.extent_blocks, block % self.extent_blocks);
        if extent == self.extents {
            return block;
        }
        to(extent) * self.extent_blocks + within
    }

    fn place(&self, lbn: u64) -> u64 {
        self.moved(lbn, |extent| self.order.of(extent))
    }
}

impl Layout for Random {
    fn locate(&self, lbn: u64) -> Position {
        self.streaming.locate(self.place(lbn))
    }

    fn lbn(&self, position: Position) -> u64 {
        self.moved(self.streaming.lbn(position), |extent| self.order.origin(extent))
    }

    fn locate_row(&self, lbn: u64) -> (Position, u64) {
        let place = self.place(lbn);
        let (position, to_row_end) = self.streaming.locate_row(place);
        let to_row_end = to_row_end.min(self.blocks - lbn);
        let mut together = self.extent_blocks - lbn % self.extent_blocks;
        // By chance, the next extent may also be next in place.
        while together < to_row_end && self.place(lbn + together) == place + together {
            together += self.extent_blocks;
        }
        (position, together.min(to_row_end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;

    fn random(seed: u64, extent_blocks: u32) -> (Random, u64) {
        let mut params = load_mems("osdi00");
        (params.layout_seed, params.layout_extent_blocks) = (Some(seed), Some(extent_blocks));
        let geometry = Geometry::new(&params).unwrap();
        (Random::new(&params, &geometry).unwrap(), geometry.blocks() / u64::from(extent_blocks))
    }

    #[test]
    fn extents_stay_together_and_lie_anywhere() {
        let (layout, extents) = random(1, 60);
        let mut distance = 0;
        for extent in 0..extents {
            let first = layout.place(extent * 60);
            assert_eq!(layout.place(extent * 60 + 59), first + 59);
            distance += layout.place((extent + 1) % extents * 60).abs_diff(first) / 60;
        }
        // Two random places are on average a third of the range apart, with a standard deviation of
        // sqrt(1/18) of the range. The mean of 56,250 pairs lies within 0.005 of this, which is
        // five standard errors.
        let mean = distance as f64 / extents as f64 / extents as f64;
        assert!((mean - 1.0 / 3.0).abs() < 0.005, "{mean}");
    }

    #[test]
    fn another_seed_is_another_order() {
        let ((one, extents), (other, _)) = (random(1, 60), random(2, 60));
        let alike = (0..extents).filter(|extent| one.place(extent * 60) == other.place(extent * 60)).count();
        // On average one extent has the same place in two random orders; more than 12 occur with a
        // probability below 1e-9.
        assert!(alike <= 12, "{alike}");
    }
}
