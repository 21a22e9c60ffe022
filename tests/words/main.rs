//! Words to texts and back: by other tools, by documents, and by all implementations.

mod accesses;
mod documents;
mod expanded;
mod gpus;
mod properties;
mod riscv;
mod shipped;
mod sm80;
mod tables;
mod vectors;
mod vop4;
mod wide;
