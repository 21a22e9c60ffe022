//! State shared by the whole expansion: definitions by name, parsed texts, findings, parameters.

use super::assembly::{Meant, Overlap};
use super::documents;
use super::elaborated::{Elaborated, OperandValues};
use super::env::Env;
use isa_model::diag::{Diagnostic, Diagnostics, Severity, nearest};
use isa_model::model::{BitRange, Doc};
use isa_model::span::{Hole, Span, Text};
use isa_syntax::lang::{self, SyntaxFault};
use isa_syntax::read::{ChoiceDecl, PartDecl, Spec};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;
use std::ops::Range;
use std::rc::Rc;

/// The limit on the values of readings that are computed for all forms, each name in a value counted.
pub(super) const MAX_NUMBERS: usize = 1 << 26;

/// The greatest number of pieces in the texts of all forms together.
pub(super) const MAX_TEXTS: usize = 4_000_000;

/// A name that nothing declares.
pub(super) struct Unknown {
    pub(super) what: &'static str,
    pub(super) name: String,
    pub(super) diagnostic: Diagnostic,
}

/// The shared state of the expansion.
pub(super) struct Context<'s, 'd> {
    pub(super) spec: &'s Spec,
    pub(super) diags: RefCell<&'d mut Diagnostics>,
    pub(super) sources: Sources<'s>,
    pub(super) parsed: Parsed,
    pub(super) report: Report,
    pub(super) budget: Budget,
    pub(super) forms: Forms<'s>,
}

/// The definitions by their names.
#[derive(Default)]
pub(super) struct Sources<'s> {
    pub(super) source_names: Vec<String>,
    /// The names of the instructions that others expand to.
    pub(super) expanded: HashSet<&'s str>,
    pub(super) formats: HashMap<&'s str, usize>,
    pub(super) operands: HashMap<String, (Rc<lang::Head>, &'s Text, &'s PartDecl)>,
    pub(super) choices: HashMap<String, (Rc<lang::Head>, &'s Text, &'s ChoiceDecl)>,
}

/// Parsed strings: the same string is used in many forms.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) fields: Memo<lang::FieldEntry>,
    pub(super) conditions: Memo<lang::CondAst>,
    pub(super) templates: Memo<Vec<lang::PieceAst>>,
    pub(super) uses: Memo<lang::Use>,
    pub(super) docs: Memo<Vec<lang::Reference>>,
    pub(super) values: Memo<lang::Value>,
    pub(super) bit_lists: Memo<Vec<(BitRange, Range<usize>)>>,
    pub(super) layouts: Memo<lang::Layout>,
    pub(super) readings: Memo<lang::ReadingEntry>,
}

/// What has been reported, and what decides at the end whether more is.
#[derive(Default)]
pub(super) struct Report {
    /// One fault a rule and place is enough: a shared piece is expanded once for each user.
    pub(super) reported: RefCell<HashSet<(&'static str, Span)>>,
    /// Messages that are reported once.
    pub(super) told: RefCell<HashSet<String>>,
    pub(super) unknown: RefCell<Vec<Unknown>>,
    /// Fields that are too wide for their register file, by its place and their width.
    pub(super) too_wide: RefCell<BTreeMap<(Span, u32), Vec<Diagnostic>>>,
    /// Register files of which a field has the whole number.
    pub(super) numbered: RefCell<FxHashSet<Span>>,
    pub(super) used: RefCell<FxHashSet<Span>>,
    /// Fields of formats that some form's layout does not draw.
    pub(super) unplaced: RefCell<HashMap<Span, String>>,
    /// There is an error that semantics could follow from: names and fields may be missing.
    pub(super) unsound: Cell<bool>,
}

/// The room that is left.
pub(super) struct Budget {
    /// The number of values of readings that may still be computed.
    pub(super) reading_room: Cell<usize>,
    /// The number of pieces by which the texts of all forms may still grow.
    pub(super) text_room: Cell<usize>,
    /// There are as many forms as there can be.
    pub(super) is_full: Cell<bool>,
}

/// What forms leave for those after them.
#[derive(Default)]
pub(super) struct Forms<'s> {
    /// The known ones of the instructions that others expand to.
    pub(super) meant: RefCell<HashMap<&'s str, Rc<Meant<'s>>>>,
    /// The declarations of words that forms take of others, to be resolved once all forms are known.
    pub(super) overlaps: RefCell<Vec<Overlap<'s>>>,
    /// In a text-only instruction set: the bits that fields of a name have.
    pub(super) text_bits: RefCell<Vec<(String, BitRange)>>,
    /// Values of operands, by their place and their text after substitution of parameters.
    pub(super) operand_values: RefCell<OperandValues>,
    /// The elaborated semantics.
    pub(super) elaborated: Elaborated,
}

