//! Reading of a trace, either whole into columns or in batches of requests.

use std::path::Path;

use super::columns::Trace;
use super::decoded_stream::{DecodedStream, Input};
use super::evidence::Aspect;
use super::fields::quote;
use super::formats::{blktrace, csv};
use super::order::Order;
use super::packed::packed;
use super::plausibility;
use super::reader::{ReadOptions, Reader};
use super::recorded_clock::Clock;
use super::restarts::Restarts;
use super::source::DecodedSource;
use super::trace_info::{ReaderOutput, Times, TraceInfo};
use super::unwrapping::Unwrapping;
use super::{FormatRow, FORMATS};
use crate::error::{ensure, fault, Error, Result};
use crate::observer::report;

/// Number of lines or records read for one batch; a batch has about as many requests.
const BATCH: usize = 1 << 16;
/// Name of the format that accepts a map of columns.
const MAPPED: &str = "csv";
/// Name of the format in which a trace consists of one file for each CPU.
const CAPTURE: &str = "blktrace";
const FAR_APART: &str = "expected times that are at most 292 years apart, found others";
/// Smallest number of requests held back, so that a request that stands too late in the file can
/// still be sorted in.
const WINDOW: usize = 1 << 20;

/// Callback that receives the number of bytes read so far, counted before decompression; for a
/// blktrace capture, over all its files.
pub use crate::observer::Observer;

/// A reader of a trace, in batches of about 65,536 requests in order of arrival.
pub struct TraceReader {
    reader: Box<dyn Reader>,
    name: String,
    out: ReaderOutput,
    order: Order,
    unwrapping: Unwrapping,
    restarts: Restarts,
    clock: Clock,
    /// The longest response or service time in ns.
    longest_ns: i64,
    is_at_end: bool,
    requests: u64,
    /// The first and the last arrival in ns, by the clock of the file.
    first_and_last_ns: Option<(i64, i64)>,
}

impl TraceReader {
    /// Opens a trace, decompresses it if necessary, and detects its format unless `options` names a format.
    ///
    /// # Errors `Io` for a file that cannot be read, `Parameter` for an unknown format, and `Trace` for a
    /// file in no known format.
    pub fn open(input: Input, options: &ReadOptions<'_>) -> Result<Self> {
        let named = options.format.map(|name| FORMATS.find(name)).transpose()?;
        let mut source = DecodedSource::open(input, options)?;
        source.skip_byte_order_mark();
        if let (None, Some(what)) = (named, packed(source.head()?)) {
            return Err(Error::NotATrace(format!("expected a trace, found {what}")).at(source.name()));
        }
        let format = match (named, options.map) {
            (Some(format), None) => format,
            (None, None) => recognise(&mut source)?,
            (named, Some(_)) => mapped(named)?,
        };
        let times = if format.make.has_clock { Times::OfDay } else { Times::FromStart };
        let mut out = ReaderOutput { times, ..ReaderOutput::default() };
        out.about.format = format.name;
        out.about.bad.skip = options.skip_bad;
        let name = source.name().to_owned();
        let reader = (format.make.open)(source, options)?;
        Ok(Self {
            reader,
            name,
            out,
            order: Order::new(WINDOW),
            unwrapping: Unwrapping::default(),
            restarts: Restarts::default(),
            clock: Clock::default(),
            longest_ns: 0,
            is_at_end: false,
            requests: 0,
            first_and_last_ns: None,
        })
    }

    /// Returns the next batch of requests; `None` at the end of the trace.
    ///
    /// # Errors `Io` or `Trace` for data that cannot be read, or for a request too late to be
    /// sorted; `Interrupted` if `observe` asks to stop.
    pub fn next_batch(&mut self, observe: &mut Observer<'_>) -> Result<Option<Trace>> {
        loop {
            if let Some(rows) = self.order.take(self.is_at_end) {
                self.requests += rows.len() as u64;
                return self.count_from_origin(rows).map(Some);
            }
            if self.is_at_end {
                self.finish()?;
                return Ok(None);
            }
            self.is_at_end = !self.reader.read(BATCH, &mut self.out)?;
            report(observe, self.consumed_bytes())?;
            let mut rows = self.out.rows.take();
            let is_sorted = rows.arrival_ns.is_sorted();
            self.unwrapping.correct(&mut rows.arrival_ns, self.out.times, is_sorted);
            let is_sorted = is_sorted && self.unwrapping.wraps == 0;
            self.restarts.watch(&rows.arrival_ns, &rows.device, is_sorted);
            let late = self.order.put(rows).map_err(|late| self.too_late(late.by_ns))?;
            self.out.about.late += late;
        }
    }

