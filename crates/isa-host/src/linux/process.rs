//! The process and its machine: numbers, names, limits.

use super::abi::int;
use super::errno::{Errno, Outcome, Stop};
use super::files::MOST_OPEN;
use super::{Arguments, Linux};
use isa_sim::{Exit, Guest};

/// The number of the process and of its only thread.
pub(super) const PID: i32 = 1000;
/// The number of its user and of the group.
pub(super) const USER: u32 = 1000;
/// The release that the numbers of calls belong to.
const RELEASE: &[u8] = b"6.1.0";
const INFINITE: u64 = u64::MAX;
/// `RLIMIT_STACK`, `RLIMIT_CORE`, `RLIMIT_NOFILE`, and the number of limits.
const STACK: u64 = 3;
const CORE: u64 = 4;
const FILES: u64 = 7;
const LIMITS: u64 = 16;
/// Bytes of random numbers that are generated at once.
const CHUNK: u64 = 4096;

/// `exit(status)`, `exit_group(status)`
pub(super) fn exit(_: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    // The status that `wait` returns.
    Err(Stop::Exit(Exit::Status((of.values[0] & 0xff) as i32)))
}

/// `getpid()`, `gettid()`
pub(super) fn getpid(_: &mut Linux<'_>, _: &mut Guest<'_>, _: &Arguments) -> Outcome {
    Ok(PID as u64)
}

/// `set_tid_address(address)`
pub(super) fn set_tid_address(_: &mut Linux<'_>, _: &mut Guest<'_>, _: &Arguments) -> Outcome {
    Ok(PID as u64)
}

/// `getppid()`
pub(super) fn getppid(_: &mut Linux<'_>, _: &mut Guest<'_>, _: &Arguments) -> Outcome {
    Ok(1)
}

/// `getuid()` and similar calls
pub(super) fn getuid(_: &mut Linux<'_>, _: &mut Guest<'_>, _: &Arguments) -> Outcome {
    Ok(USER.into())
}

/// A call without an effect: `sched_yield()`, `set_robust_list(head, size)`
pub(super) fn nothing(_: &mut Linux<'_>, _: &mut Guest<'_>, _: &Arguments) -> Outcome {
    Ok(0)
}

/// A call that does not exist.
pub(super) fn missing(_: &mut Linux<'_>, _: &mut Guest<'_>, _: &Arguments) -> Outcome {
    Err(Errno::ENOSYS.into())
}

/// `umask(mask)`
pub(super) fn umask(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let old = std::mem::replace(&mut linux.files.umask, of.values[0] as u32 & 0o777);
    Ok(old.into())
}

/// `uname(names)`
pub(super) fn uname(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let machine = linux.machine.clone().into_bytes();
    let mut names = linux.abi.structure();
    for (i, name) in [b"Linux", b"isagen".as_slice(), RELEASE, b"#1", &machine, b"(none)"].into_iter().enumerate() {
        names = names.bytes(&name[..name.len().min(64)]).up_to((i + 1) * 65);
    }
    names.write(guest, of.values[0])?;
    Ok(0)
}

/// `sysinfo(info)`
pub(super) fn sysinfo(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let pages = guest.pages().ok_or(Errno::EFAULT)?;
    let (total, used) = (pages.most() / isa_sim::PAGE, pages.written() / isa_sim::PAGE);
    let free = total.saturating_sub(used);
    let info = linux.abi.structure().word(linux.uptime().as_secs()).words(&[0; 3]).words(&[total, free, 0, 0, 0, 0]);
    let info = info.u16(1).u16(0).words(&[0, 0]).u32(isa_sim::PAGE);
    info.up_to(if linux.abi.is_64 { 112 } else { 64 }).write(guest, of.values[0])?;
    Ok(0)
}

