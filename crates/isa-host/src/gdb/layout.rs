//! Registers as GDB sees them: numbered from 0, in the order of a description derived from the specification.

use isa_sim::{MachineInfo, Register, State};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A register of the description.
#[derive(Debug)]
pub(super) struct Slot {
    /// `None` for the address of the next instruction.
    pub(super) register: Option<Register>,
    /// Its bytes.
    pub(super) bytes: usize,
}

/// The registers, and their description.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) slots: Vec<Slot>,
    /// `target.xml`
    pub(super) xml: String,
    is_big_endian: bool,
}

/// The number of registers above which no more are shown.
const MOST: usize = 1024;

impl Layout {
    /// The registers of a machine, of the instruction set of this name.
    pub(super) fn new(info: &MachineInfo, isa: &str) -> Self {
        let mut writer = Writer { info, slots: Vec::new(), names: BTreeSet::new(), done: BTreeSet::new() };
        let (architecture, features) = match &info.debugger {
            Some(debugger) => (debugger.architecture.as_str(), debugger.features.clone()),
            None => {
                let files = info.registers.iter().filter(|file| !file.is_view).map(|file| file.name.clone());
                ("", vec![(format!("isagen.{isa}"), files.chain(["pc".to_owned()]).collect())])
            }
        };
        let mut xml =
            String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n");
        if !architecture.is_empty() {
            let _ = writeln!(xml, "  <architecture>{}</architecture>", escape(architecture));
        }
        for (name, parts) in &features {
            let mut feature = Feature { pointers: !architecture.is_empty(), floats: holds_floats(name), text: String::new() };
            parts.iter().for_each(|part| writer.part(part, &mut feature));
            feature.write(name, &mut xml);
        }
        let mut rest = Feature { pointers: !architecture.is_empty(), floats: false, text: String::new() };
        writer.rest().iter().for_each(|part| writer.part(part, &mut rest));
        rest.write("isagen.state", &mut xml);
        xml.push_str("</target>\n");
        let is_big_endian = info.program_space().and_then(|space| info.spaces.get(space)).is_some_and(|space| space.big_endian);
        Self { slots: writer.slots, xml, is_big_endian }
    }

    /// Bytes of all registers.
    pub(super) fn bytes(&self) -> usize {
        self.slots.iter().map(|slot| slot.bytes).sum()
    }

    /// The bytes of a register, in the order of the machine.
    pub(super) fn read(&self, slot: &Slot, state: &dyn State, pc: u64) -> Vec<u8> {
        let value = slot.register.map_or(pc.into(), |register| register.get(state));
        let mut bytes = value.to_le_bytes()[..slot.bytes].to_vec();
        if self.is_big_endian {
            bytes.reverse();
        }
        bytes
    }

    /// The number in some bytes.
    pub(super) fn value(&self, bytes: &[u8]) -> u128 {
        let add = |value: u128, byte: &u8| value << 8 | u128::from(*byte);
        if self.is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// Returns true for a feature of floating-point registers. The standard features of GDB that have them end in `fpu`, `fpr` or
/// `vfp`, whatever the architecture.
fn holds_floats(feature: &str) -> bool {
    feature.rsplit('.').next().is_some_and(|last| matches!(last, "fpu" | "fpr" | "vfp"))
}

/// A feature of the description that is being written.
struct Feature {
    /// Addresses have the types of pointers, whose size GDB takes from the architecture.
    pointers: bool,
    floats: bool,
    text: String,
}

impl Feature {
    fn write(self, name: &str, xml: &mut String) {
        if !self.text.is_empty() {
            let _ = write!(xml, "  <feature name=\"{}\">\n{}  </feature>\n", escape(name), self.text);
        }
    }
}

struct Writer<'m> {
    info: &'m MachineInfo,
    slots: Vec<Slot>,
    names: BTreeSet<String>,
    /// The register files, flags and values already written.
    done: BTreeSet<String>,
}

impl Writer<'_> {
    /// The parts that are in no feature: flags, values, `pc`.
    fn rest(&self) -> Vec<String> {
        let flags = self.info.flags.iter().map(|flags| &flags.name);
        let values = self.info.values.iter().map(|value| &value.0);
        let all = flags.chain(values).cloned().chain(["pc".to_owned()]);
        all.filter(|name| !self.done.contains(name)).collect()
    }

