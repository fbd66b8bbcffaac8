//! The classes that read and write traces, and a list of the trace formats.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sledsim::input::Patient;
use sledsim::trace::{self, Input, Op, ReadOptions, Trace};

use crate::convert::{asked, fault, Progress};
use crate::raised::raised_by_python;
use crate::read_ahead::ahead;
use crate::text::Text;

/// File name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Return the size of a file in bytes. If `unpacked_to` is a number, return instead the size after
/// decompression; counting stops at this number of bytes.
#[pyfunction]
#[pyo3(signature = (path, unpacked_to=None))]
pub(crate) fn trace_size_bytes(path: PathBuf, unpacked_to: Option<u64>) -> PyResult<u64> {
    match unpacked_to {
        Some(most) => trace::unpacked_bytes(&path, most).map_err(fault),
        None => trace::size_bytes(&path).map_err(fault),
    }
}

/// The clock that gave the arrival times of a trace.
#[pyclass(module = "sledsim._native")]
#[derive(Default)]
pub(crate) struct Clock(trace::Clock);

#[pymethods]
impl Clock {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Add the next times in ns, which never decrease.
    fn add(&mut self, arrival_ns: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.0.add(arrival_ns.as_slice()?);
        Ok(())
    }

    /// Return the tick in ns; None for an exact clock.
    fn tick_ns(&self) -> Option<u64> {
        self.0.tick_ns()
    }

    /// Return the share of requests that have the time of the request before.
    fn shared(&self) -> f64 {
        self.0.shared()
    }

    /// Return aspect, doubt and text of the evidence on the clock; None if the trace has too few requests.
    fn evidence(&self) -> Option<(&'static str, bool, String)> {
        self.0.evidence().map(|found| (found.aspect.name(), found.is_doubtful, found.text))
    }
}

/// A trace that is being read in batches.
#[pyclass(module = "sledsim._native")]
pub(crate) struct TraceReader {
    // Python may pass the reader between threads, one at a time.
    reader: Mutex<trace::TraceReader>,
}

#[pymethods]
impl TraceReader {
    #[new]
    fn new(
        py: Python<'_>,
        path: Text,
        format: Option<Text>,
        map: Option<Text>,
        skip_bad: bool,
    ) -> PyResult<Self> {
        let input = match &*path {
            STANDARD_INPUT => Input::Reader(Box::new(Patient::stdin()?), "standard input".to_owned()),
            _ => Input::File(Path::new(&*path).to_owned()),
        };
        let options = ReadOptions {
            format: format.as_deref(),
            map: map.as_deref(),
            skip_bad,
            ahead: Some(ahead),
            asked: Some(asked),
        };
        let open = || raised_by_python(|| trace::TraceReader::open(input, &options));
        let reader = py.detach(open)?.map_err(fault)?;
        Ok(Self { reader: Mutex::new(reader) })
    }

    /// Return the columns of the next requests; None at the end.
    fn next<'py>(
        &mut self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut progress = Progress::new(py, progress)?;
        let reader = inner(&mut self.reader);
        let rows =
            py.detach(|| raised_by_python(|| reader.next_batch(&mut |bytes| progress.report(bytes))))?;
        progress.outcome(rows)?.map(|rows| columns(py, rows)).transpose()
    }

    /// Return the columns of all remaining requests; raise an error if there are more than `most`.
    fn rest<'py>(
        &mut self,
        py: Python<'py>,
        most: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut progress = Progress::new(py, progress)?;
        let reader = inner(&mut self.reader);
        let read = || reader.rest_of(most, &mut |bytes| progress.report(bytes));
        let rows = py.detach(|| raised_by_python(read))?;
        columns(py, progress.outcome(rows)?)
    }

    /// Return the properties of the trace other than its requests, as known after the requests read so far.
    fn about<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let about = inner(&mut self.reader).about();
        let known = PyDict::new(py);
        known.set_item("format", about.format)?;
        known.set_item("commands", about.skipped.commands)?;
        known.set_item("empty", about.skipped.empty)?;
        known.set_item("unknown", about.skipped.unknown)?;
        known.set_item("other", about.skipped.other)?;
        known.set_item("bad", about.bad.count)?;
        known.set_item("first_bad", &about.bad.first)?;
        known.set_item("late", about.late)?;
        let evidence = about.evidence.iter();
        let evidence: Vec<_> =
            evidence.map(|found| (found.aspect.name(), found.is_doubtful, found.text.as_str())).collect();
        known.set_item("evidence", evidence)?;
        known.set_item("device_names", about.device_names.clone())?;
        known.set_item("origin_unix_ns", about.origin_unix_ns)?;
        Ok(known)
    }

    /// Return the number of bytes of the file read so far, counted before decompression.
    fn consumed_bytes(&mut self) -> u64 {
        inner(&mut self.reader).consumed_bytes()
    }
}

