//! The parameters of a device: the keys of its file, of `--set`, of the Python API and of a sweep are
//! the fields of a struct for each kind of device, with the unit in the name and one description that every help
//! text shows.

mod disk;
mod keys;
mod kind;
mod layer;
mod load;
mod mems;
mod rows;

pub use disk::{
    choices as disk_choices, Delivered, DiskParams, HeadOrder, ReadAhead, Sparing, WatermarkOf, Zone,
    KEYS as DISK_KEYS,
};
pub use keys::Key;
pub use load::{load, load_builtin, DeviceSpec, PaperFigure, BUILTIN_DEVICES};
pub use mems::{
    choices, AccessMode, CylinderSwitch, Idle, Mechanism, MemsParams, RowOrder, WriteStart, KEYS,
};
pub use rows::Rows;
