//! The codes and spellings that a loaded specification has: what random specs are counted by.

use super::spec::{Cond, How, Meaning, Name, Part, Piece, ReadAs, Reading, Spec};
use isa_runtime::value::{Other, Role, Several, Spelling, Step, Style};
use isa_spec::model::{self, Enum, Field, Form, Isa, Label, RegisterFile, ones};
use std::collections::BTreeSet;

macro_rules! primitives {
    ($($name:ident $shown:literal,)*) => {
        /// A step of a code, a way to spell a value, or some of both in one field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Primitive {
            $(#[doc = $shown] $name,)*
        }

        impl Primitive {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }

        impl std::fmt::Display for Primitive {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Self::$name => $shown,)*
                })
            }
        }
    };
}

primitives! {
    Not "inverted",
    Sign "signed",
    Times "scaled",
    Plus "biased",
    Relative "a target",
    Page "a target that counts from the beginning of a page",
    Modulo "modulo a power of two",
    Mapped "a number by a code",
    MappedHole "bits without a number by a code",
    MappedLeast "several bits of one number, the least of which are assembled",
    MappedGreatest "several bits of one number, the greatest of which are assembled",
    Sums "a number whose bits are exclusive-ors of bits",
    Reading "a number that is computed from fields",
    ReadingTimes "a reading: a field times a number",
    ReadingModulo "a reading: modulo a power of two",
    ReadingModuloAll "a reading: modulo 2^64",
    ReadingRest "a reading: modulo another number",
    ReadingSeveral "a reading of several fields",
    ReadingJoined "a reading: fields that are joined",
    ReadingBits "a reading: & or >>",
    ReadingOfReading "a reading of a reading",
    ReadingBelowZero "a reading that can be below 0",
    ReadingTwins "a reading: several bits of one number",
    ReadingOfFormat "a reading of a field of a format",
    ReadingOfPart "a reading of a part of a register file",
    ReadingOfCode "a reading of a number by a code",
    ReadingRegister "a reading as a register",
    ReadingPart "a reading as a part of a register file",
    ReadingEnum "a reading as an enumeration",
    ReadingElse "a reading as an enumeration with else",
    ReadingFlag "a reading as a flag",
    ReadingBitset "a reading as a bitset",
    ReadingBare "a condition: a reading alone",
    ReadingEqual "a condition: a reading == a number",
    ReadingLess "a condition: a reading < a number",
    ReadingMost "a condition: a reading <= a number",
    ReadingRemainder "a condition: a reading % a number",
    ReadingAnd "a condition: a reading & a number",
    ReadingIn "a condition: a reading in some numbers",
    ReadingOneHot "a condition: onehot of a reading",
    ReadingWithField "a condition: a reading and a field",
    ReadingWithReading "a condition: two readings",
    ReadingWithSum "a condition: a reading and a number, and another",
    OtherSign "read with the other sign",
    TimesNegative "a negative scale",
    NotSign "inverted and signed",
    NotTimes "inverted and scaled",
    NotRelative "an inverted target",
    SignTimesPlus "signed, scaled and biased",
    TimesRelative "a scaled target",
    PlusRelative "a biased target",
    RelativeOffset "a target with an offset",
    RelativeModulo "a target modulo a power of two",
    PageOffset "a target that counts from a page with an offset",
    PageModulo "a target that counts from a page, modulo a power of two",
    SignModulo "signed, modulo a power of two",
    TimesModulo "scaled, modulo a power of two",
    PlusModulo "biased, modulo a power of two",
    SignOtherSign "signed, read without",
    PlainOtherSign "without a sign, read with one",
    TimesOtherSign "scaled, read with the other sign",
    Split "bits in several places",
    PartOfBits "a text for some bits of a number",
    NameBoth "a text of a number",
    NameRead "a text that is only read",
    NamePrint "a text that is read as another number",
    OtherHex "hexadecimal digits",
    OtherDec "decimal digits",
    OtherPadded "decimal digits with zeros in front",
    OtherPaddedHex "hexadecimal digits with zeros in front",
    OtherFloat "a floating-point number",
    OtherNumbered "a number between texts",
    OtherGiven "a name that a program gives",
    NumberedHalves "the half of a number between texts",
    NumberedEnd "a number between texts, up to some number",
    NumberedHex "a hexadecimal number between texts",
    NumberedBesideNames "a number between texts, beside numbers with texts of their own",
    Hex "hexadecimal by default",
    Dec "decimal by default",
    FieldHex "a hexadecimal field",
    FieldDec "a decimal field",
    PlaceHex "{x:x}",
    PlaceDec "{x:d}",
    PlacePadded "{x:0N} with N from 2 on",
    PlaceOneDigit "{x:01}",
    PlacePaddedHex "{x:0Nx} with N from 2 on",
    PaddedHexSign "{x:0Nx}, negative",
    PaddedSign "{x:0N}, negative",
    PaddedRelative "{x:0N} of a target",
    PaddedModulo "{x:0N} modulo a power of two",
    PaddedOctal "{x:0N} where other numbers with a zero in front are octal",
    StyledFixed "a fixed target with a style",
    HexOverDec "{x:x} of a decimal field",
    Half "f16",
    Single "f32",
    Double "f64",
    HalfOfFewBits "f16 without all bits of the exponent",
    HalfOfMany "f16 with bits of the fraction",
    Flag "a flag",
    NotFlag "an inverted flag",
    FlagByDefault "a flag that is set by default",
    Bitset "a bitset",
    NotBitset "an inverted bitset",
    Named "an enumeration",
    NotNamed "an inverted enumeration",
    NamedEmpty "an empty text",
    NamedAlso "another text of a value",
    NamedSeveralAlso "several other texts of a value",
    NamedLike "a value that prints like another",
    NamedHole "values that are not allowed",
    ElseDec "else in decimal",
    ElseHex "else in hexadecimal",
    ElseBare "else with nothing in front",
    ElseAfter "else in decimal with a text behind",
    ElseHexAfter "else in hexadecimal with texts around",
    ElseEmpty "else beside an empty text",
    ElseLike "else beside a value that prints like another",
    NotElse "an inverted enumeration with else",
    NotElseHex "an inverted enumeration with else in hexadecimal",
    Register "a register",
    NotRegister "an inverted register",
    RegisterSuffix "a register with a text behind the number",
    RegisterSpecial "a register with a name of its own",
    RegisterAlso "a register with several names",
    RegisterBeyond "a register named as one beyond the last",
    RegisterCount "a register of a count that is no power of two",
    SpecialBeyond "a register with a name of its own beyond the count",
    Halves "halves of registers",
    HalvesSuffix "halves of registers with a text behind",
    HalvesSpecial "halves of registers with names of their own",
    HalvesCount "a count of halves",
    NotHalves "inverted halves of registers",
    Part "a part of a register file",
    PartFrom "a part that does not begin at 0",
    PartSpecial "a part that has registers with names of their own",
    NotPart "an inverted part of a register file",
    Names "registers that programs name",
}

