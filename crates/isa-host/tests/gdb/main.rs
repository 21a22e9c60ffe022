//! The remote target of GDB: packets with a script in the place of GDB, and GDB itself, which `ISA_GDB` names.

mod client;
mod live;
mod packets;

use isa_sim::{AnyEngine, Machine};

/// The address of the program.
const START: u64 = 0x1000;

/// ```text
/// 1000:     li a0, 5
/// 1004:     lui a1, 0x2
/// 1008: 1:  sd a0, 0(a1)
/// 100c:     ld a2, 0(a1)
/// 1010:     addi a0, a0, -1
/// 1014:     bnez a0, 1b
/// 1018:     ebreak
/// 101c:     ecall
/// 1020: 2:  j 2b
/// 1024:     .word -1
/// 1028:     li a3, -8
/// 102c:     ld a4, 4(a3)
/// ```
const PROGRAM: [u32; 12] = [
    0x00500513, 0x000025b7, 0x00a5b023, 0x0005b603, 0xfff50513, 0xfe051ae3, 0x00100073, 0x00000073, 0x0000006f, 0xffffffff,
    0xff800693, 0x0046b703,
];

fn engine() -> Box<dyn AnyEngine> {
    generated::engine("rv64gc").expect("it has a simulator")
}

/// A machine with the program.
fn machine(engine: &dyn AnyEngine) -> Machine<'_> {
    let mut machine = Machine::new(engine).expect("a core");
    let bytes: Vec<u8> = PROGRAM.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(START, &bytes).expect("there is memory");
    machine.set_pc(START);
    machine
}