    /// Writes a register file, registers of flags, a value, or `pc`.
    fn part(&mut self, part: &str, to: &mut Feature) {
        if !self.done.insert(part.to_owned()) {
            return;
        }
        let info = self.info;
        if let Some(f) = info.registers.iter().position(|file| file.name == part) {
            let file = &info.registers[f];
            let stack = info.linux.as_ref().and_then(|linux| info.register(&linux.stack));
            for number in 0..file.count.min(MOST) {
                let bytes = bytes_of(file.width);
                let kind = match bytes {
                    _ if to.pointers && stack == Some((f, number)) => "data_ptr",
                    4 if to.floats => "ieee_single",
                    8 if to.floats => "ieee_double",
                    _ => integer(bytes),
                };
                self.slot(&file.name_of(number), Some(Register::Number(f, number)), bytes, kind, to);
            }
        } else if let Some(i) = info.flags.iter().position(|flags| flags.name == part) {
            let flags = &info.flags[i];
            let bytes = bytes_of(flags.flags.len() as u32);
            let _ = writeln!(to.text, "    <flags id=\"{part}_flags\" size=\"{bytes}\">");
            for (bit, flag) in flags.flags.iter().enumerate() {
                let _ = writeln!(to.text, "      <field name=\"{}\" start=\"{bit}\" end=\"{bit}\"/>", escape(flag));
            }
            to.text.push_str("    </flags>\n");
            for number in 0..flags.count.min(MOST) {
                let name = if flags.count == 1 { part.to_owned() } else { format!("{part}{number}") };
                self.slot(&name, Some(Register::Flags(i, number)), bytes, &format!("{part}_flags"), to);
            }
        } else if let Some(i) = info.values.iter().position(|value| value.0 == part) {
            let bytes = bytes_of(info.values[i].1);
            self.slot(part, Some(Register::Value(i)), bytes, integer(bytes), to);
        } else if part == "pc" {
            let bytes = bytes_of(info.pc);
            self.slot(part, None, bytes, if to.pointers { "code_ptr" } else { integer(bytes) }, to);
        }
    }

    fn slot(&mut self, name: &str, register: Option<Register>, bytes: usize, kind: &str, to: &mut Feature) {
        // The address of the next instruction is always shown.
        if self.slots.len() >= MOST && register.is_some() {
            return;
        }
        let mut name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')).collect();
        if name == "pc" && register.is_some() {
            // Every description has the address of the next instruction under this name.
            name.push('_');
        }
        while name.is_empty() || !self.names.insert(name.clone()) {
            name.push('_');
        }
        let _ = writeln!(to.text, "    <reg name=\"{name}\" bitsize=\"{}\" type=\"{kind}\"/>", bytes * 8);
        self.slots.push(Slot { register, bytes });
    }
}

/// Bytes of a register of `bits` bits: GDB has integers of 1, 2, 4, 8 and 16.
fn bytes_of(bits: u32) -> usize {
    (bits.clamp(1, 128).div_ceil(8) as usize).next_power_of_two()
}

fn integer(bytes: usize) -> &'static str {
    match bytes {
        1 => "uint8",
        2 => "uint16",
        4 | 8 => "int",
        _ => "uint128",
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_sim::FlagsInfo;

    /// A test machine: registers of 24 bits with odd names, views, flags, a value.
    fn info() -> MachineInfo {
        let mut info = generated::engine("rv64gc").expect("it has a simulator").machine().clone();
        info.registers.truncate(1);
        let file = &mut info.registers[0];
        (file.name, file.width, file.count, file.zero) = ("R".to_owned(), 24, 3, None);
        (file.prefix, file.suffix) = ("%r<".to_owned(), ">".to_owned());
        file.names.truncate(1);
        (file.names[0].text, file.names[0].number) = ("$pc".to_owned(), 1);
        let mut view = file.clone();
        (view.name, view.is_view) = ("V".to_owned(), true);
        info.registers.push(view);
        info.flags = vec![FlagsInfo { name: "C".to_owned(), count: 2, flags: vec!["z".to_owned(), "n".to_owned()] }];
        info.values = vec![("mode".to_owned(), 70)];
        (info.pc, info.linux, info.debugger) = (16, None, None);
        info
    }

    #[test]
    fn without_a_debugger_all_is_described() {
        let layout = Layout::new(&info(), "own<1>");
        let expected = r#"<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0">
  <feature name="isagen.own&lt;1&gt;">
    <reg name="r0" bitsize="32" type="int"/>
    <reg name="pc_" bitsize="32" type="int"/>
    <reg name="r2" bitsize="32" type="int"/>
    <reg name="pc" bitsize="16" type="uint16"/>
  </feature>
  <feature name="isagen.state">
    <flags id="C_flags" size="1">
      <field name="z" start="0" end="0"/>
      <field name="n" start="1" end="1"/>
    </flags>
    <reg name="C0" bitsize="8" type="C_flags"/>
    <reg name="C1" bitsize="8" type="C_flags"/>
    <reg name="mode" bitsize="128" type="uint128"/>
  </feature>
</target>
"#;
        assert_eq!(layout.xml, expected);
        assert_eq!(layout.bytes(), 4 + 4 + 4 + 2 + 1 + 1 + 16);
    }

    #[test]
    fn bytes_are_in_the_order_of_the_machine() {
        let mut info = info();
        let little = Layout::new(&info, "own");
        info.spaces[0].big_endian = true;
        let big = Layout::new(&info, "own");
        assert_eq!((little.value(&[1, 2, 3]), big.value(&[1, 2, 3])), (0x030201, 0x010203));
    }
}
