//! Devices as bytes of memory, in spaces of either byte order.

use isa_host::devices::{Console, furnish};
use isa_runtime::U256;
use isa_runtime::word::Units;
use isa_sim::{
    Divergence, Engine, Machine, MachineInfo, NotExecutable, Placed, RegionInfo, RegistersInfo, Sharing, SpaceInfo, State, Step,
    Stopped,
};

/// The number that is loaded or stored, and the lines that the last instruction saw.
#[derive(Clone)]
struct Registers([u64; 2]);

impl State for Registers {
    fn register(&self, _: usize, index: usize, _: usize) -> u128 {
        self.0[index].into()
    }
    fn set_register(&mut self, _: usize, index: usize, _: usize, value: u128) {
        self.0[index] = value as u64;
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

/// A word is an address, the number of bytes from bit 16 up, and bit 31 for a store.
struct Access(MachineInfo);

impl Engine for Access {
    type State = Registers;
    type Op = u32;

    fn machine(&self) -> &MachineInfo {
        &self.0
    }

    fn prepare(&self, word: U256, _: u32) -> Result<u32, NotExecutable> {
        Ok(word.low() as u32)
    }

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        format!("{word:#x}")
    }

    fn state(&self) -> Registers {
        Registers([0; 2])
    }

    fn execute(&self, op: &u32, Registers([number, lines]): &mut Registers, step: &mut Step<'_>) {
        *lines = step.supplied.lines;
        let (address, bytes) = (u64::from(op & 0xffff), op >> 16 & 0xf);
        match op >> 31 {
            0 => *number = step.memory.load(0, 0, 0, address, bytes) as u64,
            _ => step.memory.store(0, 0, 0, address, bytes, (*number).into()),
        }
    }
}

/// The devices: where, how many bytes, and the bytes at the start.
const DEVICES: [(&str, u64, &[u8]); 3] = [
    ("latch", 0x100, &[0; 4]),
    ("clock", 0x200, &[0; 8]),
    ("timer", 0x300, &[255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]),
];

fn machine(big_endian: bool) -> MachineInfo {
    let region = |(line, (device, at, _)): (usize, &(&str, u64, &[u8]))| RegionInfo {
        name: (*device).to_owned(),
        at: *at,
        size: None,
        read_only: false,
        device: Some((*device).to_owned()),
        line: (*device != "clock").then_some(line),
        // Time stands still.
        every: u64::MAX,
    };
    MachineInfo {
        lanes: 1,
        pc: 32,
        units: Units { bits: 32, low_first: true, little_endian: true },
        registers: vec![RegistersInfo {
            name: "R".into(),
            width: 64,
            count: 2,
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
        spaces: vec![SpaceInfo {
            name: "memory".into(),
            address: 16,
            banks: None,
            size: None,
            read_only: false,
            program: false,
            coherent: false,
            regions: DEVICES.iter().enumerate().map(region).collect(),
            unaligned: true,
            big_endian,
            owner: Sharing::Grid,
        }],
        lines: DEVICES.map(|device| device.0.to_owned()).to_vec(),
        variants: Vec::new(),
        divergence: Divergence::LowestPc,
        params: None,
        linux: None,
        debugger: None,
    }
}

/// Executes one access; the number that it loads.
fn access(machine: &mut Machine<'_>, address: u64, bytes: u64, store: Option<u64>) -> (Stopped, u64) {
    let word = address | bytes << 16 | u64::from(store.is_some()) << 31;
    machine.load_words(&[Placed { address: 0, word: U256::from(word), bits: 32 }]).expect("a word");
    machine.set_pc(0);
    machine.set("r0", store.unwrap_or(0).into()).expect("a register");
    (machine.run(1), machine.get("r0").expect("a register") as u64)
}

#[test]
fn devices_are_bytes_of_their_space() {
    for big_endian in [false, true] {
        let engine = Access(machine(big_endian));
        let mut machine = Machine::new(&engine).expect("one lane");
        let regions = engine.0.spaces[0].regions.clone();
        furnish(&mut machine, &[(0, &regions)], &Console::with_input(Vec::new(), b"".as_slice())).expect("devices");
        let mut model: Vec<Vec<u8>> = DEVICES.iter().map(|device| device.2.to_vec()).collect();
        let number = |bytes: &[u8]| {
            let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
            if big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
        };
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(0x2545_f491);
            random >> 24 ^ random << 40
        };
        for _ in 0..2000 {
            let device = next() as usize % DEVICES.len();
            let (kind, at, _) = DEVICES[device];
            let size = model[device].len() as u64;
            let bytes = [1, 2, 4, 8][next() as usize % 4];
            let Some(offset) = (size + 1).checked_sub(bytes).filter(|room| *room > 0).map(|room| next() % room) else { continue };
            let place = offset as usize..(offset + bytes) as usize;
            let ones = u64::MAX >> (64 - 8 * bytes);
            let what = format!("{bytes} bytes at {offset} of {kind}, big-endian: {big_endian}");
            if next() % 2 == 0 {
                // Small numbers too: lines depend on them.
                let value = next() & ones & if next() % 2 == 0 { 3 } else { u64::MAX };
                let (stopped, _) = access(&mut machine, at + offset, bytes, Some(value));
                if kind == "timer" && offset < 8 && offset + bytes > 8 {
                    assert!(matches!(stopped, Stopped::Fault(_)), "{what}: {stopped}");
                    continue;
                }
                assert_eq!(stopped, Stopped::Budget, "{what}");
                let mut stored = value.to_le_bytes()[..bytes as usize].to_vec();
                if big_endian {
                    stored.reverse();
                }
                model[device][place].copy_from_slice(&stored);
            } else {
                assert_eq!(
                    access(&mut machine, at + offset, bytes, None),
                    (Stopped::Budget, number(&model[device][place])),
                    "{what}"
                );
            }
            // The next instruction sees the lines.
            access(&mut machine, 0x100, 1, None);
            let lines = number(&model[0]) & 1 | u64::from(number(&model[2][8..]) >= number(&model[2][..8])) << 2;
            assert_eq!(machine.get("r1"), Ok(lines.into()), "{what}");
        }
    }
}
