//! Parameters and options whose value is one of several names.

/// Declares an enum. Each value has a name, by which users select it, and a description in one line.
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $type:ident, $key:literal { $( $name:literal => $variant:ident, $about:literal; )+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "&'static str")]
        pub enum $type {
            $( #[doc = $about] $variant, )+
        }

        impl $type {
            /// The name and the description of each value.
            pub const ALL: &'static [(&'static str, &'static str)] = &[ $( ($name, $about), )+ ];
        }

        impl TryFrom<String> for $type {
            type Error = $crate::error::Error;
            fn try_from(name: String) -> $crate::error::Result<Self> {
                $( if $crate::error::normalise(&name) == $crate::error::normalise($name) { return Ok(Self::$variant); } )+
                Err($crate::error::unknown_name($key, &name, Self::ALL.iter().map(|(known, _)| *known)))
            }
        }

        impl From<$type> for &'static str {
            fn from(value: $type) -> &'static str {
                match value { $( $type::$variant => $name, )+ }
            }
        }
    };
}

pub(crate) use choice;