/// Parsed strings of one kind.
pub(super) type Memo<T> = RefCell<FxHashMap<String, Result<Rc<T>, SyntaxFault>>>;

impl<'s, 'd> Context<'s, 'd> {
    pub(super) fn new(spec: &'s Spec, diags: &'d mut Diagnostics) -> Self {
        let expanded = |part: &'s PartDecl| Some(part.expands.as_ref()?.to.value.as_str());
        let mut cx = Self {
            spec,
            diags: RefCell::new(diags),
            sources: Sources {
                source_names: spec.sources.iter().map(|s| s.name.value.clone()).collect(),
                expanded: spec.instructions.iter().filter_map(|(_, part)| expanded(part)).collect(),
                ..Sources::default()
            },
            parsed: Parsed::default(),
            report: Report::default(),
            budget: Budget { reading_room: Cell::new(MAX_NUMBERS), text_room: Cell::new(MAX_TEXTS), is_full: Cell::new(false) },
            forms: Forms::default(),
        };
        for (index, (name, _)) in spec.formats.iter().enumerate() {
            cx.sources.formats.entry(&name.value).or_insert(index);
        }
        for (text, part) in &spec.operands {
            if let Some(head) = cx.whole(lang::parse_head(&text.value), text) {
                if cx.sources.operands.contains_key(&head.name) {
                    cx.error("duplicate", format!("there is already an operand `{}`", head.name), text.span);
                    continue;
                }
                cx.sources.operands.insert(head.name.clone(), (Rc::new(head), text, part));
            }
        }
        for (text, choice) in &spec.choices {
            if let Some(head) = cx.whole(lang::parse_head(&text.value), text) {
                if cx.sources.choices.contains_key(&head.name) {
                    cx.error("duplicate", format!("there is already a choice `{}`", head.name), text.span);
                    continue;
                }
                cx.sources.choices.insert(head.name.clone(), (Rc::new(head), text, choice));
            }
        }
        cx
    }

    pub(super) fn report(&self, diagnostic: Diagnostic) {
        if self.report.reported.borrow_mut().insert((diagnostic.code, diagnostic.span())) {
            self.report
                .unsound
                .set(self.report.unsound.get() || diagnostic.code != "semantics" && diagnostic.severity == Severity::Error);
            self.diags.borrow_mut().push(diagnostic);
        }
    }

    pub(super) fn error(&self, code: &'static str, message: impl Into<String>, span: Span) {
        self.report(Diagnostic::error(code, message, span));
    }

    /// Reports a digit directly after the number in the texts of values: all digits are the number's.
    pub(super) fn after_number(&self, after: &str, is_hex: bool, span: Span) {
        let is_digit = |c: &char| if is_hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
        if let Some(digit) = after.chars().next().filter(is_digit) {
            let kind = if is_hex { "hexadecimal digit" } else { "digit" };
            let message = format!("the number can't be read back: the {kind} `{digit}` comes right after it");
            let help = format!("a number ends where no {kind} follows: put another character between them, `{{n}}_{after}`");
            self.report(Diagnostic::error("ambiguous-text", message, span).with_help(help));
        }
    }

    /// True if anything is wrong already.
    pub(super) fn errors(&self) -> bool {
        self.diags.borrow().has_errors() || !self.report.unknown.borrow().is_empty() || !self.report.too_wide.borrow().is_empty()
    }

