//! The traces of Microsoft Research Cambridge (SNIA IOTTA 388): one request per line,
//! `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`, in bytes and Windows file times (100 ns
//! since 1601).

use super::super::columns::{Op, TraceRow};
use super::super::device_numbers::Devices;
use super::super::evidence::Aspect;
use super::super::fields::{Commas, Parsed, I64_MAX};
use super::super::plausibility::Unit;
use super::super::quantities::{OFFSET_MAX, SECTOR_BYTES};
use super::super::trace_info::{ReaderOutput, Times, TraceInfo};
use super::super::writer::{push_whole, Writer};
use super::requests::{self, Entry, RequestFormat};
use super::shape::{comma_words, is_number, is_read_or_write, is_whole};
use super::FormatRow;
use crate::error::{ensure, Error, Result};

pub(super) const ROW: FormatRow = FormatRow::new(
    "msr",
    "MSR Cambridge CSV: filetime, host, disk, Read|Write, offset, bytes, response (units of 100 ns)",
    requests::kind::<Msr>(SAMPLE).with_clock().writer(|| Box::<MsrWriter>::default()),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"128166372003061629,hm,1,Read,383496192,32768,113736\n";

/// The start of the year 1970 as a Windows file time.
pub(super) const FILETIME_1970: u64 = 116_444_736_000_000_000;
pub(super) const FILETIME_NS: u64 = 100;
/// Largest permitted distance of an arrival from the reference time, in units of 100 ns; the
/// distance of any two arrivals is then less than 2^63 ns.
pub(super) const FILETIMES_MAX: u64 = i64::MAX as u64 / (2 * FILETIME_NS);
const FILETIMES_A_YEAR: u64 = 315_569_520_000_000;
pub(super) const FILETIME: &str =
    "a Windows file time (100 ns since 1601), less than 146 years from 1970 or from the first file time";

struct Msr {
    /// The reference time from which arrivals count, as a Windows file time.
    epoch: Option<u64>,
    devices: Devices,
    /// Disk of the previous request: its text `host,disk,` in the line, and its device number in
    /// the columns.
    last: (Vec<u8>, i32),
}

impl Msr {
    /// Chooses the reference time: 1970, or the time of the first request if it is earlier. Such an
    /// early time is probably not a Windows file time, which a note in `out` says.
    #[cold]
    fn find_epoch(&mut self, first: u64, out: &mut ReaderOutput) -> u64 {
        if first >= FILETIME_1970 {
            return *self.epoch.insert(FILETIME_1970);
        }
        let year = 1601 + first / FILETIMES_A_YEAR;
        out.about.doubt(Aspect::Plausibility, format!(
            "times look wrong: if they are Windows file times (100 ns since 1601), the trace begins in the year {year}; check the unit"
        ));
        out.times = Times::FromAnywhere;
        *self.epoch.insert(first)
    }

    #[cold]
    fn find_device(&mut self, disk: &Disk<'_>, out: &mut ReaderOutput) -> i32 {
        let name = [disk.host, b".", disk.number.to_string().as_bytes()].concat();
        let number = self.devices.number(&name, &mut out.about);
        self.last = (disk.as_written.to_owned(), number);
        number
    }
}

/// The disk of a request as read from a line.
struct Disk<'a> {
    host: &'a [u8],
    number: i32,
    as_written: &'a [u8],
}

impl<'a> Disk<'a> {
    #[cold]
    fn read(fields: &mut Commas<'a>) -> Parsed<Self> {
        let start = fields.place();
        let (host, number) = (fields.word(), fields.device()?);
        Ok(Self { host, number, as_written: fields.since(start) })
    }
}

impl Default for Msr {
    fn default() -> Self {
        // A text that no line contains.
        let last = (b"\n".to_vec(), 0);
        Self { epoch: None, devices: Devices::default(), last }
    }
}

impl RequestFormat for Msr {
    const UNITS: (Unit, Unit) = (Unit::Bytes, Unit::Bytes);
    const HEADER: Option<&str> = Some("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime");

