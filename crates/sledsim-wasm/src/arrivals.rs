//! Requests with arrival times, which are drawn by a workload generator or read from the bytes of a trace.

use std::io::Cursor;
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::{json, Value};
use sledsim::error::{Error, Result};
use sledsim::trace::{Input, ReadOptions, Trace, TraceReader};
use sledsim::workload::{Arrival, Columns, Generator, PastEnd, Replay, Workload as _};

/// Largest number of requests that one run in a web page may have.
const REQUESTS_MAX: u64 = 4_000_000;

/// The requests of a workload or a trace, with their times.
pub struct Requests(Trace);

/// Arguments for drawing a workload for a device of `sectors` sectors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    workload: String,
    sectors: u64,
}

/// Arguments for reading a trace from the bytes of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    name: String,
    format: Option<String>,
    map: Option<String>,
    #[serde(default)]
    skip_bad: bool,
}

/// Draw the requests of a workload; return them with a description.
pub fn draw(asked: &Draw) -> Result<(Requests, Value)> {
    let generator = Generator::parse(&asked.workload)?;
    let trace = generator.draw_observed(asked.sectors, &mut |drawn| match drawn {
        drawn if drawn < REQUESTS_MAX => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    let trace = trace.map_err(|error| match error {
        Error::Interrupted => too_many(&asked.workload),
        other => other,
    })?;
    let notes = generator.notes(&trace)?;
    let about = about(&trace, &generator.name(), &notes);
    Ok((Requests(trace), about))
}

/// Read the requests of the trace in `bytes`; return them with a description.
pub fn read(asked: &Read, bytes: &[u8]) -> Result<(Requests, Value)> {
    let input = Input::Reader(Box::new(Cursor::new(bytes.to_vec())), asked.name.clone());
    let options = ReadOptions {
        format: asked.format.as_deref(),
        map: asked.map.as_deref(),
        skip_bad: asked.skip_bad,
        ..ReadOptions::default()
    };
    let mut reader = TraceReader::open(input, &options)?;
    let all = reader.rest(&mut |_| ControlFlow::Continue(()))?;
    let mut trace = Trace::default();
    (0..all.len()).map(|row| all.row(row)).filter(|row| row.op.moves_data()).for_each(|row| trace.push(row));
    let info = reader.about();
    let mut about = about(&trace, &asked.name, &info.notes());
    about["format"] = info.format.into();
    about["without_data"] = (all.len() - trace.len()).into();
    about["bad"] = json!({ "count": info.bad.count, "first": info.bad.first });
    Ok((Requests(trace), about))
}

fn about(trace: &Trace, name: &str, notes: &[String]) -> Value {
    json!({
        "name": name,
        "count": trace.len(),
        "from_ns": trace.arrival_ns.first(),
        "to_ns": trace.arrival_ns.last(),
        "notes": notes,
    })
}

fn too_many(name: &str) -> Error {
    Error::Trace(format!("{name}: expected at most {REQUESTS_MAX} requests in a page, found more"))
}

impl Requests {
    /// Return the arrivals of the requests at their devices, and the number of devices. Each device has
    /// `sectors` sectors.
    ///
    /// # Errors
    /// The trace has no requests, or a request does not fit the devices.
    pub fn arrivals(&self, sectors: u64, scale: f64, past_end: PastEnd) -> Result<(Vec<Arrival>, u32)> {
        let columns = Columns::of(&self.0);
        columns.check()?;
        let devices = columns.devices();
        if past_end == PastEnd::Sleds {
            let text =
                "past_end: expected error, wrap or squeeze, found sleds, a rule that only the command line has";
            return Err(Error::Parameter(text.into()));
        }
        let mut replay = Replay::new(columns, scale, sectors, past_end)?;
        Ok((std::iter::from_fn(|| replay.next()).collect(), devices))
    }
}
