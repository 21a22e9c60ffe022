//! The end of a run, as GDB calls it.

use gdbstub::common::Signal;
use isa_sim::{Exit, FaultKind, TroubleKind};

/// The signal that a process would get in the place of a fault.
pub(super) fn signal_of(kind: &FaultKind) -> Signal {
    match kind {
        FaultKind::NotExecutable(_) => Signal::SIGILL,
        FaultKind::NoInstruction => Signal::SIGSEGV,
        FaultKind::Memory { trouble, .. } => match trouble.kind {
            TroubleKind::Misaligned => Signal::SIGBUS,
            TroubleKind::Outside
            | TroubleKind::NoBank
            | TroubleKind::ReadOnly
            | TroubleKind::Unmapped(_)
            | TroubleKind::Protected(_) => Signal::SIGSEGV,
            _ => Signal::SIGABRT,
        },
        FaultKind::Trap => Signal::SIGTRAP,
        _ => Signal::SIGABRT,
    }
}

/// Signals: GDB's number, Linux' number, the name.
const SIGNALS: [(Signal, u8, &str); 13] = [
    (Signal::SIGHUP, 1, "SIGHUP"),
    (Signal::SIGINT, 2, "SIGINT"),
    (Signal::SIGQUIT, 3, "SIGQUIT"),
    (Signal::SIGILL, 4, "SIGILL"),
    (Signal::SIGTRAP, 5, "SIGTRAP"),
    (Signal::SIGABRT, 6, "SIGABRT"),
    (Signal::SIGBUS, 7, "SIGBUS"),
    (Signal::SIGFPE, 8, "SIGFPE"),
    (Signal::SIGKILL, 9, "SIGKILL"),
    (Signal::SIGSEGV, 11, "SIGSEGV"),
    (Signal::SIGPIPE, 13, "SIGPIPE"),
    (Signal::SIGALRM, 14, "SIGALRM"),
    (Signal::SIGTERM, 15, "SIGTERM"),
];

/// The end of a program by a signal of GDB.
pub(super) fn exit_by(signal: Signal) -> Exit {
    let known = SIGNALS.iter().find(|known| known.0 == signal);
    known.map_or(Exit::Signal(6, "SIGABRT"), |known| Exit::Signal(known.1, known.2))
}

/// The number that GDB has for a signal of this name.
pub(super) fn signal_named(name: &str) -> Signal {
    SIGNALS.iter().find(|known| known.2 == name).map_or(Signal::UNKNOWN, |known| known.0)
}
