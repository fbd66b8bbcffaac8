//! Characteristics of a device: the figures of a data sheet.

/// Declares the figures of a kind of devices: the meaning of each, and its computation from the device and from what
/// is `given`.
macro_rules! characteristics {
    (
        $(#[doc = $about:literal])+
        $device:ident, $this:ident, { $($given:tt)* }
        $( $(#[doc = $doc:literal])+ $name:ident: $value:expr; )+
    ) => {
        impl $device {
            /// Meaning of every figure, by name.
            pub const CHARACTERISTICS: &'static [(&'static str, &'static str)] =
                &[ $( (stringify!($name), concat!($($doc,)+)), )+ ];

            $(#[doc = $about])+
            #[must_use]
            pub fn characteristics(&$this) -> Vec<(&'static str, $crate::device::Figure)> {
                $($given)*
                vec![ $( (stringify!($name), $crate::device::Figure::from($value)), )+ ]
            }
        }
    };
}

/// A figure of a data sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// A count.
    Whole(u64),
    /// A quantity.
    Real(f64),
}

impl From<u64> for Figure {
    fn from(value: u64) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for Figure {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

pub(super) use characteristics;
