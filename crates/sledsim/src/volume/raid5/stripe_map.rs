//! Positions of data and parity on the devices of a RAID-5.

use std::ops::Range;

/// The left-symmetric layout. The parity of the first stripe is on the last device, and that of each further stripe one
/// device before. The data of a stripe start on the device behind its parity, so that sequential data visit all devices
/// in turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct StripeMap {
    pub(super) devices: u64,
    pub(super) unit: u64,
    /// Largest gap in sectors between two ranges to be read on a device, for which one part reads both ranges and the
    /// gap.
    pub(super) gap: u64,
}

/// Some consecutive sectors of one stripe unit with data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnitPart {
    pub(super) stripe: u64,
    /// Column of the unit: its index among the units of the stripe that hold data, counted from 0.
    pub(super) column: u64,
    /// First of these sectors, counted from the start of the unit.
    pub(super) from: u64,
    pub(super) sectors: u64,
}

impl StripeMap {
    /// Number of columns: units of a stripe that hold data.
    pub(super) fn columns(&self) -> u64 {
        self.devices - 1
    }

    pub(super) fn parity(&self, stripe: u64) -> u32 {
        (self.devices - 1 - stripe % self.devices) as u32
    }

    /// The device that holds the data of the column `column` in the stripe `stripe`.
    pub(super) fn device(&self, stripe: u64, column: u64) -> u32 {
        self.behind(self.parity(stripe), column)
    }

    /// The device that holds the data of the column `column` in a stripe whose parity is on the device `parity`.
    pub(super) fn behind(&self, parity: u32, column: u64) -> u32 {
        let device = u64::from(parity) + 1 + column;
        (if device < self.devices { device } else { device - self.devices }) as u32
    }

    /// The sectors from `sector` up to but excluding `end` that lie in the same stripe unit as `sector`.
    pub(super) fn piece(&self, sector: u64, end: u64) -> UnitPart {
        let (unit, from) = (sector / self.unit, sector % self.unit);
        let sectors = (self.unit - from).min(end - sector);
        UnitPart { stripe: unit / self.columns(), column: unit % self.columns(), from, sectors }
    }

    /// Splits a range of sectors of the volume at the borders of stripe units.
    pub(super) fn pieces(&self, range: Range<u64>) -> impl Iterator<Item = UnitPart> {
        let (layout, mut sector) = (*self, range.start);
        std::iter::from_fn(move || {
            let piece = (sector < range.end).then(|| layout.piece(sector, range.end))?;
            sector += piece.sectors;
            Some(piece)
        })
    }

    /// Converts the sectors `rows`, counted from the start of a stripe unit, to sectors counted from the start of its
    /// device.
    pub(super) fn below(&self, stripe: u64, rows: &Range<u64>) -> Range<u64> {
        stripe * self.unit + rows.start..stripe * self.unit + rows.end
    }

    /// The sectors of a device on which the piece `piece` lies.
    pub(super) fn rows_of(&self, piece: &UnitPart) -> Range<u64> {
        self.below(piece.stripe, &(piece.from..piece.from + piece.sectors))
    }

    /// The first sector of the volume that is in the column `column` of the stripe `stripe`.
    pub(super) fn start(&self, stripe: u64, column: u64) -> u64 {
        (stripe * self.columns() + column) * self.unit
    }

    /// Restricts `rows`, sectors of a column counted from the start of its unit, to those that hold the sectors `range`
    /// of the volume.
    pub(super) fn covered(
        &self,
        stripe: u64,
        column: u64,
        range: &Range<u64>,
        rows: &Range<u64>,
    ) -> Range<u64> {
        let start = self.start(stripe, column);
        let from = range.start.saturating_sub(start).clamp(rows.start, rows.end);
        let to = range.end.saturating_sub(start).clamp(rows.start, rows.end);
        from..to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_sector_has_a_place_of_its_own(devices in 3_u64..9, unit in 1_u64..9, stripes in 1_u64..20) {
            let layout = StripeMap { devices, unit, gap: 0 };
            let mut free = vec![vec![true; (stripes * unit) as usize]; devices as usize];
            for sector in 0..stripes * unit * layout.columns() {
                let piece = layout.piece(sector, u64::MAX);
                let device = layout.device(piece.stripe, piece.column);
                let place = &mut free[device as usize][(piece.stripe * unit + piece.from) as usize];
                prop_assert!(std::mem::take(place), "sector {}", sector);
                prop_assert_eq!(layout.start(piece.stripe, piece.column) + piece.from, sector);
                let covered =
                    layout.covered(piece.stripe, piece.column, &(sector..sector + 1), &(0..unit));
                prop_assert_eq!(covered, piece.from..piece.from + 1);
            }
            // The other sectors hold parity: one unit of each stripe.
            for stripe in 0..stripes {
                for row in stripe * unit..(stripe + 1) * unit {
                    let left: Vec<usize> = (0..free.len()).filter(|at| free[*at][row as usize]).collect();
                    prop_assert_eq!(left, vec![layout.parity(stripe) as usize]);
                }
            }
        }
    }

    #[test]
    fn it_is_left_symmetric() {
        // The table of md(4) for five devices: the parity is on device 4, then 3, and so on; the data begin
        // behind the parity.
        let layout = StripeMap { devices: 5, unit: 1, gap: 0 };
        let row = |stripe| (0..4).map(|column| layout.device(stripe, column)).collect::<Vec<_>>();
        assert_eq!((layout.parity(0), row(0)), (4, vec![0, 1, 2, 3]));
        assert_eq!((layout.parity(1), row(1)), (3, vec![4, 0, 1, 2]));
        assert_eq!((layout.parity(4), row(4)), (0, vec![1, 2, 3, 4]));
    }
}
