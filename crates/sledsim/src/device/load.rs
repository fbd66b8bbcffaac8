//! Device files: built-in files, files of the user, and values that override them.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::registry::KINDS;
use super::DeviceSpec;
use crate::error::{ensure, fault, normalise, unknown_name, Error, Result};
use crate::input::read_text;
use crate::params::{DeviceParams, DiskParams, FileKind, FlashParams, Header, Layer, MemsParams, KIND_KEY};
use crate::table::load_missing;

/// Name and file of each built-in device. To add a device, add one file and one row here.
pub const BUILTIN_DEVICES: &[(&str, &str)] = &[
    ("osdi00", include_str!("../../devices/osdi00.toml")),
    ("osdi00-power", include_str!("../../devices/osdi00-power.toml")),
    ("sigmetrics00", include_str!("../../devices/sigmetrics00.toml")),
    ("sigmetrics00-power", include_str!("../../devices/sigmetrics00-power.toml")),
    ("sigmetrics00-cantilevers", include_str!("../../devices/sigmetrics00-cantilevers.toml")),
    ("mascots03", include_str!("../../devices/mascots03.toml")),
    ("mascots03-power", include_str!("../../devices/mascots03-power.toml")),
    ("osdi00-erase", include_str!("../../devices/osdi00-erase.toml")),
    ("mascots03-zones", include_str!("../../devices/mascots03-zones.toml")),
    ("hong03", include_str!("../../devices/hong03.toml")),
    ("hong03-power", include_str!("../../devices/hong03-power.toml")),
    ("disksim-g1", include_str!("../../devices/disksim-g1.toml")),
    ("disksim-g2", include_str!("../../devices/disksim-g2.toml")),
    ("disksim-g3", include_str!("../../devices/disksim-g3.toml")),
    ("emsoft08", include_str!("../../devices/emsoft08.toml")),
    ("atlas10k", include_str!("../../devices/atlas10k.toml")),
    ("atlas-iii", include_str!("../../devices/atlas-iii.toml")),
    ("barracuda", include_str!("../../devices/barracuda.toml")),
    ("cheetah4lp", include_str!("../../devices/cheetah4lp.toml")),
    ("dec-rz26", include_str!("../../devices/dec-rz26.toml")),
    ("hp-c2247a", include_str!("../../devices/hp-c2247a.toml")),
    ("hp-c2490a", include_str!("../../devices/hp-c2490a.toml")),
    ("st41601n", include_str!("../../devices/st41601n.toml")),
    ("cf-card", include_str!("../../devices/cf-card.toml")),
];

/// Maximum number of files in a chain of `extends`. Useful chains are shorter; files that extend each other
/// in a circle exceed it.
const EXTENDS_DEPTH_MAX: usize = 8;

/// Reads the built-in device or the device file `name_or_path`, and replaces parameters by the values in
/// `overrides`.
///
/// # Errors
/// A name or a key is unknown, a file is unreadable, or a value has a wrong type or is out of range. The
/// message names the file and line, or the key.
pub fn load(name_or_path: &str, overrides: Table) -> Result<DeviceSpec> {
    finish(name_or_path, overridden(overrides, resolve(name_or_path, None, 0)?)?)
}

/// Returns a built-in device, unchanged.
///
/// # Panics
/// If no such device exists; that is a bug of the caller.
#[must_use]
pub fn load_builtin(name: &str) -> DeviceParams {
    load(name, Table::new()).expect("a built-in device is valid").into_parameters()
}

/// Returns a built-in MEMS device, unchanged.
///
/// # Panics
/// If no such MEMS device exists; that is a bug of the caller.
#[must_use]
pub fn load_mems(name: &str) -> MemsParams {
    let DeviceParams::Mems(params) = load_builtin(name) else { panic!("{name} is a device of another kind") };
    *params
}

/// Returns a built-in disk drive, unchanged.
///
/// # Panics
/// If no such disk drive exists; that is a bug of the caller.
#[must_use]
pub fn load_disk(name: &str) -> DiskParams {
    let DeviceParams::Disk(params) = load_builtin(name) else { panic!("{name} is a device of another kind") };
    *params
}

/// Returns a built-in flash card, unchanged.
///
/// # Panics
/// If no such flash card exists; that is a bug of the caller.
#[must_use]
pub fn load_flash(name: &str) -> FlashParams {
    let DeviceParams::Flash(params) = load_builtin(name) else {
        panic!("{name} is a device of another kind")
    };
    params
}

impl DeviceSpec {
    /// Creates a device from all of its parameters, as a result file stores them.
    ///
    /// # Errors
    /// A value is invalid, as for [`load`], or a key is missing.
    pub fn from_parameters(parameters: Table) -> Result<DeviceSpec> {
        finish("parameters", of_kind(parameters)?)
    }

    /// Returns a copy of the device with the parameters in `overrides` changed; same result as a device
    /// file that extends this device.
    ///
    /// # Errors
    /// A key is unknown, or a value is invalid, as for [`load`].
    pub fn with_overrides(&self, overrides: Table) -> Result<DeviceSpec> {
        if overrides.is_empty() {
            return Ok(self.clone());
        }
        let mut base = of_kind(self.parameters().to_table())?;
        base.said.clone_from(&self.said);
        finish(self.parameters().name(), overridden(overrides, base)?)
    }
}

