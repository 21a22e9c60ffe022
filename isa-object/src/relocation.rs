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

/// As cuobjdump names them.
fn cuda(kind: u32) -> Option<&'static str> {
    Some(match kind {
        0x02 => "R_CUDA_64",
        0x38 => "R_CUDA_ABS32_LO_32",
        0x39 => "R_CUDA_ABS32_HI_32",
        0x3a => "R_CUDA_ABS47_34",
        0x3b => "R_CUDA_ABS16_32",
        0x40 => "R_CUDA_CONST_FIELD19_40",
        0x49 => "R_CUDA_UNUSED_CLEAR64",
        0x4a => "R_CUDA_ABS24_40",
        _ => return None,
    })
}

/// As the ABI of RISC-V names them.
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
