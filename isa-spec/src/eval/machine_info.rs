//! What a specification says of its machine, as the simulator wants to know it.

use crate::model::{Isa, RegisterFile};
use crate::semantics::machine::{Divergence, Sharing, StateKind};

/// The machine of an instruction set; generated code says the same of itself.
pub fn machine_info(isa: &Isa) -> isa_sim::MachineInfo {
    let machine = &isa.machine;
    let named = |kind| machine.state.iter().filter(move |s| s.kind == kind);
    isa_sim::MachineInfo {
        lanes: machine.lanes,
        pc: machine.pc,
        unit: isa_sim::unit_bytes(isa.words.unit),
        registers: isa.registers.iter().map(|file| registers(isa, file)).collect(),
        flags: machine
            .flags
            .iter()
            .map(|f| isa_sim::FlagsInfo { name: f.name.clone(), count: f.count as usize, flags: f.flags.clone() })
            .collect(),
        launch_values: named(StateKind::Launch).map(|s| isa_sim::LaunchValue { name: s.name.clone(), width: s.width }).collect(),
        values: named(StateKind::Written).map(|s| (s.name.clone(), s.width)).collect(),
        spaces: machine
            .spaces
            .iter()
            .map(|s| isa_sim::SpaceInfo {
                name: s.name.clone(),
                address: s.address,
                banks: s.banks,
                size: s.size,
                read_only: s.read_only,
                owner: match s.owner {
                    Sharing::Lane => isa_sim::Sharing::Lane,
                    Sharing::Block => isa_sim::Sharing::Block,
                    Sharing::Grid => isa_sim::Sharing::Grid,
                },
            })
            .collect(),
        variants: machine
            .variants
            .iter()
            .map(|v| isa_sim::VariantInfo { name: v.name.clone(), values: v.values.clone() })
            .collect(),
        divergence: match machine.divergence {
            Divergence::Stack => isa_sim::Divergence::Stack,
            Divergence::LowestPc => isa_sim::Divergence::LowestPc,
        },
        params: machine.params.as_ref().and_then(|p| {
            let space = machine.spaces.iter().position(|s| s.name == p.space)?;
            Some(isa_sim::ParamsInfo { space, bank: p.bank, at: p.at })
        }),
    }
}

fn registers(isa: &Isa, file: &RegisterFile) -> isa_sim::RegistersInfo {
    let number = |index: Option<u128>| index.and_then(|i| usize::try_from(i).ok());
    isa_sim::RegistersInfo {
        name: file.name.clone(),
        width: file.width,
        count: usize::try_from(file.end()).unwrap_or(usize::MAX),
        zero: number(file.zero),
        one: number(file.one),
        is_view: isa.machine.views.iter().any(|v| v.name == file.name),
    }
}
