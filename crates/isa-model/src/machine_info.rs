//! The machine of a specification, as tables and simulators have it.

use crate::model::{Isa, Raw, RegisterFile};
use crate::semantics::machine::{Linux, StateKind};
use crate::span::Text;
use isa_runtime::machine as info;

/// The machine of an instruction set.
pub fn machine_info(isa: &Isa) -> info::MachineInfo {
    let machine = &isa.machine;
    let named = |kind| machine.state.iter().filter(move |s| s.kind == kind);
    info::MachineInfo {
        lanes: machine.lanes,
        pc: machine.pc,
        units: isa.words.units(),
        registers: isa.registers.iter().map(|file| registers(isa, file)).collect(),
        flags: machine
            .flags
            .iter()
            .map(|f| info::FlagsInfo { name: f.name.clone(), count: f.count as usize, flags: f.flags.clone() })
            .collect(),
        launch_values: named(StateKind::Launch).map(|s| info::LaunchValue { name: s.name.clone(), width: s.width }).collect(),
        values: named(StateKind::Written).map(|s| (s.name.clone(), s.width)).collect(),
        spaces: machine
            .spaces
            .iter()
            .map(|s| info::SpaceInfo {
                name: s.name.clone(),
                address: s.address,
                banks: s.banks,
                // A space that shows others is no memory: it gets the least one.
                size: if s.elsewhere.is_some() { Some(1) } else { s.size },
                read_only: s.read_only,
                program: s.program,
                coherent: s.coherent,
                unaligned: s.unaligned,
                big_endian: s.big_endian,
                owner: s.owner,
                regions: s
                    .regions
                    .iter()
                    .map(|region| region.info(machine.lines.iter().map(|line| line.name.as_str())))
                    .collect(),
            })
            .collect(),
        lines: machine.lines.iter().map(|line| line.name.clone()).collect(),
        variants: machine.variants.iter().map(|v| info::VariantInfo { name: v.name.clone(), values: v.values.clone() }).collect(),
        divergence: machine.divergence,
        params: machine.params.as_ref().and_then(|p| {
            let space = machine.spaces.iter().position(|s| s.name == p.space)?;
            Some(info::ParamsInfo { space, bank: p.bank, at: p.at })
        }),
        linux: machine.linux.as_ref().map(linux),
        debugger: machine.debugger.as_ref().map(|debugger| info::DebuggerInfo {
            architecture: debugger.architecture.as_ref().map_or_else(String::new, |name| name.value.clone()),
            features: debugger.features.iter().map(|(name, files)| (name.value.clone(), values(files))).collect(),
        }),
    }
}

fn linux(linux: &Linux) -> info::LinuxInfo {
    info::LinuxInfo {
        machine: linux.machine.value.clone(),
        number: linux.number.value.clone(),
        arguments: values(&linux.arguments),
        result: linux.result.value.clone(),
        stack: linux.stack.value.clone(),
        features: linux.features,
        calls: linux.calls.iter().map(|(number, name)| (*number, name.value.clone())).collect(),
    }
}

fn values(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| text.value.clone()).collect()
}

fn registers(isa: &Isa, file: &RegisterFile) -> info::RegistersInfo {
    let number = |index: Option<u128>| index.and_then(|i| u32::try_from(i).ok()).map(|i| i as usize);
    let is_numbered = file.halves.is_none() && file.names.is_none();
    let named = |((index, text), also): (&(Raw, String), bool)| {
        Some(info::RegisterName { text: text.clone(), number: u32::try_from(*index).ok()?, also })
    };
    info::RegistersInfo {
        name: file.name.clone(),
        width: file.width,
        count: u32::try_from(file.end()).unwrap_or(u32::MAX) as usize,
        zero: number(file.zero),
        one: number(file.one),
        is_view: file.part_of.is_some() || isa.machine.views.iter().any(|v| v.name == file.name),
        // Halves and names that programs give are no names of registers.
        prefix: if is_numbered { file.prefix.clone() } else { String::new() },
        suffix: if is_numbered { file.suffix.clone() } else { String::new() },
        names: file
            .special
            .iter()
            .map(|name| (name, false))
            .chain(file.also.iter().map(|name| (name, true)))
            .filter_map(named)
            .collect(),
    }
}