/// A trace that is being encoded in a format.
#[pyclass(module = "sledsim._native")]
pub(crate) struct TraceWriter {
    writer: Mutex<trace::TraceWriter>,
    about: trace::TraceInfo,
}

#[pymethods]
impl TraceWriter {
    #[new]
    fn new(format: Text) -> PyResult<Self> {
        let writer = trace::TraceWriter::new(&format).map_err(fault)?;
        Ok(Self { writer: Mutex::new(writer), about: trace::TraceInfo::default() })
    }

    /// Set the names of the devices, and the Unix time in ns at which the trace begins. The writer needs both
    /// for the requests that follow.
    fn describe(
        &mut self,
        device_names: std::collections::BTreeMap<i32, String>,
        origin_unix_ns: Option<i64>,
    ) {
        self.about.device_names = device_names;
        self.about.origin_unix_ns = origin_unix_ns;
    }

    /// Return the encoded bytes of the next requests.
    fn rows<'py>(&mut self, py: Python<'py>, columns: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyBytes>> {
        let rows = trace_of(columns)?;
        let (writer, about) = (inner(&mut self.writer), &self.about);
        let bytes = py.detach(|| writer.rows(&rows, about)).map_err(fault)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Return the number of requests that were left out because the format cannot express them.
    fn left_out(&mut self) -> u64 {
        inner(&mut self.writer).left_out
    }
}

/// Return the value in a mutex that no other thread can use, because its owner is borrowed mutably.
pub(crate) fn inner<T>(held: &mut Mutex<T>) -> &mut T {
    held.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Return the columns of a trace as NumPy arrays; columns of numbers are not copied.
pub(crate) fn columns(py: Python<'_>, trace: Trace) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(py);
    let op: Vec<u8> = trace.op.iter().map(|op| *op as u8).collect();
    columns.set_item("arrival_ns", trace.arrival_ns.into_pyarray(py))?;
    columns.set_item("lbn", trace.lbn.into_pyarray(py))?;
    columns.set_item("blocks", trace.blocks.into_pyarray(py))?;
    columns.set_item("op", op.into_pyarray(py))?;
    columns.set_item("metadata", trace.metadata.into_pyarray(py))?;
    columns.set_item("device", trace.device.into_pyarray(py))?;
    columns.set_item("block_class", trace.class.into_pyarray(py))?;
    columns.set_item("flags", trace.flags.into_pyarray(py))?;
    columns.set_item("response_ns", trace.response_ns.into_pyarray(py))?;
    columns.set_item("service_ns", trace.service_ns.into_pyarray(py))?;
    Ok(columns)
}

/// Return a trace made of `columns`, which has one NumPy array per column.
pub(crate) fn trace_of(columns: &Bound<'_, PyDict>) -> PyResult<Trace> {
    let op =
        column::<u8>(columns, "op")?.into_iter().map(|op| Op::ALL[usize::from(op).min(Op::ALL.len() - 1)]);
    Ok(Trace {
        arrival_ns: column(columns, "arrival_ns")?,
        lbn: column(columns, "lbn")?,
        blocks: column(columns, "blocks")?,
        op: op.collect(),
        metadata: column(columns, "metadata")?,
        device: column(columns, "device")?,
        class: column(columns, "block_class")?,
        flags: column(columns, "flags")?,
        response_ns: column(columns, "response_ns")?,
        service_ns: column(columns, "service_ns")?,
    })
}

fn column<T: numpy::Element + Copy>(columns: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<T>> {
    let column: PyReadonlyArray1<'_, T> = columns.as_any().get_item(name)?.extract()?;
    Ok(column.as_slice()?.to_vec())
}
