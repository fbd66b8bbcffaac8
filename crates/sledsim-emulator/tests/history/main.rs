//! Read history files that are complete, truncated or damaged. Check that a slow disk does not block the thread
//! that serves clients.
#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{flock, mknodat, FileType, FlockOperation, Mode, CWD};
use sledsim_emulator::history::{part_beside, About, End, Event, History, Writer, MOST_QUEUED_BYTES};
use sledsim_emulator::store::{Memory, Store};
use tempfile::{tempdir, TempDir};

const BYTES: u64 = 1 << 20;

fn about() -> About {
    About { bytes: BYTES, cache: "volatile".into(), cache_bytes: 1 << 16, device: "osdi00".into() }
}

/// Write a short history, with contents at the start, into a folder. Return the path of its file.
fn written(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("a.history");
    let mut before = Memory::new(BYTES);
    before.write(8192, &[9; 1024]).unwrap();
    let mut writer = Writer::create(&path, &about(), &before).unwrap();
    writer.write(5, 0, 512, false, &[1; 1024]);
    writer.zero(6, 1, 4096, true, 512);
    writer.completed(7, 1, true);
    writer.flushed(8, 1);
    writer.write(9, 2, 0, false, &[0; 512]);
    writer.completed(10, 0, false);
    assert!(!path.exists(), "the file gets its final name when the history is complete");
    assert!(writer.finish().unwrap());
    assert!(!part_beside(&path).exists());
    path
}

#[test]
fn it_says_what_was_written() {
    let folder = tempdir().unwrap();
    let history = History::open(&written(&folder)).unwrap();
    assert_eq!((&history.about, history.end), (&about(), End::Whole));
    let writes = &history.writes;
    let seen =
        writes.iter().map(|write| (write.submitted_ns, write.row, write.offset, write.bytes, write.fua));
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [(5, 0, 512, 1024, false), (6, 1, 4096, 512, true), (9, 2, 0, 512, false)]
    );
    let zeros: Vec<bool> = writes.iter().map(|write| write.is_zeros()).collect();
    assert_eq!(zeros, [false, true, true], "writes of zeros have no data in the file");
    let done = |write, is_done| Event::Completed { write, is_done };
    let submitted = Event::Submitted;
    assert_eq!(
        history.events,
        [
            submitted(0),
            submitted(1),
            done(1, true),
            Event::Flushed { covers: 1 },
            submitted(2),
            done(0, false)
        ]
    );
    let mut data = [0; 1024];
    history.read(&writes[0], 0, &mut data).unwrap();
    assert_eq!(data, [1; 1024]);
    let state: Vec<(u64, Vec<u8>)> = history.state().map(Result::unwrap).collect();
    let found: u64 =
        state.iter().map(|(_, data)| data.iter().filter(|&&byte| byte == 9).count() as u64).sum();
    assert_eq!(found, 1024);
}

/// Checks contents at the start that have data in the first byte, in the last byte, and at multiples of a
/// megabyte.
#[test]
fn the_contents_at_the_start_are_kept_to_the_byte() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.history");
    let bytes = 3 * BYTES;
    let mut before = Memory::new(bytes);
    let places = [0, 1, BYTES - 1, BYTES, 2 * BYTES + 5, bytes - 1];
    for at in places {
        before.write(at, &[7]).unwrap();
    }
    let writer = Writer::create(&path, &About { bytes, ..about() }, &before).unwrap();
    assert!(writer.finish().unwrap());
    let mut found = Vec::new();
    for part in History::open(&path).unwrap().state() {
        let (offset, data) = part.unwrap();
        let here = (offset..).zip(data).filter(|(_, byte)| *byte != 0);
        found.extend(here);
    }
    assert_eq!(found, places.map(|at| (at, 7)));
}

