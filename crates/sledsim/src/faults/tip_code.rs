//! Code over the tips of a block, in three parts: a Reed-Solomon code across the tips, a check in
//! each tip sector (001-F21), and a check over the block.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{BlockCheck, Detection, ReedSolomon};
use crate::error::{ensure, fault, Result};

/// Maximum number of tips of a block, for data and checks together: a Reed-Solomon code over bytes
/// has at most 255 symbols.
pub const TIPS_MAX: u64 = 255;

/// Code over the tips of a block. Codeword `j` consists of byte `j` of each tip sector, so a tip
/// holds one symbol of each codeword.
#[derive(Clone, Debug)]
pub struct TipCode {
    data_tips: usize,
    check_tips: usize,
    sector_bytes: usize,
    detection: Detection,
    block_check: BlockCheck,
    code: ReedSolomon,
}

/// Result of decoding a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Data of the block; `None` if the block is lost.
    pub data: Option<Vec<u8>>,
    /// Indices of the tip sectors that were missing, or whose own check was wrong.
    pub erased: Vec<usize>,
    /// Indices of the other tip sectors in which the code across the tips found errors.
    pub wrong: Vec<usize>,
}

/// Numbers of blocks that were read correctly, lost, or read wrongly, in a trial with damaged
/// blocks of known data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// Number of damaged blocks that were read.
    pub patterns: u64,
    /// Number of blocks that were read correctly.
    pub recovered: u64,
    /// Number of blocks that were detected as lost.
    pub lost: u64,
    /// Number of blocks that were read wrongly, without an error being detected.
    pub silent: u64,
}

impl TipCode {
    /// Creates the code of a block. The block has `data_tips` tips with `sector_bytes` data bytes
    /// each, tips for `block_check`, and `check_tips` tips for the Reed-Solomon code across the
    /// tips.
    ///
    /// # Errors
    /// `data_tips` or `sector_bytes` is 0, or a code over bytes cannot cover all the tips.
    pub fn new(
        data_tips: u64,
        check_tips: u64,
        sector_bytes: u64,
        detection: Detection,
        block_check: BlockCheck,
    ) -> Result<Self> {
        ensure!(
            data_tips > 0 && sector_bytes > 0,
            "data_tips = {data_tips}, sector_bytes = {sector_bytes}: expected at least 1 for both values"
        );
        let block_tips = (block_check.bytes() as u64).div_ceil(sector_bytes);
        let carrying = data_tips.saturating_add(block_tips);
        if carrying.saturating_add(check_tips) > TIPS_MAX {
            let beside = if block_tips == 0 {
                String::new()
            } else {
                format!(" and {block_tips} tips of block_check")
            };
            return fault(format!(
                "check_tips = {check_tips} with data_tips = {data_tips}{beside}: a Reed-Solomon code of bytes covers at most {TIPS_MAX} tips: expected check_tips of at most {}",
                TIPS_MAX.saturating_sub(carrying)
            ));
        }
        let [data_tips, check_tips, sector_bytes] =
            [data_tips, check_tips, sector_bytes].map(|count| count as usize);
        let code = ReedSolomon::new(check_tips);
        Ok(Self { data_tips, check_tips, sector_bytes, detection, block_check, code })
    }

    /// Number of tips of a block: for data, for the check over the block, and for the code across
    /// the tips.
    #[must_use]
    pub fn tips(&self) -> usize {
        self.carrying_tips() + self.check_tips
    }

    /// Number of tips for data and for the check over the block, which the code across the tips
    /// protects.
    fn carrying_tips(&self) -> usize {
        self.data_tips + self.block_check.bytes().div_ceil(self.sector_bytes)
    }

    /// Number of data bytes in a block.
    #[must_use]
    pub fn block_bytes(&self) -> usize {
        self.data_tips * self.sector_bytes
    }

