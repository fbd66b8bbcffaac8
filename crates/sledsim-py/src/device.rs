//! The class `Device`: the parameters of a device, with methods that compute its motions and the places of
//! blocks.

use std::collections::BTreeMap;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::device::disk::Disk;
use sledsim::device::flash::Flash;
use sledsim::device::mems::Mems;
use sledsim::device::{load, DeviceSpec};
use sledsim::device::{Coordinates, Device as _, Figure};
use sledsim::error::Result;
use sledsim::media::SECTOR_BYTES;
use sledsim::params::{DeviceParams, PaperFigure, Provenance};

use crate::certainty::{certainties, rows, Row};
use crate::convert::fault;
use crate::exceptions::ParameterError;
use crate::parameters::{python_dict, toml_table};
use crate::raised::raised_by_python;
use crate::text::Text;

/// Number of seeks that are checked and computed together. The number is so small that their data stay in the
/// processor's cache.
const SEEKS_AT_ONCE: usize = 1024;

type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// A device: its parameters, and a model that computes its motions and the places of its blocks.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct Device {
    pub(crate) spec: DeviceSpec,
    model: Model,
}

/// The model of a device, by kind of device.
enum Model {
    Mems(Box<Mems>),
    Disk(Box<Disk>),
    Flash(Box<Flash>),
    /// A kind of device that user code has registered.
    Own(Box<dyn sledsim::device::Device>),
}

impl Model {
    fn new(spec: &DeviceSpec) -> Result<Self> {
        Ok(match spec.parameters() {
            DeviceParams::Mems(params) => Self::Mems(Box::new(Mems::new(params)?)),
            DeviceParams::Disk(params) => Self::Disk(Box::new(Disk::new(params)?)),
            DeviceParams::Flash(params) => Self::Flash(Box::new(Flash::new(params))),
            DeviceParams::Own(_) => Self::Own(spec.build(1)?.remove(0)),
        })
    }
}

impl Device {
    /// Return a device whose parameters `read` reads. The interpreter is not held meanwhile, because the other
    /// end of a pipe may be written by a thread that needs it.
    fn new(py: Python<'_>, read: impl FnOnce() -> Result<DeviceSpec> + Send) -> PyResult<Self> {
        let made = || {
            let spec = read()?;
            let model = Model::new(&spec)?;
            Ok(Self { spec, model })
        };
        py.detach(|| raised_by_python(made))?.map_err(fault)
    }

    /// Return the capacity in whole sectors of 512 bytes.
    pub(crate) fn capacity_sectors(&self) -> u64 {
        match &self.model {
            Model::Mems(mems) => mems.usable_sectors(),
            Model::Disk(disk) => disk.sectors(),
            Model::Flash(card) => card.sectors(),
            Model::Own(device) => device.sectors(),
        }
    }

    /// Return the model of a MEMS device. For other kinds of devices, raise an error with `what`, the name of
    /// the feature that needs a MEMS device.
    fn mems(&self, what: &str) -> PyResult<&Mems> {
        self.spec.parameters().as_mems(what).map_err(fault)?;
        match &self.model {
            Model::Mems(mems) => Ok(mems),
            _ => unreachable!("the model is that of a MEMS device if the parameters are"),
        }
    }

    /// Check the displacements `values_m` of the sled in metres, and directions of motion. Raise an error for a
    /// displacement outside the travel of the sled, or for a direction other than +1 and -1.
    fn check(mems: &Mems, name: &str, values_m: &[f64], stroke_nm: u64) -> PyResult<()> {
        let reach_m = stroke_nm as f64 * 0.5e-9;
        // Accept one bit beyond the stroke: DiskSim numbers bits from there.
        let bit_m = mems.params().bit_width_nm as f64 * 1e-9;
        let inside = |value: &f64| value.abs() <= reach_m + bit_m;
        // Count without an early exit, so that the compiler can vectorise the loop.
        if values_m.iter().filter(|value| inside(value)).count() == values_m.len() {
            return Ok(());
        }
        match values_m.iter().find(|value| !inside(value)) {
            None => Ok(()),
            Some(value) => Err(ParameterError::new_err(format!(
                "{name} = {value}: must lie within the travel of the sled, -{reach_m} to {reach_m} m"
            ))),
        }
    }

    fn check_y(mems: &Mems, values_m: &[f64], directions: &[i64]) -> PyResult<()> {
        Self::check(mems, "y_m", values_m, mems.params().stroke_y_nm)?;
        match directions.iter().find(|d| d.abs() != 1) {
            None => Ok(()),
            Some(d) => Err(ParameterError::new_err(format!("direction = {d}: must be +1 or -1"))),
        }
    }
}

#[pymethods]
impl Device {
    #[staticmethod]
    fn load(name_or_path: Text, overrides: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (py, overrides) = (overrides.py(), toml_table(overrides)?);
        Self::new(py, || load(&name_or_path, overrides))
    }

    #[staticmethod]
    fn from_parameters(parameters: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (py, parameters) = (parameters.py(), toml_table(parameters)?);
        Self::new(py, || DeviceSpec::from_parameters(parameters))
    }

