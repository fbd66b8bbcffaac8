//! The class `TipCode`, and the function `tip_placement`, which places the tips of active groups.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use sledsim::faults::{Array, BlockCheck, Detection, Placement};

use crate::convert::fault;
use crate::exceptions::ParameterError;
use crate::text::Text;

/// The error-correcting code that spreads a block over tips.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct TipCode {
    code: sledsim::faults::TipCode,
}

/// Result of decoding a block: the data (None if they are lost), the numbers of tips that were treated as
/// missing, and the numbers of tips whose data were wrong.
type Decoded = (Option<Vec<u8>>, Vec<usize>, Vec<usize>);

#[pymethods]
impl TipCode {
    #[new]
    fn new(
        data_tips: u64,
        check_tips: u64,
        sector_bytes: u64,
        detection: Text,
        block_check: Text,
    ) -> PyResult<Self> {
        let detection = Detection::try_from(detection.to_owned()).map_err(fault)?;
        let block_check = BlockCheck::try_from(block_check.to_owned()).map_err(fault)?;
        let code = sledsim::faults::TipCode::new(data_tips, check_tips, sector_bytes, detection, block_check);
        Ok(Self { code: code.map_err(fault)? })
    }

    /// Return the number of tips, the number of bytes of a block, and the number of bytes of a tip sector.
    fn shape(&self) -> (usize, usize, usize) {
        (self.code.tips(), self.code.block_bytes(), self.code.stored_bytes())
    }

    fn correctable(&self) -> Vec<(usize, usize)> {
        self.code.correctable()
    }

    fn encode(&self, data: Vec<u8>) -> PyResult<Vec<Vec<u8>>> {
        if data.len() != self.code.block_bytes() {
            return Err(ParameterError::new_err(format!(
                "data: expected {} bytes, the size of a block, found {}",
                self.code.block_bytes(),
                data.len()
            )));
        }
        Ok(self.code.encode(&data))
    }

    fn decode(&self, sectors: Vec<Option<Vec<u8>>>) -> PyResult<Decoded> {
        let (tips, stored) = (self.code.tips(), self.code.stored_bytes());
        let is_whole = sectors.iter().flatten().all(|sector| sector.len() == stored);
        if sectors.len() != tips || !is_whole {
            return Err(ParameterError::new_err(format!(
                "sectors: expected {tips} tip sectors, each None or {stored} bytes, found {}",
                sectors.len()
            )));
        }
        let decoded = self.code.decode(&sectors);
        Ok((decoded.data, decoded.erased, decoded.wrong))
    }

    /// Decode random patterns of failed tips. Return the number of patterns tried, and the number of patterns
    /// whose data were recovered, lost, and silently wrong.
    fn trial(
        &self,
        py: Python<'_>,
        missing: usize,
        wrong: usize,
        patterns: u64,
        seed: u64,
    ) -> PyResult<(u64, u64, u64, u64)> {
        let trial = py.detach(|| self.code.trial(missing, wrong, patterns, seed)).map_err(fault)?;
        Ok((trial.patterns, trial.recovered, trial.lost, trial.silent))
    }
}

#[pyfunction]
pub(crate) fn detections() -> Vec<(&'static str, &'static str)> {
    Detection::ALL.to_vec()
}

#[pyfunction]
pub(crate) fn block_checks() -> Vec<(&'static str, &'static str)> {
    BlockCheck::ALL.to_vec()
}

/// Placement of tips: the minimum distance between tips of a group, an upper bound of this distance, the size
/// of the largest defect (in tips) that does no harm, and the tips of all groups.
type Placed<'py> = (f64, f64, u32, Bound<'py, PyArray1<u32>>);

#[pyfunction]
pub(crate) fn tip_placement(
    py: Python<'_>,
    groups: u32,
    tips_per_group: u32,
    others: u32,
    columns: u32,
    is_spread: bool,
) -> PyResult<Placed<'_>> {
    let array = Array { groups, tips_per_group, others, columns };
    let made = || if is_spread { Placement::spread(array) } else { Placement::adjacent(array) };
    let placement = py.detach(made).map_err(fault)?;
    let tips: Vec<u32> = (0..groups).flat_map(|group| placement.group(group).to_vec()).collect();
    let harmless = placement.harmless_defect_tips();
    Ok((placement.distance(), placement.distance_bound(), harmless, tips.into_pyarray(py)))
}
