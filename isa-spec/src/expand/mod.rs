//! Declarations to the model: names are resolved, parameters replaced, choices multiplied out into forms.

mod conditions;
mod definitions;
mod errata;
mod expansion;
mod instruction;
mod leaf;
mod semantics;
mod texts;
mod types;
mod values;

pub(crate) use conditions::Seen;

use crate::diag::{Diagnostic, Diagnostics, Severity, nearest};
use crate::lang::{self, Fault};
use crate::model::{Bits, Doc, Form, Isa, Prefer, Radix, Word, Words};
use crate::read::{Part, Spec, resolve_doc};
use crate::semantics::{Machine, typed};
use crate::span::{SourceMap, Span};
use crate::yaml::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The model of a specification, as far as it could be made: with errors among the findings it is not to be used.
pub(crate) fn expand(spec: &Spec, files: SourceMap, diags: &mut Diagnostics) -> Option<Isa> {
    let mut isa = Isa {
        name: spec.name.as_ref()?.value.clone(),
        span: spec.name.as_ref()?.span,
        summary: spec.summary.clone(),
        notes: spec.notes.clone(),
        words: Words { unit: 0, low_first: true, little_endian: true, lengths: Vec::new() },
        space: Vec::new(),
        holes: Vec::new(),
        numbers: spec.numbers.unwrap_or(Radix::Hex),
        prefer: if spec.shortest { Prefer::Shortest } else { Prefer::First },
        groups: definitions::groups(spec),
        sources: Vec::new(),
        registers: Vec::new(),
        enums: Vec::new(),
        operand_types: Vec::new(),
        choice_types: Vec::new(),
        formats: Vec::new(),
        instructions: Vec::new(),
        forms: Vec::new(),
        errata: Vec::new(),
        machine: spec.machine.as_ref().map_or_else(Machine::default, |node| Machine::read(node, diags)),
        launch: typed::Body::default(),
        follows: None,
        object: spec.object.clone(),
        files,
        orders: Vec::new(),
    };
    // Reading the machine can fail, and semantics depend on it.
    let unsound = diags.has_errors();
    let cx = Context::new(spec, diags);
    cx.unsound.set(unsound);
    let whole = model(&cx, &mut isa);
    cx.tell_unknown();
    whole.map(|()| isa)
}

/// Fills the model in; `None` where the rest depends on what could not be made.
fn model(cx: &Context<'_, '_>, isa: &mut Isa) -> Option<()> {
    let spec = cx.spec;
    isa.sources = definitions::sources(cx);
    isa.follows = definitions::follows(cx);
    isa.words = definitions::words(cx)?;
    isa.space = definitions::space(cx, isa.words.unit);
    isa.holes = definitions::holes(cx, &isa.words);
    definitions::report_duplicates(cx);
    isa.registers = definitions::registers(cx);
    isa.enums = definitions::enums(cx);
    isa.formats = definitions::formats(cx);
    isa.errata = errata::errata(cx, &spec.errata, None);
    isa.launch = semantics::launch(cx, isa);
    let mut types = types::Types::default();
    for (name, part) in spec.instructions.iter().take_while(|_| !cx.is_full.get()) {
        instruction::instruction(cx, isa, &mut types, name, part);
    }
    types.finish(isa);
    if isa.is_text() && !cx.errors() {
        number_forms(cx, isa);
    }
    definitions::report_unused(cx);
    Some(())
}

/// Where there is text alone: the number of each form above all fields, so that all forms have one length and none has a word of
/// another.
fn number_forms(cx: &Context<'_, '_>, isa: &mut Isa) {
    let top = |form: &Form| form.fields.iter().map(|f| &f.bits).chain(form.fixed.iter().map(|f| &f.bits)).map(Bits::mask).max();
    let fields = Word::BITS - isa.forms.iter().filter_map(top).max().unwrap_or(Word::ZERO).leading_zeros();
    let length = fields + isa.forms.len().next_power_of_two().ilog2().max(1);
    if length > Word::BITS {
        cx.error(
            "range",
            format!("forms and fields need {length} bits together, and there is room for {}", Word::BITS),
            isa.span,
        );
        return;
    }
    for form in &mut isa.forms {
        let free = form.fields.iter().fold(Word::ZERO, |mask, f| mask | f.bits.mask());
        form.length = length;
        form.mask = Word::ones(length) & !free;
        form.value |= Word::from(form.id.0) << fields;
    }
}

