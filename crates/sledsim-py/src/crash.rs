//! The classes `CrashHistory` and `CrashImage`. They compute the contents that a served device may have after a
//! power failure.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::error::Error;
use sledsim_emulator::crash::{
    fates, last_cut, ranges_text, Candidate, Choice, CrashError, Image, Plan, Sampling,
};
use sledsim_emulator::history::{End, Event, History, HistoryError};

use crate::convert::{fault, Progress};
use crate::exceptions::ParameterError;
use crate::text::Text;

const IN_USE: &str = "the image is in use by another thread";

/// The recorded writes of a served device, from which possible contents after a power failure are derived.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct CrashHistory {
    history: Arc<History>,
    path: PathBuf,
}

/// An image file. It can be changed to any contents that a power failure could have left.
#[pyclass(frozen, module = "sledsim._native")]
pub(crate) struct CrashImage {
    history: Arc<History>,
    image: Mutex<Image>,
    path: PathBuf,
}

fn of_history(error: HistoryError) -> PyErr {
    match error {
        HistoryError::Io { path, source } => fault(Error::Io { path: path.display().to_string(), source }),
        other => ParameterError::new_err(other.to_string()),
    }
}

fn of_crash(error: CrashError, path: &std::path::Path) -> PyErr {
    match error {
        CrashError::Io(source) => fault(Error::Io { path: path.display().to_string(), source }),
        other => ParameterError::new_err(other.to_string()),
    }
}

#[pymethods]
impl CrashHistory {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let history = py.detach(|| History::open(&path)).map_err(of_history)?;
        Ok(Self { history: Arc::new(history), path })
    }

    /// Return the description of the history, with the number of its last cut and the reason for its end.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let History { about, writes, events, end, .. } = &*self.history;
        let all = PyDict::new(py);
        all.set_item("device", &about.device)?;
        all.set_item("bytes", about.bytes)?;
        all.set_item("cache", &about.cache)?;
        all.set_item("writes", writes.len())?;
        let flushes = events.iter().filter(|event| matches!(event, Event::Flushed { .. })).count();
        all.set_item("flushes", flushes)?;
        all.set_item("last_cut", last_cut(&self.history))?;
        let end = match end {
            End::Whole => "whole",
            End::CutOff => "cut off",
            End::Overrun => "overrun",
        };
        all.set_item("end", end)?;
        Ok(all)
    }

    /// Return the images that differ from each other, each as a cut (moment of the power failure) and a choice
    /// of the open writes that are kept, and the number of duplicates that were left out.
    #[allow(clippy::too_many_arguments)]
    fn plan(
        &self,
        py: Python<'_>,
        first: usize,
        last: usize,
        every: usize,
        samples: u64,
        unit: u64,
        seed: u64,
        torn: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<(usize, String)>, u64)> {
        let mut progress = Progress::new(py, progress)?;
        let sampling = Sampling { cuts: first..=last, every, samples, unit, seed, torn };
        let made = py.detach(|| {
            let observe = &mut |cut: usize| progress.report((cut - first) as u64);
            Plan::new(&self.history, &sampling, observe)
        });
        let made = made.map_err(|error| of_crash(error, &self.path))?;
        let Plan { candidates, equal } = progress.outcome(made.ok_or(Error::Interrupted))?;
        let named = candidates.into_iter().map(|Candidate { cut, choice }| (cut, choice.to_string()));
        Ok((named.collect(), equal))
    }

    /// Return the fate of each open write (sectors kept, lost or torn) in the image of the cut `cut` and the
    /// choice `choice`.
    fn fates<'py>(&self, py: Python<'py>, cut: usize, choice: Text) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let found = py.detach(|| fates(&self.history, cut, &choice));
        let found = found.map_err(|error| of_crash(error, &self.path))?;
        let told = |fate: &sledsim_emulator::crash::Fate| {
            let all = self.write(py, fate.number)?;
            all.set_item("is_answered", fate.is_answered)?;
            all.set_item("live", ranges_text(&fate.live))?;
            all.set_item("kept", ranges_text(&fate.kept))?;
            all.set_item("torn", ranges_text(&fate.torn))?;
            Ok(all)
        };
        found.iter().map(told).collect()
    }

    /// Return the write with the number `number`, counted from 1.
    fn write<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        let writes = &self.history.writes;
        let write = number.checked_sub(1).and_then(|at| writes.get(at)).ok_or_else(|| {
            ParameterError::new_err(format!(
                "write: expected a number from 1 to {}, found {number}",
                writes.len()
            ))
        })?;
        let all = PyDict::new(py);
        all.set_item("number", number)?;
        all.set_item("row", write.row)?;
        all.set_item("submitted_ns", write.submitted_ns)?;
        all.set_item("offset", write.offset)?;
        all.set_item("bytes", write.bytes)?;
        all.set_item("fua", write.fua)?;
        all.set_item("is_zeros", write.is_zeros())?;
        Ok(all)
    }

    /// Create an image file that has the contents of the device before the first write.
    fn image(&self, py: Python<'_>, path: PathBuf) -> PyResult<CrashImage> {
        let made = py.detach(|| Image::new(&self.history, &path));
        let image = Mutex::new(made.map_err(|error| of_crash(error, &path))?);
        Ok(CrashImage { history: Arc::clone(&self.history), image, path })
    }
}

#[pymethods]
impl CrashImage {
    /// Write the image of the cut `cut` and the choice `choice` of kept writes into a new file.
    fn write_to(&self, py: Python<'_>, cut: usize, choice: Text, path: PathBuf) -> PyResult<()> {
        let choice: Choice = choice.parse().map_err(|error| of_crash(error, &path))?;
        let mut locked = self.image.try_lock().map_err(|_| ParameterError::new_err(IN_USE))?;
        let image: &mut Image = &mut locked;
        py.detach(|| image.show(&self.history, cut, &choice)).map_err(|error| of_crash(error, &self.path))?;
        py.detach(|| image.copy_to(&path)).map_err(|error| of_crash(error, &path))
    }
}
