//! Rows of the machine, as [`MachineInfo::of`](isa_runtime::machine::MachineInfo::of) reads them.

use super::builder::Builder;
use isa_model::machine_info;
use isa_runtime::engine::tables as t;
use isa_runtime::machine::{Divergence, Sharing};

impl Builder<'_> {
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
                prefix: self.str(&file.prefix),
                suffix: self.str(&file.suffix),
                names: t::Rows { at: self.out.register_names.len() as u32, len: file.names.len() as u32 },
            };
            for name in &file.names {
                let row = t::RegisterName { text: self.str(&name.text), number: name.number, also: name.also.into() };
                self.out.register_names.push(row);
            }
            self.out.files.push(row);
        }
        for flags in &info.flags {
            let row = t::Flags { name: self.str(&flags.name), count: flags.count as u32, flags: self.texts(&flags.flags) };
            self.out.flags.push(row);
        }
        let launch = info.launch_values.iter().map(|value| (&value.name, value.width, t::LAUNCH));
        let written = info.values.iter().map(|(name, width)| (name, *width, t::WRITTEN));
        let lines = info.lines.iter().map(|name| (name, 1, t::LINE));
        for (name, width, kind) in launch.chain(written).chain(lines) {
            let row = t::State { name: self.str(name), width: width as u16, kind };
            self.out.states.push(row);
        }
        for (number, space) in info.spaces.iter().enumerate() {
            for region in &space.regions {
                let row = t::AddressRange {
                    space: number as u8,
                    name: self.str(&region.name),
                    at: region.at,
                    size: region.size.unwrap_or(0),
                    flags: flag(region.read_only, t::READ_ONLY),
                    device: self.str(region.device.as_deref().unwrap_or("")),
                    line: region.line.map_or(0, |line| line as u8 + 1),
                    every: region.every,
                };
                self.out.address_ranges.push(row);
            }
            let row = t::Space {
                name: self.str(&space.name),
                address: space.address as u8,
                banks: space.banks.unwrap_or(0),
                size: space.size.unwrap_or(0),
                flags: flag(space.read_only, t::READ_ONLY)
                    | flag(space.program, t::PROGRAM)
                    | flag(space.unaligned, t::UNALIGNED)
                    | flag(space.big_endian, t::BIG_ENDIAN)
                    | flag(space.coherent, t::COHERENT),
                owner: Sharing::ALL.iter().position(|owner| *owner == space.owner).unwrap_or(0) as u8,
            };
            self.out.spaces.push(row);
        }
        for variant in &info.variants {
            let row = t::Variant { name: self.str(&variant.name), values: self.texts(&variant.values) };
            self.out.variants.push(row);
        }
        if let Some(linux) = &info.linux {
            let row = t::Linux {
                machine: self.str(&linux.machine),
                number: self.str(&linux.number),
                result: self.str(&linux.result),
                stack: self.str(&linux.stack),
                arguments: self.texts(&linux.arguments),
                features: linux.features,
            };
            self.out.linux.push(row);
            for (number, name) in &linux.calls {
                let row = t::Call { number: *number, name: self.str(name) };
                self.out.calls.push(row);
            }
        }
        if let Some(debugger) = &info.debugger {
            let row = t::Debugger { architecture: self.str(&debugger.architecture) };
            self.out.debugger.push(row);
            for (name, files) in &debugger.features {
                let row = t::Feature { name: self.str(name), files: self.texts(files) };
                self.out.features.push(row);
            }
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
