//! A queue before a disk, against what DiskSim says of the same drive and requests.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sledsim::device::disk::Disk;
use sledsim::params::{DiskParams, ReadAhead};
use sledsim::request::Op;
use sledsim::time::Time;

use crate::support::parameters;

/// Those of DiskSim, each faster than the one before.
const POLICIES: [&str; 4] = ["fcfs", "clook_lbn", "sstf_lbn", "sptf"];

#[derive(Clone, Copy)]
struct Arrival {
    at: Time,
    lbn: u64,
    blocks: u32,
    op: Op,
}

fn golden() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden/disksim");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: DiskSim's results are not at {}", folder.display());
    None
}

/// Requests at such a rate.
fn arrivals(folder: &Path, rate_per_s: f64) -> Vec<Arrival> {
    let file = File::open(folder.join("traces/atlas10k_random_base.csv.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let [time, lbn, blocks, read] = ["cum_unit_arrival", "lbn", "blocks", "read"].map(at);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Arrival {
            at: Time((fields[time].parse::<f64>().unwrap() / rate_per_s * 1e9) as u64),
            lbn: fields[lbn].parse().unwrap(),
            blocks: fields[blocks].parse().unwrap(),
            op: if fields[read] == "1" { Op::Read } else { Op::Write },
        }
    };
    text.lines().skip(1).map(row).collect()
}

/// The mean response time that DiskSim prints.
fn printed_ms(folder: &Path, rate: u32, policy: &str, variant: &str) -> f64 {
    let text = std::fs::read_to_string(folder.join("atlas10k_random/summary.csv")).unwrap();
    let start = format!("atlas10k,{rate},{policy},{variant},");
    let line = text.lines().find(|line| line.starts_with(&start)).unwrap();
    line.split(',').nth(6).unwrap().parse().unwrap()
}

/// Which of the waiting requests comes next; the last one began or ended at that block.
fn next(disk: &Disk, policy: &str, waiting: &[Arrival], now: Time, last: u64) -> usize {
    let all = 0..waiting.len();
    let at = |row: usize| waiting[row].lbn;
    match policy {
        "fcfs" => 0,
        "sstf_lbn" => all.min_by_key(|row| at(*row).abs_diff(last)).unwrap(),
        "clook_lbn" => all.min_by_key(|row| (at(*row) < last, at(*row))).unwrap(),
        _ => all.min_by_key(|row| disk.positioning(now, waiting[*row].op, at(*row))).unwrap(),
    }
}

/// Mean response time with a queue before the drive, which has one request at a time.
fn mean_ms(mut disk: Disk, policy: &str, arrivals: &[Arrival]) -> f64 {
    let (mut waiting, mut coming) = (Vec::new(), arrivals.iter().copied().peekable());
    let (mut now, mut last, mut sum) = (Time::ZERO, 0, 0.0);
    loop {
        match coming.peek() {
            Some(first) if waiting.is_empty() => now = now.max(first.at),
            None if waiting.is_empty() => return sum * 1e3 / arrivals.len() as f64,
            _ => {}
        }
        while let Some(arrival) = coming.next_if(|arrival| arrival.at <= now) {
            waiting.push(arrival);
        }
        let request = waiting.remove(next(&disk, policy, &waiting, now, last));
        now = disk.serve_at(now, request.op, request.lbn, request.blocks).complete;
        sum += (now - request.at).as_s();
        last = request.lbn + if policy == "sstf_lbn" { u64::from(request.blocks) } else { 0 };
    }
}

/// DiskSim's driver chooses by SPTF with stale knowledge of the rotation, which costs it the more the longer the queue:
/// of that policy near saturation only the place in the order is compared.
#[test]
fn policies_on_the_atlas_10k_do_as_with_disksim() {
    let Some(folder) = golden() else { return };
    let with_cache = parameters("atlas10k");
    let without = DiskParams {
        cache_segments: 0,
        write_back: false,
        read_ahead: ReadAhead::None,
        whole_track_reads: false,
        ..with_cache.clone()
    };
    for (variant, params) in [("nocache", &without), ("default", &with_cache)] {
        for rate in [20, 60, 100] {
            let arrivals = arrivals(&folder, f64::from(rate));
            let mut before_ms = f64::INFINITY;
            for policy in POLICIES {
                let ms = mean_ms(Disk::new(params).unwrap(), policy, &arrivals);
                let printed = printed_ms(&folder, rate, policy, variant);
                let error = ms / printed - 1.0;
                println!(
                    "{variant} {rate:3}/s {policy:9} {ms:7.3} ms, DiskSim {printed:7.3} ({:+.2} %)",
                    1e2 * error
                );
                assert!(ms < before_ms, "{variant} {rate}/s: {policy} is no faster than the one before");
                assert!(error.abs() < 0.05 || (rate, policy) == (100, "sptf"), "{variant} {rate}/s {policy}");
                before_ms = ms;
            }
        }
    }
}
