//! What programs meet outside of their machine: ELF files, Linux, test harnesses, debuggers.

pub mod gdb;
