//! Packets of GDB's remote protocol, as bytes of a connection.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection to GDB.
pub trait Connection {
    /// Sends bytes, all of them.
    ///
    /// # Errors
    /// When the connection is lost.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Receives some bytes and returns their number: 0 at the end of the connection, `None` if nothing comes within `wait`.
    ///
    /// # Errors
    /// When the connection is lost.
    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<Option<usize>>;
}

impl Connection for TcpStream {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<Option<usize>> {
        let received = if wait.is_zero() {
            self.set_nonblocking(true)?;
            let received = self.read(bytes);
            self.set_nonblocking(false)?;
            received
        } else {
            self.set_read_timeout(Some(wait))?;
            self.read(bytes)
        };
        match received {
            Ok(count) => Ok(Some(count)),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => Ok(None),
            Err(e) => Err(e),
        }
    }
}

/// Something that GDB has sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A packet with its frame; the checksum is right.
    Packet(Vec<u8>),
    /// A request to stop the program.
    Interrupt,
}

/// Frames packets, acknowledges them, and sends the last one again on request. `gdbstub` receives only whole packets within its
/// limits.
pub(super) struct Wire<'c> {
    connection: &'c mut dyn Connection,
    /// The limit of bytes of a packet.
    size: usize,
    received: Vec<u8>,
    next: usize,
    sending: Vec<u8>,
    last: Vec<u8>,
    acknowledges: bool,
    /// The features of GDB, which are repeated to a new `gdbstub`.
    setting: Option<Vec<u8>>,
    is_muted: bool,
    /// The last packet is `vKill`, which is answered, not `k`, which is not.
    is_kill: bool,
    /// The packet that is being received.
    frame: Frame,
}

#[derive(Debug, Default)]
enum Frame {
    #[default]
    Outside,
    Body(Vec<u8>, bool),
    Checksum(Vec<u8>, bool, Option<u8>),
}

/// `$`, `#`, and two digits.
const FRAME: usize = 4;

impl<'c> Wire<'c> {
    pub(super) fn new(connection: &'c mut dyn Connection, size: usize) -> Self {
        Self {
            connection,
            size,
            received: Vec::new(),
            next: 0,
            sending: Vec::new(),
            last: Vec::new(),
            acknowledges: true,
            setting: None,
            is_muted: false,
            is_kill: false,
            frame: Frame::Outside,
        }
    }

    /// The packet that brings a new `gdbstub` into the state of the previous one.
    pub(super) fn setting(&self) -> Option<Vec<u8>> {
        self.setting.clone()
    }

    /// Sets whether writes are dropped.
    pub(super) fn mute(&mut self, is_muted: bool) {
        self.is_muted = is_muted;
    }

