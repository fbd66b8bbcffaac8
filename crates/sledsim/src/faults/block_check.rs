//! Check over the data of a whole block, which detects blocks that the code over tips has corrected
//! wrongly.

use crate::choice::choice;

choice! {
    /// Check over the data of a block.
    BlockCheck, "block_check" {
        "none" => None, "no check of blocks: the results of the codes over tips and in tip sectors are accepted";
        "crc32c" => Crc32c, "32 check bits over the data of a block, in additional tip sectors; Castagnoli's polynomial 0x1edc6f41";
    }
}

/// Castagnoli's polynomial, with its bits in reverse order.
const POLYNOMIAL: u32 = 0x82f6_3b78;

impl BlockCheck {
    /// Number of bytes that the check adds to a block.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::None => 0,
            Self::Crc32c => 4,
        }
    }

    /// Probability that the check accepts a block of random bytes.
    #[must_use]
    pub fn miss(self) -> f64 {
        libm::exp2(-8.0 * self.bytes() as f64)
    }

    /// Returns the check bytes of `data`, with the lowest byte first.
    #[must_use]
    pub fn check(self, data: &[u8]) -> Vec<u8> {
        if self == Self::None {
            return Vec::new();
        }
        let mut rest = u32::MAX;
        for byte in data {
            rest ^= u32::from(*byte);
            for _ in 0..8 {
                rest = rest >> 1 ^ if rest & 1 == 1 { POLYNOMIAL } else { 0 };
            }
        }
        (!rest).to_le_bytes().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are CRC-32C of the digits 1 to 9 from the CRC catalogue, and of 32 bytes
    /// of zeroes and of ones from iSCSI (RFC 3720).
    #[test]
    fn checks_are_those_of_the_catalogue() {
        let of = |data: &[u8]| BlockCheck::Crc32c.check(data);
        assert_eq!(of(b"123456789"), 0xe306_9283_u32.to_le_bytes());
        assert_eq!(of(&[0; 32]), 0x8a91_36aa_u32.to_le_bytes());
        assert_eq!(of(&[0xff; 32]), 0x62a8_ab43_u32.to_le_bytes());
        assert!(BlockCheck::None.check(b"123456789").is_empty());
    }
}
