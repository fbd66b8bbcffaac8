//! Small valid files of every format: the sample in the table of formats, and others.

use std::path::Path;

use sledsim::trace::FORMATS;

use crate::recognition::SAMPLES;
use crate::support::{read_bytes, Record, COMPLETION, DISPATCH, METADATA, SYNC, WRITE};

/// Pairs of a format's name and a file in this format.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let rows = FORMATS.built_in().iter().map(|row| (row.name, row.sample().to_vec()));
    let text = SAMPLES.iter().map(|(name, text)| (*name, text.as_bytes().to_vec()));
    rows.chain(text).chain(others()).collect()
}

/// The files of the corpus in `tests/traces/corpus`, whose right requests are tested in Python, each with the format in
/// which it is read, or that of tables if it is refused.
pub fn corpus() -> Vec<(&'static str, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/traces/corpus");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| !path.ends_with("table.toml"));
    assert!(paths.len() >= 80, "the corpus is where it is looked for");
    paths.iter().map(|path| content(path)).map(|content| (format_of(&content), content)).collect()
}

/// The bytes of a file of the corpus; one that ends in `.hex` has them in hexadecimal, with comments behind `#`.
fn content(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_none_or(|ending| ending != "hex") {
        return bytes;
    }
    let text = String::from_utf8(bytes).unwrap();
    let words = text.lines().flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace());
    words.map(|word| u8::from_str_radix(word, 16).unwrap()).collect()
}

fn format_of(content: &[u8]) -> &'static str {
    read_bytes(content, None, true).map_or("csv", |(_, about)| about.format)
}

fn others() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("blkparse", blkparse().into_bytes()),
        ("blktrace", blktrace(Record::little_endian)),
        ("blktrace", blktrace(Record::big_endian)),
        ("fio", FIO_2.as_bytes().to_vec()),
        ("fio", FIO_3.as_bytes().to_vec()),
        ("srt", [SRT_HEADER.as_bytes(), &srt_v4()].concat()),
        ("srt", srt_v4()),
        ("srt", [b"$$TR_IOREC-1.7 : x\nversion = 1.7;\n\x0c".as_slice(), &srt_v7(1_053_281_044)].concat()),
        ("srt", srt_v7(1_053_281_044)),
        ("vscsi", vscsi(1)),
        ("vscsi", vscsi(2)),
        ("oraclegeneral", oracle_general()),
    ]
}

pub fn blkparse() -> String {
    "  8,16   1        1     0.000000000 18286  Q  RM 2 + 2 [mount]
  8,16   1        2     0.000016400 18286  D  RM 2 + 2 [my program]
  8,0    0        4     0.100000000    44  D  FN [kworker/1:1H]
  8,0    0        6     0.300000000    44  D   R 36 (12 00 00 00 24 00 ..) [udev]
  8,16   1        8     1.600000000 18286  C  RM 2 + 2 [0]
"
    .to_owned()
}

pub fn blktrace(encode: impl Fn(&Record) -> Vec<u8>) -> Vec<u8> {
    [
        Record::new(5, DISPATCH | WRITE | SYNC | METADATA, 8, 4096),
        Record { payload: vec![1, 2, 3], ..Record::new(6, DISPATCH, 100, 512) },
        Record::new(9, COMPLETION | WRITE | SYNC | METADATA, 8, 4096),
    ]
    .iter()
    .flat_map(encode)
    .collect()
}

pub const FIO_2: &str = "fio version 2 iolog
/dev/sda add
/dev/sdb add
/dev/sda open
/dev/sda read 1024 1024
/dev/sdb wait 166 0
/dev/sdb write 100 1000
/dev/sda wait 4065 0
/dev/sda trim 540672 131072
/dev/sda read 0 0
/dev/sda datasync 540672 0
/dev/sda close
";

pub const FIO_3: &str = "fio version 3 iolog
18 /tmp/f add
126 /tmp/f open
130 /tmp/f read 2023424 16384
1115 /tmp/f write 24839680 13312
4666058 /tmp/f sync 25235968 0
4666059 /tmp/f close
";

/// Header of an SRT file in which drive 0 has sectors of 256 bytes, and drive 1 sectors of 1,024 bytes.
pub const SRT_HEADER: &str = "$$TR_IOREC-1.3 (x)
tracedate = \"Sat May 30 00:03:06 1992\";
disks = {
  0 -> {
    seekparms = {616, 3450},
    sectorsize  = 256,
    sections = {
      8 -> {
        \"/\"
      }
    }
  },
  1 -> {
    sectorsize  = 1024,
  }
}
\x0c";

