//! The end of a run in GDB's terms.

use crate::linux;
use gdbstub::common::Signal;
use isa_sim::{Exit, FaultKind};

/// Signals: GDB's number and Linux's number.
const SIGNALS: [(Signal, u8); 13] = [
    (Signal::SIGHUP, 1),
    (Signal::SIGINT, 2),
    (Signal::SIGQUIT, 3),
    (Signal::SIGILL, 4),
    (Signal::SIGTRAP, 5),
    (Signal::SIGABRT, 6),
    (Signal::SIGBUS, 7),
    (Signal::SIGFPE, 8),
    (Signal::SIGKILL, 9),
    (Signal::SIGSEGV, 11),
    (Signal::SIGPIPE, 13),
    (Signal::SIGALRM, 14),
    (Signal::SIGTERM, 15),
];

/// The signal that a process would get in the place of a fault.
pub(super) fn signal_of(kind: &FaultKind) -> Signal {
    linux::signal_of(kind).map_or(Signal::SIGABRT, |(number, _)| numbered(number))
}

/// GDB's signal for a Linux number.
pub(super) fn numbered(number: u8) -> Signal {
    SIGNALS.iter().find(|known| known.1 == number).map_or(Signal::UNKNOWN, |known| known.0)
}

/// The end of a program by a signal of GDB.
pub(super) fn exit_by(signal: Signal) -> Exit {
    let number = SIGNALS.iter().find(|known| known.0 == signal).map_or(6, |known| known.1);
    Exit::Signal(number, linux::signal_name(number.into()))
}
