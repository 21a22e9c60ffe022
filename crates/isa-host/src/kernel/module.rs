//! A module: the sections of a cubin at their places, with relocations applied.

use super::device::{BufferId, Device};
use super::error::CubinError;
use isa_object::{AddressPart, Data, LineTable, Object, Operand, Relocation};

/// The limit of bytes of a section.
const MOST: u64 = 1 << 30;
/// The limit of bytes of a constant bank.
const BANK: u64 = 1 << 16;
/// The address of the first external function that code calls, followed by one every sixteen bytes: nothing can be executed
/// there.
pub(super) const HOST: u64 = 0xffff_ff00_0000;
/// `R_CUDA_32`, `R_CUDA_64`.
const WHOLE: [(u32, usize); 2] = [(0x01, 4), (0x02, 8)];

/// A loaded cubin.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) object: Object<'static>,
    /// The contents of constant banks: the kernel that they belong to, if any, the bank, and the bytes.
    pub(super) banks: Vec<(Option<String>, u32, Vec<u8>)>,
    variables: Vec<(String, Variable)>,
    /// The external functions that code calls.
    pub(super) host: Vec<String>,
}

/// A variable of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The memory that contains it.
    pub place: VariablePlace,
    /// Its offset there in bytes.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
}

/// The memory of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablePlace {
    /// Global memory: the buffer of its section.
    Global(BufferId),
    /// Constant memory: the place among the module's banks.
    Constant(usize),
}

/// The place of a section.
#[derive(Clone, Copy)]
enum At {
    Global(BufferId, u64),
    Bank(usize),
}