/// An SRT record: its size in bytes, followed by the given words, all big-endian.
pub fn srt_record(words: &[u32]) -> Vec<u8> {
    let size = 4 * (words.len() as u32 + 1);
    [size].iter().chain(words).flat_map(|word| word.to_be_bytes()).collect()
}

/// An SRT record of version 1 to 4. `rest` holds start, stop, bytes, sector, device, flags and info.
pub fn srt_io(id: u32, seconds: u32, micros: u32, rest: [u32; 7]) -> Vec<u8> {
    let [start, stop, bytes, sector, device, flags, info] = rest;
    let mut words = vec![id, seconds, micros, start, stop, bytes, sector, device, 4, 9, flags, info];
    words.extend((id >> 16 == 4).then_some(1));
    words.extend((id & 0xffff == 4).then_some(7));
    srt_record(&words)
}

pub fn srt_v4() -> Vec<u8> {
    [
        srt_io(0x0004_0001, 0, 5, [174, 19_687, 4096, 1056, 0x0800_0008, 1, 1 << 16]),
        srt_io(0x0004_0001, 1, 0, [76, 10_038, 8192, 3, 0x0800_0107, 1 << 24, 0x22 << 16]),
        srt_io(0x0004_0004, 1, 1, [0, 1, 512, 0, 0x0800_0008, 1, 0]),
        srt_io(0x0004_0001, 2, 0, [90, 80, 1024, 2, 0x0700_000e, 1 << 8, 7 << 16]),
        srt_io(0x0004_0001, 2, 1, [0, 0, 0, 2, 0x0800_0008, 0, 0]),
    ]
    .concat()
}

pub fn srt_v7(seconds: u32) -> Vec<u8> {
    let record = |micros, bytes, device, flags, info: u32, offset: u64| {
        let (high, low) = ((offset >> 32) as u32, offset as u32);
        let start = [0x0007_0001, seconds, micros, 3, 7487, bytes, 1, device, 0, 0, flags, info, 2, 99, 5];
        srt_record(&[start.as_slice(), &[high, low, 0, 0, 0x000a_0000, 0x4300_0000]].concat())
    };
    [
        record(630_058, 4096, 0x1f01_6000, 1 | 1 << 8, 11 << 16, 127_803_392),
        record(640_058, 1024, 0x1f12_0700, 1 << 24, 6 << 16, 6_000_000_000),
    ]
    .concat()
}

/// A vscsi record of version 1 or 2; `times_us` holds the time and the response time in microseconds.
pub fn vscsi_record(version: u16, command: u16, bytes: u32, lbn: u64, times_us: [u64; 2]) -> Vec<u8> {
    let (sn, segments) = (0x8000_0074u32.to_le_bytes(), 1u32.to_le_bytes());
    let (command, bytes) = (command.to_le_bytes(), bytes.to_le_bytes());
    let version_bytes = (version << 8).to_le_bytes();
    let [time, response] = times_us.map(u64::to_le_bytes);
    let lbn = lbn.to_le_bytes();
    if version == 1 {
        [&sn[..], &bytes, &segments, &command, &version_bytes, &lbn, &time].concat()
    } else {
        [&command[..], &version_bytes, &sn, &bytes, &segments, &lbn, &time, &response].concat()
    }
}

pub fn vscsi(version: u16) -> Vec<u8> {
    [
        vscsi_record(version, 0x2a, 512, 42_932_745, [5_633_898_368_802, 100]),
        vscsi_record(version, 0x12, 36, 0, [5_633_898_368_900, 1]),
        vscsi_record(version, 0x88, 6700, 1 << 33, [5_633_898_611_441, 2_000]),
        vscsi_record(version, 0x28, 0, 5, [5_633_898_611_442, 1]),
        vscsi_record(version, 0x35, 0, 5, [5_633_898_611_443, 3]),
    ]
    .concat()
}

pub fn oracle_general() -> Vec<u8> {
    let record = |time_s: u32, lbn: u64, bytes: u32, next: i64| {
        [&time_s.to_le_bytes()[..], &lbn.to_le_bytes(), &bytes.to_le_bytes(), &next.to_le_bytes()].concat()
    };
    [
        record(5_633_898, 42_932_745, 512, 2),
        record(5_633_898, 7, 6700, -1),
        record(5_633_900, 42_932_745, 1024, -1),
    ]
    .concat()
}
