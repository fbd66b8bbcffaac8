//! Tests of a page's calls. They are unit tests, because integration tests cannot use a crate that is only
//! a WebAssembly module.

mod calls;
mod paths;

use serde_json::Value;

use crate::Session;

/// Returns the answer of a successful call, or the message of a call that failed.
fn called(session: &mut Session, name: &str, arguments: &Value, bytes: &[u8]) -> Result<Value, String> {
    let answer: Value = serde_json::from_str(&session.call(name, &arguments.to_string(), bytes)).unwrap();
    match (answer.get("ok"), answer.get("error")) {
        (Some(value), None) => Ok(value.clone()),
        (None, Some(error)) => Err(error.as_str().unwrap().to_owned()),
        _ => panic!("expected an answer with ok or error: {answer}"),
    }
}

fn call(session: &mut Session, name: &str, arguments: &Value) -> Value {
    called(session, name, arguments, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}
