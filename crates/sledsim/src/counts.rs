//! What devices and volumes count for the summary of a run.

/// Names and meanings of what is counted.
pub type Counters = &'static [(&'static str, &'static str)];

/// Declares counts in the order of the summary, where each goes by its name; the doc comment of each is its meaning, as
/// listings show it. What is known elsewhere, as how much lies where, is filled in when the rows are asked for.
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
