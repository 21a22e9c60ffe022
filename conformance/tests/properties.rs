//! The reference codec and the generated code are two implementations of one meaning: on random words of every form, on wholly
//! random words, and on the texts of both, damaged and not, they agree; and each gives back what it was given.

use conformance::{agree, agree_text, generated, generated_text};
use std::path::Path;

/// The specs of `specs/accepted`, compiled.
mod accepted {
    use isa_macros::define_isa;

    define_isa!("specs/accepted/aliases.yaml");
    define_isa!("specs/accepted/as-printed.yaml");
    define_isa!("specs/accepted/bits-kept.yaml");
    define_isa!("specs/accepted/bitset.yaml");
    define_isa!("specs/accepted/chain.yaml");
    define_isa!("specs/accepted/choices.yaml");
    define_isa!("specs/accepted/composed.yaml");
    define_isa!("specs/accepted/coupled-choices.yaml");
    define_isa!("specs/accepted/enum-else.yaml");
    define_isa!("specs/accepted/enum-else-hex.yaml");
    define_isa!("specs/accepted/extended.yaml");
    define_isa!("specs/accepted/fields-compared.yaml");
    define_isa!("specs/accepted/fixed-fields.yaml");
    define_isa!("specs/accepted/floats.yaml");
    define_isa!("specs/accepted/formats.yaml");
    define_isa!("specs/accepted/halves.yaml");
    define_isa!("specs/accepted/includes.yaml");
    define_isa!("specs/accepted/inverted.yaml");
    define_isa!("specs/accepted/layouts.yaml");
    define_isa!("specs/accepted/letters.yaml");
    define_isa!("specs/accepted/lengths-high-first.yaml");
    define_isa!("specs/accepted/lengths-low-first.yaml");
    define_isa!("specs/accepted/names-around-names.yaml");
    define_isa!("specs/accepted/numbers.yaml");
    define_isa!("specs/accepted/odd-names.yaml");
    define_isa!("specs/accepted/open-specialisation.yaml");
    define_isa!("specs/accepted/optional-parameters.yaml");
    define_isa!("specs/accepted/rules.yaml");
    define_isa!("specs/accepted/space.yaml");
    define_isa!("specs/accepted/split-field.yaml");
    define_isa!("specs/accepted/targets.yaml");
    define_isa!("specs/accepted/text-alone.yaml");
    define_isa!("specs/accepted/text-variants.yaml");
    define_isa!("specs/accepted/texts-around-texts.yaml");
    define_isa!("specs/accepted/three-forms.yaml");
    define_isa!("specs/accepted/told-apart-by-an-enum.yaml");
    define_isa!("specs/accepted/told-apart-by-not.yaml");
    define_isa!("specs/accepted/whole-word.yaml");
    define_isa!("specs/accepted/wide-fields.yaml");
    define_isa!("specs/accepted/width-list.yaml");
    define_isa!("specs/accepted/written-in-several-ways.yaml");
}

/// A test for each spec, and the list of the specs that have one.
macro_rules! agree {
    ($($test:ident: $file:literal, $per_form:literal per form, $random:literal random, $generated:expr;)*) => {
        const AGREE: &[&str] = &[$($file),*];
        $(#[test]
        fn $test() {
            agree($file, $per_form, $random, &$generated);
        })*
    };
}

