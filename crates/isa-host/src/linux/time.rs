//! Clocks and sleep.

use super::abi::int;
use super::errno::{Errno, Outcome};
use super::{Arguments, Linux};
use isa_sim::Guest;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const NANOS: u64 = 1_000_000_000;
/// `TIMER_ABSTIME`
const ABSOLUTE: u64 = 1;
/// The uptime of the machine in seconds when a program starts.
const UPTIME: u64 = 1000;

/// Time since 1970.
pub(super) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

impl Linux<'_> {
    /// Time since the machine has started.
    pub(super) fn uptime(&self) -> Duration {
        self.start.elapsed() + Duration::from_secs(UPTIME)
    }

    fn clock(&self, clock: u64) -> Result<Duration, Errno> {
        match int(clock) {
            0 | 5 | 8 | 11 => Ok(now()),
            1 | 4 | 6 | 7 | 9 => Ok(self.uptime()),
            2 | 3 => Ok(self.start.elapsed()),
            _ => Err(Errno::EINVAL),
        }
    }

    /// Bytes of the seconds, and of the nanoseconds, for a call whose name may end with 64.
    fn time_size(&self, of: &Arguments) -> u64 {
        if of.is_wide { 8 } else { self.abi.word() }
    }

    fn write_time(&self, guest: &mut Guest<'_>, of: &Arguments, at: u64, time: Duration) -> Result<(), Errno> {
        let size = self.time_size(of) as usize;
        let all = self.abi.structure().number(time.as_secs(), size).number(time.subsec_nanos().into(), size);
        all.write(guest, at)
    }

    /// Reads a time; `None` without one.
    pub(super) fn read_time(&self, guest: &mut Guest<'_>, of: &Arguments, at: u64) -> Result<Option<Duration>, Errno> {
        if at == 0 {
            return Ok(None);
        }
        let size = self.time_size(of);
        let seconds = self.abi.read(guest, at, size)?;
        // The upper half of wide nanoseconds in 32-bit programs is padding.
        let nanos = self.abi.read(guest, at.wrapping_add(size), size)?;
        let nanos = if self.abi.is_64 { nanos } else { nanos & 0xffff_ffff };
        let is_negative = if size == 8 { seconds.cast_signed() < 0 } else { int(seconds) < 0 };
        if is_negative || nanos >= NANOS {
            return Err(Errno::EINVAL);
        }
        Ok(Some(Duration::new(seconds, nanos as u32)))
    }
}

/// `clock_gettime(clock, time)`
pub(super) fn clock_gettime(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [clock, at, ..] = of.values;
    let time = linux.clock(clock)?;
    linux.write_time(guest, of, at, time)?;
    Ok(0)
}

/// `clock_getres(clock, time)`
pub(super) fn clock_getres(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [clock, at, ..] = of.values;
    linux.clock(clock)?;
    if at != 0 {
        linux.write_time(guest, of, at, Duration::from_nanos(1))?;
    }
    Ok(0)
}

/// `gettimeofday(time, zone)`
pub(super) fn gettimeofday(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [at, zone, ..] = of.values;
    let time = now();
    if at != 0 {
        linux.abi.structure().word(time.as_secs()).word(time.subsec_micros().into()).write(guest, at)?;
    }
    if zone != 0 {
        guest.write(zone, &[0; 8])?;
    }
    Ok(0)
}

/// `nanosleep(time, rest)`
pub(super) fn nanosleep(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [at, ..] = of.values;
    let time = linux.read_time(guest, of, at)?.ok_or(Errno::EFAULT)?;
    std::thread::sleep(time);
    Ok(0)
}

/// `clock_nanosleep(clock, flags, time, rest)`
pub(super) fn clock_nanosleep(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [clock, flags, at, ..] = of.values;
    let now = linux.clock(clock)?;
    let time = linux.read_time(guest, of, at)?.ok_or(Errno::EFAULT)?;
    std::thread::sleep(if flags & ABSOLUTE != 0 { time.saturating_sub(now) } else { time });
    Ok(0)
}
