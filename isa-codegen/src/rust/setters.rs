//! `new`, and `with_x` for each member: they build the word by masked insertion.
//!
//! A method that can't make an illegal word returns the instruction; one that can returns a `Result`. Which it is follows from
//! the bits that it writes: only those that a rule, an exclusion or a specialisation is about can do harm.

use super::docs::doc;
use super::fields::{is_narrow, set};
use super::instructions::{Emitter, place_of};
use super::operands::{Shape, member_names, shape, variants};
use super::plan::{Member, What};
use super::sets::hex;
use super::types::table_name;
use isa_spec::model::{Form, Instruction, Isa, OperandTypeId, Owner, Slot, Word};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Code that makes a word.
struct Put {
    code: TokenStream,
    /// It leaves the method where the value doesn't fit or the form lacks the field.
    fallible: bool,
}

impl Emitter<'_> {
    /// Whether there is anything to choose.
    fn is_open(&self, slot: usize) -> bool {
        let choice = self.plan.insn.slots[slot].choice;
        self.plan.cx.isa.choice_types[choice.index()].alternatives.len() > 1
    }

    /// Whether there is anything to set.
    fn is_settled(&self, member: &Member<'_>) -> bool {
        match member.what {
            What::Slot(i) => !self.is_open(i) && self.plan.bits_of(member).is_zero(),
            What::Bind(_) => self.plan.bits_of(member).is_zero(),
            What::Field(..) => false,
        }
    }

    fn strides(&self) -> Vec<usize> {
        strides(self.plan.cx.isa, self.plan.insn)
    }

    fn picks(&self) -> Vec<Option<&Form>> {
        let strides = self.strides();
        let first =
            self.plan.insn.slots.first().map_or(1, |s| self.plan.cx.isa.choice_types[s.choice.index()].alternatives.len());
        let mut picks = vec![None; first * strides.first().copied().unwrap_or(1)];
        for form in self.plan.forms {
            picks[pick_number(form, &strides)] = Some(form);
        }
        picks
    }

    fn picks_name(&self) -> Ident {
        table_name(self.plan.name, "FORMS")
    }

    /// `static IADD3_FORMS: [u16; 4] = …;`
    pub(super) fn picks_table(&self) -> Option<TokenStream> {
        if !(0..self.plan.insn.slots.len()).any(|i| self.is_open(i)) {
            return None;
        }
        let picks = self.picks();
        let name = self.picks_name();
        let len = Literal::usize_unsuffixed(picks.len());
        let forms = picks.iter().map(|f| match f {
            Some(form) => {
                let id = Literal::u32_unsuffixed(form.id.0);
                quote!(#id)
            }
            None => quote!(u16::MAX),
        });
        let docs = doc(&format!(
            "The form for each combination of alternatives of {}; those that don't exist are `u16::MAX`.",
            self.plan.insn.name
        ));
        Some(quote! { #docs static #name: [u16; #len] = [#(#forms),*]; })
    }

    /// `let form = …;` for a combination of alternatives, and whether there may be none.
    fn find_form(&self, pick: &TokenStream) -> Put {
        let rt = &self.plan.cx.rt;
        let (table, mnemonic) = (self.picks_name(), &self.plan.insn.mnemonic);
        let fallible = self.picks().iter().any(Option::is_none);
        let check = fallible.then(|| {
            quote! {
                if form == u16::MAX {
                    return Err(#rt::Illegal::NoForm { mnemonic: #mnemonic });
                }
            }
        });
        Put { code: quote! { let form = #table[#pick]; #check }, fallible }
    }

    /// `pub fn new(rd: R, a: Reg, b: SrcB) -> Self`
    ///
    /// And, where that takes no arguments, `Default`, which stands beside the `impl`.
    pub(super) fn constructor(&self) -> (TokenStream, Option<TokenStream>) {
        let plan = &self.plan;
        let members: Vec<&Member<'_>> = plan.members.iter().filter(|m| !self.is_settled(m) && plan.is_required(m)).collect();
        let bits = members.iter().fold(Word::ZERO, |b, m| b | plan.bits_of(m));
        let check = !(plan.hazard & bits).is_zero() || !plan.forms.iter().all(|f| self.is_legal_default(f));
        let mut fallible = check;

        let strides = self.strides();
        let open: Vec<(&Member<'_>, usize)> = members
            .iter()
            .filter_map(|m| match m.what {
                What::Slot(i) if self.is_open(i) => Some((*m, strides[i])),
                _ => None,
            })
            .collect();
        let (start, length) = if open.is_empty() {
            let form = &plan.forms[0];
            let (word, length) = (hex(form.default_word()), Literal::u32_unsuffixed(form.length));
            (quote!(let word: Word = #word;), quote!(#length))
        } else {
            let parts = open.iter().map(|(m, stride)| picked(&m.name, *stride));
            let found = self.find_form(&quote!(#(#parts)+*));
            fallible |= found.fallible;
            let code = found.code;
            let start = quote! {
                #code
                let word = Word::narrow(FORM_INFO[form as usize].default);
            };
            (start, quote!(FORM_INFO[form as usize].length as u8))
        };
        let puts: Vec<Put> = members.iter().map(|m| self.put(m, &quote!(word), &value_name(m), false)).collect();
        fallible |= puts.iter().any(|p| p.fallible);
        let steps = puts.iter().map(|p| &p.code).filter(|code| code.to_string() != "word");
        let this = if plan.is_mixed() { quote!(Self(word, #length)) } else { quote!(Self(word)) };
        let (result, end) = self.ending(this, fallible, check);
        let args = members.iter().map(|m| {
            let (name, ty) = (&m.name, self.type_of(m));
            quote!(#name: #ty)
        });
        let allow = (members.len() > 7).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        let fails = fallible.then(|| doc("\n# Errors\nIf there is no such form, or the word would be illegal."));
        let docs = doc(&format!("`{}` with these operands, and everything else at its default.", plan.insn.mnemonic));
        let no_args = members.is_empty() && !fallible;
        let default = no_args.then(|| {
            let ty = plan.name;
            quote! {
                impl Default for #ty {
                    fn default() -> Self {
                        Self::new()
                    }
                }
            }
        });
        let new = quote! {
            #docs
            #fails
            #allow
            #[inline]
            pub fn new(#(#args),*) -> #result {
                #start
                #(let word = #steps;)*
                #end
            }
        };
        (new, default)
    }

    /// Whether the defaults keep all rules.
    fn is_legal_default(&self, form: &Form) -> bool {
        let word = form.default_word();
        let foreign = form
            .specialised_by
            .iter()
            .map(|id| self.plan.cx.isa.form(*id))
            .any(|f| f.instruction != form.instruction && f.words.contains(word));
        form.words.contains(word) && form.legal.contains(word) && !foreign
    }

    /// The type that a method returns, and its last expression.
    fn ending(&self, this: TokenStream, fallible: bool, check: bool) -> (TokenStream, TokenStream) {
        let rt = &self.plan.cx.rt;
        match (fallible, check) {
            (false, _) => (quote!(Self), this),
            (true, false) => (quote!(Result<Self, #rt::Illegal>), quote!(Ok(#this))),
            (true, true) => (quote!(Result<Self, #rt::Illegal>), quote!(#this.checked())),
        }
    }

    /// `pub fn with_rd(self, rd: R) -> Self`
    pub(super) fn setter(&self, member: &Member<'_>) -> TokenStream {
        if self.is_settled(member) {
            return TokenStream::new();
        }
        let (name, ty) = (&member.name, self.type_of(member));
        let with = &member.with;
        let (statements, this, mut fallible, check) = match member.what {
            What::Slot(slot) if self.is_open(slot) => {
                // Another alternative is another form, whose rules speak of other bits.
                let (found, change) = self.change(slot, name);
                let put = self.put(member, &quote!(word), &quote!(#name), false);
                let code = put.code;
                let this = if self.plan.is_mixed() {
                    quote!(Self(#code, FORM_INFO[form as usize].length as u8))
                } else {
                    quote!(Self(#code))
                };
                (quote!(#change), this, found || put.fallible, !self.plan.hazard.is_zero())
            }
            _ => {
                let put = self.put(member, &quote!(self.0), &quote!(#name), true);
                let code = put.code;
                let this = if self.plan.is_mixed() { quote!(Self(#code, self.1)) } else { quote!(Self(#code)) };
                (TokenStream::new(), this, put.fallible, !(self.plan.hazard & self.plan.bits_of(member)).is_zero())
            }
        };
        fallible |= check;
        let (result, end) = self.ending(this, fallible, check);
        let docs = doc(&format!("The same with another `{}`.", member.spec));
        let fails = fallible.then(|| doc("\n# Errors\nIf the word would be illegal, or the value doesn't fit this form."));
        quote! {
            #docs
            #fails
            #[inline]
            pub fn #with(self, #name: #ty) -> #result {
                #statements
                #end
            }
        }
    }

    /// `let form = …; let word = …;` for another alternative of a slot.
    fn change(&self, slot: usize, value: &Ident) -> (bool, TokenStream) {
        let rt = &self.plan.cx.rt;
        let strides = self.strides();
        let only = (0..self.plan.insn.slots.len()).filter(|i| self.is_open(*i)).count() == 1;
        let number = Literal::usize_unsuffixed(slot);
        // The argument has the slot's name.
        let from = if value == "from" { format_ident!("old") } else { format_ident!("from") };
        let new = picked(value, strides[slot]);
        let pick = if only {
            new
        } else {
            let choice = self.plan.insn.slots[slot].choice;
            let count = Literal::usize_unsuffixed(self.plan.cx.isa.choice_types[choice.index()].alternatives.len());
            // What the old alternative counts goes, what the new one counts comes.
            let old = match Literal::usize_unsuffixed(strides[slot]) {
                _ if strides[slot] == 1 => quote!(#from.pick as usize % #count),
                stride => quote!(#from.pick as usize / #stride % #count * #stride),
            };
            quote! { #from.pick as usize - #old + #new }
        };
        let found = self.find_form(&pick);
        let code = found.code;
        let change = quote! {
            let #from = &FORM_INFO[self.form() as usize];
            #code
            let word = Word::narrow(#rt::change(#from, &FORM_INFO[form as usize], #number, self.0.widen()));
        };
        (found.fallible, change)
    }

    /// The word with a member set. The form is `self`'s, or in a variable.
    fn put(&self, member: &Member<'_>, word: &TokenStream, value: &TokenStream, of_self: bool) -> Put {
        let plan = &self.plan;
        let (cx, rt) = (plan.cx, &plan.cx.rt);
        let (fallible, cases) = match &member.what {
            What::Field(ft, at) => {
                let put = |form: &Form| match plan.fields_of(member, form).first() {
                    Some(field) => set(cx, ft, &field.bits, word, value),
                    None => {
                        let (id, spec) = (Literal::u32_unsuffixed(form.id.0), member.spec);
                        quote!(return Err(#rt::Illegal::Absent { form: &FORM_INFO[#id], field: #spec }))
                    }
                };
                (is_narrow(cx, ft) || at.iter().any(Option::is_none), plan.cases(member, put))
            }
            What::Bind(i) => {
                let operand = plan.insn.binds[*i].operand;
                let put = |form: &Form| self.put_operand(form, &Owner::Bind(*i), operand, word, value);
                (self.is_narrow_operand(operand), plan.cases(member, put))
            }
            What::Slot(i) => {
                if plan.bits_of(member).is_zero() {
                    return Put { code: word.clone(), fallible: false };
                }
                let fallible = self.is_narrow_slot(*i);
                let put = &member.put;
                let question = fallible.then(|| quote!(?));
                let form = match (self.slot_needs_form(*i), of_self) {
                    (false, _) => None,
                    (true, false) => Some(quote!(form,)),
                    (true, true) => Some(quote!(self.form() as u16,)),
                };
                return Put { code: quote!(Self::#put(#word, #form #value)#question), fallible };
            }
        };
        let code = if of_self { plan.by_form(cases) } else { plan.by_number(cases) };
        Put { code, fallible }
    }

    fn is_narrow_operand(&self, operand: OperandTypeId) -> bool {
        self.plan.cx.isa.operand_types[operand.index()].fields.iter().any(|f| is_narrow(self.plan.cx, f))
    }

    fn is_narrow_slot(&self, slot: usize) -> bool {
        let choice = self.plan.insn.slots[slot].choice;
        self.plan.cx.isa.choice_types[choice.index()].alternatives.iter().any(|a| {
            a.fields.iter().any(|f| is_narrow(self.plan.cx, f)) || a.binds.iter().any(|(_, o)| self.is_narrow_operand(*o))
        })
    }

    /// `word.with_field(23, 16, a.r.bits()).with_field(72, 72, u64::from(a.neg))`
    fn put_operand(
        &self,
        form: &Form,
        owner: &Owner,
        operand: OperandTypeId,
        word: &TokenStream,
        value: &TokenStream,
    ) -> TokenStream {
        let types = &self.plan.cx.isa.operand_types[operand.index()].fields;
        let fields = types.iter().zip(member_names(types));
        fields
            .fold(word.clone(), |word, (ft, name)| set(self.plan.cx, ft, place_of(form, owner, ft), &word, &quote!(#value.#name)))
    }

    /// For each alternative of a slot the forms that pick it, and the code that writes its members.
    fn slot_cases(&self, slot: usize) -> Vec<Vec<(Vec<usize>, TokenStream)>> {
        let plan = &self.plan;
        let choice = &plan.cx.isa.choice_types[plan.insn.slots[slot].choice.index()];
        let put = |form: &Form, pick: usize| {
            let alternative = &choice.alternatives[pick];
            let owner = Owner::Slot(slot, None);
            let names = match shape(alternative) {
                Shape::Unit => return quote!(word),
                Shape::Tuple => vec![format_ident!("operand")],
                Shape::Struct(names) => names.iter().map(bound).collect(),
            };
            let (own, operands) = names.split_at(alternative.fields.len());
            let word = alternative
                .fields
                .iter()
                .zip(own)
                .fold(quote!(word), |word, (ft, name)| set(plan.cx, ft, place_of(form, &owner, ft), &word, &quote!(#name)));
            let operands = alternative.binds.iter().zip(operands).enumerate();
            operands.fold(word, |word, (i, ((_, operand), name))| {
                self.put_operand(form, &Owner::Slot(slot, Some(i)), *operand, &word, &quote!(#name))
            })
        };
        (0..choice.alternatives.len())
            .map(|pick| {
                let forms = plan.forms.iter().enumerate().filter(|(_, f)| f.picks[slot] == pick);
                forms.map(|(i, f)| (vec![i], put(f, pick))).collect()
            })
            .collect()
    }

    /// Whether one alternative stands in different places in different forms.
    fn slot_needs_form(&self, slot: usize) -> bool {
        self.slot_cases(slot).iter().any(|cases| cases.iter().any(|c| c.1.to_string() != cases[0].1.to_string()))
    }

    /// `fn put_b(word: Word, b: SrcB) -> Word`
    pub(super) fn put_fn(&self, member: &Member<'_>) -> Option<TokenStream> {
        let What::Slot(slot) = member.what else { return None };
        if self.plan.bits_of(member).is_zero() {
            return None;
        }
        let plan = &self.plan;
        let rt = &plan.cx.rt;
        let choice = plan.insn.slots[slot].choice;
        let (types, ty) = (&plan.cx.isa.choice_types[choice.index()], &plan.cx.names.choices[choice.index()]);
        let fallible = self.is_narrow_slot(slot);
        let mut rest = false;
        let arms: Vec<TokenStream> = types
            .alternatives
            .iter()
            .zip(variants(types))
            .zip(self.slot_cases(slot))
            .filter_map(|((alternative, variant), cases)| {
                let pattern = match shape(alternative) {
                    _ if cases.is_empty() => None,
                    Shape::Unit => None,
                    Shape::Tuple => Some(quote!((operand))),
                    Shape::Struct(names) => {
                        let members = names.iter().map(|name| {
                            let bound = bound(name);
                            if bound == *name { quote!(#name) } else { quote!(#name: #bound) }
                        });
                        Some(quote!({ #(#members),* }))
                    }
                };
                rest |= pattern.is_none();
                let code = plan.by_number(cases);
                pattern.map(|p| quote!(#ty::#variant #p => #code,))
            })
            .collect();
        let rest = rest.then(|| quote!(_ => word,));
        let put = &member.put;
        let form = self.slot_needs_form(slot).then(|| quote!(form: u16,));
        let body = quote!(match value { #(#arms)* #rest });
        let (result, body) =
            if fallible { (quote!(Result<Word, #rt::Illegal>), quote!(Ok(#body))) } else { (quote!(Word), body) };
        Some(quote! {
            #[inline]
            fn #put(word: Word, #form value: #ty) -> #result {
                #body
            }
        })
    }
}

/// The variable that a pattern gives to a member; `word` and `form` are arguments of the function.
fn bound(member: &Ident) -> Ident {
    if member == "word" || member == "form" { format_ident!("{member}_") } else { member.clone() }
}

fn value_name(member: &Member<'_>) -> TokenStream {
    let name = &member.name;
    quote!(#name)
}

/// How much the alternative of a value counts in the number of all picks.
fn picked(value: &Ident, stride: usize) -> TokenStream {
    let factor = Literal::usize_unsuffixed(stride);
    if stride == 1 { quote!(#value.pick()) } else { quote!(#value.pick() * #factor) }
}

/// The alternatives that a form picks, as one number.
pub(super) fn pick_number(form: &Form, strides: &[usize]) -> usize {
    form.picks.iter().zip(strides).map(|(p, s)| p * s).sum()
}

/// Of each slot how much one alternative counts in that number.
pub(super) fn strides(isa: &Isa, insn: &Instruction) -> Vec<usize> {
    let alternatives = |s: &Slot| isa.choice_types[s.choice.index()].alternatives.len();
    (0..insn.slots.len()).map(|i| insn.slots[i + 1..].iter().map(alternatives).product()).collect()
}
