//! The common part of the tests' toy machines: registers of 32 bits, and nothing else.

use isa_runtime::word::Units;
use isa_sim::{MachineInfo, RegistersInfo, Sharing, SpaceInfo, State};

/// `R` registers, a row of `L` lanes each.
#[derive(Clone)]
pub(crate) struct Registers<const L: usize, const R: usize>(pub(crate) [[u32; L]; R]);

impl<const L: usize, const R: usize> Registers<L, R> {
    pub(crate) fn new() -> Self {
        Self([[0; L]; R])
    }
}

impl<const L: usize, const R: usize> State for Registers<L, R> {
    fn register(&self, _: usize, index: usize, lane: usize) -> u128 {
        self.0[index][lane].into()
    }
    fn set_register(&mut self, _: usize, index: usize, lane: usize, value: u128) {
        self.0[index][lane] = value as u32;
    }
    fn flags(&self, _: usize, _: usize, _: usize) -> u64 {
        0
    }
    fn set_flags(&mut self, _: usize, _: usize, _: usize, _: u64) {}
    fn value(&self, _: usize, _: usize) -> u128 {
        0
    }
    fn set_value(&mut self, _: usize, _: usize, _: u128) {}
}

/// A machine with these registers, without memory, launch values and parameters.
pub(crate) fn machine<const L: usize, const R: usize>(divergence: isa_sim::Divergence) -> MachineInfo {
    MachineInfo {
        lanes: L as u32,
        pc: 32,
        units: Units { bits: 32, low_first: true, little_endian: true },
        registers: vec![RegistersInfo {
            name: "R".into(),
            width: 32,
            count: R,
            zero: None,
            one: None,
            is_view: false,
            prefix: "r".into(),
            suffix: String::new(),
            names: Vec::new(),
        }],
        flags: Vec::new(),
        launch_values: Vec::new(),
        values: Vec::new(),
        spaces: Vec::new(),
        lines: Vec::new(),
        variants: Vec::new(),
        divergence,
        params: None,
        linux: None,
        debugger: None,
    }
}

/// A memory with addresses of 32 bits.
pub(crate) fn space(name: &str, owner: Sharing, size: Option<u64>) -> SpaceInfo {
    SpaceInfo {
        name: name.into(),
        address: 32,
        banks: None,
        size,
        read_only: false,
        program: false,
        coherent: false,
        regions: Vec::new(),
        unaligned: false,
        big_endian: false,
        owner,
    }
}
