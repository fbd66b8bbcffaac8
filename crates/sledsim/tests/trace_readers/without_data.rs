//! Requests without data, in every format: they are counted and left out.

use sledsim::trace::FORMATS;

use crate::samples::{srt_io, vscsi_record};
use crate::support::{read_bytes, Record, DISPATCH};

/// The format whose commands always have data.
const NEVER_EMPTY: &str = "nvme";

/// A file in each other format with a request of some sectors, and behind it one of length 0.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let text = [
        ("fio", "fio version 3 iolog\n0 /tmp/f open\n130 /tmp/f read 2023424 16384\n1115 /tmp/f write 4096 0\n"),
        ("biosnoop", "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n0.5 dd 7 sda R 8 4096 0.4\n0.6 dd 7 sda W 8 0 0.4\n"),
        (
            "xperf",
            "DiskRead, 8000, a.exe (1), 99, 1, 0xff10, 0x100000, 0x1000, 250, 0, 0x060043, 240, 3\n\
             DiskWrite, 9000, a.exe (1), 99, 1, 0xff10, 0x100000, 0x0, 250, 0, 0x060043, 240, 3\n",
        ),
        ("validate", "W Hit 4583176 4 663.0 45422.0\nR Hit 3962268 0 6657.0 64047.0\n"),
        ("msr", "128166372003061629,hm,1,Read,383496192,32768,1\n128166372003061700,hm,1,Write,383496192,0,1\n"),
        ("systor17", "1456135200.0,0.0008,R,0,899056122368,131072\n1456135200.5,0.0008,W,0,899056122368,0\n"),
        ("spc", "0,20941264,8192,W,0.55\n0,20939840,0,R,0.56\n"),
        ("alibaba", "419,W,8792731648,16384,1577808144360767\n725,R,59110326272,0,1577808144360813\n"),
        ("tencent", "1538323199,12910952128,128,0,1283\n1538323199,6265848,0,1,1360\n"),
        ("fiu", "0 4892 syslogd 904265560 8 W 6 0 531e\n5 4892 syslogd 904265560 0 R 6 0 531e\n"),
        ("mobilect", "0.000012 W 2097152 8 1234 app d41d\n0.5 R 2097152 0 1234 app d41d\n"),
        ("mqsim", "938513000 4 264719034 16 0\n938828000 3 197570570 0 1\n"),
        ("disksim", "0.5 0 100 8 1\n1.5 0 200 0 0\n"),
        ("csv", "time_us,op,lbn,bytes\n1,R,8,4096\n2,W,8,0\n"),
        ("fiolog", "0, 268338, 0, 4096, 1011712, 0\n2, 170568, 1, 0, 14143488, 0\n"),
        ("k5cloud", "1008,0.000000,R,94702133248,8192\n1008,0.004211,W,1835008,0\n"),
        ("iosnoop", "ENDs COMM PID TYPE DEV BLOCK BYTES LATms\n0.5 dd 7 R 8,0 8 4096 0.4\n0.6 dd 7 W 8,0 8 0 0.4\n"),
        ("thesios", THESIOS),
        ("scsi", SCSI),
        ("blkparse", "8,0 0 1 0.1 1 D R 8 + 8 [dd]\n8,0 0 2 0.2 1 D W 8 + 0 [dd]\n"),
        (
            "ftrace",
            "dd-1 [001] ..... 1.1: block_rq_issue: 8,0 R 4096 () 8 + 8 [dd]\n\
             dd-1 [001] ..... 1.2: block_rq_issue: 8,0 W 0 () 8 + 0 [dd]\n",
        ),
    ];
    let records = |records: [Vec<u8>; 2]| records.concat();
    let general = |bytes: u32| {
        [&7u32.to_le_bytes()[..], &9u64.to_le_bytes(), &bytes.to_le_bytes(), &(-1i64).to_le_bytes()].concat()
    };
    let binary = [
        (
            "srt",
            records(
                [4096, 0].map(|bytes| srt_io(0x0004_0001, 0, 5, [1, 2, bytes, 8, 0x0800_0008, 1, 1 << 16])),
            ),
        ),
        ("vscsi", records([4096, 0].map(|bytes| vscsi_record(2, 0x28, bytes, 8, [5_633_898_368_802, 1])))),
        ("tracerpt", TRACERPT.as_bytes().to_vec()),
        ("oraclegeneral", records([4096, 0].map(general))),
        ("blktrace", records([4096, 0].map(|bytes| Record::new(5, DISPATCH, 8, bytes).little_endian()))),
    ];
    text.into_iter().map(|(format, text)| (format, text.as_bytes().to_vec())).chain(binary).collect()
}

const THESIOS: &str = "\
filename,file_offset,op_type,request_io_size_bytes,start_time
f1,8,READ,4096,1705305600.25
f1,8,WRITE,0,1705305600.5
";

const SCSI: &str = "\
dd-7 [001] ..... 812.1: scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=0 driver_tag=9 cmnd=(READ_10 lba=8 txlen=8 raw=28)
dd-7 [001] ..... 812.2: scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=0 driver_tag=8 cmnd=(READ_10 lba=8 txlen=0 raw=28)
";

const TRACERPT: &str = "\
Event Name, Type, Clock-Time, Kernel(ms), User(ms), User Data
DiskIo, Read, 128166372003061629, 0, 0, 0, 0x0, 4096, 0x0, 8192, 0x0, 0x0, 700
DiskIo, Write, 128166372003061700, 0, 0, 0, 0x0, 0, 0x0, 8192, 0x0, 0x0, 700
";

#[test]
fn what_has_no_length_is_counted_and_left_out_in_every_format() {
    let files = files();
    for row in FORMATS.built_in() {
        let found = files.iter().filter(|(format, _)| *format == row.name).count();
        assert_eq!(
            found,
            usize::from(row.name != NEVER_EMPTY),
            "files without data in the format {}",
            row.name
        );
    }
    for (format, content) in files {
        let (trace, about) =
            read_bytes(&content, Some(format), false).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((trace.len(), about.skipped.empty), (1, 1), "{format}: {:?}", about.skipped);
        assert!(trace.blocks[0] > 0, "{format}");
    }
}
