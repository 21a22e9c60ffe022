//! What the parts of the runtime need that aren't fast: the forms' templates, fields, rules, as tables.

use super::sets::{cubes, hex, list, restrict};
use super::setters::{pick_number, strides};
use super::types::name_rows_table;
use super::{Cx, letters};
use isa_spec::codec::address_bits;
use isa_spec::model::{Bits, Field, Form, Kind, Owner, Piece, PlainKind, Radix, When, Word, ones};
use isa_spec::sets::{Cube, WordSet};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Tables of things that forms share.
#[derive(Default)]
struct Shared {
    items: Vec<TokenStream>,
    known: HashMap<String, usize>,
}

impl Shared {
    fn intern(&mut self, item: TokenStream) -> usize {
        let items = &mut self.items;
        *self.known.entry(item.to_string()).or_insert_with(|| {
            items.push(item);
            items.len() - 1
        })
    }

    /// `static RULE_3: Rule = …;` for each.
    fn statics(&self, prefix: &str, ty: &TokenStream) -> TokenStream {
        let names = (0..self.items.len()).map(|i| format_ident!("{prefix}_{i}"));
        let items = &self.items;
        quote! { #(static #names: #ty = #items;)* }
    }
}

/// What makes two fields the same for the runtime.
type FieldKey<'a> = (&'a str, &'a Bits, &'a Kind, bool, bool, Option<Radix>, Option<usize>);

struct Tables<'a> {
    cx: &'a Cx<'a>,
    fields: Vec<TokenStream>,
    known_fields: HashMap<FieldKey<'a>, usize>,
    sets: Vec<TokenStream>,
    known_sets: HashMap<&'a WordSet, usize>,
    groups: Shared,
    rules: Shared,
    excluded: Shared,
    templates: Shared,
    bodies: Shared,
    /// Of the form at hand, where its lists of texts are among those.
    own_bodies: Vec<usize>,
    lists: Shared,
    words: Shared,
}

