//! The behaviour of instructions: on both engines, against models written in Rust, in programs.

mod approximations;
mod arithmetic;
mod cores;
mod engines;
mod events;
mod floats;
mod formats;
mod linux;
mod lists;
mod machines;
mod mos6502;
mod programs;
mod riscv;
mod rules;
mod writes;
