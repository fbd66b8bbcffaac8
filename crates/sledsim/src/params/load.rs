//! Device files: the built-in ones, a user's own, and what overrides them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{check, DeviceFile, MemsParams, PaperFigure, Rows, KEYS};
use crate::error::{nearest, unknown_name, Error, Result};

/// The built-in devices: name and file. One device is one file and one row here.
pub const BUILTIN_DEVICES: &[(&str, &str)] = &[
    ("osdi00", include_str!("../../devices/osdi00.toml")),
    ("sigmetrics00", include_str!("../../devices/sigmetrics00.toml")),
    ("sigmetrics00-cantilevers", include_str!("../../devices/sigmetrics00-cantilevers.toml")),
    ("mascots03", include_str!("../../devices/mascots03.toml")),
    ("mascots03-zones", include_str!("../../devices/mascots03-zones.toml")),
    ("hong03", include_str!("../../devices/hong03.toml")),
    ("disksim-g1", include_str!("../../devices/disksim-g1.toml")),
    ("disksim-g2", include_str!("../../devices/disksim-g2.toml")),
    ("disksim-g3", include_str!("../../devices/disksim-g3.toml")),
];

/// How deep `extends` may go: enough for any sensible family, and a circle is found.
const EXTENDS_DEPTH_MAX: usize = 8;

/// A device as read: its parameters, where each value comes from, and what papers print about it.
#[derive(Clone, Debug)]
pub struct DeviceSpec {
    /// The effective parameters.
    pub parameters: MemsParams,
    /// The source of a value, by key.
    pub source: BTreeMap<String, String>,
    /// Figures that a paper prints, by the name of the characteristic.
    pub paper: BTreeMap<String, PaperFigure>,
}

/// Reads the device of that name, or the file at that path, and lays `overrides` over it.
///
/// # Errors
/// An unknown name, an unreadable file, an unknown key, a value of a wrong type or out of range; the
/// message names the file and line or the key.
pub fn load(name_or_path: &str, overrides: toml::Table) -> Result<DeviceSpec> {
    let file = resolve(name_or_path, None, 0)?;
    let unchanged = overrides.is_empty();
    let merged = with_overrides(overrides, file.clone())?;
    let paper = if unchanged { file.paper } else { merged.paper };
    finish(name_or_path, DeviceFile { paper, ..merged })
}

fn with_overrides(overrides: toml::Table, base: DeviceFile) -> Result<DeviceFile> {
    let own = parse_overrides(overrides)?;
    let overridden = own.keys();
    let mut merged = merge(own, base);
    for key in overridden {
        merged.source.insert(key.into(), "set by the user".into());
    }
    Ok(merged)
}

/// The built-in device of that name, unchanged.
///
/// # Panics
/// If there is none: that is a bug of the caller.
#[must_use]
pub fn load_builtin(name: &str) -> MemsParams {
    load(name, toml::Table::new()).expect("a built-in device is valid").parameters
}

impl DeviceSpec {
    /// A device from the complete set of its parameters, as a result file holds them.
    ///
    /// # Errors
    /// As [`load`], and for a key that is missing.
    pub fn from_parameters(parameters: toml::Table) -> Result<DeviceSpec> {
        finish("parameters", parse_overrides(parameters)?)
    }

    /// The same device with some parameters changed, as if its file extended this one.
    ///
    /// # Errors
    /// As [`load`].
    pub fn with_overrides(&self, overrides: toml::Table) -> Result<DeviceSpec> {
        if overrides.is_empty() {
            return Ok(self.clone());
        }
        let mut base = parse_overrides(self.parameters.to_table())?;
        base.source = self.source.clone();
        finish(&self.parameters.name, with_overrides(overrides, base)?)
    }
}

fn finish(origin: &str, file: DeviceFile) -> Result<DeviceSpec> {
    let (source, paper) = (file.source.clone(), file.paper.clone());
    let missing = |key| Error::Parameter(format!("{origin}: key `{key}` is missing"));
    let parameters = file.complete().map_err(missing)?;
    check::check(&parameters).map_err(|error| Error::Parameter(format!("{origin}: {error}")))?;
    Ok(DeviceSpec { parameters, source, paper })
}

/// The file with everything that it extends.
fn resolve(name_or_path: &str, asked_by: Option<&Path>, depth: usize) -> Result<DeviceFile> {
    if depth > EXTENDS_DEPTH_MAX {
        return Err(Error::Parameter(format!("{name_or_path}: `extends` goes in a circle")));
    }
    let builtin = BUILTIN_DEVICES.iter().find(|(name, _)| *name == name_or_path);
    let (text, origin, path) = match builtin {
        Some((name, text)) => ((*text).to_owned(), (*name).to_owned(), None),
        None => read_file(name_or_path, asked_by)?,
    };
    let mut file = parse(&text, &origin)?.read_rows(path.as_deref())?;
    if file.name.is_none() {
        let stem = Path::new(&origin).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        file.name = stem;
    }
    for key in file.keys() {
        file.source.entry(key.into()).or_insert_with(|| format!("{origin}: no source given"));
    }
    match file.extends.take() {
        None => Ok(file),
        Some(base) => Ok(merge(file, resolve(&base, path.as_deref(), depth + 1)?)),
    }
}

type FileText = (String, String, Option<std::path::PathBuf>);

