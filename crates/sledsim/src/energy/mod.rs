//! Energy accounts: the energies in joules of services and of idle time, by use.

mod over_time;

use std::ops::{AddAssign, SubAssign};

use crate::time::Span;
pub use over_time::EnergyOverTime;

/// Declares a struct of accounts of energy, each with its name.
macro_rules! ledger {
    ($(#[doc = $about:literal])+ $name:ident; $( $(#[doc = $doc:literal])+ $account:ident, $label:literal; )*) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $account: f64, )*
        }

        impl $name {
            /// Names of the accounts, as users see them.
            pub const NAMES: &'static [&'static str] = &[$( $label, )*];

            /// Energy of each account in joules, in the order of the names.
            #[must_use]
            pub fn values(&self) -> [f64; Self::NAMES.len()] {
                [$( self.$account, )*]
            }

            /// Name and energy in joules of each account.
            #[must_use]
            pub fn accounts(&self) -> Vec<(&'static str, f64)> {
                Self::NAMES.iter().copied().zip(self.values()).collect()
            }

            /// Splits the energy of every account into the fraction `part` (from 0 to 1) and the rest.
            #[must_use]
            pub fn split(&self, part: f64) -> (Self, Self) {
                let taken = Self { $( $account: part * self.$account, )* };
                (taken, Self { $( $account: self.$account - taken.$account, )* })
            }

            /// Total energy of all accounts in joules.
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

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                $( self.$account -= other.$account; )*
            }
        }
    };
}

ledger! {
    /// Energy of the service of a request in joules.
    ServiceEnergy;
    /// Energy of the actuators while they move the sled: during seeks, and during switches inside a request.
    seek_j, "seek";
    /// Energy of the actuators while the sled settles at the end of positioning.
    settle_j, "settle";
    /// Energy of the actuators that hold the sled on its cylinder while rows pass under the tips or the sled
    /// waits for the bus.
    actuation_j, "actuation";
    /// Energy of the tips that read or write.
    tips_j, "tips";
    /// Energy of the electronics. For devices without a sled, this account has the total energy.
    electronics_j, "electronics";
    /// Energy of the start-up.
    startup_j, "startup";
}

ledger! {
    /// Energy of idle time in joules.
    IdleEnergy;
    /// Energy while the device is ready for the next request, in joules.
    idle_j, "idle";
    /// Energy of the shutdown.
    shutdown_j, "shutdown";
    /// Energy while the device is at rest (shut down), in joules.
    inactive_j, "inactive";
}

/// Names of all energy accounts, as users see them: first the accounts of services, then those of idle time.
pub const USES: &[&str] = {
    const SERVICE: &[&str] = ServiceEnergy::NAMES;
    const IDLE: &[&str] = IdleEnergy::NAMES;
    &[SERVICE[0], SERVICE[1], SERVICE[2], SERVICE[3], SERVICE[4], SERVICE[5], IDLE[0], IDLE[1], IDLE[2]]
};

/// Consecutive phases of an idle time, and their energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IdleTime {
    /// Duration of background work of the device, such as cleaning.
    pub working: Span,
    /// Energy of the background work. The service of the next request includes this energy in its accounts.
    pub work: ServiceEnergy,
    /// Duration for which the device is ready for the next request.
    pub ready: Span,
    /// Duration of the shutdown in this idle time; the shutdown ends when the device is at rest or a request
    /// arrives.
    pub stopping: Span,
    /// Duration for which the device is at rest.
    pub at_rest: Span,
    /// Energy of the idle time; the energy of background work is not included.
    pub energy: IdleEnergy,
    /// Energy in joules that the rest of the shutdown takes if a request arrives before its end and waits for
    /// it. The energy of the electronics during this wait is in the accounts of the request.
    pub left_j: f64,
}

impl IdleTime {
    /// Creates an idle time in which the device stays ready at a power of `power_w` watts.
    #[must_use]
    pub fn ready(lasts: Span, power_w: f64) -> Self {
        let energy = IdleEnergy { idle_j: power_w * lasts.as_s(), ..IdleEnergy::default() };
        Self { ready: lasts, energy, ..Self::default() }
    }

    /// Returns the idle time if a request ends it. The energy then includes the shutdown that the request must
    /// wait for.
    #[must_use]
    pub fn until_request(mut self) -> Self {
        self.energy.shutdown_j += std::mem::take(&mut self.left_j);
        self
    }

    /// Duration, and energy in joules, of each phase: background work, ready, shutdown and rest.
    #[must_use]
    pub fn parts(&self) -> [(Span, f64); 4] {
        let [idle_j, shutdown_j, inactive_j] = self.energy.values();
        let work = (self.working, self.work.total_j());
        [work, (self.ready, idle_j), (self.stopping, shutdown_j), (self.at_rest, inactive_j)]
    }
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
        assert_eq!(USES, [ServiceEnergy::NAMES, IdleEnergy::NAMES].concat());
    }
}
