//! Tests of the calls of a page. They are unit tests, because a module for WebAssembly alone is not a crate that tests
//! can use.

mod calls;
mod paths;

use serde_json::Value;

use crate::Session;

/// The answer to a call, or its error.
fn called(session: &mut Session, name: &str, arguments: &Value, bytes: &[u8]) -> Result<Value, String> {
    let answer: Value = serde_json::from_str(&session.call(name, &arguments.to_string(), bytes)).unwrap();
    match (answer.get("ok"), answer.get("error")) {
        (Some(value), None) => Ok(value.clone()),
        (None, Some(error)) => Err(error.as_str().unwrap().to_owned()),
        _ => panic!("neither one nor the other: {answer}"),
    }
}

fn call(session: &mut Session, name: &str, arguments: &Value) -> Value {
    called(session, name, arguments, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}