    /// The next event; `None` if there is none yet. It waits for bytes once, so that a flood of them does not block the caller.
    pub(super) fn next(&mut self, wait: Duration) -> io::Result<Option<Event>> {
        if self.next == self.received.len() {
            self.received.resize(4096, 0);
            self.next = 0;
            let received = self.connection.receive(&mut self.received, wait);
            self.received.truncate(received.as_ref().map_or(0, |count| count.unwrap_or(0)));
            if received?.is_some_and(|count| count == 0) {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "GDB has closed the connection"));
            }
        }
        while let Some(byte) = self.received.get(self.next).copied() {
            self.next += 1;
            if let Some(event) = self.take(byte)? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    fn take(&mut self, byte: u8) -> io::Result<Option<Event>> {
        self.frame = match std::mem::take(&mut self.frame) {
            Frame::Outside => match byte {
                b'$' => Frame::Body(Vec::new(), false),
                3 => return Ok(Some(Event::Interrupt)),
                b'-' if self.acknowledges && !self.last.is_empty() => {
                    self.connection.send(&self.last)?;
                    Frame::Outside
                }
                _ => Frame::Outside,
            },
            // A packet was cut off.
            Frame::Body(..) if byte == b'$' => Frame::Body(Vec::new(), false),
            Frame::Body(body, is_long) if byte == b'#' => Frame::Checksum(body, is_long, None),
            Frame::Body(mut body, is_long) => {
                let is_long = is_long || body.len() + FRAME >= self.size;
                if !is_long {
                    body.push(byte);
                }
                Frame::Body(body, is_long)
            }
            Frame::Checksum(body, is_long, None) => Frame::Checksum(body, is_long, Some(byte)),
            Frame::Checksum(body, is_long, Some(high)) => return self.packet(body, is_long, [high, byte]),
        };
        Ok(None)
    }

    /// Handles a packet that was received completely.
    fn packet(&mut self, body: Vec<u8>, is_long: bool, checksum: [u8; 2]) -> io::Result<Option<Event>> {
        if is_long {
            self.acknowledge(b'+')?;
            self.refuse()?;
            return Ok(None);
        }
        let digits = checksum.map(|digit| char::from(digit).to_digit(16));
        let [Some(high), Some(low)] = digits else { return self.acknowledge(b'-').map(|()| None) };
        if high * 16 + low != u32::from(sum(&body)) {
            return self.acknowledge(b'-').map(|()| None);
        }
        self.acknowledge(b'+')?;
        let Some(body) = clip(body, self.size / 2 - 32) else { return self.refuse().map(|()| None) };
        self.is_kill = body.starts_with(b"vKill");
        let packet = frame(&body);
        if packet.starts_with(b"$QStartNoAckMode#") {
            self.acknowledges = false;
        } else if packet.starts_with(b"$qSupported") {
            self.setting = Some(packet.clone());
        }
        Ok(Some(Event::Packet(packet)))
    }

    fn acknowledge(&mut self, sign: u8) -> io::Result<()> {
        if self.acknowledges { self.connection.send(&[sign]) } else { Ok(()) }
    }

    /// Tells GDB that the program was killed, if it waits for that; `gdbstub` does not.
    pub(super) fn confirm_kill(&mut self) -> io::Result<()> {
        self.sending = if self.is_kill { frame(b"OK") } else { Vec::new() };
        self.flush()
    }

    /// Answers a packet that `gdbstub` has failed to handle.
    pub(super) fn fail(&mut self) -> io::Result<()> {
        if self.is_muted {
            // Its features were repeated.
            (self.is_muted, self.setting) = (false, None);
            self.sending.clear();
            return Ok(());
        }
        self.refuse()
    }

    /// Answers with an error, in the place of the prepared answer.
    fn refuse(&mut self) -> io::Result<()> {
        self.sending = frame(b"E01");
        self.flush()
    }

    /// Prints a text in GDB while the program runs.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        for part in text.as_bytes().chunks(self.size / 2 - 32) {
            let hex: String = part.iter().map(|byte| format!("{byte:02x}")).collect();
            self.sending = frame(format!("O{hex}").as_bytes());
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let sending = std::mem::take(&mut self.sending);
        if !self.is_muted && !sending.is_empty() {
            self.connection.send(&sending)?;
            self.last = sending;
        }
        Ok(())
    }

    /// Waits briefly for GDB to close the connection, so that the last answer is not lost.
    pub(super) fn finish(&mut self) {
        let mut bytes = [0; 256];
        for _ in 0..64 {
            if !matches!(self.connection.receive(&mut bytes, Duration::from_millis(200)), Ok(Some(1..))) {
                return;
            }
        }
    }
}

/// The end of a wire that `gdbstub` writes to.
pub(super) struct Sender<'w, 'c>(pub(super) &'w mut Wire<'c>);

impl gdbstub::conn::Connection for Sender<'_, '_> {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        // The wire has already acknowledged the packet.
        if byte != b'+' || !self.0.sending.is_empty() {
            self.0.sending.push(byte);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn sum(body: &[u8]) -> u8 {
    body.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// `$BODY#CHECKSUM`
fn frame(body: &[u8]) -> Vec<u8> {
    let mut packet = vec![b'$'];
    packet.extend_from_slice(body);
    packet.extend_from_slice(format!("#{:02x}", sum(body)).as_bytes());
    packet
}

/// Shortens a read of memory that is too long for one answer, or extends beyond the last address: an answer may have fewer bytes.
/// `None` if it has no address or no length.
fn clip(body: Vec<u8>, most: usize) -> Option<Vec<u8>> {
    let Some(range) = body.strip_prefix(b"m") else { return Some(body) };
    let (at, length) = std::str::from_utf8(range).ok()?.split_once(',')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let at = u64::from_str_radix(at, 16).ok().filter(|_| is_number(at))?;
    let length = is_number(length).then(|| u64::from_str_radix(length, 16).unwrap_or(u64::MAX))?;
    let length = length.min(most as u64).min((u64::MAX - at).saturating_add(1));
    Some(format!("m{at:x},{length:x}").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_clipped() {
        let clipped = |body: &str| clip(body.into(), 0x100).map(|body| String::from_utf8(body).expect("text"));
        assert_eq!(clipped("m1000,8"), Some("m1000,8".to_owned()));
        assert_eq!(clipped("m1000,800"), Some("m1000,100".to_owned()));
        assert_eq!(clipped("mffffffffffffffff,8"), Some("mffffffffffffffff,1".to_owned()));
        assert_eq!(clipped("m0,fffffffffffffffff"), Some("m0,100".to_owned()));
        assert_eq!(clipped("m0,"), None);
        assert_eq!(clipped("m0,ffffffff,8"), None);
        assert_eq!(clipped("m+0,8"), None);
        assert_eq!(clipped("M0,1:00"), Some("M0,1:00".to_owned()));
    }
}
