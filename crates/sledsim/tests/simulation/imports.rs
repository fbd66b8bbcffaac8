//! Reads from the texts of a crate which files use which other files: it evaluates `use` lines and paths that contain
//! modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A module, as the names of the modules from the root of the crate to it.
type Module = Vec<String>;

/// A name that a `use` line imports.
struct Import {
    path: Vec<String>,
    /// Name that the import has in its file.
    name: String,
    is_public: bool,
}

/// The imports and names of a file, without its comments and tests.
struct Source {
    file: String,
    imports: Vec<Import>,
    /// Paths of at least two names in the code, outside of `use` lines.
    paths: Vec<Vec<String>>,
    /// First names of all paths in the code, outside of `use` lines.
    names: BTreeSet<String>,
    /// Modules that are compiled for tests only.
    tests: Vec<String>,
}

/// All files of a crate except those of tests.
pub struct Sources(BTreeMap<Module, Source>);

impl Sources {
    /// Reads the sources of each crate, by name of the crate: of every folder beside the core's that contains `src`.
    pub fn of_every_crate() -> BTreeMap<String, Self> {
        let core = Path::new(env!("CARGO_MANIFEST_DIR"));
        let crates = fs::read_dir(core.join("..")).expect("the folder of the crates is there");
        let folders = crates.map(|entry| entry.expect("the folder can be read").path());
        let name = |folder: &Path| folder.file_name().expect("it has one").to_string_lossy().into_owned();
        let has_sources = folders.filter(|folder| folder.join("src").is_dir());
        has_sources.map(|folder| (name(&folder), Self::below(&folder.join("src")))).collect()
    }

    pub fn of_the_core() -> Self {
        Self::below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
    }

    fn below(root: &Path) -> Self {
        let mut texts = BTreeMap::new();
        add(root, "", &mut texts);
        Self::of(texts.iter().map(|(file, text)| (&**file, &**text)))
    }

    /// Builds the sources of a crate from pairs of a file name and its text.
    pub fn of<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut sources = BTreeMap::new();
        let parts = texts.into_iter().flat_map(|(file, text)| apart(file, text));
        for (file, text) in parts {
            // The root of a library and a program is the library's.
            sources.entry(module(&file)).or_insert_with(|| source(file.clone(), &text));
        }
        let in_tests = |(module, source): (&Module, &Source)| {
            source.tests.iter().map(|name| [module, &[name.clone()][..]].concat()).collect::<Vec<_>>()
        };
        let tests: BTreeSet<Module> = sources.iter().flat_map(in_tests).collect();
        sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Self(sources)
    }

    /// The files that each file uses. A name that another file re-exports counts for the file that defines the name.
    pub fn arrows(&self) -> BTreeMap<String, BTreeSet<String>> {
        let known =
            |(module, source): (&Module, &Source)| (source.file.clone(), self.known_to(module, source));
        self.0.iter().map(known).collect()
    }

    fn known_to(&self, module: &Module, source: &Source) -> BTreeSet<String> {
        let handed_on = |import: &&Import| !import.is_public || source.names.contains(&import.name);
        let imports = source.imports.iter().filter(handed_on).map(|import| &import.path);
        let things = imports
            .filter_map(|path| self.thing(module, path))
            .chain(source.paths.iter().filter_map(|path| self.thing(module, path)));
        things.filter(|file| *file != source.file).collect()
    }

    /// The file that defines the thing to which a path leads, as seen from a module. None if the thing belongs to
    /// another crate or is a module.
    fn thing(&self, module: &[String], path: &[String]) -> Option<String> {
        let (mut at, mut rest) = (module.to_vec(), path);
        match path[0].as_str() {
            "crate" => (at, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            name => {
                let own = self.0.contains_key(&[module, &[name.to_owned()]].concat());
                let bound = self.0[module].imports.iter().any(|import| import.name == name);
                if !own && !bound {
                    return None;
                }
            }
        }
        while let Some((name, behind)) = rest.split_first() {
            let inner = [&at[..], std::slice::from_ref(name)].concat();
            if !self.0.contains_key(&inner) {
                break;
            }
            (at, rest) = (inner, behind);
        }
        let (name, behind) = rest.split_first()?;
        let source = &self.0[&at];
        match source.imports.iter().find(|import| import.name == *name && import.path[0] != *name) {
            Some(import) => self.thing(&at, &[&import.path, behind].concat()),
            None => Some(source.file.clone()),
        }
    }
}

