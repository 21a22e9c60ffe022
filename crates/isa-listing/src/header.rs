//! The parts of a listing besides instructions: files, sections, functions, resources, lines of the source.

use crate::look::Look;
use crate::section::Section;
use crate::{demangled, on_one_line};
use isa_object::{Entry, Function, FunctionKind, LineTable, Object, Resources};
use std::io::Write;

impl Look<'_> {
    /// Appends a line of comment.
    fn comment(&self, text: std::fmt::Arguments<'_>, out: &mut Vec<u8>) {
        if let Some(mark) = self.mark {
            let _ = writeln!(out, "{mark} {text}");
        }
    }

    /// Appends the header of a file; `number` is its number among the files inside a file.
    pub fn file(&self, name: &str, object: &Object<'_>, entry: &Entry<'_>, number: Option<usize>, out: &mut Vec<u8>) {
        let Object { arch, abi, is_relocatable, .. } = object;
        let part = if entry.part.is_empty() { String::new() } else { format!(", {}", on_one_line(&entry.part)) };
        let kind = if *is_relocatable { ", relocatable" } else { "" };
        self.comment(format_args!("{}{part}: {arch}, ABI {abi}{kind}", on_one_line(name)), out);
        if let Some(number) = number.filter(|_| self.format.control) {
            let _ = writeln!(out, ".object {number}");
        }
    }

    /// Appends the header of a section.
    pub(crate) fn section(&self, section: &Section<'_>, out: &mut Vec<u8>) {
        let code = &section.code;
        let name = on_one_line(&code.name);
        out.push(b'\n');
        if self.format.control {
            let _ = writeln!(out, ".section {} {name}", code.index);
        } else {
            self.comment(format_args!("section {name}"), out);
        }
        if let Some(resources) = &code.resources {
            self.resources(resources, out);
        }
    }

    fn resources(&self, resources: &Resources, out: &mut Vec<u8>) {
        said(resources).iter().for_each(|line| self.comment(format_args!("{line}"), out));
    }

    /// Appends the functions and the label before the instruction at an offset.
    pub(crate) fn place(&self, section: &Section<'_>, offset: u64, out: &mut Vec<u8>) {
        let label = section.label(offset);
        let mut is_function = false;
        for function in section.functions_at(offset) {
            if !std::mem::replace(&mut is_function, true) {
                out.push(b'\n');
            }
            self.function(function, label, out);
        }
        if let Some(label) = label {
            let _ = writeln!(out, "{label}:");
        }
    }

    fn function(&self, function: &Function<'_>, label: Option<&str>, out: &mut Vec<u8>) {
        let kind = match function.kind {
            FunctionKind::Kernel => "kernel",
            FunctionKind::Global => "function",
            FunctionKind::Local => "local function",
            FunctionKind::Label => "label",
        };
        let in_source = demangled(&function.name).filter(|_| self.demangle);
        match in_source {
            Some(name) => self.comment(format_args!("{kind} {name}"), out),
            None if label != Some(&*function.name) || function.kind != FunctionKind::Label => {
                self.comment(format_args!("{kind} {}", on_one_line(&function.name)), out);
            }
            None => {}
        }
    }

    /// Appends the line of the source at an offset, if it differs from that of the instruction before.
    pub(crate) fn source(
        &self,
        lines: &LineTable,
        section: &Section<'_>,
        offset: u64,
        last: &mut Option<isa_object::Place>,
        out: &mut Vec<u8>,
    ) {
        if lines.is_empty() {
            return;
        }
        let place = lines.at(section.code.index, offset);
        if let Some(place) = place.filter(|place| *last != Some(*place)) {
            self.comment(format_args!("{}:{}", on_one_line(lines.file(place.file)), place.line), out);
        }
        *last = place;
    }
}

/// The lines with the resources of a kernel.
pub fn said(resources: &Resources) -> Vec<String> {
    let mut all = Vec::new();
    let Resources { registers, barriers, shared, frame, min_stack, .. } = resources;
    let registers = registers.map_or_else(|| "?".to_owned(), |registers| registers.to_string());
    let stack = match min_stack {
        Some(all) if all == frame => format!("{frame}"),
        Some(all) => format!("{frame} (with calls {all})"),
        None => format!("{frame} (with calls unknown)"),
    };
    all.push(format!("registers {registers}, stack {stack}, shared memory {shared}, barriers {barriers}"));
    if let Some([x, y, z]) = resources.required_threads {
        all.push(format!("threads of a block: {x} x {y} x {z}"));
    }
    if let Some([x, y, z]) = resources.max_threads {
        all.push(format!("threads of a block: at most {x} x {y} x {z}"));
    }
    if let Some(most) = resources.max_registers.filter(|most| *most < 255) {
        all.push(format!("registers: at most {most}"));
    }
    for param in &resources.params {
        let at = resources.param_base.saturating_add(param.offset);
        all.push(format!("param_{}: c[0x0][{at:#x}], bytes {}", param.ordinal, param.size));
    }
    all
}
