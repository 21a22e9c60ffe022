//! Readiness of files, and requests to terminals.

use super::super::abi::int;
use super::super::errno::{Errno, Outcome, Stop};
use super::super::{Arguments, Linux};
use super::{Kind, MOST_OPEN, Open, PIPE};
use isa_sim::Guest;

const IN: u64 = 1;
const OUT: u64 = 4;
const ERROR: u64 = 8;
const HANG_UP: u64 = 16;
const INVALID: u64 = 32;

impl Open<'_> {
    /// The events that are ready.
    fn events(&self) -> u64 {
        match &self.kind {
            Kind::Input(_) => IN,
            Kind::Output(_) => OUT,
            Kind::Reader(end) => {
                let waiting = if end.pipe.bytes.borrow().is_empty() { 0 } else { IN };
                waiting | if end.pipe.has_writer.get() { 0 } else { HANG_UP }
            }
            Kind::Writer(end) if !end.pipe.has_reader.get() => OUT | ERROR,
            Kind::Writer(end) => {
                if end.pipe.bytes.borrow().len() < PIPE {
                    OUT
                } else {
                    0
                }
            }
            Kind::File(_) | Kind::Directory { .. } | Kind::Null | Kind::Zero | Kind::Random => IN | OUT,
        }
    }

    fn is_terminal(&self) -> bool {
        match &self.kind {
            Kind::Input(stream) => stream.is_terminal,
            Kind::Output(stream) => stream.is_terminal,
            _ => false,
        }
    }
}

/// `ppoll(files, count, timeout, signals, size)`
pub(in super::super) fn ppoll(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [at, count, timeout, ..] = of.values;
    let count = u64::from(count as u32);
    if count > MOST_OPEN as u64 {
        return Err(Errno::EINVAL.into());
    }
    let timeout = linux.read_time(guest, of, timeout)?;
    let mut ready = 0;
    for i in 0..count {
        let place = at.wrapping_add(8 * i);
        let file = linux.abi.read(guest, place, 4)?;
        let wanted = linux.abi.read(guest, place.wrapping_add(4), 2)?;
        let found = if int(file) < 0 {
            0
        } else {
            linux.files.get(file).map_or(INVALID, |file| file.borrow().events() & (wanted | ERROR | HANG_UP))
        };
        ready += u64::from(found != 0);
        linux.abi.structure().u16(found).write(guest, place.wrapping_add(6))?;
    }
    if ready == 0 {
        // Only the program itself could change that.
        match timeout {
            Some(time) => std::thread::sleep(time),
            None => return Err(Stop::Fault("the program waits for ever: it polls for what it alone could do".to_owned())),
        }
    }
    Ok(ready)
}

/// `ioctl(descriptor, request, argument)`
pub(in super::super) fn ioctl(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    const GET_ATTRIBUTES: u64 = 0x5401;
    const SET_ATTRIBUTES: std::ops::RangeInclusive<u64> = 0x5402..=0x5404;
    const GET_WINDOW: u64 = 0x5413;
    const GET_AVAILABLE: u64 = 0x541b;
    const CLOSE_ON_EXEC: u64 = 0x5451;
    const STAY_OPEN: u64 = 0x5450;
    let [descriptor, request, at, ..] = of.values;
    let file = linux.files.get(descriptor)?;
    let file = file.borrow();
    match request & 0xffff_ffff {
        GET_ATTRIBUTES if file.is_terminal() => {
            // Lines, echo, signals; 38400 baud, eight bits.
            let modes = [0x500, 5, 0xbf, 0x8a3b].into_iter().fold(linux.abi.structure(), |all, mode| all.u32(mode));
            let characters = [0, 3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0];
            modes.bytes(&characters).write(guest, at)?;
        }
        request if file.is_terminal() && SET_ATTRIBUTES.contains(&request) => {}
        GET_WINDOW if file.is_terminal() => {
            [24, 80, 0, 0].into_iter().fold(linux.abi.structure(), |all, size| all.u16(size)).write(guest, at)?;
        }
        GET_AVAILABLE => {
            let available = match &file.kind {
                Kind::Reader(end) | Kind::Writer(end) => end.pipe.bytes.borrow().len() as u64,
                Kind::File(_) | Kind::Input(_) => 0,
                _ => return Err(Errno::ENOTTY.into()),
            };
            linux.abi.structure().u32(available).write(guest, at)?;
        }
        request @ (CLOSE_ON_EXEC | STAY_OPEN) => {
            drop(file);
            if let Some(Some(known)) = linux.files.descriptors.get_mut(descriptor as u32 as usize) {
                known.closes_on_exec = request == CLOSE_ON_EXEC;
            }
        }
        _ => return Err(Errno::ENOTTY.into()),
    }
    Ok(0)
}
