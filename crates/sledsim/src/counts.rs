//! Counts of devices and volumes for the summary of a run.

/// Names and meanings of counts.
pub type Counters = &'static [(&'static str, &'static str)];

/// Declares counts in the order of the summary, each by its name; the doc comment of each is its meaning in listings.
/// Counts that are known elsewhere, such as occupied space, are filled in when the rows are requested.
macro_rules! counts {
    ($(#[$doc:meta])* $all:ident { $( #[doc = $meaning:literal] $name:ident: $values:ty, )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct $all {
            $( #[doc = $meaning] pub $name: $values, )+
        }

        impl $all {
            /// Names and meanings.
            pub const COUNTERS: $crate::counts::Counters = &[ $( (stringify!($name), $meaning), )+ ];

            /// Names and values.
            pub fn rows(&self) -> Vec<(&'static str, f64)> {
                vec![ $( (stringify!($name), self.$name as f64), )+ ]
            }
        }
    };
}

pub(crate) use counts;
