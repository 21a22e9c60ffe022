//! What an instruction consists of, seen over all its forms: which members it has, where each form keeps them, and which bits
//! can make a word of it illegal.

use super::Cx;
use super::names::{candidates, ident, snake};
use super::sets::{gather, gather_code, restrict};
use isa_spec::model::{Bits, Exclusion, Field, FieldType, Form, Instruction, Kind, Owner, Piece, Raw, When, Word, ones};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::collections::HashSet;

/// Methods that every instruction has.
const METHODS: [&str; 7] = ["new", "form", "word", "encode", "checked", "length", "eval"];

/// An instruction and its members.
pub(super) struct Plan<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) insn: &'a Instruction,
    pub(super) forms: &'a [Form],
    pub(super) name: &'a Ident,
    pub(super) members: Vec<Member<'a>>,
    /// Bits that a rule, an exclusion or a specialisation is about.
    pub(super) hazard: Word,
}

/// Something that an accessor reads and a setter writes.
pub(super) struct Member<'a> {
    pub(super) name: Ident,
    /// The setter.
    pub(super) with: Ident,
    /// What writes it.
    pub(super) put: Ident,
    /// The name in the spec.
    pub(super) spec: &'a str,
    pub(super) what: What<'a>,
}

pub(super) enum What<'a> {
    /// A field of the instruction; in each form its place, if it has it.
    Field(FieldType, Vec<Option<&'a Field>>),
    /// An operand of the instruction.
    Bind(usize),
    /// A choice.
    Slot(usize),
}

impl<'a> Plan<'a> {
    pub(super) fn new(cx: &'a Cx<'a>, insn: &'a Instruction) -> Self {
        let forms = cx.isa.forms_of(insn);
        let name = &cx.names.instructions[insn.id.index()];
        let hazard = forms.iter().fold(Word::ZERO, |m, f| m | hazard(cx, f));
        let mut taken: HashSet<String> = METHODS.iter().map(|m| (*m).to_owned()).collect();
        let mut free = |name: &str| {
            // A member has an accessor and a setter, and what the setter is made of.
            let methods = |stem: &str| {
                let own = if METHODS.contains(&stem) { format!("{stem}_") } else { ident(stem).to_string() };
                [own, format!("with_{stem}"), format!("put_{stem}")]
            };
            let mut stems = candidates(&snake(name), "").map(|stem| methods(&stem));
            let found = stems.find(|names| !names.iter().any(|n| taken.contains(n)));
            let names = found.expect("there is always a larger number");
            taken.extend(names.iter().cloned());
            names.map(|n| ident(&n))
        };
        let mut members = Vec::new();
        for (i, slot) in insn.slots.iter().enumerate() {
            let [name, with, put] = free(&slot.name);
            members.push(Member { name, with, put, spec: &slot.name, what: What::Slot(i) });
        }
        for (i, bind) in insn.binds.iter().enumerate() {
            let [name, with, put] = free(&bind.name);
            members.push(Member { name, with, put, spec: &bind.name, what: What::Bind(i) });
        }
        for (ft, at) in own_fields(forms) {
            let field = at.iter().flatten().next().expect("a field stands in some form");
            let [name, with, put] = free(field.rust_name.as_ref().unwrap_or(&field.name));
            members.push(Member { name, with, put, spec: &field.name, what: What::Field(ft, at) });
        }
        let mut plan = Self { cx, insn, forms, name, members, hazard };
        plan.order();
        plan
    }

