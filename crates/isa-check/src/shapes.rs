//! The shapes of the texts of a field, as far as they decide where a text ends.

use crate::float_layout::FloatLayout;
use crate::text_graph::{DECIMAL, TextGraph, ascii, first_of};
use isa_model::model::{Field, ones};
use isa_runtime::value::{Code, Other, Part, Role, Spelling, Style};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The ways in which a text can go on: with one of a few listed beginnings, with a character, or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begins {
    /// No text of these is empty.
    listed: Rc<[Rc<str>]>,
    /// ASCII characters, one bit each; bit 127 for all others.
    chars: u128,
    ends: bool,
}

/// More beginnings are known by their first characters only.
const MAX_BEGINNINGS: usize = 32;

impl Begins {
    pub(crate) fn end() -> Self {
        Self { ends: true, ..Self::default() }
    }

    pub(crate) fn any() -> Self {
        Self { chars: u128::MAX, ends: true, ..Self::default() }
    }

    /// With one of these characters.
    pub(crate) fn of_chars(chars: u128) -> Self {
        Self { chars, ..Self::default() }
    }

    /// With this text, if there is any.
    pub(crate) fn with(text: &str) -> Self {
        Self::of_texts([text])
    }

    /// With one of these texts; an empty one ends.
    pub(crate) fn of_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut all = Self::default();
        let mut listed: Vec<Rc<str>> = Vec::new();
        for text in texts {
            match text {
                "" => all.ends = true,
                text if listed.len() < MAX_BEGINNINGS => listed.push(text.into()),
                text => all.chars |= first_of(text),
            }
        }
        all.listed = listed.into();
        all
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        let (mut chars, ends) = (self.chars | other.chars, self.ends | other.ends);
        let listed: Rc<[Rc<str>]> = match (&*self.listed, &*other.listed) {
            ([], _) => other.listed.clone(),
            (_, []) => self.listed.clone(),
            (a, b) if a.len() + b.len() <= MAX_BEGINNINGS => a.iter().chain(b).cloned().collect(),
            (a, b) => {
                chars = a.iter().chain(b).fold(chars, |all, text| all | first_of(text));
                Rc::default()
            }
        };
        Self { listed, chars, ends }
    }

    /// The beginnings of the concatenation: those of `next` replace the end.
    pub(crate) fn then(&self, next: &Self) -> Self {
        if self.ends { Self { ends: false, ..self.clone() }.or(next) } else { self.clone() }
    }

    /// True if a text can go on both in this way and in the other.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let first = |begins: &Self| begins.listed.iter().fold(0, |all, text| all | first_of(text));
        let alike = |a: &str, b: &str| a.as_bytes()[0] == b.as_bytes()[0] && (a.starts_with(b) || b.starts_with(a));
        self.ends && other.ends
            || self.chars & (other.chars | first(other)) != 0
            || other.chars & first(self) != 0
            || self.listed.iter().any(|a| other.listed.iter().any(|b| alike(a, b)))
    }
}

/// The texts of a field.
#[derive(Clone, Debug)]
pub(crate) struct TextShape {
    pub(crate) begins: Begins,
    /// The ways in which some texts go on at a point where another text ends.
    pub(crate) goes_on: Begins,
    /// No two values have one text.
    pub(crate) is_one: bool,
}

/// The greatest width of a field whose texts are listed.
const MAX_LISTED: u32 = 10;

/// The shapes of fields, computed once for each spelling and width of numbers.
#[derive(Default)]
pub(crate) struct Shapes {
    known: RefCell<FxHashMap<(*const Spelling, u32), TextShape>>,
}

impl Shapes {
    /// The texts of a field that is spelt so.
    pub(crate) fn of(&self, field: &Field, spelling: &Arc<Spelling>) -> TextShape {
        let width = field.bits.width();
        let Some(style) = spelling.style() else {
            let width = field.code.number_width();
            let mut known = self.known.borrow_mut();
            return known.entry((Arc::as_ptr(spelling), width)).or_insert_with(|| look(spelling, width)).clone();
        };
        let is_one = match style {
            // Listed numbers can encode the same NaN more than once.
            Style::Float(style) => field.code.map().is_none() && !FloatLayout { format: style.format.into(), width }.has_twins(),
            _ => {
                let modulo = field.code.modulo().unwrap_or(u64::BITS);
                field.code.is_one_to_one() && (!field.is_target() || width + field.code.scale().trailing_zeros() <= modulo)
            }
        };
        let graph = TextGraph::of(&field.code, spelling);
        let begins = graph.first().0.iter().fold(0, |set, token| set | token.begins());
        let goes_on = graph.last().iter().fold(0, |set, token| set | token.goes_on());
        TextShape { begins: Begins::of_chars(begins), goes_on: Begins::of_chars(goes_on), is_one }
    }
}

