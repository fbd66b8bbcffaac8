//! Detection of a text table's separator, its header, and the positions of its columns.

use std::ops::Range;

use super::super::shape::whole_lines;
use super::calendar;
use super::column_map::Entry;
use super::notation::is_number;

/// Largest number of lines above the header of a table.
const TITLES_MAX: usize = 16;

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
    /// Number of lines above the header that are no part of the table.
    pub titles: usize,
}

impl<'a> Table<'a> {
    /// Detects the table at the start of a file, with the separator if it is known; `None` if the file has
    /// no line.
    pub fn of(head: &'a [u8], known: Option<u8>) -> Option<Self> {
        Self::behind(head, known, 0)
    }

    /// Detects the table that begins below some lines, if it begins with a header that `is_right`.
    pub fn below_titles(head: &'a [u8], known: Option<u8>, is_right: impl Fn(&Self) -> bool) -> Option<Self> {
        let is_right = |table: &Self| table.has_header && table.is_regular() && is_right(table);
        (1..=TITLES_MAX).map_while(|titles| Self::behind(head, known, titles)).find(is_right)
    }

    /// Detects the table that begins below `titles` lines, which are neither blank nor comments.
    fn behind(head: &'a [u8], known: Option<u8>, titles: usize) -> Option<Self> {
        let lines = whole_lines(head).split(|&byte| byte == b'\n');
        let lines = lines.filter(|line| !line.trim_ascii().is_empty());
        let is_entry = |line: &&[u8]| line.trim_ascii_start()[0] != b'#';
        let (first_at, _) = lines.clone().enumerate().filter(|(_, line)| is_entry(line)).nth(titles)?;
        let comment = lines.clone().take(first_at).last().map(|line| line.trim_ascii_start());
        let mut rows: Vec<&[u8]> = lines.skip(first_at).filter(is_entry).collect();
        let separator = known.unwrap_or_else(|| separator(rows[0].trim_ascii()));
        rows.iter_mut().for_each(|row| *row = bare_line(row, separator));
        let first = rows[0];
        let has_header = looks_like_header(first, separator);
        let names_of = |line: &[u8]| -> Vec<String> {
            without_empty_end(&words(line, separator)).iter().map(|word| text(word)).collect()
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
        Some(Self { separator, first, has_header, names, rows, titles })
    }

    /// Treats the first line as a header if its value in the time column `column` is not a time.
    pub fn expect_time(&mut self, column: usize) {
        let time = self.first_row().get(column).copied().unwrap_or_default();
        let is_time = is_number(time) || calendar::is_date(time) || calendar::is_time_of_day(time);
        if !self.has_header && !self.rows.is_empty() && !is_time {
            self.has_header = true;
            self.rows.remove(0);
        }
    }

    /// The word that stands for a column in a map: its name, or its number if the name has a separator of the map.
    pub fn in_map(&self, at: usize) -> String {
        let name = &self.names[at];
        if name.contains([',', ':']) {
            (at + 1).to_string()
        } else {
            name.clone()
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

    /// True if every line must have as many columns as there are names: the columns are named in the map or
    /// by their names, or some of the first lines have as many.
    pub fn has_named_columns(&self, columns: &[(usize, Entry)]) -> bool {
        let is_name = |entry: &Entry| self.names.iter().any(|name| name.eq_ignore_ascii_case(&entry.column));
        let is_such = |row: &&[u8]| words(row, self.separator).len() == self.names.len();
        !self.names.is_empty()
            && (columns.iter().any(|(_, entry)| is_name(entry)) || self.rows.iter().any(is_such))
    }

    /// True if most of the first lines have the same number of columns, some of them numbers.
    pub fn is_regular(&self) -> bool {
        let count = if self.names.is_empty() { self.first_row().len() } else { self.names.len() };
        let is_marked = self.separator != b' ' || !self.names.is_empty();
        let first: Vec<Vec<&[u8]>> =
            self.rows.iter().take(ROWS_LOOKED_AT).map(|row| words(row, self.separator)).collect();
        let regular: Vec<&Vec<&[u8]>> = first.iter().filter(|row| row.len() == count).collect();
        let has_numbers =
            |row: &&Vec<&[u8]>| row.iter().filter(|word| is_number(word) || is_code(word)).count() >= 2;
        let are_most = regular.len() == first.len() || regular.len() * 2 > first.len() && first.len() > 2;
        is_marked && count >= 3 && are_most && regular.first().is_some_and(has_numbers)
    }
}

/// Number of lines by which a table is recognised.
const ROWS_LOOKED_AT: usize = 8;

/// True if a word is a hexadecimal number, a date or a time.
fn is_code(word: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"-:/., TZ+".contains(byte);
    let marks = word.iter().filter(|byte| b"-:/.".contains(byte)).count();
    let is_clock = word.first().is_some_and(u8::is_ascii_digit) && marks >= 2 && word.iter().all(is_part);
    is_clock || is_hexadecimal(word)
}

fn is_hexadecimal(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit))
}

/// The separator that most probably separates the columns of a line. Commas within numbers separate nothing
/// if another separator does.
fn separator(line: &[u8]) -> u8 {
    let count = |separator: u8| words(line, separator).len().saturating_sub(1);
    let takes_commas = |separator: &u8| {
        let is_one = |word: &&[u8]| is_number(word) || !word.contains(&b',');
        count(*separator) >= 2 && words(line, *separator).iter().all(is_one)
    };
    let others = [b';', b'\t', b'|'];
    let blank = [b' '].into_iter().filter(|_| line.contains(&b','));
    let most = others
        .into_iter()
        .chain(blank)
        .find(takes_commas)
        .or_else(|| [b','].into_iter().chain(others).max_by_key(|&separator| count(separator)));
    most.filter(|&separator| count(separator) > 0).unwrap_or(b' ')
}

/// A line without surrounding blanks; a tab that separates columns remains.
fn bare_line(line: &[u8], separator: u8) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if separator != b'\t' {
        return line.trim_ascii();
    }
    let is_other = |byte: &u8| *byte == b'\t' || !byte.is_ascii_whitespace();
    let start = line.iter().position(is_other).unwrap_or(line.len());
    let end = line.iter().rposition(is_other).map_or(start, |last| last + 1);
    &line[start..end]
}