/// The texts of all forms together have so many pieces at most.
const MAX_TEXTS: usize = 4_000_000;

/// A name that nothing declares.
struct Unknown {
    what: &'static str,
    name: String,
    is_near: bool,
    diagnostic: Diagnostic,
}

/// What expansion needs at every step.
struct Context<'s, 'd> {
    spec: &'s Spec,
    source_names: Vec<String>,
    diags: RefCell<&'d mut Diagnostics>,
    /// One fault a rule and place is enough: a shared piece is expanded once for each user.
    reported: RefCell<HashSet<(&'static str, Span)>>,
    used: RefCell<FxHashSet<Span>>,
    unknown: RefCell<Vec<Unknown>>,
    /// What is said once, wherever it is so.
    told: RefCell<HashSet<String>>,
    /// Where there is text alone: the bits that fields of a name have.
    text_bits: RefCell<Vec<(String, crate::model::BitRange)>>,
    /// Fields of formats that some form's layout does not draw.
    unplaced: RefCell<HashMap<Span, String>>,
    /// The names of the instructions that others stand for, and those that are known.
    expanded: HashSet<&'s str>,
    meant: RefCell<HashMap<&'s str, Rc<leaf::Meant<'s>>>>,
    /// How much the texts of all forms may still grow.
    text_room: Cell<usize>,
    /// There is an error that semantics could follow from: names and fields may be missing.
    unsound: Cell<bool>,
    /// There are as many forms as there can be.
    is_full: Cell<bool>,
    formats: HashMap<&'s str, usize>,
    operands: HashMap<String, (Rc<lang::Head>, &'s Text, &'s Part)>,
    choices: HashMap<String, (Rc<lang::Head>, &'s Text, &'s crate::read::ChoiceDecl)>,
    fields: Memo<lang::FieldEntry>,
    conditions: Memo<lang::CondAst>,
    templates: Memo<Vec<lang::PieceAst>>,
    uses: Memo<lang::Use>,
    docs: Memo<Vec<lang::Reference>>,
    values: Memo<lang::Value>,
    bit_lists: Memo<Vec<(crate::model::BitRange, std::ops::Range<usize>)>>,
    layouts: Memo<lang::Layout>,
    heads: Memo<lang::Head>,
    names: Memo<crate::model::Names>,
    /// Values of operands, by where they stand and what they are with their parameters put in.
    operand_values: RefCell<semantics::OperandValues>,
    /// What semantics mean in the forms that were looked at.
    elaborated: semantics::Elaborated,
}

/// Parsed strings: the same string is used in many forms.
type Memo<T> = RefCell<FxHashMap<String, Result<Rc<T>, Fault>>>;

impl<'s, 'd> Context<'s, 'd> {
    fn new(spec: &'s Spec, diags: &'d mut Diagnostics) -> Self {
        let mut cx = Self {
            spec,
            source_names: spec.sources.iter().map(|s| s.name.value.clone()).collect(),
            diags: RefCell::new(diags),
            reported: RefCell::default(),
            used: RefCell::default(),
            unknown: RefCell::default(),
            told: RefCell::default(),
            text_bits: RefCell::default(),
            unplaced: RefCell::default(),
            expanded: spec.instructions.iter().filter_map(|(_, part)| Some(part.expands.as_ref()?.to.value.as_str())).collect(),
            meant: RefCell::default(),
            text_room: Cell::new(MAX_TEXTS),
            unsound: Cell::new(false),
            is_full: Cell::new(false),
            formats: HashMap::new(),
            operands: HashMap::new(),
            choices: HashMap::new(),
            fields: Memo::default(),
            conditions: Memo::default(),
            templates: Memo::default(),
            uses: Memo::default(),
            docs: Memo::default(),
            values: Memo::default(),
            bit_lists: Memo::default(),
            layouts: Memo::default(),
            heads: Memo::default(),
            names: Memo::default(),
            operand_values: RefCell::default(),
            elaborated: semantics::Elaborated::default(),
        };
        for (index, (name, _)) in spec.formats.iter().enumerate() {
            cx.formats.entry(&name.value).or_insert(index);
        }
        for (text, part) in &spec.operands {
            if let Some(head) = cx.parse(&cx.heads, text, lang::parse_head) {
                if cx.operands.contains_key(&head.name) {
                    cx.error("duplicate", format!("there is an operand `{}` already", head.name), text.span);
                    continue;
                }
                cx.operands.insert(head.name.clone(), (head, text, part));
            }
        }
        for (text, choice) in &spec.choices {
            if let Some(head) = cx.parse(&cx.heads, text, lang::parse_head) {
                if cx.choices.contains_key(&head.name) {
                    cx.error("duplicate", format!("there is a choice `{}` already", head.name), text.span);
                    continue;
                }
                cx.choices.insert(head.name.clone(), (head, text, choice));
            }
        }
        cx
    }

