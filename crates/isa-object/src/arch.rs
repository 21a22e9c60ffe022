//! The names of architectures.

/// The machine number of cubins in ELF.
pub const CUDA: u16 = 190;
/// The machine number of RISC-V in ELF.
pub(crate) const RISC_V: u16 = 243;
/// The ABI version from which on the flags of a cubin have the SM in bits 15 to 8; before, in bits 7 to 0.
const WIDE_FLAGS: u8 = 8;

/// The flag of a cubin that has features of one architecture alone; the second one is that of ABI 8.
const ACCELERATORS: u32 = 0x800;
const WIDE_ACCELERATORS: u32 = 0x8;

/// The name of an architecture: `sm_80`, `sm_90a`, `riscv64`, `x86_64`, or `machine-N` for a machine without a name here.
pub(crate) fn of_elf(machine: u16, abi: u8, flags: u32, is_64: bool, is_accelerated: bool) -> String {
    let bits = if is_64 { 64 } else { 32 };
    match machine {
        CUDA => of_sm(if abi < WIDE_FLAGS { flags & 0xff } else { flags >> 8 & 0xff }, is_accelerated),
        RISC_V => format!("riscv{bits}"),
        3 => "x86".to_owned(),
        62 => "x86_64".to_owned(),
        40 => "arm".to_owned(),
        183 => "aarch64".to_owned(),
        other => format!("machine-{other}"),
    }
}

/// The name of an NVIDIA architecture. Code that runs only on this very one has an `a`.
pub(crate) fn of_sm(sm: u32, is_accelerated: bool) -> String {
    format!("sm_{sm}{}", if is_accelerated { "a" } else { "" })
}

/// True if the flags of a cubin mark features of this very architecture.
pub(crate) fn is_accelerated(abi: u8, flags: u32) -> bool {
    flags & if abi < WIDE_FLAGS { ACCELERATORS } else { WIDE_ACCELERATORS } != 0
}