/// The words of a header without empty ones at its end, behind which no column has a name.
fn without_empty_end<'a, 'b>(words: &'b [&'a [u8]]) -> &'b [&'a [u8]] {
    &words[..words.iter().rposition(|word| !word.is_empty()).map_or(0, |last| last + 1)]
}

/// The text of a name, which is in Latin-1 if it is not in UTF-8.
fn text(word: &[u8]) -> String {
    match std::str::from_utf8(word) {
        Ok(text) => text.to_owned(),
        Err(_) => word.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// True if the words of a line are all names, none of them a number; the first may be empty, like the
/// heading of the index column of pandas.
fn looks_like_header(line: &[u8], separator: u8) -> bool {
    let words = words(line, separator);
    let is_name = |word: &&[u8]| word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let words = without_empty_end(&words);
    let named = if words.first().is_some_and(|word| word.is_empty()) { &words[1..] } else { words };
    named.len() >= 2 && named.iter().all(is_name)
}

/// The columns of a line without surrounding blanks and quotes.
pub(super) fn words(line: &[u8], separator: u8) -> Vec<&[u8]> {
    let mut ranges = Vec::new();
    split(line, separator, usize::MAX, &mut ranges);
    ranges.into_iter().map(|range| &line[range]).collect()
}

/// Finds the first `count` columns of a line; their ranges exclude surrounding blanks and quotes. Returns
/// the rest of the line behind a separator; `None` if nothing is left.
pub(super) fn split<'a>(
    line: &'a [u8],
    separator: u8,
    count: usize,
    columns: &mut Vec<Range<usize>>,
) -> Option<&'a [u8]> {
    columns.clear();
    let is_blank = |byte: &u8| *byte == b' ' || *byte == b'\t' && separator != b'\t';
    let mut at = 0;
    while columns.len() < count {
        while line.get(at).is_some_and(is_blank) {
            at += 1;
        }
        if separator == b' ' && at == line.len() {
            return None;
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
            return None;
        }
        at += 1;
    }
    Some(&line[at..])
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
            ("0,125;1,5;4.096,0\n", b';', vec![]),
            ("1,5\t2,5\t3\n", b'\t', vec![]),
            ("0,125 R 8 512\n", b' ', vec![]),
            ("1, 2, 3\n", b',', vec![]),
            ("\"1 000\",R,8 000\n", b',', vec![]),
            ("\"a;b;c\",1,2\n", b',', vec![]),
        ] {
            let table = Table::of(head.as_bytes(), None).unwrap();
            assert_eq!(
                (table.separator, table.names),
                (separator, names.into_iter().map(str::to_owned).collect())
            );
        }
        assert!(Table::of(b"\n# only a comment\n", None).is_none());
    }
}
