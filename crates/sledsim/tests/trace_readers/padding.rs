//! Bytes beside the requests of a file: zeros behind compressed data, separators behind the last column, and signs in
//! other bytes than UTF-8.

use sledsim::trace::Op;

use crate::support::{gzip, read_bytes, read_mapped, xz};

const TEXT: &str = "0,20941264,8192,W,0.55\n0,20939840,8192,R,0.56\n";

#[test]
fn zeros_behind_gzip_members_are_passed_over() {
    let member = gzip(TEXT.as_bytes());
    for zeros in [0, 1, 7, 512, 300_000] {
        let padded = [member.clone(), vec![0; zeros]].concat();
        let (trace, _) = read_bytes(&padded, None, false).unwrap();
        assert_eq!((trace.len(), trace.op[0]), (2, Op::Write), "{zeros} zeros");
        let (trace, _) = read_bytes(&padded.repeat(2), None, false).unwrap();
        assert_eq!(trace.len(), 4, "{zeros} zeros between members");
        let said = read_bytes(&[padded, b"rest".to_vec()].concat(), None, false).unwrap_err().to_string();
        assert!(said.contains("gzip data after"), "{said}");
    }
    let padded = [xz(TEXT.as_bytes()), vec![0; 512]].concat();
    assert_eq!(read_bytes(&padded, None, false).unwrap().0.len(), 2);
}

#[test]
fn separators_behind_the_last_column_have_no_column() {
    for separator in [",", ";", "\t", "|"] {
        for (of_header, of_rows) in [("", ","), (",", ","), (",", ""), (",,", ","), ("", ",,"), (",", ",,")] {
            let text = format!(
                "time_us,op,lba,bytes{of_header}\n1000,R,100,4096{of_rows}\n2500,W,200,4096{of_rows}\n"
            );
            let text = text.replace(',', separator);
            let (trace, about) =
                read_bytes(text.as_bytes(), None, false).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!((trace.lbn, about.format), (vec![100, 200], "csv"), "{text:?}");
        }
    }
    let text = "time_us\top\tlba\tbytes\tlatency_us\n1000\tR\t100\t4096\t\n2500\tW\t200\t4096\t90\n";
    assert_eq!(read_mapped(text, None).unwrap().0.response_ns, [0, 90_000]);
    // The first column may be empty in the header, as pandas writes it.
    let text = "\ttime_us\top\tlba\tbytes\n0\t1000\tR\t100\t4096\n1\t2500\tW\t200\t4096\n";
    assert_eq!(read_bytes(text.as_bytes(), None, false).unwrap().0.lbn, [100, 200]);
    let said = read_mapped("time_us,op,lba,bytes\n1000,R,100,4096,7\n1,R,100,4096\n", None).unwrap_err();
    assert!(said.to_string().contains("expected 4 columns as in the header, found 5"), "{said}");
}

#[test]
fn a_micro_sign_may_be_in_latin_1() {
    let table = |unit: &[u8]| {
        [b"Time (ms),Op,LBA,Bytes,Latency (", unit, b")\n1,R,100,4096,85\n2.5,W,200,4096,90\n"].concat()
    };
    for unit in [b"us".as_slice(), b"\xb5s", "\u{b5}s".as_bytes(), "\u{3bc}s".as_bytes()] {
        let (trace, _) = read_bytes(&table(unit), None, false).unwrap();
        assert_eq!(trace.response_ns, [85_000, 90_000], "{unit:?}");
    }
    for unit in
        [b"\xe6s".as_slice(), "\u{fffd}s".as_bytes(), "\u{79d2}".as_bytes(), "\u{c2}\u{b5}s".as_bytes()]
    {
        let text = table(unit);
        let said = read_bytes(&text, None, false).unwrap_err().to_string();
        assert!(said.contains("is unknown: add --map response=5:UNIT, or --map response=-"), "{said}");
        if let Ok(text) = std::str::from_utf8(&text) {
            assert_eq!(read_mapped(text, Some("response=5:us")).unwrap().0.response_ns, [85_000, 90_000]);
            assert_eq!(read_mapped(text, Some("response=-")).unwrap().0.response_ns, [0, 0]);
        }
    }
}
