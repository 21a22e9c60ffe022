//! Tables that are being made, and the forms in the order in which their texts are tried.

use super::shown::{Shown, Texts};
use isa_model::diag::Diagnostic;
use isa_model::model::{Form, Isa, Prefer, Word};
use isa_model::sets::{Cube, Solver, TooLarge, WordSet};
use isa_runtime::engine::tables as t;
use isa_runtime::engine::{Owned, Str};
use isa_runtime::value::Spelling;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The greatest number of index bits of a truth table.
pub(super) const TRUTH_BITS: u32 = 9;

/// The forms in the order in which their texts are tried.
pub(super) fn reading_order(isa: &Isa) -> Vec<&Form> {
    let mut forms: Vec<&Form> = isa.forms.iter().collect();
    if isa.prefer == Prefer::Shortest {
        forms.sort_by_key(|form| form.length);
    }
    forms
}

/// Tables that are being built: equal rows are stored once.
pub(super) struct Builder<'a> {
    pub(super) isa: &'a Isa,
    pub(super) out: Owned,
    pub(super) strings: FxHashMap<String, Str>,
    pub(super) numbered: Interned<Str>,
    pub(super) fields: Interned<t::Field>,
    pub(super) ranges: FxHashMap<Vec<t::Range>, t::Rows>,
    pub(super) lists: FxHashMap<Vec<u16>, t::Rows>,
    pub(super) codes: Interned<t::Code>,
    pub(super) code_steps: FxHashMap<Vec<t::CodeStep>, t::Rows>,
    pub(super) mapped: FxHashMap<Vec<t::Mapped>, t::Rows>,
    pub(super) spellings: FxHashMap<Arc<Spelling>, u32>,
    pub(super) names: FxHashMap<Vec<t::Named>, t::Rows>,
    pub(super) nodes: Interned<t::Node>,
    pub(super) truth: FxHashMap<Vec<u64>, u32>,
    pub(super) entries: FxHashMap<Vec<t::Entry>, u32>,
    pub(super) texts: Texts,
    /// The first of the entries of some pieces.
    pub(super) tables: FxHashMap<Vec<Shown>, u32>,
    pub(super) ops: FxHashMap<Vec<t::Op>, t::Rows>,
    pub(super) tests: Interned<t::Test>,
    pub(super) cubes: Interned<t::Cube<Word>>,
    pub(super) exclusions: FxHashMap<Vec<t::Exclusion>, t::Rows>,
    pub(super) rules: FxHashMap<Vec<t::Rule>, t::Rows>,
    pub(super) fixed: FxHashMap<Vec<t::Fixed>, t::Rows>,
    pub(super) accesses: FxHashMap<Vec<t::Access>, t::Rows>,
    pub(super) control: FxHashMap<Vec<t::ControlItem>, t::Rows>,
}

/// Rows by their contents.
pub(super) type Interned<T> = FxHashMap<T, u32>;

/// The number of a row, which is added if it is new.
pub(super) fn intern<T: Copy + Eq + Hash>(known: &mut Interned<T>, table: &mut Vec<T>, row: T) -> u32 {
    *known.entry(row).or_insert_with(|| {
        table.push(row);
        table.len() as u32 - 1
    })
}

/// The place of consecutive rows, which are added if they are new.
pub(super) fn intern_rows<T: Copy + Eq + Hash>(
    known: &mut FxHashMap<Vec<T>, t::Rows>,
    table: &mut Vec<T>,
    rows: Vec<T>,
) -> t::Rows {
    if rows.is_empty() {
        return t::Rows::default();
    }
    if let Some(at) = known.get(&rows) {
        return *at;
    }
    let at = t::Rows { at: table.len() as u32, len: rows.len() as u32 };
    table.extend(&rows);
    known.insert(rows, at);
    at
}

/// The first of consecutive rows, which are added if they are new.
pub(super) fn intern_block<T: Copy + Eq + Hash>(known: &mut FxHashMap<Vec<T>, u32>, table: &mut Vec<T>, rows: Vec<T>) -> u32 {
    if let Some(at) = known.get(&rows) {
        return *at;
    }
    let at = table.len() as u32;
    table.extend(&rows);
    known.insert(rows, at);
    at
}

