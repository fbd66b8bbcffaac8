//! Lines of tables that are not like the others: names of the separator, titles, ragged lines, and lines that are no
//! requests.

use sledsim::trace::{Op, ReadOptions};

use crate::support::{read_bytes, read_mapped, read_text};

const TABLE: &str = "time_us,op,offset,size\n0,R,0,4096\n100,W,512,4096\n200,R,8192,4096\n";

#[test]
fn the_separator_may_have_a_line_of_its_own() {
    for separator in [",", ";", "\t", "|"] {
        for start in ["", "\u{feff}"] {
            for line in [format!("sep={separator}"), format!("\"SEP={separator}\"\r")] {
                let text = format!("{start}{line}\n{}", TABLE.replace(',', separator));
                let (trace, about) = read_bytes(text.as_bytes(), None, false).unwrap();
                assert_eq!((trace.lbn, about.format), (vec![0, 1, 16], "csv"), "{text}");
            }
        }
    }
    // It counts as a line, serves every format, and decides.
    let said = read_bytes(format!("sep=,\n{TABLE}x,R,0,4096\n").as_bytes(), None, false).unwrap_err();
    assert!(said.to_string().starts_with("FILE:6: expected a time in us"), "{said}");
    let (trace, about) = read_bytes(b"sep=,\n0,20941264,8192,W,0.551706\n", None, false).unwrap();
    assert_eq!((trace.len(), about.format), (1, "spc"));
    let text = "sep=\\t\n0,5\t1,5\t2,5\n1,5\t3,5\t2,5\n";
    let said = read_mapped(text, Some("time=1:s,device=2,lbn=2,size=3")).unwrap_err();
    assert!(said.to_string().contains("found \"1,5\""), "{said}");
}

#[test]
fn ragged_lines_are_named_wherever_they_are() {
    for (line, found) in [("100,W,4096", 3), ("100,W,512,4096,7", 5), ("100", 1), ("0,125,W,512,4096", 5)] {
        for at in 1..5 {
            let mut lines: Vec<&str> = TABLE.lines().collect();
            lines.insert(at.min(lines.len()), line);
            let text = lines.join("\n") + "\n";
            let said = read_bytes(text.as_bytes(), None, false).unwrap_err().to_string();
            let expected = format!("FILE:{}: expected 4 columns as in the header, found {found}", at + 1);
            assert_eq!(said, expected, "{text}");
            let (trace, about) = read_bytes(text.as_bytes(), None, true).unwrap();
            assert_eq!((trace.lbn, about.bad.count), (vec![0, 1, 16], 1), "{text}");
        }
    }
    // Empty columns at the end do not count.
    for ends in ["0,R,0,4096,\n", "0,R,0,4096,,,\n", "0,R,0,4096, \n"] {
        let (trace, _) = read_bytes(TABLE.replace("0,R,0,4096\n", ends).as_bytes(), None, false).unwrap();
        assert_eq!(trace.lbn, [0, 1, 16]);
    }
    // A line is also too short if only columns lack that are not needed, and if blanks separate.
    let wide = "time_us,op,offset,size,x,y\n0,R,0,4096,1,\"a,b\"\n1,R,512,4096,1\n2,R,8192,4096,1,2\n";
    let said = read_bytes(wide.as_bytes(), None, false).unwrap_err().to_string();
    assert_eq!(said, "FILE:3: expected 6 columns as in the header, found 5");
    let blanks = TABLE.replace(',', " ") + "300 W  4096\n";
    let said = read_bytes(blanks.as_bytes(), None, false).unwrap_err().to_string();
    assert_eq!(said, "FILE:5: expected 4 columns as in the header, found 3");
}

