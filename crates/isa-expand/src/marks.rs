//! The marks of comments and between statements: none that a text of an instruction has.

use super::context::Context;
use isa_model::model::{Assembly, Isa, Modifier, Piece, Precedence, Pseudo, Relocation};
use isa_model::span::{Span, Text};
use isa_runtime::Case;
use isa_runtime::value::Spelling;
use isa_syntax::read::{AssemblyDecl, CaseDecl, ModifierDecl, PseudoDecl, RelocationDecl};

/// The syntax of programs.
pub(super) fn assembly(cx: &Context<'_, '_>, isa: &Isa) -> Assembly {
    let declared = &cx.spec.assembly;
    let own = Own::new(isa);
    let values = |marks: &[Text]| marks.iter().map(|mark| mark.value.clone()).collect::<Vec<_>>();
    for mark in declared.comments.iter().flatten().chain(&declared.separators) {
        if let Some(text) = own.text_with(&mark.value) {
            let message = format!("`{}` is in a text of the instruction set: `{}`", mark.value, text.escape_debug());
            cx.error("text-line", message, mark.span);
        }
    }
    let separators = values(&declared.separators);
    let is_free = |mark: &&str| own.text_with(mark).is_none() && !separators.iter().any(|separator| separator == mark);
    let comments = match &declared.comments {
        Some(marks) => values(marks),
        None => Assembly::COMMENTS.into_iter().filter(is_free).map(str::to_owned).collect(),
    };
    let case = declared.insensitive.and_then(|span| case(cx, &own, span));
    let own = Assembly { case, comments, separators, blocks: own.text_with(Assembly::BLOCK[0]).is_none(), ..Assembly::default() };
    // Executables of a core are those that it can run; kernels are in files of 64 bits.
    let is_core = cx.spec.machine.is_some() && isa.machine.lanes == 1;
    let address = if is_core { isa.machine.pc.max(8) } else { own.address };
    of_programs(declared, Assembly { address, ..own })
}

/// The case of all texts.
fn case(cx: &Context<'_, '_>, own: &Own<'_>, span: Span) -> Option<Case> {
    let with = |is_it: fn(char) -> bool| own.texts.iter().copied().find(|text| text.contains(is_it));
    if own.named != 0 {
        cx.error("text-line", "programs name registers here, and their names are read as they are written", span);
        return None;
    }
    match (with(|c| c.is_ascii_lowercase()), with(|c| c.is_ascii_uppercase())) {
        (Some(lower), Some(upper)) => {
            let (lower, upper) = (lower.escape_debug(), upper.escape_debug());
            let message = format!(
                "texts that are read in any case are written in one: `{lower}` has lower-case letters, and `{upper}` has upper-case letters"
            );
            cx.error("text-line", message, span);
            None
        }
        (None, Some(_)) => Some(Case::Upper),
        _ => Some(Case::Lower),
    }
}

/// The declarations of the modifiers, followed by those of the pseudo-instructions.
pub(super) fn places(cx: &Context<'_, '_>) -> Vec<Span> {
    let declared = &cx.spec.assembly;
    let modifiers = declared.modifiers.iter().map(|modifier| modifier.name.span);
    modifiers.chain(declared.pseudo.iter().filter_map(|pseudo| Some(pseudo.text.as_ref()?.span))).collect()
}

/// The marks, modifiers and pseudo-instructions of an assembler.
fn of_programs(declared: &AssemblyDecl, marks: Assembly) -> Assembly {
    let text = |text: &Text| text.value.clone();
    let own = |text: &Option<Text>| text.as_ref().map_or(String::new(), |text| text.value.clone());
    let pair = |(name, is): &(Text, Text)| (name.value.clone(), is.value.clone());
    let modifier =
        |m: &ModifierDecl| Modifier { name: text(&m.name), value: own(&m.value), reaches: own(&m.reaches), pair: own(&m.pair) };
    let case = |case: &CaseDecl| (own(&case.when), case.statements.iter().map(text).collect());
    let pseudo = |p: &PseudoDecl| Pseudo {
        text: own(&p.text),
        far: p.far,
        values: p.values.iter().map(pair).collect(),
        cases: p.cases.iter().map(case).collect(),
    };
    let relocation = |r: &RelocationDecl| Relocation {
        number: r.number,
        modifier: own(&r.modifier),
        bits: own(&r.bits),
        data: r.data,
        thread: r.thread,
    };
    Assembly {
        octal: declared.octal,
        numbers: declared.numbers.iter().map(|(prefix, radix)| (text(prefix), *radix)).collect(),
        here: declared.here.iter().map(text).collect(),
        precedence: if declared.as_in_c { Precedence::C } else { Precedence::Gnu },
        local: own(&declared.local),
        word: declared.word.unwrap_or(marks.word),
        align_bytes: declared.align_bytes,
        org_address: declared.org_address,
        fill: declared.fill.iter().map(text).collect(),
        directives: declared.directives.iter().map(pair).collect(),
        sections: declared.sections.iter().map(|(name, address)| (text(name), *address)).collect(),
        modifiers: declared.modifiers.iter().map(modifier).collect(),
        pseudo: declared.pseudo.iter().map(pseudo).collect(),
        relocations: declared.relocations.iter().map(relocation).collect(),
        flags: declared.flags.clone(),
        address: declared.address.unwrap_or(marks.address),
        ..marks
    }
}

/// The texts that instructions consist of, fields without names left out.
struct Own<'a> {
    texts: Vec<&'a str>,
    /// ASCII characters that the names can have that programs give, one bit each.
    named: u128,
}

impl<'a> Own<'a> {
    fn new(isa: &'a Isa) -> Self {
        let mut own = Self { texts: Vec::new(), named: 0 };
        for form in &isa.forms {
            for text in [&form.text, &form.full].into_iter().chain(&form.also).chain(form.bodies.iter().flatten()) {
                own.pieces(text);
            }
            form.fields.iter().for_each(|field| own.spelling(&field.spelling));
        }
        // All of them, those without a use included.
        isa.registers.iter().for_each(|file| own.spelling(&file.spelling));
        isa.enums.iter().for_each(|e| own.spelling(&e.spelling));
        own
    }

    fn pieces(&mut self, pieces: &'a [Piece]) {
        for piece in pieces {
            match piece {
                Piece::Literal(text) => self.texts.push(text),
                Piece::Field { .. } | Piece::Reading(_) | Piece::OneOf(_) => {}
                Piece::Group { body, .. } => self.pieces(body),
            }
        }
    }

    fn spelling(&mut self, spelling: &'a Spelling) {
        self.texts.extend(spelling.texts());
        self.named |= spelling.given().map_or(0, |names| names.begins() | names.goes_on());
    }

    /// A text that has a mark.
    fn text_with(&self, mark: &str) -> Option<&str> {
        let is_name = mark.chars().all(|c| c.is_ascii() && self.named >> (c as u32) & 1 == 1);
        if is_name && !mark.is_empty() {
            return Some("a name that a program gives to a register");
        }
        self.texts.iter().copied().find(|text| text.contains(mark))
    }
}
