//! The parameters of a device: the keys of its file, of `--set`, of the Python API and of a sweep are
//! the fields of a struct for each kind of device, with the unit in the name and one description that every help
//! text shows.

mod device;
mod disk;
mod flash;
mod keys;
mod kind;
mod layer;
mod load;
mod mems;
mod rows;

pub use device::DeviceParams;
pub use disk::{
    Delivered, DiskParams, HeadOrder, Queue, ReadAhead, Sparing, WatermarkOf, WriteHits, Zone, LONGEST_MS,
};
pub use flash::FlashParams;
pub use keys::Key;
pub use kind::{Choices, Kind, KINDS};
pub use load::{
    load, load_builtin, load_disk, load_flash, load_mems, DeviceSpec, PaperFigure, BUILTIN_DEVICES,
};
pub use mems::{
    AccessMode, CylinderSwitch, Erase, EraseManagement, Idle, Mechanism, MemsParams, RowOrder, TipSupply,
    WriteStart,
};
pub use rows::Rows;
