//! The heap and mappings.

use super::Process;
use super::support::DATA;

const PAGE: u64 = 4096;
/// Anonymous and private.
const OWN: u64 = 0x22;
const NONE: u64 = u64::MAX;

fn map(process: &mut Process, at: u64, bytes: u64, rights: u64, flags: u64) -> u64 {
    let result = process.call("mmap", &[at, bytes, rights, flags, NONE, 0]);
    assert!(result > 0, "{:?}", process.trace.borrow().last());
    result.cast_unsigned()
}

#[test]
fn heap() {
    let mut process = Process::new();
    let start = process.call("brk", &[0]).cast_unsigned();
    assert_eq!(start, DATA + 0x1_0000);
    assert_eq!(process.error("read", &[0, start, 1]), "EFAULT");
    assert_eq!(process.call("brk", &[start + 5]).cast_unsigned(), start + 5);
    assert_eq!(process.call("read", &[0, start, 4]), 4);
    assert_eq!(process.call("brk", &[start + 3 * PAGE]).cast_unsigned(), start + 3 * PAGE);
    assert_eq!(process.bytes(start, 5), b"some\0");
    assert_eq!(process.call("brk", &[start]).cast_unsigned(), start);
    assert_eq!(process.error("read", &[0, start, 1]), "EFAULT");
    assert_eq!(process.call("brk", &[start + 1]).cast_unsigned(), start + 1);
    assert_eq!(process.bytes(start, 4), [0; 4]);
    for bad in [0, start - 1, u64::MAX, 1 << 38, 5 << 30] {
        assert_eq!(process.call("brk", &[bad]).cast_unsigned(), start + 1, "{bad:#x}");
    }
    // A mapping is in the way.
    map(&mut process, start + 2 * PAGE, PAGE, 3, OWN | 0x10);
    assert_eq!(process.call("brk", &[start + 3 * PAGE]).cast_unsigned(), start + 1);
    assert_eq!(process.call("brk", &[start + 2 * PAGE]).cast_unsigned(), start + 2 * PAGE);
}

#[test]
fn mappings() {
    let mut process = Process::new();
    let first = map(&mut process, 0, 2 * PAGE, 3, OWN);
    let second = map(&mut process, 0, 1, 3, OWN);
    assert_eq!(second, first - PAGE);
    assert_eq!(map(&mut process, first, PAGE, 3, OWN), second - PAGE);
    assert_eq!(map(&mut process, 0x50_0000, PAGE, 3, OWN), 0x50_0000);
    assert_eq!(process.error("mmap", &[0x50_0000, PAGE, 3, OWN | 0x10_0000, NONE, 0]), "EEXIST");
    assert_eq!(process.error("mmap", &[0x50_0001, PAGE, 3, OWN | 0x10, NONE, 0]), "EINVAL");
    assert_eq!(process.error("mmap", &[0, 0, 3, OWN, NONE, 0]), "EINVAL");
    assert_eq!(process.error("mmap", &[0, PAGE, 3, 0x20, NONE, 0]), "EINVAL");
    assert_eq!(process.error("mmap", &[0, PAGE, 3, 2, NONE, 0]), "EBADF");
    assert_eq!(process.error("mmap", &[0, PAGE, 3, 2, 0, 0]), "ENODEV");
    assert_eq!(process.error("mmap", &[0, u64::MAX, 3, OWN, NONE, 0]), "ENOMEM");
    assert_eq!(process.error("mmap", &[0, 1 << 37, 3, OWN, NONE, 0]), "ENOMEM");
    assert_eq!(process.error("mmap", &[u64::MAX - 4095, PAGE, 3, OWN | 0x10, NONE, 0]), "ENOMEM");
    // A large mapping without access rights costs nothing.
    let large = map(&mut process, 0, 1 << 36, 0, OWN);
    assert_eq!(process.error("read", &[0, large, 1]), "EFAULT");
    process.put(0x50_0000, b"old");
    map(&mut process, 0x50_0000, PAGE, 3, OWN | 0x10);
    assert_eq!(process.bytes(0x50_0000, 3), [0; 3]);
    assert_eq!(process.call("munmap", &[0x50_0000, PAGE]), 0);
    assert_eq!(process.error("write", &[1, 0x50_0000, 1]), "EFAULT");
    assert_eq!(process.call("munmap", &[0x50_0000, PAGE]), 0);
    assert_eq!(process.error("munmap", &[0x50_0001, PAGE]), "EINVAL");
    assert_eq!(process.error("munmap", &[0x50_0000, 0]), "EINVAL");
    assert_eq!(process.error("munmap", &[u64::MAX - 4095, PAGE]), "EINVAL");
}

