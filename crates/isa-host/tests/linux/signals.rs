//! Signals, futexes, and calls that would block forever.

use super::support::DATA;
use super::{Process, killed};
use isa_host::linux::signal_of;
use isa_sim::{FaultKind, NotExecutable, Stopped};

const PID: u64 = 1000;

#[test]
fn fatal_ones_end_a_process() {
    assert_eq!(Process::new().ask("kill", &[PID, 15]), killed(15, "SIGTERM"));
    assert_eq!(Process::new().ask("tgkill", &[PID, PID, 6]), killed(6, "SIGABRT"));
    assert_eq!(Process::new().ask("tkill", &[PID, 40]), killed(40, "a real-time signal"));
    let mut process = Process::new();
    assert_eq!(process.call("kill", &[PID, 17]), 0);
    assert_eq!(process.error("kill", &[PID, 65]), "EINVAL");
    assert_eq!(process.error("kill", &[5, 9]), "ESRCH");
    assert_eq!(process.error("tkill", &[0, 9]), "EINVAL");
    assert!(matches!(process.ask("kill", &[PID, 19]), Stopped::Fault(_)));
}

#[test]
fn actions_are_kept() {
    let mut process = Process::new();
    let action = |process: &mut Process, handler: u64| process.put(DATA, &handler.to_le_bytes());
    action(&mut process, 1);
    assert_eq!(process.call("rt_sigaction", &[10, DATA, 0, 8]), 0);
    assert_eq!(process.call("kill", &[PID, 10]), 0);
    action(&mut process, 0x1234);
    assert_eq!(process.call("rt_sigaction", &[10, DATA, DATA + 64, 8]), 0);
    assert_eq!(process.word(DATA + 64), 1);
    assert_eq!(process.error("rt_sigaction", &[9, DATA, 0, 8]), "EINVAL");
    assert_eq!(process.error("rt_sigaction", &[65, 0, 0, 8]), "EINVAL");
    assert_eq!(process.error("rt_sigaction", &[10, 0, 0, 4]), "EINVAL");
    // A handler can't run.
    assert_eq!(process.ask("kill", &[PID, 10]), killed(10, "SIGUSR1"));
}

#[test]
fn blocked_ones_wait() {
    let mut process = Process::new();
    process.put(DATA, &(1_u64 << 9 | 1 << 8).to_le_bytes());
    assert_eq!(process.call("rt_sigprocmask", &[0, DATA, DATA + 64, 8]), 0);
    assert_eq!(process.call("kill", &[PID, 10]), 0);
    assert_eq!(process.call("rt_sigpending", &[DATA + 8, 8]), 0);
    assert_eq!(process.word(DATA + 8), 1 << 9);
    assert_eq!(process.call("rt_sigprocmask", &[0, 0, DATA + 64, 8]), 0);
    assert_eq!(process.word(DATA + 64), 1 << 9);
    assert_eq!(process.ask("rt_sigprocmask", &[1, DATA, 0, 8]), killed(10, "SIGUSR1"));
}

#[test]
fn futexes() {
    let mut process = Process::new();
    process.put(DATA, &[3]);
    assert_eq!(process.call("futex", &[DATA, 0x81, 1]), 0);
    assert_eq!(process.error("futex", &[DATA, 0x80, 4, 0]), "EAGAIN");
    assert_eq!(process.error("futex", &[DATA + 2, 0x80, 3, 0]), "EINVAL");
    let Stopped::Fault(fault) = process.ask("futex", &[DATA, 0x80, 3, 0]) else { panic!("it goes on") };
    let text = "the program waits for ever: no other thread can wake it from the futex at 0x20000";
    assert!(fault.to_string().starts_with(text), "{fault}");
}

#[test]
fn faults() {
    let illegal = FaultKind::NotExecutable(NotExecutable::Illegal(String::new()));
    assert_eq!(signal_of(&illegal), Some((4, "SIGILL")));
    assert_eq!(signal_of(&FaultKind::Trap), Some((5, "SIGTRAP")));
    assert_eq!((signal_of(&FaultKind::NoHost), signal_of(&FaultKind::StepLimit(1))), (None, None));
    let mut process = Process::new();
    process.machine.set_pc(0x5000);
    let Stopped::Fault(fault) = process.machine.step() else { panic!("there is no memory") };
    assert_eq!(signal_of(&fault.kind), Some((11, "SIGSEGV")));
}
