//! Sessions of GDB.

use isa_host::gdb::{Connection, serve};
use isa_reference::eval::Reference;
use isa_sim::Machine;
use isa_spec::model::Isa;
use std::io;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A core that can be debugged: its program counts, stores and jumps back.
static CORE: LazyLock<Isa> = LazyLock::new(|| {
    let spec = r#"
isa: core
word: 8
registers: { R: { index: 2, width: 32, text: "r{n}" } }
machine: { pc: 16, spaces: { memory: { address: 16, program: true } }, flags: { C: [z] }, state: { wide: 96 } }
instructions:
  inc: { fix: { 7..2: 1 }, fields: { d: 1..0 R }, text: "inc {d}", semantics: "let x = R[d] + 1; R[d] = x; C.z = x == 0;" }
  put: { fix: { 7..4: 1 }, fields: { d: 3..2 R, a: 1..0 R }, text: "put {d}, {a}", semantics: "store.memory(R[a][15..0] & 0xfffc, R[d]);" }
  back: { fix: { 7..4: 2 }, fields: { n: 3..0 }, text: "back {n}", semantics: "branch(pc - zext(n, 16));" }
  stop: { fix: { 7..0: 0xff }, text: stop, semantics: "trap();" }
"#;
    isa_spec::load_str("core.yaml", spec, None).isa.expect("a good specification")
});

/// The number of times that a running program is looked at, before the connection is closed.
const MOST_POLLS: u32 = 4;

/// A client that sends all that it has, and does not read.
struct Client {
    bytes: Vec<u8>,
    polls: u32,
}

impl Connection for Client {
    fn send(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<Option<usize>> {
        // While the program runs, something is sent at every other poll.
        self.polls += u32::from(wait.is_zero());
        if self.polls > MOST_POLLS {
            return Ok(Some(0));
        }
        if wait.is_zero() && self.polls % 2 == 1 {
            return Ok(None);
        }
        let count = self.bytes.len().min(bytes.len());
        bytes[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes.drain(..count);
        Ok(Some(count))
    }
}

/// `$BODY#CHECKSUM`
pub(crate) fn frame(body: &[u8]) -> Vec<u8> {
    let sum = body.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    [b"$", body, format!("#{sum:02x}").as_bytes()].concat()
}

/// What a client sends: bytes, or bodies of packets, a line each, if the first byte is `$`'s successor `%`.
pub(crate) fn gdb(input: &[u8]) {
    let bytes = match input.split_first() {
        Some((b'%', lines)) => lines.split(|byte| *byte == b'\n').flat_map(frame).collect(),
        _ => input.to_vec(),
    };
    let reference = Reference::new(&CORE).expect("it can be simulated");
    let mut machine = Machine::new(&reference).expect("one lane");
    machine.load(0x100, &[0x04, 0x05, 0x14, 0x23, 0xff]).expect("there is memory");
    machine.set_pc(0x100);
    serve(&mut machine, "core", &mut Client { bytes, polls: 0 }, &AtomicBool::new(false));
}