use Primitive as P;

/// The kind of a field's text.
enum Spelt<'a> {
    /// A number: the style of the place, of the field where it is another one than that of the specification, and that.
    Number([Option<Style>; 3]),
    Float(u8),
    Register(&'a RegisterFile),
    Enum(&'a Enum),
    Flag,
    Bitset,
}

/// The spelling of a field at a place of a text, according to the model.
fn spelt<'a>(isa: &'a Isa, field: &Field, place: &Spelling) -> Spelt<'a> {
    match field.label {
        Label::Number => match field.spelling.style() {
            Some(Style::Float(style)) => Spelt::Float(style.format),
            own => {
                let place = place.style().filter(|place| Some(*place) != own);
                Spelt::Number([place, own.filter(|own| *own != isa.numbers), Some(isa.numbers)])
            }
        },
        Label::Register(id) => Spelt::Register(&isa.registers[id.index()]),
        Label::Enum(id) => Spelt::Enum(&isa.enums[id.index()]),
        Label::Flag => Spelt::Flag,
        Label::Set => Spelt::Bitset,
    }
}

/// Adds the primitives of a spelling.
fn of_spelling(spelling: &Spelling, found: &mut BTreeSet<Primitive>) {
    for part in &spelling.parts {
        found.extend(part.of.map(|_| P::PartOfBits));
        found.extend(part.names.iter().map(|name| match name.role {
            Role::Both => P::NameBoth,
            Role::Read => P::NameRead,
            Role::Print => P::NamePrint,
        }));
        found.extend(part.other.as_ref().map(|other| match other {
            Other::Number(Style::Hex) => P::OtherHex,
            Other::Number(Style::Dec) => P::OtherDec,
            Other::Number(Style::Padded(_)) => P::OtherPadded,
            Other::Number(Style::PaddedHex(_)) => P::OtherPaddedHex,
            Other::Number(Style::Float(_)) => P::OtherFloat,
            Other::Numbered(_) => P::OtherNumbered,
            Other::Given { .. } => P::OtherGiven,
        }));
        let Some(Other::Numbered(numbered)) = &part.other else { continue };
        found.extend(numbered.halves.as_ref().map(|_| P::NumberedHalves));
        found.extend(numbered.end.map(|_| P::NumberedEnd));
        found.extend(numbered.is_hex.then_some(P::NumberedHex));
        found.extend((!part.names.is_empty()).then_some(P::NumberedBesideNames));
    }
}

