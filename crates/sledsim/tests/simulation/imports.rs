//! Which files of the core use what of which others, as far as their texts show it: `use` and paths with modules in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module as the names that lead to it from the root of the crate.
type Module = Vec<String>;

/// What one `use` brings in.
struct Import {
    path: Vec<String>,
    /// Under which name.
    name: String,
    is_public: bool,
}

/// A file without its comments and tests.
struct Source {
    file: String,
    imports: Vec<Import>,
    /// Paths of two names or more outside of any `use`.
    paths: Vec<Vec<String>>,
    /// Every name outside of any `use`.
    names: BTreeSet<String>,
    /// Modules that are there in tests only.
    tests: Vec<String>,
}

/// Every file of the core but those of tests.
pub struct Sources(BTreeMap<Module, Source>);

impl Sources {
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut sources = BTreeMap::new();
        add(&root, "", &mut sources);
        let in_tests = |(module, source): (&Module, &Source)| {
            source.tests.iter().map(|name| [module, &[name.clone()][..]].concat()).collect::<Vec<_>>()
        };
        let tests: BTreeSet<Module> = sources.iter().flat_map(in_tests).collect();
        sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Self(sources)
    }

    /// Each file with those that it knows: a name that a module hands on is of the file that it stands in.
    pub fn arrows(&self) -> BTreeMap<String, BTreeSet<String>> {
        let files = self.0.iter().filter(|(module, _)| !module.is_empty());
        files.map(|(module, source)| (source.file.clone(), self.known_to(module, source))).collect()
    }

    fn known_to(&self, module: &Module, source: &Source) -> BTreeSet<String> {
        let handed_on = |import: &&Import| !import.is_public || source.names.contains(&import.name);
        let imports = source.imports.iter().filter(handed_on).map(|import| &import.path);
        let things = imports
            .filter_map(|path| self.thing(module, path))
            .chain(source.paths.iter().filter_map(|path| self.thing(module, path)));
        things.filter(|file| *file != source.file).collect()
    }

    /// The file in which stands what a path inside a module means; none of another crate, and none of a module itself.
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

/// Adds the files of a folder, `inside` the sources.
fn add(folder: &Path, inside: &str, sources: &mut BTreeMap<Module, Source>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("it has one").to_string_lossy().into_owned();
        if path.is_dir() {
            add(&path, &format!("{inside}{name}/"), sources);
        } else if let Some(stem) = name.strip_suffix(".rs") {
            let mut module: Module = inside.split_terminator('/').map(str::to_owned).collect();
            if !["mod", "lib"].contains(&stem) {
                module.push(stem.to_owned());
            }
            let text = fs::read_to_string(&path).expect("a source is text");
            sources.insert(module, source(format!("{inside}{name}"), &text));
        }
    }
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
        if words[at] == "use" {
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

/// Takes in what the words behind `use` name: a path, or several in braces behind one.
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

/// Names, `::`, and every other sign for itself.
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
