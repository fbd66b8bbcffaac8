//! Addresses of a server, and the creation and removal of its socket file.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::{Duration, Instant};

use sledsim_emulator::server::Address;

use crate::client::{Client, Verifier, BLOCK, PATIENCE};
use crate::serving::{Serving, QUICK};

#[test]
fn by_a_port_of_this_machine() {
    let any = Address::Tcp(([127, 0, 0, 1], 0).into());
    let serving = Serving::at(tempfile::tempdir().unwrap(), &any, QUICK);
    let Address::Tcp(address) = serving.address else { panic!("it is a port") };
    assert_ne!(address.port(), 0);
    let connect = || {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client::new(stream)
    };
    let mut verifiers = [0, 1].map(|part| Verifier::new(connect(), part));
    for _ in 0..20 {
        verifiers.iter_mut().for_each(Verifier::step);
    }
    let mut half = connect();
    half.write(0, &[1; 512]);
    half.stream.shutdown(std::net::Shutdown::Write).unwrap();
    half.done();
    half.is_at_end();
    serving.end();
}

#[test]
fn who_finds_no_place_waits_for_one() {
    let serving = Serving::start(QUICK);
    let mut clients: Vec<_> = (0..64).map(|_| serving.client()).collect();
    let late: Vec<_> = (0..10).map(|_| Client::connect(&serving.path())).collect();
    assert_eq!(serving.wait_for(|_| true).clients, 64);
    Verifier::new(clients.pop().unwrap(), 0).step();
    clients.truncate(20);
    for (stream, part) in late.into_iter().zip(1..) {
        Verifier::new(Client::new(stream), part).step();
    }
    serving.end();
}

#[test]
fn a_socket_that_was_left_behind_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    drop(UnixListener::bind(&path).unwrap());
    let serving = Serving::at(folder, &Address::Unix(path), QUICK);
    Verifier::new(serving.client(), 0).step();
    serving.end();
}

#[test]
fn the_socket_of_a_busy_server_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    let listener = UnixListener::bind(&path).unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let _knocks = Client::connect(&path);
    let error = QUICK.bind(&Address::Unix(path)).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
}

#[test]
fn a_removed_socket_does_not_end_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    let serving = Serving::at(tempfile::tempdir().unwrap(), &Address::Unix(path.clone()), QUICK);
    let mut verifier = Verifier::new(serving.client(), 0);
    std::fs::remove_file(&path).unwrap();
    verifier.step();
    // Another server may have put its socket there, and keeps it.
    let other = QUICK.bind(&Address::Unix(path.clone())).unwrap();
    verifier.step();
    serving.end();
    assert!(path.exists());
    drop(other);
    assert!(!path.exists());
}

#[test]
fn time_counts_from_when_somebody_can_be_served() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    let mut server = QUICK.bind(&Address::Unix(path.clone())).unwrap();
    thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let asking = thread::spawn(move || {
        Client::open(&path).find(0, BLOCK);
    });
    server.run(true, &mut |_| ControlFlow::Continue(())).unwrap();
    asking.join().unwrap();
    let (_, rows) = server.into_emulator().finish().unwrap();
    assert!(u128::from(rows[0].sent_ns.unwrap()) <= begun.elapsed().as_nanos());
}
