//! Notation of the numbers in a table: the mark in front of the fraction, and the marks between groups of
//! digits. It is decided once for the whole table, from the numbers in the first lines.

use std::ops::Deref;

use super::super::shape;
use super::column_map::{typed, Entry, Field};
use crate::error::ensure;

const DOT: u8 = b'.';
const COMMA: u8 = b',';
/// Longest number with marks that is read.
const DIGITS_MAX: usize = 48;
const OPEN: &str =
    "a number with a certain decimal mark (add decimal=comma or decimal=dot to the map of columns)";
const NO_COMMA: &str =
    "a number with a decimal point as in the lines before (if commas are decimal marks, add decimal=comma to the map of columns)";
const NO_DOT: &str =
    "a number with a decimal comma as in the lines before (if dots are decimal marks, add decimal=dot to the map of columns)";
/// Words for the marks between groups of digits, in the order of their bits in a set of marks. The bit
/// behind theirs stands for a decimal comma.
const GROUPED_BY: [&str; 4] = ["commas", "dots", "blanks", "apostrophes"];
const DECIMAL_COMMA: u8 = 1 << GROUPED_BY.len();

/// A number without marks between its digits, and with a decimal point.
pub(super) struct Plain {
    text: [u8; DIGITS_MAX],
    length: usize,
    /// The set of marks in the number as it was written.
    marks: u8,
}

impl Deref for Plain {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.text[..self.length]
    }
}

impl Plain {
    /// Reads a number with the decimal mark `decimal`; `None` for a word that is no such number. A group
    /// has three digits, the first one to three, of which the first is not 0.
    pub fn read(word: &[u8], decimal: u8) -> Option<Self> {
        let mut plain = Self { text: [0; DIGITS_MAX], length: 0, marks: 0 };
        let (mut digits, mut group, mut has_fraction) = (0, None, false);
        let is_group_full = |digits: usize, group: Option<u8>| group.is_none() || digits == 3;
        let mut rest = word;
        while let Some((&byte, behind)) = rest.split_first() {
            if byte.is_ascii_digit() {
                digits += 1;
                plain.push(byte)?;
                rest = behind;
            } else if matches!(byte, b'e' | b'E') && group.is_none() && digits > 0 {
                let power = behind.strip_prefix(b"-").or(behind.strip_prefix(b"+")).unwrap_or(behind);
                ensure_that(!power.is_empty() && power.iter().all(u8::is_ascii_digit))?;
                rest.iter().try_for_each(|byte| plain.push(*byte))?;
                return Some(plain);
            } else if byte == decimal && !has_fraction {
                ensure_that(is_group_full(digits, group))?;
                has_fraction = true;
                plain.marks |= if byte == COMMA { DECIMAL_COMMA } else { 0 };
                plain.push(DOT)?;
                rest = behind;
            } else {
                let (mark, length) = group_mark(rest, decimal).filter(|_| !has_fraction)?;
                let is_first = group.is_none() && (1..=3).contains(&digits) && plain.text[0] != b'0';
                ensure_that(is_first || group == Some(mark) && digits == 3)?;
                group = Some(mark);
                plain.marks |= mark;
                digits = 0;
                rest = &rest[length..];
            }
        }
        let ends = plain.last().is_some_and(u8::is_ascii_digit);
        (ends && (has_fraction || is_group_full(digits, group))).then_some(plain)
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.text.get_mut(self.length)? = byte;
        self.length += 1;
        Some(())
    }

    /// The digits in front of the fraction.
    pub fn whole(&self) -> &[u8] {
        self.split(|byte| *byte == DOT).next().unwrap_or_default()
    }

    /// True if the number has no fraction, or one of zeros.
    pub fn is_whole(&self) -> bool {
        self[self.whole().len()..].iter().all(|byte| matches!(byte, b'.' | b'0'))
    }
}

fn ensure_that(is_so: bool) -> Option<()> {
    is_so.then_some(())
}

