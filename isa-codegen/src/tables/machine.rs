//! Rows of the machine, as [`MachineInfo::of`](isa_runtime::machine::MachineInfo::of) reads them.

use super::builder::Builder;
use isa_runtime::engine::Bits;
use isa_runtime::engine::tables as t;
use isa_runtime::machine::{Divergence, Sharing};
use isa_spec::machine_info;

impl<W: Bits> Builder<'_, W> {
    pub(super) fn machine(&mut self) {
        let info = machine_info(self.isa);
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        for file in &info.registers {
            let row = t::File {
                name: self.str(&file.name),
                width: file.width,
                count: file.count as u32,
                zero: file.zero.unwrap_or(0) as u32,
                one: file.one.unwrap_or(0) as u32,
                flags: flag(file.zero.is_some(), t::HAS_ZERO)
                    | flag(file.one.is_some(), t::HAS_ONE)
                    | flag(file.is_view, t::VIEW),
            };
            self.out.files.push(row);
        }
        for flags in &info.flags {
            let row = t::Flags { name: self.str(&flags.name), count: flags.count as u32, flags: self.texts(&flags.flags) };
            self.out.flags.push(row);
        }
        let launch = info.launch_values.iter().map(|value| (&value.name, value.width, t::LAUNCH));
        for (name, width, kind) in launch.chain(info.values.iter().map(|(name, width)| (name, *width, t::WRITTEN))) {
            let row = t::State { name: self.str(name), width: width as u16, kind };
            self.out.states.push(row);
        }
        for space in &info.spaces {
            let row = t::Space {
                name: self.str(&space.name),
                address: space.address as u8,
                banks: space.banks.unwrap_or(0),
                size: space.size.unwrap_or(0),
                read_only: space.read_only.into(),
                owner: Sharing::ALL.iter().position(|owner| *owner == space.owner).unwrap_or(0) as u8,
            };
            self.out.spaces.push(row);
        }
        for variant in &info.variants {
            let row = t::Variant { name: self.str(&variant.name), values: self.texts(&variant.values) };
            self.out.variants.push(row);
        }
        let params = info.params.as_ref();
        self.out.machine.push(t::Machine {
            lanes: info.lanes as u8,
            pc: info.pc as u8,
            divergence: Divergence::ALL.iter().position(|way| *way == info.divergence).unwrap_or(0) as u8,
            has_params: params.is_some().into(),
            params: params.map_or(0, |params| params.space as u32),
            bank: params.map_or(0, |params| params.bank),
            at: params.map_or(0, |params| params.at),
        });
    }

    fn texts(&mut self, texts: &[String]) -> t::Rows {
        let rows = t::Rows { at: self.out.machine_texts.len() as u32, len: texts.len() as u32 };
        for text in texts {
            let text = self.str(text);
            self.out.machine_texts.push(text);
        }
        rows
    }
}
