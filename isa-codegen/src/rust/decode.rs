//! The decoder: an index over a few bits of the word, a table of rows, a truth table for the rules.
//!
//! ```text
//! static INDEX: [u16; 8192] = …;      // opcode bits → row
//! static ROWS: [Row<Word>; 321] = …;  // mask, value, form, instruction
//! static RULES: [[u64; 4]; 9] = …;    // one bit for each value of the bits that most rules are about
//! pub fn decode(word: Word) -> Result<Insn, DecodeError>;
//! ```

use super::Cx;
use super::docs::doc;
use super::sets::{MAX_WORD, cubes, gather, gather_code, hex, list, restrict, scatter, test, window};
use isa_spec::bits::ranges;
use isa_spec::model::{Form, Word};
use isa_spec::sets::{Cube, WordSet};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{HashMap, HashSet};

/// The index has at most so many bits.
const INDEX_BITS: u32 = 14;
/// The truth table of rules is over at most so many bits.
const RULE_BITS: u32 = 10;

/// The tables and functions; with `form_of` if anything asks for the form of a word that is legal.
pub(super) fn decoder(cx: &Cx<'_>, form_of: bool) -> TokenStream {
    let mut rows = Rows::default();
    let indices: Vec<TokenStream> = lengths(cx).into_iter().map(|l| index(cx, l, &mut rows)).collect();
    let rules = Rules::new(cx, &rows);
    let row_table = rules.rows(cx, &rows);
    let (rule_tables, legal) = rules.tables(cx);
    let functions = functions(cx, &rows, &legal, form_of);
    quote! {
        #(#indices)*
        #row_table
        #rule_tables
        #functions
    }
}

/// The lengths that forms have, ascending.
pub(super) fn lengths(cx: &Cx<'_>) -> Vec<u32> {
    let lengths: std::collections::BTreeSet<u32> = cx.isa.forms.iter().map(|f| f.length).collect();
    lengths.into_iter().collect()
}

fn index_name(cx: &Cx<'_>, length: u32) -> Ident {
    if cx.several { format_ident!("INDEX_{length}") } else { format_ident!("INDEX") }
}

fn gather_name(cx: &Cx<'_>, length: u32) -> Ident {
    if cx.several { format_ident!("index_bits_{length}") } else { format_ident!("index_bits") }
}

