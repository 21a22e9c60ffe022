//! A remote target of GDB: a [`Machine`] that a debugger runs, stops, and inspects.
//!
//! ```no_run
//! # use isa_host::gdb::{End, listen, serve};
//! # use std::sync::atomic::AtomicBool;
//! # fn debug(machine: &mut isa_sim::Machine<'_>) -> std::io::Result<()> {
//! let mut connection = listen(1234, |at| eprintln!("waiting for GDB: target remote {at}"))?;
//! match serve(machine, "rv64gc", &mut connection, &AtomicBool::new(false)) {
//!     End::Exited(exit) => println!("{exit}"),
//!     End::Detached => println!("{}", machine.run(1_000_000)),
//!     end => println!("{end:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The crate `gdbstub` reads commands and writes answers. `wire` has the packets, `declared` what GDB
//! needs of a specification, `layout` the registers and their description,
//! `arch` the types of registers, `target` the machine, `stop` signals.
//!
//! GDB expects that some processors, RISC-V's among them, stop before a watched access, and executes one more instruction: it
//! then shows the second instruction after the access, and does not notice an access of the first.

mod arch;
mod declared;
mod layout;
mod stop;
mod target;
mod wire;

pub use declared::{Undeclared, declared};
use gdbstub::common::Signal;
use gdbstub::stub::state_machine::GdbStubStateMachine as Stub;
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubError, SingleThreadStopReason as Reason};
use isa_sim::{Exit, Machine};
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use target::Debugged;
pub use wire::Connection;
use wire::{Event, Sender, Wire};

/// The end of a session.
#[derive(Debug)]
pub enum End {
    /// The program has ended, and GDB was notified.
    Exited(Exit),
    /// GDB has ended the program.
    Killed,
    /// GDB lets the program continue; its breakpoints and watchpoints are removed.
    Detached,
    /// The flag was set.
    Interrupted,
    /// The connection was lost.
    Lost(io::Error),
}

/// Waits for one connection to a port of this computer, which others can't reach. Port 0 is any free port. `waits` receives the
/// address.
///
/// # Errors
/// When the port can't be used.
pub fn listen(port: u16, waits: impl FnOnce(SocketAddr)) -> io::Result<TcpStream> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    waits(listener.local_addr()?);
    let (connection, _) = listener.accept()?;
    connection.set_nodelay(true)?;
    // A client may no longer read.
    connection.set_write_timeout(Some(Duration::from_secs(10)))?;
    Ok(connection)
}

/// Bytes of a packet, unless the registers need more.
const PACKET: usize = 16 << 10;
/// The interval at which the flag is checked.
const WAIT: Duration = Duration::from_millis(50);

/// Lets GDB run a machine. `isa` is the name of the instruction set: its registers' feature is named after it if the
/// specification has no `debugger:`. The session ends soon after `interrupt` is set.
///
/// An invalid packet is answered by an error. A fault is reported as the signal that a process would get, and its text is printed
/// by GDB; registers and memory can be inspected after it.
pub fn serve(machine: &mut Machine<'_>, isa: &str, connection: &mut dyn Connection, interrupt: &AtomicBool) -> End {
    let mut target = Debugged::new(machine, isa);
    let size = PACKET.max(2 * target.register_bytes() + 64);
    let mut wire = Wire::new(connection, size);
    loop {
        match session(&mut wire, &mut target, size, interrupt) {
            Ok(End::Interrupted) => return End::Interrupted,
            Ok(end) => {
                wire.finish();
                return end;
            }
            Err(Failure::Lost(e)) => return End::Lost(e),
            Err(Failure::Packet) => {
                if let Err(e) = wire.fail() {
                    return End::Lost(e);
                }
            }
        }
    }
}

/// A reason why a session can't continue.
enum Failure {
    /// The connection is lost.
    Lost(io::Error),
    /// `gdbstub` has ended because of a packet.
    Packet,
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Lost(e)
    }
}