/// The readings of a small spec that was not refused, and the conditions on them.
pub(super) fn of_readings(spec: &Spec, isa: &Isa, found: &mut BTreeSet<Primitive>) {
    for form in &isa.forms {
        let codes = form.readings.iter().map(|reading| &reading.field.code);
        codes.clone().for_each(|code| found.extend(code.range()[0].negative.then_some(P::ReadingBelowZero)));
        codes.for_each(|code| found.extend((!code.is_one_to_one()).then_some(P::ReadingTwins)));
    }
    for (_, part) in &spec.instructions {
        for (_, reading) in &part.readings {
            of_reading(spec, part, reading, found);
        }
        let texts = part.text.iter().flat_map(|(when, pieces)| when.iter().chain(conditions(pieces)));
        let rules = part.not.iter().chain(&part.constraints).chain(part.define.iter().map(|(_, cond)| cond));
        let mut open: Vec<&Cond> = texts.chain(rules).collect();
        let is_reading = |name: &Name| part.readings.iter().any(|(own, _)| *own == name.path);
        while let Some(cond) = open.pop() {
            let (name, is) = match cond {
                Cond::Or(parts) | Cond::And(parts) => {
                    open.extend(parts);
                    continue;
                }
                Cond::Not(part) => {
                    open.push(part);
                    continue;
                }
                Cond::Fields(_, (left, plus), _, (right, more)) => {
                    let is_sum = (*plus, *more) != (0, 0);
                    match [left, right].map(is_reading) {
                        [true, true] => found.insert(P::ReadingWithReading),
                        [false, false] => continue,
                        _ => found.insert(P::ReadingWithField),
                    };
                    found.extend(is_sum.then_some(P::ReadingWithSum));
                    continue;
                }
                Cond::Bare(name) => (name, P::ReadingBare),
                Cond::Compare(name, "==" | "!=", _) => (name, P::ReadingEqual),
                Cond::Compare(name, "<" | ">=", _) => (name, P::ReadingLess),
                Cond::Compare(name, ..) => (name, P::ReadingMost),
                Cond::Arith(name, '%', ..) => (name, P::ReadingRemainder),
                Cond::Arith(name, ..) => (name, P::ReadingAnd),
                Cond::In(name, _) => (name, P::ReadingIn),
                Cond::OneHot(name) => (name, P::ReadingOneHot),
                Cond::Is(..) | Cond::Has(_) | Cond::Define(_) => continue,
            };
            found.extend(is_reading(name).then_some(is));
        }
    }
}

