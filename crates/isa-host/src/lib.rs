//! Hosts of programs: loaders, Linux, test harnesses, debuggers.
//!
//! - [`load`] loads an executable into a machine without a host;
//! - [`linux`] emulates Linux for an executable: [`linux::start`] maps it, makes its stack, and answers its system calls;
//! - [`tohost`] answers programs that end, and print, by stores to the symbol `tohost`;
//! - [`kernel`] launches kernels of cubins; [`launch`] reads files that start programs;
//! - [`devices`] has the memory-mapped devices of a computer: a serial port, a timer;
//! - [`gdb`] lets a debugger inspect and control a machine.
//!
//! ```
//! # use isa_sim::{AnyEngine, Machine, Stopped};
//! use isa_host::linux::{self, Options};
//!
//! fn run(engine: &dyn AnyEngine, file: &[u8]) -> Result<Stopped, Box<dyn std::error::Error>> {
//!     let executable = isa_object::Executable::parse(file)?;
//!     let mut machine = Machine::new(engine)?;
//!     linux::start(&mut machine, &executable, Options { arguments: vec![b"program".to_vec()], ..Options::default() })?;
//!     Ok(machine.run(u64::MAX))
//! }
//! ```

pub mod devices;
pub mod gdb;
pub mod kernel;
pub mod launch;
pub mod linux;
mod load;
pub mod tohost;

pub use load::{LoadError, load};
