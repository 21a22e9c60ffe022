//! The machine of a specification, as tables and simulators have it.

use crate::model::{Isa, RegisterFile};
use crate::semantics::machine::StateKind;
use isa_runtime::machine as info;

/// The machine of an instruction set.
pub fn machine_info(isa: &Isa) -> info::MachineInfo {
    let machine = &isa.machine;
    let named = |kind| machine.state.iter().filter(move |s| s.kind == kind);
    info::MachineInfo {
        lanes: machine.lanes,
        pc: machine.pc,
        unit: info::unit_bytes(isa.words.unit),
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
                size: s.size,
                read_only: s.read_only,
                owner: s.owner,
            })
            .collect(),
        variants: machine.variants.iter().map(|v| info::VariantInfo { name: v.name.clone(), values: v.values.clone() }).collect(),
        divergence: machine.divergence,
        params: machine.params.as_ref().and_then(|p| {
            let space = machine.spaces.iter().position(|s| s.name == p.space)?;
            Some(info::ParamsInfo { space, bank: p.bank, at: p.at })
        }),
    }
}

fn registers(isa: &Isa, file: &RegisterFile) -> info::RegistersInfo {
    let number = |index: Option<u128>| index.and_then(|i| u32::try_from(i).ok()).map(|i| i as usize);
    info::RegistersInfo {
        name: file.name.clone(),
        width: file.width,
        count: u32::try_from(file.end()).unwrap_or(u32::MAX) as usize,
        zero: number(file.zero),
        one: number(file.one),
        is_view: isa.machine.views.iter().any(|v| v.name == file.name),
    }
}