#[test]
fn titles_above_the_header_are_passed_over() {
    for titles in ["Report of the tool X\n", "Report\n2024-02-29, noon\n\nHost: a, b, c\n", "A,B,C,D\n"] {
        let (trace, about) = read_bytes(format!("{titles}{TABLE}").as_bytes(), None, false).unwrap();
        assert_eq!(trace.lbn, [0, 1, 16], "{titles}");
        let count = titles.lines().filter(|line| !line.is_empty()).count();
        let said = format!("the table begins below {count} other lines");
        assert!(about.notes().contains(&said), "{:?}", about.notes());
    }
    let text = "Dear Sir,\n\nI write, as agreed, on the size, the time and the offset.\n".repeat(9);
    let said = read_bytes(text.as_bytes(), None, false).unwrap_err().to_string();
    assert!(said.contains("expected a trace in one of the formats"), "{said}");
}

const EVENTS: &str = "\
time_us,event,op,lbn,sectors,disk
10,Q,W,8,8,a
20,D,W,8,8,a
25,D,W,8,8,b
30,D,R,64,8,a
45,C,W,8,8,a
50,X,?,,,
60,C,,64,8,a
70,D,F,0,0,a
90,C,F,0,0,a
";

#[test]
fn lines_that_are_no_requests_can_be_left_out() {
    let (trace, about) = read_mapped(EVENTS, Some("only=event:D")).unwrap();
    assert_eq!(trace.arrival_ns, [20_000, 25_000, 30_000, 70_000]);
    assert_eq!((about.skipped.other, trace.response_ns), (5, vec![0; 4]));
    let (trace, about) = read_mapped(EVENTS, Some("only=2:D,complete=2:C")).unwrap();
    assert_eq!(trace.response_ns, [25_000, 0, 30_000, 20_000]);
    assert_eq!((about.skipped.other, trace.op[3]), (2, Op::Flush));
    // Several values, and completions alone: all other lines are requests.
    let (trace, _) = read_mapped(EVENTS, Some("only=event:D:Q")).unwrap();
    assert_eq!(trace.len(), 5);
    let bare = EVENTS.lines().filter(|line| !line.contains("X")).collect::<Vec<_>>().join("\n");
    let (trace, about) = read_mapped(&bare, Some("complete=event:C")).unwrap();
    assert_eq!((trace.len(), about.skipped.other), (5, 0));
    // Reads only, by the column of operations.
    let (trace, _) = read_mapped(EVENTS, Some("only=op:R")).unwrap();
    assert_eq!(trace.lbn, [64]);
    let none = read_mapped(EVENTS, Some("only=event:d")).unwrap_err().to_string();
    assert!(
        none.contains("no requests found (format csv; ") && none.contains("9 records of other kinds"),
        "{none}"
    );
}

/// Lines of other kinds do not tell the unit of sizes, and may have other columns.
#[test]
fn only_requests_tell_units_and_marks() {
    let request = |at: u64| format!("{at},D,W,{},4096\n", at * at * 7919 * 8 % 1_000_000);
    let text: String = (1..20).map(|at| format!("{}\"{at},5\",X,W,1,8\n7,Y\n", request(at))).collect();
    let text = format!("time_us,event,op,lbn,size\n{text}");
    let (trace, about) = read_mapped(&text, Some("only=event:D")).unwrap();
    assert_eq!((trace.len(), about.skipped.other), (19, 38));
    assert!(read_mapped(&text, None).is_err());
}

#[test]
fn devices_without_a_name_are_one() {
    let text = "time_us,op,lbn,size,disk\n0,R,8,512,a\n1,R,8,512,\n2,R,8,512,b\n3,R,8,512, \n";
    let (trace, about) = read_bytes(text.as_bytes(), None, false).unwrap();
    assert_eq!(trace.device, [0, 1, 2, 1]);
    assert_eq!(about.device_names[&1], "?");
    let text = text.replace(",a\n", ",7\n").replace(",b\n", ",9\n");
    let options = ReadOptions { skip_bad: true, ..ReadOptions::default() };
    let (trace, about) = read_text(&text, &options).unwrap();
    assert_eq!((trace.device, about.bad.count), (vec![7, 9], 2));
    assert_eq!(
        about.bad.first[0],
        "FILE:3: expected a device number from 0 to 2147483647, found the end of the line"
    );
}