/// A layer with all values of a device. `parameters` has all parameters, and the kind unless it is the
/// default kind "mems".
fn of_kind(mut parameters: Table) -> Result<Layer> {
    let kind = match parameters.remove(KIND_KEY) {
        None => default_kind(),
        Some(Value::String(name)) => KINDS.find(&name)?.make.file,
        Some(other) => return fault(format!("kind = {other}: expected a name in quotes")),
    };
    Layer::given(kind, parameters)
}

/// Replaces parameters of the device `base` by values of the user, and marks them as set by the user. The
/// figures that papers print for the device are dropped.
fn overridden(overrides: Table, base: Layer) -> Result<Layer> {
    if overrides.is_empty() {
        return Ok(base);
    }
    let mut own = Layer::given(base.kind, overrides)?;
    let set = own.values.keys().filter(|key| *key != "name");
    own.said.source = set.map(|key| (key.clone(), "set by the user".into())).collect();
    Ok(own.over(base))
}

fn finish(origin: &str, layer: Layer) -> Result<DeviceSpec> {
    let Layer { kind, values, said, paper } = layer;
    let parameters = (kind.complete)(values).map_err(|error| error.at(origin))?;
    let complete = parameters.to_table();
    for (key, certainty) in &said.certainty {
        kind.check_certainty(key, certainty, &complete)
            .map_err(|error| Error::Parameter(format!("[certainty] {error}")).at(origin))?;
    }
    Ok(DeviceSpec::new(parameters, said, paper))
}

/// Reads a device and all devices that it extends. `asked_by` is the file that extends the device (None for
/// the first one), and `depth` the number of files before it in the chain.
fn resolve(name_or_path: &str, asked_by: Option<&Path>, depth: usize) -> Result<Layer> {
    ensure!(
        depth <= EXTENDS_DEPTH_MAX,
        "{name_or_path}: expected a chain of `extends` through at most {EXTENDS_DEPTH_MAX} files, found more files or a circle"
    );
    let builtin = BUILTIN_DEVICES.iter().find(|(name, _)| *name == name_or_path);
    let asked = |error: Error| match asked_by {
        Some(file) => error.at("extends").at(file.display().to_string()),
        None => error,
    };
    let (text, origin, path) = match builtin {
        Some((name, text)) => ((*text).to_owned(), (*name).to_owned(), None),
        None => match own_kind(name_or_path).map_err(asked)? {
            Some(kind) => return Layer::given(kind, Table::new()),
            None => read_file(name_or_path, asked_by).map_err(asked)?,
        },
    };
    let header = Header::of(&text);
    ensure!(
        header.volume.is_none(),
        "{origin}: expected a device, found a volume: use --volume, or sledsim.volume in Python; to make this volume a member of another volume, write its table in that volume's file"
    );
    let base = header.extends.as_ref().map(|base| resolve(base, path.as_deref(), depth + 1)).transpose()?;
    let kind = kind(&header, base.as_ref()).map_err(|error| error.at(origin.as_str()))?;
    let own = Layer::read(kind, &text, header, &origin, path.as_deref())?;
    Ok(match base {
        Some(base) => own.over(base),
        None => own,
    })
}

/// The kind of a device file without the key `kind`.
fn default_kind() -> FileKind {
    KINDS.rows()[0].make.file
}

/// The kind that a device file gives in `kind`; without it, the kind of the device that the file extends.
fn kind(header: &Header, base: Option<&Layer>) -> Result<FileKind> {
    let named = header.kind.as_deref().map(|name| KINDS.find(name)).transpose()?.map(|row| row.make.file);
    match (named, base) {
        (Some(named), Some(base)) if named.name != base.kind.name => fault(format!(
            "kind = {}: this device extends a device of the kind {}; both need the same kind",
            named.name, base.kind.name
        )),
        (Some(named), _) => Ok(named),
        (None, base) => Ok(base.map_or_else(default_kind, |base| base.kind)),
    }
}

/// The custom kind with the name `name`; its device with default parameters has the same name. None if no
/// such kind exists.
fn own_kind(name: &str) -> Result<Option<FileKind>> {
    let known = || own_kinds().into_iter().find(|kind| normalise(kind.name) == normalise(name));
    if known().is_none() && !is_path(name) {
        load_missing("kind", name)?;
    }
    Ok(known())
}

/// True if `name` is a path to a file and not the name of a device.
fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.contains(".toml")
}

/// The custom kinds of devices that programs have added.
pub(super) fn own_kinds() -> Vec<FileKind> {
    let added = KINDS.added();
    added.iter().map(|row| row.make.file).collect()
}

/// Reads a device file. A relative path is relative to the folder of `asked_by`, the file that extends this one.
fn read_file(name: &str, asked_by: Option<&Path>) -> Result<(String, String, Option<PathBuf>)> {
    if !is_path(name) {
        let own = own_kinds();
        let known = BUILTIN_DEVICES.iter().map(|(known, _)| *known).chain(own.iter().map(|kind| kind.name));
        return Err(unknown_name("device", name, known));
    }
    let path = asked_by.and_then(Path::parent).map_or_else(|| name.into(), |folder| folder.join(name));
    let origin = path.display().to_string();
    Ok((read_text(&path)?, origin, Some(path)))
}
