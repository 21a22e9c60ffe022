//! Fields, lists of bits, references to documents, and uses of operands and choices.

use super::{Rule, SyntaxFault, parse, range_of, read_number, read_wide};
use isa_model::model::{BitRange, Bits, Word};
use isa_runtime::value::{FloatStyle, NamePart, Names, Number, Origin, Step, Style};
use pest::iterators::Pair;
use std::ops::Range;

/// A field as it is written.
#[derive(Clone, Debug, Default)]
pub struct FieldEntry {
    /// Its bits, unless a layout places it.
    pub bits: Option<(Bits, Range<usize>)>,
    /// The width in parentheses.
    pub declared: Option<(u32, Range<usize>)>,
    /// Its meaning, `unsigned` by default.
    pub meaning: Option<(Meaning, Range<usize>)>,
    /// `signed` after other modifiers, or the name of a code.
    pub signed: Option<Range<usize>>,
    /// `*4`
    pub scale: Option<(i64, Range<usize>)>,
    /// `+1`
    pub bias: Option<(i64, Range<usize>)>,
    /// `inverted`: steps that give other bits for bits.
    pub bit_steps: Vec<Step>,
    /// `wraps`
    pub wraps: Option<(Option<u32>, Range<usize>)>,
    /// `hex`, `dec`, `f32`
    pub style: Option<Style>,
    /// `target(16) page(12)`
    pub target: Option<Origin>,
    /// `= PT`
    pub default: Option<(Value, Range<usize>)>,
    /// `== 4`: it is fixed.
    pub fixed: Option<(Value, Range<usize>)>,
    /// `@28`, after the bits or at the end
    pub doc: Vec<Reference>,
}

/// The meaning of a field, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A number.
    Unsigned,
    /// A two's complement number.
    Signed,
    /// A register file or an enumeration.
    Name(String),
    /// A flag.
    Flag(String),
    /// A letter for each bit.
    Bitset(String),
}

/// A value as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Number),
    /// A register or a name.
    Name(String),
    /// An enum's text.
    Text(String),
}

/// A reference to a source and its lines.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The source; none means the first one.
    pub source: Option<String>,
    /// First and last line.
    pub lines: Option<(u32, u32)>,
    /// The place in the string.
    pub range: Range<usize>,
}

/// `Reg(at, slot?)`: a definition's name and parameters.
#[derive(Clone, Debug)]
pub struct Head {
    /// The name.
    pub name: String,
    /// Parameters; the flag says that one may be missing.
    pub parameters: Vec<(String, bool)>,
}

/// `Reg(39..32, neg: 63) only a, b @28`: a use.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name of the definition.
    pub name: String,
    /// The place of the name.
    pub name_range: Range<usize>,
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// The restriction to some alternatives.
    pub pick: Option<Pick>,
    /// `@28`: the lines that describe the fields of the operands, unless those give their own.
    pub doc: Vec<Reference>,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Argument {
    /// `name:` before it.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
    /// The place of the argument.
    pub range: Range<usize>,
}

/// A restriction to some alternatives.
#[derive(Clone, Debug)]
pub struct Pick {
    /// `only` rather than `except`.
    pub only: bool,
    /// The alternatives.
    pub names: Vec<Alternative>,
}

/// An alternative as it is named.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// There is a `?` after it: the choice may lack it.
    pub optional: bool,
    /// The place of the alternative.
    pub range: Range<usize>,
}

pub(super) fn read_alternative(pair: &Pair<'_, Rule>) -> Alternative {
    let name = pair.as_str().trim_end_matches('?');
    Alternative { name: name.to_string(), optional: name.len() < pair.as_str().len(), range: range_of(pair) }
}

