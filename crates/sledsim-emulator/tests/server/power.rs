//! A power failure ends the server: at a planned time, after a number of answers, or by the power switch.

use std::io::Read;
use std::ops::ControlFlow;
use std::thread::JoinHandle;

use sledsim_emulator::client::Probe;
use sledsim_emulator::emulator::{Loss, Served};
use sledsim_emulator::server::{Address, PowerPlan, PowerSwitch, Server};

use crate::client::{Client, BLOCK};
use crate::serving::{Setting, QUICK, SLOW};

/// A server whose power can fail.
struct Powered {
    folder: tempfile::TempDir,
    switch: PowerSwitch,
    thread: JoinHandle<Server>,
}

impl Powered {
    fn start(setting: Setting, plan: PowerPlan) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = setting.bind(&Address::Unix(folder.path().join("s.sock"))).unwrap();
        server.plan_power(plan).unwrap();
        let switch = server.power_switch();
        let thread = std::thread::spawn(move || {
            server.run(false, &mut |_| ControlFlow::Continue(())).unwrap();
            server
        });
        Self { folder, switch, thread }
    }

    fn client(&self) -> Client {
        Client::open(&self.folder.path().join("s.sock"))
    }

    /// Wait until the power of the server has failed.
    fn join(self) -> (Loss, Vec<Served>) {
        let server = self.thread.join().unwrap();
        let loss = *server.loss().expect("power was lost");
        let (outcome, rows) = server.into_emulator().finish().unwrap();
        assert_eq!(outcome.record.blocks.len(), rows.len());
        (loss, rows)
    }
}

#[test]
fn at_a_time_all_connections_are_closed_and_nothing_is_answered() {
    // Some seconds allow clients to connect; a device a million times slower does nothing meanwhile.
    let plan = PowerPlan { at_ns: Some(3_000_000_000), ..PowerPlan::default() };
    let powered = Powered::start(Setting { scale: "1000000", ..SLOW }, plan);
    let mut clients = [powered.client(), powered.client()];
    for client in &mut clients {
        client.write(0, &[1; BLOCK as usize]);
        client.read(0, BLOCK);
        client.is_heard();
    }
    clients.iter_mut().for_each(Client::is_at_end);
    let (loss, rows) = powered.join();
    assert_eq!((loss.at_ns, loss.unanswered, loss.written_sectors), (3_000_000_000, 4, 0));
    assert!(rows.len() == 4 && rows.iter().all(|row| row.sent_ns.is_none() && row.due_ns > 0));
}

#[test]
fn after_a_number_of_answers_no_more_follow() {
    let plan = PowerPlan { after: Some(7), ..PowerPlan::default() };
    let powered = Powered::start(Setting { scale: "1", ..SLOW }, plan);
    let mut client = powered.client();
    for at in 0..30 {
        client.write(at * u64::from(BLOCK), &[1; BLOCK as usize]);
    }
    for _ in 0..7 {
        client.done();
    }
    assert_eq!(Read::read(&mut client.stream, &mut [0]).unwrap_or(0), 0);
    let (loss, rows) = powered.join();
    assert_eq!(rows.iter().filter(|row| row.sent_ns.is_some()).count(), 7);
    // Some requests may not have been read by then.
    assert_eq!(loss.unanswered, rows.len() as u64 - 7);
}

#[test]
fn it_can_be_cut_from_any_thread() {
    let powered = Powered::start(Setting { scale: "1000000", ..SLOW }, PowerPlan::default());
    let mut client = powered.client();
    client.read(0, BLOCK);
    client.is_heard();
    powered.switch.cut();
    client.is_at_end();
    assert_eq!(powered.join().0.unanswered, 1);
}

#[test]
fn an_answer_without_its_last_byte_does_not_count() {
    let plan = PowerPlan { after: Some(2), ..PowerPlan::default() };
    let powered = Powered::start(QUICK, plan);
    let mut clients = [powered.client(), powered.client()];
    // Longer than the socket takes for a client that does not read.
    clients[0].read(0, 8 << 20);
    clients[0].is_begun();
    (0..2).for_each(|_| drop(clients[1].find(0, BLOCK)));
    clients[1].is_at_end();
    let (loss, rows) = powered.join();
    assert_eq!((loss.unanswered, rows.len()), (1, 3));
    assert_eq!(rows[0].sent_ns, None);
}

#[test]
fn a_probe_ends_when_no_answer_follows() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = QUICK.bind(&Address::Unix(folder.path().join("s.sock"))).unwrap();
    server.plan_power(PowerPlan { after: Some(3), ..PowerPlan::default() }).unwrap();
    let probe = Probe::connect(server.address(), 7).unwrap();
    server.expect(probe.peer().clone());
    let probing = std::thread::spawn(|| probe.run());
    server.run(false, &mut |_| ControlFlow::Continue(())).unwrap();
    // The server is still there, and the probe ends.
    let seen = probing.join().unwrap().len();
    assert_eq!((server.loss().unwrap().unanswered, seen), (0, 3));
}
