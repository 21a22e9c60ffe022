//! A console: the output of serial ports, and typed input.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The source of typed input.
pub trait Input: Send {
    /// The next byte, if there is one by now.
    fn next(&mut self) -> Option<u8>;
    /// True if more bytes may follow later.
    fn may_come(&self) -> bool;
}

/// Output and input, which several devices may share.
#[derive(Clone)]
pub struct Console(Arc<Mutex<Ends>>);

struct Ends {
    output: Box<dyn Write + Send>,
    input: Box<dyn Input>,
}

impl Console {
    /// A console with this output and input.
    pub fn new(output: impl Write + Send + 'static, input: impl Input + 'static) -> Self {
        Self(Arc::new(Mutex::new(Ends { output: Box::new(output), input: Box::new(input) })))
    }

    /// The console of the process; its standard input is read only after a device has first asked for it.
    pub fn of_process() -> Self {
        Self::with_output(io::stdout())
    }

    /// The same with another output.
    pub fn with_output(output: impl Write + Send + 'static) -> Self {
        Self::new(output, Stdin { started: None, read: Vec::new().into_iter(), has_ended: false })
    }

    /// A console with fixed input.
    pub fn with_input(output: impl Write + Send + 'static, input: impl Into<Vec<u8>>) -> Self {
        let mut input = input.into();
        input.reverse();
        Self::new(output, Given(input))
    }

    /// Prints a byte. If the output can't be written, further output is dropped.
    pub(super) fn put(&self, byte: u8) {
        if let Ok(mut ends) = self.0.lock() {
            let _ = ends.output.write_all(&[byte]).and_then(|()| ends.output.flush());
        }
    }

    /// The next byte that was typed.
    pub(super) fn next(&self) -> Option<u8> {
        self.0.lock().ok()?.input.next()
    }

    /// True if more may be typed.
    pub(super) fn may_come(&self) -> bool {
        self.0.lock().is_ok_and(|ends| ends.input.may_come())
    }
}

/// Fixed input, the last byte first.
struct Given(Vec<u8>);

impl Input for Given {
    fn next(&mut self) -> Option<u8> {
        self.0.pop()
    }

    fn may_come(&self) -> bool {
        !self.0.is_empty()
    }
}

/// The standard input of the process, read by a thread.
struct Stdin {
    started: Option<Receiver<Vec<u8>>>,
    /// Bytes that have been read together, but not returned yet.
    read: std::vec::IntoIter<u8>,
    has_ended: bool,
}

/// The time that the first request waits for the contents of a file or a pipe.
const FIRST: Duration = Duration::from_millis(100);

impl Stdin {
    fn start() -> Receiver<Vec<u8>> {
        let (to, from) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = io::stdin().read(&mut bytes) {
                if to.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        from
    }
}

impl Input for Stdin {
    fn next(&mut self) -> Option<u8> {
        if let Some(byte) = self.read.next() {
            return Some(byte);
        }
        let next = match &self.started {
            Some(from) => from.try_recv().map_err(|error| error == TryRecvError::Disconnected),
            None => {
                let from = self.started.insert(Self::start());
                from.recv_timeout(FIRST).map_err(|error| error == RecvTimeoutError::Disconnected)
            }
        };
        self.read = next.map_err(|has_ended| self.has_ended |= has_ended).ok()?.into_iter();
        self.read.next()
    }

    fn may_come(&self) -> bool {
        !self.has_ended
    }
}
