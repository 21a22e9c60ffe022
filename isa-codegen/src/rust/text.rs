//! Straight-line functions that push the text of a form; forms with equal text share one.
//!
//! ```text
//! fn text_iadd3_reg<'a>(head: &Name<2>, word: Word, _at: u64, mut out: Cursor<'a>) -> Cursor<'a> {
//!     if word & 0xf000 != 0x7000 { guard… }
//!     out.push_name(head);
//!     out.push_name(&R_NAMES[word.field(23, 16) as usize]);
//!     …
//!     out
//! }
//! ```

use super::Cx;
use super::conditions::{Code, holds};
use super::docs::doc;
use super::fields::{is_wide, raw};
use super::names::{distinct, snake};
use super::sets::hex;
use super::types::table_name;
use isa_spec::codec::address_bits;
use isa_spec::model::{Field, FieldType, Form, Kind, Piece, Radix, When, Word, ones};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, HashMap};

/// The characters before the first operand fit in so many words of 8 bytes, their number included; or they are part of the code.
const HEAD: usize = 2;
/// Texts of so many bytes are pushed without a jump.
const SHORT: usize = 8;
/// Tables of names are made for up to so many bits of index.
const TABLE_BITS: u32 = 10;

/// Emits the functions of one kind of text.
pub(super) struct Texts<'a> {
    cx: &'a Cx<'a>,
    /// Name tables that are used, by name; nothing for those whose names are too long.
    tables: BTreeMap<String, Option<TokenStream>>,
    /// Bodies of groups, by their code, with the bytes that they take at most and how many texts have them.
    groups: HashMap<String, (usize, usize)>,
    /// Bodies that have a function of their own.
    shared: BTreeMap<String, Shared>,
}

/// The body of a group that has a function of its own.
struct Shared {
    name: Ident,
    body: TokenStream,
    /// Room for its text.
    size: usize,
}

impl<'a> Texts<'a> {
    pub(super) fn new(cx: &'a Cx<'a>) -> Self {
        Self { cx, tables: BTreeMap::new(), groups: HashMap::new(), shared: BTreeMap::new() }
    }