    /// An unknown name, with the nearest known one. It is reported when all names are known.
    pub(super) fn unknown<'k>(&self, what: &'static str, name: &str, span: Span, known: impl IntoIterator<Item = &'k str>) {
        if !self.report.reported.borrow_mut().insert(("unknown-name", span)) {
            return;
        }
        self.add_unknown(what, name, span, &known.into_iter().collect::<Vec<_>>());
    }

    /// True if a name that is like this one is unknown: the declaration has another name than is meant.
    pub(super) fn is_renamed(&self, name: &str) -> bool {
        let unknown = self.report.unknown.borrow();
        unknown.iter().any(|other| other.name == name) || nearest(name, unknown.iter().map(|other| other.name.as_str())).is_some()
    }

    fn add_unknown(&self, what: &'static str, name: &str, span: Span, known: &[&str]) {
        let mut d = Diagnostic::error("unknown-name", format!("there is no {what} `{name}`"), span);
        let near = nearest(name, known.iter().copied());
        if let Some(near) = near {
            d = d.with_help(format!("did you mean `{near}`?"));
        } else if !known.is_empty() && known.len() <= 12 {
            d = d.with_help(format!("known: {}", known.join(", ")));
        }
        self.report.unsound.set(true);
        self.report.unknown.borrow_mut().push(Unknown { what, name: name.to_string(), diagnostic: d });
    }

    /// Reports fields that are too wide for their register file. If no field fits, the mistake is likely in `index`: one finding is enough.
    pub(super) fn tell_too_wide(&self) {
        for ((file, width), mut found) in std::mem::take(&mut *self.report.too_wide.borrow_mut()) {
            let mut places = HashSet::new();
            found.retain(|error| places.insert(error.span()));
            if found.len() > 1 && !self.report.numbered.borrow().contains(&file) {
                let help =
                    format!("so are {} more of its fields: with `index: {width}`, it has as many bits as they", found.len() - 1);
                found.truncate(1);
                found[0].help = Some(help);
            }
            found.into_iter().for_each(|error| self.report(error));
        }
    }

    /// Reports unknown names, each once: the mistake can also be in a declaration.
    pub(super) fn tell_unknown(&self) {
        let spec = self.spec;
        // An instruction without a format that misses fields is most likely one of another file that is changed under a wrong name.
        let mut unknown = std::mem::take(&mut *self.report.unknown.borrow_mut());
        for (name, part) in spec.instructions.iter().filter(|(_, part)| part.extends.is_none()) {
            let is_in =
                |d: &Diagnostic| d.span().file == part.entry.file && part.entry.range().contains(&(d.span().start as usize));
            let count = unknown.iter().filter(|unknown| is_in(&unknown.diagnostic)).count();
            if count <= 2 {
                continue;
            }
            let others = spec.instructions.iter().filter(|(other, _)| other.span.file != name.span.file);
            let Some(near) = nearest(&name.value, others.map(|(other, _)| other.value.as_str())) else { continue };
            unknown.retain(|unknown| !is_in(&unknown.diagnostic));
            let message = format!("`{}` has no format, and names {count} fields that it lacks", name.value);
            self.report(Diagnostic::error("unknown-name", message, name.span).with_help(format!("did you mean `{near}`?")));
        }
        let mut told: BTreeMap<(&str, String), (usize, Diagnostic, usize)> = BTreeMap::new();
        for (place, Unknown { what, name, diagnostic }) in unknown.into_iter().enumerate() {
            let kind = what.split([',', ' ']).next().unwrap_or(what);
            told.entry((kind, name)).or_insert((place, diagnostic, 0)).2 += 1;
        }
        let mut told: Vec<_> = told.into_values().collect();
        told.sort_by_key(|(place, ..)| *place);
        for (_, mut diagnostic, count) in told {
            if count > 1 {
                let again = format!("it is named in {count} places");
                diagnostic.help = Some(diagnostic.help.map_or(again.clone(), |help| format!("{help}; {again}")));
            }
            self.diags.borrow_mut().push(diagnostic);
        }
    }

    /// Parses a string once.
    pub(super) fn parse<T>(&self, memo: &Memo<T>, text: &Text, parse: fn(&str) -> Result<T, SyntaxFault>) -> Option<Rc<T>> {
        let known = memo.borrow().get(&text.value).cloned();
        let result = known.unwrap_or_else(|| {
            let result = parse(&text.value).map(Rc::new);
            memo.borrow_mut().insert(text.value.clone(), result.clone());
            result
        });
        self.whole(result, text)
    }

    /// What a text was parsed to; a fault in it is reported.
    pub(super) fn whole<T>(&self, result: Result<T, SyntaxFault>, text: &Text) -> Option<T> {
        match result {
            Ok(parsed) => Some(parsed),
            Err(fault) => {
                // A layout style without an order is usually used throughout; report it once.
                if fault.message != lang::NO_ORDER || self.report.told.borrow_mut().insert(fault.message.clone()) {
                    self.error("syntax", fault.message, text.at(fault.range));
                }
                None
            }
        }
    }

    pub(super) fn doc(&self, text: Option<&Text>) -> Doc {
        let Some(text) = text else { return Doc::default() };
        match self.parse(&self.parsed.docs, text, lang::parse_docs) {
            Some(references) => self.references(&references, text),
            None => Doc::default(),
        }
    }

    pub(super) fn references(&self, references: &[lang::Reference], text: &Text) -> Doc {
        let doc = documents::resolve_doc(references, &self.sources.source_names, text, &mut |d| {
            if self.report.told.borrow_mut().insert(d.message.clone()) {
                self.diags.borrow_mut().push(d);
            }
        });
        doc.0.iter().for_each(|r| self.mark_used(self.spec.sources[r.source.index()].name.span));
        doc
    }

    pub(super) fn mark_used(&self, span: Span) {
        self.report.used.borrow_mut().insert(span);
    }
}

