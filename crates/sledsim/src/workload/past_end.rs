//! Rules for requests past the end of the device.

use crate::choice::choice;

choice! {
    /// The rule for requests past the end of the device.
    PastEnd, "past_end rule" {
        "error" => Error, "stops with an error";
        "wrap" => Wrap, "replaces an address by the address modulo the capacity";
        "squeeze" => Squeeze, "scales all addresses so that the highest address fits";
        "sleds" => Sleds, "adds sleds to the device until all addresses fit"; // 000-F19
    }
}

impl PastEnd {
    /// The first sector after this rule is applied to a request of `sectors` sectors from `sector`
    /// on, on a device of `capacity` sectors. `end` is the sector behind the highest one of the
    /// trace.
    ///
    /// The request must not be longer than the device.
    pub(super) fn place(self, sector: u64, sectors: u64, capacity: u64, end: u64) -> u64 {
        let last_start = capacity - sectors;
        match self {
            PastEnd::Error | PastEnd::Sleds => sector,
            PastEnd::Wrap if sector + sectors <= capacity => sector,
            PastEnd::Wrap => (sector % capacity).min(last_start),
            PastEnd::Squeeze if end <= capacity => sector,
            PastEnd::Squeeze => {
                let scaled = u128::from(sector) * u128::from(capacity) / u128::from(end);
                (scaled as u64).min(last_start)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wrapping_and_squeezing() {
        assert_eq!(PastEnd::Wrap.place(250, 10, 100, 260), 50);
        assert_eq!(PastEnd::Wrap.place(95, 10, 100, 260), 90);
        assert_eq!(PastEnd::Squeeze.place(130, 10, 100, 260), 50);
    }

    proptest! {
        #[test]
        fn what_is_placed_fits(sector in 0..1_u64 << 40, sectors in 1..1000_u64, capacity in 1000..1_u64 << 40) {
            for rule in [PastEnd::Wrap, PastEnd::Squeeze] {
                let at = rule.place(sector, sectors, capacity, sector + sectors);
                prop_assert!(at + sectors <= capacity);
            }
        }
    }
}
