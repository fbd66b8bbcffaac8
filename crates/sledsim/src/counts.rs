//! Counts of devices and volumes in the summary of a run.

/// List of counts: name and meaning of each count.
pub type Counters = &'static [(&'static str, &'static str)];

/// Declares a struct of counts in the order of the summary. The doc comment of a count is its meaning in
/// listings. A count that another object keeps, such as the space in use, gets its value when `rows` is called.
macro_rules! counts {
    ($(#[$doc:meta])* $all:ident { $( #[doc = $meaning:literal] $name:ident: $values:ty, )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct $all {
            $( #[doc = $meaning] pub $name: $values, )+
        }

        impl $all {
            /// Names of the counts, each with its meaning.
            pub const COUNTERS: $crate::counts::Counters = &[ $( (stringify!($name), $meaning), )+ ];

            /// Names of the counts, each with its value.
            pub fn rows(&self) -> Vec<(&'static str, f64)> {
                vec![ $( (stringify!($name), self.$name as f64), )+ ]
            }
        }
    };
}

pub(crate) use counts;
