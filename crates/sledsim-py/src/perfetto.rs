//! The function `write_perfetto`, which writes a run as a Perfetto trace.

use std::io::{self, BufWriter, Write};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sledsim::error::{Error, Result};
use sledsim::perfetto::{self, Written};
use sledsim::record::{select, Record};
use sledsim::simulation::{Outcome, Simulation};
use sledsim::system::System;
use sledsim::time::Time;
use sledsim::workload::{Columns, PastEnd, Replay, ReplayMode};

use crate::columns::TraceColumns;
use crate::convert::{fault, Progress};
use crate::raised::{keep, raised_by_python};
use crate::text::Text;
use crate::volume::Target;

/// Number of bytes that one call passes to Python.
const TOGETHER: usize = 1 << 20;

/// Simulate requests that arrive at their times in the trace. Write to `sink`, as a Perfetto trace, the
/// services of all devices in a window of simulated time. Return the number of services and the number of bytes
/// written.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn write_perfetto(
    py: Python<'_>,
    target: Target<'_>,
    trace: TraceColumns<'_>,
    scheduler: Text,
    window_ns: [u64; 2],
    sink: Py<PyAny>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64)> {
    let requests = trace.borrowed()?;
    let policy = target.policy(Some(&*scheduler)).map_err(fault)?;
    let (system, sectors) = (target.system(&policy), target.sectors());
    let mut progress = Progress::new(py, progress)?;
    let written = py.detach(|| {
        raised_by_python(|| {
            let outcome = run(requests, (&system, sectors), window_ns.map(Time), &mut progress)?;
            let mut out = BufWriter::with_capacity(TOGETHER, PythonFile(sink));
            let written = write(&mut out, &system, &outcome);
            written.and_then(|written| out.flush().map(|()| written)).map_err(|_| Error::Interrupted)
        })
    })?;
    let Written { services, bytes } = progress.outcome(written)?;
    Ok((services, bytes))
}

fn run(
    columns: Columns<'_>,
    (system, sectors): (&System, u64),
    window: [Time; 2],
    progress: &mut Progress,
) -> Result<Outcome> {
    columns.check()?;
    let devices = columns.devices();
    let mut replay = ReplayMode::parse("open")?.build(Replay::new(columns, 1.0, sectors, PastEnd::Error)?)?;
    let record = Record::new(select("times,request")?, replay.expected());
    let mut simulation = Simulation::new(system, devices, record)?;
    simulation.keep_journal(window)?;
    simulation.run(&mut *replay, &mut |done| progress.report(done), None)
}

fn write(out: &mut dyn Write, system: &System, outcome: &Outcome) -> io::Result<Written> {
    let journal = outcome.journal.as_ref().expect("the simulation has recorded a journal of services");
    let names: Vec<&str> = outcome.devices.iter().map(|device| &*device.name).collect();
    let hosts = matches!(system, System::Volume(_)).then_some(&outcome.record);
    perfetto::write(out, &names, journal, hosts)
}

/// A file to write to, which passes its bytes to a Python callable.
struct PythonFile(Py<PyAny>);

impl Write for PythonFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = Python::attach(|py| self.0.call1(py, (PyBytes::new(py, bytes),)).map(drop));
        taken.map(|()| bytes.len()).map_err(|error| {
            keep(error);
            io::Error::other("a Python callable raised an exception")
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
