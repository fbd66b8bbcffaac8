//! The latency logs of fio with offsets (fio(1), "Log file formats": write_lat_log and log_offset=1). Each line
//! is a completed request: `time in ms, latency in ns, 0=read|1=write|2=trim, bytes, offset, priority`, and the
//! time of issue in ns with log_issue_time=1.
//!
//! Logs of bandwidth and of IOPS have the same columns, logs of averages have no requests, and without
//! log_offset there are no places: they are refused with a message that says what they are. The kind of a log
//! is in the name of its file only.
//!
//! Completions of the same ms follow each other in the order of the file. Each comes as early as a job allows
//! that waits for one request before it sends the next; if the ms is too short for this, they are spread
//! evenly over it.

use super::super::columns::{Op, TraceRow};
use super::super::evidence::Aspect;
use super::super::fields::{content_lines, Commas, Parsed, I64_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::quantities::sectors;
use super::super::reader::{ReadOptions, Reader};
use super::super::source::DecodedSource;
use super::super::trace_info::{ReaderOutput, Times};
use super::shape::{is_whole, whole_lines};
use super::{FormatKind, FormatRow};
use crate::error::{Error, Result};

pub(super) const ROW: FormatRow = FormatRow::new(
    "fiolog",
    "fio's latency logs with offsets: ms of completion, latency in ns, 0=read|1=write|2=trim, bytes, offset",
    FormatKind::new(SAMPLE, |head| Shape::of(head).is_some(), open),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"0, 268338, 0, 4096, 1011712, 0\n2, 170568, 1, 4096, 14143488, 0\n";

const NS_PER_MS: i64 = 1_000_000;
/// The largest accepted time in ms: the difference of two such times still fits ns.
const TIME_MS_MAX: u64 = I64_MAX / 2 / NS_PER_MS as u64;
/// Times in ms from this one on (March 1973) count from 1970; with smaller ones a run would last 3 years.
const UNIX_MS: u64 = 100_000_000_000;
/// Times that count in s from 1970 in other formats, which separate columns by commas without blanks.
const UNIX_SECONDS: std::ops::Range<u64> = 100_000_000..UNIX_MS;
/// Largest distance between a time of issue and the completion minus the latency, if both count from one time.
const ISSUE_WITHIN_NS: i64 = 10 * NS_PER_MS;
/// Largest number of requests of a ms that are placed together.
const WAITING_MAX: usize = 1 << 16;
/// Numbers of columns of all logs.
const COLUMNS: std::ops::RangeInclusive<usize> = 4..=8;

/// The content of a log, by its first lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Requests {
        /// True if each line has a priority behind the offset, as of fio 3.25.
        has_priority: bool,
    },
    WithoutOffsets,
    Averages,
}

impl Shape {
    /// Finds the shape of a log; `None` if the lines are not those of a log.
    fn of(head: &[u8]) -> Option<Self> {
        let mut lines = content_lines(whole_lines(head)).peekable();
        let columns = words(lines.peek()?).len();
        let rows: Vec<Vec<u64>> = lines.map(|line| numbers(line, columns)).collect::<Option<_>>()?;
        let all = |column: usize, holds: &dyn Fn(u64) -> bool| rows.iter().all(|row| holds(row[column]));
        let has =
            |column: usize, holds: &dyn Fn(u64) -> bool| column < columns && !all(column, &|n| !holds(n));
        if columns >= 6
            && all(3, &|direction| direction <= 2)
            && all(4, &|size| size == 0)
            && has(2, &|n| n > 2)
        {
            // The mean and the maximum of each window.
            return Some(Self::Averages);
        }
        if !all(2, &|direction| direction <= 2) {
            return None;
        }
        let is_spaced = content_lines(head)
            .next()
            .is_some_and(|line| line.windows(2).all(|two| two[0] != b',' || two[1] == b' '));
        let is_like_a_log = all(3, &|size| size.is_multiple_of(512)) && !UNIX_SECONDS.contains(&rows[0][0]);
        if !is_spaced && !is_like_a_log {
            return None;
        }
        if all(3, &|size| size == 0) {
            return Some(Self::Averages);
        }
        let is_offset = |number: u64| number > 1;
        Some(match columns {
            5 if has(4, &is_offset) => Self::Requests { has_priority: false },
            6 if !has(4, &is_offset) && has(5, &is_offset) => Self::WithoutOffsets,
            6.. => Self::Requests { has_priority: true },
            _ => Self::WithoutOffsets,
        })
    }
}

