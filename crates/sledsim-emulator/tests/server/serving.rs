//! Run a server in a separate thread.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use sledsim::device::load;
use sledsim::record::{select, Record};
use sledsim::sched::Policy;
use sledsim::simulation::Simulation;
use sledsim::system::System;
use sledsim_emulator::emulator::{Contents, Durability, Emulator, Served};
use sledsim_emulator::server::{Address, Server, Status};
use sledsim_emulator::store::{Memory, Unreadable};

use crate::client::Client;
use crate::wire::{export, EXPORT_BYTES};

/// Settings of a server under test.
#[derive(Clone, Copy)]
pub struct Setting {
    pub policy: &'static str,
    pub scale: &'static str,
    pub once: bool,
    /// True if the server keeps the rows of all requests until its end.
    pub keeps_rows: bool,
}

/// Settings of a device that is so fast that answers need almost no time.
pub const QUICK: Setting = Setting { policy: "fcfs", scale: "1/1000", once: false, keeps_rows: true };
/// Settings of a device that takes about a tenth of a second per request.
pub const SLOW: Setting = Setting { policy: "fcfs", scale: "100", once: false, keeps_rows: true };

impl Setting {
    pub fn bind(self, address: &Address) -> io::Result<Server> {
        let policy = Policy::parse(self.policy).unwrap();
        let system = System::device(load("osdi00", toml::Table::new()).unwrap(), &policy, None);
        let simulation = Simulation::new(&system, 1, Record::new(select("all").unwrap(), 0)).unwrap();
        let store = Box::new(Memory::new(EXPORT_BYTES));
        let contents = Contents::new(store, Unreadable::default(), Durability::WriteThrough);
        let emulator = Emulator::new(simulation, contents, self.scale.parse().unwrap(), 0);
        Server::bind(address, export().multi_conn(true), emulator, 0)
    }
}

/// State that the thread of the server shares with the test.
#[derive(Default)]
struct Shared {
    /// Number of further calls in which the observer stops the server.
    breaks: u32,
    /// The newest status of the server.
    status: Status,
    /// Number of times that the observer has received a status.
    told: u64,
    /// Maximum outstanding data in bytes in all statuses.
    most_held: u64,
    /// Maximum lateness of an answer in ns in all statuses; `None` before the first answer.
    latest_ns: Option<i64>,
}

#[derive(Default)]
struct Desk {
    shared: Mutex<Shared>,
    changed: Condvar,
}

/// A server that runs in a separate thread.
pub struct Serving {
    _folder: tempfile::TempDir,
    pub address: Address,
    desk: Arc<Desk>,
    thread: JoinHandle<Server>,
}

impl Serving {
    /// Start a server with these settings, with its socket in a new folder.
    pub fn start(setting: Setting) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = Address::Unix(folder.path().join("s.sock"));
        Self::at(folder, &address, setting)
    }

    pub fn at(folder: tempfile::TempDir, address: &Address, setting: Setting) -> Self {
        let mut server = setting.bind(address).unwrap();
        if !setting.keeps_rows {
            server.hand_rows_to(Box::new(|record, rows| assert_eq!(record.blocks.len(), rows.len())));
        }
        let (address, desk) = (server.address().clone(), Arc::new(Desk::default()));
        let told = Arc::clone(&desk);
        let mut observe = move |status: &Status| {
            let mut shared = told.shared.lock().unwrap();
            shared.status = status.clone();
            shared.told += 1;
            shared.most_held = shared.most_held.max(status.most_held);
            let latest_ns = Some(status.latest_ns).filter(|ns| *ns != i64::MIN);
            shared.latest_ns = shared.latest_ns.max(latest_ns);
            told.changed.notify_all();
            if shared.breaks == 0 {
                return ControlFlow::Continue(());
            }
            shared.breaks -= 1;
            ControlFlow::Break(())
        };
        let thread = std::thread::spawn(move || {
            server.run(setting.once, &mut observe).unwrap();
            server
        });
        Self { _folder: folder, address, desk, thread }
    }

    pub fn path(&self) -> PathBuf {
        let Address::Unix(path) = &self.address else { panic!("it is a port") };
        path.clone()
    }

    /// Return a client that has opened the export.
    pub fn client(&self) -> Client {
        Client::open(&self.path())
    }

    /// Let the observer stop the server in its next `times` calls.
    pub fn break_it(&self, times: u32) {
        self.desk.shared.lock().unwrap().breaks = times;
    }

    /// Wait for the next status for which `is_such` returns true, counting only statuses reported after this
    /// call.
    pub fn wait_for(&self, is_such: impl Fn(&Status) -> bool) -> Status {
        let mut shared = self.desk.shared.lock().unwrap();
        let before = shared.told;
        while shared.told == before || !is_such(&shared.status) {
            shared = self.desk.changed.wait(shared).unwrap();
        }
        shared.status.clone()
    }

    /// Maximum outstanding data in bytes up to the last status.
    pub fn most_held(&self) -> u64 {
        self.desk.shared.lock().unwrap().most_held
    }

    /// Wait for the end of the server. Return the rows of the requests to the simulated device.
    pub fn join(self) -> Vec<Served> {
        let server = self.thread.join().unwrap();
        let (outcome, rows) = server.into_emulator().finish().unwrap();
        assert_eq!(outcome.record.blocks.len(), rows.len());
        assert!(rows.iter().all(|row| row.lateness_ns().is_none_or(|ns| ns >= 0)), "none is early");
        // The maximum lateness in the statuses is that of the rows, if all of them were reported.
        let (told, latest_ns) =
            (self.desk.shared.lock().unwrap(), rows.iter().filter_map(Served::lateness_ns).max());
        if told.status.answered == rows.len() as u64 {
            assert_eq!(told.latest_ns, latest_ns);
        }
        drop(told);
        rows
    }

    /// End the server after it has sent all answers that clients wait for.
    pub fn end(self) -> Vec<Served> {
        self.break_it(1);
        self.join()
    }
}
