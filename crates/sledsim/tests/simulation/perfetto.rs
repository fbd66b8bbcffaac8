//! The order of the tracks in a file for Perfetto. Tests of the Python package read the contents of such files with
//! Perfetto's own message definitions.

use std::ops::ControlFlow;

use sledsim::perfetto;
use sledsim::record::{select, Record};
use sledsim::simulation::Simulation;
use sledsim::time::Time;
use sledsim::workload::{Columns, PastEnd, Replay};

use crate::stepped::device;
use crate::support::{params, workload};

/// The value of a field of a protobuf message.
enum Field<'f> {
    Number(u64),
    Bytes(&'f [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first().expect("a number goes on");
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}

/// The fields of a protobuf message, each with its field number.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = varint(&mut bytes);
        if key & 7 == 0 {
            all.push((key >> 3, Field::Number(value)));
        } else {
            let (inner, rest) = bytes.split_at(value as usize);
            bytes = rest;
            all.push((key >> 3, Field::Bytes(inner)));
        }
    }
    all
}

/// The messages contained in those fields of a message that have the field number `number`.
fn inside(message: &[u8], number: u64) -> impl Iterator<Item = &[u8]> {
    fields(message).into_iter().filter_map(move |(found, value)| match value {
        Field::Bytes(bytes) if found == number => Some(bytes),
        _ => None,
    })
}

/// The rank and name of every track that has a parent track. In Perfetto's format, a `TrackDescriptor` is field 60 of a
/// packet; its fields 2, 5 and 12 are name, parent and rank.
fn tracks(file: &[u8]) -> Vec<(u64, String)> {
    let descriptors = inside(file, 1).flat_map(|packet| inside(packet, 60));
    let mut all: Vec<_> = descriptors
        .filter_map(|descriptor| {
            let number = |wanted| {
                fields(descriptor).into_iter().find_map(|(found, value)| match value {
                    Field::Number(number) if found == wanted => Some(number),
                    _ => None,
                })
            };
            let name = inside(descriptor, 2).next().expect("a track has a name");
            number(5)
                .map(|_| (number(12).unwrap_or(0), String::from_utf8(name.to_vec()).expect("it is text")))
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The tracks of a device have the order that the guide describes, and no two of them have the same rank.
#[test]
fn tracks_are_in_the_order_of_the_guide() {
    let system = device("osdi00", "sptf", None);
    let trace = workload(&params("osdi00", ""), 1500.0, 200, 1);
    let sectors = system.build().expect("it can be made").sectors();
    let record = Record::new(select("all").expect("it is a set"), trace.len());
    let mut simulation = Simulation::new(&system, 1, record).expect("it can be made");
    simulation.keep_journal([Time::ZERO, Time::LATEST]).expect("it has not begun");
    let mut replay = Replay::new(Columns::of(&trace), 1.0, sectors, PastEnd::Error).expect("the trace fits");
    let outcome = simulation.run(&mut replay, &mut |_| ControlFlow::Continue(()), None);
    let journal = outcome.expect("nothing stops it").journal.expect("one was kept");
    let mut file = Vec::new();
    perfetto::write(&mut file, &["device"], &journal, None).expect("it is memory");
    let tracks = tracks(&file);
    let names: Vec<&str> = tracks.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["requests", "bus", "waiting", "requests waiting", "power", "sled x", "sled y"]);
    assert!(tracks.is_sorted_by(|one, next| one.0 < next.0), "no two tracks have the same rank: {tracks:?}");
}