impl From<GdbStubError<Infallible, io::Error>> for Failure {
    fn from(e: GdbStubError<Infallible, io::Error>) -> Self {
        e.into_connection_error().map_or(Self::Packet, |(e, _)| Self::Lost(e))
    }
}

/// Answers packets until the session ends, or a packet is invalid.
fn session<'m, 'e>(
    wire: &mut Wire<'_>,
    target: &mut Debugged<'m, 'e>,
    size: usize,
    interrupt: &AtomicBool,
) -> Result<End, Failure> {
    let setting = wire.setting();
    wire.mute(true);
    let stub = GdbStub::builder(Sender(wire)).packet_buffer_size(size).build().map_err(|_| Failure::Packet)?;
    let mut state = stub.run_state_machine(target)?;
    if let Some(setting) = setting {
        state = feed(state, target, &setting)?;
    }
    let mut is_muted = true;
    loop {
        state = match state {
            Stub::Idle(mut gdb) => {
                let Sender(wire) = gdb.borrow_conn();
                if is_muted {
                    wire.mute(false);
                    is_muted = false;
                }
                match wire.next(WAIT)? {
                    Some(event) => handle(gdb.into(), target, event)?,
                    None if interrupt.load(Relaxed) => return Ok(End::Interrupted),
                    None => gdb.into(),
                }
            }
            Stub::Running(mut gdb) => {
                let Sender(wire) = gdb.borrow_conn();
                let event = if target.listens() { wire.next(Duration::ZERO)? } else { None };
                if let Some(event) = event {
                    handle(gdb.into(), target, event)?
                } else if interrupt.load(Relaxed) {
                    return Ok(End::Interrupted);
                } else {
                    match target.go() {
                        Some((reason, text)) => {
                            if let Some(text) = text {
                                wire.print(&text)?;
                            }
                            gdb.report_stop(target, reason)?
                        }
                        None => gdb.into(),
                    }
                }
            }
            Stub::CtrlCInterrupt(gdb) => gdb.interrupt_handled(target, Some(Reason::Signal(Signal::SIGINT)))?,
            Stub::Disconnected(mut gdb) => {
                return Ok(match gdb.get_reason() {
                    DisconnectReason::Disconnect => End::Detached,
                    DisconnectReason::Kill => {
                        gdb.borrow_conn().0.confirm_kill()?;
                        End::Killed
                    }
                    DisconnectReason::TargetExited(status) => End::Exited(target.exit().unwrap_or(Exit::Status(status.into()))),
                    DisconnectReason::TargetTerminated(signal) => End::Exited(target.exit().unwrap_or(stop::exit_by(signal))),
                });
            }
        };
    }
}

type State<'s, 'w, 'c, 'm, 'e> = Stub<'s, Debugged<'m, 'e>, Sender<'w, 'c>>;
type Fed<'s, 'w, 'c, 'm, 'e> = Result<State<'s, 'w, 'c, 'm, 'e>, GdbStubError<Infallible, io::Error>>;

fn handle<'s, 'w, 'c, 'm, 'e>(
    state: State<'s, 'w, 'c, 'm, 'e>,
    target: &mut Debugged<'m, 'e>,
    event: Event,
) -> Fed<'s, 'w, 'c, 'm, 'e> {
    match event {
        Event::Packet(bytes) => feed(state, target, &bytes),
        Event::Interrupt => feed(state, target, &[3]),
    }
}

/// Passes bytes to `gdbstub`; those after the one that ends the session are dropped.
fn feed<'s, 'w, 'c, 'm, 'e>(
    mut state: State<'s, 'w, 'c, 'm, 'e>,
    target: &mut Debugged<'m, 'e>,
    bytes: &[u8],
) -> Fed<'s, 'w, 'c, 'm, 'e> {
    for byte in bytes {
        state = match state {
            Stub::Idle(gdb) => gdb.incoming_data(target, *byte)?,
            Stub::Running(gdb) => gdb.incoming_data(target, *byte)?,
            ended => ended,
        };
    }
    Ok(state)
}
