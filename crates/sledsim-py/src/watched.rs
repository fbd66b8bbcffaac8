//! Columns of the events that a simulation has recorded for watched requests.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::request::Op;
use sledsim::simulation::{Cause, Simulation, WatchedEnd, WatchedPart};
use sledsim::station::Decision;
use sledsim::time::Time;

/// Number that stands for a missing value.
const NONE: i64 = -1;

/// Declares columns of integers, each with a name and a function that computes its value for an event.
macro_rules! columns {
    ($py:ident, $rows:expr, $row:ident: $type:ty { $( $name:literal => $value:expr, )+ }) => {{
        let (all, rows) = (PyDict::new($py), $rows);
        $(
            let value = |$row: &$type| -> i64 { $value };
            let column: Vec<i64> = rows.iter().map(value).collect();
            all.set_item($name, column.into_pyarray($py))?;
        )+
        all
    }};
}

fn ns(time: Time) -> i64 {
    time.0 as i64
}

/// Return a cause of an event as two numbers: the kind of the cause, and the index of the request or part that
/// is the cause.
fn cause(cause: Cause) -> [i64; 2] {
    match cause {
        Cause::Clock => [0, NONE],
        Cause::Arrival(row) => [1, row.into()],
        Cause::Part(number) => [2, number.into()],
    }
}

/// Return the recorded events as columns: the parts of the watched requests, the decisions of policies, the
/// completions of the watched requests, and the parts of other requests that also served a watched request.
pub(crate) fn watched<'py>(py: Python<'py>, simulation: &Simulation) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let seen = simulation.watched().unwrap_or_default();
    all.set_item("parts", parts(py, &seen.parts)?)?;
    let stations = simulation.stations();
    let decided: Vec<(i64, Decision)> = (0..)
        .zip(&stations)
        .flat_map(|(device, (_, station))| station.decisions().iter().map(move |one| (device, *one)))
        .collect();
    let decisions = columns!(py, &decided, one: (i64, Decision) {
        "device" => one.0,
        "at_ns" => ns(one.1.at),
        "chosen" => one.1.chosen.into(),
        "watched" => one.1.watched.into(),
        "waiting" => one.1.waiting.into(),
        "chosen_positioning_ns" => one.1.chosen_costs.positioning.0 as i64,
        "chosen_access_ns" => one.1.chosen_costs.access.0 as i64,
        "positioning_ns" => one.1.watched_costs.positioning.0 as i64,
        "access_ns" => one.1.watched_costs.access.0 as i64,
    });
    all.set_item("decisions", decisions)?;
    let ends = columns!(py, &seen.ends, end: WatchedEnd {
        "row" => end.row.into(),
        "arrival_ns" => ns(end.arrival),
        "completion_ns" => ns(end.completion),
        "cause" => cause(end.cause.0)[0],
        "cause_of" => cause(end.cause.0)[1],
        "caused_ns" => ns(end.cause.1),
    });
    all.set_item("ends", ends)?;
    all.set_item("shared", seen.shared)?;
    all.set_item("devices", stations.iter().map(|(name, _)| name).collect::<Vec<_>>())?;
    Ok(all)
}

fn parts<'py>(py: Python<'py>, parts: &[WatchedPart]) -> PyResult<Bound<'py, PyDict>> {
    Ok(columns!(py, parts, part: WatchedPart {
        "number" => part.number.into(),
        "device" => part.device.into(),
        "row" => part.row.map_or(NONE, i64::from),
        "lbn" => part.lbn as i64,
        "blocks" => part.blocks.into(),
        "write" => (part.op == Op::Write).into(),
        "background" => part.is_background.into(),
        "cause" => cause(part.cause.0)[0],
        "cause_of" => cause(part.cause.0)[1],
        "caused_ns" => ns(part.cause.1),
        "sent_ns" => ns(part.sent),
        "crossing_ns" => ns(part.crossing),
        "crossed_ns" => ns(part.crossed),
        "entered_ns" => ns(part.entered),
        "ready_ns" => ns(part.ready),
        "start_ns" => part.start.map_or(NONE, ns),
        "end_ns" => part.start.map_or(NONE, |start| ns(start + part.service.total())),
        "left_ns" => part.left.map_or(NONE, ns),
        "command_ns" => part.service.command.0 as i64,
        "wait_ns" => part.service.wait.0 as i64,
        "positioning_ns" => part.service.positioning.0 as i64,
        "seek_x_ns" => part.service.seek_x.0 as i64,
        "settle_ns" => part.service.settle.0 as i64,
        "seek_y_ns" => part.service.seek_y.0 as i64,
        "turnaround_ns" => part.service.turnaround.0 as i64,
        "rotation_ns" => part.service.rotation.0 as i64,
        "hold_ns" => part.service.hold.0 as i64,
        "switch_ns" => part.service.switching.0 as i64,
        "transfer_ns" => part.service.transfer.0 as i64,
        "bus_ns" => part.service.bus.0 as i64,
        "bus_wait_ns" => part.bus_wait.0 as i64,
    }))
}
