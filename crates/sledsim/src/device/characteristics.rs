//! What a device can do, as the figures of a data sheet.

/// Declares the figures once: the struct, and its fields as pairs of name and value.
macro_rules! characteristics {
    ($(#[doc = $about:literal])+ $all:ident; $( $(#[doc = $doc:literal])+ $name:ident: $type:ident; )+) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $all {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        impl $all {
            /// What every figure means, by its name.
            pub const MEANINGS: &'static [(&'static str, &'static str)] =
                &[ $( (stringify!($name), concat!($($doc,)+)), )+ ];

            /// Every figure by its name, in the order in which they are shown.
            #[must_use]
            pub fn figures(&self) -> Vec<(&'static str, $crate::device::Figure)> {
                vec![ $( (stringify!($name), $crate::device::Figure::from(self.$name)), )+ ]
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
