//! Checks that volumes release every service that no job needs any longer; otherwise memory would grow in a long run.

use super::*;
use crate::sched::Policy;
use crate::system::System;
use crate::workload::random;

/// Volumes with background work, with jobs that share the energy of others, or with a bus that members share.
const VOLUMES: [&str; 7] = [
    "write-buffer:buffer_mb=0.3,clean_after_ms=2",
    "metadata+write-buffer:metadata_mb=20,flush_every_s=0.05,buffer_mb=1,clean_after_ms=1,bus_mb_per_s=30",
    "virtual-disk:segment_kib=64,cache_mb=3,dirty_low=0",
    "cache:cache_mb=1,writes=back,dirty_ms=5",
    "merge:depth=3,hold_ms=0.2",
    "mirror:intent_s=0.01,failed_device=1,replaced=yes",
    "raid5:stripe_unit_kib=8,intent_s=0.01,bus_mb_per_s=10",
];

/// Number of services that must be kept: those of parts, of jobs, and of transfers on a shared bus.
fn held(tree: &mut Tree) -> usize {
    let parts = tree.parts.iter().filter(|(_, part)| part.service.is_some()).count();
    let buses = tree.volumes.iter().flat_map(|node| &node.bus);
    let crossing = buses.flat_map(|bus| bus.all()).filter_map(|crossing| crossing.done);
    let crossing = crossing.filter(|done| done.last.is_some()).count();
    let jobs = tree.volumes.iter_mut().flat_map(|node| node.jobs.all());
    parts + crossing + jobs.filter(|job| job.done.last.is_some()).count()
}

#[test]
fn every_service_is_given_back() {
    for text in VOLUMES {
        let system = System::volume(text, toml::Table::new(), &Policy::parse("sptf").unwrap()).unwrap();
        let System::Volume(plan) = &system else { unreachable!("every text names a volume") };
        let built = plan.build(&mut 0).unwrap();
        let trace = random(built.volume.sectors().min(60_000), 300.0, 300, 1).unwrap();
        let mut tree = Tree::new(vec![built], Record::with_capacity(300)).unwrap();
        tree.begin(Time::ZERO);
        for row in 0..trace.len() {
            let time = Time(trace.arrival_ns[row] as u64);
            while tree.step(time).is_some() {}
            let (sector, sectors) = (trace.lbn[row] as u64, trace.blocks[row] as u32);
            let request = HostRequest { traced_device: 0, sector, sectors };
            let op = if row % 3 == 0 { Op::Read } else { Op::Write };
            tree.arrive(&Arrival { metadata: row % 4 == 0, ..Arrival::new(time, op, request) });
            assert_eq!(tree.services.holders() as usize, held(&mut tree), "{text}: request {row}");
        }
        // After the last request, volumes continue with their own work.
        for _ in 0..3000 {
            tree.step(Time::MAX);
        }
        assert_eq!(tree.host.waiting(), 0, "{text}");
        assert_eq!(tree.services.holders() as usize, held(&mut tree), "{text}: at the end");
    }
}