    /// Restore a pickled device from its parameters, the sources of the parameters, the values that papers
    /// print, and the uncertainty of the parameters.
    #[staticmethod]
    fn restore(
        parameters: &Bound<'_, PyDict>,
        sources: BTreeMap<String, String>,
        paper: BTreeMap<String, (f64, String)>,
        certainty: BTreeMap<String, Row>,
    ) -> PyResult<Self> {
        let (py, parameters) = (parameters.py(), toml_table(parameters)?);
        let figure = |(name, (value, source))| (name, PaperFigure { value, source });
        let paper = paper.into_iter().map(figure).collect();
        Self::new(py, || {
            let mut spec = DeviceSpec::from_parameters(parameters)?;
            spec.said = Provenance { source: sources, certainty: certainties(certainty)? };
            spec.paper = paper;
            Ok(spec)
        })
    }

    fn with_parameters(&self, overrides: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (py, overrides) = (overrides.py(), toml_table(overrides)?);
        Self::new(py, || self.spec.with_overrides(overrides))
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.spec.parameters().kind()
    }

    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        python_dict(py, &self.spec.parameters().to_table())
    }

    fn sources(&self) -> BTreeMap<String, String> {
        self.spec.said.source.clone()
    }

    fn certainty(&self) -> BTreeMap<String, Row> {
        rows(&self.spec.said.certainty, &self.spec.parameters().to_table())
    }

    fn paper(&self) -> BTreeMap<String, (f64, String)> {
        let figure =
            |(name, figure): (&String, &PaperFigure)| (name.clone(), (figure.value, figure.source.clone()));
        self.spec.paper.iter().map(figure).collect()
    }

    fn characteristics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = |figures: Vec<(&'static str, Figure)>| {
            figures.into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()
        };
        let figures = || -> Vec<(String, Figure)> {
            match &self.model {
                Model::Mems(mems) => named(mems.characteristics()),
                Model::Disk(disk) => named(disk.characteristics()),
                Model::Flash(card) => named(card.characteristics()),
                Model::Own(device) => {
                    let bytes = Figure::Whole(device.sectors() * SECTOR_BYTES);
                    [("capacity_bytes".to_owned(), bytes)].into_iter().chain(device.figures()).collect()
                }
            }
        };
        let all = PyDict::new(py);
        for (name, figure) in py.detach(|| raised_by_python(figures))? {
            match figure {
                Figure::Whole(count) => all.set_item(name, count)?,
                Figure::Real(quantity) => all.set_item(name, quantity)?,
            }
        }
        Ok(all)
    }

    fn seek_x_s<'py>(
        &self,
        py: Python<'py>,
        x0_m: PyReadonlyArray1<'py, f64>,
        x1_m: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Array<'py, f64>> {
        let mems = self.mems("seek_x_s")?;
        let (x0_m, x1_m) = (x0_m.as_slice()?, x1_m.as_slice()?);
        // Memory from NumPy is faster to get for large arrays.
        let times_s = PyArray1::zeros(py, x0_m.len(), false);
        let mut out = times_s.readwrite();
        let parts = out.as_slice_mut()?.chunks_mut(SEEKS_AT_ONCE).zip(x0_m.chunks(SEEKS_AT_ONCE));
        raised_by_python(|| {
            for ((out, x0_m), x1_m) in parts.zip(x1_m.chunks(SEEKS_AT_ONCE)) {
                Self::check(mems, "x_m", x0_m, mems.params().stroke_x_nm)?;
                Self::check(mems, "x_m", x1_m, mems.params().stroke_x_nm)?;
                mems.seeks_x_s(x0_m, x1_m, out);
            }
            PyResult::Ok(())
        })??;
        Ok(times_s)
    }

    fn seek_y_s<'py>(
        &self,
        py: Python<'py>,
        y0_m: PyReadonlyArray1<'py, f64>,
        d0: PyReadonlyArray1<'py, i64>,
        y1_m: PyReadonlyArray1<'py, f64>,
        d1: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Array<'py, f64>> {
        let (y0_m, d0, y1_m, d1) = (y0_m.as_slice()?, d0.as_slice()?, y1_m.as_slice()?, d1.as_slice()?);
        let mems = self.mems("seek_y_s")?;
        Self::check_y(mems, y0_m, d0)?;
        Self::check_y(mems, y1_m, d1)?;
        let one = |at: usize| mems.seek_y_s(y0_m[at], d0[at] as f64, y1_m[at], d1[at] as f64);
        let times_s: Vec<f64> = raised_by_python(|| (0..y0_m.len()).map(one).collect())?;
        Ok(times_s.into_pyarray(py))
    }

    fn turnaround_s<'py>(
        &self,
        py: Python<'py>,
        y_m: PyReadonlyArray1<'py, f64>,
        d: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Array<'py, f64>> {
        let (y_m, d) = (y_m.as_slice()?, d.as_slice()?);
        let mems = self.mems("turnaround_s")?;
        Self::check_y(mems, y_m, d)?;
        let one = |(y, d): (&f64, &i64)| mems.turnaround_s(*y, *d as f64);
        let times_s: Vec<f64> = raised_by_python(|| y_m.iter().zip(d).map(one).collect())?;
        Ok(times_s.into_pyarray(py))
    }

    fn locate<'py>(&self, py: Python<'py>, lbn: PyReadonlyArray1<'py, i64>) -> PyResult<Bound<'py, PyDict>> {
        let mems = match &self.model {
            Model::Mems(mems) => mems,
            Model::Disk(disk) => return locate_on_disk(py, disk, lbn.as_slice()?),
            Model::Flash(card) => return locate_on_card(py, card, lbn.as_slice()?),
            Model::Own(device) => return locate_on_own(py, &**device, lbn.as_slice()?),
        };
        let geometry = mems.geometry();
        let mut places = Vec::new();
        for lbn in lbn.as_slice()? {
            let block = u64::try_from(*lbn).map_err(|_| {
                ParameterError::new_err(format!("LBN {lbn}: expected a number of at least 0"))
            })?;
            places.push(mems.locate(block).map_err(fault)?);
        }
        let column = |of: fn(&sledsim::layout::Position) -> u32| {
            places.iter().map(|at| i64::from(of(at))).collect::<Vec<i64>>().into_pyarray(py)
        };
        let metres = |of: &dyn Fn(&sledsim::layout::Position) -> i64| {
            places.iter().map(|at| geometry.bits_m(of(at))).collect::<Vec<f64>>().into_pyarray(py)
        };
        let all = PyDict::new(py);
        all.set_item("cylinder", column(|at| at.cylinder))?;
        all.set_item("track", column(|at| at.track))?;
        all.set_item("row", column(|at| at.row))?;
        all.set_item("slot", column(|at| at.slot))?;
        all.set_item("x_m", metres(&|at| geometry.x_bits(u64::from(at.cylinder))))?;
        all.set_item("y_m", metres(&|at| geometry.row_bits_from_centre(u64::from(at.row))))?;
        if geometry.sleds > 1 {
            all.set_item("sled", column(|at| at.sled))?;
        }
        Ok(all)
    }
}