/// The shape of the texts of numbers of `width` bits.
fn look(spelling: &Spelling, width: u32) -> TextShape {
    if let Some(names) = spelling.given() {
        let begins = Begins::of_chars(names.begins());
        // Names that a program gives do not depend on the word.
        let goes_on = Begins::of_chars(names.begins() | names.goes_on());
        return TextShape { begins, goes_on, is_one: true };
    }
    let code = Code::plain(width);
    let graph = TextGraph::of(&code, spelling);
    let [part] = spelling.parts.as_slice() else {
        let texts = |part: &Part| part.names.iter().map(|name| name.text.len()).collect::<BTreeSet<_>>();
        if !spelling.parts.iter().all(|part| part.other.is_none() && texts(part).len() == 1) {
            return TextShape { begins: Begins::any(), goes_on: Begins::any(), is_one: false };
        }
        // All texts have one length.
        let first = spelling.parts.first().into_iter().flat_map(|part| &part.names);
        let begins = Begins::of_texts(first.map(|name| name.text.as_str()));
        return TextShape { begins, goes_on: Begins::default(), is_one: true };
    };
    let named = part.names.iter().filter(|name| name.role != Role::Read && name.number <= ones(width));
    let named = named.map(|name| name.text.as_str());
    let Some(numbered) = part.other.as_ref().and_then(Other::numbered) else {
        return of_list(named.map(str::to_owned).collect());
    };
    if width <= MAX_LISTED {
        return of_list((0..=ones(width)).filter_map(|raw| graph.text(raw)).collect());
    }
    let mut named: Vec<&str> = named.collect();
    let before = numbered.before.as_str();
    let number = if before.is_empty() { Begins::of_chars(ascii(DECIMAL)) } else { Begins::with(before) };
    let begins = number.or(&Begins::of_texts(named.iter().copied()));
    let halves = numbered.halves.as_ref().map_or(String::new(), |halves| halves.concat());
    let around = [before, &halves, &numbered.after, "0123456789abcdefx"];
    let all = around.into_iter().chain(named.iter().copied()).collect::<String>();
    let is_number = |text: &&str| text.strip_prefix(before).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    named.sort_unstable();
    let is_one = !named.iter().any(is_number) && named.windows(2).all(|pair| pair[0] != pair[1]);
    TextShape { begins, goes_on: Begins::of_chars(ascii(&all)), is_one }
}

fn of_list(mut texts: Vec<String>) -> TextShape {
    texts.sort_unstable();
    let is_one = texts.windows(2).all(|pair| pair[0] != pair[1]);
    let begins = Begins::of_texts(texts.iter().map(String::as_str));
    let mut goes_on: Vec<&str> = Vec::new();
    // Texts that begin the current one; each begins with the one before.
    let mut open: Vec<&str> = Vec::new();
    for text in &texts {
        while open.last().is_some_and(|first| !text.starts_with(first)) {
            open.pop();
        }
        goes_on.extend(open.iter().map(|first| &text[first.len()..]).filter(|rest| !rest.is_empty()));
        open.push(text);
    }
    goes_on.sort_unstable();
    goes_on.dedup();
    TextShape { begins, goes_on: Begins::of_texts(goes_on), is_one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_go_on_where_another_is_over() {
        let list = |texts: &[&str]| of_list(texts.iter().map(|t| t.to_string()).collect());
        let shape = list(&["", ".a", ".ab", ".b", "x"]);
        assert_eq!(shape.goes_on, Begins::of_texts([".a", ".ab", ".b", "b", "x"]));
        assert_eq!(shape.begins, Begins::of_texts(["", ".a", ".ab", ".b", "x"]));
        assert!(shape.is_one && !list(&["a", "b", "a"]).is_one);
        assert_eq!(list(&["R1", "R2"]).goes_on, Begins::default());
        assert!(!shape.goes_on.meets(&Begins::with(".c")) && shape.goes_on.meets(&Begins::with(".bc")));
        assert!(shape.goes_on.meets(&Begins::with(".")) && !shape.goes_on.meets(&Begins::end()));
        assert!(shape.begins.meets(&Begins::end()) && !shape.begins.then(&Begins::with("y")).meets(&Begins::end()));
        assert!(!Begins::with("é").meets(&Begins::with("e")) && Begins::with("é").meets(&Begins::any()));
        let many: Vec<String> = (0..100).map(|i| format!("R{i}")).collect();
        assert!(list(&many.iter().map(String::as_str).collect::<Vec<_>>()).goes_on.meets(&Begins::of_chars(ascii(DECIMAL))));
    }
}
