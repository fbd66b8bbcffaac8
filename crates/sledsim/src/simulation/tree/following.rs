//! Records how request data move through volumes, for programs that store the data.

use super::{Event, Origin, Target, Tree};
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::request::{Durable, Op};
use crate::simulation::data_moves::{DataMove, DeviceExtent, MemoryPlace};
use crate::simulation::interrupted::Interrupted;
use crate::station::Station;
use crate::time::Time;
use crate::volume::{Action, BufferPlace, FindNote, Io, Job, Part, VolumeRequest};

fn place(volume: u32, (job, sector): BufferPlace) -> MemoryPlace {
    MemoryPlace { volume, job: job.0, sector }
}

fn extent(device: u32, part: &Part) -> DeviceExtent {
    DeviceExtent { device, sectors: part.sector..part.sector + u64::from(part.sectors) }
}

impl Tree {
    /// Starts to record the movements of data, and the times at which blocks reach a medium. Called before the first
    /// request.
    pub fn follow_data(&mut self) {
        self.moves = Some(Vec::new());
        for node in &mut self.volumes {
            node.io = Io::new(node.members.len() as u32, true);
        }
        self.devices.iter_mut().for_each(|node| Station::note_passages(&mut node.station));
    }

    /// Removes and returns the movements of data since the last call.
    pub fn take_moves(&mut self) -> Vec<DataMove> {
        self.moves.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Restores the state of the volumes after a power failure, before the first request. `find` returns the note in a
    /// sector of a device, that is, the state that a volume had written there; or `None`.
    ///
    /// # Errors A member of a volume is itself a volume: its content is known only after its own restart.
    pub fn recover(&mut self, find: &mut FindNote<'_>) -> Result<()> {
        ensure!(
            self.volumes.len() == self.roots.len(),
            "restart after a power failure: expected a volume whose members are devices, found a member that is a volume"
        );
        for node in &mut self.volumes {
            let device = |member: u32| match node.members[member as usize] {
                Target::Device(device) => device,
                Target::Volume(_) => unreachable!("there are no volumes below"),
            };
            node.volume.recover(&mut |member, sector| find(device(member), sector));
        }
        Ok(())
    }

    /// Records how the data of a write reach the buffer of its job: from the host, or from the buffer of the volume
    /// above.
    pub(super) fn follow_arrival(&mut self, node: u32, job: Job, origin: Origin, request: &VolumeRequest) {
        let Some(moves) = self.moves.as_mut().filter(|_| request.op == Op::Write) else { return };
        let (to, sectors) = (place(node, (job, 0)), request.sectors.into());
        match origin {
            Origin::Own => {}
            Origin::Host(row) => moves.push(DataMove::Arrive { row, to, sectors }),
            Origin::Part(above) => {
                let above = self.parts.get(above);
                let from = place(above.node, (above.part.job, above.part.at));
                moves.push(DataMove::Copy { from, to, sectors });
            }
        }
    }

    /// Records an action that moves data in the memory of the volume `node`.
    pub(super) fn follow_memory(&mut self, node: u32, action: Action) {
        let Some(moves) = &mut self.moves else { return };
        let place = |at| place(node, at);
        moves.push(match action {
            Action::Copy(from, to, sectors) => DataMove::Copy { from: place(from), to: place(to), sectors },
            Action::Xor(from, to, sectors) => DataMove::Xor { from: place(from), to: place(to), sectors },
            Action::Note(at, sealed, words) => DataMove::Note { at: place(at), sealed, words },
            _ => return,
        });
    }

    /// Records that a part is sent to a device, if the part is a write.
    pub(super) fn follow_part(&mut self, tag: u32, device: u32) {
        let Some(moves) = &mut self.moves else { return };
        let state = self.parts.get(tag);
        if state.part.op == Op::Write {
            let from = place(state.node, (state.part.job, state.part.at));
            moves.push(DataMove::Send { part: tag, from, to: extent(device, &state.part) });
        }
    }

    /// Records that a device has served a part; a flush moves no data.
    pub(super) fn follow_service(&mut self, tag: u32, device: u32) {
        let Some(moves) = &mut self.moves else { return };
        let state = self.parts.get(tag);
        if state.durable == Durable::Earlier {
            return;
        }
        moves.push(match state.part.op {
            Op::Write => DataMove::Written { part: tag },
            Op::Read => {
                let to = place(state.node, (state.part.job, state.part.at));
                DataMove::Read { from: extent(device, &state.part), to }
            }
        });
    }

    /// Records how the data of a read leave the buffer of a complete job: to the host, or to the buffer of the volume
    /// above. The buffer is then closed.
    pub(super) fn follow_completion(&mut self, node: u32, job: Job, origin: Origin) {
        let Some(moves) = &mut self.moves else { return };
        let from = place(node, (job, 0));
        match origin {
            Origin::Own => {}
            Origin::Host(row) => {
                if let Some((Op::Read, asked)) = self.host.record.asked(row) {
                    moves.push(DataMove::Found { row, from, sectors: asked.end - asked.start });
                }
            }
            Origin::Part(above) => {
                let above = self.parts.get(above);
                if above.part.op == Op::Read {
                    let to = place(above.node, (above.part.job, above.part.at));
                    moves.push(DataMove::Copy { from, to, sectors: above.part.sectors.into() });
                }
            }
        }
        moves.push(DataMove::Close { volume: node, job: job.0 });
    }

    /// The effect of a power failure at `now` on the parts that devices are writing, each with the number of the part.
    pub(super) fn interrupted_parts(&self, now: Time) -> Vec<Interrupted> {
        let interrupted = |(_, event): (Time, &Event)| {
            let Event::Finish { station } = *event else { return None };
            let node = &self.devices[station as usize];
            let (request, passed) = node.station.interrupted(now)?;
            let asked = extent(station, &self.parts.get(request.tag).part).sectors;
            let passed = passed.in_sectors(node.block_bytes, SECTOR_BYTES);
            Some(Interrupted::in_service(request.tag, asked, passed, node.station.device().sectors()))
        };
        self.engine.iter().filter_map(interrupted).collect()
    }
}
