//! Custom devices: kinds of devices that a program adds at run time. Policies and seek models can be added
//! in the same manner.
//!
//! A custom kind becomes an entry in the table of kinds, like a built-in kind. Its name is also the name of
//! a device with default parameters. Device files extend this device, or give the name in `kind`.

use super::registry::KINDS;
use super::{Device, DeviceKind, DeviceRow, BUILTIN_DEVICES};
use crate::error::{ensure, fault, normalise, Result};
use crate::params::{check_own_keys, own_typed, DeviceParams, FileKind, Key, OwnKey, OwnParams};

/// Function that builds a device of a custom kind from its parameters.
pub type MakeOwn = dyn Fn(&OwnParams) -> Result<Box<dyn Device>> + Send + Sync;

/// A custom kind of device, which a program adds.
pub struct OwnKind {
    /// Name of the kind, and of its device with default parameters.
    pub name: &'static str,
    /// Description of the kind, in one line.
    pub summary: &'static str,
    /// Parameters of the kind. Name and description of a device are added to them.
    pub keys: Vec<OwnKey>,
    /// Name and meaning of each figure that [`Device::figures`] returns.
    pub characteristics: Vec<(&'static str, &'static str)>,
    /// Function that builds a device of the kind from its parameters.
    pub make: Box<MakeOwn>,
}

/// Key of the description of a device in its file.
const DESCRIPTION: Key = Key {
    name: "description",
    unit: "",
    description: "Description of the device, in one line",
    range: None,
    is_optional: false,
};

/// Adds a custom kind to the table of kinds. It replaces a custom kind of the same name that was added before.
///
/// # Errors
/// The name is invalid or belongs to a built-in device or kind, two parameters have the same name, or a
/// default lies outside its range.
pub fn register_device(kind: OwnKind) -> Result<()> {
    let OwnKind { name, summary, keys, characteristics, make } = kind;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    ensure!(
        name.bytes().all(is_name) && name.bytes().any(|byte| byte.is_ascii_alphanumeric()),
        "device = {name}: expected a name of letters and digits, and of _ or - between them"
    );
    if BUILTIN_DEVICES.iter().any(|(known, _)| normalise(known) == normalise(name)) {
        return fault(format!("device = {name}: expected a new name, but a built-in device has this name"));
    }
    check_own_keys(name, &keys)?;
    // A kind is registered once and lives as long as the program, as built-in kinds do.
    let own: &'static [OwnKey] = keys.leak();
    let keys: Vec<Key> = std::iter::once(DESCRIPTION).chain(own.iter().map(|own| own.key)).collect();
    let file = FileKind::own(
        name,
        keys.leak(),
        Box::leak(Box::new(move |text: &str| own_typed(own, text))),
        Box::leak(Box::new(move |values| {
            Ok(DeviceParams::Own(Box::new(OwnParams::complete(name, summary, own, values)?)))
        })),
        characteristics.leak(),
    );
    let devices = move |params: &DeviceParams, count: u32| {
        let DeviceParams::Own(params) = params else {
            unreachable!("a kind builds only devices of this kind")
        };
        let device = make(params)?;
        Ok((0..count).map(|_| device.clone()).collect())
    };
    KINDS.add(DeviceRow::new(name, summary, DeviceKind { file, devices: Box::leak(Box::new(devices)) }))
}
