//! The end of a server: when it ends, and what it still answers.

use std::collections::HashMap;

use crate::client::{Client, BLOCK};
use crate::serving::{Serving, Setting, QUICK, SLOW};

/// Return true if tests may run longer than ten seconds, which is the time that a server waits at its end.
fn is_long() -> bool {
    std::env::var_os("SLEDSIM_FUZZ_CASES").is_some()
}

#[test]
fn what_was_asked_for_is_answered_before_the_end() {
    let serving = Serving::start(Setting { scale: "1000", ..SLOW });
    let mut client = serving.client();
    client.write(0, &[9; BLOCK as usize]);
    let read = client.read(0, BLOCK);
    client.is_heard();
    serving.break_it(1);
    let reads = HashMap::from([(read, BLOCK)]);
    assert_eq!(client.answer(&reads).0, read - 1);
    assert_eq!(client.answer(&reads), (read, vec![9; BLOCK as usize]));
    let path = serving.path();
    let rows = serving.join();
    assert!(rows.iter().all(|row| row.sent_ns.is_some()));
    client.is_at_end();
    assert!(!path.exists());
}

#[test]
fn at_the_second_break_it_ends_at_once() {
    // A request takes about a quarter of an hour.
    let serving = Serving::start(Setting { scale: "1000000", ..SLOW });
    let mut client = serving.client();
    for at in 0..3 {
        client.read(at * u64::from(BLOCK), BLOCK);
    }
    client.is_heard();
    serving.break_it(2);
    let rows = serving.join();
    client.is_at_end();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.sent_ns.is_none()));
}

#[test]
fn once_it_ends_with_the_last_client_that_opened_the_export() {
    let serving = Serving::start(Setting { once: true, ..QUICK });
    // A client that only connects does not count.
    drop(Client::connect(&serving.path()));
    assert_eq!(serving.wait_for(|status| status.clients_ever == 1).clients, 0);
    let (mut first, second) = (serving.client(), serving.client());
    drop(second);
    serving.wait_for(|status| status.clients == 1);
    first.put(0, &[1; 512]);
    first.write(512, &[2; 512]);
    drop(first);
    assert_eq!(serving.join().len(), 2);
}

#[test]
fn no_client_is_accepted_after_the_end_began() {
    let serving = Serving::start(Setting { scale: "1000", ..SLOW });
    let mut client = serving.client();
    let read = client.read(0, BLOCK);
    client.is_heard();
    serving.break_it(1);
    serving.wait_for(|_| true);
    let mut late = Client::connect(&serving.path());
    client.answer(&HashMap::from([(read, BLOCK)]));
    assert_eq!(serving.join().len(), 1);
    let error = std::io::Read::read(&mut late, &mut [0]);
    assert!(
        error.is_err() || error.is_ok_and(|bytes| bytes == 0),
        "the server sends no greeting to the new client"
    );
}

#[test]
fn while_answers_come_the_end_is_waited_for() {
    if !is_long() {
        return;
    }
    // Each request takes about a second: together more than ten.
    let serving = Serving::start(Setting { scale: "1000", ..SLOW });
    let mut client = serving.client();
    let reads: HashMap<u64, u32> =
        (0..12).map(|at| (client.read(at * 7_919 % 100_000 * u64::from(BLOCK), BLOCK), BLOCK)).collect();
    client.is_heard();
    serving.break_it(1);
    for _ in 0..reads.len() {
        client.answer(&reads);
    }
    assert!(serving.join().iter().all(|row| row.sent_ns.is_some()));
}

#[test]
fn a_client_that_does_not_read_delays_the_end_briefly() {
    if !is_long() {
        return;
    }
    let serving = Serving::start(QUICK);
    let mut client = serving.client();
    client.read(0, 32 << 20);
    // The rest of the answer is never read.
    client.is_begun();
    serving.break_it(1);
    assert!(serving.join().iter().all(|row| row.sent_ns.is_none()));
}
