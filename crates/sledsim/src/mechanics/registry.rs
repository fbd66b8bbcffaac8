//! The table of seek models, and those that a user adds while the program runs.

use super::{
    Axis, BangBang, FirstOrder, LinearSystem, Loop, Measured, MeasuredTable, Piecewise, SeekModel,
    SlewLimited, Table,
};
use crate::error::{Error, Result};
use crate::registry::{Registry, Row};

/// What a device file says for the seek model of one axis.
#[derive(Clone, Debug)]
pub struct SeekSettings {
    /// The axis to be moved.
    pub axis: Axis,
    /// Steps of the table, for `table`.
    pub table_steps: Option<u64>,
    /// The position loop, for `linear-system`.
    pub position_loop: Option<Loop>,
    /// How fast the force of the actuators over the mass can change, in m/s^3, for `slew-limited`.
    pub slew_m_per_s3: Option<f64>,
    /// Seek times, for `measured`.
    pub measured: Option<MeasuredTable>,
}

/// Makes a seek model for one axis.
pub type Build = dyn Fn(&SeekSettings) -> Result<Box<dyn SeekModel>> + Send + Sync;

/// One way of computing a seek.
#[derive(Clone, Copy)]
pub struct SeekModelRow {
    /// The name in device files.
    pub name: &'static str,
    /// What it computes and where it comes from.
    pub description: &'static str,
    /// Makes it, or says which key it misses.
    pub build: &'static Build,
}

/// Every built-in seek model: one file and one row here.
const SEEK_MODELS: &[SeekModelRow] = &[
    SeekModelRow {
        name: "bang-bang",
        description: "full force ahead, then full force back, with springs, in closed form (000-F1..F5)",
        build: &|settings| Ok(Box::new(BangBang::new(settings.axis))),
    },
    SeekModelRow {
        name: "first-order",
        description: "the same without springs: spring_factor is 0 (002 Eqs 2-5)",
        build: &|settings| Ok(Box::new(FirstOrder::new(settings.axis))),
    },
    SeekModelRow {
        name: "table",
        description: "bang-bang by interpolation in a table of seek_table_steps steps (000-F21)",
        build: &|settings| {
            let steps = settings.table_steps.ok_or_else(|| missing("table", "seek_table_steps"))?;
            Ok(Box::new(Table::new(settings.axis, steps)))
        },
    },
    SeekModelRow {
        name: "slew-limited",
        description: "the quickest motion of actuators that take actuator_rise_ms to full force",
        build: &|settings| {
            let slew = settings.slew_m_per_s3.ok_or_else(|| missing("slew-limited", "actuator_rise_ms"))?;
            Ok(Box::new(SlewLimited::new(settings.axis, slew)))
        },
    },
    SeekModelRow {
        name: "linear-system",
        description:
            "a feedback loop of second order until within loop_tolerance_nm, settling included (001-F30)",
        build: &|settings| {
            let position_loop = settings.position_loop.ok_or_else(|| {
                missing("linear-system", "loop_frequency_hz, loop_damping and loop_tolerance_nm")
            })?;
            Ok(Box::new(LinearSystem::new(settings.axis, position_loop)))
        },
    },
    SeekModelRow {
        name: "measured",
        description: "times of your own: measured_x and, for y at access speed, measured_y (else bang-bang)",
        build: &|settings| match &settings.measured {
            Some(table) => Ok(Box::new(Measured::new(settings.axis, table.clone()))),
            None => Ok(Box::new(BangBang::new(settings.axis))),
        },
    },
    SeekModelRow {
        name: "piecewise",
        description:
            "bang-bang by DiskSim 4.0's iteration, off by up to 4 % with springs: to compare with it",
        build: &|settings| Ok(Box::new(Piecewise::new(settings.axis))),
    },
];

impl Row for SeekModelRow {
    const KIND: &'static str = "seek_model";

    fn name(&self) -> &'static str {
        self.name
    }
}

static REGISTRY: Registry<SeekModelRow> = Registry::new(SEEK_MODELS);

fn missing(model: &str, keys: &str) -> Error {
    Error::Parameter(format!("seek_model = {model} needs {keys}"))
}

/// Adds a seek model, or replaces one that was added under the same name.
///
/// # Errors
/// The name of a built-in model.
pub fn register_seek_model(row: SeekModelRow) -> Result<()> {
    REGISTRY.add(row)
}

/// Every seek model, the built-in ones first.
#[must_use]
pub fn seek_models() -> Vec<SeekModelRow> {
    REGISTRY.all()
}

/// The seek model of that name.
///
/// # Errors
/// There is none; the message names those that there are.
pub fn find_seek_model(name: &str) -> Result<SeekModelRow> {
    REGISTRY.find(name)
}
