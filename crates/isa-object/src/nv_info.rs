//! `.nv.info`: a cubin's information about its kernels.
//!
//! A list of attributes, each with a format, a code and a value: none, 8 or 16 bits, or a number of bytes.

use crate::bytes::{u16_at, u32_at, u32s};

/// The resources and launch requirements of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// General registers of a thread.
    pub registers: Option<u32>,
    /// Barriers of a block.
    pub barriers: u32,
    /// Bytes of shared memory, without those that a launch adds.
    pub shared: u64,
    /// Bytes of the stack frame.
    pub frame: u32,
    /// Bytes of the stack with those of the functions that it calls; `None` if they are not known, as with recursion.
    pub min_stack: Option<u32>,
    /// Sizes of the constant banks that are the kernel's own: bank and bytes.
    pub constants: Vec<(u32, u64)>,
    /// The byte offset of the parameters in constant bank 0.
    pub param_base: u32,
    /// Bytes of all parameters.
    pub param_size: u32,
    /// The parameters, in the order of the source.
    pub params: Vec<Param>,
    /// The limits of threads of a block, in x, y and z (`__launch_bounds__`).
    pub max_threads: Option<[u32; 3]>,
    /// The threads that a block must have.
    pub required_threads: Option<[u32; 3]>,
    /// The limit of registers for the compiler.
    pub max_registers: Option<u32>,
    /// The offsets of instructions that end a thread.
    pub exits: Vec<u32>,
    /// The targets of indirect branches, by the offsets of the branches.
    pub branches: Vec<BranchTargets>,
    /// The other lists of instructions.
    pub instructions: Vec<InstructionList>,
}

/// A list of instructions for a tool or for the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionList {
    /// The name that cuobjdump prints: `COOP_GROUP_INSTR_OFFSETS`.
    pub name: &'static str,
    /// The offsets of the instructions.
    pub offsets: Vec<u32>,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its place among the parameters, from 0.
    pub ordinal: u32,
    /// Bytes from the beginning of the parameters.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
}

/// The possible targets of an indirect branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchTargets {
    /// The offset of the branch in its section.
    pub offset: u32,
    /// The offsets of the targets.
    pub targets: Vec<u32>,
}

impl Resources {
    /// The parameter at this byte of constant bank 0, and the offset of the byte in it.
    pub fn param_at(&self, address: u32) -> Option<(Param, u32)> {
        let at = address.checked_sub(self.param_base).filter(|_| self.param_base > 0)?;
        // They are in the order of their offsets, too.
        let after = self.params.partition_point(|param| param.offset <= at);
        let param = *self.params.get(after.checked_sub(1)?)?;
        let inside = at - param.offset;
        (inside < param.size).then_some((param, inside))
    }
}

/// The size of a stack that is not known.
const UNKNOWN: u32 = u32::MAX;

const MAX_THREADS: u8 = 0x05;
const PARAM_CBANK: u8 = 0x0a;
const REQUIRED_THREADS: u8 = 0x10;
const FRAME_SIZE: u8 = 0x11;
const MIN_STACK_SIZE: u8 = 0x12;
const KPARAM_INFO: u8 = 0x17;
const CBANK_PARAM_SIZE: u8 = 0x19;
const MAXREG_COUNT: u8 = 0x1b;
const EXIT_OFFSETS: u8 = 0x1c;
const REGCOUNT: u8 = 0x2f;
const INDIRECT_BRANCH_TARGETS: u8 = 0x34;
const NUM_BARRIERS: u8 = 0x4c;

/// In `.nv.compat`.
const ACCELERATOR_TARGET: u8 = 0x09;

/// The attributes that are lists of offsets of instructions.
const INSTRUCTION_LISTS: [(u8, &str); 10] = [
    (0x1d, "S2RCTAID_INSTR_OFFSETS"),
    (0x25, "LD_CACHEMOD_INSTR_OFFSETS"),
    (0x27, "ATOM_SYS_INSTR_OFFSETS"),
    (0x28, "COOP_GROUP_INSTR_OFFSETS"),
    (0x2d, "ATOMF16_EMUL_INSTR_OFFSETS"),
    (0x31, "INT_WARP_WIDE_INSTR_OFFSETS"),
    (0x39, "MBARRIER_INSTR_OFFSETS"),
    (0x3a, "COROUTINE_RESUME_ID_OFFSETS"),
    (0x46, "SYSCALL_OFFSETS"),
    (0x47, "SW_WAR_MEMBAR_SYS_INSTR_OFFSETS"),
];

