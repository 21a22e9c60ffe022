//! Lines that wait for labels, and the rounds in which their addresses settle.

use super::Layout;
use crate::assembly::entry::Slot;
use crate::assembly::{Line, OVERHEAD};
use crate::input::bytes_of;
use crate::source::{LineFault, Mark};

/// How often a part of a program is laid out before it is given up that its labels settle.
const ROUNDS: usize = 16;

impl Layout<'_> {
    /// Has a line wait for labels that it does not wait for yet.
    pub(super) fn wait(&mut self, number: usize, unknown: Vec<String>) {
        let Some(Slot::Waiting(entry)) = self.queue.get_mut(number - self.gone) else { return };
        for name in unknown {
            if !entry.waits_for.contains(&name) {
                self.held += name.len() + OVERHEAD;
                self.wanted.entry(name.clone()).or_default().push(number);
                entry.waits_for.push(name);
            }
        }
    }

    /// Assembles the lines that waited for a label.
    pub(super) fn wake(&mut self, label: &str) {
        for number in self.wanted.remove(label).unwrap_or_default() {
            let Some(index) = number.checked_sub(self.gone) else { continue };
            let Some(Slot::Waiting(entry)) = self.queue.get(index) else { continue };
            match entry.assemble(&mut *self.codec, &self.labels) {
                (Some(Line { result: Err(_), .. }), unknown) if !unknown.is_empty() => self.wait(number, unknown),
                (Some(line), _) => self.finish_line(index, line),
                (None, _) => {}
            }
        }
    }

    /// The first line of the queue has waited for too long.
    pub(super) fn give_up(&mut self) {
        let Some(Slot::Waiting(entry)) = self.queue.front() else { return };
        let (line, _) = entry.assemble(&mut *self.codec, &self.labels);
        let Some(mut line) = line else { return };
        if let Err(fault) = &mut line.result {
            fault.message.push_str(", and too many lines refer to labels that are not defined yet");
        }
        for name in entry.waits_for.clone() {
            if let Some(waiting) = self.wanted.get_mut(&name) {
                waiting.retain(|number| *number != self.gone);
            }
        }
        self.finish_line(0, line);
    }

    /// Assembles the lines that wait, all labels of theirs being defined; `is_last`: as well as it can be done.
    pub(super) fn settle(&mut self, is_last: bool) {
        if self.waiting == 0 {
            return;
        }
        let indices: Vec<usize> = (0..self.queue.len()).filter(|index| matches!(self.queue[*index], Slot::Waiting(_))).collect();
        let mut lines = Vec::new();
        let mut is_settled = false;
        // Every instruction that depends on a label can move the labels behind it; a few rounds settle real programs.
        for _ in 0..if self.fixed.is_some() { 1 } else { ROUNDS } {
            if self.fixed.is_none() {
                self.place(&indices);
            }
            lines.clear();
            let mut unknown = Vec::new();
            is_settled = true;
            for &index in &indices {
                let Slot::Waiting(entry) = &mut self.queue[index] else { continue };
                let (line, names) = entry.assemble(&mut *self.codec, &self.labels);
                match &line {
                    Some(Line { result: Ok(statement), .. }) if self.fixed.is_none() => {
                        let needed = self.codec.length(statement.form);
                        is_settled &= entry.size == needed;
                        entry.size = needed;
                    }
                    Some(Line { result: Err(_), .. }) if !names.is_empty() => unknown.push((index + self.gone, names)),
                    _ => {}
                }
                lines.push(line);
            }
            if !is_last && !unknown.is_empty() {
                unknown.into_iter().for_each(|(number, names)| self.wait(number, names));
                if !self.wanted.is_empty() {
                    return;
                }
            }
            if is_settled {
                break;
            }
        }
        let is_settled = is_settled || self.fixed.is_some();
        for (index, line) in indices.into_iter().zip(lines) {
            let Some(mut line) = line else {
                self.finish_slot(index, Slot::Empty);
                continue;
            };
            if !is_settled {
                if let Slot::Waiting(entry) = &self.queue[index] {
                    line.whole.clone_from(&entry.whole);
                }
                let message = "the addresses of the labels do not converge".to_owned();
                line.result = Err(LineFault { at: 0..line.whole.len(), message });
            }
            self.finish_line(index, line);
        }
        self.wanted.clear();
    }

    /// Assembles the lines that still wait: no line follows.
    pub(crate) fn finish(&mut self) {
        self.settle(true);
        if let Some((number, whole, fault)) = self.scanner.unclosed() {
            self.push(Slot::Done(Line { number, whole, address: self.address, result: Err(fault) }));
        }
    }

    /// Gives the lines that wait, and their labels, the addresses that their sizes make.
    fn place(&mut self, waiting: &[usize]) {
        self.address = self.base;
        for &index in waiting {
            let Slot::Waiting(entry) = &mut self.queue[index] else { continue };
            for mark in &entry.marks {
                match mark {
                    Mark::Address(address) => self.address = *address,
                    Mark::Label(name, _) | Mark::Local(name, _) => {
                        if let Some(label) = self.labels.known.get_mut(name).filter(|label| label.line == entry.number) {
                            label.address = self.address;
                        }
                    }
                }
            }
            entry.address = self.address;
            if entry.is_instruction() {
                self.address = self.address.wrapping_add(bytes_of(entry.size));
            }
        }
    }
}
