//! Energy in joules, and what took it.

use std::ops::AddAssign;

/// Declares a ledger: each account once.
macro_rules! ledger {
    ($(#[doc = $about:literal])+ $name:ident; $( $(#[doc = $doc:literal])+ $account:ident, $label:literal; )*) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $account: f64, )*
        }

        impl $name {
            /// The accounts, as users see them.
            pub const NAMES: &'static [&'static str] = &[$( $label, )*];

            /// What stands in each account, in the order of the names.
            #[must_use]
            pub fn accounts(&self) -> Vec<(&'static str, f64)> {
                vec![$( ($label, self.$account), )*]
            }

            /// All of it.
            #[must_use]
            pub fn total_j(&self) -> f64 {
                0.0 $( + self.$account )*
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $( self.$account += other.$account; )*
            }
        }
    };
}

ledger! {
    /// What the service of a request takes.
    ServiceEnergy;
    /// Actuators that move the sled: positioning, and switches between rows.
    seek_j, "seek";
    /// Actuators while it does nothing but settle.
    settle_j, "settle";
    /// Actuators that keep it on its column: rows passing, and waiting for the bus.
    actuation_j, "actuation";
    /// Tips that read or write.
    tips_j, "tips";
    /// All that is not of the sled; the whole of devices without one.
    electronics_j, "electronics";
    /// Waking up.
    startup_j, "startup";
}

ledger! {
    /// What the time takes in which nothing is served.
    IdleEnergy;
    /// Ready for the next request.
    idle_j, "idle";
    /// Going to rest.
    shutdown_j, "shutdown";
    /// At rest.
    inactive_j, "inactive";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_closes() {
        let mut ledger = ServiceEnergy { seek_j: 1.0, tips_j: 0.5, ..ServiceEnergy::default() };
        ledger += ServiceEnergy { tips_j: 0.25, startup_j: 2.0, ..ServiceEnergy::default() };
        let accounts = ledger.accounts();
        assert_eq!(accounts.iter().map(|(_, joules)| joules).sum::<f64>(), ledger.total_j());
        assert_eq!(ledger.total_j(), 3.75);
        assert_eq!(accounts.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ServiceEnergy::NAMES);
    }
}
