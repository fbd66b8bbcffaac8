//! Optional observations of a run besides the record. They must be requested before the run begins.

use super::{Kind, Simulation};
use crate::error::{ensure, fault, Result};
use crate::record::{self, Record};
use crate::simulation::data_moves::DataMove;
use crate::simulation::journal::Journal;
use crate::simulation::machine::{Machine, Server};
use crate::simulation::watching::{Watch, Watched};
use crate::station::Station;
use crate::time::Time;

impl Simulation {
    /// True if a device or volume may complete a write before its data are on a medium, so that a power failure can
    /// destroy data of complete writes.
    #[must_use]
    pub fn has_write_cache(&self) -> bool {
        let of_devices = self.stations().iter().any(|(_, station)| station.device().has_write_cache());
        of_devices || matches!(&self.machine, Kind::Tree(tree) if tree.has_write_cache())
    }

    /// Starts to record when each block of a write reaches the medium, as [`Self::interrupted`] needs.
    ///
    /// # Errors The run has a volume: [`Self::follow_data`] then lists the data in its memory, too. Or the
    /// record lacks the columns of requests.
    pub fn note_passages(&mut self) -> Result<()> {
        let Kind::Alone(alone) = &mut self.machine else {
            return fault("losses in a power failure: expected a bare device, found a volume".into());
        };
        keeps_requests("power failure", &alone.host().record)?;
        alone.stations_mut().for_each(Station::note_passages);
        Ok(())
    }

    /// Starts to [list](Self::take_data_moves) the movements of request data in a volume, and the times at
    /// which these data reach a medium.
    ///
    /// # Errors The device has no volume (its data go straight to the medium), the run has begun, or the
    /// record lacks the columns of requests.
    pub fn follow_data(&mut self) -> Result<()> {
        ensure!(
            !self.has_begun,
            "expected a new simulation whose data can be followed, found a simulation that has begun: make a new simulation"
        );
        let Kind::Tree(tree) = &mut self.machine else {
            return fault("movements of data: expected a volume, found a bare device".into());
        };
        keeps_requests("power failure", &tree.host().record)?;
        tree.follow_data();
        Ok(())
    }

    /// Starts to record all services of devices that overlap the time window `window`. The outcome of the run contains
    /// this journal.
    ///
    /// # Errors The run has begun, or the record lacks the columns of requests.
    pub fn keep_journal(&mut self, window: [Time; 2]) -> Result<()> {
        ensure!(
            !self.has_begun,
            "expected a new simulation for a journal, found a simulation that has begun: make a new simulation"
        );
        keeps_requests("journal", &self.host().record)?;
        on!(&mut self.machine, machine => {
            let stations = machine.stations();
            let journal = Journal::new(window, stations.iter().map(|(_, station)| *station));
            machine.journal = Some(Box::new(journal));
        });
        Ok(())
    }

    /// Starts to record the histories of the requests with the numbers `rows`, which [`Self::watched`] returns.
    ///
    /// # Errors
    /// The run has begun.
    pub fn watch(&mut self, rows: impl IntoIterator<Item = u32>) -> Result<()> {
        ensure!(
            !self.has_begun,
            "expected a new simulation whose requests can be followed, found a simulation that has begun: make a new simulation"
        );
        let watch = Some(Box::new(Watch::new(rows)));
        on!(&mut self.machine, machine => machine.host_mut().watch = watch);
        Ok(())
    }

    /// The histories recorded so far of the requests given to [`watch`](Self::watch); `None` if no request was given.
    #[must_use]
    pub fn watched(&self) -> Option<Watched> {
        self.host().watch.as_ref().map(|watch| watch.seen())
    }

    /// Removes and returns the movements of data since the last call. Empty unless [`follow_data`](Self::follow_data)
    /// was called.
    pub fn take_data_moves(&mut self) -> Vec<DataMove> {
        match &mut self.machine {
            Kind::Alone(_) => Vec::new(),
            Kind::Tree(tree) => tree.take_moves(),
        }
    }
}

/// Checks that the record has the columns of requests. `what` names the purpose at the start of the message.
fn keeps_requests(what: &str, record: &Record) -> Result<()> {
    let kept: Vec<_> = record::names(record.selection()).collect();
    ensure!(
        ["lbn", "blocks", "write"].iter().all(|name| kept.contains(name)),
        "{what}: expected a record with the columns lbn, blocks and write"
    );
    Ok(())
}
