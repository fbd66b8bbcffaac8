//! The Python module `sledsim._native`. It only converts between Python and the core. Its interface, with
//! shapes and units, is described in `python/sledsim/_native.pyi`.

// PyO3 and its macros use code that these lints forbid.
#![allow(unsafe_code, missing_docs)]

mod bounds;
mod certainty;
mod columns;
mod convert;
#[cfg(target_os = "linux")]
mod crash;
mod design;
mod device;
mod device_check;
mod exceptions;
mod fitted;
mod gap_cut;
mod interruption;
mod own_device;
mod parameters;
mod perfetto;
mod profile;
// Used only by the server, which runs on Linux alone.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
mod python_names;
mod raised;
mod read_ahead;
mod read_files;
mod responses;
mod run;
mod scheduler;
mod seek_model;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod server_settings;
mod simulate;
mod simulation;
mod statistics;
mod streamed;
mod tables;
mod text;
mod tip_code;
mod trace;
mod volume;
mod watched;
mod workload;

use pyo3::prelude::*;

use convert::{fault, Progress};

#[pyfunction]
fn devices() -> Vec<(&'static str, &'static str, String)> {
    let describe = |(name, _): &(&'static str, &str)| {
        let params = sledsim::device::load_builtin(name);
        (*name, params.kind(), params.description().to_owned())
    };
    let own =
        sledsim::device::KINDS.added().into_iter().map(|row| (row.name, row.name, row.summary.to_owned()));
    sledsim::device::BUILTIN_DEVICES.iter().map(describe).chain(own).collect()
}

#[pyfunction]
fn past_end_rules() -> Vec<(&'static str, &'static str)> {
    sledsim::workload::PastEnd::ALL.to_vec()
}

#[pyfunction]
fn random_workload<'py>(
    py: Python<'py>,
    device: volume::Target<'_>,
    rate_per_s: f64,
    count: usize,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
    let capacity = device.sectors();
    let mut progress = Progress::new(py, progress)?;
    let observe = &mut |done| progress.report(done);
    let generator = sledsim::workload::random_generator(rate_per_s, count, seed).map_err(fault)?;
    let drawn = py.detach(|| generator.draw_observed(capacity, observe));
    trace::columns(py, progress.outcome(drawn)?)
}

/// Return the number of sectors of 512 bytes of a device or volume.
#[pyfunction]
fn sectors(target: volume::Target<'_>) -> u64 {
    target.sectors()
}

/// Return the text of a user's file.
#[pyfunction]
fn read_text(py: Python<'_>, path: std::path::PathBuf) -> PyResult<String> {
    py.detach(|| sledsim::input::read_text(&path)).map_err(fault)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", sledsim::VERSION)?;
    exceptions::add_to(module)?;
    module.add_class::<device::Device>()?;
    module.add_class::<volume::Volume>()?;
    module.add_class::<simulation::Simulation>()?;
    #[cfg(target_os = "linux")]
    module.add_class::<server::DeviceServer>()?;
    #[cfg(target_os = "linux")]
    module.add_class::<crash::CrashHistory>()?;
    #[cfg(target_os = "linux")]
    module.add_class::<crash::CrashImage>()?;
    module.add_class::<tip_code::TipCode>()?;
    module.add_function(wrap_pyfunction!(tip_code::block_checks, module)?)?;
    module.add_function(wrap_pyfunction!(tip_code::detections, module)?)?;
    module.add_function(wrap_pyfunction!(tip_code::tip_placement, module)?)?;
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_function(wrap_pyfunction!(design::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(design::format_characteristics, module)?)?;
    module.add_function(wrap_pyfunction!(past_end_rules, module)?)?;
    module.add_class::<trace::Clock>()?;
    module.add_class::<trace::TraceReader>()?;
    module.add_class::<trace::TraceWriter>()?;
    module.add_class::<statistics::TraceStatistics>()?;
    module.add_class::<fitted::FittedWorkload>()?;
    module.add_class::<fitted::WorkloadFit>()?;
    module.add_function(wrap_pyfunction!(trace::trace_size_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(random_workload, module)?)?;
    module.add_function(wrap_pyfunction!(sectors, module)?)?;
    module.add_function(wrap_pyfunction!(run::sleds_for, module)?)?;
    module.add_function(wrap_pyfunction!(run::has_write_cache, module)?)?;
    module.add_function(wrap_pyfunction!(read_text, module)?)?;
    module.add_function(wrap_pyfunction!(read_files::read_files, module)?)?;
    module.add_function(wrap_pyfunction!(convert::ask_in_this_thread, module)?)?;
    module.add_function(wrap_pyfunction!(interruption::watch_interruptions, module)?)?;
    module.add_function(wrap_pyfunction!(interruption::leave_interruptions_to_python, module)?)?;
    module.add_function(wrap_pyfunction!(interruption::say_at_the_end, module)?)?;
    module.add_function(wrap_pyfunction!(interruption::begin_part, module)?)?;
    module.add_function(wrap_pyfunction!(interruption::end_part, module)?)?;
    module.add_function(wrap_pyfunction!(interruption::end_interrupted, module)?)?;
    module.add_function(wrap_pyfunction!(workload::check_workload, module)?)?;
    module.add_function(wrap_pyfunction!(workload::workload, module)?)?;
    module.add_function(wrap_pyfunction!(profile::seek_profile, module)?)?;
    module.add_function(wrap_pyfunction!(profile::residual_vibration, module)?)?;
    module.add_function(wrap_pyfunction!(tables::tables, module)?)?;
    module.add_function(wrap_pyfunction!(tables::row_name, module)?)?;
    module.add_function(wrap_pyfunction!(tables::normal_name, module)?)?;
    module.add_function(wrap_pyfunction!(tables::on_missing, module)?)?;
    module.add_function(wrap_pyfunction!(tables::result_columns, module)?)?;
    module.add_function(wrap_pyfunction!(tables::column_sets, module)?)?;
    module.add_function(wrap_pyfunction!(tables::selectable_columns, module)?)?;
    module.add_function(wrap_pyfunction!(tables::device_counters, module)?)?;
    module.add_function(wrap_pyfunction!(scheduler::register_scheduler, module)?)?;
    module.add_function(wrap_pyfunction!(seek_model::register_seek_model, module)?)?;
    module.add_function(wrap_pyfunction!(own_device::register_device, module)?)?;
    module.add_class::<own_device::DeviceRequest>()?;
    module.add_function(wrap_pyfunction!(device_check::check_device, module)?)?;
    module.add_function(wrap_pyfunction!(bounds::schedule_bounds, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(perfetto::write_perfetto, module)?)?;
    module.add_class::<streamed::WorkloadReader>()?;
    module.add_class::<responses::Responses>()?;
    module.add_class::<gap_cut::GapCut>()?;
    module.add_function(wrap_pyfunction!(streamed::selected_columns, module)?)
}
