//! The names of relocations.

use crate::arch::{CUDA, RISC_V};

/// The name of a relocation of a machine.
pub(crate) fn name(machine: u16, kind: u32) -> Option<&'static str> {
    match machine {
        CUDA => cuda(kind),
        RISC_V => risc_v(kind),
        _ => None,
    }
}

/// Returns the name that cuobjdump prints for a relocation type.
fn cuda(kind: u32) -> Option<&'static str> {
    Some(match kind {
        0x02 => "R_CUDA_64",
        0x38 => "R_CUDA_ABS32_LO_32",
        0x39 => "R_CUDA_ABS32_HI_32",
        0x3a => "R_CUDA_ABS47_34",
        0x3b => "R_CUDA_ABS16_32",
        0x40 => "R_CUDA_CONST_FIELD19_40",
        0x44 => "R_CUDA_YIELD_OPCODE9_0",
        0x45 => "R_CUDA_YIELD_CLEAR_PRED4_87",
        0x49 => "R_CUDA_UNUSED_CLEAR64",
        0x4a => "R_CUDA_ABS24_40",
        _ => return None,
    })
}

/// The part of a symbol's address that is put into an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressPart {
    /// All of it.
    Whole,
    /// The low 32 bits.
    Low,
    /// The high 32 bits.
    High,
}

/// The bits of an instruction that a linker fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The lowest of them.
    pub low: u32,
    /// The number of bits.
    pub width: u32,
    /// The part of the address that fills them.
    pub part: AddressPart,
}

/// The bits that a relocation of a machine fills in, if they are an operand.
pub(crate) fn operand(machine: u16, kind: u32) -> Option<Operand> {
    let (part, width, low) = match (machine, kind) {
        (CUDA, 0x38) => (AddressPart::Low, 32, 32),
        (CUDA, 0x39) => (AddressPart::High, 32, 32),
        (CUDA, 0x3a) => (AddressPart::Whole, 47, 34),
        (CUDA, 0x3b) => (AddressPart::Whole, 16, 32),
        (CUDA, 0x40) => (AddressPart::Whole, 19, 40),
        (CUDA, 0x4a) => (AddressPart::Whole, 24, 40),
        _ => return None,
    };
    Some(Operand { low, width, part })
}

/// Returns the RISC-V ABI's name of a relocation type.
fn risc_v(kind: u32) -> Option<&'static str> {
    Some(match kind {
        1 => "R_RISCV_32",
        2 => "R_RISCV_64",
        16 => "R_RISCV_BRANCH",
        17 => "R_RISCV_JAL",
        18 => "R_RISCV_CALL",
        19 => "R_RISCV_CALL_PLT",
        20 => "R_RISCV_GOT_HI20",
        23 => "R_RISCV_PCREL_HI20",
        24 => "R_RISCV_PCREL_LO12_I",
        25 => "R_RISCV_PCREL_LO12_S",
        26 => "R_RISCV_HI20",
        27 => "R_RISCV_LO12_I",
        28 => "R_RISCV_LO12_S",
        43 => "R_RISCV_ALIGN",
        44 => "R_RISCV_RVC_BRANCH",
        45 => "R_RISCV_RVC_JUMP",
        51 => "R_RISCV_RELAX",
        _ => return None,
    })
}
