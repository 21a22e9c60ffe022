//! Codes: the numbers of all bits, computed by the functions of the specification.

mod function;
mod linear;

use super::context::Context;
use function::Function;
use isa_model::diag::Diagnostic;
use isa_model::model::{MAX_FIELD, NumberCode, Numbers, Raw};
use isa_model::span::Text;
use isa_runtime::value::{Code, Map, Several, Step};
use isa_syntax::read::CodeDecl;
use linear::{Linear, Twins};
use std::sync::Arc;

/// Bits of a code, of which all values are computed.
const MAX_LISTED: u32 = 16;

/// Bits of the numbers that are listed.
const MAX_NUMBER: u32 = 64;

/// Steps from the bits of a code to its number.
const MAX_STEPS: usize = 4096;

/// The codes of a specification.
pub(super) fn codes(cx: &Context<'_, '_>) -> Vec<NumberCode> {
    cx.spec.codes.iter().filter_map(|decl| code(cx, decl)).collect()
}

fn code(cx: &Context<'_, '_>, decl: &CodeDecl) -> Option<NumberCode> {
    let text = decl.number.as_ref()?;
    let (number, defined, bits) = (Function::read(cx, text)?, read(cx, &decl.defined)?, read(cx, &decl.bits)?);
    let is_long = number.width > MAX_LISTED;
    if number.width > MAX_FIELD {
        cx.error("width", format!("a code is of at most {MAX_FIELD} bits, not {}", number.width), number.param);
        return None;
    }
    let (width, most) = (number.width, if is_long { number.width } else { MAX_NUMBER });
    if number.result_width > most || is_long && number.result_width < most {
        let bits = if is_long { format!("as many bits as it has, {most}") } else { format!("1 to {most} bits") };
        let message = format!("this function returns a number of {bits}, not {}", number.result_width);
        cx.error("width", message, number.name);
        return None;
    }
    if let Some(defined) = defined.as_ref().filter(|defined| [defined.width, defined.result_width] != [width, 1]) {
        let message = format!("`defined` is of {width} bits, as `number` is, and returns one: `fn defined(x:{width}) : 1`");
        cx.error("width", message, defined.name);
        return None;
    }
    if let Some(bits) = bits.as_ref().filter(|bits| [bits.width, bits.result_width] != [number.result_width, width]) {
        let message = format!("`bits` is the way back from `number`: `fn bits(n:{}) : {width}`", number.result_width);
        cx.error("width", message, bits.name);
        return None;
    }
    let is_whole = decl.defined.is_none() && decl.several.is_none() && number.result_width == width;
    let short = if is_long || !is_whole { None } else { number.found_sums().and_then(|sums| Linear::new(sums).steps().ok()) };
    let numbers = match short {
        Some(steps) => by_steps(cx, steps, width, bits.as_ref())?,
        None if is_long => steps(cx, decl, &number, bits.as_ref())?,
        None => listed(cx, decl, &number, defined, bits)?,
    };
    let sources = [Some(text), decl.defined.as_ref(), decl.bits.as_ref()];
    Some(NumberCode {
        name: decl.name.value.clone(),
        width,
        numbers,
        source: sources.into_iter().flatten().map(|text| text.value.trim()).collect::<Vec<_>>().join("\n"),
        summary: decl.summary.clone(),
        doc: cx.doc(decl.doc.as_ref()),
        span: decl.name.span,
    })
}

/// A function that may be missing.
fn read<'t>(cx: &Context<'_, '_>, text: &'t Option<Text>) -> Option<Option<Function<'t>>> {
    match text {
        Some(text) => Function::read(cx, text).map(Some),
        None => Some(None),
    }
}