/// The mark between groups of digits with which `text` begins, as its bit in a set of marks, and the number
/// of its bytes. Blanks are also the narrow ones and those without a line break, in UTF-8 or Latin-1.
fn group_mark(text: &[u8], decimal: u8) -> Option<(u8, usize)> {
    Some(match text {
        [COMMA, ..] if decimal != COMMA => (1, 1),
        [DOT, ..] if decimal != DOT => (1 << 1, 1),
        [b' ' | 0xa0, ..] => (1 << 2, 1),
        [0xc2, 0xa0, ..] => (1 << 2, 2),
        [0xe2, 0x80, 0x87 | 0x89 | 0xaf, ..] => (1 << 2, 3),
        [b'\'', ..] => (1 << 3, 1),
        [0xe2, 0x80, 0x99, ..] => (1 << 3, 3),
        _ => return None,
    })
}

/// Reads a number in any notation; `None` for a word that is no number.
pub(super) fn any_number(word: &[u8]) -> Option<Plain> {
    Plain::read(word, DOT).or_else(|| Plain::read(word, COMMA))
}

/// True if a word is a number in any notation.
pub(super) fn is_number(word: &[u8]) -> bool {
    shape::is_number(word) || any_number(word).is_some()
}

/// The decimal mark that a number shows.
enum Vote {
    For(u8),
    /// The number with this mark has a value with either decimal mark.
    Open(u8),
}

/// The notation of the numbers in a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notation {
    /// The decimal mark; 0 as long as no number has one.
    decimal: u8,
    /// True if the user or a number tells the decimal mark; false if it is the usual one.
    is_certain: bool,
    separator: u8,
    /// Sets of the marks that were read, and of those that a remark names.
    marks: u8,
    named: u8,
}

impl Default for Notation {
    fn default() -> Self {
        Self { decimal: DOT, is_certain: false, separator: COMMA, marks: 0, named: 0 }
    }
}

