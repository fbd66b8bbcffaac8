//! What devices count, for the summary of a run.

/// Declares what a device counts.
macro_rules! counts {
    ($(#[doc = $about:literal])+ $all:ident; $( $(#[doc = $doc:literal])* $count:ident, )+) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct $all {
            $( $(#[doc = $doc])* pub $count: u64, )+
        }

        impl $all {
            /// Each with its name.
            pub fn named(&self) -> Vec<(&'static str, f64)> {
                vec![ $( (stringify!($count), self.$count as f64), )+ ]
            }
        }
    };
}

pub(crate) use counts;