/// The number of something that tables have at most 65,535 of.
pub(super) fn short(count: usize, what: &str, isa: &Isa) -> Result<u16, Box<Diagnostic>> {
    match u16::try_from(count) {
        Ok(n) if n != u16::MAX => Ok(n),
        _ => {
            let message = format!("tables have room for 65534 {what}, and `{}` has more", isa.name);
            Err(Box::new(Diagnostic::error("too-large", message, isa.span)))
        }
    }
}

/// The error about a set whose diagram is too large.
pub(super) fn too_large(form: &Form) -> impl Fn(TooLarge) -> Box<Diagnostic> {
    let (name, span) = (form.name.clone(), form.fixed.first().map(|f| f.span).unwrap_or_default());
    move |error| Box::new(Diagnostic::error("too-large", format!("the words of {name}: {error}"), span))
}

impl<'a> Builder<'a> {
    pub(super) fn new(isa: &'a Isa) -> Self {
        let mut b = Self {
            isa,
            out: Owned::default(),
            strings: FxHashMap::default(),
            numbered: FxHashMap::default(),
            fields: FxHashMap::default(),
            ranges: FxHashMap::default(),
            lists: FxHashMap::default(),
            codes: FxHashMap::default(),
            code_steps: FxHashMap::default(),
            mapped: FxHashMap::default(),
            spellings: FxHashMap::default(),
            names: FxHashMap::default(),
            nodes: FxHashMap::default(),
            truth: FxHashMap::default(),
            entries: FxHashMap::default(),
            texts: Texts::default(),
            tables: FxHashMap::default(),
            ops: FxHashMap::default(),
            tests: FxHashMap::default(),
            cubes: FxHashMap::default(),
            exclusions: FxHashMap::default(),
            rules: FxHashMap::default(),
            fixed: FxHashMap::default(),
            accesses: FxHashMap::default(),
            control: FxHashMap::default(),
        };
        // `no` and `yes`, as diagrams and as truth tables.
        b.out.nodes = vec![t::Node::default(), t::Node { bit: 0, lo: 1, hi: 1 }];
        b.truth_table(vec![0]);
        b.truth_table(vec![u64::MAX; 1 << (TRUTH_BITS - 6)]);
        b
    }

    pub(super) fn str(&mut self, text: &str) -> Str {
        if text.is_empty() {
            return Str::default();
        }
        if let Some(known) = self.strings.get(text) {
            return *known;
        }
        let at = Str { at: self.out.bytes.len() as u32, len: text.len() as u32 };
        self.out.bytes.extend_from_slice(text.as_bytes());
        self.strings.insert(text.to_owned(), at);
        at
    }

    /// The number of a string.
    pub(super) fn string(&mut self, text: &str) -> u32 {
        let text = self.str(text);
        intern(&mut self.numbered, &mut self.out.strings, text)
    }

    pub(super) fn list(&mut self, list: Vec<u16>) -> t::Rows {
        intern_rows(&mut self.lists, &mut self.out.lists, list)
    }

    pub(super) fn ranges(&mut self, bits: &isa_model::model::Bits) -> t::Rows {
        let ranges = bits.0.iter().map(|r| t::Range { hi: r.hi as u8, lo: r.lo as u8 }).collect();
        intern_rows(&mut self.ranges, &mut self.out.ranges, ranges)
    }

    pub(super) fn truth_table(&mut self, table: Vec<u64>) -> u32 {
        intern_block(&mut self.truth, &mut self.out.truth, table)
    }

    /// The root of a diagram.
    pub(super) fn set(&mut self, set: &WordSet) -> u32 {
        let mut numbers = vec![0, 1];
        let (nodes, root) = set.diagram();
        for (bit, lo, hi) in nodes {
            let node = t::Node { bit: bit as u8, lo: numbers[lo as usize], hi: numbers[hi as usize] };
            numbers.push(intern(&mut self.nodes, &mut self.out.nodes, node));
        }
        numbers[root as usize]
    }

    pub(super) fn cube(&mut self, cube: Cube) -> u32 {
        let cube = t::Cube { mask: cube.mask, value: cube.value };
        intern(&mut self.cubes, &mut self.out.cubes, cube)
    }

    pub(super) fn solver(&self, length: u32) -> Solver<'a> {
        Solver::new(self.isa.order(length))
    }
}
