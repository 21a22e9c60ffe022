//! The beginning of a process, and its streams.

use super::support::{CODE, DATA};
use super::{Process, killed};
use isa_host::linux::{Options, StartError};
use isa_sim::{Exit, Stopped};

fn text(process: &mut Process, at: u64) -> String {
    let bytes: Vec<u8> = (at..).map(|at| process.bytes(at, 1)[0]).take_while(|byte| *byte != 0).collect();
    String::from_utf8(bytes).expect("a text")
}

#[test]
fn stack() {
    let arguments = vec![b"prog".to_vec(), b"".to_vec(), b"last".to_vec()];
    let environment = vec![b"A=1".to_vec(), b"B=two".to_vec()];
    let mut process = Process::with(Options { arguments, environment, ..Options::default() });
    let sp = process.get("sp");
    assert_eq!((sp % 16, process.word(sp)), (0, 3));
    let texts = [8, 16, 24, 40, 48].map(|offset| {
        let at = process.word(sp + offset);
        text(&mut process, at)
    });
    assert_eq!(texts, ["prog", "", "last", "A=1", "B=two"]);
    assert_eq!((process.word(sp + 32), process.word(sp + 56)), (0, 0));
    let mut vector = Vec::new();
    let mut at = sp + 64;
    loop {
        let entry = (process.word(at), process.word(at + 8));
        at += 16;
        if entry.0 == 0 {
            break;
        }
        vector.push(entry);
    }
    let find = |kind: u64| vector.iter().find(|entry| entry.0 == kind).expect("an entry").1;
    assert_eq!((find(3), find(4), find(5), find(6)), (CODE + 64, 56, 2, 4096));
    assert_eq!((find(9), find(17), find(23), find(16)), (CODE + 64 + 2 * 56, 100, 0, 0x112d));
    assert_eq!(text(&mut process, find(31)), "prog");
    assert_ne!(process.bytes(find(25), 16), [0; 16]);
    assert_eq!(process.machine.pc(), find(9));
}

#[test]
fn stacks_that_are_too_small() {
    let start = |stack: u64, arguments: Vec<Vec<u8>>| {
        let result = Process::try_with(Options { stack, arguments, ..Options::default() });
        result.err().map(|error| error.to_string())
    };
    assert_eq!(start(0, vec![]).as_deref(), Some("a stack of 0 bytes holds nothing"));
    assert_eq!(start(1 << 40, vec![]).as_deref(), Some("there is no room for a stack of 1099511627776 bytes"));
    assert_eq!(start(u64::MAX, vec![]).as_deref(), Some("there is no room for a stack of 18446744073709551615 bytes"));
    assert_eq!(
        start(4096, vec![vec![b'a'; 5000]]).as_deref(),
        Some("arguments and environment take 10866 bytes, more than the stack of 4096 bytes can hold")
    );
    assert_eq!(start(4096, vec![b"a\0b".to_vec()]).as_deref(), Some("`a\\0b` has a 0 in it"));
    assert_eq!(start(1, vec![b"a".to_vec()]), None);
    let root = Process::try_with(Options { root: Some("/no/such/place".into()), ..Options::default() }).err();
    assert!(matches!(root, Some(StartError::Root(..))));
}

#[test]
fn streams() {
    let mut process = Process::new();
    process.put(DATA, b"hello");
    assert_eq!(process.call("write", &[1, DATA, 5]), 5);
    assert_eq!(*process.output.0.borrow(), b"hello");
    assert_eq!(process.trace.borrow().last().map(String::as_str), Some("write(1, 0x20000, 5) = 5"));
    assert_eq!(process.call("read", &[0, DATA + 64, 4]), 4);
    assert_eq!(process.bytes(DATA + 64, 5), b"some\0");
    assert_eq!((process.call("read", &[0, DATA, 100]), process.call("read", &[0, DATA, 100])), (6, 0));
    assert_eq!(process.error("write", &[0, DATA, 1]), "EBADF");
    assert_eq!(process.error("read", &[1, DATA, 1]), "EBADF");
    assert_eq!(process.error("write", &[9, DATA, 1]), "EBADF");
    assert_eq!(process.error("ioctl", &[1, 0x5401, DATA]), "ENOTTY");
    assert_eq!(process.error("lseek", &[1, 0, 0]), "ESPIPE");
    assert_eq!(process.error("io_setup", &[0; 6]), "ENOSYS");
    assert_eq!(process.error("rseq", &[0; 6]), "ENOSYS");
    assert_eq!(process.ask("exit_group", &[0x103]), Stopped::Exit(Exit::Status(3)));
    assert_eq!(process.trace.borrow().last().map(String::as_str), Some("exit_group(259)"));
}

