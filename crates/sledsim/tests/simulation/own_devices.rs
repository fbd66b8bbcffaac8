//! Devices that a user registers at run time, tested with an example.

use sledsim::device::{register_device, OwnKind, BUILTIN_DEVICES};
use sledsim::error::Error;
use toml::{Table, Value};

use crate::own_device::{drum, failures, mean_response_ms, register};

fn one(set: &[(&str, Value)]) -> sledsim::params::DeviceParams {
    register().expect("the name is free");
    drum(set.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect::<Table>())
        .expect("it can be made")
}

#[test]
fn it_does_what_every_device_has_to() {
    assert_eq!(failures(&one(&[])).unwrap(), Vec::<String>::new());
    let odd = one(&[("turn_ms", Value::Float(9.999_999)), ("track_blocks", Value::Integer(7))]);
    assert_eq!(failures(&odd).unwrap(), Vec::<String>::new());
}

/// The mean response without load is half a turn plus 8 blocks; under load SPTF serves the block that passes next, so
/// that it responds much faster than FCFS.
#[test]
fn the_nearest_block_comes_first() {
    let drum = one(&[("track_blocks", Value::Integer(1000))]);
    let alone_ms = mean_response_ms(&drum, "fcfs", 0.01).unwrap();
    assert!((alone_ms - 17.5 * (0.5 + 8.0 / 1000.0)).abs() < 0.3, "{alone_ms}");
    let [fcfs_ms, sptf_ms] = ["fcfs", "sptf"].map(|policy| mean_response_ms(&drum, policy, 80.0).unwrap());
    assert!(sptf_ms < 0.6 * fcfs_ms, "mean response: FCFS {fcfs_ms} ms, SPTF {sptf_ms} ms");
}

#[test]
fn a_value_that_cannot_be_is_refused() {
    register().expect("the name is free");
    let error = drum(Table::from_iter([("tracks".to_owned(), Value::Integer(0))])).unwrap_err().to_string();
    assert!(error.contains("tracks = 0: must be a whole number from 1 to 1048576"), "{error}");
}

/// A custom device cannot have the name of a built-in device in any spelling: large letters, underscores or no hyphens.
#[test]
fn names_of_built_in_devices_are_taken() {
    for (known, _) in BUILTIN_DEVICES {
        for name in
            [(*known).to_owned(), known.to_uppercase(), known.replace('-', "_"), known.replace('-', "")]
        {
            let name: &'static str = name.leak();
            let kind = OwnKind {
                name,
                summary: "A device without a name of its own",
                keys: Vec::new(),
                characteristics: Vec::new(),
                make: Box::new(|_| Err(Error::Parameter("it is not made".into()))),
            };
            let error = register_device(kind).expect_err("the name is taken").to_string();
            assert_eq!(
                error,
                format!("device = {name}: expected a new name, but a built-in device has this name")
            );
        }
    }
}
