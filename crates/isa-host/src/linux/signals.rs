//! Signals: a program's settings are kept, but its handlers never run.

use super::abi::{Abi, int};
use super::errno::{Errno, Outcome, Stop};
use super::{Arguments, Linux};
use isa_sim::{Exit, Guest};

/// The highest number of a signal.
const LAST: u64 = 64;
/// Bytes of a set of signals.
const SET: u64 = 8;
const KILL: u64 = 9;
const STOP: u64 = 19;
/// Handlers that are not functions.
const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
/// `SS_DISABLE`
const NO_STACK: u64 = 2;

/// The signal of a pipe without a reader.
pub(super) const PIPE: u64 = 13;

const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

/// The name of a signal.
pub(crate) fn name(signal: u64) -> &'static str {
    let index = signal.checked_sub(1).and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| NAMES.get(index)).copied().unwrap_or("a real-time signal")
}

/// The action of a signal, as `rt_sigaction` has it.
#[derive(Clone, Copy, Debug, Default)]
struct Action {
    handler: u64,
    flags: u64,
    mask: u64,
}

/// The signals of a program.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    actions: [Action; LAST as usize],
    /// A bit for each signal; the lowest is that of number 1.
    blocked: u64,
    pending: u64,
    /// Address, flags and size of the stack of handlers.
    stack: [u64; 3],
}

impl Default for Signals {
    fn default() -> Self {
        Self { actions: [Action::default(); LAST as usize], blocked: 0, pending: 0, stack: [0, NO_STACK, 0] }
    }
}

impl Signals {
    /// Sends the program a signal.
    pub(super) fn send(&mut self, signal: u64) -> Result<(), Stop> {
        if !(1..=LAST).contains(&signal) {
            return if signal == 0 { Ok(()) } else { Err(Errno::EINVAL.into()) };
        }
        let can_wait = signal != KILL && signal != STOP;
        if can_wait && self.blocked >> (signal - 1) & 1 != 0 {
            self.pending |= 1 << (signal - 1);
            return Ok(());
        }
        let handler = self.actions[signal as usize - 1].handler;
        match (handler, signal) {
            (IGNORE, _) if can_wait => Ok(()),
            (DEFAULT, 17 | 18 | 23 | 28) => Ok(()),
            (DEFAULT, STOP..=22) => {
                Err(Stop::Fault(format!("the program stops itself by {}, and no other process can continue it", name(signal))))
            }
            _ => Err(Stop::Exit(Exit::Signal(signal as u8, name(signal)))),
        }
    }

    /// Sets the blocked signals, and sends those that waited.
    fn block(&mut self, blocked: u64) -> Result<(), Stop> {
        self.blocked = blocked & !(1 << (KILL - 1) | 1 << (STOP - 1));
        let ready = self.pending & !self.blocked;
        self.pending &= self.blocked;
        (1..=LAST).filter(|signal| ready >> (signal - 1) & 1 != 0).try_for_each(|signal| self.send(signal))
    }
}

fn read_set(abi: Abi, guest: &mut Guest<'_>, address: u64) -> Result<u64, Errno> {
    let word = abi.word();
    let low = abi.read_word(guest, address)?;
    Ok(if abi.is_64 { low } else { low | abi.read_word(guest, address.wrapping_add(word))? << 32 })
}

fn set(abi: Abi, value: u64) -> Vec<u8> {
    let all = abi.structure();
    if abi.is_64 { all.u64(value) } else { all.u32(value & 0xffff_ffff).u32(value >> 32) }.finish()
}

/// `rt_sigaction(signal, new, old, size)`
pub(super) fn rt_sigaction(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let (abi, [signal, new, old, size, ..]) = (linux.abi, of.values);
    let signal = u64::from(signal as u32);
    let can_change = (1..=LAST).contains(&signal) && (new == 0 || signal != KILL && signal != STOP);
    if size != SET || !can_change {
        return Err(Errno::EINVAL.into());
    }
    let word = abi.word();
    let action = match new {
        0 => None,
        at => Some(Action {
            handler: abi.read_word(guest, at)?,
            flags: abi.read_word(guest, at.wrapping_add(word))?,
            mask: read_set(abi, guest, at.wrapping_add(2 * word))?,
        }),
    };
    let kept = &mut linux.signals.actions[signal as usize - 1];
    if old != 0 {
        abi.structure().word(kept.handler).word(kept.flags).bytes(&set(abi, kept.mask)).write(guest, old)?;
    }
    if let Some(action) = action {
        *kept = action;
    }
    Ok(0)
}

/// `rt_sigprocmask(how, new, old, size)`
pub(super) fn rt_sigprocmask(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let (abi, [how, new, old, size, ..]) = (linux.abi, of.values);
    if size != SET {
        return Err(Errno::EINVAL.into());
    }
    let before = linux.signals.blocked;
    let after = match new {
        0 => None,
        at => {
            let set = read_set(abi, guest, at)?;
            Some(match int(how) {
                0 => before | set,
                1 => before & !set,
                2 => set,
                _ => return Err(Errno::EINVAL.into()),
            })
        }
    };
    if old != 0 {
        guest.write(old, &set(abi, before))?;
    }
    after.map_or(Ok(()), |after| linux.signals.block(after))?;
    Ok(0)
}

/// `rt_sigpending(set, size)`
pub(super) fn rt_sigpending(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [address, size, ..] = of.values;
    if size > SET {
        return Err(Errno::EINVAL.into());
    }
    let bytes = set(linux.abi, linux.signals.pending & linux.signals.blocked);
    guest.write(address, &bytes[..size as usize])?;
    Ok(0)
}

/// `sigaltstack(new, old)`
pub(super) fn sigaltstack(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let (abi, [new, old, ..]) = (linux.abi, of.values);
    let word = abi.word();
    let stack = match new {
        0 => None,
        at => Some([
            abi.read_word(guest, at)?,
            abi.read(guest, at.wrapping_add(word), 4)?,
            abi.read_word(guest, at.wrapping_add(2 * word))?,
        ]),
    };
    if old != 0 {
        let [address, flags, size] = linux.signals.stack;
        abi.structure().word(address).u32(flags).word(size).write(guest, old)?;
    }
    match stack {
        None => {}
        Some([_, NO_STACK, _]) => linux.signals.stack = [0, NO_STACK, 0],
        Some([_, flags, _]) if flags != 0 => return Err(Errno::EINVAL.into()),
        Some([_, _, size]) if size < 2048 => return Err(Errno::ENOMEM.into()),
        Some(stack) => linux.signals.stack = stack,
    }
    Ok(0)
}

/// `kill(process, signal)`
pub(super) fn kill(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [process, signal, ..] = of.values;
    if ![0, -1, super::process::PID, -super::process::PID].contains(&int(process)) {
        return Err(Errno::ESRCH.into());
    }
    linux.signals.send(signal as u32 as u64).map(|()| 0)
}

/// `tkill(thread, signal)`
pub(super) fn tkill(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [thread, signal, ..] = of.values;
    send(linux, &[thread], signal)
}

/// `tgkill(process, thread, signal)`
pub(super) fn tgkill(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [process, thread, signal, ..] = of.values;
    send(linux, &[process, thread], signal)
}

fn send(linux: &mut Linux<'_>, to: &[u64], signal: u64) -> Outcome {
    if to.iter().any(|id| int(*id) <= 0) {
        return Err(Errno::EINVAL.into());
    }
    if to.iter().any(|id| int(*id) != super::process::PID) {
        return Err(Errno::ESRCH.into());
    }
    linux.signals.send(signal as u32 as u64).map(|()| 0)
}
