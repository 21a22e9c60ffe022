//! Kernels of cubins: modules as a driver loads them, buffers that outlast launches, and arguments according to the file's
//! records.
//!
//! A launch [`File`] names all of it, and what memory must hold afterwards; [`File::run`] runs it.
//!
//! The machine must have the spaces `global`, `shared`, `local` and `const`, the last with banks, and declare by `params` the
//! space of parameters.
//!
//! ```
//! # use isa_sim::AnyEngine;
//! use isa_host::kernel::{Argument, Device, Grid, Kernel, Module};
//!
//! fn add_one(engine: &dyn AnyEngine, file: &[u8], numbers: &[u32]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
//!     let mut device = Device::default();
//!     let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
//!     let numbers = device.buffer("numbers", bytes);
//!     let module = Module::load(file, &mut device)?;
//!     let kernel = Kernel::from_cubin(&module, "add_one")?;
//!     kernel.launch(engine, &mut device, Grid { grid: [1; 3], block: [32, 1, 1], ..Grid::default() }, &[Argument::Buffer(numbers, 0)])?;
//!     Ok(device.bytes(numbers).to_vec())
//! }
//! ```

mod compare;
mod device;
mod error;
mod file;
mod format;
mod functions;
mod launch;
mod module;
mod run;
mod values;

pub use compare::Difference;
pub use device::{BufferId, Device};
pub use error::{Arguments, CubinError};
pub use file::{Expected, File, Given, Launch, Named, Of, is_of_cubins};
pub use functions::Output;
pub use launch::{Argument, Grid, Kernel};
pub use module::{Module, Variable, VariablePlace};
pub use run::{Compared, Ended, KernelFault, Launcher, Options, Outcome};
pub use values::Type;