/// The conditions in some pieces of a text.
fn conditions(pieces: &[Piece]) -> impl Iterator<Item = &Cond> {
    pieces.iter().filter_map(|piece| if let Piece::When(cond, _) = piece { Some(cond) } else { None })
}

fn of_reading(spec: &Spec, part: &Part, reading: &Reading, found: &mut BTreeSet<Primitive>) {
    let mut when = |holds: bool, primitive: Primitive| _ = holds && found.insert(primitive);
    when(reading.of.len() > 1, P::ReadingSeveral);
    match &reading.how {
        How::Joined => when(reading.of.len() > 1, P::ReadingJoined),
        How::Sum(sum) => sum.each(&mut |operator, number| match (operator, number) {
            ("*", Some(_)) => when(true, P::ReadingTimes),
            ("%", Some(number)) if number == 1 << 64 => when(true, P::ReadingModuloAll),
            ("%", Some(number)) => when(true, if number.count_ones() == 1 { P::ReadingModulo } else { P::ReadingRest }),
            ("&" | ">>", Some(_)) => when(true, P::ReadingBits),
            _ => {}
        }),
    }
    for name in &reading.of {
        when(part.readings.iter().any(|(other, _)| other == name), P::ReadingOfReading);
        let own = part.fields.iter().find(|field| field.name == *name);
        when(own.is_none() && name.starts_with("op"), P::ReadingOfFormat);
        let Some(own) = own else { continue };
        when(spec.first_of(&own.meaning) > 0, P::ReadingOfPart);
        when(matches!(own.meaning, Meaning::Code(..)), P::ReadingOfCode);
    }
    match &reading.meaning {
        ReadAs::Number => {}
        ReadAs::Register(file) => {
            when(true, if spec.registers[*file].part.is_some() { P::ReadingPart } else { P::ReadingRegister })
        }
        ReadAs::Enum(e) => when(true, if spec.enums[*e].other.is_some() { P::ReadingElse } else { P::ReadingEnum }),
        ReadAs::Flag(_) => when(true, P::ReadingFlag),
        ReadAs::Bitset(_) => when(true, P::ReadingBitset),
    }
}

/// The primitives of all texts of a specification.
pub(super) fn of(isa: &Isa) -> BTreeSet<Primitive> {
    let mut found = BTreeSet::new();
    for form in &isa.forms {
        let texts = [&form.text, &form.full].into_iter().chain(&form.also).chain(form.bodies.iter().flatten());
        texts.for_each(|pieces| of_pieces(isa, form, pieces, &mut found));
    }
    found
}

fn of_pieces(isa: &Isa, form: &Form, pieces: &[model::Piece], found: &mut BTreeSet<Primitive>) {
    for piece in pieces {
        match piece {
            model::Piece::Field { field, spelling } => {
                of_spelling(spelling, found);
                of_field(isa, &form.fields[*field], spelling, found);
            }
            model::Piece::Reading(reading) if !reading.field.is_target() => {
                found.insert(P::Reading);
                of_spelling(&reading.field.spelling, found);
            }
            model::Piece::Reading(reading) => {
                let field = &reading.field;
                if let Spelt::Number([_, Some(_), _]) = spelt(isa, field, &field.spelling) {
                    found.insert(P::StyledFixed);
                }
            }
            model::Piece::Group { body, .. } => of_pieces(isa, form, body, found),
            model::Piece::Literal(_) | model::Piece::OneOf(_) => {}
        }
    }
}

fn step(step: &Step) -> Primitive {
    match step {
        Step::Not => P::Not,
        Step::Sign => P::Sign,
        Step::Times(_) => P::Times,
        Step::Plus(_) => P::Plus,
        Step::Page(_) => P::Page,
        Step::Relative(_) => P::Relative,
        Step::Modulo(_) => P::Modulo,
        Step::Flip(_) | Step::Xor { .. } => P::Sums,
    }
}