/// Parses a field.
pub fn parse_field(text: &str) -> Result<FieldEntry, SyntaxFault> {
    let mut entry = FieldEntry::default();
    for pair in parse(Rule::field_entry, text).map_err(|fault| of_a_range(text, fault))?.into_inner() {
        let range = range_of(&pair);
        match pair.as_rule() {
            Rule::bits => entry.bits = Some((read_bits(pair)?, range)),
            Rule::declared => entry.declared = Some((small(&inner(pair))?, range)),
            Rule::meaning => entry.meaning = Some((read_meaning(inner(pair)), range)),
            Rule::modifier => {
                let pair = inner(pair);
                match pair.as_rule() {
                    Rule::scale => entry.scale = Some((signed(&inner(pair))?, range)),
                    Rule::bias => entry.bias = Some((signed(&inner(pair))?, range)),
                    Rule::its_sign => entry.signed = Some(range),
                    Rule::bit_step => entry.bit_steps.extend(Step::from_word(pair.as_str())),
                    Rule::wraps => entry.wraps = Some((pair.into_inner().next().map(|p| small(&p)).transpose()?, range)),
                    Rule::hex => entry.style = Some(Style::Hex),
                    Rule::dec => entry.style = Some(Style::Dec),
                    Rule::float => {
                        let mut parts = pair.into_inner();
                        let format = parts.next().and_then(|format| format.as_str()[1..].parse().ok());
                        let digits = parts.next().map_or(Ok(0), |digits| small(&digits))?;
                        // More digits than a byte counts are as wrong as 255.
                        let digits = u8::try_from(digits).unwrap_or(u8::MAX);
                        entry.style = Some(Style::Float(FloatStyle { format: format.expect("the grammar has these"), digits }));
                    }
                    _ => entry.target = Some(read_target(pair)?),
                }
            }
            rule @ (Rule::default | Rule::fixed) => {
                let value = inner(pair);
                let range = range_of(&value);
                let value = Some((read_value(value)?, range));
                if rule == Rule::fixed { entry.fixed = value } else { entry.default = value }
            }
            Rule::doc => entry.doc.extend(read_references(pair)?),
            _ => {}
        }
    }
    Ok(entry)
}

fn read_target(pair: Pair<'_, Rule>) -> Result<Origin, SyntaxFault> {
    let mut origin = Origin { offset: 0, page: 0 };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::page => {
                let bits = inner(part);
                origin.page = u8::try_from(small(&bits)?)
                    .ok()
                    .filter(|bits| (1..=MAX_PAGE).contains(bits))
                    .ok_or_else(|| SyntaxFault::new(range_of(&bits), format!("a page has addresses of 1 to {MAX_PAGE} bits")))?;
            }
            Rule::number => origin.offset = signed(&part)?,
            _ => {}
        }
    }
    Ok(origin)
}

/// Bits of an address that a page can leave out.
const MAX_PAGE: u8 = 63;

/// Parses `125, 104..92`.
pub fn parse_bit_list(text: &str) -> Result<Vec<(BitRange, Range<usize>)>, SyntaxFault> {
    let pair = parse(Rule::bits_entry, text).map_err(|fault| of_a_range(text, fault))?;
    pair.into_inner().filter(|p| p.as_rule() == Rule::range).map(|p| Ok((read_range(p.clone())?, range_of(&p)))).collect()
}

/// Words after the bits of a field that name no register file, enumeration or code.
pub const FIELD_WORDS: &[&str] = &["signed", "unsigned", "inverted", "wraps", "target", "page", "hex", "dec", "bitset"];

/// The fault of a text that begins with a range as other languages write it: `7:6`, `[7:6]`, `7-6`.
fn of_a_range(text: &str, fault: SyntaxFault) -> SyntaxFault {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let high = start + digits(&text[start..]);
    let low = high + 1;
    let end = low + text.get(low..).map_or(0, digits);
    if !matches!(text[..start].trim(), "" | "[") || !text[high..].starts_with([':', '-']) || end == low {
        return fault;
    }
    SyntaxFault::new(0..end, format!("a range of bits is written `{}..{}`", &text[start..high], &text[low..end]))
}

/// Parses a value.
pub fn parse_value(text: &str) -> Result<Value, SyntaxFault> {
    read_value(inner(parse(Rule::value_entry, text)?))
}

/// Parses references to documents.
pub fn parse_docs(text: &str) -> Result<Vec<Reference>, SyntaxFault> {
    read_references(parse(Rule::doc_entry, text)?)
}