/// The attributes of a list: code and value. A cut-off attribute ends it.
fn attributes(mut data: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let &[format, code, ..] = data else { return None };
        let (value, after) = match format {
            1..=3 => (data.get(2..4)?, 4),
            4 => {
                let size = usize::from(u16_at(data, 2)?);
                (data.get(4..4 + size)?, 4 + size)
            }
            _ => return None,
        };
        data = &data[after..];
        Some((code, value))
    })
}

/// True if the list `.nv.compat` restricts the code to one architecture.
pub(crate) fn is_accelerated(data: &[u8]) -> bool {
    attributes(data).any(|(code, value)| code == ACCELERATOR_TARGET && value.first() == Some(&1))
}

/// Reads the list of a file: `with` is called with the number of a symbol and a change of its kernel's resources.
pub(crate) fn of_file(data: &[u8], mut with: impl FnMut(u32, &dyn Fn(&mut Resources))) {
    for (code, value) in attributes(data) {
        let (Some(symbol), Some(number)) = (u32_at(value, 0), u32_at(value, 4)) else { continue };
        match code {
            REGCOUNT => with(symbol, &|resources| resources.registers = Some(number)),
            FRAME_SIZE => with(symbol, &|resources| resources.frame = number),
            MIN_STACK_SIZE => with(symbol, &|resources| resources.min_stack = Some(number).filter(|size| *size != UNKNOWN)),
            _ => {}
        }
    }
}

/// Reads the list of a kernel.
pub(crate) fn of_kernel(data: &[u8], resources: &mut Resources) {
    let three = |value: &[u8]| Some([u32_at(value, 0)?, u32_at(value, 4)?, u32_at(value, 8)?]);
    for (code, value) in attributes(data) {
        match code {
            MAX_THREADS => resources.max_threads = three(value),
            REQUIRED_THREADS => resources.required_threads = three(value),
            MAXREG_COUNT => resources.max_registers = u16_at(value, 0).map(u32::from),
            NUM_BARRIERS => resources.barriers = value.first().copied().unwrap_or(0).into(),
            CBANK_PARAM_SIZE => resources.param_size = u16_at(value, 0).unwrap_or(0).into(),
            PARAM_CBANK => resources.param_base = u16_at(value, 4).unwrap_or(0).into(),
            EXIT_OFFSETS => resources.exits.extend(u32s(value)),
            KPARAM_INFO => resources.params.extend(param(value)),
            INDIRECT_BRANCH_TARGETS => branches(value, &mut resources.branches),
            _ => {
                if let Some((_, name)) = INSTRUCTION_LISTS.iter().find(|list| list.0 == code) {
                    resources.instructions.push(InstructionList { name, offsets: u32s(value).collect() });
                }
            }
        }
    }
    resources.params.sort_by_key(|param| (param.offset, param.ordinal));
    resources.branches.sort_by_key(|branch| branch.offset);
}

fn param(value: &[u8]) -> Option<Param> {
    let ordinal = u16_at(value, 4)?.into();
    Some(Param { ordinal, offset: u16_at(value, 6)?.into(), size: u32_at(value, 8)? >> 18 })
}

/// For each branch its offset, a zero, the number of targets, and the targets.
fn branches(mut value: &[u8], all: &mut Vec<BranchTargets>) {
    while let (Some(offset), Some(count)) = (u32_at(value, 0), u32_at(value, 8)) {
        let Some(end) = (count as usize).checked_mul(4).and_then(|size| size.checked_add(12)) else { return };
        let Some(targets) = value.get(12..end) else { return };
        all.push(BranchTargets { offset, targets: u32s(targets).collect() });
        value = &value[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::is_accelerated;

    #[test]
    fn compatibility() {
        // The first attributes of `.nv.compat` of sm_90a and of sm_90, as ptxas 13.5 writes them.
        assert!(is_accelerated(&[2, 9, 1, 0, 2, 0xc, 0, 0, 2, 2, 1, 0]));
        assert!(!is_accelerated(&[2, 9, 0, 0, 2, 0xc, 0, 0, 2, 2, 1, 0]));
    }
}
