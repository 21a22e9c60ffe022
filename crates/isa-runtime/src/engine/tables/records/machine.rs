//! Object files, and the machine that programs run on.

use super::{Rows, Str};
use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// An architecture of the object files that hold code of the instruction set.
    Object {
        /// The machine's number in ELF.
        machine: u16,
        /// The architecture: `sm_80`.
        architecture: Str,
        /// The name of the register file whose registers per kernel are recorded in such files; empty if none is.
        registers: Str,
    }

    /// The machine that programs run on.
    Machine {
        /// Lanes of a warp.
        lanes: u8,
        /// Bits of an address of code.
        pc: u8,
        /// Divergence and reconvergence of lanes: 0 by a stack of masks, 1 by the lowest address, 2 in turns.
        divergence: u8,
        /// 1 if a launch puts parameters of a kernel into a memory space.
        has_params: u8,
        /// The memory space of these parameters.
        params: u32,
        /// Their bank, if the space has banks.
        bank: u32,
        /// The address of the first, in bytes.
        at: u64,
    }

    /// Registers of the machine.
    File {
        /// The name of the register file.
        name: Str,
        /// Bits of a register.
        width: u32,
        /// The number of registers; 4294967295 for this many and more.
        count: u32,
        /// The register that reads as zero, if there is one.
        zero: u32,
        /// The register that reads as all ones, if there is one.
        one: u32,
        /// [`HAS_ZERO`], [`HAS_ONE`], [`VIEW`].
        flags: u8,
        /// The text before the number of a register that has no name of its own.
        prefix: Str,
        /// The text after it.
        suffix: Str,
        /// Registers with names of their own, in [`Common::register_names`].
        names: Rows,
    }

    /// A register with a name of its own.
    RegisterName {
        /// The name.
        text: Str,
        /// The number of the register.
        number: u32,
        /// 1 if it is only read, 0 if it is also printed.
        also: u8,
    }

    /// Registers of flags.
    Flags {
        /// Their name.
        name: Str,
        /// The number of registers.
        count: u32,
        /// The flags of each, in [`Common::machine_texts`]; the first is bit 0.
        flags: Rows,
    }

    /// A named value of a lane.
    State {
        /// Its name.
        name: Str,
        /// Its bits.
        width: u16,
        /// [`LAUNCH`], [`WRITTEN`] or [`LINE`].
        kind: u8,
    }

    /// A memory space.
    Space {
        /// Its name.
        name: Str,
        /// Bits of an address; addresses count bytes.
        address: u8,
        /// The number of banks; 0 for a space without banks.
        banks: u32,
        /// Its size in bytes (of each bank); 0 if the launch sets it.
        size: u64,
        /// [`READ_ONLY`], [`PROGRAM`], [`UNALIGNED`], [`BIG_ENDIAN`], [`COHERENT`].
        flags: u8,
        /// The owner of an instance: 0 a lane, 1 a block, 2 the grid.
        owner: u8,
    }

    /// A range of addresses of a memory space, with its contents.
    AddressRange {
        /// The space.
        space: u8,
        /// Its name.
        name: Str,
        /// The first address.
        at: u64,
        /// Bytes; 0 for as many as its device has.
        size: u64,
        /// [`READ_ONLY`] if instructions can't write it.
        flags: u8,
        /// The kind of the device at these addresses; empty for memory.
        device: Str,
        /// 1 and the line that the device drives, among the rows of states that are lines; 0 if it drives none.
        line: u8,
        /// The number of instructions per tick of the device.
        every: u64,
    }

    /// A choice among the machines of one instruction set.
    Variant {
        /// Its name.
        name: Str,
        /// The values, in [`Common::machine_texts`]; the first is the default.
        values: Rows,
    }

    /// The convention of Linux system calls. Registers are named.
    Linux {
        /// The name of the machine, as `uname` prints it.
        machine: Str,
        /// The register that holds the number of a call.
        number: Str,
        /// The register that takes the result.
        result: Str,
        /// The stack pointer.
        stack: Str,
        /// The registers of the arguments, in [`Common::machine_texts`].
        arguments: Rows,
        /// The features of the machine, as in the auxiliary vector (`AT_HWCAP`).
        features: u64,
    }

    /// A Linux system call.
    Call {
        /// Its number.
        number: u32,
        /// Its name.
        name: Str,
    }

    /// The architecture by its name in GDB.
    Debugger {
        /// The architecture.
        architecture: Str,
    }

    /// Registers that GDB shows together.
    Feature {
        /// Their name in GDB.
        name: Str,
        /// The register files, and `pc`, in [`Common::machine_texts`].
        files: Rows,
    }
}