    /// `type TextBuf`, `TEXT`, `FULL_TEXT` and all that they need; and whether there is any full text.
    pub(super) fn emit(mut self) -> (TokenStream, bool) {
        let has_full = self.cx.isa.forms.iter().any(|f| !f.full.is_empty());
        // Once to count what repeats, once to write it.
        self.functions("text", "TEXT", |f| &f.text);
        if has_full {
            self.functions("full", "FULL_TEXT", |f| &f.full);
        }
        let mut groups = std::mem::take(&mut self.groups);
        groups.retain(|_, (_, count)| *count > 1);
        self.shared = groups
            .into_iter()
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .enumerate()
            .map(|(i, (code, (size, _)))| {
                let body = code.parse().expect("it was code before");
                (code, Shared { name: format_ident!("group_{i}"), body, size: size + SLACK })
            })
            .collect();
        let text = self.functions("text", "TEXT", |f| &f.text);
        let full = has_full.then(|| self.functions("full", "FULL_TEXT", |f| &f.full));
        let rt = &self.cx.rt;
        let shared = self.shared.values().map(|Shared { name, body, size }| {
            let at = if uses(body, "at") { quote!(at) } else { quote!(_) };
            let size = Literal::usize_unsuffixed(*size);
            quote! {
                fn #name(word: Word, #at: u64, out: &mut [u8; #size]) -> usize {
                    let mut out = #rt::Cursor::new(out);
                    #body
                    out.len()
                }
            }
        });
        let tables = self.tables.values().flatten();
        let most = |pieces: fn(&Form) -> &Vec<Piece>| {
            self.cx.isa.forms.iter().map(|f| most(self.cx, f, pieces(f))).max().unwrap_or(0) + SLACK
        };
        let (longest, longest_full) = (most(|f| &f.text), most(|f| &f.full));
        let room = longest.max(longest_full).next_multiple_of(16);
        let size = if has_full { longest + room } else { room };
        let [room, size] = [room, size.next_multiple_of(16)].map(Literal::usize_unsuffixed);
        let head = Literal::usize_unsuffixed(HEAD);
        let tokens = quote! {
            /// A buffer for one line of text: it holds the longest there is.
            pub type TextBuf = #rt::TextBuf<#size>;

            /// Room for the longest text, so that pushing it needs no checks.
            type Room = [u8; #room];

            /// Pushes a text: its first characters, the word, its address. Says how many bytes it has.
            type TextFn = fn(&#rt::Name<#head>, Word, u64, &mut Room) -> usize;

            #(#tables)*
            #(#shared)*
            #text
            #full
        };
        (tokens, has_full)
    }

    /// The functions for all forms, and the table of them. Forms that differ only in the first characters share a function.
    fn functions(&mut self, prefix: &str, table: &str, pieces: fn(&Form) -> &Vec<Piece>) -> TokenStream {
        let forms = &self.cx.isa.forms;
        let mut functions: Vec<(TokenStream, Vec<&str>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut of_form = Vec::new();
        for form in forms {
            let (head, code) = self.headed(form, pieces(form));
            let at = *known.entry(code.to_string()).or_insert_with(|| {
                functions.push((code, Vec::new()));
                functions.len() - 1
            });
            functions[at].1.push(&form.name);
            of_form.push((head, at));
        }
        let rt = &self.cx.rt;
        let size = Literal::usize_unsuffixed(HEAD);
        let names = distinct(functions.iter().map(|(_, forms)| format!("{prefix}_{}", snake(forms[0]))));
        let bodies = functions.iter().zip(&names).map(|((code, forms), name)| {
            let docs = doc(&examples(forms));
            let [head, word, at] =
                ["head", "word", "at"].map(|n| if uses(code, n) { format_ident!("{n}") } else { format_ident!("_{n}") });
            let (out, body) = if code.is_empty() {
                (quote!(_), quote!(0))
            } else {
                (quote!(out), quote!(let mut out = #rt::Cursor::new(out); #code out.len()))
            };
            quote! {
                #docs
                fn #name(#head: &#rt::Name<#size>, #word: Word, #at: u64, #out: &mut Room) -> usize {
                    #body
                }
            }
        });
        let (table, count) = (format_ident!("{table}"), Literal::usize_unsuffixed(forms.len()));
        let list = of_form.iter().map(|(head, i)| {
            let name = &names[*i];
            quote!((#rt::Name::new(#head), #name))
        });
        quote! {
            #(#bodies)*

            /// What pushes the text of each form, and the characters that it begins with, guards left out.
            static #table: [(#rt::Name<#size>, TextFn); #count] = [#(#list),*];
        }
    }

    /// The code for a text, without the characters that tell it from the texts of like instructions.
    fn headed<'p>(&mut self, form: &Form, pieces: &'p [Piece]) -> (&'p str, TokenStream) {
        let first = pieces.iter().position(|p| matches!(p, Piece::Literal(_)));
        match first.map(|i| (i, &pieces[i])) {
            Some((i, Piece::Literal(head))) if head.len() < 8 * HEAD => {
                let (before, after) = (self.pieces(form, &pieces[..i]), self.pieces(form, &pieces[i + 1..]));
                (head, quote!(#before out.push_name(head); #after))
            }
            _ => ("", self.pieces(form, pieces)),
        }
    }

    fn pieces(&mut self, form: &Form, pieces: &[Piece]) -> TokenStream {
        pieces.iter().map(|p| self.piece(form, p)).collect()
    }

    fn piece(&mut self, form: &Form, piece: &Piece) -> TokenStream {
        match piece {
            Piece::Literal(text) => match text.as_bytes() {
                [c] if c.is_ascii() => {
                    let c = Literal::byte_character(*c);
                    quote!(out.push_ascii(#c);)
                }
                _ => quote!(out.push_str(#text);),
            },
            Piece::Field { field, radix } => self.field(&form.fields[*field], *radix),
            // No text that is printed has it.
            Piece::OneOf(_) => TokenStream::new(),
            Piece::Group { when, body: group_body } => {
                let body = self.pieces(form, group_body);
                let word = quote!(word);
                let condition = match when {
                    When::Differs(fields) => {
                        let fields = fields.iter().map(|i| &form.fields[*i]);
                        let (mask, value) =
                            fields.fold((Word::ZERO, Word::ZERO), |(m, v), f| (m | f.bits.mask(), v | f.bits.place(f.default)));
                        let (mask, value) = (hex(mask), hex(value));
                        quote!(word & #mask != #value)
                    }
                    When::Holds(condition) => match holds(form, condition, &word) {
                        Code::Never => return TokenStream::new(),
                        Code::Always => return body,
                        Code::When(condition) => condition,
                    },
                };
                if let [Piece::Literal(text)] = group_body.as_slice()
                    && text.len() <= SHORT
                {
                    return quote!(out.push_str_if(#condition, #text););
                }
                let body = self.share(body, most(self.cx, form, group_body));
                quote! { if #condition { #body } }
            }
        }
    }

    /// The body of a group, or the call of a function if others have the same.
    fn share(&mut self, body: TokenStream, size: usize) -> TokenStream {
        // A call costs as much as a push.
        const WORTH: usize = 90;
        let code = body.to_string();
        if code.len() < WORTH {
            return body;
        }
        if let Some(Shared { name, .. }) = self.shared.get(&code) {
            let at = if uses(&body, "at") { quote!(at) } else { quote!(0) };
            return quote!(out.append(|out| #name(word, #at, out)););
        }
        let (known, count) = self.groups.entry(code).or_default();
        (*known, *count) = (size.max(*known), *count + 1);
        body
    }

    fn field(&mut self, field: &Field, radix: Option<Radix>) -> TokenStream {
        let ft = FieldType::of(field);
        let raw = raw(&ft, &field.bits, &quote!(word));
        match &field.kind {
            Kind::Flag(text) if text.is_empty() => TokenStream::new(),
            Kind::Flag(text) if text.len() <= SHORT => quote!(out.push_str_if(#raw != 0, #text);),
            Kind::Flag(text) => quote! { if #raw != 0 { out.push_str(#text); } },
            Kind::Bitset(letters) => quote!(out.push_letters(#raw, #letters);),
            Kind::Register(id) => {
                let file = &self.cx.isa.registers[id.index()];
                let source = &self.cx.register_files[id.index()];
                let longest = || (0..=ones(file.index)).filter_map(|i| file.name_of(i).map(|n| n.len())).max();
                match self.table(&self.cx.names.registers[id.index()], source, file.index, longest, &quote!(register_names)) {
                    Some(table) => quote!(out.push_name(&#table[(#raw) as usize]);),
                    None => quote!(out.push_register(&#source, #raw);),
                }
            }
            Kind::Enum(id) => {
                let e = &self.cx.isa.enums[id.index()];
                let source = &self.cx.enum_tables[id.index()];
                let bits = self.cx.enum_widths[id.index()];
                let longest = || (0..=ones(bits)).filter_map(|i| e.text_of(i).map(|n| n.len())).max();
                match self.table(&self.cx.names.enums[id.index()], source, bits, longest, &quote!(enum_names)) {
                    Some(table) => quote!(out.push_name(&#table[(#raw) as usize]);),
                    None => quote!(out.push_enum(&#source, #raw);),
                }
            }
            Kind::Int { radix: own, .. } => {
                let radix = radix.or(*own).unwrap_or(self.cx.isa.numbers);
                self.number(&ft, field.wraps, &raw, radix)
            }
        }
    }

    /// The table of names ready to be copied, if there can be one.
    fn table(
        &mut self,
        of: &Ident,
        source: &Ident,
        bits: u32,
        longest: impl Fn() -> Option<usize>,
        maker: &TokenStream,
    ) -> Option<Ident> {
        if bits > TABLE_BITS {
            return None;
        }
        let (rt, name) = (&self.cx.rt, table_name(of, "NAMES"));
        let table = self.tables.entry(name.to_string()).or_insert_with(|| {
            let longest = longest().unwrap_or(0);
            let size = [1, 2, 4].into_iter().find(|s| longest < 8 * *s)?;
            let (size, count) = (Literal::usize_unsuffixed(size), Literal::usize_unsuffixed(1 << bits));
            Some(quote! { static #name: [#rt::Name<#size>; #count] = #rt::#maker(&#source); })
        });
        table.is_some().then_some(name)
    }

    fn number(&self, ft: &FieldType, wraps: bool, raw: &TokenStream, radix: Radix) -> TokenStream {
        let Kind::Int { signed, scale, bias, target, .. } = &ft.kind else { return TokenStream::new() };
        let rt = &self.cx.rt;
        let wide = is_wide(ft);
        let bare = !signed && (*scale, *bias) == (1, 0) && target.is_none();
        let (plain, huge) = (bare && !wide, bare && wide);
        let bits = Literal::u32_unsuffixed(ft.width);
        let (s, b) = (Literal::i64_unsuffixed(*scale), Literal::i64_unsuffixed(*bias));
        let value = match target {
            _ if plain || huge => raw.clone(),
            _ if wide => quote!(#rt::Wide::<#signed, #bits, #s, #b>::from_bits(#raw).get()),
            Some(from) => {
                let from = Literal::i64_unsuffixed(*from);
                let target = quote!(#rt::Displacement::<#signed, #bits, #s, #b, #from>::from_bits(#raw).target(at));
                match address_bits(self.cx.isa) {
                    _ if !wraps => quote!(#target as i64),
                    64 => target,
                    pc => {
                        let all = hex(ones(pc));
                        quote!(#target & #all)
                    }
                }
            }
            None if (*scale, *bias) == (1, 0) => quote!(#rt::Int::<#bits>::from_bits(#raw).get()),
            None => quote!(#rt::Scaled::<#signed, #bits, #s, #b>::from_bits(#raw).get()),
        };
        let kind = match () {
            () if huge => "huge_",
            () if wide => "wide_",
            () if plain || wraps && target.is_some() => "",
            () => "signed_",
        };
        let (method, digits) = match radix {
            Radix::Hex => (format_ident!("push_{kind}hex"), None),
            Radix::Dec if wide => (format_ident!("push_{kind}padded"), Some(1)),
            Radix::Dec => (format_ident!("push_{kind}dec"), None),
            Radix::Padded(n) => (format_ident!("push_{kind}padded"), Some(n)),
        };
        let digits = digits.map(|n| {
            let n = Literal::u8_unsuffixed(n);
            quote!(, #n)
        });
        quote!(out.#method(#value #digits);)
    }
}

/// What is written beyond the end of a text: a name, or a number, is copied whole.
const SLACK: usize = 48;

/// Bytes that pieces take at most.
fn most(cx: &Cx<'_>, form: &Form, pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|p| match p {
            Piece::Literal(text) => text.len(),
            Piece::Group { body, .. } => most(cx, form, body),
            Piece::Field { field, radix } => most_of_field(cx, &form.fields[*field], *radix),
            Piece::OneOf(_) => 0,
        })
        .sum()
}

/// `` `IADD3.reg`, `IADD3.imm` and 5 more``
fn examples(forms: &[&str]) -> String {
    const FEW: usize = 6;
    let shown = forms.iter().take(FEW).map(|f| format!("`{f}`")).collect::<Vec<_>>().join(", ");
    if forms.len() > FEW { format!("{shown} and {} more", forms.len() - FEW) } else { shown }
}

/// Bytes of the longest text of a field.
fn most_of_field(cx: &Cx<'_>, field: &Field, radix: Option<Radix>) -> usize {
    const DIGITS: usize = 20;
    match &field.kind {
        Kind::Flag(text) => text.len(),
        Kind::Bitset(letters) => letters.len(),
        Kind::Register(id) => {
            let file = &cx.isa.registers[id.index()];
            let halves = file.halves.iter().flatten().map(String::len).max().unwrap_or(0);
            let special = file.special.iter().map(|(_, n)| n.len()).max().unwrap_or(0);
            special.max(file.prefix.len() + DIGITS + halves + file.suffix.len())
        }
        Kind::Enum(id) => {
            let e = &cx.isa.enums[id.index()];
            let named = e.values.iter().map(|v| v.text.len()).max().unwrap_or(0);
            named.max(e.otherwise.as_ref().map_or(0, |(a, b)| a.len() + DIGITS + b.len()))
        }
        Kind::Int { radix: own, .. } => {
            let digits = if is_wide(&FieldType::of(field)) { 2 * DIGITS } else { DIGITS };
            match radix.or(*own) {
                Some(Radix::Padded(n)) => digits.max(n.into()) + 1,
                _ => digits + 1,
            }
        }
    }
}

/// Whether the code has a name in it.
pub(super) fn uses(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|t| match t {
        proc_macro2::TokenTree::Ident(i) => i == name,
        proc_macro2::TokenTree::Group(g) => uses(&g.stream(), name),
        _ => false,
    })
}
