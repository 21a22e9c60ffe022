//! `pub struct Iadd3(Word);` for an instruction, with an accessor and a setter for each of its members.

use super::Cx;
use super::docs::{DocLines, doc};
use super::fields::{get, ty};
use super::operands::{Shape, about, member_names, shape, variants};
use super::plan::{Member, NOWHERE, Plan, What};
use super::text::uses;
use isa_spec::model::{Bits, FieldType, Form, Instruction, OperandTypeId, Owner};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// ```text
/// pub struct Iadd3(Word);
/// impl Iadd3 {
///     pub fn new(rd: R, a: Reg, b: SrcB) -> Self;
///     pub fn form(self) -> Form;
///     pub fn word(self) -> Word;
///     pub fn rd(self) -> R;
///     pub fn with_rd(self, rd: R) -> Self;
///     …
/// }
/// ```
pub(super) fn instruction(cx: &Cx<'_>, insn: &Instruction) -> TokenStream {
    Emitter { plan: Plan::new(cx, insn) }.emit()
}

pub(super) struct Emitter<'a> {
    pub(super) plan: Plan<'a>,
}

impl<'a> Emitter<'a> {
    fn emit(&self) -> TokenStream {
        let Plan { cx, insn, name, .. } = &self.plan;
        let rt = &cx.rt;
        let docs = DocLines::instruction(cx.isa, insn).tokens();
        let mnemonic = &insn.mnemonic;
        let number = Literal::u32_unsuffixed(insn.id.0);
        let length = self.plan.is_mixed().then(|| quote!(, u8));
        let members = self.plan.members.iter().map(|m| self.member(m));
        let members = quote!(#(#members)*);
        let (new, default) = self.constructor();
        let picks = self.picks_table();
        let puts = self.plan.members.iter().filter_map(|m| self.put_fn(m));
        let form = self.form();
        // Only where something can be illegal is there anything to check.
        let uses_check = [&members, &new].iter().any(|t| uses(t, "checked"));
        let identify = self.identify();
        let checked = uses_check.then(|| {
            quote! {
                /// The instruction, if its word is one of its own.
                fn checked(self) -> Result<Self, #rt::Illegal> {
                    let row = #identify?;
                    if row.insn == #number { Ok(self) } else { Err(#rt::Illegal::Other(&FORM_INFO[row.form as usize])) }
                }
            }
        });
        let allow = allow_operators(&self.plan);
        let debug_name = name.to_string();
        let what = if cx.isa.is_text() { "what can be written, in bits of its own" } else { "as a checked word" };
        let kind = doc(&format!("`{mnemonic}`, {what}."));
        let words = (!cx.isa.is_text()).then(|| {
            quote! {
                /// The word.
                #[inline]
                pub const fn word(self) -> Word {
                    self.0
                }

                /// The word: encoding is done already.
                #[inline]
                pub const fn encode(self) -> Word {
                    self.0
                }
            }
        });
        quote! {
            #docs
            #[doc = ""]
            #kind
            #[derive(Clone, Copy, PartialEq, Eq)]
            pub struct #name(Word #length);

            #allow
            impl #name {
                #new

                #form

                #words

                #members

                #(#puts)*

                #checked
            }

            impl From<#name> for Insn {
                #[inline]
                fn from(insn: #name) -> Self {
                    Self::#name(insn)
                }
            }