fn of_field(isa: &Isa, field: &Field, place: &Spelling, found: &mut BTreeSet<Primitive>) {
    let code = &field.code;
    let steps: BTreeSet<Primitive> = code.steps().iter().map(step).collect();
    let has = |all: &[Primitive]| all.iter().all(|one| steps.contains(one));
    let mut when = |holds: bool, primitive: Primitive| _ = holds && found.insert(primitive);
    steps.iter().for_each(|one| when(true, *one));
    for (all, together) in [
        (&[P::Not, P::Sign][..], P::NotSign),
        (&[P::Not, P::Times], P::NotTimes),
        (&[P::Not, P::Relative], P::NotRelative),
        (&[P::Sign, P::Times, P::Plus], P::SignTimesPlus),
        (&[P::Times, P::Relative], P::TimesRelative),
        (&[P::Plus, P::Relative], P::PlusRelative),
        (&[P::Relative, P::Modulo], P::RelativeModulo),
        (&[P::Page, P::Modulo], P::PageModulo),
    ] {
        when(has(all), together);
    }
    let is_modulo = has(&[P::Modulo]) && !has(&[P::Relative]);
    when(is_modulo && has(&[P::Sign]), P::SignModulo);
    when(is_modulo && has(&[P::Times]), P::TimesModulo);
    when(is_modulo && has(&[P::Plus]), P::PlusModulo);
    when(code.scale() < 0, P::TimesNegative);
    when(code.relative().is_some_and(|from| from.offset != 0), P::RelativeOffset);
    when(code.relative().is_some_and(|from| from.offset != 0 && from.page > 0), P::PageOffset);
    when(code.reads_other_sign, P::OtherSign);
    when(code.reads_other_sign && has(&[P::Sign]), P::SignOtherSign);
    when(code.reads_other_sign && !has(&[P::Sign]), P::PlainOtherSign);
    when(code.reads_other_sign && has(&[P::Times]), P::TimesOtherSign);
    when(field.bits.0.len() > 1, P::Split);
    if let Some(map) = code.map() {
        when(true, P::Mapped);
        when(map.numbers().len() <= ones(code.width) as usize, P::MappedHole);
        when(!map.is_one_to_one() && map.several() == Several::Least, P::MappedLeast);
        when(!map.is_one_to_one() && map.several() == Several::Greatest, P::MappedGreatest);
    }
    let is_not = has(&[P::Not]);
    match spelt(isa, field, place) {
        Spelt::Number([place, own, default]) => {
            let style = place.or(own).or(default);
            when((place, own, style) == (None, None, Some(Style::Hex)), P::Hex);
            when((place, own, style) == (None, None, Some(Style::Dec)), P::Dec);
            when(own == Some(Style::Hex), P::FieldHex);
            when(own == Some(Style::Dec), P::FieldDec);
            when(place == Some(Style::Hex), P::PlaceHex);
            when(place == Some(Style::Hex) && own == Some(Style::Dec), P::HexOverDec);
            when(place == Some(Style::Dec), P::PlaceDec);
            when(place == Some(Style::Padded(1)), P::PlaceOneDigit);
            let is_padded = matches!(place, Some(Style::Padded(2..)));
            when(is_padded, P::PlacePadded);
            let is_padded_hex = matches!(place, Some(Style::PaddedHex(2..)));
            when(is_padded_hex, P::PlacePaddedHex);
            when(is_padded_hex && code.modulo().is_none() && code.range()[0].negative, P::PaddedHexSign);
            when(is_padded && code.modulo().is_none() && code.range()[0].negative, P::PaddedSign);
            when(is_padded && has(&[P::Relative]), P::PaddedRelative);
            when(is_padded && is_modulo, P::PaddedModulo);
            when(is_padded && isa.assembly.octal, P::PaddedOctal);
        }
        Spelt::Float(bits) => {
            when(true, [P::Half, P::Single, P::Double][usize::from(bits / 32)]);
            when(bits == 16 && code.width < 6, P::HalfOfFewBits);
            when(bits == 16 && code.width > 6, P::HalfOfMany);
        }
        Spelt::Flag => {
            when(true, if is_not { P::NotFlag } else { P::Flag });
            when(field.index(field.default) != 0, P::FlagByDefault);
        }
        Spelt::Bitset => when(true, if is_not { P::NotBitset } else { P::Bitset }),
        Spelt::Enum(of) => of_enum(of, field, is_not, &mut when),
        Spelt::Register(file) => of_registers(isa, file, field, is_not, &mut when),
    }
}