    /// Members stand as their text does: first choices without fields of their own (they are said in the mnemonic), then by
    /// place in the text, then what the text doesn't show.
    fn order(&mut self) {
        let orders: Vec<Vec<usize>> = self.forms.iter().map(|f| order_of(&f.text)).collect();
        let place = |member: &Member<'_>| {
            if let What::Slot(_) = member.what
                && self.forms.iter().all(|f| self.fields_of(member, f).is_empty())
            {
                return (0, 0);
            }
            // The form in which it stands first decides; forms mostly agree.
            for (form, order) in self.forms.iter().zip(&orders) {
                let owned = self.fields_of(member, form);
                if let Some(at) = order.iter().position(|i| owned.iter().any(|f| std::ptr::eq(*f, &form.fields[*i]))) {
                    return (1, at);
                }
            }
            (2, 0)
        };
        let mut keys: Vec<(usize, (usize, usize))> = self.members.iter().map(place).enumerate().collect();
        keys.sort_by_key(|(_, key)| *key);
        let mut members: Vec<Option<Member<'a>>> = std::mem::take(&mut self.members).into_iter().map(Some).collect();
        self.members = keys.into_iter().filter_map(|(i, _)| members[i].take()).collect();
    }

    /// The fields of a form that make up a member.
    pub(super) fn fields_of(&self, member: &Member<'_>, form: &'a Form) -> Vec<&'a Field> {
        let owns = |f: &&Field| match member.what {
            What::Field(ref ft, _) => f.owner == Owner::Instruction && f.name == member.spec && FieldType::of(f) == *ft,
            What::Bind(i) => f.owner == Owner::Bind(i),
            What::Slot(i) => matches!(f.owner, Owner::Slot(s, _) if s == i),
        };
        form.fields.iter().filter(owns).collect()
    }

    /// The forms that keep a member in the same places, as one case each: `code` says what to do in one of them.
    pub(super) fn cases(&self, member: &Member<'_>, code: impl Fn(&'a Form) -> TokenStream) -> Vec<(Vec<usize>, TokenStream)> {
        let mut groups: Vec<(usize, Vec<&Bits>, Vec<usize>)> = Vec::new();
        for (i, form) in self.forms.iter().enumerate() {
            let pick = if let What::Slot(slot) = member.what { form.picks[slot] } else { 0 };
            let bits: Vec<&Bits> = self.fields_of(member, form).into_iter().map(|f| &f.bits).collect();
            match groups.iter_mut().find(|g| g.0 == pick && g.1 == bits) {
                Some(group) => group.2.push(i),
                None => groups.push((pick, bits, vec![i])),
            }
        }
        groups.into_iter().map(|(_, _, forms)| (forms.clone(), code(&self.forms[forms[0]]))).collect()
    }

    /// The bits of a member in any form.
    pub(super) fn bits_of(&self, member: &Member<'_>) -> Word {
        self.forms.iter().flat_map(|f| self.fields_of(member, f)).fold(Word::ZERO, |m, f| m | f.bits.mask())
    }

    /// Whether a member is an argument of `new`: operands, choices, and registers and numbers that are always printed.
    pub(super) fn is_required(&self, member: &Member<'_>) -> bool {
        let What::Field(ft, _) = &member.what else { return true };
        matches!(ft.kind, Kind::Register(_) | Kind::Int { .. })
            && self.forms.iter().all(|form| {
                let word = form.default_word();
                let owned = self.fields_of(member, form);
                let mut shown = Vec::new();
                shown_at(&form.text, word, &mut shown);
                shown.iter().any(|i| owned.iter().any(|f| std::ptr::eq(*f, &form.fields[*i])))
            })
    }

    /// Whether the forms have words of different lengths, so that an instruction must know its own.
    pub(super) fn is_mixed(&self) -> bool {
        self.forms.iter().any(|f| f.length != self.forms[0].length)
    }

    /// Code that does the one or the other, depending on the form: which forms, and what they do.
    ///
    /// If the forms can be told apart by bits that all of them fix, the code looks at no more than those.
    pub(super) fn by_form(&self, cases: Vec<(Vec<usize>, TokenStream)>) -> TokenStream {
        let groups = merge(cases);
        if let [(_, only)] = groups.as_slice() {
            return only.clone();
        }
        let last = groups.len() - 1;
        match self.telling_bits(&groups) {
            Some(mask) => {
                let index = gather_code(mask, &quote!(self.0));
                let arms = groups.iter().enumerate().map(|(i, (forms, code))| {
                    let keys: std::collections::BTreeSet<Word> =
                        forms.iter().map(|f| gather(mask, self.forms[*f].value)).collect();
                    let keys = keys.into_iter().map(|key| Literal::u128_unsuffixed(key.low()));
                    if i == last { quote!(_ => #code,) } else { quote!(#(#keys)|* => #code,) }
                });
                quote! { match #index { #(#arms)* } }
            }
            None => {
                let arms = groups.iter().enumerate().map(|(i, (forms, code))| {
                    let names = forms.iter().map(|f| &self.cx.names.forms[self.forms[*f].id.index()]);
                    if i == last { quote!(_ => #code,) } else { quote!(#(Form::#names)|* => #code,) }
                });
                quote! { match self.form() { #(#arms)* } }
            }
        }
    }

    /// The same where the form is at hand, as the `u16` called `form`.
    pub(super) fn by_number(&self, cases: Vec<(Vec<usize>, TokenStream)>) -> TokenStream {
        let groups = merge(cases);
        if let [(_, only)] = groups.as_slice() {
            return only.clone();
        }
        let last = groups.len() - 1;
        let arms = groups.iter().enumerate().map(|(i, (forms, code))| {
            let ids = forms.iter().map(|f| Literal::u32_unsuffixed(self.forms[*f].id.0));
            if i == last { quote!(_ => #code,) } else { quote!(#(#ids)|* => #code,) }
        });
        quote! { match form { #(#arms)* } }
    }

    /// Few bits, fixed in all forms, that tell the groups apart.
    pub(super) fn telling_bits(&self, groups: &[(Vec<usize>, TokenStream)]) -> Option<Word> {
        const MOST: u32 = 16;
        if self.is_mixed() {
            return None;
        }
        let common = self.forms.iter().fold(Word::MAX, |m, f| m & f.mask);
        let mut pairs: Vec<Word> = Vec::new();
        for (i, (a, _)) in groups.iter().enumerate() {
            for (b, _) in &groups[i + 1..] {
                pairs.extend(a.iter().flat_map(|x| b.iter().map(|y| (self.forms[*x].value ^ self.forms[*y].value) & common)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut mask = Word::ZERO;
        while !pairs.is_empty() {
            let differing = pairs.iter().fold(Word::ZERO, |m, p| m | *p);
            // Of equally good bits one beside those that are taken already: it costs nothing to gather.
            let near = |bit: Word| !((bit << 1 | bit >> 1) & mask).is_zero();
            let bits = differing.bits().map(Word::bit);
            let best = bits.max_by_key(|b| (pairs.iter().filter(|p| !(**p & *b).is_zero()).count(), near(*b)))?;
            mask |= best;
            pairs.retain(|p| (*p & best).is_zero());
        }
        (mask.count_ones() <= MOST).then_some(mask)
    }
}

/// Cases that do the same become one; the one of the most forms goes last.
fn merge(cases: Vec<(Vec<usize>, TokenStream)>) -> Vec<(Vec<usize>, TokenStream)> {
    if cases.len() == 1 {
        return cases;
    }
    let mut groups: Vec<(Vec<usize>, TokenStream, String)> = Vec::new();
    for (forms, code) in cases {
        let text = code.to_string();
        match groups.iter_mut().find(|g| g.2 == text) {
            Some(group) => group.0.extend(forms),
            None => groups.push((forms, code, text)),
        }
    }
    groups.sort_by_key(|g| g.0.len());
    groups.into_iter().map(|(forms, code, _)| (forms, code)).collect()
}

/// The instruction's own fields, in each form where it is.
fn own_fields(forms: &[Form]) -> Vec<(FieldType, Vec<Option<&Field>>)> {
    let mut fields: Vec<(FieldType, Vec<Option<&Field>>)> = Vec::new();
    for (i, form) in forms.iter().enumerate() {
        for field in form.fields.iter().filter(|f| f.owner == Owner::Instruction) {
            let ft = FieldType::of(field);
            let at = match fields.iter().position(|(t, _)| *t == ft) {
                Some(at) => at,
                None => {
                    fields.push((ft, vec![None; forms.len()]));
                    fields.len() - 1
                }
            };
            fields[at].1[i] = Some(field);
        }
    }
    fields
}

/// The bits of a form by which a change of fields can make a word illegal, or another instruction's.
fn hazard(cx: &Cx<'_>, form: &Form) -> Word {
    let rules = form.constraints.iter().map(|c| restrict(&c.that.words, form.mask, form.value).support());
    let exclusions = form
        .exclusions
        .iter()
        .filter(|e| !is_unsayable(cx, form, e))
        .map(|e| restrict(&e.when.words, form.mask, form.value).support());
    let special = form
        .specialised_by
        .iter()
        .map(|id| cx.isa.form(*id))
        .filter(|f| f.instruction != form.instruction)
        .map(|f| f.mask & !form.mask);
    rules.chain(exclusions).chain(special).fold(Word::ZERO, |m, b| m | b)
}

/// Whether the type of the field has none of the values that are excluded.
fn is_unsayable(cx: &Cx<'_>, form: &Form, exclusion: &Exclusion) -> bool {
    const MOST: u32 = 12;
    let Some(field) = exclusion.field.map(|i| &form.fields[i]) else { return false };
    let width = field.bits.width();
    if width > MOST {
        return false;
    }
    let sayable = |raw: Raw| {
        let value = if field.inverted { ones(width) - raw } else { raw };
        match &field.kind {
            Kind::Register(id) => cx.isa.registers[id.index()].name_of(value).is_some(),
            Kind::Enum(id) => cx.isa.enums[id.index()].text_of(value).is_some(),
            _ => true,
        }
    };
    let mask = field.bits.mask();
    (0..=ones(width)).filter(|raw| sayable(*raw)).all(|raw| {
        let placed = field.bits.place(raw);
        !exclusion.when.words.meets(placed, mask)
    })
}

/// The fields of a text in the order in which they stand.
fn order_of(pieces: &[Piece]) -> Vec<usize> {
    let mut out = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(_) | Piece::OneOf(_) => {}
            Piece::Field { field, .. } => out.push(*field),
            Piece::Group { body, .. } => out.extend(order_of(body)),
        }
    }
    out
}

/// The fields that the text of a word shows.
fn shown_at(pieces: &[Piece], word: Word, out: &mut Vec<usize>) {
    for piece in pieces {
        match piece {
            Piece::Field { field, .. } => out.push(*field),
            Piece::Group { when: When::Holds(when), body } if when.words.contains(word) => shown_at(body, word, out),
            // A group of what differs is not there in the default word.
            Piece::Literal(_) | Piece::Group { .. } | Piece::OneOf(_) => {}
        }
    }
}

/// No bits: where a form lacks a field.
pub(super) static NOWHERE: Bits = Bits(Vec::new());