    fn report(&self, diagnostic: Diagnostic) {
        if self.reported.borrow_mut().insert((diagnostic.code, diagnostic.span())) {
            self.unsound.set(self.unsound.get() || diagnostic.code != "semantics" && diagnostic.severity == Severity::Error);
            self.diags.borrow_mut().push(diagnostic);
        }
    }

    fn error(&self, code: &'static str, message: impl Into<String>, span: Span) {
        self.report(Diagnostic::error(code, message, span));
    }

    /// Whether anything is wrong already.
    fn errors(&self) -> bool {
        self.diags.borrow().has_errors() || !self.unknown.borrow().is_empty()
    }

    /// An unknown name, with the nearest known one. It is told when all are known.
    fn unknown<'k>(&self, what: &'static str, name: &str, span: Span, known: impl IntoIterator<Item = &'k str>) {
        if !self.reported.borrow_mut().insert(("unknown-name", span)) {
            return;
        }
        let known: Vec<&str> = known.into_iter().collect();
        let mut d = Diagnostic::error("unknown-name", format!("there is no {what} `{name}`"), span);
        let near = nearest(name, known.iter().copied());
        if let Some(near) = near {
            d = d.with_help(format!("did you mean `{near}`?"));
        } else if !known.is_empty() && known.len() <= 12 {
            d = d.with_help(format!("known: {}", known.join(", ")));
        }
        self.unsound.set(true);
        self.unknown.borrow_mut().push(Unknown { what, name: name.to_string(), is_near: near.is_some(), diagnostic: d });
    }

    /// Tells of the unknown names. Where a name that nothing declares resembles one, or something of its kind is declared that
    /// nothing uses, the name is wrong where it is declared: then one place is enough.
    fn tell_unknown(&self) {
        let spec = self.spec;
        let used = self.used.borrow();
        let unused = |mut names: Box<dyn Iterator<Item = &Text> + '_>| names.any(|name| !used.contains(&name.span));
        let mut told = HashSet::new();
        for Unknown { what, name, is_near, diagnostic } in self.unknown.borrow_mut().drain(..) {
            let once = is_near
                || match what {
                    "format" => unused(Box::new(spec.formats.iter().map(|f| &f.0))),
                    "operand" => unused(Box::new(spec.operands.iter().map(|o| &o.0))),
                    "choice" => unused(Box::new(spec.choices.iter().map(|c| &c.0))),
                    "register file" => unused(Box::new(spec.registers.iter().map(|r| &r.name))),
                    "register file or enumeration" => {
                        unused(Box::new(spec.registers.iter().map(|r| &r.name).chain(spec.enums.iter().map(|e| &e.name))))
                    }
                    _ => false,
                };
            if !once || told.insert((what, name)) {
                self.diags.borrow_mut().push(diagnostic);
            }
        }
    }

