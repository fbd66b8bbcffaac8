//! Test a server that has no free file descriptors, and a server that is idle. Both depend on resources of the
//! whole process, so this single test has a process to itself.
#![cfg(target_os = "linux")]

#[path = "../server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../server/serving.rs"]
#[allow(dead_code)]
mod serving;
#[path = "../nbd/wire.rs"]
#[allow(dead_code)]
mod wire;

use std::fs::File;
use std::time::Duration;

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use rustix::time::{clock_gettime, ClockId};

use client::{Client, Verifier};
use serving::{Serving, QUICK};

/// Return the processor time that the server in this process takes in `seconds` seconds.
fn spent_in(seconds: u64) -> Duration {
    let spent = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap();
    let before = spent();
    std::thread::sleep(Duration::from_secs(seconds));
    spent() - before
}

#[test]
fn it_rests_with_nothing_to_do_and_without_descriptors() {
    let serving = Serving::start(QUICK);
    let mut verifier = Verifier::new(serving.client(), 0);
    verifier.step();
    let spent = spent_in(1);
    assert!(
        spent < Duration::from_millis(10),
        "the server took {spent:?} of processor time in 1 s with an idle client"
    );

    let before = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..before }).unwrap();
    let null = File::open("/dev/null").unwrap();
    let mut files = Vec::new();
    while let Ok(file) = null.try_clone() {
        files.push(file);
    }
    // With the last descriptor a client connects that cannot be accepted.
    files.pop();
    let late = Client::connect(&serving.path());
    let spent = spent_in(1);
    assert!(
        spent < Duration::from_millis(10),
        "the server took {spent:?} of processor time in 1 s with a client that it could not accept"
    );
    assert_eq!(serving.wait_for(|_| true).clients, 1);
    verifier.step();
    drop(files);
    serving.wait_for(|status| status.clients == 2);
    Verifier::new(Client::new(late), 1).step();
    setrlimit(Resource::Nofile, before).unwrap();
    serving.end();
}
