//! Description of a device for a page: parameters, sources, derived characteristics and geometry.

use serde::Deserialize;
use serde_json::{json, Value};
use sledsim::device::disk::Disk;
use sledsim::device::flash::Flash;
use sledsim::device::mems::Mems;
use sledsim::device::{load, Device, DeviceSpec, Figure};
use sledsim::error::Result;
use sledsim::params::{Certainty, DeviceParams, MemsParams};

use crate::answer::{object, written};

/// Arguments that select a device: its name, and parameters to change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    device: String,
    #[serde(default)]
    parameters: toml::Table,
}

/// Return the complete description of a device.
pub fn described(asked: &Asked) -> Result<Value> {
    let spec = load(&asked.device, asked.parameters.clone())?;
    let (figures, geometry) = match spec.parameters() {
        DeviceParams::Mems(params) => {
            let mems = Mems::new(params)?;
            (mems.characteristics(), geometry(params, &mems))
        }
        DeviceParams::Disk(params) => (Disk::new(params)?.characteristics(), Value::Null),
        DeviceParams::Flash(params) => (Flash::new(params).characteristics(), Value::Null),
        // A page has no user code, so no kinds of its own.
        DeviceParams::Own(_) => (Vec::new(), Value::Null),
    };
    let figure = |(name, figure): (&'static str, Figure)| match figure {
        Figure::Whole(count) => (name, json!(count)),
        Figure::Real(quantity) => (name, json!(quantity)),
    };
    let device = &*spec.build(1)?[0];
    Ok(json!({
        "name": spec.parameters().name(),
        "kind": spec.parameters().kind(),
        "description": spec.parameters().description(),
        "sectors": device.sectors(),
        "extent": extent(device),
        "parameters": written(&spec.parameters().to_table())?,
        "source": spec.said.source,
        "certainty": certainty(&spec),
        "characteristics": object(figures.into_iter().map(figure)),
        "geometry": geometry,
    }))
}

fn extent(device: &dyn Device) -> Value {
    let extent = device.extent();
    json!({ "cylinders": extent.cylinders, "y_bits": extent.y_bits })
}

/// Return, for each parameter whose uncertainty is known, the kind of evidence and the range of values.
fn certainty(spec: &DeviceSpec) -> Value {
    let row = |certainty: &Certainty| {
        let kind: &str = certainty.kind.into();
        let spread = certainty.spread.as_ref();
        json!({
            "kind": kind,
            "low": spread.map(|spread| spread.low),
            "high": spread.map(|spread| spread.high),
            "is_log": spread.map(|spread| spread.is_log),
            "reason": spread.map(|spread| &spread.reason),
        })
    };
    object(spec.said.certainty.iter().map(|(key, certainty)| (key.as_str(), row(certainty))))
}

/// Return the geometry of the medium under one tip, for a picture. Lengths are in micrometres, positions are
/// relative to the centre.
fn geometry(params: &MemsParams, mems: &Mems) -> Value {
    let geometry = mems.geometry();
    let um = |bits: i64| geometry.bits_m(bits) * 1e6;
    let row = |row| um(geometry.row_bits_from_centre(row));
    json!({
        "cylinders": geometry.cylinders,
        "tracks_per_cylinder": geometry.tracks_per_cylinder,
        "rows_per_track": geometry.rows_per_track,
        "blocks_per_row": geometry.blocks_per_row,
        "block_bytes": geometry.block_bytes,
        "sleds": geometry.sleds,
        "bit_um": um(1),
        "region_um": [params.stroke_x_nm as f64 * 1e-3, params.stroke_y_nm as f64 * 1e-3],
        "first_row_um": row(0),
        "row_um": um(geometry.row_bits as i64),
    })
}