impl Module {
    /// Loads a cubin: its sections in global memory become buffers of the device.
    ///
    /// # Errors
    /// If the file is damaged, or has an unknown relocation.
    pub fn load(file: &[u8], device: &mut Device) -> Result<Self, CubinError> {
        let object = Object::parse(file)?.into_owned();
        let data = isa_object::Module::parse(file)?;
        let mut module = Self { object, banks: Vec::new(), variables: Vec::new(), host: Vec::new() };
        let mut places: Vec<(&Data<'_>, At)> = Vec::new();
        for section in &data.sections {
            let most = if section.name.starts_with(".nv.constant") { BANK } else { MOST };
            if section.size > most {
                return Err(CubinError::TooLarge(section.name.to_string(), section.size));
            }
            let mut bytes = section.bytes.to_vec();
            if let Some(bank) = section.name.strip_prefix(".nv.constant") {
                let (bank, kernel) = bank.split_once('.').map_or((bank, None), |(bank, kernel)| (bank, Some(kernel.to_owned())));
                let Ok(bank) = bank.parse() else { continue };
                bytes.resize(section.size as usize, 0);
                module.banks.push((kernel, bank, bytes));
                places.push((section, At::Bank(module.banks.len() - 1)));
            } else if section.name.starts_with(".nv.global") {
                bytes.resize(section.size as usize, 0);
                let buffer = device.add(&section.name, bytes, true);
                places.push((section, At::Global(buffer, device.address(buffer))));
            }
        }
        for symbol in &data.symbols {
            let place = places.iter().find(|place| Some(place.0.index) == symbol.section);
            let Some((_, at)) = place.filter(|_| !symbol.name.starts_with('.')) else { continue };
            let place = match at {
                At::Global(buffer, _) => VariablePlace::Global(*buffer),
                At::Bank(bank) => VariablePlace::Constant(*bank),
            };
            module.variables.push((symbol.name.to_string(), Variable { place, offset: symbol.value, size: symbol.size }));
        }
        let own = |module: &mut Self, relocation: &Relocation<'_>| -> u64 {
            let Some(symbol) = data.symbol(&relocation.symbol) else {
                // The symbol of a section has its name.
                let place = places.iter().find(|place| place.0.name == relocation.symbol);
                return place.map_or(0, |place| if let At::Global(_, address) = place.1 { address } else { 0 });
            };
            match symbol.section {
                None => module.host_function(&symbol.name),
                Some(section) => match places.iter().find(|place| place.0.index == section) {
                    Some((_, At::Global(_, address))) => address.wrapping_add(symbol.value),
                    _ => symbol.value,
                },
            }
        };
        for (section, at) in &places {
            for relocation in &section.relocations {
                let unknown = || CubinError::Relocation(relocation.kind, section.name.to_string(), relocation.offset);
                let (_, size) = *WHOLE.iter().find(|known| known.0 == relocation.kind).ok_or_else(unknown)?;
                let value = own(&mut module, relocation).wrapping_add_signed(relocation.addend);
                let bytes = match at {
                    At::Global(buffer, _) => device.bytes_mut(*buffer),
                    At::Bank(bank) => &mut module.banks[*bank].2,
                };
                let from = usize::try_from(relocation.offset).map_err(|_| unknown())?;
                let place = from.checked_add(size).and_then(|end| bytes.get_mut(from..end)).ok_or_else(unknown)?;
                let before = place.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
                place.copy_from_slice(&value.wrapping_add(before).to_le_bytes()[..size]);
            }
        }
        for section in 0..module.object.sections.len() {
            for relocation in std::mem::take(&mut module.object.sections[section].relocations) {
                let name = module.object.sections[section].name.to_string();
                let unknown = || CubinError::Relocation(relocation.kind, name.clone(), relocation.offset);
                // A relocation without an operand, such as a mark on an instruction, is for the linker.
                let Some(operand) = relocation.operand else { continue };
                let value = own(&mut module, &relocation).wrapping_add_signed(relocation.addend);
                let code = module.object.sections[section].data.to_mut();
                put(code, relocation.offset, operand, value).ok_or_else(unknown)?;
            }
        }
        Ok(module)
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> Vec<String> {
        let functions = self.object.sections.iter().flat_map(|section| &section.functions);
        functions.filter(|f| f.kind == isa_object::FunctionKind::Kernel).map(|f| f.name.to_string()).collect()
    }

    /// The architecture: `sm_80`.
    pub fn arch(&self) -> &str {
        &self.object.arch
    }

    /// A variable.
    pub fn variable(&self, name: &str) -> Option<Variable> {
        self.variables.iter().find(|variable| variable.0 == name).map(|variable| variable.1)
    }

    /// The bytes of a variable.
    pub fn bytes<'m>(&'m self, device: &'m Device, variable: Variable) -> &'m [u8] {
        let of = match variable.place {
            VariablePlace::Global(buffer) => device.bytes(buffer),
            VariablePlace::Constant(bank) => self.banks.get(bank).map_or(&[][..], |bank| &bank.2),
        };
        let from = usize::try_from(variable.offset).unwrap_or(usize::MAX);
        let end = from.saturating_add(usize::try_from(variable.size).unwrap_or(usize::MAX)).min(of.len());
        of.get(from..end).unwrap_or_default()
    }

    /// Writes the first bytes of a variable; returns false if there are more than it has.
    pub fn write(&mut self, device: &mut Device, variable: Variable, bytes: &[u8]) -> bool {
        let of = match variable.place {
            VariablePlace::Global(buffer) => device.bytes_mut(buffer),
            VariablePlace::Constant(bank) => match self.banks.get_mut(bank) {
                Some(bank) => &mut bank.2,
                None => return false,
            },
        };
        let from = usize::try_from(variable.offset).unwrap_or(usize::MAX);
        let place = from.checked_add(bytes.len()).and_then(|end| of.get_mut(from..end));
        if bytes.len() as u64 > variable.size {
            return false;
        }
        place.map(|place| place.copy_from_slice(bytes)).is_some()
    }

    /// The lines of the source.
    pub fn lines(&self) -> LineTable {
        self.object.lines()
    }

    /// The external function at an address.
    pub fn host_function_at(&self, address: u64) -> Option<&str> {
        let at = address.checked_sub(HOST)? / 16;
        self.host.get(usize::try_from(at).ok()?).map(String::as_str)
    }

    /// The address of an external function.
    fn host_function(&mut self, name: &str) -> u64 {
        let at = self.host.iter().position(|known| known == name).unwrap_or_else(|| {
            self.host.push(name.to_owned());
            self.host.len() - 1
        });
        HOST + 16 * at as u64
    }
}

/// Puts an address into the operand of an instruction of sixteen bytes.
fn put(code: &mut [u8], offset: u64, operand: Operand, value: u64) -> Option<()> {
    let from = usize::try_from(offset).ok()?;
    let place = code.get_mut(from..from.checked_add(16)?)?;
    let value = match operand.part {
        AddressPart::Whole | AddressPart::Low => value,
        AddressPart::High => value >> 32,
    };
    let mask = (u128::MAX >> (128 - operand.width.clamp(1, 128))) << operand.low;
    let word = u128::from_le_bytes(place.try_into().ok()?);
    let value = u128::from(value) << operand.low & mask;
    place.copy_from_slice(&(word & !mask | value).to_le_bytes());
    Some(())
}