    fn looks_like(head: &[u8]) -> bool {
        let [time, host, disk, op, offset, size, ref response @ ..] = comma_words(head)[..] else {
            return false;
        };
        let mut numbers = [time, disk, offset, size].into_iter().chain(response.iter().copied());
        response.len() <= 1 && numbers.all(is_whole) && !is_number(host) && is_read_or_write(op)
    }

    #[inline]
    fn entry(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Commas::of(line);
        let before_time = fields.fault_here(FILETIME);
        let time = fields.integer(0..=I64_MAX, FILETIME)?;
        let other_disk = if fields.skip(&self.last.0) { None } else { Some(Disk::read(&mut fields)?) };
        let op = fields.read_or_write()?;
        let (place, size) = (fields.offset()?, fields.size()?);
        let response = if fields.end().is_ok() {
            0
        } else {
            fields.integer(0..=I64_MAX / FILETIME_NS, "a response time in units of 100 ns")?
        };
        fields.end()?;
        if size == 0 {
            return Ok(Some(Entry::empty()));
        }
        let epoch = match self.epoch {
            Some(epoch) => epoch,
            None => self.find_epoch(time, out),
        };
        ensure!(time.abs_diff(epoch) <= FILETIMES_MAX, before_time);
        let device = other_disk.map_or(self.last.1, |disk| self.find_device(&disk, out));
        let request = TraceRow {
            arrival_ns: (time as i64 - epoch as i64) * FILETIME_NS as i64,
            op,
            device,
            response_ns: (response * FILETIME_NS) as i64,
            ..TraceRow::default()
        };
        Ok(Some(Entry { place, size, request }))
    }
}

/// A writer of one request per line; times are truncated to 100 ns.
#[derive(Default)]
struct MsrWriter {
    /// Device number of the previous request, and the text `,host,disk,` for this device.
    device: Option<(i32, Vec<u8>)>,
}

impl Writer for MsrWriter {
    fn request(&mut self, request: &TraceRow, about: &TraceInfo, bytes: &mut Vec<u8>) -> Result<bool> {
        let op: &[u8] = match request.op {
            Op::Read => b"Read",
            Op::Write => b"Write",
            Op::Discard | Op::Flush => return Ok(false),
        };
        let offset = request.lbn.unsigned_abs().saturating_mul(SECTOR_BYTES);
        if offset > OFFSET_MAX {
            return Err(Error::Trace(format!(
                "expected a block number from 0 to {} for the format msr, which stores offsets in bytes, found {}",
                OFFSET_MAX / SECTOR_BYTES,
                request.lbn
            )));
        }
        let unix_ns = about.origin_unix_ns.unwrap_or(0).saturating_add(request.arrival_ns);
        let filetime = FILETIME_1970 as i64 + unix_ns.div_euclid(FILETIME_NS as i64);
        push_whole(filetime.unsigned_abs(), bytes);
        let name = match &self.device {
            Some((device, name)) if *device == request.device => name,
            _ => &self.device.insert((request.device, host_and_disk(request.device, about))).1,
        };
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(op);
        let size = u64::from(request.blocks.unsigned_abs()) * SECTOR_BYTES;
        for field in [offset, size, request.response_ns.unsigned_abs() / FILETIME_NS] {
            bytes.push(b',');
            push_whole(field, bytes);
        }
        bytes.push(b'\n');
        Ok(true)
    }
}

/// Returns the text `,host,disk,` for a device: `,usr,0,` for the name `usr.0`. A name of another
/// form becomes the host, and the device number becomes the disk.
fn host_and_disk(device: i32, about: &TraceInfo) -> Vec<u8> {
    let name = about.device_names.get(&device).map_or("disk", String::as_str);
    let is_disk = |disk: &str| is_whole(disk.as_bytes()) && disk.parse::<i32>().is_ok_and(|disk| disk >= 0);
    let (host, disk) = match name.rsplit_once('.') {
        Some((host, disk)) if is_disk(disk) => (host, disk.to_owned()),
        _ => (name, device.to_string()),
    };
    let clean = |c: char| if c.is_ascii_graphic() && c != ',' { c } else { '_' };
    format!(",{},{disk},", host.chars().map(clean).collect::<String>()).into_bytes()
}
