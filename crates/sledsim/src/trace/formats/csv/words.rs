//! Words in columns that answer a question with yes or no, or that tell the kind of a line, as the first lines show
//! them.

use super::super::super::columns::Op;
use super::column_map::{quoted, Entry, Field};
use super::dialect::Table;

/// Words for no and for yes, in tables of several languages.
const NO: [&str; 10] = ["0", "no", "n", "false", "f", "falsch", "faux", "falso", "nein", "0.0"];
const YES: [&str; 12] =
    ["1", "yes", "y", "true", "t", "wahr", "vrai", "vero", "verdadero", "ja", "-1", "1.0"];
/// Names of columns that ask for reads, and for writes.
const QUESTIONS: [(Op, Op, [&str; 3]); 2] = [
    (Op::Read, Op::Write, ["isread", "read", "reads"]),
    (Op::Write, Op::Read, ["iswrite", "write", "writes"]),
];
/// Words for the start and for the end of a request, without `block_rq_` in front.
const STARTS: [&str; 18] = [
    "issue",
    "issued",
    "start",
    "started",
    "begin",
    "submit",
    "submitted",
    "dispatch",
    "dispatched",
    "queue",
    "queued",
    "insert",
    "i",
    "d",
    "b",
    "s",
    "q",
    "arrival",
];
const ENDS: [&str; 10] =
    ["complete", "completed", "completion", "done", "end", "ended", "finish", "finished", "c", "e"];
/// Largest number of different words of a column that tells kinds of lines.
const KINDS_MAX: usize = 8;

/// The different words in a column of the first lines, in lower case; of many, only one more than `KINDS_MAX`.
fn of_column(table: &Table<'_>, at: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in table.column(at) {
        let lower = String::from_utf8_lossy(word).to_ascii_lowercase();
        if !word.is_empty() && words.len() <= KINDS_MAX && !words.contains(&lower) {
            words.push(lower);
        }
    }
    words
}

/// The names of operations in a column whose name asks for reads or writes, such as `is_write`. `None` for another
/// column, an error for words that mean neither yes nor no.
pub(super) fn answers(table: &Table<'_>, at: usize) -> Option<std::result::Result<Vec<(String, Op)>, ()>> {
    let name: String = table.names[at].chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    let (asked, other, _) = QUESTIONS.into_iter().find(|(.., names)| names.contains(&name.as_str()))?;
    let words = of_column(table, at);
    if words.iter().any(|word| !YES.contains(&word.as_str()) && !NO.contains(&word.as_str())) {
        return Some(Err(()));
    }
    let op = |word: &str| if YES.contains(&word) { asked } else { other };
    let mut ops = Vec::new();
    // With one word, all others are the other operation. As elsewhere f is a flush, it is named.
    let usual: &[&str] = match words.first().map_or("", String::as_str) {
        "t" | "f" => &["t", "f"],
        "0" => &["1"],
        "false" => &["true"],
        _ => &[],
    };
    let are_usual = words.iter().all(|word| ["0", "1", "true", "false", "t", "f"].contains(&word.as_str()));
    if are_usual && !usual.is_empty() {
        ops.extend(usual.iter().map(|word| ((*word).to_owned(), op(word))));
    } else if let (true, Some(word)) = (are_usual, words.first()) {
        ops.push((word.clone(), op(word)));
    } else {
        ops.extend(words.into_iter().map(|word| (word.clone(), op(&word))));
    }
    Some(Ok(ops))
}

/// The names of operations in a column of 0 and 1, so that the map which is printed tells the assumption; none in
/// another column.
pub(super) fn bits(table: &Table<'_>, at: usize) -> Vec<(String, Op)> {
    let words = of_column(table, at);
    if words.is_empty() || words.iter().any(|word| word != "0" && word != "1") {
        return Vec::new();
    }
    vec![("0".to_owned(), Op::Read), ("1".to_owned(), Op::Write)]
}

/// An error message if the map names one operation by a word that the first lines do not have, but other words.
pub(super) fn unknown_operation(table: &Table<'_>, columns: &[(usize, Entry)]) -> Option<String> {
    let (at, entry) = columns.iter().find(|(_, entry)| entry.field == Field::Op)?;
    let [(named, op)] = &entry.meaning.ops[..] else { return None };
    let words = of_column(table, *at);
    let is_there = words.contains(&named.to_ascii_lowercase());
    (!is_there && words.len() > 1 && words.len() <= KINDS_MAX).then(|| {
        format!(
            "expected the word {named:?} for a {} in the column {:?}, found {}: name both operations (op={}:read=X:write=Y)",
            op.name(),
            entry.column,
            words.join(", "),
            entry.column
        )
    })
}

/// The kinds of the lines of a table, as a column tells them.
pub(super) enum Lines {
    /// Lines are starts and ends of requests: an error message.
    StartsAndEnds(String),
    /// All lines are ends of requests: a doubt.
    Ends(String),
}

/// Finds a column without a field that tells starts from ends of requests, or says that all lines are ends.
pub(super) fn kinds_of_lines(table: &Table<'_>, columns: &[(usize, Entry)]) -> Option<Lines> {
    let is_free = |at: &usize| columns.iter().all(|(taken, _)| taken != at);
    (0..table.names.len()).filter(is_free).find_map(|at| {
        let words = of_column(table, at);
        if words.is_empty() || words.len() > KINDS_MAX {
            return None;
        }
        let is_in = |words: &[&str], word: &String| {
            let bare = word.rsplit(':').next().unwrap_or_default();
            words.contains(&bare.strip_prefix("block_rq_").unwrap_or(bare))
        };
        let name = &table.names[at];
        let end = words.iter().find(|word| is_in(&ENDS, word))?;
        if words.len() == 1 && end.len() > 1 {
            let text = format!("all lines are ends of requests (column {name:?}: {end}): times are those of ends");
            return Some(Lines::Ends(text));
        }
        let start = words.iter().find(|word| is_in(&STARTS, word))?;
        let written = |word: &String| {
            let as_written = table.column(at).into_iter().map(String::from_utf8_lossy);
            let whole = as_written.into_iter().find(|its| its.to_ascii_lowercase() == *word).unwrap_or_default();
            whole.rsplit(':').next().unwrap_or_default().to_owned()
        };
        let [start, end] = [start, end].map(written);
        let column = table.in_map(at);
        let map = quoted(&format!("only={column}:{start},complete={column}:{end}"));
        Some(Lines::StartsAndEnds(format!(
            "the column {name:?} tells starts of requests ({start}) from ends ({end}): add --map {map}, or --map only=- if each line is a request"
        )))
    })
}