/// A path is looked up beside the file that names it.
fn read_file(name: &str, asked_by: Option<&Path>) -> Result<FileText> {
    if !name.contains(['/', '\\']) && !name.contains(".toml") {
        return Err(unknown_name("device", name, BUILTIN_DEVICES.iter().map(|(known, _)| *known)));
    }
    let path = asked_by.and_then(Path::parent).map_or_else(|| name.into(), |folder| folder.join(name));
    let origin = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok((text, origin, Some(path))),
        Err(source) => Err(Error::Io { path: origin, source }),
    }
}

fn parse(text: &str, origin: &str) -> Result<DeviceFile> {
    let file: DeviceFile = toml::from_str(text).map_err(|error| {
        let place = match error.span() {
            Some(span) => {
                let before = &text[..span.start.min(text.len())];
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
                format!("{origin}:{line}:{column}")
            }
            None => origin.to_owned(),
        };
        Error::Parameter(format!("{place}: {}", explain(error.message())))
    })?;
    for key in file.source.keys() {
        known_key(key).map_err(|error| Error::Parameter(format!("{origin}: [source]: {error}")))?;
    }
    one_way_to_settle(&file).map_err(|error| Error::Parameter(format!("{origin}: {error}")))?;
    Ok(file)
}

/// Each override is read on its own, so that a fault is reported with its key.
fn parse_overrides(overrides: toml::Table) -> Result<DeviceFile> {
    let mut all = DeviceFile::default();
    let mut given = Vec::new();
    for (key, value) in overrides {
        if key != "name" {
            known_key(&key)?;
        }
        let shown = value.to_string();
        let one: DeviceFile =
            toml::Table::from_iter([(key.clone(), value)]).try_into().map_err(|error: toml::de::Error| {
                Error::Parameter(format!("{key} = {shown}: {}", explain(error.message())))
            })?;
        given.push(key);
        all = one.over(all);
    }
    one_way_to_settle(&all)?;
    all.read_rows(None)
}

fn known_key(key: &str) -> Result<()> {
    if KEYS.iter().any(|known| known.name == key) {
        return Ok(());
    }
    Err(Error::Parameter(unknown_key(key)))
}

fn unknown_key(key: &str) -> String {
    match nearest(key, KEYS.iter().map(|known| known.name)) {
        Some(near) => format!("unknown key `{key}`: did you mean `{near}`?"),
        None => format!("unknown key `{key}`: `sledsim show osdi00` lists the keys"),
    }
}

/// serde's list of all fields is no help: the nearest key is.
fn explain(message: &str) -> String {
    let message = message.trim_end();
    match message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
        Some((key, _)) => unknown_key(key),
        // Types by their names in words.
        None => message
            .replace("expected f64", "expected a number")
            .replace("expected u64", "expected a whole number, 0 or more")
            .replace("expected a string", "expected a name in quotes"),
    }
}

/// The ways of giving the time of settling, each with its keys.
const WAYS_TO_SETTLE: [&[&str]; 3] =
    [&["settle_ms"], &["resonant_frequency_hz", "settle_time_constants"], &["settle_error_nm"]];

impl DeviceFile {
    /// Which of [`WAYS_TO_SETTLE`] it takes.
    fn ways_to_settle(&self) -> [bool; 3] {
        let by_frequency = self.resonant_frequency_hz.is_some() || self.settle_time_constants.is_some();
        [self.settle_ms.is_some(), by_frequency, self.settle_error_nm.is_some()]
    }

    /// Forgets what it says about settling.
    fn without_settling(mut self) -> Self {
        (self.settle_ms, self.settle_error_nm) = (None, None);
        (self.resonant_frequency_hz, self.settle_time_constants) = (None, None);
        for key in WAYS_TO_SETTLE.iter().copied().flatten() {
            self.source.remove(*key);
        }
        self
    }

    fn read_rows(mut self, named_by: Option<&Path>) -> Result<Self> {
        let read = |rows: Option<Rows>| rows.map(|rows| rows.read(named_by)).transpose();
        (self.measured_x, self.measured_y) = (read(self.measured_x)?, read(self.measured_y)?);
        Ok(self)
    }
}

/// What the upper layer says replaces what the lower one said: about settling as a whole, and a sled of the
/// first-order model has no springs.
fn merge(upper: DeviceFile, mut lower: DeviceFile) -> DeviceFile {
    let (ours, theirs) = (upper.ways_to_settle(), lower.ways_to_settle());
    if ours.contains(&true) && ours != theirs {
        lower = lower.without_settling();
    }
    if upper.seek_model.as_deref() == Some("first-order") && upper.spring_factor.is_none() {
        lower.spring_factor = Some(0.0);
        lower.source.insert("spring_factor".into(), "seek_model first-order has no springs (002-F5)".into());
    }
    upper.over(lower)
}

fn one_way_to_settle(file: &DeviceFile) -> Result<()> {
    let ways = WAYS_TO_SETTLE.iter().zip(file.ways_to_settle());
    let given: Vec<String> = ways.filter(|(_, given)| *given).map(|(keys, _)| keys.join(" x ")).collect();
    if given.len() > 1 {
        return Err(Error::Parameter(format!(
            "{} both say how long settling takes: give one of them",
            given.join(" and ")
        )));
    }
    Ok(())
}