    /// Returns all requests that are still to be read.
    ///
    /// # Errors Those of [`next_batch`](Self::next_batch), except that no request is too late;
    /// `Interrupted` if `observe` asks to stop.
    pub fn rest(&mut self, observe: &mut Observer<'_>) -> Result<Trace> {
        self.rest_of(usize::MAX, observe)
    }

    /// Returns all requests that are still to be read, if there are at most `most`. The limit protects the
    /// memory from a small compressed file that holds many requests.
    ///
    /// # Errors `Trace` if there are more than `most` requests, and the errors of [`rest`](Self::rest).
    pub fn rest_of(&mut self, most: usize, observe: &mut Observer<'_>) -> Result<Trace> {
        let mut rows = Trace::default();
        while let Some(held) = self.order.take(true) {
            rows.append(held);
        }
        let already = rows.len();
        self.out.rows = rows.into();
        while !self.is_at_end {
            self.is_at_end = !self.reader.read(BATCH, &mut self.out)?;
            report(observe, self.consumed_bytes())?;
            ensure!(self.out.rows.count() <= most, self.too_many(most));
        }
        let mut rows = self.out.rows.take();
        let is_sorted = rows.arrival_ns.is_sorted();
        self.unwrapping.correct(&mut rows.arrival_ns[already..], self.out.times, is_sorted);
        let is_sorted = is_sorted && self.unwrapping.wraps == 0;
        self.restarts.watch(&rows.arrival_ns[already..], &rows.device[already..], is_sorted);
        if !is_sorted {
            let mut latest_ns = i64::MIN;
            for &arrival_ns in &rows.arrival_ns {
                self.out.about.late += u64::from(arrival_ns < latest_ns);
                latest_ns = latest_ns.max(arrival_ns);
            }
            rows.sort_by_arrival();
        }
        self.requests += rows.len() as u64;
        let rows = self.count_from_origin(rows)?;
        self.finish()?;
        Ok(rows)
    }

    /// Information about the trace apart from its requests, as far as the trace has been read.
    #[must_use]
    pub fn about(&self) -> &TraceInfo {
        &self.out.about
    }

    /// Number of bytes of the file read so far, counted before decompression.
    #[must_use]
    pub fn consumed_bytes(&self) -> u64 {
        self.reader.consumed_bytes()
    }

    /// Counts arrival times from the first request on, if the times of the file come from a clock.
    fn count_from_origin(&mut self, mut rows: Trace) -> Result<Trace> {
        let (Some(&first_ns), Some(&last_ns)) = (rows.arrival_ns.first(), rows.arrival_ns.last()) else {
            return Ok(rows);
        };
        let (origin_ns, _) = *self.first_and_last_ns.get_or_insert((first_ns, last_ns));
        self.first_and_last_ns = Some((origin_ns, last_ns));
        self.clock.add(&rows.arrival_ns);
        for column in [&rows.response_ns, &rows.service_ns] {
            self.longest_ns = plausibility::longest_of(self.longest_ns, column);
        }
        if self.out.times != Times::FromStart {
            let is_near = last_ns.checked_sub(origin_ns).is_some();
            ensure!(is_near, Error::Trace(FAR_APART.to_owned()).at(self.name.as_str()));
            for arrival_ns in &mut rows.arrival_ns {
                *arrival_ns -= origin_ns;
            }
        }
        if self.out.times == Times::OfDay {
            self.out.about.origin_unix_ns = Some(origin_ns);
        }
        Ok(rows)
    }

    /// Ends the trace: checks that it has requests, and that the times of all requests are plausible.
    fn finish(&mut self) -> Result<()> {
        if self.requests > 0 {
            self.out.about.evidence.extend(self.unwrapping.evidence());
            if let Some(text) = self.restarts.text() {
                self.out.about.doubt(Aspect::Clock, text);
            }
            if let Some((first_ns, last_ns)) = self.first_and_last_ns.take() {
                let notes = plausibility::of_times(self.out.times, first_ns, last_ns, self.requests);
                self.out.about.evidence.extend(self.clock.evidence());
                let empty = plausibility::of_empty(self.out.about.skipped.empty, self.requests);
                let notes = notes.into_iter().chain(plausibility::of_longest(self.longest_ns)).chain(empty);
                notes.for_each(|note| self.out.about.doubt(Aspect::Plausibility, note));
            }
            return Ok(());
        }
        let TraceInfo { format, skipped, bad, .. } = &self.out.about;
        let mut found = format!("no requests found (format {format}; skipped {skipped}");
        if bad.count > 0 {
            found += &format!("; {} lines or records cannot be read", bad.count);
        }
        found += ")";
        if self.out.about.completions > 0 {
            found += &format!(
                "; {} completions (C) without the dispatch (D) of their request: record dispatches, too",
                self.out.about.completions
            );
        }
        if !self.out.instead.is_empty() {
            found += &format!("; {}", self.out.instead);
        }
        if self.out.about.queued > 0 {
            found += &format!(
                "; {} requests were queued (Q) and no request was dispatched (D): devices such as dm, md or zram pass requests on; trace the device below",
                self.out.about.queued
            );
        }
        Err(Error::Trace(found).at(self.name.as_str()))
    }