#[test]
fn pointers_to_nothing() {
    let mut process = Process::new();
    for bad in [0, 16, DATA + 0x1_0000, u64::MAX - 3, 1 << 63] {
        assert_eq!(process.error("write", &[1, bad, 1]), "EFAULT");
        assert_eq!(process.error("read", &[0, bad, 1]), "EFAULT");
        assert_eq!(process.error("writev", &[1, bad, 1]), "EFAULT");
        assert_eq!(process.error("uname", &[bad]), "EFAULT");
        assert_eq!(process.error("clock_gettime", &[0, bad]), "EFAULT");
        assert_eq!(process.error("getrandom", &[bad, 8, 0]), "EFAULT");
        assert_eq!(process.error("openat", &[0, bad, 0, 0]), "EFAULT");
        assert_eq!(process.error("nanosleep", &[bad, 0]).len(), 6);
        assert_eq!(process.error("pipe2", &[bad, 0]), "EFAULT");
        assert_eq!(process.error("getrusage", &[0, bad]), "EFAULT");
    }
    // Code can't be written, and a buffer may exist only in part.
    assert_eq!(process.error("read", &[0, CODE, 1]), "EFAULT");
    assert_eq!(process.call("write", &[1, DATA + 0xfff0, 100]), 16);
    assert_eq!(process.call("read", &[0, DATA + 0xfffc, 100]), 4);
    assert_eq!(process.error("writev", &[1, DATA, 1025]), "EINVAL");
    assert_eq!(process.error("writev", &[1, DATA, u64::MAX]), "EINVAL");
    // The pipe whose descriptors could not be returned is closed.
    assert_eq!(process.call("dup", &[0]), 3);
}

#[test]
fn pipes() {
    let mut process = Process::new();
    assert_eq!(process.call("pipe2", &[DATA, 0]), 0);
    assert_eq!(process.word(DATA), 4 << 32 | 3);
    assert_eq!(process.call("write", &[4, DATA, 100]), 100);
    assert_eq!(process.call("read", &[3, DATA, 1000]), 100);
    assert_eq!(process.call("write", &[4, DATA, 0x1_0000]), 0x1_0000);
    assert!(matches!(process.ask("write", &[4, DATA, 1]), Stopped::Fault(fault)
        if fault.to_string().starts_with("the program waits for ever: it writes a full pipe")));
    assert_eq!(process.call("close", &[3]), 0);
    assert_eq!(process.ask("write", &[4, DATA, 1]), killed(13, "SIGPIPE"));
}

#[test]
fn descriptors_have_an_end() {
    let mut process = Process::new();
    for number in 3..1024 {
        assert_eq!(process.call("dup", &[1]), number);
    }
    assert_eq!(process.error("dup", &[1]), "EMFILE");
    assert_eq!(process.error("dup3", &[1, 1024, 0]), "EBADF");
    assert_eq!(process.error("fcntl", &[1, 0, 1024]), "EINVAL");
}

#[test]
fn random_numbers_are_the_same_again() {
    let get = |seed: u64| {
        let mut process = Process::with(Options { seed, ..Options::default() });
        assert_eq!(process.call("getrandom", &[DATA, 20, 0]), 20);
        process.bytes(DATA, 24)
    };
    assert_eq!(get(7), get(7));
    assert_ne!(get(7), get(8));
    assert_eq!(get(7)[20..], [0; 4]);
}

/// The calls that were not supported are counted, but for those that programs only try.
#[test]
fn missing_calls_are_listed() {
    let mut process = Process::new();
    assert_eq!(process.call("getpid", &[]), 1000);
    assert_eq!(process.error("rseq", &[DATA, 32, 0, 0]), "ENOSYS");
    assert!(process.unsupported.is_empty());
    for name in ["socket", "clone", "socket"] {
        assert_eq!(process.error(name, &[0; 6]), "ENOSYS");
    }
    process.set("a7", 1 << 20);
    process.machine.step();
    let expected = "unsupported system calls: call_1048576 (1048576) 1 time, clone (220) 1 time, socket (198) 2 times";
    assert_eq!(process.unsupported.to_string(), expected);
}