/// Adds the texts of all Rust files in a folder to `texts`; `inside` is the path of the folder below `src`.
fn add(folder: &Path, inside: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("it has one").to_string_lossy().into_owned();
        if path.is_dir() {
            add(&path, &format!("{inside}{name}/"), texts);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a source is text");
            texts.insert(format!("{inside}{name}"), text);
        }
    }
}

/// Splits a file at its `rows!` tables, which become the separate file `registry.rs`: this file uses the files of the
/// rows, and the rows use the file that declares the tables.
fn apart(file: &str, text: &str) -> Vec<(String, String)> {
    let mut parts = text.split("\nrows! {\n");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    let mut tables = String::new();
    for part in parts {
        let (lines, behind) = part.split_once("\n}\n").expect("a table ends");
        let is_row = |line: &&str| !["//", "#["].iter().any(|mark| line.trim_start().starts_with(mark));
        let lines = lines.lines().filter(is_row);
        for line in lines {
            let (before, after) = line.split_once(':').expect("a line of a table has a colon");
            let name = before.split_whitespace().last().expect("a row or table has a name");
            if before.contains("static ") || before.contains("const ") {
                writeln!(rest, "\npub use registry::{name};").expect("a text takes all");
            } else {
                writeln!(tables, "super::{name}::{};", after.trim()).expect("a text takes all");
            }
        }
        rest.push_str(behind);
    }
    if tables.is_empty() {
        return vec![(file.to_owned(), rest)];
    }
    let folder = file.strip_suffix("mod.rs").expect("the tables of a folder stand in its mod.rs");
    vec![(file.to_owned(), rest), (format!("{folder}registry.rs"), tables)]
}

/// The module that a file defines; an empty list for the root of the crate.
fn module(file: &str) -> Module {
    let mut module: Module = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let is_root = module.len() == 1 && ["lib", "main"].contains(&&*module[0]);
    if is_root || module.ends_with(&["mod".to_owned()]) {
        module.pop();
    }
    module
}

fn source(file: String, text: &str) -> Source {
    let tests = text.split("#[cfg(test)]\n").skip(1).filter_map(|behind| {
        let name = behind.lines().next()?.strip_suffix(';')?;
        Some(name.split("mod ").nth(1)?.to_owned())
    });
    let production = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = production.lines().map(|line| line.split("//").next().unwrap_or(line));
    let words = words(&lines.collect::<Vec<_>>().join("\n"));
    let mut source = Source {
        file,
        imports: Vec::new(),
        paths: Vec::new(),
        names: BTreeSet::new(),
        tests: tests.collect(),
    };
    let mut at = 0;
    while at < words.len() {
        if begins_use(&words, at) {
            let end = at + words[at..].iter().position(|word| word == ";").expect("a use ends");
            let is_public = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
            bring_in(&words[at + 1..end], &[], is_public, &mut source.imports);
            at = end;
        } else if is_name(&words[at]) && (at == 0 || !["$", "mod"].contains(&words[at - 1].as_str())) {
            let mut path = vec![words[at].clone()];
            while at + 2 < words.len() && words[at + 1] == "::" && is_name(&words[at + 2]) {
                path.push(words[at + 2].clone());
                at += 2;
            }
            source.names.extend(path.first().cloned());
            if path.len() > 1 {
                source.paths.push(path);
            }
        }
        at += 1;
    }
    source
}

/// True if the word at this place begins an import; inside a text the word `use` follows other words.
fn begins_use(words: &[String], at: usize) -> bool {
    words[at] == "use" && (at == 0 || ["pub", ")", ";", "{", "}", "]"].contains(&&*words[at - 1]))
}

/// Reads the imports of a `use` line after the word `use`: one path, or several paths in braces after a common
/// beginning.
fn bring_in(words: &[String], before: &[String], is_public: bool, imports: &mut Vec<Import>) {
    let mut path = before.to_vec();
    let mut name = None;
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "{" => {
                let mut depth = 0;
                let inner = &words[at + 1..words.len() - 1];
                let parts = inner.split(|word| {
                    depth += i32::from(word == "{") - i32::from(word == "}");
                    depth == 0 && word == ","
                });
                parts
                    .filter(|part| !part.is_empty())
                    .for_each(|part| bring_in(part, &path, is_public, imports));
                return;
            }
            "as" => name = words.get(at + 1).cloned(),
            _ if name.is_some() || word == "::" || word == "self" && !path.is_empty() => {}
            _ => path.push(word.clone()),
        }
    }
    let name = name.or_else(|| path.last().cloned()).expect("a use names something");
    imports.push(Import { path, name, is_public });
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Splits a text into words: names, `::`, and single other characters.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            _ if in_name(first) => rest.find(|c| !in_name(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    words
}
