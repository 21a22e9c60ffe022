//! Calls with nonsensical arguments: none of them panics, hangs, or leaves the root.

use super::Process;
use super::support::{CODE, DATA};
use isa_host::linux::Options;
use isa_sim::Stopped;
use std::fs;

/// Calls that would sleep.
const SLEEPS: [&str; 4] = ["nanosleep", "clock_nanosleep", "ppoll", "futex"];

#[test]
fn arguments_at_random() {
    let root = std::env::temp_dir().join(format!("isa-host-{}-hostile", std::process::id()));
    fs::create_dir_all(root.join("a/b")).expect("a directory");
    let start = || {
        let mut process = Process::with(Options { root: Some(root.clone()), write: true, ..Options::default() });
        for path in ["a/b/c", "..", "a//", "/", "", "a/../../x", "/dev/zero"] {
            process.path(path);
        }
        process.put(DATA, &(DATA + 64).to_le_bytes());
        process.put(DATA + 8, &0x123_u64.to_le_bytes());
        process
    };
    let page = 4096;
    let values = [
        0,
        1,
        2,
        3,
        4,
        5,
        8,
        100,
        0o102,
        0x1000,
        0x2_0042,
        -1_i64 as u64,
        -100_i64 as u64,
        i32::MAX as u64,
        u32::MAX.into(),
        1 << 38,
        (1 << 38) - page,
        i64::MAX as u64,
        1 << 63,
        u64::MAX - page + 1,
        CODE,
        DATA,
        DATA + 1,
        DATA + page,
        DATA + 0x8000,
        DATA + 0x8006,
        DATA + 0x8009,
        DATA + 0xfff8,
        DATA + 0x1_0000,
        0x50_0000,
    ];
    let calls = Process::new().machine.info().linux.clone().expect("a convention").calls;
    let mut state = 1_u64;
    let mut random = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let mut process = start();
    for round in 0..40_000 {
        let name = &calls[random(calls.len())].1;
        if SLEEPS.contains(&name.as_str()) {
            continue;
        }
        let arguments: [u64; 6] = std::array::from_fn(|_| values[random(values.len())]);
        let stopped = process.ask(name, &arguments);
        // Changes of its own memory may end it.
        let is_gone = round % 200 == 199 || stopped != Stopped::Budget || process.trace.borrow().is_empty();
        if is_gone {
            process = start();
        }
    }
    fs::remove_dir_all(&root).expect("a directory");
}
