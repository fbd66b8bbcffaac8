//! Arithmetic in the finite field of 256 elements with the polynomial x^8 + x^4 + x^3 + x^2 + 1, in
//! which the powers of 2 are all nonzero elements.

/// Polynomial that defines the field, including the bit of x^8.
const POLYNOMIAL: u16 = 0x11d;
/// Number of nonzero elements of the field, which is the order of its multiplicative group.
pub(super) const ORDER: usize = 255;

const TABLES: ([u8; 2 * ORDER], [u8; 256]) = tables();
/// Powers of 2 in the field, listed twice in a row, so that the sum of two logarithms is a valid
/// index.
static POWERS: [u8; 2 * ORDER] = TABLES.0;
/// Logarithms to base 2 in the field; the entry of 0 is unused.
static LOGARITHMS: [u8; 256] = TABLES.1;

const fn tables() -> ([u8; 2 * ORDER], [u8; 256]) {
    let (mut powers, mut logarithms) = ([0; 2 * ORDER], [0; 256]);
    let (mut at, mut value) = (0, 1_u16);
    while at < ORDER {
        powers[at] = value as u8;
        powers[at + ORDER] = value as u8;
        logarithms[value as usize] = at as u8;
        value <<= 1;
        if value > 255 {
            value ^= POLYNOMIAL;
        }
        at += 1;
    }
    (powers, logarithms)
}

/// Product of two elements of the field.
#[inline]
pub(super) fn times(a: u8, b: u8) -> u8 {
    if a == 0 || b == 0 {
        return 0;
    }
    POWERS[usize::from(LOGARITHMS[usize::from(a)]) + usize::from(LOGARITHMS[usize::from(b)])]
}

/// Inverse of a nonzero element of the field.
#[inline]
pub(super) fn inverse(a: u8) -> u8 {
    POWERS[ORDER - usize::from(LOGARITHMS[usize::from(a)])]
}

/// The power of 2 in the field with the exponent `exponent`.
#[inline]
pub(super) fn power(exponent: usize) -> u8 {
    POWERS[exponent % ORDER]
}

/// Value of a polynomial over the field at `x`; its coefficients begin with the lowest power.
pub(super) fn value_at(polynomial: &[u8], x: u8) -> u8 {
    polynomial.iter().rev().fold(0, |sum, coefficient| times(sum, x) ^ coefficient)
}

/// Product of two polynomials over the field.
pub(super) fn product(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut product = vec![0; (a.len() + b.len()).saturating_sub(1)];
    for (i, left) in a.iter().enumerate() {
        for (j, right) in b.iter().enumerate() {
            product[i + j] ^= times(*left, *right);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Product of two elements of the field, computed bit by bit with carries.
    fn times_slowly(a: u8, b: u8) -> u8 {
        let (mut left, mut sum) = (u16::from(a), 0);
        for bit in 0..8 {
            if b >> bit & 1 == 1 {
                sum ^= left;
            }
            left <<= 1;
            if left > 255 {
                left ^= POLYNOMIAL;
            }
        }
        sum as u8
    }

    #[test]
    fn every_product_and_every_inverse() {
        for a in 0..=255 {
            for b in 0..=255 {
                assert_eq!(times(a, b), times_slowly(a, b));
            }
            assert!(a == 0 || times(a, inverse(a)) == 1);
        }
    }
}
