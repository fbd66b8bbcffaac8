//! Detection of a text table's separator, its header, and the positions of its columns.

use std::ops::Range;

use super::super::shape::{is_number, whole_lines};
use super::calendar;

/// A text table, as recognised from the first lines of a file.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// Separator of the columns: a comma, semicolon, tab or (runs of) blanks.
    pub separator: u8,
    /// The header line; in a table without a header, the first line with a request.
    pub first: &'a [u8],
    /// True if `first` names the columns.
    pub has_header: bool,
    /// Names of the columns, from the header or from a comment immediately above the first line.
    pub names: Vec<String>,
    /// The first lines that hold requests.
    pub rows: Vec<&'a [u8]>,
}

impl<'a> Table<'a> {
    /// Detects the table at the start of a file; `None` if the file has no line.
    pub fn of(head: &'a [u8]) -> Option<Self> {
        let lines = whole_lines(head).split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| !line.is_empty());
        let first_at = lines.clone().position(|line| line[0] != b'#')?;
        let comment = lines.clone().take(first_at).last().map(|line| line.trim_ascii_start());
        let mut rows: Vec<&[u8]> = lines.skip(first_at).filter(|line| line[0] != b'#').collect();
        let first = rows[0];
        let separator = separator(first);
        let has_header = looks_like_header(first, separator);
        let names_of = |line: &[u8]| -> Vec<String> {
            words(line, separator).iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
        };
        let count = words(first, separator).len();
        let mut names = Vec::new();
        if has_header {
            rows.remove(0);
            names = names_of(first);
        } else if let Some(comment) = comment.map(|line| line.trim_ascii_start()) {
            let bare = comment.strip_prefix(b"#").unwrap_or(comment).trim_ascii();
            if looks_like_header(bare, separator) && words(bare, separator).len() == count {
                names = names_of(bare);
            }
        }
        Some(Self { separator, first, has_header, names, rows })
    }

    /// Treats the first line as a header if its value in the time column `column` is not a time.
    pub fn expect_time(&mut self, column: usize) {
        let time = self.first_row().get(column).copied().unwrap_or_default();
        if !self.has_header && !is_number(time) && !calendar::is_date(time) {
            self.has_header = true;
            self.rows.remove(0);
        }
    }

    /// The words of the first line that holds a request.
    pub fn first_row(&self) -> Vec<&'a [u8]> {
        self.rows.first().map(|row| words(row, self.separator)).unwrap_or_default()
    }

    /// The words in column `at` of the first lines that hold requests.
    pub fn column(&self, at: usize) -> Vec<&'a [u8]> {
        let word = |row: &&'a [u8]| words(row, self.separator).get(at).copied();
        self.rows.iter().filter_map(word).collect()
    }

    /// True if the first lines have the same number of columns, some of them numbers.
    pub fn is_regular(&self) -> bool {
        let counts = |row: &&[u8]| words(row, self.separator).len();
        let count = if self.names.is_empty() { self.first_row().len() } else { self.names.len() };
        let numbers = self.first_row().iter().filter(|word| is_number(word) || is_hexadecimal(word)).count();
        let marked = self.separator != b' ' || !self.names.is_empty();
        marked && count >= 3 && numbers >= 2 && self.rows.iter().take(3).all(|row| counts(row) == count)
    }
}

fn is_hexadecimal(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit))
}

/// The separator that most probably separates the columns of a line.
fn separator(line: &[u8]) -> u8 {
    let count = |separator: u8| line.iter().filter(|&&byte| byte == separator).count();
    let most = [b'|', b'\t', b';', b','].into_iter().max_by_key(|&separator| count(separator));
    most.filter(|&separator| count(separator) > 0).unwrap_or(b' ')
}

/// True if the words of a line are all names, none of them a number; the first may be empty, like the
/// heading of the index column of pandas.
fn looks_like_header(line: &[u8], separator: u8) -> bool {
    let words = words(line, separator);
    let is_name = |word: &&[u8]| word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let named = if words.first().is_some_and(|word| word.is_empty()) { &words[1..] } else { &words };
    named.len() >= 2 && named.iter().all(is_name)
}

fn words(line: &[u8], separator: u8) -> Vec<&[u8]> {
    let mut ranges = Vec::new();
    split(line, separator, usize::MAX, &mut ranges);
    ranges.into_iter().map(|range| &line[range]).collect()
}

/// Finds the first `count` columns of a line; their ranges exclude surrounding blanks and quotes.
pub(super) fn split(line: &[u8], separator: u8, count: usize, columns: &mut Vec<Range<usize>>) {
    columns.clear();
    let is_blank = |byte: &u8| *byte == b' ' || *byte == b'\t' && separator != b'\t';
    let mut at = 0;
    while columns.len() < count {
        while line.get(at).is_some_and(is_blank) {
            at += 1;
        }
        if separator == b' ' && at == line.len() {
            return;
        }
        let start = at;
        if line.get(at) == Some(&b'"') {
            at += 1;
            while line.get(at).is_some_and(|byte| *byte != b'"') {
                at += 1;
            }
        }
        let ends = |byte: &u8| if separator == b' ' { is_blank(byte) } else { *byte == separator };
        while line.get(at).is_some_and(|byte| !ends(byte)) {
            at += 1;
        }
        columns.push(bare(line, start..at));
        if at == line.len() {
            return;
        }
        at += 1;
    }
}

/// Shortens the range of a column by trailing blanks and by the quotes around the value.
fn bare(line: &[u8], column: Range<usize>) -> Range<usize> {
    let word = line[column.clone()].trim_ascii_end();
    let end = column.start + word.len();
    if word.len() >= 2 && word.starts_with(b"\"") && word.ends_with(b"\"") {
        column.start + 1..end - 1
    } else {
        column.start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str, separator: u8) -> Vec<String> {
        words(line.as_bytes(), separator)
            .into_iter()
            .map(|word| String::from_utf8(word.to_vec()).unwrap())
            .collect()
    }

    #[test]
    fn columns_are_split_at_separators_outside_of_quotes() {
        assert_eq!(texts("1, 2 ,3", b','), ["1", "2", "3"]);
        assert_eq!(texts("\"a,b\",\"\",,x y", b','), ["a,b", "", "", "x y"]);
        assert_eq!(texts("1;2;", b';'), ["1", "2", ""]);
        assert_eq!(texts("1\t\t2", b'\t'), ["1", "", "2"]);
        assert_eq!(texts("  1   2\t3  ", b' '), ["1", "2", "3"]);
        assert_eq!(texts("\"open", b','), ["\"open"]);
        assert_eq!(texts("", b','), [""]);
    }

    #[test]
    fn headers_and_separators_are_found() {
        for (head, separator, names) in [
            ("time,lba\n1,2\n", b',', vec!["time", "lba"]),
            ("time;lba;x,y\n1;2;3\n", b';', vec!["time", "lba", "x,y"]),
            ("# time lba\n1 2\n", b' ', vec!["time", "lba"]),
            ("# a comment of any length\n1 2\n", b' ', vec![]),
            ("1,2\n", b',', vec![]),
            ("a\tb\n", b'\t', vec!["a", "b"]),
        ] {
            let table = Table::of(head.as_bytes()).unwrap();
            assert_eq!(
                (table.separator, table.names),
                (separator, names.into_iter().map(str::to_owned).collect())
            );
        }
        assert!(Table::of(b"\n# only a comment\n").is_none());
    }
}