    /// Parses a string once.
    fn parse<T>(&self, memo: &Memo<T>, text: &Text, parse: fn(&str) -> Result<T, Fault>) -> Option<Rc<T>> {
        let known = memo.borrow().get(&text.value).cloned();
        let result = known.unwrap_or_else(|| {
            let result = parse(&text.value).map(Rc::new);
            memo.borrow_mut().insert(text.value.clone(), result.clone());
            result
        });
        match result {
            Ok(parsed) => Some(parsed),
            Err(fault) => {
                self.error("syntax", fault.message, text.at(fault.range));
                None
            }
        }
    }

    fn doc(&self, text: Option<&Text>) -> Doc {
        let Some(text) = text else { return Doc::default() };
        match self.parse(&self.docs, text, lang::parse_docs) {
            Some(references) => self.references(&references, text),
            None => Doc::default(),
        }
    }

    fn references(&self, references: &[lang::Reference], text: &Text) -> Doc {
        let doc = resolve_doc(references, &self.source_names, text, &mut |d| {
            if self.told.borrow_mut().insert(d.message.clone()) {
                self.diags.borrow_mut().push(d);
            }
        });
        doc.0.iter().for_each(|r| self.mark_used(self.spec.sources[r.source.index()].name.span));
        doc
    }

    fn mark_used(&self, span: Span) {
        self.used.borrow_mut().insert(span);
    }
}

/// The values of a piece's parameters; `None` for one that may be missing and is.
#[derive(Clone, Debug, Default)]
struct Env(Vec<(String, Option<String>)>);

impl Env {
    /// The text with parameters replaced; `None` if one that it uses is missing (then the entry is missing too), or unknown.
    fn apply<'t>(&self, cx: &Context<'_, '_>, text: &'t Text) -> Option<Cow<'t, Text>> {
        let value_of = |name: &str| self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_deref());
        match text.substitute(&value_of) {
            Ok(text) => text,
            Err((name, span)) => {
                cx.unknown("parameter", &name, span, self.0.iter().map(|(n, _)| n.as_str()));
                None
            }
        }
    }

    /// Whether the text uses a parameter that may be missing (and is not).
    fn uses_optional(&self, text: &Text, head: &lang::Head) -> bool {
        head.parameters.iter().any(|(name, optional)| *optional && text.value.contains(&format!("${name}")))
    }

    /// The values that a use gives to a definition's parameters; its arguments may use the parameters of where it stands.
    fn bind(cx: &Context<'_, '_>, outer: &Env, head: &lang::Head, used: &lang::Use, text: &Text) -> Option<Env> {
        let mut env = Env(head.parameters.iter().map(|(name, _)| (name.clone(), None)).collect());
        for (i, argument) in used.arguments.iter().enumerate() {
            let slot = match &argument.name {
                Some(name) => env.0.iter_mut().find(|(n, _)| n == name),
                None => env.0.get_mut(i),
            };
            let Some(slot) = slot else {
                let known = head.parameters.iter().map(|(n, _)| n.as_str());
                match &argument.name {
                    Some(name) => cx.unknown("parameter", name, text.at(argument.range.clone()), known),
                    None => cx.error(
                        "arguments",
                        format!(
                            "`{}` takes {} argument{}",
                            head.name,
                            head.parameters.len(),
                            if head.parameters.len() == 1 { "" } else { "s" }
                        ),
                        text.at(argument.range.clone()),
                    ),
                }
                return None;
            };
            if slot.1.is_some() {
                cx.error("arguments", format!("`{}` is given twice", slot.0), text.at(argument.range.clone()));
            }
            slot.1 = outer.apply(cx, &text.slice(argument.range.clone())).map(|t| t.into_owned().value);
        }
        for ((name, optional), (_, value)) in head.parameters.iter().zip(&env.0) {
            if value.is_none() && !optional {
                cx.error("arguments", format!("`{}` needs its `{name}`", head.name), text.at(used.name_range.clone()));
                return None;
            }
        }
        Some(env)
    }
}
