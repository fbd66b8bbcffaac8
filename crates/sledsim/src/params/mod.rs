//! Parameters of devices as data. For each kind of device, a struct has one field for each parameter. The
//! name of the field is the key in device files, `--set`, the Python API and sweeps; it contains the unit.
//! Each field has one description, which all help texts show. The code of the device determines which
//! combinations of values are valid.

mod certainty;
mod device_params;
mod disk;
mod flash;
mod keys;
mod kind;
mod layer;
mod mems;
mod own;
mod provenance;
mod rows;

pub use certainty::{Certainty, Evidence, Spread};
pub use device_params::DeviceParams;
pub(crate) use device_params::KIND_KEY;
pub(crate) use disk::LONGEST_MS;
pub use disk::{
    Delivered, Destage, DestageOrder, DiskParams, HeadOrder, Queue, ReadAhead, Sparing, WatermarkOf,
    WriteHits,
};
pub use flash::FlashParams;
pub(crate) use keys::{positive, whole, within};
pub use keys::{Key, PaperFigure, Parameters, Range};
pub use kind::{Choices, FileKind};
pub(crate) use layer::{Header, Layer};
pub use mems::{
    AccessMode, CylinderSwitch, EraseManagement, Idle, Mechanism, MemsParams, RowOrder, TipSupply, WriteStart,
};
pub(crate) use mems::{COUNT, TIME_MS};
pub(crate) use own::{check_keys as check_own_keys, typed as own_typed};
pub use own::{OwnKey, OwnParams};
pub use provenance::Provenance;
pub use rows::Rows;
