//! Spellings as graphs.

use super::load;
use isa_spec::model::ones;
use isa_spec::print::print_value;
use isa_spec::text_graph::{TextGraph, ascii};

#[test]
fn spellings_are_the_texts_that_are_printed() {
    let spec = "isa: t\nword: 64\nnumbers: dec\nmachine: { pc: 32 }\nregisters:\n  R: { index: 4, width: 8, text: \"r{n}x\", \
                special: { 3: zero } }\n  H: { index: 4, width: 8, text: \"h{n}\", halves: [ L, H ], special: { 15: top } }\nenums:\n  \
                E: { 0: \"\", 1: one, 5: five }\n  O: { 0: none, else: \"q{n:x}z\" }\ninstructions:\n  A:\n    fields:\n      \
                r: 3..0 R\n      h: 7..4 H inverted\n      e: 10..8 E\n      o: 15..11 O\n      f: 16 \".x\" inverted\n      \
                s: 19..17 \"abc\"\n      n: 24..20 signed *4 +1\n      u: 29..25 hex\n      t: 34..30 signed target(4)\n      \
                w: 39..35 target wraps\n      m: 44..40 wraps(7) *2\n    fix: { 63..45: 0 }\n    \
                text: \"A {r},{h},{e},{o},{f},{s},{n},{u},{t},{w},{m}\"\n";
    let spec = spec.replace("\"abc\"", "bitset \"abc\"");
    let isa = load(&spec);
    for field in &isa.forms[0].fields {
        let graph = TextGraph::of_field(field);
        let (first, is_nullable) = graph.first();
        let begins = first.iter().fold(0, |set, token| set | token.begins());
        let made = graph.ways().flat_map(|way| &way.tokens).fold(0, |set, token| set | token.made_of());
        let ends = graph.last().iter().fold(0, |set, token| set | token.made_of());
        let mut longest = 0;
        for raw in 0..=ones(field.code.width) {
            for address in [0, 0x1000, u64::MAX] {
                let mut text = String::new();
                print_value(&field.code, &field.spelling, raw, address, &mut text);
                let has_text = !text.starts_with('?');
                assert!(address != 0 || graph.text(raw).as_deref() == Some(&*text).filter(|_| has_text), "{text}");
                if !has_text {
                    continue;
                }
                longest = longest.max(text.len());
                let [first, last] = [&text[..text.len().min(1)], &text[text.len().saturating_sub(1)..]].map(ascii);
                assert!(!text.is_empty() || is_nullable, "{}", field.path);
                assert_eq!([first & !begins, ascii(&text) & !made, last & !ends], [0; 3], "{}: {text}", field.path);
            }
        }
        // Not all addresses are tried.
        let is_exact = field.code.shown_steps().is_empty();
        assert!(longest == graph.longest() || longest < graph.longest() && !is_exact, "{}", field.path);
    }
}
