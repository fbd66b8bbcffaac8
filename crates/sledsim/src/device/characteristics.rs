//! Characteristics of a device: figures as on a data sheet.

/// Declares the figures of the data sheet of a kind of device. Each figure has a meaning and an expression
/// for its value; the statements `given` define variables that several expressions use.
macro_rules! characteristics {
    (
        $(#[doc = $about:literal])+
        $device:ident, $this:ident, { $($given:tt)* }
        $( $(#[doc = $doc:literal])+ $name:ident: $value:expr; )+
    ) => {
        impl $device {
            /// Name and meaning of every figure.
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

/// The value of a figure of a data sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// A whole number, such as a number of blocks.
    Whole(u64),
    /// A real number, such as a time in seconds.
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
