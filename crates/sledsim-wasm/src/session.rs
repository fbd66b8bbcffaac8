//! The session of a web page, which answers the calls of the page one after the other.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{json, Value};
use sledsim::error::{unknown_name, Error, Result};

use crate::answer::written;
use crate::arrivals::{self, Requests};
use crate::run::{self, Run};
use crate::{device, listing};

/// A function that a page can call, with arguments in JSON and optional bytes.
type Function = fn(&mut Session, &str, &[u8]) -> Result<Value>;

/// All functions that a page can call, by name.
const FUNCTIONS: &[(&str, Function)] = &[
    ("tables", |_, _, _| Ok(listing::tables())),
    ("device", |_, arguments, _| device::described(&read(arguments)?)),
    ("draw", |session, arguments, _| session.keep(arrivals::draw(&read(arguments)?)?)),
    ("read", |session, arguments, bytes| session.keep(arrivals::read(&read(arguments)?, bytes)?)),
    ("build", |session, arguments, _| session.build(&read(arguments)?)),
    ("step", |session, arguments, _| {
        let asked: run::Step = read(arguments)?;
        written(&found(&mut session.runs, "run", asked.run)?.step(&asked)?)
    }),
    ("queue", |session, arguments, _| {
        let asked: Handle = read(arguments)?;
        Ok(found(&mut session.runs, "run", asked.run)?.queue())
    }),
    ("rows", |session, arguments, _| {
        let asked: run::Rows = read(arguments)?;
        found(&mut session.runs, "run", asked.run)?.rows(&asked)
    }),
    ("finish", |session, arguments, _| {
        let asked: Handle = read(arguments)?;
        found(&mut session.runs, "run", asked.run)?;
        session.runs.remove(&asked.run).map_or(Ok(Value::Null), Run::finish)
    }),
    ("forget", |session, _, _| {
        (session.requests, session.runs) = Default::default();
        Ok(Value::Null)
    }),
];

/// Arguments that consist of the number of a run in the session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Handle {
    run: u32,
}

/// The requests and runs that a page has created, by number.
#[derive(Default)]
pub struct Session {
    numbers: u32,
    requests: BTreeMap<u32, Requests>,
    runs: BTreeMap<u32, Run>,
}

impl Session {
    /// Answer a call with JSON: `{"ok": ...}` or `{"error": "message"}`.
    pub fn call(&mut self, name: &str, arguments: &str, bytes: &[u8]) -> String {
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| function);
        let called = match function {
            Some(function) => function(self, arguments, bytes),
            None => Err(unknown_name("function", name, FUNCTIONS.iter().map(|(known, _)| *known))),
        };
        match called {
            Ok(value) => json!({ "ok": value }),
            Err(error) => json!({ "error": error.to_string() }),
        }
        .to_string()
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    /// Store requests in the session. Return their description, with the number under which the session stores
    /// them.
    fn keep(&mut self, (requests, mut about): (Requests, Value)) -> Result<Value> {
        let number = self.number();
        about["requests"] = number.into();
        self.requests.insert(number, requests);
        Ok(about)
    }

    fn build(&mut self, asked: &run::Build) -> Result<Value> {
        let requests = found(&mut self.requests, "requests", asked.requests)?;
        let run = Run::new(asked, requests)?;
        let mut about = run.about();
        let number = self.number();
        about["run"] = number.into();
        self.runs.insert(number, run);
        Ok(about)
    }
}

/// Look up a run, or the requests of a run, by number. `what` names them in the error message.
fn found<'a, T>(all: &'a mut BTreeMap<u32, T>, what: &str, number: u32) -> Result<&'a mut T> {
    let there_is = || {
        Error::Parameter(format!(
            "{what} = {number}: expected a number that an earlier call returned, found an unknown number"
        ))
    };
    all.get_mut(&number).ok_or_else(there_is)
}

fn read<T: DeserializeOwned>(arguments: &str) -> Result<T> {
    serde_json::from_str(arguments).map_err(|error| Error::Parameter(format!("arguments: {error}")))
}
