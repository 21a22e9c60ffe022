//! The declarations that GDB needs of a specification.

use isa_sim::MachineInfo;
use std::fmt;

/// A reason why GDB refuses a machine: it debugs architectures that it has, and expects their registers in certain features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// There is no `debugger`.
    Debugger,
    /// It has no architecture.
    Architecture,
    /// No feature has the registers of a file.
    Registers,
    /// No feature has the address of the instruction.
    Pc,
}

impl fmt::Display for Undeclared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Debugger => "`machine` has no key `debugger`",
            Self::Architecture => "`debugger` has no `architecture`",
            Self::Registers => "no feature of `debugger` has a register file",
            Self::Pc => "no feature of `debugger` has `pc`",
        })
    }
}

impl std::error::Error for Undeclared {}

/// Checks that the specification of a machine has the names that GDB has for it. Whether GDB has an architecture and features of
/// these names is seen when it connects.
///
/// # Errors
/// When something is missing without which GDB refuses every machine.
pub fn declared(info: &MachineInfo) -> Result<(), Undeclared> {
    let debugger = info.debugger.as_ref().ok_or(Undeclared::Debugger)?;
    let holds = |part: &str| debugger.features.iter().any(|(_, parts)| parts.iter().any(|own| own == part));
    match () {
        () if debugger.architecture.is_empty() => Err(Undeclared::Architecture),
        () if !info.registers.iter().any(|file| holds(&file.name)) => Err(Undeclared::Registers),
        () if !holds("pc") => Err(Undeclared::Pc),
        () => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_runtime::machine::DebuggerInfo;

    #[test]
    fn a_machine_is_declared_to_gdb() {
        let mut info = generated::engine("rv64gc").expect("it has a simulator").machine().clone();
        assert_eq!(declared(&info), Ok(()));
        let feature = |parts: &[&str]| ("own".to_owned(), parts.iter().map(|part| (*part).to_owned()).collect());
        let mut with = |architecture: &str, features: Vec<(String, Vec<String>)>| {
            info.debugger = Some(DebuggerInfo { architecture: architecture.to_owned(), features });
            declared(&info)
        };
        assert_eq!(with("own", vec![feature(&["X"]), feature(&["pc"])]), Ok(()));
        assert_eq!(with("", vec![feature(&["X", "pc"])]), Err(Undeclared::Architecture));
        assert_eq!(with("own", vec![feature(&["pc"])]), Err(Undeclared::Registers));
        assert_eq!(with("own", vec![feature(&["X"])]), Err(Undeclared::Pc));
        info.debugger = None;
        assert_eq!(declared(&info), Err(Undeclared::Debugger));
    }
}
