//! The latency probe, which is the built-in client of the server.

use std::ops::ControlFlow;
use std::path::Path;

use sledsim_emulator::client::{floor, Probe, FLOOR_REQUESTS, PROBE_BYTES};
use sledsim_emulator::server::{Address, Realtime};

use crate::client::{Client, BLOCK};
use crate::serving::{Setting, QUICK};
use crate::wire::EXPORT_BYTES;

#[test]
fn a_way_has_a_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    for address in [Address::Unix(path.clone()), Address::Tcp(([127, 0, 0, 1], 0).into())] {
        let trips_ns = floor(&address, Realtime::Off, 0).unwrap();
        assert!((1..=FLOOR_REQUESTS).contains(&trips_ns.len()));
        assert!(trips_ns.iter().all(|ns| *ns > 0));
    }
    assert!(!path.exists());
}

/// Serve the probe and another client until the probe has received several answers. Return the row numbers of
/// the probe's requests, the number of rows of the other client, and the latencies in ns that the probe
/// measured.
fn probed(path: &Path) -> (Vec<u64>, usize, Vec<u64>) {
    let mut server = Setting { once: true, ..QUICK }.bind(&Address::Unix(path.into())).unwrap();
    let probe = Probe::connect(server.address(), 7).unwrap();
    server.expect(probe.peer().clone());
    let (closer, waker) = (probe.closer(), server.waker());
    let (own, seen_ns, server) = std::thread::scope(|scope| {
        let probing = scope.spawn(|| probe.run());
        let serving = scope.spawn(move || {
            server.run(true, &mut |_| ControlFlow::Continue(())).unwrap();
            server
        });
        let mut client = Client::open(path);
        client.find(0, BLOCK);
        // The pause between two reads is shorter.
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(client);
        waker.wake();
        let server = serving.join().unwrap();
        closer.close();
        (server.own_connection(), probing.join().unwrap(), server)
    });
    let own = own.expect("the probe has connected");
    let (outcome, rows) = server.into_emulator().finish().unwrap();
    let lbns = outcome.record.lbn.iter().zip(&rows);
    let lbns: Vec<u64> = lbns.filter(|(_, row)| row.connection == own).map(|(lbn, _)| *lbn as u64).collect();
    let others = rows.iter().filter(|row| row.connection != own).count();
    (lbns, others, seen_ns)
}

#[test]
fn a_probe_is_a_client_that_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (lbns, others, seen_ns) = probed(&folder.path().join("s.sock"));
    assert_eq!(others, 1);
    // The last request may lack its answer.
    assert!((seen_ns.len()..=seen_ns.len() + 1).contains(&lbns.len()), "{lbns:?}, {seen_ns:?}");
    assert!(lbns.iter().all(|lbn| lbn % (PROBE_BYTES / 512) == 0 && lbn * 512 < EXPORT_BYTES));
    // The places depend on the seed alone.
    let again = probed(&folder.path().join("s.sock")).0;
    assert!(again.iter().zip(&lbns).all(|(one, other)| one == other));
}