/// The reason why the parameters of a text can't be replaced.
enum Unfit {
    /// There is no such parameter.
    Unknown(String, Range<usize>),
    /// A sum is not one, or has no number.
    Fault(SyntaxFault),
}

impl Env {
    /// The text with parameters replaced; `None` if one that it uses is missing (then the entry is missing too), or unknown.
    pub(super) fn apply<'t>(&self, cx: &Context<'_, '_>, text: &'t Text) -> Option<Cow<'t, Text>> {
        let mut is_missing = false;
        let replaced = text.replaced(|hole, range| {
            let value = match hole {
                Hole::Name(name) => {
                    self.value_of(name).ok_or_else(|| Unfit::Unknown(name.to_string(), range.clone()))?.map(Cow::Borrowed)
                }
                Hole::Sum(sum) => self.sum(sum, range.start + "$(".len())?.map(|number| Cow::Owned(number.to_string())),
            };
            is_missing |= value.is_none();
            Ok(value.map(|value| (range, value)).into_iter().collect())
        });
        match replaced {
            Ok(_) if is_missing => None,
            Ok(text_with_values) => Some(text_with_values.map_or(Cow::Borrowed(text), Cow::Owned)),
            Err(Unfit::Unknown(name, range)) => {
                cx.unknown("parameter", &name, text.at(range), self.0.iter().map(|(n, _)| n.as_str()));
                None
            }
            Err(Unfit::Fault(SyntaxFault { range, message })) => {
                cx.error("params", message, text.at(range));
                None
            }
        }
    }

    /// The value of a parameter, which may be missing; `None` if there is no such one.
    fn value_of(&self, name: &str) -> Option<Option<&str>> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_deref())
    }

    /// The number that a sum is, which begins at a byte of a text; `None` if a parameter of it is missing.
    fn sum(&self, text: &str, start: usize) -> Result<Option<i128>, Unfit> {
        let moved = |range: Range<usize>| range.start + start..range.end + start;
        let fault = |fault: SyntaxFault| Unfit::Fault(SyntaxFault { range: moved(fault.range), message: fault.message });
        let sum = lang::parse_sum(text).map_err(fault)?;
        let mut unknown = None;
        let mut is_missing = false;
        sum.each_name(&mut |name, range| match self.value_of(name) {
            None => unknown = unknown.take().or(Some(Unfit::Unknown(name.to_string(), moved(range.clone())))),
            Some(value) => is_missing |= value.is_none(),
        });
        match unknown {
            Some(unknown) => Err(unknown),
            None if is_missing => Ok(None),
            None => sum.value(&|name| self.value_of(name).flatten()).map(Some).map_err(fault),
        }
    }

    /// True if the text uses a parameter that may be missing (and is not).
    pub(super) fn uses_optional(&self, text: &Text, head: &lang::Head) -> bool {
        let is_optional = |name: &str| head.parameters.iter().any(|(parameter, optional)| *optional && parameter == name);
        let mut found = false;
        let Ok(_) = text.replaced(|hole, _| {
            match hole {
                Hole::Name(name) => found |= is_optional(name),
                Hole::Sum(sum) => {
                    lang::parse_sum(sum).iter().for_each(|sum| sum.each_name(&mut |name, _| found |= is_optional(name)));
                }
            }
            Ok::<_, Infallible>(Vec::new())
        });
        found
    }

    /// The values that a use gives to a definition's parameters; its arguments may use the parameters in scope there.
    pub(super) fn bind(cx: &Context<'_, '_>, outer: &Env, head: &lang::Head, used: &lang::Use, text: &Text) -> Option<Env> {
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
                        match known.map(|name| format!("`{name}`")).collect::<Vec<_>>().as_slice() {
                            [] => format!("`{}` takes no arguments", head.name),
                            [one] => format!("`{}` takes 1 argument: {one}", head.name),
                            more => format!("`{}` takes {} arguments: {}", head.name, more.len(), more.join(", ")),
                        },
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