fn words(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect()
}

/// The numbers of a line with `columns` columns; a priority may be hexadecimal.
fn numbers(line: &[u8], columns: usize) -> Option<Vec<u64>> {
    let number = |(column, word): (usize, &[u8])| {
        let text = std::str::from_utf8(word).ok()?;
        match text.strip_prefix("0x") {
            // It would otherwise pass for an offset.
            Some(digits) => u64::from_str_radix(digits, 16).ok().filter(|_| column > 3).map(|_| 0),
            None => text.parse().ok().filter(|_| is_whole(word)),
        }
    };
    let words = words(line);
    let is_log = COLUMNS.contains(&columns) && words.len() == columns;
    is_log.then(|| words.into_iter().enumerate().map(number).collect())?
}

/// The values of a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Values {
    Latencies,
    CompletionLatencies,
    SubmissionLatencies,
    Bandwidths,
    Iops,
    #[default]
    Unknown,
}

impl Values {
    /// Finds the values of a log from the name of its file, such as `job_clat.1.log`.
    fn of(name: &str) -> Self {
        let kinds = [
            ("_lat", Self::Latencies),
            ("_clat", Self::CompletionLatencies),
            ("_slat", Self::SubmissionLatencies),
            ("_bw", Self::Bandwidths),
            ("_iops", Self::Iops),
        ];
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let at = |kind: &str| {
            let ends = |at: &usize| !file[at + kind.len()..].starts_with(|next: char| next.is_alphanumeric());
            file.rmatch_indices(kind).map(|(at, _)| at).find(ends)
        };
        let found = kinds.iter().filter_map(|(kind, values)| Some((at(kind)?, *values)));
        found.max_by_key(|(at, _)| *at).map_or(Self::Unknown, |(_, values)| values)
    }

    fn described(self) -> &'static str {
        match self {
            Self::Latencies | Self::CompletionLatencies => {
                "a latency log of fio (ms of completion, latencies in ns)"
            }
            Self::SubmissionLatencies => "a log of submission latencies of fio, which are no response times",
            Self::Bandwidths => "a bandwidth log of fio (ms, KiB/s), which has no response times",
            Self::Iops => "an IOPS log of fio (ms, requests per s), which has no response times",
            Self::Unknown => "a log of fio (ms, values that may be latencies, bandwidths or IOPS)",
        }
    }
}

fn open(mut source: DecodedSource, _: &ReadOptions<'_>) -> Result<Box<dyn Reader>> {
    let values = Values::of(source.name());
    let shape = Shape::of(source.head()?);
    let is_refused = matches!(values, Values::SubmissionLatencies | Values::Bandwidths | Values::Iops);
    let missing = match shape {
        Some(Shape::Averages) => " of averages over windows (log_avg_msec), not of requests",
        Some(Shape::WithoutOffsets) => " without places (log_offset=0)",
        _ if is_refused => "",
        _ => {
            let has_priority = shape != Some(Shape::Requests { has_priority: false });
            return Ok(Lines::reader(source, FioLog { values, has_priority, ..FioLog::default() }));
        }
    };
    let text = format!(
        "expected a trace, found {}{missing}; a latency log of requests with offsets can be read (fio --write_lat_log=NAME --log_offset=1), another table with --map",
        values.described()
    );
    Err(Error::NotATrace(text).at(source.name()))
}

#[derive(Default)]
struct FioLog {
    values: Values,
    has_priority: bool,
    requests: u64,
    /// Number of requests whose time of issue is given.
    issued: u64,
    /// Requests that completed in the ms `tick`, in order of completion, without their arrivals.
    waiting: Vec<TraceRow>,
    tick: i64,
    /// Time of the last completion in ns.
    last_ns: i64,
    /// Number of requests that do not fit behind each other in their ms, and are spread over it.
    spread: u64,
    /// Number of latencies that are longer than the time since the start.
    too_long: u64,
}