/// Write a file under a new inode: remove the old file first. Overwriting would be slow, because file systems
/// flush a replaced file immediately.
fn rewrite(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

#[test]
fn one_that_is_cut_off_anywhere_ends_with_its_last_whole_record() {
    let folder = tempdir().unwrap();
    let whole = fs::read(written(&folder)).unwrap();
    let cut = folder.path().join("cut.history");
    let mut events = 0;
    for length in 0..whole.len() {
        rewrite(&cut, &whole[..length]);
        match History::open(&cut) {
            Ok(history) => {
                assert_eq!(history.end, End::CutOff);
                assert!(history.events.len() >= events);
                events = history.events.len();
            }
            Err(error) => {
                assert_eq!(events, 0, "{error}");
                assert!(error.to_string().contains("expected"), "{error}");
            }
        }
    }
    assert_eq!(events, 6);
}

#[test]
fn damage_is_reported() {
    let folder = tempdir().unwrap();
    let path = written(&folder);
    let whole = fs::read(&path).unwrap();
    let last = whole.len() - 13;
    for at in 0..last {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        rewrite(&path, &damaged);
        // A damaged length exceeds the end, as in a truncated file.
        match History::open(&path) {
            Ok(history) => assert_eq!(history.end, End::CutOff, "byte {at}"),
            Err(error) => assert!(error.to_string().contains("expected"), "{error}"),
        }
    }
    fs::write(&path, b"PAR1").unwrap();
    let error = History::open(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("expected a history written by 'sledsim serve --history', found \"PAR1\""),
        "{error}"
    );
}

/// Checks that an unfinished history is locked, and that a file that another program put in its place is
/// refused.
#[test]
fn what_is_written_is_locked_and_what_was_put_in_its_place_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.history");
    let part = part_beside(&path);
    let create = || Writer::create(&path, &about(), &Memory::new(BYTES));
    let writer = create().unwrap();
    let other = fs::File::open(&part).unwrap();
    assert!(
        flock(&other, FlockOperation::NonBlockingLockShared).is_err(),
        "the history is locked while the server writes it"
    );
    assert_eq!(create().err().unwrap().kind(), std::io::ErrorKind::AlreadyExists);
    fs::remove_file(&part).unwrap();
    fs::write(&part, b"mine").unwrap();
    let error = writer.finish().unwrap_err().to_string();
    assert_eq!(error, "another program has replaced the unfinished history file: the history is lost");
    assert_eq!((fs::read(&part).unwrap().as_slice(), path.exists()), (b"mine".as_slice(), false));
    fs::remove_file(&part).unwrap();
    let writer = create().unwrap();
    fs::remove_file(&part).unwrap();
    assert_eq!(writer.finish().unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

/// Checks that the history does not replace a file that another program has created or changed under its final
/// name meanwhile.
#[test]
fn what_has_come_under_its_name_is_kept() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.history");
    let create = || Writer::create(&path, &about(), &Memory::new(BYTES)).unwrap();
    create().finish().unwrap();
    create().finish().unwrap();
    let changes: [&dyn Fn(); 3] =
        [&|| fs::write(&path, b"mine").unwrap(), &|| fs::remove_file(&path).unwrap(), &|| {
            fs::write(&path, b"mine, too").unwrap()
        }];
    for change in changes {
        let writer = create();
        change();
        let before = fs::read(&path).ok();
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.ends_with("a.history meanwhile: the history stays in its unfinished file"), "{error}");
        assert_eq!(fs::read(&path).ok(), before);
        fs::remove_file(part_beside(&path)).unwrap();
    }
}

#[test]
fn what_no_writer_writes_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.history");
    let refused = |put: &dyn Fn(&mut Writer)| {
        let mut writer = Writer::create(&path, &about(), &Memory::new(BYTES)).unwrap();
        put(&mut writer);
        writer.finish().unwrap();
        History::open(&path).unwrap_err().to_string()
    };
    for (put, expected) in [
        (
            &(|writer: &mut Writer| writer.write(0, 0, BYTES, false, &[1; 512])) as &dyn Fn(&mut Writer),
            "within the device",
        ),
        (&|writer: &mut Writer| writer.write(0, 0, 1, false, &[1; 512]), "whole sectors"),
        (&|writer: &mut Writer| writer.zero(0, 0, 512, false, u64::MAX - 511), "within the device"),
        (
            &|writer: &mut Writer| writer.completed(0, 0, true),
            "the number of a write that was not answered before",
        ),
    ] {
        let error = refused(put);
        assert!(error.contains(expected), "{error}");
    }
}

/// Write a history to a pipe instead of a disk. The pipe is read only after `put` has recorded all events.
/// Return true if closing the history failed, and the bytes that were read.
fn behind_a_pipe(path: &Path, put: impl FnOnce(&mut Writer)) -> (bool, Vec<u8>) {
    let part = part_beside(path);
    mknodat(CWD, &part, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    // Open without waiting for the other end.
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let mut disk = OpenOptions::new().read(true).custom_flags(flags).open(&part).unwrap();
    let mut writer = Writer::create(path, &about(), &Memory::new(BYTES)).unwrap();
    put(&mut writer);
    let finishing = std::thread::spawn(move || writer.finish());
    let mut read = Vec::new();
    let mut part = vec![0; 1 << 16];
    // A pipe cannot be synced, which fails only the end.
    loop {
        match disk.read(&mut part) {
            Ok(0) if finishing.is_finished() => break,
            Ok(count) => read.extend(&part[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => std::thread::yield_now(),
            Err(error) => panic!("{error}"),
        }
    }
    (finishing.join().unwrap().is_err(), read)
}

#[test]
fn a_slow_disk_does_not_block_the_server() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("slow.history");
    let megabyte = vec![1; BYTES as usize];
    let (_, read) = behind_a_pipe(&path, |writer| {
        for row in 0..2 * (MOST_QUEUED_BYTES / BYTES) {
            writer.write(row, row, 0, false, &megabyte);
        }
    });
    fs::remove_file(part_beside(&path)).unwrap();
    fs::write(&path, read).unwrap();
    let history = History::open(&path).unwrap();
    assert_eq!(history.end, End::Overrun);
    let most = MOST_QUEUED_BYTES / BYTES;
    // The pipe and the thread hold one or two records besides the queue.
    assert!((most - 1..most + 3).contains(&(history.writes.len() as u64)), "{}", history.writes.len());
}

#[test]
fn a_disk_that_is_full_ends_the_history_alone() {
    // Every write to /dev/full finds the disk full.
    let folder = tempdir().unwrap();
    let path = folder.path().join("full.history");
    std::os::unix::fs::symlink("/dev/full", part_beside(&path)).unwrap();
    let error = Writer::create(&path, &about(), &Memory::new(BYTES)).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}