agree! {
    aliases: "specs/accepted/aliases.yaml", 100 per form, 100 random, generated!(accepted::aliases);
    as_printed: "specs/accepted/as-printed.yaml", 300 per form, 300 random, generated!(accepted::as_printed);
    bits_kept: "specs/accepted/bits-kept.yaml", 300 per form, 300 random, generated!(accepted::bits_kept);
    bitset: "specs/accepted/bitset.yaml", 100 per form, 100 random, generated!(accepted::bitset);
    chain: "specs/accepted/chain.yaml", 20 per form, 20 random, generated!(accepted::chain);
    choices: "specs/accepted/choices.yaml", 50 per form, 100 random, generated!(accepted::choices);
    composed: "specs/accepted/composed.yaml", 100 per form, 100 random, generated!(accepted::composed);
    coupled_choices: "specs/accepted/coupled-choices.yaml", 50 per form, 100 random, generated!(accepted::coupled_choices);
    enum_else: "specs/accepted/enum-else.yaml", 100 per form, 100 random, generated!(accepted::enum_else);
    enum_else_hex: "specs/accepted/enum-else-hex.yaml", 300 per form, 300 random, generated!(accepted::enum_else_hex);
    extended: "specs/accepted/extended.yaml", 100 per form, 100 random, generated!(accepted::extended);
    fields_compared: "specs/accepted/fields-compared.yaml", 100 per form, 100 random, generated!(accepted::fields_compared);
    fixed_fields: "specs/accepted/fixed-fields.yaml", 100 per form, 100 random, generated!(accepted::fixed_fields);
    floats: "specs/accepted/floats.yaml", 100 per form, 100 random, generated!(accepted::floats);
    formats: "specs/accepted/formats.yaml", 300 per form, 300 random, generated!(accepted::formats);
    halves: "specs/accepted/halves.yaml", 300 per form, 300 random, generated!(accepted::halves);
    includes: "specs/accepted/includes.yaml", 30 per form, 30 random, generated!(accepted::includes);
    inverted: "specs/accepted/inverted.yaml", 100 per form, 100 random, generated!(accepted::inverted);
    layouts: "specs/accepted/layouts.yaml", 100 per form, 100 random, generated!(accepted::layouts);
    letters: "specs/accepted/letters.yaml", 300 per form, 300 random, generated!(accepted::letters);
    lengths_high_first: "specs/accepted/lengths-high-first.yaml", 100 per form, 100 random, generated!(accepted::lengths_high_first);
    lengths_low_first: "specs/accepted/lengths-low-first.yaml", 100 per form, 100 random, generated!(accepted::lengths_low_first);
    numbers: "specs/accepted/numbers.yaml", 300 per form, 300 random, generated!(accepted::numbers);
    odd_names: "specs/accepted/odd-names.yaml", 300 per form, 300 random, generated!(accepted::odd_names);
    open_specialisation: "specs/accepted/open-specialisation.yaml", 100 per form, 100 random, generated!(accepted::open_specialisation);
    optional_parameters: "specs/accepted/optional-parameters.yaml", 100 per form, 100 random, generated!(accepted::optional_parameters);
    rules: "specs/accepted/rules.yaml", 200 per form, 200 random, generated!(accepted::rules);
    space: "specs/accepted/space.yaml", 100 per form, 300 random, generated!(accepted::space);
    split_field: "specs/accepted/split-field.yaml", 300 per form, 300 random, generated!(accepted::split_field);
    targets: "specs/accepted/targets.yaml", 300 per form, 300 random, generated!(accepted::targets);
    text_variants: "specs/accepted/text-variants.yaml", 500 per form, 300 random, generated!(accepted::text_variants);
    texts_around_texts: "specs/accepted/texts-around-texts.yaml", 400 per form, 300 random, generated!(accepted::texts_around_texts);
    three_forms: "specs/accepted/three-forms.yaml", 10 per form, 20 random, generated!(accepted::three_forms);
    told_apart_by_an_enum: "specs/accepted/told-apart-by-an-enum.yaml", 20 per form, 20 random, generated!(accepted::told_apart_by_an_enum);
    told_apart_by_not: "specs/accepted/told-apart-by-not.yaml", 20 per form, 20 random, generated!(accepted::told_apart_by_not);
    whole_word: "specs/accepted/whole-word.yaml", 200 per form, 200 random, generated!(accepted::whole_word);
    wide_fields: "specs/accepted/wide-fields.yaml", 200 per form, 200 random, generated!(accepted::wide_fields);
    width_list: "specs/accepted/width-list.yaml", 300 per form, 300 random, generated!(accepted::width_list);
    written_in_several_ways: "specs/accepted/written-in-several-ways.yaml", 300 per form, 300 random, generated!(accepted::written_in_several_ways);
}

const TEXT_ALONE: [&str; 2] = ["specs/accepted/text-alone.yaml", "specs/accepted/names-around-names.yaml"];

#[test]
fn text_alone() {
    agree_text(TEXT_ALONE[0], 300, &generated_text!(accepted::text_alone));
    agree_text(TEXT_ALONE[1], 300, &generated_text!(accepted::names_around_names));
}

/// Wherever a body stands in a text, it is the same text.
#[test]
fn texts_around_texts_are_read() {
    let word = |text: &str| text.parse::<accepted::texts_around_texts::Insn>().map(|i| i.word()).map_err(|e| e.to_string());
    assert_eq!(word("old 0x3! one B r2 0x1"), Ok(0x3450_0102));
    assert_eq!(word("both y A 0x1, 0x5 and y A 0x1, 0x5"), Ok(0x0058_0105));
    assert_eq!(word("with AI 0x1, 0x0!3"), Ok(0x0c58_0100));
    assert_eq!(word("both x A 0x1, 0x5 and y A 0x1, 0x5"), Err("expected `x`, found `y`".to_owned()));
}

/// Every spec of `specs/accepted` has a test above.
#[test]
fn no_accepted_spec_is_forgotten() {
    let name = |path: &Path| path.file_name().expect("a file").to_string_lossy().into_owned();
    let mut tested: Vec<String> = AGREE.iter().chain(&TEXT_ALONE).map(|file| name(Path::new(file))).collect();
    tested.sort();
    let there: Vec<String> = conformance::yaml_files("specs/accepted").iter().map(|path| name(path)).collect();
    assert_eq!(tested, there);
}
