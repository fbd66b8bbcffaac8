//! Policies that a user registers at run time.

use sledsim::sched::{register_scheduler, Policy, SchedulerRow, SCHEDULERS};

use crate::own_scheduler::{mean_responses_ms, register};
use crate::support::{params, run, workload};

#[test]
fn the_example_favours_reads() {
    register().expect("the name is free");
    let [reads, writes] = mean_responses_ms("sptf").unwrap();
    let [sooner, later] = mean_responses_ms("reads-sooner:penalty_ms=2").unwrap();
    assert!(
        sooner < reads && later > writes,
        "mean response in ms: reads {sooner} (SPTF {reads}), writes {later} (SPTF {writes})"
    );
}

#[test]
fn the_example_without_its_penalty_is_sptf() {
    register().expect("the name is free");
    let params = params("osdi00", "");
    let trace = workload(&params, 2200.0, 5000, 4);
    let [own, built_in] = ["reads-sooner:penalty_ms=0", "sptf"].map(|name| run(&params, &trace, name).record);
    assert_eq!(own, built_in);
}

#[test]
fn its_option_is_read_as_those_of_built_in_policies() {
    register().expect("the name is free");
    assert_eq!(Policy::parse("Reads_Sooner").unwrap().name_in_full(), "reads-sooner:penalty_ms=0.2");
    let device = sledsim::device::build(&params("osdi00", ""), 1).unwrap().remove(0);
    let policy = Policy::parse("reads-sooner:penalty_ms=-1").unwrap();
    let error = policy.build(&*device).err().expect("a negative penalty").to_string();
    assert_eq!(error, "reads-sooner: penalty_ms = -1: expected a number from 0 to 1e6 (ms)");
}

#[test]
fn a_name_must_be_free_and_readable() {
    let row = *SCHEDULERS.rows().first().expect("there are policies");
    let refused = |name: &'static str| {
        register_scheduler(SchedulerRow { name, ..row }).expect_err("the name cannot be").to_string()
    };
    assert_eq!(refused("C-LOOK_LBN"), "scheduler = C-LOOK_LBN: expected a new name, found a built-in name");
    assert_eq!(refused("deadline"), "scheduler = deadline: expected a new name, found the name of a wrapper");
    for name in ["", "-", "mine:fast", "mine+", "a,b", "a b", "a=b"] {
        assert!(refused(name).ends_with("expected a name of letters and digits, with _, - or . between"));
    }
}

#[test]
fn a_name_that_reads_the_same_replaces() {
    let row = *SCHEDULERS.rows().first().expect("there are policies");
    register_scheduler(SchedulerRow { name: "my-own", summary: "first", ..row }).unwrap();
    register_scheduler(SchedulerRow { name: "my_own", summary: "second", ..row }).unwrap();
    assert_eq!(SCHEDULERS.find("MyOwn").unwrap().summary, "second");
    assert_eq!(SCHEDULERS.rows().iter().filter(|row| row.name.starts_with("my")).count(), 1);
}
