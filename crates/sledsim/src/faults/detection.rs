//! Codes in tip sectors (vertical codes): check bits in a tip sector that detect its errors
//! (001-F21).

use crate::choice::choice;

choice! {
    /// Check at the end of each tip sector.
    Detection, "detection" {
        "none" => None, "no check of tip sectors: the code over tips alone detects errors";
        "crc8" => Crc8, "8 check bits, polynomial 0x07";
        "crc16" => Crc16, "16 check bits, CCITT's polynomial 0x1021; paper 001 also has 16 check bits for 8 data bytes";
        "crc32" => Crc32, "32 check bits, polynomial 0x04c11db7";
    }
}

impl Detection {
    /// Number of check bits, a multiple of 8, and the generator polynomial without its highest
    /// power.
    fn code(self) -> (u32, u32) {
        match self {
            Self::None => (0, 0),
            Self::Crc8 => (8, 0x07),
            Self::Crc16 => (16, 0x1021),
            Self::Crc32 => (32, 0x04c1_1db7),
        }
    }

    /// Number of bytes that the check adds to a tip sector.
    #[must_use]
    pub fn bytes(self) -> usize {
        self.code().0 as usize / 8
    }

    /// Probability that the check accepts a tip sector of random bytes.
    #[must_use]
    pub fn miss(self) -> f64 {
        libm::exp2(-f64::from(self.code().0))
    }

    /// Returns the check bytes of `data`, with the highest byte first. The register starts with
    /// ones, so that a tip sector of zeroes, which a dead tip may read, is detected as wrong.
    #[must_use]
    pub fn check(self, data: &[u8]) -> Vec<u8> {
        let (bits, polynomial) = self.code();
        if bits == 0 {
            return Vec::new();
        }
        let (top, mask) = (1_u64 << bits, (1_u64 << bits) - 1);
        let mut rest = mask;
        for byte in data {
            for bit in (0..8).rev() {
                let carry = (rest << 1 & top != 0) != (byte >> bit & 1 == 1);
                rest = rest << 1 & mask;
                if carry {
                    rest ^= u64::from(polynomial);
                }
            }
        }
        rest.to_be_bytes()[8 - self.bytes()..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are CRC-16/CCITT-FALSE and CRC-32/MPEG-2 of the digits 1 to 9, from the
    /// CRC catalogue.
    #[test]
    fn checks_are_those_of_the_catalogue() {
        assert_eq!(Detection::Crc16.check(b"123456789"), [0x29, 0xb1]);
        assert_eq!(Detection::Crc32.check(b"123456789"), [0x03, 0x76, 0xe6, 0xe7]);
        assert!(Detection::None.check(b"123456789").is_empty());
    }

    #[test]
    fn every_burst_as_long_as_the_check_is_found() {
        let data = [0x5a_u8, 3, 0, 255, 17, 1, 2, 9];
        for detection in [Detection::Crc8, Detection::Crc16] {
            let mut stored = data.to_vec();
            stored.extend(detection.check(&data));
            let bits = 8 * stored.len();
            for start in 0..=bits - 8 {
                for burst in 1..256_u32 {
                    let mut wrong = stored.clone();
                    for bit in 0..8 {
                        if burst >> bit & 1 == 1 {
                            wrong[(start + bit) / 8] ^= 0x80 >> ((start + bit) % 8);
                        }
                    }
                    let (data, check) = wrong.split_at(8);
                    assert_ne!(detection.check(data), check);
                }
            }
        }
    }
}