/// `static INDEX: [u16; N] = isa_runtime::table::index(&[…]);`
fn index(cx: &Cx<'_>, length: u32, rows: &mut Rows) -> TokenStream {
    let rt = &cx.rt;
    let mut forms: Vec<&Form> = cx.isa.forms.iter().filter(|f| f.length == length).collect();
    // Most special first: a form has more forms inside it than each of these has. How many bits are fixed says nothing: values of
    // an enumeration and exclusions make a form small, too.
    forms.sort_by_cached_key(|f| (inside(cx, f), std::cmp::Reverse(f.mask.count_ones()), f.id));
    let mask = index_mask(&forms);
    let at = |f: &Form| (gather(mask, f.mask), gather(mask, f.value));
    let mut entries = Vec::new();
    for chain in chains(&forms, mask) {
        let (mask, value) = at(chain[0]);
        let row = rows.chain(&chain);
        let [mask, value, row] = [mask, value, row.into()].map(|n: Word| Literal::u128_unsuffixed(n.low()));
        entries.push(quote!((#mask, #value, #row)));
    }
    // Later entries overwrite earlier ones, so the most special form goes last.
    entries.reverse();
    let (name, function) = (index_name(cx, length), gather_name(cx, length));
    let size = Literal::usize_unsuffixed(1 << mask.count_ones());
    let word = quote!(word);
    let gather = if mask.is_zero() { quote!(0) } else { gather_code(mask, &word) };
    let bits = ranges(mask).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let docs = doc(&format!("The row for each value of bits {bits}."));
    let about = doc(&format!("Bits {bits}, side by side."));
    let argument = if mask.is_zero() { quote!(_) } else { quote!(word) };
    quote! {
        #docs
        static #name: [u16; #size] = #rt::index(&[#(#entries),*]);

        #about
        #[inline(always)]
        fn #function(#argument: Word) -> usize {
            (#gather) as usize
        }
    }
}

/// How many forms lie inside one, those inside of others among them.
fn inside(cx: &Cx<'_>, form: &Form) -> usize {
    let mut found = HashSet::new();
    let mut rest = vec![form];
    while let Some(form) = rest.pop() {
        rest.extend(form.specialised_by.iter().filter(|id| found.insert(**id)).map(|id| cx.isa.form(*id)));
    }
    found.len()
}

/// The bits that tell forms apart: first those that all forms fix, since they tell most; then others that still tell many.
/// What lies between them is taken along if that makes fewer pieces to gather.
fn index_mask(forms: &[&Form]) -> Word {
    let mut pairs: Vec<Word> = Vec::new();
    for (i, a) in forms.iter().enumerate() {
        pairs.extend(forms[i + 1..].iter().map(|b| (a.value ^ b.value) & a.mask & b.mask));
    }
    pairs.retain(|p| !p.is_zero());
    let common = forms.iter().fold(Word::MAX, |m, f| m & f.mask);
    let mut mask = take_bits(&mut pairs, common, Word::ZERO, 1);
    // A bit that not all forms fix makes some of them stand in several places: it must be worth that.
    let worth = (forms.len() / 8).max(1);
    mask = take_bits(&mut pairs, Word::MAX, mask, worth);
    loop {
        let runs = ranges(mask);
        let gaps = runs.windows(2).map(|w| (w[0].lo - w[1].hi - 1, w[1].hi + 1));
        match gaps.min() {
            Some((width, lo)) if width <= 3 && mask.count_ones() + width <= INDEX_BITS => mask |= Word::ones(width) << lo,
            _ => return shorten_chains(forms, mask),
        }
    }
}

/// Adds bits as long as each makes the longest chain of rows shorter: every word pays for its length.
fn shorten_chains(forms: &[&Form], mut mask: Word) -> Word {
    let mut length = chains(forms, mask).map(|c| c.len()).max().unwrap_or(0);
    while mask.count_ones() < INDEX_BITS {
        let longest = chains(forms, mask).filter(|c| c.len() == length);
        let apart = |a: &Form, b: &Form| (a.value ^ b.value) & a.mask & b.mask;
        let bits =
            longest.flat_map(|c| c.windows(2).map(|w| apart(w[0], w[1])).collect::<Vec<_>>()).fold(Word::ZERO, |m, b| m | b);
        let candidates = (0..MAX_WORD).map(|i| mask | Word::bit(i)).filter(|m| !((*m ^ mask) & bits).is_zero());
        let longest_with = |mask| chains(forms, mask).map(|c| c.len()).max().unwrap_or(0);
        match candidates.map(|m| (longest_with(m), m)).min() {
            Some((shorter, with)) if shorter < length => (length, mask) = (shorter, with),
            _ => break,
        }
    }
    mask
}

/// For each form the chain that begins with it: forms after it that words with the same index can belong to.
fn chains<'f>(forms: &'f [&'f Form], mask: Word) -> impl Iterator<Item = Vec<&'f Form>> {
    let meets = move |a: &Form, b: &Form| ((a.value ^ b.value) & a.mask & b.mask & mask).is_zero();
    let rest = move |i: usize| forms[i + 1..].iter().copied().filter(move |b| meets(forms[i], b));
    (0..forms.len()).map(move |i| std::iter::once(forms[i]).chain(rest(i)).collect())
}

/// Adds bits of `from` to the mask, those first that tell the most pairs apart, as long as each tells `worth` of them.
fn take_bits(pairs: &mut Vec<Word>, from: Word, mut mask: Word, worth: usize) -> Word {
    while mask.count_ones() < INDEX_BITS {
        let mut counts = [0usize; MAX_WORD as usize];
        for pair in pairs.iter() {
            for bit in (*pair & from).bits() {
                counts[bit as usize] += 1;
            }
        }
        // Of equally good bits one beside those that are taken already.
        let near = |i: u32| mask.has(i + 1) || i > 0 && mask.has(i - 1);
        match (0..MAX_WORD).max_by_key(|i| (counts[*i as usize], near(*i))).filter(|i| counts[*i as usize] >= worth) {
            Some(best) => {
                mask |= Word::bit(best);
                pairs.retain(|p| !p.has(best));
            }
            None => break,
        }
    }
    mask
}

/// The rows, as chains that share their ends: each a list of forms, and the number of the row of its rest.
#[derive(Default)]
struct Rows {
    rows: Vec<(Vec<usize>, u16)>,
    known: HashMap<Vec<usize>, u16>,
}

impl Rows {
    /// The row at which a chain of forms begins.
    fn chain(&mut self, forms: &[&Form]) -> u16 {
        let Some((_, rest)) = forms.split_first() else { return 0 };
        let key: Vec<usize> = forms.iter().map(|f| f.id.index()).collect();
        if let Some(row) = self.known.get(&key) {
            return *row;
        }
        let next = self.chain(rest);
        self.rows.push((key.clone(), next));
        // Row 0 is the hole.
        let row = u16::try_from(self.rows.len()).expect("a table of forms has fewer than 65,536 rows");
        self.known.insert(key, row);
        row
    }
}

/// What makes words of each row's form legal, sorted by how it is checked.
struct Rules {
    /// The bits of the truth table.
    bits: Word,
    rows: Vec<RowRules>,
    classes: Vec<Vec<u64>>,
    extras: Vec<Vec<WordSet>>,
}

struct RowRules {
    /// What the mask check looks at: the fixed bits, and as much of the rules as can be.
    mask: Cube,
    class: usize,
    extra: usize,
}

impl Rules {
    fn new(cx: &Cx<'_>, rows: &Rows) -> Self {
        let factors: Vec<Vec<WordSet>> = cx.isa.forms.iter().map(factors).collect();
        let hulls: Vec<Cube> = cx.isa.forms.iter().zip(&factors).map(|(f, sets)| hull_of(f, sets)).collect();
        let masks: Vec<Cube> = rows.rows.iter().map(|(chain, _)| mask_of(cx, chain, &hulls)).collect();
        let rest = |(chain, _): &(Vec<usize>, u16), mask: &Cube| -> Vec<(WordSet, Word)> {
            let sets = factors[chain[0]].iter().map(|s| restrict(s, mask.mask, mask.value)).filter(|s| !s.is_all());
            sets.map(|s| (s.clone(), s.support())).collect()
        };
        let lists: Vec<Vec<(WordSet, Word)>> = rows.rows.iter().zip(&masks).map(|(row, mask)| rest(row, mask)).collect();
        let bits = truth_bits(&lists);
        let mut rules = Self { bits, rows: Vec::new(), classes: Vec::new(), extras: vec![Vec::new()] };
        let mut tables: HashMap<WordSet, Vec<u64>> = HashMap::new();
        let open = rules.truth(|_| true);
        rules.classes.push(open.clone());
        for (mask, factors) in masks.into_iter().zip(lists) {
            let (table, extra): (Vec<_>, Vec<_>) = factors.into_iter().partition(|(_, support)| (*support & !bits).is_zero());
            let mut class = open.clone();
            for (set, _) in table {
                // Rules repeat from form to form.
                let table = tables.entry(set.clone()).or_insert_with(|| rules.truth(|word| set.contains(word)));
                class.iter_mut().zip(table).for_each(|(a, b)| *a &= *b);
            }
            let class = intern(&mut rules.classes, class);
            let extra = intern(&mut rules.extras, extra.into_iter().map(|(set, _)| set).collect());
            rules.rows.push(RowRules { mask, class, extra });
        }
        rules
    }

    /// `static ROWS: [Row<Word>; 321] = …;`
    fn rows(&self, cx: &Cx<'_>, rows: &Rows) -> TokenStream {
        let rt = &cx.rt;
        let len = Literal::usize_unsuffixed(rows.rows.len() + 1);
        let rows = rows.rows.iter().zip(&self.rows).map(|((chain, next), rules)| {
            let form = &cx.isa.forms[chain[0]];
            let (mask, value, name) = (hex(rules.mask.mask), hex(rules.mask.value), &cx.names.forms[form.id.index()]);
            let [insn, class, extra, next] =
                [form.instruction.0, rules.class as u32, rules.extra as u32, u32::from(*next)].map(Literal::u32_unsuffixed);
            quote! {
                #rt::Row {
                    mask: #mask, value: #value, form: Form::#name, insn: #insn, class: #class, extra: #extra, next: #next
                }
            }
        });
        let any = &cx.names.forms[0];
        quote! {
            /// What the index points to; the first row is that of words that are nothing.
            static ROWS: [#rt::Row<Word, Form>; #len] = [#rt::hole!(Form::#any), #(#rows),*];
        }
    }

    /// One bit for each value of the bits of the truth table.
    fn truth(&self, holds: impl Fn(Word) -> bool) -> Vec<u64> {
        let values = 1usize << self.bits.count_ones();
        let row = 1 << low_bits(self.bits);
        let mut table = vec![0; values.div_ceil(row)];
        for value in (0..values).filter(|v| holds(scatter(self.bits, Word::from(*v as u64)))) {
            table[value / row] |= 1 << (value % row);
        }
        table
    }

    /// The tables, and the condition `word` is legal for `row`.
    fn tables(&self, cx: &Cx<'_>) -> (TokenStream, TokenStream) {
        let rt = &cx.rt;
        let mut tables = TokenStream::new();
        let mut conditions = Vec::new();
        if self.classes.len() > 1 {
            let (classes, size) =
                (Literal::usize_unsuffixed(self.classes.len()), Literal::usize_unsuffixed(self.classes[0].len()));
            let rows = self.classes.iter().map(|c| {
                let words = c.iter().map(|w| hex(*w));
                quote!([#(#words),*])
            });
            let bits = ranges(self.bits).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let docs = doc(&format!("For each class of forms one bit for each value of bits {bits}: whether it is legal."));
            let low = low_bits(self.bits);
            let ty = format_ident!("u{}", (1u32 << low).max(8));
            let within = scatter(self.bits, Word::ones(low));
            let [row, bit] = [self.bits & !within, within].map(|bits| match bits.is_zero() {
                true => quote!(0),
                false => gather_code(bits, &quote!(word)),
            });
            tables.extend(quote! {
                #docs
                static RULES: [[#ty; #size]; #classes] = [#(#rows),*];

                /// Whether the word keeps the rules of its class.
                #[inline(always)]
                fn keeps_rules(class: u16, word: Word) -> bool {
                    let (row, bit) = (#row, #bit);
                    RULES[class as usize][row as usize] >> bit & 1 == 1
                }
            });
            conditions.push(quote!(keeps_rules(row.class, word)));
        }
        if self.extras.len() > 1 {
            let len = Literal::usize_unsuffixed(self.extras.len());
            let lists = self.extras.iter().map(|sets| {
                let checks = sets.iter().map(|set| match window(set) {
                    Some((range, table)) => {
                        let (hi, lo, table) = (Literal::u32_unsuffixed(range.hi), Literal::u32_unsuffixed(range.lo), hex(table));
                        quote!(#rt::Check::Window { hi: #hi, lo: #lo, table: #table })
                    }
                    None => {
                        let cubes = cubes(&list(set), rt);
                        quote!(#rt::Check::Cubes(#cubes))
                    }
                });
                quote!(&[#(#checks),*])
            });
            tables.extend(quote! {
                /// Checks of single forms.
                static CHECKS: [&[#rt::Check]; #len] = [#(#lists),*];
            });
            conditions.push(quote!((row.extra == 0 || CHECKS[row.extra as usize].iter().all(|c| c.passes(word)))));
        }
        (tables, quote!(#(&& #conditions)*))
    }
}

/// How many of the lowest bits of a truth table number the bits of its integers, so that those of one run stay together.
fn low_bits(bits: Word) -> u32 {
    const MOST: u32 = 6;
    let mut taken = 0;
    for run in ranges(bits).iter().rev() {
        match taken + run.width() {
            more if more <= MOST => taken = more,
            _ => break,
        }
    }
    // One run that is longer has to be cut.
    if taken < 3 { MOST.min(bits.count_ones()) } else { taken }
}

fn intern<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|i| *i == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// The rules and exclusions of a form, as sets that its legal words are in.
fn factors(form: &Form) -> Vec<WordSet> {
    let rules = form.constraints.iter().map(|c| restrict(&c.that.words, form.mask, form.value));
    let excluded = form.exclusions.iter().map(|e| restrict(&e.when.words, form.mask, form.value).complement());
    rules.chain(excluded).filter(|s| !s.is_all()).collect()
}

/// What all legal words of a form have alike, as far as single rules say it.
fn hull_of(form: &Form, factors: &[WordSet]) -> Cube {
    let own = Cube::new(form.mask, form.value);
    factors.iter().filter(|s| !s.is_empty()).fold(own, |all, set| all.intersect(set.hull()).unwrap_or(all))
}

/// What the mask check of a row looks at: what all legal words of its form have alike. A word that fails it goes on to the
/// next row, so of what isn't fixed in the form it looks only at what all further forms look at as well.
fn mask_of(cx: &Cx<'_>, chain: &[usize], hulls: &[Cube]) -> Cube {
    let (form, hull) = (&cx.isa.forms[chain[0]], hulls[chain[0]]);
    let shared = chain[1..].iter().fold(Word::MAX, |m, f| m & hulls[*f].mask & !(hulls[*f].value ^ hull.value));
    Cube::new(hull.mask & (form.mask | shared), hull.value)
}

/// The bits that the rules of the most forms are about.
fn truth_bits(lists: &[Vec<(WordSet, Word)>]) -> Word {
    let mut counts: HashMap<Word, usize> = HashMap::new();
    for (_, support) in lists.iter().flatten() {
        *counts.entry(*support).or_default() += 1;
    }
    let mut supports: Vec<(Word, usize)> = counts.into_iter().collect();
    supports.sort_by_key(|(support, count)| (std::cmp::Reverse(*count), support.count_ones(), *support));
    supports
        .into_iter()
        .fold(Word::ZERO, |bits, (support, _)| if (bits | support).count_ones() <= RULE_BITS { bits | support } else { bits })
}

/// `decode` and what it is made of.
fn functions(cx: &Cx<'_>, rows: &Rows, legal: &TokenStream, form_of: bool) -> TokenStream {
    let rt = &cx.rt;
    let longest = rows.rows.iter().map(|(chain, _)| chain.len()).max().unwrap_or(0);
    let row_of = if longest > 1 {
        quote! {
            /// The row that the index names, or the one after it if the word is none of the first.
            // Which of the two is as good as random from word to word, so there is no jump.
            #[inline(always)]
            fn row_of(first: u16, word: Word) -> &'static #rt::Row<Word, Form> {
                let row = &ROWS[first as usize];
                let is_first = word & row.mask == row.value;
                &ROWS[::core::hint::select_unpredictable(is_first, first, row.next) as usize]
            }
        }
    } else {
        quote! {
            /// The row that the index names.
            #[inline(always)]
            fn row_of(first: u16, _: Word) -> &'static #rt::Row<Word, Form> {
                &ROWS[first as usize]
            }
        }
    };
    let (mutable, further) = if longest > 2 {
        let further = quote! {
            while word & row.mask != row.value && row.next != 0 {
                row = &ROWS[row.next as usize];
            }
        };
        (quote!(mut), further)
    } else {
        Default::default()
    };
    let lengths = lengths(cx);
    let (parameter, argument) = if cx.several { (quote!(, bits: u32), quote!(, bits)) } else { (quote!(), quote!()) };
    let literals: Vec<Literal> = lengths.iter().map(|l| Literal::u32_unsuffixed(*l)).collect();
    let reads: Vec<TokenStream> = lengths
        .iter()
        .map(|l| {
            let (index, gather) = (index_name(cx, *l), gather_name(cx, *l));
            quote!(#index[#gather(word)])
        })
        .collect();
    let too_long = |length: u32| {
        let shift = Literal::u32_unsuffixed(length);
        (length < cx.word_bits).then(|| quote!(word >> #shift != 0))
    };
    let (first, of_length) = if cx.several {
        let arms = lengths.iter().zip(&literals).zip(&reads).map(|((l, literal), read)| {
            let check = too_long(*l).map(|t| quote!(#literal if #t => return Err(#rt::DecodeError::TooLong { bits }),));
            quote!(#check #literal => #read,)
        });
        let plain = literals.iter().zip(&reads).map(|(l, r)| quote!(#l => #r,));
        (
            quote! { match bits { #(#arms)* _ => return Err(#rt::DecodeError::Length { bits }), } },
            quote! { match bits { #(#plain)* _ => 0, } },
        )
    } else {
        let check = too_long(lengths[0]).map(|t| {
            quote! { if #t { return Err(#rt::DecodeError::TooLong { bits: BITS }); } }
        });
        let read = &reads[0];
        (quote! { { #check #read } }, read.clone())
    };
    let bits = if cx.several { quote!(bits) } else { quote!(BITS) };
    let length_of = length_of(cx);
    let form_of = form_of.then(|| {
        quote! {
            /// The form of a word that is known to be legal.
            #[inline]
            fn form_of(word: Word #parameter) -> Form {
                let mut row = row_of(#of_length, word);
                // Being legal, the word is none of a form that would not have it.
                while !(word & row.mask == row.value #legal) && row.next != 0 {
                    row = &ROWS[row.next as usize];
                }
                row.form
            }
        }
    });
    let tag = tag(cx);
    let several_doc = if cx.several { " of so many bits" } else { "" };
    let decode_doc = doc(&format!(
        "The instruction that a word{several_doc} is.\n\n# Errors\nEvery word is an instruction or an error that says why it is none."
    ));
    let form_doc =
        doc(&format!("The form of a word{several_doc}: decoding without the typed instruction.\n\n# Errors\nAs for [`decode`]."));
    let decode_word =
        if cx.several { quote!(decode_form(Word::narrow(word), length)) } else { quote!(decode_form(Word::narrow(word))) };
    let length_parameter = if cx.several { quote!(length) } else { quote!(_) };
    // Where there is text alone, words are decoded by simulators only.
    let (public, unused) = if cx.isa.is_text() { (quote!(), quote!(#[allow(dead_code)])) } else { (quote!(pub), quote!()) };
    quote! {
        #row_of

        /// The row of a word, if the word is legal.
        #[inline(always)]
        fn identify(word: Word #parameter) -> Result<&'static #rt::Row<Word, Form>, #rt::DecodeError> {
            let first = #first;
            let #mutable row = row_of(first, word);
            #further
            if word & row.mask == row.value #legal {
                return Ok(row);
            }
            // What is wrong, or another form that has the word since this one excludes it, is found out more slowly.
            TABLES.resolve(&ROWS, first, word, #bits)
        }

        #form_of

        #decode_doc
        // Inlined, the tag and the word stay in registers; returned, they would go through memory.
        #[inline(always)]
        #unused
        #public fn decode(word: Word #parameter) -> Result<Insn, #rt::DecodeError> {
            let row = identify(word #argument)?;
            Ok(tagged(row.insn, word #argument))
        }

        #form_doc
        #[inline(always)]
        #public fn decode_form(word: Word #parameter) -> Result<Form, #rt::DecodeError> {
            let row = identify(word #argument)?;
            Ok(row.form)
        }

        /// The same for the matcher, which knows no types.
        fn form_number(word: u128, #length_parameter: u32) -> Result<u16, #rt::DecodeError> {
            Ok(#decode_word? as u16)
        }

        #length_of

        #tag
    }
}

/// `pub fn length_of(unit: u32) -> Option<u32>`
fn length_of(cx: &Cx<'_>) -> Option<TokenStream> {
    if !cx.several {
        return None;
    }
    let unit = Literal::u32_unsuffixed(cx.isa.words.unit);
    let arms = cx.isa.words.lengths.iter().map(|l| {
        let (test, bits) = (test(&l.prefix, &quote!(unit)), Literal::u32_unsuffixed(l.bits));
        quote! { if #test { return Some(#bits); } }
    });
    let docs = doc(&format!("Bits of the word whose first unit of {unit} bits in the stream is this."));
    Some(quote! {
        #docs
        pub fn length_of(unit: Word) -> Option<u32> {
            #(#arms)*
            None
        }
    })
}

/// The instruction as a tag beside its word. The tags are the instructions' numbers, so that all of it is a store.
fn tag(cx: &Cx<'_>) -> TokenStream {
    let last = cx.isa.instructions.len() - 1;
    let parameter = cx.several.then(|| if cx.has_mixed() { quote!(, bits: u32) } else { quote!(, _: u32) });
    let arms = cx.isa.instructions.iter().map(|insn| {
        let name = &cx.names.instructions[insn.id.index()];
        let length = cx.is_mixed(insn).then(|| quote!(, bits as u8));
        let number = Literal::usize_unsuffixed(insn.id.index());
        let pattern = if insn.id.index() == last { quote!(_) } else { quote!(#number) };
        quote!(#pattern => Insn::#name(#name(word #length)),)
    });
    quote! {
        #[inline(always)]
        fn tagged(insn: u16, word: Word #parameter) -> Insn {
            match insn { #(#arms)* }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_spec::sets::{Order, Solver};

    #[test]
    fn rules_as_simple_as_a_mask_join_it() {
        let order = Order::descending(Word::BITS);
        let mut solver = Solver::new(&order);
        let low = Word::ones(2);
        let mut cube = |mask, value: u32| {
            let set = solver.cube(Cube::new(mask, value.into())).unwrap();
            vec![(solver.freeze(set), mask)]
        };
        let lists = [cube(low, 1), cube(low, 2), cube(Word::MAX, 0)];
        assert_eq!(truth_bits(&lists), low);
        assert_eq!(intern(&mut vec![1, 2], 2), 1);
    }
}