    fn too_many(&self, most: usize) -> Error {
        Error::Trace(format!(
            "expected at most {most} requests, which fit the free memory, found more; cut out a part with 'sledsim trace slice'"
        ))
        .at(self.name.as_str())
    }

    fn too_late(&self, by_ns: i64) -> Error {
        Error::Trace(format!(
            "a request arrived {} s before a request that is more than {WINDOW} requests earlier in \
             the file, which is too late to be sorted while reading; sort the trace in memory \
             once: sledsim.write_trace(sledsim.read_trace(path), \"sorted.parquet\")",
            by_ns as f64 * 1e-9
        ))
        .at(self.name.as_str())
    }
}

/// Number of bytes of the trace file at `path`, of all files if it is a blktrace capture.
/// [`TraceReader::consumed_bytes`] reaches this number at the end of the trace.
///
/// # Errors `Io` if the file cannot be found.
pub fn size_bytes(path: &Path) -> Result<u64> {
    let size = |file: &Path| {
        std::fs::metadata(file)
            .map(|data| data.len())
            .map_err(|source| Error::Io { path: file.display().to_string(), source })
    };
    blktrace::cpu_files(path)?.iter().map(|file| size(file)).sum()
}

/// Number of bytes of a trace after decompression; counting stops at `most` bytes.
///
/// # Errors `Io` if the file cannot be found.
pub fn unpacked_bytes(path: &Path, most: u64) -> Result<u64> {
    let found = size_bytes(path)?;
    let mut stream = DecodedStream::open(Input::File(path.to_owned()), &ReadOptions::default())?;
    if found >= most || !stream.is_compressed() {
        return Ok(found.min(most));
    }
    let (mut piece, mut found) = (vec![0; BATCH], 0);
    // Damage is reported when the file is read.
    while let Some(count @ 1..) = stream.read(&mut piece).ok().filter(|_| found < most) {
        found += count as u64;
    }
    Ok(found.min(most))
}

/// Returns the format that accepts a map of columns; returns an error if the user has chosen
/// another format, `named`.
fn mapped(named: Option<FormatRow>) -> Result<FormatRow> {
    match named {
        Some(format) if format.name != MAPPED => {
            fault(format!("a map of columns applies to the format {MAPPED} only, found {}", format.name))
        }
        _ => FORMATS.find(MAPPED),
    }
}

fn recognise(source: &mut DecodedSource) -> Result<FormatRow> {
    // The file of an idle CPU is empty; the captured requests are in the others.
    let is_one_of_several = |path: &Path| blktrace::cpu_files(path).is_ok_and(|files| files.len() > 1);
    if source.head()?.is_empty() && source.path().is_some_and(is_one_of_several) {
        return FORMATS.find(CAPTURE);
    }
    let head = source.head()?;
    if let Some(format) = FORMATS.rows().into_iter().find(|format| (format.make.matches)(head)) {
        return Ok(format);
    }
    if csv::is_header_alone(head) {
        let header = quote(head.trim_ascii_end());
        let found = format!("expected requests after the header of a table, found only the header {header}");
        return Err(Error::Trace(found).at(source.name()));
    }
    let found = match head {
        [] => "an empty file".to_owned(),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            "a text in UTF-16, which must be converted to UTF-8 (iconv -f utf-16 -t utf-8)".to_owned()
        }
        _ => format!("a file that begins with {}", quote(head)),
    };
    let tried: Vec<&str> = FORMATS.rows().iter().map(|format| format.name).collect();
    let expected = format!(
        "expected a trace in one of the formats {}, or a table and a map of its columns (such as \
         --map time=1:us,lbn=2,size=3:B,op=4), found {found}",
        tried.join(", ")
    );
    Err(Error::NotATrace(expected).at(source.name()))
}