fn of_enum(of: &Enum, field: &Field, is_not: bool, when: &mut impl FnMut(bool, Primitive)) {
    let most = ones(field.code.width);
    let mut any = |what: P, holds: &dyn Fn(&isa_spec::model::EnumValue) -> bool| {
        let holds = of.values.iter().any(holds);
        when(holds, what);
        holds
    };
    any(P::Named, &|_| true);
    let is_empty = any(P::NamedEmpty, &|value| value.text.is_empty());
    any(P::NamedAlso, &|value| !value.also.is_empty());
    any(P::NamedSeveralAlso, &|value| value.also.len() > 1);
    let is_like = any(P::NamedLike, &|value| value.like.is_some());
    when(is_not, P::NotNamed);
    let all = usize::try_from(most).unwrap_or(usize::MAX);
    let Some(other) = &of.otherwise else { return when(of.values.len() <= all, P::NamedHole) };
    when(true, if other.is_hex { P::ElseHex } else { P::ElseDec });
    when(other.before.is_empty(), P::ElseBare);
    when(!other.is_hex && !other.after.is_empty(), P::ElseAfter);
    when(other.is_hex && !other.before.is_empty() && !other.after.is_empty(), P::ElseHexAfter);
    when(is_empty, P::ElseEmpty);
    when(is_like, P::ElseLike);
    when(is_not, if other.is_hex { P::NotElseHex } else { P::NotElse });
}

fn of_registers(isa: &Isa, file: &RegisterFile, field: &Field, is_not: bool, when: &mut impl FnMut(bool, Primitive)) {
    if file.names.is_some() {
        return when(true, P::Names);
    }
    let is_special = !file.special.is_empty();
    if let Some(part) = file.part_of {
        when(true, if is_not { P::NotPart } else { P::Part });
        when(part.from > 0, P::PartFrom);
        let last = u128::from(part.from) + ones(file.index);
        let of = &isa.registers[part.file.index()];
        when(of.special.iter().any(|(n, _)| (u128::from(part.from)..=last).contains(n)), P::PartSpecial);
        return;
    }
    when(file.halves.is_none(), if is_not { P::NotRegister } else { P::Register });
    when(file.halves.is_none() && !file.suffix.is_empty(), P::RegisterSuffix);
    when(file.halves.is_none() && is_special, P::RegisterSpecial);
    when(!file.also.is_empty(), P::RegisterAlso);
    when(file.special.iter().any(|(n, _)| *n >= file.count), P::SpecialBeyond);
    let is_counted = file.count <= ones(field.code.width);
    when(file.halves.is_none() && is_counted, P::RegisterCount);
    let number = |name: &String| name.strip_prefix(&file.prefix)?.strip_suffix(&file.suffix)?.parse::<u128>().ok();
    when(file.special.iter().any(|(_, name)| number(name).is_some_and(|n| n > ones(file.index))), P::RegisterBeyond);
    if file.halves.is_some() {
        when(true, if is_not { P::NotHalves } else { P::Halves });
        when(!file.suffix.is_empty(), P::HalvesSuffix);
        when(is_special, P::HalvesSpecial);
        when(is_counted, P::HalvesCount);
    }
}