#[test]
fn protection() {
    let mut process = Process::new();
    let at = map(&mut process, 0, 3 * PAGE, 3, OWN);
    process.put(at + PAGE, b"kept");
    assert_eq!(process.call("mprotect", &[at + PAGE, PAGE, 1]), 0);
    assert_eq!(process.error("read", &[0, at + PAGE, 1]), "EFAULT");
    assert_eq!(process.call("write", &[1, at + PAGE, 4]), 4);
    assert_eq!(process.call("read", &[0, at + PAGE - 4, 8]), 4);
    assert_eq!(process.call("mprotect", &[at + PAGE, PAGE, 0]), 0);
    assert_eq!(process.error("write", &[1, at + PAGE, 1]), "EFAULT");
    assert_eq!(process.call("mprotect", &[at, 3 * PAGE, 3]), 0);
    assert_eq!(process.bytes(at + PAGE, 4), b"kept");
    assert_eq!(process.error("mprotect", &[at + 1, PAGE, 3]), "EINVAL");
    assert_eq!(process.error("mprotect", &[at, 1 << 30, 3]), "ENOMEM");
    assert_eq!(process.error("mprotect", &[at, u64::MAX, 3]), "ENOMEM");
    assert_eq!(process.call("mprotect", &[0, 0, 3]), 0);
    assert_eq!(process.call("madvise", &[at + PAGE, PAGE, 4]), 0);
    assert_eq!(process.bytes(at + PAGE, 4), [0; 4]);
}

#[test]
fn code_that_is_mapped_is_fetched() {
    let mut process = Process::new();
    let at = map(&mut process, 0, PAGE, 3, OWN);
    process.put(at, &0x73_u32.to_le_bytes());
    process.machine.set_pc(at);
    assert!(matches!(process.machine.step(), isa_sim::Stopped::Fault(_)));
    let data = executable_entry(&process);
    process.machine.set_pc(data);
    assert_eq!(process.call("mprotect", &[at, PAGE, 5]), 0);
    process.machine.set_pc(at);
    assert_eq!(process.call("getpid", &[]), 1000);
}

fn executable_entry(_: &Process) -> u64 {
    super::support::CODE + 64 + 2 * 56
}

#[test]
fn mappings_that_move() {
    let mut process = Process::new();
    let low = map(&mut process, 0x50_0000, 2 * PAGE, 3, OWN);
    process.put(low + PAGE, b"moves");
    // It grows in place, shrinks, and moves if something is in the way.
    assert_eq!(process.call("mremap", &[low, 2 * PAGE, 4 * PAGE, 0, 0]).cast_unsigned(), low);
    assert_eq!(process.call("mremap", &[low, 4 * PAGE, 2 * PAGE, 0, 0]).cast_unsigned(), low);
    assert_eq!(process.error("write", &[1, low + 2 * PAGE, 1]), "EFAULT");
    map(&mut process, low + 2 * PAGE, PAGE, 3, OWN | 0x10);
    assert_eq!(process.error("mremap", &[low, 2 * PAGE, 4 * PAGE, 0, 0]), "ENOMEM");
    let moved = process.call("mremap", &[low, 2 * PAGE, 4 * PAGE, 1, 0]).cast_unsigned();
    assert_eq!((process.bytes(moved + PAGE, 5), process.bytes(moved + 2 * PAGE, 4)), (b"moves".to_vec(), vec![0; 4]));
    assert_eq!(process.error("write", &[1, low, 1]), "EFAULT");
    assert_eq!(process.call("mremap", &[moved, 4 * PAGE, 2 * PAGE, 3, low]).cast_unsigned(), low);
    assert_eq!(process.bytes(low + PAGE, 5), b"moves");
    assert_eq!(process.error("write", &[1, moved + 3 * PAGE, 1]), "EFAULT");
    assert_eq!(process.error("mremap", &[moved, PAGE, PAGE, 1, 0]), "EFAULT");
    assert_eq!(process.error("mremap", &[low, 0, PAGE, 1, 0]), "EINVAL");
    assert_eq!(process.error("mremap", &[low, PAGE, 0, 1, 0]), "EINVAL");
    assert_eq!(process.error("mremap", &[low, PAGE, u64::MAX, 1, 0]), "ENOMEM");
    assert_eq!(process.error("mremap", &[low, 2 * PAGE, 2 * PAGE, 3, low + PAGE]), "EINVAL");
    assert_eq!(process.error("mremap", &[low + 1, PAGE, PAGE, 1, 0]), "EINVAL");
}

/// The time of a mapping does not grow with their number, whether neighbours differ or there are holes.
#[test]
fn many_mappings() {
    const COUNT: u64 = 20_000;
    let begun = std::time::Instant::now();
    let mut process = Process::new();
    let top = map(&mut process, 0, PAGE, 1, OWN);
    for i in 1..COUNT {
        assert_eq!(map(&mut process, 0, PAGE, 1 + i % 2 * 2, OWN), top - i * PAGE);
    }
    assert_eq!(process.call("mprotect", &[top - (COUNT - 1) * PAGE, COUNT * PAGE, 1]), 0);
    for i in (1..COUNT).step_by(2) {
        assert_eq!(process.call("munmap", &[top - i * PAGE, PAGE]), 0);
    }
    // The holes are too small, and then they are filled from the top.
    assert_eq!(map(&mut process, 0, 2 * PAGE, 3, OWN), top - COUNT * PAGE);
    for i in (1..COUNT - 1).step_by(2) {
        assert_eq!(map(&mut process, 0, PAGE, 3, OWN), top - i * PAGE);
    }
    // Lists take minutes.
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}