            impl ::core::fmt::Debug for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    TABLES.debug(f, #debug_name, self.form() as u16, self.0.widen())
                }
            }

            #default
            #picks
        }
    }

    fn identify(&self) -> TokenStream {
        match (self.plan.cx.several, self.plan.is_mixed()) {
            (false, _) => quote!(identify(self.0)),
            (true, true) => quote!(identify(self.0, self.1.into())),
            (true, false) => {
                let length = Literal::u32_unsuffixed(self.plan.forms[0].length);
                quote!(identify(self.0, #length))
            }
        }
    }

    fn form(&self) -> TokenStream {
        let forms = self.plan.forms;
        let names: Vec<&Ident> = forms.iter().map(|f| &self.plan.cx.names.forms[f.id.index()]).collect();
        let cases: Vec<(Vec<usize>, TokenStream)> = names.iter().enumerate().map(|(i, n)| (vec![i], quote!(Form::#n))).collect();
        let body = if forms.len() == 1 || self.plan.telling_bits(&cases).is_some() {
            self.plan.by_form(cases)
        } else {
            let length = self.plan.cx.several.then(|| {
                let length = self.length();
                quote!(, #length)
            });
            quote!(form_of(self.0 #length))
        };
        quote! {
            /// The form: which alternatives it picks.
            #[inline]
            pub fn form(self) -> Form {
                #body
            }
        }
    }

    fn length(&self) -> TokenStream {
        if self.plan.is_mixed() {
            return quote!(self.1.into());
        }
        let length = Literal::u32_unsuffixed(self.plan.forms[0].length);
        quote!(#length)
    }

    fn member(&self, member: &Member<'_>) -> TokenStream {
        let getter = self.getter(member, &self.type_of(member));
        let setter = self.setter(member);
        quote!(#getter #setter)
    }

    pub(super) fn type_of(&self, member: &Member<'_>) -> TokenStream {
        let Plan { cx, insn, .. } = &self.plan;
        match &member.what {
            What::Field(ft, _) => ty(cx, ft),
            What::Bind(i) => {
                let name = &cx.names.operands[insn.binds[*i].operand.index()];
                quote!(#name)
            }
            What::Slot(i) => {
                let name = &cx.names.choices[insn.slots[*i].choice.index()];
                quote!(#name)
            }
        }
    }

    fn getter(&self, member: &Member<'_>, ty: &TokenStream) -> TokenStream {
        let Plan { cx, .. } = &self.plan;
        let name = &member.name;
        let docs = self.member_docs(member);
        let word = quote!(self.0);
        let optional = matches!(&member.what, What::Field(_, at) if at.iter().any(Option::is_none));
        let cases = self.plan.cases(member, |form| match &member.what {
            What::Field(ft, _) => {
                let value = self.plan.fields_of(member, form).first().map(|f| get(cx, ft, &f.bits, &word));
                match (optional, value) {
                    (false, value) => quote!(#value),
                    (true, Some(value)) => quote!(Some(#value)),
                    (true, None) => quote!(None),
                }
            }
            What::Bind(i) => self.read_operand(form, &Owner::Bind(*i), self.plan.insn.binds[*i].operand),
            What::Slot(i) => self.read_slot(form, *i),
        });
        let body = self.plan.by_form(cases);
        let ty = if optional { quote!(Option<#ty>) } else { ty.clone() };
        quote! {
            #docs
            #[inline]
            pub fn #name(self) -> #ty {
                #body
            }
        }
    }

    fn member_docs(&self, member: &Member<'_>) -> TokenStream {
        let Plan { cx, .. } = &self.plan;
        let What::Field(ft, at) = &member.what else {
            let what = if let What::Slot(_) = member.what { "Choice" } else { "Operand" };
            return doc(&format!("{what} `{}`.", member.spec));
        };
        let field = at.iter().flatten().next().expect("a field stands in some form");
        let about = about(cx, ft);
        let mut docs = DocLines::new(cx.isa, &[&field.summary, &about]);
        docs.paragraph(&field.note);
        let places: std::collections::BTreeSet<String> = at.iter().flatten().map(|f| f.bits.to_string()).collect();
        let places: Vec<String> = places.into_iter().collect();
        if !cx.isa.is_text() {
            docs.paragraph(&format!("Bits {}.", places.join(" or ")));
        }
        if at.iter().any(Option::is_none) {
            docs.paragraph("Not all forms have it.");
        }
        docs.cite(&field.doc).tokens()
    }

    /// `Reg { r: …, neg: … }`
    fn read_operand(&self, form: &Form, owner: &Owner, operand: OperandTypeId) -> TokenStream {
        let cx = self.plan.cx;
        let types = &cx.isa.operand_types[operand.index()].fields;
        let values = self.read_fields(form, owner, types);
        let (name, members) = (&cx.names.operands[operand.index()], member_names(types));
        quote!(#name { #(#members: #values),* })
    }

    fn read_fields(&self, form: &Form, owner: &Owner, types: &[FieldType]) -> Vec<TokenStream> {
        let read = |ft: &FieldType| get(self.plan.cx, ft, place_of(form, owner, ft), &quote!(self.0));
        types.iter().map(read).collect()
    }

    fn read_slot(&self, form: &Form, slot: usize) -> TokenStream {
        let Plan { cx, insn, .. } = &self.plan;
        let choice = insn.slots[slot].choice;
        let pick = form.picks[slot];
        let types = &cx.isa.choice_types[choice.index()];
        let alternative = &types.alternatives[pick];
        let (name, variant) = (&cx.names.choices[choice.index()], &variants(types)[pick]);
        let operands = alternative
            .binds
            .iter()
            .enumerate()
            .map(|(i, (_, operand))| self.read_operand(form, &Owner::Slot(slot, Some(i)), *operand));
        match shape(alternative) {
            Shape::Unit => quote!(#name::#variant),
            Shape::Tuple => quote!(#name::#variant(#(#operands)*)),
            Shape::Struct(members) => {
                let values = self.read_fields(form, &Owner::Slot(slot, None), &alternative.fields).into_iter().chain(operands);
                quote!(#name::#variant { #(#members: #values),* })
            }
        }
    }
}

/// Where a form keeps a field of an operand or an alternative.
pub(super) fn place_of<'f>(form: &'f Form, owner: &Owner, ft: &FieldType) -> &'f Bits {
    form.fields.iter().find(|f| f.owner == *owner && f.name == ft.name).map_or(&NOWHERE, |f| &f.bits)
}

/// `neg`, `not`, `shl`, …: names of fields that are also methods of operator traits.
fn allow_operators(plan: &Plan<'_>) -> Option<TokenStream> {
    const OPERATORS: [&str; 10] = ["neg", "not", "next", "clone", "default", "hash", "borrow", "as_ref", "deref", "drop"];
    let is_operator = |m: &Member<'_>| OPERATORS.iter().any(|o| m.name == o);
    plan.members.iter().any(is_operator).then(|| quote!(#[allow(clippy::should_implement_trait)]))
}
