//! The table of trace formats.

use super::FormatKind;
use crate::table::Table;

/// Every format that can be read, in the order in which they are tried on a file: those come first that hardly
/// anything else looks like.
pub static FORMATS: Table<FormatKind> = Table::new(
    "trace format",
    &[
        super::blktrace::ROW,
        super::srt::ROW,
        super::vscsi::ROW,
        super::fio::ROW,
        super::blkparse::ROW,
        super::ftrace::ROW,
        super::biosnoop::ROW,
        super::xperf::ROW,
        super::tracerpt::ROW,
        super::validate::ROW,
        super::msr::ROW,
        super::systor17::ROW,
        super::spc::ROW,
        super::alibaba::ROW,
        super::tencent::ROW,
        super::fiu::ROW,
        super::mobilect::ROW,
        super::mqsim::ROW,
        super::disksim::ROW,
        super::csv::ROW,
        super::oraclegeneral::ROW,
    ],
);