/// The numbers of all bits, one after the other.
fn listed(
    cx: &Context<'_, '_>,
    decl: &CodeDecl,
    number: &Function<'_>,
    defined: Option<Function<'_>>,
    bits: Option<Function<'_>>,
) -> Option<Numbers> {
    let is_defined = defined.as_ref().map(|defined| defined.all(cx)).transpose().ok()?;
    let numbers = number.all(cx).ok()?;
    let is_there = |bits: &usize| is_defined.as_ref().is_none_or(|defined| defined[*bits] == 1);
    let listed = (0..numbers.len()).filter(is_there).map(|bits| (bits as u16, numbers[bits].into()));
    let several = if decl.several.is_some_and(|(greatest, _)| greatest) { Several::Greatest } else { Several::Least };
    let map = Map::new(listed, several).of_width(number.result_width);
    if map.numbers().is_empty() {
        cx.error("empty", format!("no bits have a number by `{}`", decl.name.value), decl.name.span);
        return None;
    }
    if decl.several.is_none()
        && let Some([one, other]) = twins(&map)
    {
        let number = map.number(one.into()).unwrap_or_default();
        let message = format!("the bits {one:#x} and {other:#x} have one number, {number:#x}, so it can't be read back");
        let help = "if this is intended, state which bits are assembled: `several: least`, or `several: greatest`";
        cx.report(Diagnostic::error("ambiguous-text", message, decl.name.span).with_help(help));
    }
    if let Some(bits) = bits {
        let all = map.numbers().iter().map(|(_, number)| *number);
        let all = all.filter_map(|number| Some((map.bits(number).next()?.into(), number as Raw)));
        bits.leads_back(cx, all)?;
    }
    Some(Numbers::Listed(Arc::new(map)))
}

/// The steps to numbers that are too many to be listed.
fn steps(cx: &Context<'_, '_>, decl: &CodeDecl, number: &Function<'_>, bits: Option<&Function<'_>>) -> Option<Numbers> {
    if let Some(text) = &decl.defined {
        let message = format!("all values of more than {MAX_LISTED} bits have a number, so a code of them has no `defined`");
        let help = "words are left out by `not` of a format, an alternative or an instruction";
        cx.report(Diagnostic::error("meaning", message, text.span).with_help(help));
        return None;
    }
    let linear = Linear::new(number.sums(cx)?);
    let steps = match linear.steps() {
        Ok(steps) if steps.len() <= MAX_STEPS => steps,
        Ok(steps) => {
            let message =
                format!("the numbers of this code take {} exclusive-ors of two bits, more than {MAX_STEPS}", steps.len());
            cx.error("too-large", message, number.name);
            return None;
        }
        Err(Twins([one, other])) => {
            let number = linear.number(one);
            let message = format!("the bits {one:#x} and {other:#x} have one number, {number:#x}, so it can't be read back");
            cx.error("ambiguous-text", message, decl.name.span);
            return None;
        }
    };
    if let Some((_, span)) = decl.several {
        let message = format!("no two values of more than {MAX_LISTED} bits have one number, so a code of them has no `several`");
        cx.error("meaning", message, span);
    }
    by_steps(cx, steps, number.width, bits)
}

/// Numbers by steps, with a function that is the way back.
fn by_steps(cx: &Context<'_, '_>, steps: Vec<Step>, width: u32, bits: Option<&Function<'_>>) -> Option<Numbers> {
    if let Some(bits) = bits {
        // Both ways are sums of bits: they are inverse if they are for no bit, and for each alone.
        bits.sums(cx)?;
        let code = Code::plain(width).then_all(steps.iter().copied());
        let some = std::iter::once(0).chain((0..width).map(|bit| 1 << bit));
        bits.leads_back(cx, some.map(|bits: Raw| (bits, code.number_bits(bits))))?;
    }
    Some(Numbers::Steps(steps))
}

/// Two bits that have one number.
fn twins(map: &Map) -> Option<[u16; 2]> {
    let pair = |number: i128| {
        let mut bits = map.bits(number);
        Some([bits.next()?, bits.next()?])
    };
    map.numbers().iter().find_map(|(_, number)| pair(*number))
}
