//! Energy in joules by use and time.

mod over_time;

use std::ops::{AddAssign, SubAssign};

use crate::time::Span;
pub use over_time::EnergyOverTime;

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

            /// Values of the accounts, in the order of the names.
            #[must_use]
            pub fn values(&self) -> [f64; Self::NAMES.len()] {
                [$( self.$account, )*]
            }

            /// The accounts with their names.
            #[must_use]
            pub fn accounts(&self) -> Vec<(&'static str, f64)> {
                Self::NAMES.iter().copied().zip(self.values()).collect()
            }

            /// A part of each account, and the rest.
            #[must_use]
            pub fn split(&self, part: f64) -> (Self, Self) {
                let taken = Self { $( $account: part * self.$account, )* };
                (taken, Self { $( $account: self.$account - taken.$account, )* })
            }

            /// The total of all accounts.
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
    /// Energy of the service of a request.
    ServiceEnergy;
    /// Energy of actuators that move the sled: positioning, and switches between rows.
    seek_j, "seek";
    /// Energy of actuators while the sled only settles.
    settle_j, "settle";
    /// Energy of actuators that keep the sled on its column: while rows pass, and while it waits for the bus.
    actuation_j, "actuation";
    /// Energy of tips that read or write.
    tips_j, "tips";
    /// Energy of the electronics, apart from the sled; all energy of devices without a sled.
    electronics_j, "electronics";
    /// Energy of waking up.
    startup_j, "startup";
}

ledger! {
    /// Energy of idle time.
    IdleEnergy;
    /// Energy while ready for the next request.
    idle_j, "idle";
    /// Energy of going to rest.
    shutdown_j, "shutdown";
    /// Energy at rest.
    inactive_j, "inactive";
}

/// Names of all uses of energy, as users see them; services come first.
pub const USES: &[&str] = {
    const SERVICE: &[&str] = ServiceEnergy::NAMES;
    const IDLE: &[&str] = IdleEnergy::NAMES;
    &[SERVICE[0], SERVICE[1], SERVICE[2], SERVICE[3], SERVICE[4], SERVICE[5], IDLE[0], IDLE[1], IDLE[2]]
};

/// An idle time: its parts, one after the other, and their energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IdleTime {
    /// Time of work of the device for itself.
    pub working: Span,
    /// Energy of that work, which counts with the next request.
    pub work: ServiceEnergy,
    /// Time while ready for the next request.
    pub ready: Span,
    /// Time of going to rest, until at rest or until a request arrives.
    pub stopping: Span,
    /// Time for which the device is at rest.
    pub at_rest: Span,
    /// Energy of the idle time's parts.
    pub energy: IdleEnergy,
    /// Energy in joules of the rest of the way to rest at the arrival of a request, which waits for it; the
    /// electronics count with the request.
    pub left_j: f64,
}

impl IdleTime {
    /// A time in which the device stays ready, at a power in watts.
    #[must_use]
    pub fn ready(lasts: Span, power_w: f64) -> Self {
        let energy = IdleEnergy { idle_j: power_w * lasts.as_s(), ..IdleEnergy::default() };
        Self { ready: lasts, energy, ..Self::default() }
    }

    /// The idle time, ended by a request: all of the way to rest counts.
    #[must_use]
    pub fn until_request(mut self) -> Self {
        self.energy.shutdown_j += std::mem::take(&mut self.left_j);
        self
    }

    /// Duration and joules of each part.
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