fn locate_on_disk<'py>(py: Python<'py>, disk: &Disk, lbn: &[i64]) -> PyResult<Bound<'py, PyDict>> {
    let blocks = blocks_of(disk.blocks(), lbn)?;
    let places: Vec<_> = blocks.iter().map(|block| disk.layout().place(*block)).collect();
    let column = |of: fn(&sledsim::device::disk::BlockPlace) -> u32| {
        places.iter().map(|at| i64::from(of(at))).collect::<Vec<i64>>().into_pyarray(py)
    };
    let all = PyDict::new(py);
    all.set_item("cylinder", column(|at| at.track.cylinder))?;
    all.set_item("head", column(|at| at.track.head))?;
    all.set_item("slot", column(|at| at.slot))?;
    all.set_item("sectors_per_track", column(|at| at.sectors_per_track))?;
    Ok(all)
}

fn locate_on_card<'py>(py: Python<'py>, card: &Flash, lbn: &[i64]) -> PyResult<Bound<'py, PyDict>> {
    let size = card.params().erase_block_blocks();
    if size == 0 {
        return Err(ParameterError::new_err(
            "erase_block_kib = 0: expected a size above 0, because a card without erase blocks has no places of blocks",
        ));
    }
    let blocks = blocks_of(card.blocks(), lbn)?;
    let column = |of: &dyn Fn(u64) -> u64| {
        blocks.iter().map(|block| of(*block) as i64).collect::<Vec<i64>>().into_pyarray(py)
    };
    let all = PyDict::new(py);
    all.set_item("erase_block", column(&|block| block / size))?;
    all.set_item("slot", column(&|block| block % size))?;
    Ok(all)
}

fn locate_on_own<'py>(
    py: Python<'py>,
    device: &dyn sledsim::device::Device,
    lbn: &[i64],
) -> PyResult<Bound<'py, PyDict>> {
    let blocks = blocks_of(device.blocks(), lbn)?;
    let places: Vec<_> =
        raised_by_python(|| blocks.iter().map(|block| device.coordinates(*block)).collect())?;
    let column = |of: fn(&Coordinates) -> i64| places.iter().map(of).collect::<Vec<i64>>().into_pyarray(py);
    let all = PyDict::new(py);
    all.set_item("cylinder", column(|at| i64::from(at.cylinder)))?;
    all.set_item("track", column(|at| at.track as i64))?;
    all.set_item("y", column(|at| i64::from(at.y_bits)))?;
    Ok(all)
}

/// Convert logical block numbers to unsigned numbers, and raise an error for a number that is not on a device
/// of `count` blocks.
fn blocks_of(count: u64, lbn: &[i64]) -> PyResult<Vec<u64>> {
    let on_device = |lbn: &i64| {
        let block = u64::try_from(*lbn).ok().filter(|block| *block < count);
        block.ok_or_else(|| {
            ParameterError::new_err(format!("LBN {lbn}: expected a number from 0 to {}", count - 1))
        })
    };
    lbn.iter().map(on_device).collect()
}
