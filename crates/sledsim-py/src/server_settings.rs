//! The settings of a server, without the device that it serves.

use std::path::PathBuf;

use pyo3::prelude::*;
use sledsim::error::{unknown_name, Error, Result};
use sledsim::simulation::Simulation;
use sledsim::station::Station;
use sledsim_emulator::emulator::{Contents, Durability, Emulator, Medium, Members, PowerCut, Torn};
use sledsim_emulator::nbd::Export;
use sledsim_emulator::server::{Address, PowerPlan};
use sledsim_emulator::store::{
    list_beside, ImageFile, ListError, Memory, OpenError, Store, Unreadable, SECTOR_BYTES,
};

use crate::convert::fault;
use crate::exceptions::ParameterError;

const NANOS_PER_S: f64 = 1e9;

/// The settings of a server, without the device that it serves.
#[derive(FromPyObject)]
pub(crate) struct Settings {
    name: String,
    description: String,
    socket: Option<PathBuf>,
    tcp: Option<String>,
    bytes: u64,
    image: Option<PathBuf>,
    is_read_only: bool,
    durability: String,
    pub(crate) time_scale: String,
    pub(crate) spin_us: f64,
    pub(crate) lead_us: f64,
    pub(crate) history: Option<PathBuf>,
    pub(crate) device: String,
    pub(crate) probe_seed: Option<u64>,
    pub(crate) power: Power,
    members: Option<OnMembers>,
}

/// Settings for a volume whose members store the contents.
#[derive(FromPyObject)]
pub(crate) struct OnMembers {
    /// Paths of the files that store the contents of the members, one file per member; empty if the contents
    /// are in memory.
    files: Vec<PathBuf>,
    salt: u64,
    were_used: bool,
}

/// Time of a planned power failure, and the choices that determine which data it destroys.
#[derive(FromPyObject)]
pub(crate) struct Power {
    at_s: Option<f64>,
    after: Option<u64>,
    seed: u64,
    torn: String,
}

impl Power {
    pub(crate) fn plan(&self) -> PyResult<PowerPlan> {
        let torn = one_of("torn", &self.torn, &Torn::ALL)?;
        let at_ns = self.at_s.map(|at_s| (at_s * NANOS_PER_S) as u64);
        Ok(PowerPlan { at_ns, after: self.after, cut: PowerCut { seed: self.seed, torn } })
    }

    pub(crate) fn is_planned(&self) -> bool {
        self.at_s.is_some() || self.after.is_some()
    }
}

impl Settings {
    pub(crate) fn address(&self) -> Result<Address> {
        match (&self.socket, &self.tcp) {
            (Some(path), _) => Ok(Address::Unix(path.clone())),
            (_, Some(text)) => text.parse().map(Address::Tcp).map_err(|_| {
                Error::Parameter(format!(
                    "tcp: expected an address with a port, such as 127.0.0.1:10809, found {text:?}"
                ))
            }),
            _ => {
                Err(Error::Parameter("expected a socket or a tcp address to listen at, found neither".into()))
            }
        }
    }

    /// Return the export: the description of the device that clients receive. A device with moving parts is
    /// described as rotational, so that clients sort their requests.
    pub(crate) fn export(&self, simulation: &Simulation) -> Result<Export> {
        let is_moving = |station: &Station| !station.device().location().is_empty();
        let is_rotational = simulation.stations().iter().any(|(_, station)| is_moving(station));
        let export = Export::new(&*self.name, &*self.description, self.bytes);
        let export = export.map_err(|error| Error::Parameter(error.to_string()))?;
        Ok(export.read_only(self.is_read_only).rotational(is_rotational).multi_conn(true))
    }

    /// Store the contents on the members of the volume, if the settings have members. `sectors` are the sizes
    /// of the members in sectors.
    pub(crate) fn put_on_members(&self, emulator: &mut Emulator, sectors: &[u64]) -> PyResult<()> {
        let Some(OnMembers { files, salt, were_used }) = &self.members else { return Ok(()) };
        let medium = |(member, sectors): (usize, &u64)| {
            let bytes = sectors * SECTOR_BYTES;
            let Some(path) = files.get(member) else {
                return Ok(Medium::new(Box::new(Memory::new(bytes)), Unreadable::default()));
            };
            let store = Box::new(ImageFile::open(path, bytes).map_err(opening)?);
            let list = list_beside(path);
            let unreadable = Unreadable::load(&list, *sectors).map_err(listing)?;
            Ok(Medium::new(store, unreadable).with_list(list))
        };
        let media = sectors.iter().enumerate().map(medium).collect::<PyResult<Vec<_>>>()?;
        emulator.keep_on_members(Members::new(media, *salt), *were_used).map_err(fault)
    }

    /// Return true if the members of the volume store the contents.
    pub(crate) fn is_on_members(&self) -> bool {
        self.members.is_some()
    }

    pub(crate) fn contents(&self) -> PyResult<Contents> {
        let store: Box<dyn Store + Send> = match &self.image {
            None => Box::new(Memory::new(self.bytes)),
            Some(path) if self.is_read_only => {
                Box::new(ImageFile::open_read_only(path, self.bytes).map_err(opening)?)
            }
            Some(path) => Box::new(ImageFile::open(path, self.bytes).map_err(opening)?),
        };
        let durability = one_of("cache", &self.durability, &Durability::ALL)?;
        let Some(list) = self.image.as_deref().map(list_beside) else {
            return Ok(Contents::new(store, Unreadable::default(), durability));
        };
        let unreadable = Unreadable::load(&list, self.bytes / SECTOR_BYTES).map_err(listing)?;
        let contents = Contents::new(store, unreadable, durability);
        Ok(if self.is_read_only { contents } else { contents.with_list(list) })
    }
}

fn opening(error: OpenError) -> PyErr {
    match error {
        OpenError::Io { path, source } => fault(Error::Io { path: path.display().to_string(), source }),
        other => ParameterError::new_err(other.to_string()),
    }
}

fn listing(error: ListError) -> PyErr {
    match error {
        ListError::Io { path, source } => fault(Error::Io { path: path.display().to_string(), source }),
        other => ParameterError::new_err(other.to_string()),
    }
}

/// Return the value in `all` whose name is `found`. Raise an error that names `key` if no entry has this name.
pub(crate) fn one_of<T: Copy>(
    key: &str,
    found: &str,
    all: &[(&'static str, T, &'static str)],
) -> PyResult<T> {
    let row = all.iter().find(|(name, _, _)| *name == found);
    row.map(|(_, value, _)| *value)
        .ok_or_else(|| fault(unknown_name(key, found, all.iter().map(|(name, _, _)| *name))))
}
