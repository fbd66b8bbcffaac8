//! Records the histories of requests through volumes, to explain their response times.

use super::{Origin, Tree};
use crate::request::Request;
use crate::simulation::watching::Owners;
use crate::time::Time;
use crate::volume::Job;

impl Tree {
    /// The host's request and the jobs to which the job `job` of the volume `node` belongs, including `job` itself.
    fn owners(&mut self, mut node: u32, mut job: Job) -> Owners {
        let mut owners = Owners::default();
        loop {
            owners.jobs.push((node, job));
            match self.volumes[node as usize].jobs.of(job).origin {
                Origin::Own => return owners,
                Origin::Host(row) => return Owners { row: Some(row), ..owners },
                Origin::Part(part) => {
                    let above = self.parts.get(part);
                    (node, job) = (above.node, above.part.job);
                }
            }
        }
    }

    /// Records that a part was sent to a device. `times` has the times at which it was sent, at which its data began to
    /// cross the shared bus, and at which they had crossed it.
    pub(super) fn watch_part(
        &mut self,
        times: [Time; 3],
        (node, job): (u32, Job),
        station: u32,
        request: &Request,
    ) {
        if self.host.watch.is_none() {
            return;
        }
        let owners = self.owners(node, job);
        if let Some(watch) = &mut self.host.watch {
            if owners.row.is_some_and(|row| watch.has(row)) {
                self.devices[station as usize].station.watch(request.row);
            }
            watch.send(times, station, owners, request);
        }
    }

    /// Records that the parts of the job `work` also served the job `job`; both belong to the volume `node`.
    pub(super) fn watch_shared(&mut self, node: u32, job: Job, work: Job) {
        if self.host.watch.is_some() {
            let row = self.owners(node, job).row;
            if let (Some(watch), Some(row)) = (&mut self.host.watch, row) {
                watch.share(row, node, work);
            }
        }
    }
}
