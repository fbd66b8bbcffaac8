//! The parameters of a device as data: the keys of its file, of `--set`, of the Python API and of a sweep are the
//! fields of a struct for each kind of device, with the unit in the name and one description that every help text
//! shows. The device defines their meaning and their valid combinations.

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
pub use disk::{Delivered, DiskParams, HeadOrder, Queue, ReadAhead, Sparing, WatermarkOf, WriteHits};
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