/// Parses `[A-Za-z][A-Za-z0-9_]*, %[a-z]+`.
pub fn parse_names(text: &str) -> Result<Names, SyntaxFault> {
    let rows = parse(Rule::names_entry, text)?.into_inner().filter(|p| p.as_rule() == Rule::names_row);
    let rows = rows.map(|row| {
        let range = range_of(&row);
        let parts = row.into_inner().map(names_part).collect::<Result<Vec<_>, _>>()?;
        if parts.iter().all(|p| p.may_be_missing) {
            return Err(SyntaxFault::new(range, "a name has at least one character"));
        }
        Ok(parts)
    });
    Ok(Names(rows.collect::<Result<_, _>>()?))
}

fn names_part(pair: Pair<'_, Rule>) -> Result<NamePart, SyntaxFault> {
    let mut part = NamePart { of: 0, may_be_missing: false, repeats: false };
    for piece in pair.into_inner() {
        match piece.as_rule() {
            Rule::repeat => {
                part.repeats = true;
                part.may_be_missing = piece.as_str() == "*";
            }
            Rule::plain => part.of |= 1 << piece.as_str().as_bytes()[0],
            _ => {
                for item in piece.into_inner().filter(|p| p.as_rule() == Rule::class_item) {
                    let range = range_of(&item);
                    let mut ends = item.into_inner().map(|c| c.as_str().as_bytes()[0]);
                    let first = ends.next().expect("the grammar gives an item a character");
                    let last = ends.next().unwrap_or(first);
                    if last < first {
                        return Err(SyntaxFault::new(range, "the last character comes before the first"));
                    }
                    part.of |= (first..=last).fold(0, |set, c| set | 1 << c);
                }
            }
        }
    }
    Ok(part)
}

/// Parses a definition's name and parameters.
pub fn parse_head(text: &str) -> Result<Head, SyntaxFault> {
    let mut pairs = parse(Rule::head_entry, text)?.into_inner();
    let name = pairs.next().expect("the grammar gives a name").as_str().to_string();
    let parameters = pairs
        .filter(|p| p.as_rule() == Rule::parameter)
        .map(|p| {
            let optional = p.as_str().contains('?');
            (inner(p).as_str().to_string(), optional)
        })
        .collect();
    Ok(Head { name, parameters })
}

/// Parses a use of an operand or a choice.
pub fn parse_use(text: &str) -> Result<Use, SyntaxFault> {
    let mut pairs = parse(Rule::use_entry, text)?.into_inner();
    let name = pairs.next().expect("the grammar gives a name");
    let mut used =
        Use { name: name.as_str().to_string(), name_range: range_of(&name), arguments: Vec::new(), pick: None, doc: Vec::new() };
    for pair in pairs {
        match pair.as_rule() {
            Rule::argument => {
                let mut argument = Argument { name: None, text: String::new(), range: 0..0 };
                for part in pair.into_inner() {
                    if part.as_rule() == Rule::ident {
                        argument.name = Some(part.as_str().to_string());
                    } else {
                        argument.range = range_of(&part);
                        argument.text = part.as_str().to_string();
                    }
                }
                used.arguments.push(argument);
            }
            Rule::pick => {
                let mut parts = pair.into_inner();
                let only = parts.next().expect("`only` or `except`").as_rule() == Rule::only;
                used.pick = Some(Pick { only, names: parts.map(|p| read_alternative(&p)).collect() });
            }
            Rule::doc => used.doc = read_references(pair)?,
            _ => {}
        }
    }
    Ok(used)
}

fn inner(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    pair.into_inner().next().expect("the grammar gives this rule a part")
}

fn small(pair: &Pair<'_, Rule>) -> Result<u32, SyntaxFault> {
    u32::try_from(read_number(pair)?).map_err(|_| SyntaxFault::new(range_of(pair), "this number must be small and not negative"))
}

fn signed(pair: &Pair<'_, Rule>) -> Result<i64, SyntaxFault> {
    i64::try_from(read_number(pair)?).map_err(|_| SyntaxFault::new(range_of(pair), "this number is too large"))
}

