//! Simulation of a trace that arrives in batches, and drawing of workloads in batches.

use std::collections::HashMap;
use std::sync::mpsc::{sync_channel, Receiver};
use std::sync::Mutex;
use std::thread;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use sledsim::error::{Error, Result};
use sledsim::record::{names, select, Record, Selection};
use sledsim::simulation::{Simulation, Sink};
use sledsim::system::System;
use sledsim::trace::Trace;
use sledsim::volume::Noted;
use sledsim::workload::{Batch, Generator, PastEnd, Streamed};

use crate::convert::{fault, Progress};
use crate::raised::keep;
use crate::run::{columns, Run};
use crate::text::Text;
use crate::trace;
use crate::volume::Target;

/// Number of batches that are drawn in advance.
const AHEAD: usize = 2;

type Arrays<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i32>,
    PyReadonlyArray1<'py, u8>,
    PyReadonlyArray1<'py, bool>,
    PyReadonlyArray1<'py, i32>,
);

/// Note (metadata) that a volume has written to a member: number of the member, number of the sector, words,
/// and true if the sealed sectors are unchanged.
pub(crate) type Note = (u32, u64, Vec<u64>, bool);

/// Simulate requests from `batches`, an iterator of tuples of columns. `sink` receives finished rows. `notes`
/// are metadata that a power failure left on the members of a volume, which then starts from them.
pub(crate) fn run(
    batches: &Py<PyIterator>,
    (system, sectors): (System, u64),
    scale: f64,
    rule: PastEnd,
    selection: Selection,
    (sink, notes): (Option<Py<PyAny>>, Option<Vec<Note>>),
    progress: &mut Progress,
) -> Result<Run> {
    let mut next = || or_kept(Python::attach(|py| batch(batches.bind(py))));
    let mut streamed = Streamed::new(&mut next, scale, rule)?.on(sectors);
    let numbers = streamed.devices().to_vec();
    let mut simulation = Simulation::new(&system, numbers.len() as u32, Record::new(selection, 0))?;
    if let Some(notes) = notes {
        let noted = |(member, sector, words, is_whole)| ((member, sector), Noted { words, is_whole });
        let notes: HashMap<(u32, u64), Noted> = notes.into_iter().map(noted).collect();
        simulation.recover(&mut |member, sector| notes.get(&(member, sector)).cloned())?;
    }
    let names: Vec<String> = simulation.stations().into_iter().map(|(name, _)| name).collect();
    let mut handed_on = sink.map(|sink| {
        let numbers = numbers.clone();
        move |mut rows: Record| {
            number(&mut rows, &numbers);
            or_kept(Python::attach(|py| sink.call1(py, (columns(py, rows)?, names.clone())).map(drop)))
        }
    });
    let handed_on = handed_on.as_mut().map(|sink| sink as &mut Sink<'_>);
    let mut outcome = simulation.run(&mut streamed, &mut |done| progress.report(done), handed_on)?;
    number(&mut outcome.record, &numbers);
    let remapped = streamed.moved();
    streamed.end()?;
    Ok(Run { outcome, lbn: None, remapped, trace_rows: None, waited: 0, system })
}

/// Replace the device numbers in `rows`: the number that the simulation uses becomes the number that the trace
/// uses.
fn number(rows: &mut Record, numbers: &[i32]) {
    rows.device.iter_mut().for_each(|device| *device = numbers[*device as usize]);
}

/// Return a value that Python code has given. If it raised an exception instead, keep the exception and return
/// an error that ends the work.
fn or_kept<T>(given: PyResult<T>) -> Result<T> {
    given.map_err(|error| {
        keep(error);
        Error::Interrupted
    })
}

/// Return the next batch of a Python iterator; None at the end.
fn batch(batches: &Bound<'_, PyIterator>) -> PyResult<Option<Batch>> {
    let Some(arrays) = batches.clone().next().transpose()? else { return Ok(None) };
    let (arrival_ns, lbn, blocks, kind, metadata, device): Arrays<'_> = arrays.extract()?;
    Ok(Some(Batch {
        arrival_ns: arrival_ns.as_slice()?.to_vec(),
        lbn: lbn.as_slice()?.to_vec(),
        blocks: blocks.as_slice()?.to_vec(),
        kind: kind.as_slice()?.to_vec(),
        metadata: metadata.as_slice()?.to_vec(),
        device: device.as_slice()?.to_vec(),
    }))
}

/// Return the names of the columns that the text `text` (names of columns or of sets of columns) selects.
#[pyfunction]
pub(crate) fn selected_columns(text: Text) -> PyResult<Vec<&'static str>> {
    Ok(names(select(&text).map_err(fault)?).collect())
}

/// A workload that a separate thread draws; the thread ends when the reader is dropped.
#[pyclass(module = "sledsim._native")]
pub(crate) struct WorkloadReader {
    batches: Mutex<Receiver<Result<Trace>>>,
    /// The first batch. It is drawn when the reader is created, so that a faulty workload is detected before
    /// the run.
    first: Option<Trace>,
    name: String,
    seed: u64,
}

#[pymethods]
impl WorkloadReader {
    /// Open a workload for reading in batches. Return None if some properties of the workload are known only
    /// after all its requests have been drawn.
    #[staticmethod]
    fn open(py: Python<'_>, device: Target<'_>, text: Text) -> PyResult<Option<Self>> {
        let generator = Generator::parse(&text).map_err(fault)?;
        if generator.has_notes() {
            return Ok(None);
        }
        let (name, seed) = (generator.name(), generator.seed().map_err(fault)?);
        let capacity = device.sectors();
        let (sender, batches) = sync_channel(AHEAD);
        thread::spawn(move || {
            let mut send = |trace| sender.send(Ok(trace)).map_err(|_| Error::Interrupted);
            if let Err(error) = generator.draw_in_batches(capacity, &mut send) {
                // Ignore a closed channel: the reader was dropped.
                let _ = sender.send(Err(error));
            }
        });
        let mut batches = Mutex::new(batches);
        let opened = trace::inner(&mut batches);
        let first = py.detach(move || opened.recv()).ok().transpose().map_err(fault)?;
        Ok(Some(Self { batches, first, name, seed }))
    }

    /// Return the columns of the next requests; None at the end.
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if let Some(first) = self.first.take() {
            return trace::columns(py, first).map(Some);
        }
        let batches = trace::inner(&mut self.batches);
        let Ok(drawn) = py.detach(move || batches.recv()) else { return Ok(None) };
        drawn.map_err(fault).and_then(|rows| trace::columns(py, rows)).map(Some)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}