/// `static TABLES: Tables = …;` and what it refers to.
pub(super) fn tables(cx: &Cx<'_>) -> TokenStream {
    let mut tables = Tables {
        cx,
        fields: Vec::new(),
        known_fields: HashMap::new(),
        sets: Vec::new(),
        known_sets: HashMap::new(),
        groups: Shared::default(),
        rules: Shared::default(),
        excluded: Shared::default(),
        templates: Shared::default(),
        bodies: Shared::default(),
        own_bodies: Vec::new(),
        lists: Shared::default(),
        words: Shared::default(),
    };
    let infos: Vec<TokenStream> = cx.isa.forms.iter().map(|f| tables.form(f)).collect();
    let rt = &cx.rt;
    let count = Literal::usize_unsuffixed(infos.len());
    let (fields, sets) = (&tables.fields, &tables.sets);
    let groups = tables.groups.statics("GROUP", &quote!(#rt::Differs));
    let rules = tables.rules.statics("RULE", &quote!(#rt::Rule));
    let excluded = tables.excluded.statics("EXCLUDED", &quote!(#rt::Excluded));
    let templates = tables.templates.statics("TEMPLATE", &quote!(&[#rt::Op]));
    let bodies = tables.bodies.statics("BODIES", &quote!(&[&[#rt::Op]]));
    let lists = tables.lists.statics("FIELDS", &quote!(&[u16]));
    let word_sets = tables.words.statics("WORDS", &quote!(&[#rt::Cube]));
    let words = mnemonics(cx);
    let (characters, limits) = letters::limits(cx, &words);
    let mnemonic_count = Literal::usize_unsuffixed(words.len());
    let mnemonics = words.iter().map(|(word, forms)| {
        let forms = forms.iter().map(|f| Literal::u32_unsuffixed(*f));
        quote!((#word, &[#(#forms),*]))
    });
    let holes = cx.isa.holes.iter().map(|hole| {
        let (name, summary, length) = (&hole.name, &hole.summary, Literal::u32_unsuffixed(hole.length));
        let (mask, value) = (hex(hole.words.mask), hex(hole.words.value));
        quote!(#rt::Hole { name: #name, summary: #summary, length: #length, mask: #mask, value: #value })
    });
    let bits = (!cx.several).then(|| {
        let bits = Literal::u32_unsuffixed(cx.bits);
        let public = if cx.isa.is_text() { quote!() } else { quote!(pub) };
        quote! {
            /// Bits of a word.
            #public const BITS: u32 = #bits;
        }
    });
    quote! {
        #bits

        #rules
        #excluded
        #groups
        #templates
        #bodies
        #lists
        #word_sets

        static FORM_INFO: [#rt::FormInfo; #count] = [#(#infos),*];

        static MNEMONICS: [(&str, &[u16]); #mnemonic_count] = [#(#mnemonics),*];

        static TABLES: #rt::Tables = #rt::Tables {
            forms: &FORM_INFO,
            holes: &[#(#holes),*],
            fields: &[#(#fields),*],
            sets: &[#(#sets),*],
            mnemonics: &MNEMONICS,
            initials: #rt::initials(&MNEMONICS),
            lanes: #rt::lanes(#characters),
            limits: &[#(#limits),*],
        };
    }
}

impl<'a> Tables<'a> {
    /// The place of a field in the table.
    fn field(&mut self, form: &'a Form, index: usize, radix: Option<Radix>) -> Literal {
        let (cx, fields) = (self.cx, &mut self.fields);
        let f = &form.fields[index];
        let place = form.names.iter().find(|n| n.field == index).map(|n| n.place);
        let key = (f.path.as_str(), &f.bits, &f.kind, f.inverted, f.wraps, radix, place);
        let at = self.known_fields.entry(key).or_insert_with(|| {
            fields.push(field(cx, f, radix, place));
            fields.len() - 1
        });
        Literal::usize_unsuffixed(*at)
    }

    /// The place of a set in the table.
    fn set(&mut self, words: &'a WordSet) -> usize {
        let (rt, sets) = (&self.cx.rt, &mut self.sets);
        *self.known_sets.entry(words).or_insert_with(|| {
            let (inside, outside) = (cubes(&list(words), rt), cubes(&list(&words.complement()), rt));
            sets.push(quote!(#rt::Set { inside: #inside, outside: #outside }));
            sets.len() - 1
        })
    }

    fn form(&mut self, form: &'a Form) -> TokenStream {
        let rt = &self.cx.rt;
        let insn = self.cx.isa.instruction(form.instruction);
        let (name, mnemonic) = (&form.name, &insn.mnemonic);
        let pick = pick_number(form, &strides(self.cx.isa, insn));
        let [number, length, pick] = [insn.id.0, form.length, pick as u32].map(Literal::u32_unsuffixed);
        let reserved = form.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(Word::ZERO, |m, p| m | p.bits.mask());
        let [mask, value, reserved, default] = [form.mask, form.value, reserved, form.default_word()].map(hex);
        // What belongs to the form is said in parts: as one list of cubes the parts would multiply.
        let inside = form.specialised_by.iter().map(|id| &self.cx.isa.form(*id).words);
        let parts: Vec<Ident> = (form.exclusions.iter().map(|e| &e.when.words).chain(inside))
            .map(|out| restrict(&out.complement(), form.mask, form.value))
            .filter(|part| !part.is_all())
            .map(|part| format_ident!("WORDS_{}", self.words.intern(cubes(&list(&part), rt))))
            .collect();
        let words = quote!(&[#(#parts),*]);
        let excluded: Vec<Ident> = form
            .exclusions
            .iter()
            .map(|e| {
                let (out, why) = (cubes(&list(&e.when.words), rt), &e.why);
                let field = e.field.map_or("", |i| form.fields[i].path.as_str());
                let item = quote!(#rt::Excluded { out: #out, field: #field, why: #why });
                format_ident!("EXCLUDED_{}", self.excluded.intern(item))
            })
            .collect();
        let rules: Vec<Ident> = form
            .constraints
            .iter()
            .map(|c| {
                let (holds, why) = (cubes(&list(&c.that.words), rt), &c.why);
                let fields = c.fields.iter().map(|i| &form.fields[*i].path);
                let item = quote!(#rt::Rule { holds: #holds, fields: &[#(#fields),*], why: #why });
                format_ident!("RULE_{}", self.rules.intern(item))
            })
            .collect();
        let fields: Vec<Literal> = (0..form.fields.len()).map(|i| self.field(form, i, None)).collect();
        let names: Vec<&Literal> = form.names.iter().map(|n| &fields[n.field]).collect();
        let slots: Vec<Literal> = (0..insn.slots.len())
            .map(|s| {
                let owned = form.fields.iter().filter(|f| matches!(f.owner, Owner::Slot(i, _) if i == s));
                hex(owned.fold(Word::ZERO, |m, f| m | f.bits.mask()))
            })
            .collect();
        self.own_bodies.clear();
        for texts in &form.bodies {
            let texts: Vec<Ident> = texts.iter().map(|text| self.template(form, text)).collect();
            let list = self.bodies.intern(quote!(&[#(#texts),*]));
            self.own_bodies.push(list);
        }
        let (head, text) = self.headed(form);
        let full = self.ops(form, &form.full);
        let [text, full] = [text, full].map(|t| format_ident!("TEMPLATE_{}", self.templates.intern(t)));
        let also: Vec<Ident> = form.also.iter().map(|text| self.template(form, text)).collect();
        let refused: Vec<TokenStream> = form
            .refused
            .iter()
            .map(|refused| {
                let (begins, why) = (self.template(form, &refused.begins), &refused.why);
                let rt = &self.cx.rt;
                quote!(#rt::Refused { begins: #begins, why: #why })
            })
            .collect();
        let list = format_ident!("FIELDS_{}", self.lists.intern(quote!(&[#(#fields),*])));
        let rt = &self.cx.rt;
        quote! {
            #rt::FormInfo {
                name: #name,
                mnemonic: #mnemonic,
                insn: #number,
                length: #length,
                mask: #mask,
                value: #value,
                reserved: #reserved,
                default: #default,
                words: #words,
                excluded: &[#(&#excluded),*],
                rules: &[#(&#rules),*],
                fields: #list,
                names: &[#(#names),*],
                pick: #pick,
                slots: &[#(#slots),*],
                head: #rt::Op::Text(#rt::Literal::new(#head)),
                text: #text,
                also: &[#(#also),*],
                refused: &[#(#refused),*],
                full: #full,
            }
        }
    }

    /// The characters that tell a form from like ones, and its template without them.
    fn headed(&mut self, form: &'a Form) -> (&'a str, TokenStream) {
        let rt = self.cx.rt.clone();
        let first = form.text.iter().position(|p| matches!(p, Piece::Literal(_)));
        let Some((i, Piece::Literal(head))) = first.map(|i| (i, &form.text[i])) else {
            return ("", self.ops(form, &form.text));
        };
        let mut ops = self.list(form, &form.text[..i]);
        ops.push(quote!(#rt::Op::Head));
        ops.extend(self.list(form, &form.text[i + 1..]));
        (head, quote!(&[#(#ops),*]))
    }

    /// The name of a text's template.
    fn template(&mut self, form: &'a Form, text: &'a [Piece]) -> Ident {
        let ops = self.ops(form, text);
        format_ident!("TEMPLATE_{}", self.templates.intern(ops))
    }

    /// A template as the matcher has it.
    fn ops(&mut self, form: &'a Form, pieces: &'a [Piece]) -> TokenStream {
        let ops = self.list(form, pieces);
        quote!(&[#(#ops),*])
    }

    fn list(&mut self, form: &'a Form, pieces: &'a [Piece]) -> Vec<TokenStream> {
        let rt = self.cx.rt.clone();
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Literal(text) => quote!(#rt::Op::Text(#rt::Literal::new(#text))),
                Piece::Field { field: i, radix } => {
                    let i = self.field(form, *i, *radix);
                    quote!(#rt::Op::Field(#i))
                }
                Piece::Group { when: When::Differs(fields), body } => {
                    let fields = fields.iter().map(|i| &form.fields[*i]);
                    let (mask, default) =
                        fields.fold((Word::ZERO, Word::ZERO), |(m, d), f| (m | f.bits.mask(), d | f.bits.place(f.default)));
                    let (mask, default) = (hex(mask), hex(default));
                    let body = self.ops(form, body);
                    let item = quote!(#rt::Differs { mask: #mask, default: #default, body: #body });
                    let name = format_ident!("GROUP_{}", self.groups.intern(item));
                    quote!(#rt::Op::Differs(&#name))
                }
                Piece::Group { when: When::Holds(condition), body } => {
                    let set = Literal::usize_unsuffixed(self.set(&condition.words));
                    let body = self.ops(form, body);
                    quote!(#rt::Op::Holds(#set, #body))
                }
                Piece::OneOf(texts) => {
                    let name = format_ident!("BODIES_{}", self.own_bodies[*texts]);
                    quote!(#rt::Op::OneOf(#name))
                }
            })
            .collect()
    }
}

/// `Field { path: "a.r", bits: &[(31, 24)], kind: Kind::Register(&R_FILE), inverted: false }`
fn field(cx: &Cx<'_>, field: &Field, radix: Option<Radix>, place: Option<usize>) -> TokenStream {
    let rt = &cx.rt;
    let (path, inverted, mask) = (&field.path, field.inverted, hex(field.bits.mask()));
    let most = hex(ones(field.bits.width()));
    let bits = field.bits.0.iter().map(|r| {
        let (hi, lo) = (Literal::u32_unsuffixed(r.hi), Literal::u32_unsuffixed(r.lo));
        quote!((#hi, #lo))
    });
    let kind = match &field.kind {
        Kind::Flag(text) => quote!(Flag(#rt::Literal::new(#text))),
        Kind::Bitset(letters) => quote!(Letters(#letters)),
        Kind::Register(id) => {
            let table = &cx.register_files[id.index()];
            match place.map(Literal::usize_unsuffixed) {
                None => quote!(Register(&#table)),
                Some(place) => {
                    let rows = name_rows_table(&cx.names.registers[id.index()]);
                    quote!(Name { of: &#table, rows: &#rows, place: #place })
                }
            }
        }
        Kind::Enum(id) => {
            let table = &cx.enum_tables[id.index()];
            quote!(Enum(&#table))
        }
        Kind::Int { signed, scale, bias, target, .. } => {
            let width = Literal::u32_unsuffixed(field.bits.width());
            let (scale, bias) = (Literal::i64_unsuffixed(*scale), Literal::i64_unsuffixed(*bias));
            let target_offset = match target {
                Some(offset) => {
                    let offset = Literal::i64_unsuffixed(*offset);
                    quote!(Some(#offset))
                }
                None => quote!(None),
            };
            let wraps = field.wraps && target.is_none();
            let modulo = if field.wraps && target.is_some() { address_bits(cx.isa) } else { 0 };
            let modulo = Literal::u32_unsuffixed(modulo);
            let shape = quote!(#rt::Shape { signed: #signed, bits: #width, scale: #scale, bias: #bias, wraps: #wraps });
            quote!(Int { shape: #shape, target: #target_offset, modulo: #modulo })
        }
    };
    let own = if let Kind::Int { radix, .. } = field.kind { radix } else { None };
    let radix = match radix.or(own).unwrap_or(cx.isa.numbers) {
        Radix::Hex => quote!(Hex),
        Radix::Dec => quote!(Dec(1)),
        Radix::Padded(digits) => {
            let digits = Literal::u8_unsuffixed(digits);
            quote!(Dec(#digits))
        }
    };
    quote! {
        #rt::Field {
            path: #path,
            bits: &[#(#bits),*],
            kind: #rt::Kind::#kind,
            radix: #rt::Radix::#radix,
            inverted: #inverted,
            mask: #mask,
            most: #most,
        }
    }
}

/// For the matcher: the words with which texts begin, and the forms that have them.
fn mnemonics(cx: &Cx<'_>) -> BTreeMap<String, Vec<u32>> {
    let mut words: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for form in &cx.isa.forms {
        for word in first_words(form) {
            words.entry(word).or_default().push(form.id.0);
        }
    }
    words
}

/// The words with which the texts of a form can begin, guards left out; an empty one if anything can come first.
fn first_words(form: &Form) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let open = vec![Cube::new(form.mask, form.value)];
    let mut bodies: Vec<Begin> = Vec::new();
    for texts in &form.bodies {
        let mut all = Begin { words: BTreeSet::new(), always: true };
        for text in texts {
            all.always &= begin(text, &open, &bodies, &mut all.words);
        }
        bodies.push(all);
    }
    for text in std::iter::once(&form.text).chain(&form.also) {
        if !begin(text, &open, &bodies, &mut words) {
            words.insert(String::new());
        }
    }
    words
}

/// The first words of one of several texts.
struct Begin {
    words: BTreeSet<String>,
    /// Whether each of the texts has one.
    always: bool,
}

/// Collects the first words of the pieces; `false` if the pieces can be without one, for a word of the set `open`.
fn begin(pieces: &[Piece], open: &[Cube], bodies: &[Begin], words: &mut BTreeSet<String>) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut open = open.to_vec();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                let text = text.trim_start_matches(|c| !is_word(c));
                if !text.is_empty() {
                    words.insert(text.split(|c| !is_word(c)).next().unwrap_or("").to_owned());
                    return true;
                }
            }
            Piece::Group { when, body } => {
                // A guard: what it prints can't run into what follows.
                let ends = matches!(body.last(), Some(Piece::Literal(text)) if !text.ends_with(is_word));
                let found = begin(body, &open, bodies, words);
                match when {
                    _ if !found && !ends => return false,
                    When::Holds(condition) if found => {
                        open = without(&open, &condition.words);
                        if open.is_empty() {
                            return true;
                        }
                    }
                    _ => {}
                }
            }
            Piece::Field { .. } => return false,
            Piece::OneOf(texts) => {
                words.extend(bodies[*texts].words.iter().cloned());
                return bodies[*texts].always;
            }
        }
    }
    false
}

/// The words of the cubes that are not in the set, as cubes; all of them, where they would be too many.
fn without(cubes: &[Cube], set: &WordSet) -> Vec<Cube> {
    const MOST: usize = 4096;
    let mut left = Vec::new();
    for cube in cubes {
        let Some(rest) = set.complement().restricted(*cube).cubes(MOST) else { return cubes.to_vec() };
        left.extend(rest.iter().filter_map(|c| c.intersect(*cube)));
    }
    if left.len() > MOST { cubes.to_vec() } else { left }
}