    /// Number of bytes in a tip sector, including its check.
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        self.sector_bytes + self.detection.bytes()
    }

    /// Pairs of a number of erasures and the maximum number of additional errors that the code
    /// corrects.
    #[must_use]
    pub fn correctable(&self) -> Vec<(usize, usize)> {
        (0..=self.check_tips).map(|erasures| (erasures, (self.check_tips - erasures) / 2)).collect()
    }

    /// Computes the tip sectors of a block, each including its check.
    ///
    /// # Panics
    /// If the length of `data` is not that of a block.
    #[must_use]
    pub fn encode(&self, data: &[u8]) -> Vec<Vec<u8>> {
        assert_eq!(data.len(), self.block_bytes(), "data of a block");
        let carrying = self.carrying_tips();
        let mut carried = data.to_vec();
        carried.extend(self.block_check.check(data));
        carried.resize(carrying * self.sector_bytes, 0);
        let mut sectors: Vec<Vec<u8>> = carried.chunks(self.sector_bytes).map(<[u8]>::to_vec).collect();
        sectors.resize(self.tips(), vec![0; self.sector_bytes]);
        for byte in 0..self.sector_bytes {
            let checks = self.code.checks_of(sectors[..carrying].iter().map(|sector| sector[byte]));
            for (sector, check) in sectors[carrying..].iter_mut().zip(checks) {
                sector[byte] = check;
            }
        }
        for sector in &mut sectors {
            let check = self.detection.check(sector);
            sector.extend(check);
        }
        sectors
    }

    /// Reads a block from its tip sectors; a missing tip sector is `None`.
    ///
    /// A wrong tip sector counts as one error. The block is lost if all codewords together find
    /// more wrong tips than the code can correct, even if each codeword is correctable alone. It is
    /// also lost if the check over the corrected block fails.
    #[must_use]
    pub fn decode(&self, sectors: &[Option<Vec<u8>>]) -> Decoded {
        let is_whole = |sector: &&[u8]| {
            let (data, check) = sector.split_at(self.sector_bytes);
            self.detection.check(data) == check
        };
        let read: Vec<Option<&[u8]>> =
            sectors.iter().map(|sector| sector.as_deref().filter(is_whole)).collect();
        let erased: Vec<usize> = (0..read.len()).filter(|tip| read[*tip].is_none()).collect();
        let lost = |erased, wrong| Decoded { data: None, erased, wrong };
        if erased.len() > self.check_tips {
            return lost(erased, Vec::new());
        }
        let carrying = self.carrying_tips();
        let (mut data, mut wrong) = (vec![0; carrying * self.sector_bytes], Vec::new());
        for byte in 0..self.sector_bytes {
            let mut word: Vec<u8> =
                read.iter().map(|sector| sector.map_or(0, |sector| sector[byte])).collect();
            let Some(found) = self.code.correct(&mut word, &erased) else { return lost(erased, wrong) };
            wrong.extend(found);
            for (tip, symbol) in word[..carrying].iter().enumerate() {
                data[tip * self.sector_bytes + byte] = *symbol;
            }
        }
        wrong.sort_unstable();
        wrong.dedup();
        if erased.len() + 2 * wrong.len() > self.check_tips {
            return lost(erased, wrong);
        }
        let check = data.split_off(self.block_bytes());
        if !check.starts_with(&self.block_check.check(&data)) {
            return lost(erased, wrong);
        }
        Decoded { data: Some(data), erased, wrong }
    }

    /// Writes a random block, removes the tip sectors with the indices `missing`, overwrites those
    /// with the indices `wrong` by random bytes, reads the block, and adds the result to `trial`.
    pub fn attempt(&self, missing: &[usize], wrong: &[usize], random: &mut impl Rng, trial: &mut Trial) {
        let mut data = vec![0; self.block_bytes()];
        random.fill_bytes(&mut data);
        let mut sectors: Vec<Option<Vec<u8>>> = self.encode(&data).into_iter().map(Some).collect();
        for tip in wrong {
            let sector = sectors[*tip].as_mut().expect("no tip sector is missing yet");
            let before = sector.clone();
            while *sector == before {
                random.fill_bytes(sector);
            }
        }
        missing.iter().for_each(|tip| sectors[*tip] = None);
        trial.patterns += 1;
        match self.decode(&sectors).data {
            None => trial.lost += 1,
            Some(found) if found == data => trial.recovered += 1,
            Some(_) => trial.silent += 1,
        }
    }

    /// Tries the code on `patterns` random blocks: in each, removes `missing` tip sectors and
    /// overwrites `wrong` others. `seed` is the seed of the random numbers.
    ///
    /// # Errors
    /// `missing` and `wrong` together exceed the number of tips of a block.
    pub fn trial(&self, missing: usize, wrong: usize, patterns: u64, seed: u64) -> Result<Trial> {
        ensure!(
            missing.saturating_add(wrong) <= self.tips(),
            "missing = {missing} and wrong = {wrong}: expected a sum of at most the {} tips of a block",
            self.tips()
        );
        let mut random = Pcg64::seed_from_u64(seed);
        let mut tips: Vec<usize> = (0..self.tips()).collect();
        let mut trial = Trial::default();
        for _ in 0..patterns {
            for at in 0..missing + wrong {
                let other = random.random_range(at..tips.len());
                tips.swap(at, other);
            }
            let (gone, others) = tips.split_at(missing);
            self.attempt(gone, &others[..wrong], &mut random, &mut trial);
        }
        Ok(trial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries each single tip and each pair of tips of a block of osdi00, missing or overwritten,
    /// with codes of four, two and one check tips: more than 50,000 cases.
    #[test]
    fn one_and_two_failed_tips_are_masked_within_the_power_of_the_code() {
        let mut random = Pcg64::seed_from_u64(7);
        let mut all = 0;
        for (checks, detection, rounds) in [
            (4, Detection::Crc16, 8),
            (4, Detection::None, 6),
            (2, Detection::Crc16, 6),
            (2, Detection::Crc32, 6),
            (1, Detection::Crc32, 10),
        ] {
            let code = TipCode::new(64, checks, 8, detection, BlockCheck::None).unwrap();
            let is_error = |erasure: bool| !erasure && detection == Detection::None;
            let mut trial = Trial::default();
            for round in 0..rounds {
                let missing = round % 2 == 0;
                let power = if is_error(missing) { checks / 2 } else { checks };
                for first in 0..code.tips() {
                    let pairs = (first..code.tips()).filter(|second| power >= 2 || *second == first);
                    for second in pairs {
                        let tips = if second == first { vec![first] } else { vec![first, second] };
                        let (gone, wrong): (&[usize], &[usize]) =
                            if missing { (&tips, &[]) } else { (&[], &tips) };
                        code.attempt(gone, wrong, &mut random, &mut trial);
                    }
                }
            }
            // A check of 16 bits accepts 2^-16 of the overwritten tip sectors. An accepted one is
            // corrected as an error if two check tips remain for it, and detected as lost if only
            // one remains.
            assert_eq!((trial.recovered + trial.lost, trial.silent), (trial.patterns, 0));
            assert!(trial.lost <= 2, "{checks} {detection:?}: {trial:?}");
            all += trial.patterns;
        }
        assert!(all > 50_000, "{all}");
    }

    /// Checks that errors beyond the capability of the code are detected: by the number of erasures
    /// or, without checks in tip sectors, because the codewords of a block find different wrong
    /// tips.
    #[test]
    fn losses_beyond_the_power_of_the_code_are_detected() {
        for (checks, detection, missing, wrong) in [
            (1, Detection::Crc16, 2, 0),
            (1, Detection::None, 2, 0),
            (2, Detection::Crc16, 3, 0),
            (2, Detection::Crc16, 0, 3),
            (2, Detection::None, 0, 2),
            (3, Detection::None, 1, 2),
            (4, Detection::Crc16, 3, 2),
            (4, Detection::None, 0, 3),
        ] {
            let code = TipCode::new(64, checks, 8, detection, BlockCheck::None).unwrap();
            let trial = code.trial(missing, wrong, 2000, 11).unwrap();
            assert_eq!(trial, Trial { patterns: 2000, recovered: 0, lost: 2000, silent: 0 });
        }
    }

    /// Checks a block in which the missing tips use up all check tips and one more tip sector is
    /// overwritten. The check in this tip sector misses the error in one of 256 cases. The check
    /// over the block detects it then, and also if tip sectors have no checks.
    #[test]
    fn no_loss_is_silent_where_the_block_has_a_check() {
        let (missing, wrong, patterns) = (2, 1, 50_000);
        for detection in [Detection::Crc8, Detection::None] {
            let made = |block_check| TipCode::new(16, 2, 8, detection, block_check).unwrap();
            let without = made(BlockCheck::None).trial(missing, wrong, patterns, 23).unwrap();
            let expected = patterns as f64 * detection.miss();
            assert!((without.silent as f64 - expected).abs() <= 5.0 * libm::sqrt(expected), "{without:?}");
            let with = made(BlockCheck::Crc32c).trial(missing, wrong, patterns, 29).unwrap();
            assert_eq!((with.lost, with.silent), (patterns, 0), "{detection:?}");
        }
    }

    #[test]
    fn as_many_as_it_says_are_correctable() {
        for checks in 0..=6 {
            let code = TipCode::new(20, checks, 3, Detection::None, BlockCheck::Crc32c).unwrap();
            for (erasures, errors) in code.correctable() {
                let trial = code.trial(erasures, errors, 50, 13).unwrap();
                assert_eq!(trial.recovered, 50, "{checks}: {erasures} and {errors}");
                let beyond = code.trial(erasures, errors + 1, 50, 13).unwrap();
                assert_eq!(beyond.recovered, 0, "{checks}: {erasures} and {}", errors + 1);
            }
        }
    }

    #[test]
    fn all_tips_of_a_block_may_fail_and_no_more() {
        let code = TipCode::new(4, 2, 3, Detection::Crc32, BlockCheck::None).unwrap();
        for (missing, wrong) in [(6, 0), (0, 6), (3, 3)] {
            let trial = code.trial(missing, wrong, 10, 17).unwrap();
            assert_eq!(trial, Trial { patterns: 10, recovered: 0, lost: 10, silent: 0 });
        }
        let error = code.trial(3, 4, 10, 17).unwrap_err().to_string();
        assert_eq!(error, "missing = 3 and wrong = 4: expected a sum of at most the 6 tips of a block");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = TipCode::new(250, 6, 8, Detection::None, BlockCheck::None).unwrap_err().to_string();
        assert!(
            error.starts_with("check_tips = 6 with data_tips = 250:")
                && error.ends_with("expected check_tips of at most 5")
        );
        let error = TipCode::new(250, 5, 3, Detection::None, BlockCheck::Crc32c).unwrap_err().to_string();
        assert!(
            error.contains("data_tips = 250 and 2 tips of block_check:")
                && error.ends_with("expected check_tips of at most 3"),
            "{error}"
        );
        assert!(TipCode::new(0, 6, 8, Detection::None, BlockCheck::None).is_err());
    }

    #[test]
    fn tip_sectors_are_as_long_as_it_says() {
        for detection in [Detection::None, Detection::Crc8, Detection::Crc16, Detection::Crc32] {
            for (data_tips, sector_bytes) in [(1, 1), (16, 3), (64, 8)] {
                let code = TipCode::new(data_tips, 2, sector_bytes, detection, BlockCheck::Crc32c).unwrap();
                let sectors = code.encode(&vec![7; code.block_bytes()]);
                assert_eq!(sectors.len(), code.tips());
                assert!(sectors.iter().all(|sector| sector.len() == code.stored_bytes()), "{detection:?}");
            }
        }
    }
}
