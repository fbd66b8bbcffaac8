//! What devices and volumes count for the summary of a run.

/// Declares counts in the order of the summary, where each goes by its name. What is known elsewhere, as how much lies
/// where, is filled in when the rows are asked for.
macro_rules! counts {
    ($(#[$doc:meta])* $all:ident { $( $(#[$about:meta])* $name:ident: $values:ty, )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct $all {
            $( $(#[$about])* pub $name: $values, )+
        }

        impl $all {
            /// Names and values.
            pub fn rows(&self) -> Vec<(&'static str, f64)> {
                vec![ $( (stringify!($name), self.$name as f64), )+ ]
            }
        }
    };
}

pub(crate) use counts;