impl LineFormat for FioLog {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Commas::of(line);
        let time_ms =
            fields.integer(0..=TIME_MS_MAX, "a time of completion in ms from 0 to 4611686018427")?;
        let latency_ns = fields.integer(0..=I64_MAX / 4, "a latency in ns from 0 to 2305843009213693951")?;
        let op = match fields.integer(0..=2, "0 (read), 1 (write) or 2 (trim)")? {
            0 => Op::Read,
            1 => Op::Write,
            _ => Op::Discard,
        };
        let (size, offset) = (fields.size()?, fields.offset()?);
        if fields.end().is_err() {
            fields.word();
        }
        let completed_ns = time_ms as i64 * NS_PER_MS;
        let response_ns = latency_ns as i64;
        let mut issued = None;
        if fields.end().is_err() {
            let issued_ns = fields.integer(0..=I64_MAX / 2, "a time of issue in ns")? as i64;
            issued = Some(issued_ns)
                .filter(|issued_ns| (issued_ns - (completed_ns - response_ns)).abs() < ISSUE_WITHIN_NS);
        }
        fields.end()?;
        if size == 0 {
            out.about.skipped.empty += 1;
            return Ok(());
        }
        out.times = if time_ms < UNIX_MS { Times::FromAnywhere } else { Times::OfDay };
        self.requests += 1;
        self.too_long += u64::from(response_ns > completed_ns + NS_PER_MS);
        let (lbn, blocks) = sectors(offset, size);
        let request = TraceRow { lbn, blocks, op, response_ns, ..TraceRow::default() };
        if let Some(arrival_ns) = issued {
            self.issued += 1;
            out.rows.push(TraceRow { arrival_ns, ..request });
            return Ok(());
        }
        if self.tick != completed_ns || self.waiting.len() == WAITING_MAX {
            self.place(out);
            self.tick = completed_ns;
        }
        self.waiting.push(request);
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.place(out);
        let Self { requests, issued, spread, too_long, .. } = self;
        let about = &mut out.about;
        if issued < requests && *spread == 0 {
            about.doubt(Aspect::Clock, "times of completion count in ms; within each ms requests follow one another, as those of a job with iodepth=1, so that arrivals may be wrong by 1 ms (fio --log_issue_time=1 gives them exactly)");
        } else if issued < requests {
            let text = format!(
                "times of completion count in ms; {spread} of {requests} requests are spread evenly over their ms, so that queues and arrivals within it are unknown (fio --log_issue_time=1 gives them exactly)"
            );
            about.doubt(Aspect::Clock, text);
        }
        if self.values == Values::Unknown {
            let text = "the values of the log count as latencies in ns; nothing but the name of its file (_lat, _clat, _bw, _iops) says so, and this name does not";
            about.doubt(Aspect::Plausibility, text);
        }
        if *too_long > 0 {
            let text = format!(
                "{too_long} of {requests} latencies are longer than the time since the start: they are probably no latencies in ns"
            );
            about.doubt(Aspect::Plausibility, text);
        }
        if !self.has_priority {
            let text = "latencies count as ns, as fio 3 writes them; fio 2, whose logs have no priorities either, wrote us";
            about.doubt(Aspect::Plausibility, text);
        }
        if self.values == Values::CompletionLatencies {
            about.remark(
                Aspect::Pairing,
                "measured times count from the end of submission (clat), not from its start (lat)",
            );
        }
    }
}

impl FioLog {
    /// Passes on the requests of a ms with their arrivals.
    fn place(&mut self, out: &mut ReaderOutput) {
        let (count, end_ns) = (self.waiting.len() as i64, self.tick + NS_PER_MS);
        let next =
            |last_ns: i64, request: &TraceRow| self.tick.max(last_ns.saturating_add(request.response_ns));
        let fits = self.waiting.iter().fold(self.last_ns, next) < end_ns;
        let mut last_ns = self.last_ns;
        for (at, request) in (0..).zip(&self.waiting) {
            last_ns = if fits {
                next(last_ns, request)
            } else {
                self.tick + (2 * at + 1) * NS_PER_MS / (2 * count)
            };
            out.rows.push(TraceRow { arrival_ns: last_ns - request.response_ns, ..*request });
        }
        self.spread += if fits { 0 } else { count as u64 };
        self.last_ns = last_ns;
        self.waiting.clear();
    }
}
