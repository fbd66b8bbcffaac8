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

/// The different words in a column of the first lines, in lower case.
fn of_column(table: &Table<'_>, at: usize) -> Vec<String> {
    let lower = |word: &&[u8]| String::from_utf8_lossy(word).to_lowercase();
    let mut words: Vec<String> = table.column(at).iter().map(lower).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The names of operations in a column whose name asks for reads or writes, such as `is_write`. `None` for another
/// column, an error for words that mean neither yes nor no.
pub(super) fn answers(table: &Table<'_>, at: usize) -> Option<std::result::Result<Vec<(String, Op)>, ()>> {
    let name: String = table.names[at].chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    let (asked, other, _) = QUESTIONS.into_iter().find(|(.., names)| names.contains(&name.as_str()))?;
    let words = of_column(table, at);
    let (yes, rest): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| YES.contains(&word.as_str()));
    if rest.iter().any(|word| !NO.contains(&word.as_str())) {
        return Some(Err(()));
    }
    if yes.iter().chain(&rest).any(|word| word == "t" || word == "f") {
        // Elsewhere, f is a flush.
        let both =
            yes.into_iter().map(|word| (word, asked)).chain(rest.into_iter().map(|word| (word, other)));
        let letters = [("t".to_owned(), asked), ("f".to_owned(), other)];
        return Some(Ok(letters
            .into_iter()
            .chain(both.filter(|(word, _)| !["t", "f"].contains(&word.as_str())))
            .collect()));
    }
    let named = |words: Vec<String>, op| words.into_iter().map(move |word| (word, op));
    Some(Ok(match (yes.len(), rest.first().map(String::as_str)) {
        // With one word, all others are the other operation.
        (1, _) => named(yes, asked).collect(),
        (0, Some("0")) => vec![("1".to_owned(), asked)],
        (0, Some("false")) => vec![("true".to_owned(), asked)],
        _ => named(yes, asked).chain(named(rest, other)).collect(),
    }))
}

/// An error message if the map names one operation by a word that the first lines do not have, but other words.
pub(super) fn unknown_operation(table: &Table<'_>, columns: &[(usize, Entry)]) -> Option<String> {
    let (at, entry) = columns.iter().find(|(_, entry)| entry.field == Field::Op)?;
    let [(named, op)] = &entry.meaning.ops[..] else { return None };
    let words = of_column(table, *at);
    let is_there = words.contains(&named.to_lowercase());
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
            as_written.into_iter().find(|its| its.to_lowercase() == *word).unwrap_or_default().into_owned()
        };
        let [start, end] = [start, end].map(written);
        let map = quoted(&format!("only={name}:{start},complete={name}:{end}"));
        Some(Lines::StartsAndEnds(format!(
            "the column {name:?} tells starts of requests ({start}) from ends ({end}): add --map {map}, or --map only=- if each line is a request"
        )))
    })
}