fn read_bits(pair: Pair<'_, Rule>) -> Result<Bits, SyntaxFault> {
    let range = range_of(&pair);
    let ranges = pair.into_inner().map(read_range).collect::<Result<Vec<_>, _>>()?;
    let bits = Bits(ranges);
    if bits.0.iter().enumerate().any(|(i, a)| bits.0[..i].iter().any(|b| !(a.mask() & b.mask()).is_zero())) {
        return Err(SyntaxFault::new(range, "the parts of this field overlap"));
    }
    Ok(bits)
}

pub(super) fn read_range(pair: Pair<'_, Rule>) -> Result<BitRange, SyntaxFault> {
    let range = range_of(&pair);
    let mut numbers = pair.into_inner();
    let first = numbers.next().expect("a range begins with a number");
    let hi = small(&first)?;
    let lo = numbers.next().map_or(Ok(hi), |p| small(&p))?;
    if hi < lo {
        return Err(SyntaxFault::new(range, format!("a range is written high bit first: {lo}..{hi}")));
    }
    if hi >= Word::BITS {
        return Err(SyntaxFault::new(range, format!("a word has at most {} bits, {}..0", Word::BITS, Word::BITS - 1)));
    }
    Ok(BitRange { hi, lo })
}

pub(super) fn read_meaning(pair: Pair<'_, Rule>) -> Meaning {
    match pair.as_rule() {
        Rule::unsigned => Meaning::Unsigned,
        Rule::signed => Meaning::Signed,
        Rule::bitset => Meaning::Bitset(unquote(&inner(pair))),
        Rule::string => Meaning::Flag(unquote(&pair)),
        _ => Meaning::Name(pair.as_str().to_string()),
    }
}

fn unquote(pair: &Pair<'_, Rule>) -> String {
    pair.as_str().trim_matches('"').to_string()
}

pub(super) fn read_value(pair: Pair<'_, Rule>) -> Result<Value, SyntaxFault> {
    let pair = if pair.as_rule() == Rule::value { inner(pair) } else { pair };
    Ok(match pair.as_rule() {
        Rule::number => Value::Number(read_wide(&pair)?),
        Rule::string => Value::Text(unquote(&pair)),
        _ => Value::Name(pair.as_str().to_string()),
    })
}

fn read_references(pair: Pair<'_, Rule>) -> Result<Vec<Reference>, SyntaxFault> {
    let mut references = Vec::new();
    for pair in pair.into_inner().filter(|p| p.as_rule() == Rule::reference) {
        let mut reference = Reference { source: None, lines: None, range: range_of(&pair) };
        for part in pair.into_inner() {
            if part.as_rule() == Rule::ident {
                reference.source = Some(part.as_str().to_string());
            } else {
                let mut numbers = part.into_inner();
                let first = small(&numbers.next().expect("lines begin with a number"))?;
                let last = numbers.next().map_or(Ok(first), |p| small(&p))?;
                if last < first {
                    return Err(SyntaxFault::new(reference.range, "the last line comes before the first"));
                }
                reference.lines = Some((first, last));
            }
        }
        references.push(reference);
    }
    Ok(references)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_says_where_what_and_who() {
        let field = parse_field("59..34 ++ 21..16 (32) signed *4 wraps hex = 0x8 @28-30, nvdisasm").expect("a field");
        let (bits, range) = field.bits.expect("bits");
        assert_eq!((bits.to_string(), range), ("59..34,21..16".to_string(), 0..16));
        assert_eq!(field.declared.map(|d| d.0), Some(32));
        assert_eq!(field.meaning.map(|m| m.0), Some(Meaning::Signed));
        assert_eq!((field.scale.map(|s| s.0), field.bias, field.bit_steps), (Some(4), None, Vec::new()));
        assert_eq!((field.wraps.map(|w| w.0), field.style), (Some(None), Some(Style::Hex)));
        assert_eq!(field.default.map(|d| d.0), Some(Value::Number(Number { negative: false, magnitude: 8 })));
        let doc: Vec<_> = field.doc.iter().map(|r| (r.source.as_deref(), r.lines)).collect();
        assert_eq!(doc, [(None, Some((28, 30))), (Some("nvdisasm"), None)]);
    }

    #[test]
    fn faults_have_places() {
        assert_eq!(parse_field("(8").map(|_| ()).map_err(|fault| fault.range), Err(2..2));
    }
}
