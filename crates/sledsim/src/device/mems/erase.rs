//! Parameters of media that must be erased before they are written again (001-F31).

use crate::error::{ensure, fault, Result};
use crate::media::{Geometry, SECTOR_BYTES};
use crate::params::{EraseManagement, Mechanism, MemsParams, COUNT};
use crate::time::Span;

/// Minimum number of erase blocks in the reserve of a log: one that the host writes, and one into which
/// cleaning copies.
const LEAST_RESERVE: u64 = 2;
/// Maximum number of erase blocks with a log, which stores a few bytes for each erase block and searches
/// all of them before it cleans one.
const MOST_ERASE_BLOCKS: u64 = 10_000_000;

/// Sizes, times and power of erasing a medium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Erase {
    /// Number of logical blocks in an erase block.
    pub blocks: u64,
    /// Time to erase an erase block.
    pub takes: Span,
    /// Maximum duration of erasing without a pause. After it, the device can serve a request before it
    /// erases further.
    pub slice: Span,
    /// Power of erasing, in watts.
    pub power_w: f64,
    /// Handling of writes: erasing in place, or a log of erased blocks.
    pub management: EraseManagement,
    /// Number of erase blocks in the reserve of the log; 0 without a log.
    pub reserve: u64,
}

impl MemsParams {
    /// Sizes, times and power of erasing; None if the medium needs no erasing.
    ///
    /// # Errors
    /// A key is missing or invalid; the message names the key.
    pub fn erase(&self) -> Result<Option<Erase>> {
        let Some(kib) = self.erase_block_kib else { return self.without_erasing() };
        let block_bytes = self.tips_per_block * self.sector_data_bytes;
        let bytes = kib.saturating_mul(1024);
        ensure!(
            (1..=1 << 30).contains(&kib) && bytes.is_multiple_of(block_bytes),
            "erase_block_kib = {kib}: expected one or more whole blocks of {block_bytes} bytes; omit the key on a medium without erasing"
        );
        let takes_ms = needed("erase_ms", self.erase_ms)?;
        let slice_ms = needed("erase_slice_ms", self.erase_slice_ms)?;
        ensure!(
            slice_ms > 0.0 && slice_ms <= takes_ms,
            "erase_slice_ms = {slice_ms}: expected more than 0 and at most erase_ms = {takes_ms} ms"
        );
        let Some(management) = self.erase_management else {
            return fault("erase_block_kib needs erase_management = in-place or log".into());
        };
        let reserve = match management {
            EraseManagement::InPlace => 0,
            EraseManagement::Log => self.erase_reserve_blocks.unwrap_or(0),
        };
        let erase = Erase {
            blocks: bytes / block_bytes,
            takes: Span::from_s(takes_ms * 1e-3),
            slice: Span::from_s(slice_ms * 1e-3),
            power_w: needed("erase_power_mw", self.erase_power_mw)? * 1e-3,
            management,
            reserve,
        };
        if self.mechanism == Mechanism::Cantilevers {
            return fault("erase_block_kib needs mechanism = sled".into());
        }
        Ok(Some(erase))
    }

    /// Number of logical blocks that a host can use: all blocks, except the reserve of a log.
    ///
    /// # Errors
    /// The reserve of the log is too small or leaves no block to the host, or the device has too many erase
    /// blocks for a log.
    pub fn usable_blocks(&self, geometry: &Geometry) -> Result<u64> {
        let all = geometry.blocks();
        let Some(Erase { blocks, management: EraseManagement::Log, reserve, .. }) = self.erase()? else {
            return Ok(all);
        };
        let erase_blocks = all / blocks;
        ensure!(
            erase_blocks <= MOST_ERASE_BLOCKS,
            "erase_block_kib = {}: the device has {erase_blocks} erase blocks, but erase_management = log allows at most {MOST_ERASE_BLOCKS}; make the erase blocks larger or the device smaller",
            self.erase_block_kib.unwrap_or(0)
        );
        if (LEAST_RESERVE..erase_blocks).contains(&reserve) {
            return Ok((erase_blocks - reserve) * blocks);
        }
        fault(format!(
            "erase_reserve_blocks = {reserve}: expected {LEAST_RESERVE} or more, and fewer than the {erase_blocks} \
             erase blocks of erase_block_kib = {} on the device",
            self.erase_block_kib.unwrap_or(0)
        ))
    }

    /// Minimum number of sleds with which a host can use `sectors` sectors of 512 bytes.
    ///
    /// # Errors
    /// The number of sleds would exceed its maximum, or the device would have too many blocks for block
    /// numbers or for the log.
    pub fn sleds_for(&self, sectors: u64) -> Result<u64> {
        let mut params = Self { sleds: Geometry::new(self)?.sleds_for(sectors).max(1), ..self.clone() };
        loop {
            let sleds = params.sleds;
            ensure!(sleds <= COUNT[1], "sleds = {sleds}: expected at most {}", COUNT[1]);
            let geometry = Geometry::new(&params)?;
            // The host cannot use the reserve of a log.
            if params.usable_blocks(&geometry)? * geometry.block_bytes / SECTOR_BYTES >= sectors {
                return Ok(sleds);
            }
            params.sleds += 1;
        }
    }

    /// Rejects keys of erasing on a device without `erase_block_kib`, whose medium needs no erasing.
    fn without_erasing<T>(&self) -> Result<Option<T>> {
        let given = [
            ("erase_ms", self.erase_ms.is_some()),
            ("erase_slice_ms", self.erase_slice_ms.is_some()),
            ("erase_power_mw", self.erase_power_mw.is_some()),
            ("erase_management", self.erase_management.is_some()),
            ("erase_reserve_blocks", self.erase_reserve_blocks.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(None),
            Some((key, _)) => fault(format!("{key} needs erase_block_kib, the size of an erase block")),
        }
    }
}

/// Returns the value of `key`, which a device with `erase_block_kib` must have; an error names the key.
fn needed(key: &str, value: Option<f64>) -> Result<f64> {
    value.map_or_else(|| fault(format!("erase_block_kib needs {key}")), Ok)
}
