//! Tree to declarations: every key is known, every value has the right shape. Names and small languages come later.
//!
//! Each file has the tables of keys ([`crate::keys`]) of what it reads.

mod access;
mod assembly;
mod codes;
mod declarations;
mod documents;
mod enums;
mod field;
mod ident;
pub mod machine;
mod part;
mod registers;
mod spec;
mod words;

pub use declarations::*;
pub(crate) use spec::spec;

use crate::keys::Listing;

/// True if a specification can have a section of this name.
pub(crate) fn is_section(name: &str) -> bool {
    spec::SPEC.has(name)
}

/// The keys of a specification, of the whole first; those of its machine are not among them.
pub(crate) fn listings() -> Vec<Listing> {
    let mut list: Vec<Listing> = vec![(&spec::SPEC).into()];
    list.extend(assembly::listings());
    list.extend(words::listings());
    list.extend(documents::listings());
    list.extend([registers::listings(), enums::listings(), codes::listings(), part::listings(), field::listings()].concat());
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Reader;
    use isa_model::diag::Diagnostics;
    use isa_model::span::FileId;

    /// The declarations in a text, and the messages about it with their places.
    fn read(text: &str) -> (Spec, Vec<String>) {
        let mut diags = Diagnostics::default();
        let node = crate::yaml::parse(text, FileId(0)).expect("it is YAML");
        let spec = spec(&mut Reader::new(&mut diags), &node);
        let show = |d: isa_model::diag::Diagnostic| format!("{}: {}", &text[d.span().range()], d.message);
        (spec, diags.into_sorted().into_iter().map(show).collect())
    }

    #[test]
    fn a_specification_is_declared() {
        let text = "\
isa: t
word: { unit: 16, order: high-first, lengths: { 16: 'prefix[0] == 0', 32: 'prefix[0] == 1' } }
numbers: dec
prefer: shortest
sources: { doc: { title: Manual, by: me, licence: MIT } }
registers: { X: { index: 5, width: 32, text: 'x{n}', special: { 8: { text: s0, also: [fp] } } } }
enums: { E: { 0: a, 2: { text: b, also: c }, else: 'e{n}' } }
formats: { r: { fields: { rd: 11..7 X, f: { is: 14..12, name: funct } }, rest: reserved } }
instructions:
  add: { extends: r, fix: { 6..0: 51 }, not: rd == 0, constraints: [{ that: rd != 1, why: odd }], text: 'add {rd}' }
";
        let (spec, found) = read(text);
        assert_eq!(found, Vec::<String>::new());
        let word = spec.word.expect("it says how wide its words are");
        assert_eq!((word.unit, word.low_first, word.little_endian), (16, false, true));
        assert_eq!(word.lengths.iter().map(|l| l.0).collect::<Vec<_>>(), [16, 32]);
        assert_eq!((spec.shortest, spec.sources[0].note.as_str()), (true, "me; MIT"));
        let x = &spec.registers[0];
        assert_eq!((x.index, x.width, x.special[0].0, x.special[0].2.value.as_str()), (5, 32, 8, "s0"));
        assert_eq!(x.also.iter().map(|(n, name)| (*n, name.value.as_str())).collect::<Vec<_>>(), [(8, "fp")]);
        let values: Vec<_> = spec.enums[0].values.iter().map(|v| (v.value, v.text.value.as_str(), v.also.len())).collect();
        assert_eq!(values, [(0, "a", 0), (2, "b", 1)]);
        let fields = &spec.formats[0].1.fields;
        let shown: Vec<_> =
            fields.iter().map(|f| (f.name.value.as_str(), f.entry.value.as_str(), f.rust_name.as_deref())).collect();
        assert_eq!(shown, [("rd", "11..7 X", None), ("f", "14..12", Some("funct"))]);
        let add = &spec.instructions[0].1;
        assert_eq!((add.not[0].value.as_str(), add.constraints[0].why.as_str()), ("rd == 0", "odd"));
        assert_eq!(
            add.text.iter().map(|(when, is)| (when.is_some(), is.value.as_str())).collect::<Vec<_>>(),
            [(false, "add {rd}")]
        );
    }

    #[test]
    fn one_slip_is_one_finding() {
        let whole = |part: &str| format!("isa: t\nword: 8\n{part}\ninstructions: {{ A: {{ fix: {{ 7..0: 1 }}, text: A }} }}\n");
        for (part, message) in [
            ("numbrs: dec", "numbrs: a specification has no `numbrs`"),
            ("registers: { X: { idnex: 3 } }", "idnex: a register file has no `idnex`"),
            (
                "registers: { X: { width: 3 } }",
                "X: register file `X` has no `index`, the number of bits that select a register: `index: 5`",
            ),
            ("numbers: oct", "oct: `numbers` is hex or dec"),
            (
                "formats: { f: { constraints: [{ why: so }] } }",
                "why: so: a constraint needs `that`, the condition that must hold: `that: condition`",
            ),
            ("formats: { f: { length: 0 } }", "0: `length` is a number from 1 to 256"),
            (
                "formats: { f: { fields: { a: { is: 1, name: 1x } } } }",
                "1x: `1x` is not a name for Rust: it has letters, digits and `_`, and does not begin with a digit",
            ),
        ] {
            assert_eq!(read(&whole(part)).1, [message], "{part}");
        }
    }

    /// The reference prints these lines: a key is documented where it is declared.
    #[test]
    fn every_key_says_what_it_is() {
        for listing in listings() {
            for row in &listing.rows {
                assert!(!row.doc.is_empty() && !row.value.is_empty(), "{}: {}", listing.what, row.name);
            }
        }
    }
}