impl Notation {
    /// Decides the notation of a table from the words in each of its columns in the first lines, which `words` returns;
    /// an error message if the numbers leave it open.
    pub fn of<'a>(
        separator: u8,
        words: impl Fn(usize) -> Vec<&'a [u8]>,
        columns: &[(usize, Entry)],
        said: &[Entry],
    ) -> Result<Self, String> {
        let mut notation = Self { decimal: 0, separator, ..Self::default() };
        let numbers = || {
            let numeric = columns.iter().filter(|(_, entry)| entry.field.is_number());
            numeric.flat_map(|(at, entry)| words(*at).into_iter().map(move |word| (entry, word)))
        };
        let (mut dots, mut commas, mut open) = (0, 0, [None; 2]);
        for (entry, word) in numbers() {
            match notation.vote(word, entry.field.is_count()) {
                Some(Vote::For(mark)) => *(if mark == DOT { &mut dots } else { &mut commas }) += 1,
                Some(Vote::Open(mark)) => {
                    open[usize::from(mark == COMMA)].get_or_insert((entry, word));
                }
                None => {}
            }
        }
        let is_usual = notation.usual();
        (notation.decimal, notation.is_certain) = match (decimal_of(said), open) {
            (Some(mark), _) => (mark, true),
            _ if dots + commas > 0 => (if dots >= commas { DOT } else { COMMA }, true),
            (None, [dot, comma]) => {
                let unusual = if is_usual == DOT { comma } else { dot };
                ensure!(unusual.is_none(), asked(unusual, said));
                let is_known = dot.or(comma).is_some() || separator == COMMA;
                (if is_known { is_usual } else { 0 }, false)
            }
        };
        for (_, word) in numbers() {
            notation.marks |= Plain::read(word, notation.decimal).map_or(0, |plain| plain.marks);
        }
        Ok(notation)
    }

    /// True if all numbers with a dot could also have groups of digits, and the table does not tell.
    pub fn is_open(&self) -> bool {
        self.decimal == DOT && !self.is_certain && self.separator != COMMA
    }

    /// The decimal mark that tables with this separator usually have.
    fn usual(&self) -> u8 {
        if self.separator == b';' {
            COMMA
        } else {
            DOT
        }
    }

    /// The decimal mark that a number shows. A count, such as a size, has no fraction.
    fn vote(&self, word: &[u8], is_count: bool) -> Option<Vote> {
        let has_comma = word.contains(&COMMA);
        if !has_comma && !word.contains(&DOT) {
            return None;
        }
        // A dot in a table separated by commas is a decimal point also where it does not belong.
        let has_fraction = !is_count || !has_comma && self.separator == COMMA;
        let fits = |decimal| Plain::read(word, decimal).is_some_and(|plain| has_fraction || plain.is_whole());
        match [fits(DOT), fits(COMMA)] {
            [true, true] => Some(Vote::Open(if has_comma { COMMA } else { DOT })),
            [true, false] => Some(Vote::For(DOT)),
            [false, true] => Some(Vote::For(COMMA)),
            [false, false] => None,
        }
    }

    /// True if a word need not be rewritten if it is a number with a decimal point, or without any mark.
    #[inline]
    pub fn is_plain(&self, word: &[u8]) -> bool {
        match self.decimal {
            DOT => self.marks == 0 || !word.contains(&COMMA),
            // Faster for short words than a search in large steps.
            _ => word.iter().all(|byte| !matches!(*byte, DOT | COMMA)),
        }
    }

    /// Replaces the decimal comma of a number without other marks by a point; `None` where a word has no comma,
    /// or commas are no decimal marks.
    #[inline]
    pub fn pointed(&mut self, word: &[u8]) -> Option<Plain> {
        let at = word.iter().position(|byte| *byte == COMMA)?;
        ensure_that(self.decimal == COMMA && self.is_certain)?;
        let mut plain = Plain { text: [0; DIGITS_MAX], length: word.len(), marks: 0 };
        plain.text.get_mut(..word.len())?.copy_from_slice(word);
        plain.text[at] = DOT;
        self.marks |= DECIMAL_COMMA;
        Some(plain)
    }

    /// Rewrites a number as a plain one; `None` for a word that is no number. Returns a description of
    /// valid numbers if the number contradicts the notation, or has a value in either notation.
    pub fn plain(&mut self, word: &[u8], is_count: bool) -> Result<Option<Plain>, &'static str> {
        if !self.is_certain {
            match self.vote(word, is_count) {
                Some(Vote::For(mark)) if self.decimal == 0 => (self.decimal, self.is_certain) = (mark, true),
                Some(Vote::Open(mark)) => {
                    ensure!(mark == if self.decimal == 0 { self.usual() } else { self.decimal }, OPEN);
                    self.decimal = mark;
                }
                _ => {}
            }
        }
        let plain = Plain::read(word, self.decimal);
        let other = if self.decimal == COMMA { DOT } else { COMMA };
        let is_known = plain.is_some() || self.decimal == 0 || Plain::read(word, other).is_none();
        ensure!(is_known, if other == DOT { NO_DOT } else { NO_COMMA });
        self.marks |= plain.as_ref().map_or(0, |plain| plain.marks);
        Ok(plain)
    }

    /// Returns a remark on the marks that were read since the last remark; `None` if there is nothing to say.
    pub fn remark(&mut self) -> Option<String> {
        let marks = self.marks & !self.named;
        self.named |= marks;
        let groups: Vec<&str> =
            (0..GROUPED_BY.len()).filter(|bit| marks >> bit & 1 == 1).map(|bit| GROUPED_BY[bit]).collect();
        let comma = (marks & DECIMAL_COMMA > 0).then(|| "a decimal comma".to_owned());
        let groups = (!groups.is_empty()).then(|| format!("digits grouped by {}", groups.join(" and ")));
        let said: Vec<String> = comma.into_iter().chain(groups).collect();
        (!said.is_empty()).then(|| format!("numbers have {}", said.join(" and ")))
    }
}

/// The decimal mark that the user's map gives, if any.
fn decimal_of(said: &[Entry]) -> Option<u8> {
    let entry = said.iter().find(|entry| entry.field == Field::Decimal)?;
    Some(if entry.column == "comma" { COMMA } else { DOT })
}

/// The error message that asks for the decimal mark, for a number in the column of `entry` that has a value
/// with either mark.
fn asked(open: Option<(&Entry, &[u8])>, said: &[Entry]) -> String {
    let Some((Entry { column, .. }, word)) = open else { return String::new() };
    let add = |mark: u8, name: &str| {
        let decimal = Entry { field: Field::Decimal, column: name.to_owned(), meaning: Default::default() };
        let map = typed(&said.iter().chain([&decimal]).cloned().collect::<Vec<_>>());
        let plain = Plain::read(word, mark);
        let value = plain.as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        format!("--map {map} if it is {value}")
    };
    format!(
        "expected numbers with a certain decimal mark, found {:?} in the column {column:?}: add {}, or {}",
        String::from_utf8_lossy(word),
        add(COMMA, "comma"),
        add(DOT, "dot")
    )
}