/// `prlimit64(process, resource, new, old)`
pub(super) fn prlimit64(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [process, resource, new, old, ..] = of.values;
    let resource = u64::from(resource as u32);
    if resource >= LIMITS {
        return Err(Errno::EINVAL.into());
    }
    if ![0, PID].contains(&int(process)) {
        return Err(Errno::ESRCH.into());
    }
    if new != 0 {
        // Limits can be read, but not changed.
        linux.abi.read(guest, new, 8)?;
        linux.abi.read(guest, new.wrapping_add(8), 8)?;
    }
    let (now, most) = match resource {
        STACK => (linux.stack, INFINITE),
        CORE => (0, 0),
        FILES => (MOST_OPEN as u64, MOST_OPEN as u64),
        _ => (INFINITE, INFINITE),
    };
    if old != 0 {
        linux.abi.structure().u64(now).u64(most).write(guest, old)?;
    }
    Ok(0)
}

/// `getrusage(who, usage)`
pub(super) fn getrusage(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [who, at, ..] = of.values;
    let used = match int(who) {
        0 | 1 => linux.start.elapsed(),
        -1 => std::time::Duration::ZERO,
        _ => return Err(Errno::EINVAL.into()),
    };
    let kilobytes = guest.pages().ok_or(Errno::EFAULT)?.written() / 1024;
    let usage = linux.abi.structure().words(&[used.as_secs(), used.subsec_micros().into(), 0, 0, kilobytes]).words(&[0; 13]);
    usage.write(guest, at)?;
    Ok(0)
}

/// `sched_getaffinity(process, size, set)`
pub(super) fn sched_getaffinity(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [process, size, at, ..] = of.values;
    if ![0, PID].contains(&int(process)) {
        return Err(Errno::ESRCH.into());
    }
    let word = linux.abi.word();
    if size < word || size % word != 0 {
        return Err(Errno::EINVAL.into());
    }
    linux.abi.structure().word(1).write(guest, at)?;
    Ok(word)
}

/// `getrandom(bytes, size, flags)`
pub(super) fn getrandom(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [at, size, flags, ..] = of.values;
    if flags & 0xffff_ffff > 7 {
        return Err(Errno::EINVAL.into());
    }
    let size = size.min(i32::MAX as u64);
    let mut done = 0;
    while done < size {
        let mut bytes = vec![0; (size - done).min(CHUNK) as usize];
        linux.random.fill(&mut bytes);
        match guest.write(at.wrapping_add(done), &bytes) {
            Ok(()) => done += bytes.len() as u64,
            Err(_) if done > 0 => break,
            Err(denied) => return Err(denied.into()),
        }
    }
    Ok(done)
}

/// `futex(word, operation, value, timeout, word2, value3)`
pub(super) fn futex(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [word, operation, value, timeout, ..] = of.values;
    /// Operations: the timeout of `WAIT` is relative, unlike that of a wait for bits of a mask.
    const WAIT: u64 = 0;
    const WAIT_BITS: u64 = 9;
    if word % 4 != 0 {
        return Err(Errno::EINVAL.into());
    }
    match operation & 0x7f {
        WAIT | WAIT_BITS => {
            let found = linux.abi.read(guest, word, 4)?;
            if found != value & 0xffff_ffff {
                return Err(Errno::EAGAIN.into());
            }
            let Some(time) = linux.read_time(guest, of, timeout)? else {
                return Err(Stop::Fault(format!(
                    "the program waits for ever: no other thread can wake it from the futex at {word:#x}"
                )));
            };
            let is_real_time = operation & 0x100 != 0;
            let now = if is_real_time { super::time::now() } else { linux.uptime() };
            std::thread::sleep(if operation & 0x7f == WAIT { time } else { time.saturating_sub(now) });
            Err(Errno::ETIMEDOUT.into())
        }
        // Nothing waits: wake, requeue and similar operations.
        1 | 3 | 4 | 5 | 10 => {
            linux.abi.read(guest, word, 4)?;
            Ok(0)
        }
        _ => Err(Errno::ENOSYS.into()),
    }
}
