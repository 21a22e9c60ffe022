//! Devices of a core, and the lines that they drive.

use super::{Registers, support};
use isa_runtime::U256;
use isa_runtime::machine::Routine;
use isa_sim::{Device, Divergence, Engine, Machine, MachineInfo, NotExecutable, Placed, Refused, Sharing, Signal, Step, Stopped};
use std::sync::Mutex;

/// A machine whose instructions do nothing, and whose routine `launch` accesses its device.
struct Quiet {
    machine: MachineInfo,
    /// The lines at each time that interrupts were asked for.
    lines: Mutex<Vec<u64>>,
}

impl Engine for Quiet {
    type State = Registers;
    type Op = ();

    fn machine(&self) -> &MachineInfo {
        &self.machine
    }

    fn prepare(&self, _: U256, _: u32) -> Result<(), NotExecutable> {
        Ok(())
    }

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        word.to_string()
    }

    fn state(&self) -> Registers {
        Registers::new()
    }

    fn has(&self, routine: Routine) -> bool {
        matches!(routine, Routine::Launch | Routine::Interrupts)
    }

    fn routine(&self, routine: Routine, _: &mut Registers, step: &mut Step<'_>) {
        match routine {
            Routine::Launch => step.memory.store(0, 0, 0, 0x100, 1, 1),
            _ => self.lines.lock().expect("one thread").push(step.supplied.lines),
        }
    }

    fn execute(&self, (): &(), _: &mut Registers, _: &mut Step<'_>) {}
}

/// Its line is active when something was written.
struct Bell(bool);

impl Device for Bell {
    fn size(&self) -> u64 {
        1
    }

    fn load(&mut self, _: u64, _: u32, _: u64) -> Result<u64, Refused> {
        Ok(0)
    }

    fn store(&mut self, _: u64, _: u32, _: u64, _: u64) -> Result<(), Refused> {
        self.0 = true;
        Ok(())
    }

    fn signal(&mut self, _: u64) -> Signal {
        Signal { line: self.0, again: None }
    }
}

#[test]
fn a_device_is_asked_after_a_routine() {
    let mut machine = support::machine::<1, 1>(Divergence::LowestPc);
    machine.spaces = vec![support::space("io", Sharing::Grid, None)];
    machine.lines = vec!["bell".into()];
    let quiet = Quiet { machine, lines: Mutex::default() };
    let mut core = Machine::new(&quiet).expect("one lane");
    core.attach(0, 0x100, Box::new(Bell(false)), Some(0), 1).expect("there is room");
    core.load_words(&(0..8).map(|i| Placed { address: 4 * i, word: U256::ZERO, bits: 32 }).collect::<Vec<_>>()).expect("words");
    assert_eq!(core.run(2), Stopped::Budget);
    core.perform(Routine::Launch).expect("the device is there");
    assert_eq!(core.run(2), Stopped::Budget);
    assert_eq!(*quiet.lines.lock().expect("one thread"), [0, 1]);
}
