//! Tokens as the text of a file, laid out for readers: a statement a line, and what is too long for a line in several.
//!
//! It has no syntax but that of tokens and groups, so where it guesses wrong (`a < b` or `A<B>`) a blank is missing, and never a token.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Lines are no longer than this, where they can be broken.
const WIDTH: usize = 120;

/// The text of some items.
pub(super) fn layout(code: TokenStream) -> String {
    let mut out = Layout { text: String::new(), indent: 0 };
    out.statements(&tokens(code));
    out.text
}

enum Token {
    /// A name, a literal, a lifetime, or a sign of one or more characters.
    Word(String),
    /// A line of documentation.
    Doc(String),
    Group(Delimiter, Vec<Token>),
}

use Token::{Doc, Group, Word};

fn tokens(code: TokenStream) -> Vec<Token> {
    let mut list = Vec::new();
    // A sign that goes on with the next character.
    let mut sign = String::new();
    for tree in code {
        match tree {
            TokenTree::Punct(punct) => {
                sign.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    list.push(Word(std::mem::take(&mut sign)));
                }
            }
            TokenTree::Ident(ident) => list.push(Word(format!("{}{ident}", std::mem::take(&mut sign)))),
            TokenTree::Literal(literal) => list.push(Word(format!("{}{literal}", std::mem::take(&mut sign)))),
            TokenTree::Group(group) => {
                list.extend((!sign.is_empty()).then(|| Word(std::mem::take(&mut sign))));
                let inside = tokens(group.stream());
                match (list.last(), doc(group.delimiter(), &inside)) {
                    (Some(Word(hash)), Some(line)) if hash == "#" => {
                        list.pop();
                        list.push(Doc(line));
                    }
                    _ => list.push(Group(group.delimiter(), inside)),
                }
            }
        }
    }
    list.extend((!sign.is_empty()).then_some(Word(sign)));
    list
}

/// The line of `[doc = "…"]`, if it can be one.
fn doc(delimiter: Delimiter, inside: &[Token]) -> Option<String> {
    let (Delimiter::Bracket, [Word(name), Word(equals), Word(text)]) = (delimiter, inside) else { return None };
    let is_doc = name == "doc" && equals == "=";
    let text = text.strip_prefix('"')?.strip_suffix('"').filter(|_| is_doc)?;
    let mut line = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        line.push(match c {
            '\\' => chars.next().filter(|c| matches!(c, '\\' | '"' | '\''))?,
            c => c,
        });
    }
    Some(line)
}

/// Keywords that precede an operand, and are separated from a bracket.
const BEFORE_OPERAND: [&str; 17] = [
    "if", "else", "while", "match", "return", "in", "as", "let", "mut", "move", "break", "use", "const", "static", "impl", "for",
    "where",
];

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"'))
}

/// The tokens of a line so far, as far as the blanks between tokens depend on them.
#[derive(Clone, Copy, Default)]
struct State {
    /// Angle brackets that are open.
    angles: usize,
    /// True if the parameters of a closure are open.
    is_closure: bool,
    /// True if the last token was a sign in front of its operand.
    is_unary: bool,
    /// Tokens since `fn`, of which the first is a name.
    since_fn: Option<usize>,
}

impl State {
    /// True if there is a blank between two tokens of a line.
    fn gap(&mut self, before: Option<&Token>, next: &Token) -> bool {
        let was_unary = std::mem::take(&mut self.is_unary);
        self.since_fn = match next {
            Word(text) if text == "fn" => Some(0),
            _ => self.since_fn.map(|count| count + 1),
        };
        let (is_start, last) = match before {
            None => (true, ""),
            Some(Word(text)) => (false, text.as_str()),
            Some(_) => (false, ")"),
        };
        // Whether an operand can begin here.
        let is_operand = is_start || BEFORE_OPERAND.contains(&last) || !(is_name(last) || matches!(last, ")" | ">" | "?"));
        let Word(next) = next else {
            let Group(delimiter, _) = next else { return false };
            return match delimiter {
                _ if is_start || was_unary || matches!(last, "." | "::" | "#" | "..") || (last == "<" && self.angles > 0) => {
                    false
                }
                Delimiter::Brace => true,
                _ if is_name(last) => BEFORE_OPERAND.contains(&last),
                _ => !matches!(last, ")" | ">" | "!" | "?"),
            };
        };
        if is_start {
            self.is_unary = matches!(next.as_str(), "&" | "*" | "-" | "!" | "#");
            self.is_closure = next == "|";
            self.angles += usize::from(next == "<");
            return false;
        }
        let closes_parameters = next == "|" && self.is_closure;
        match next.as_str() {
            "," | ";" | "." | "?" | ":" => return false,
            ".." | "..=" => return last == ",",
            "::" => {
                return matches!(last, "=" | "," | "->" | ":" | "{")
                    || (last != ">" && is_operand && !was_unary && last != "<" && last != "&");
            }
            "|" if closes_parameters => {
                self.is_closure = false;
                return false;
            }
            "|" if is_operand => {
                self.is_closure = true;
                return true;
            }
            "!" if is_name(last) && !is_operand => return false,
            "&" | "*" | "-" | "!" if is_operand => self.is_unary = true,
            "<" => {
                let capital = |text: &str| text.starts_with(char::is_uppercase) && text.chars().any(char::is_lowercase);
                let is_generic = is_operand || capital(last) || last == "::" || self.since_fn == Some(2);
                self.angles += usize::from(is_generic);
                if is_generic {
                    return matches!(last, "=" | "," | "->" | ":");
                }
            }
            ">" | ">>" if self.angles > 0 => {
                self.angles = self.angles.saturating_sub(next.len());
                return false;
            }
            _ => {}
        }
        // No operand follows a range without an end.
        let is_open = last == ".." && matches!(next.as_str(), "=>" | "=" | "==" | "if" | "|");
        let sticks =
            was_unary || (matches!(last, "." | "::" | "#" | ".." | "..=") && !is_open) || (last == "<" && self.angles > 0);
        // Behind `!` of a macro nothing but its brackets follows; `|` opens parameters or is an operator.
        !(sticks || last == "|" && self.is_closure)
    }
}

/// The tokens on one line of at most `room` bytes; `None` if they take more.
fn flat(tokens: &[Token], room: usize) -> Option<String> {
    let mut line = String::new();
    flatten(tokens, room, &mut line).then_some(line)
}

/// Appends tokens to a line, until it has more than `room` bytes; then it returns false.
fn flatten(tokens: &[Token], room: usize, line: &mut String) -> bool {
    let mut state = State::default();
    tokens.iter().enumerate().all(|(i, token)| {
        if state.gap(i.checked_sub(1).map(|before| &tokens[before]), token) {
            line.push(' ');
        }
        match token {
            Word(text) => line.push_str(text),
            Doc(text) => line.push_str(&format!("#[doc = {text:?}]")),
            Group(delimiter, inside) => {
                let (open, close) = brackets(*delimiter);
                let blank = if *delimiter == Delimiter::Brace && !inside.is_empty() { " " } else { "" };
                line.push_str(open);
                line.push_str(blank);
                if line.len() > room || !flatten(inside, room, line) {
                    return false;
                }
                line.push_str(blank);
                line.push_str(close);
            }
        }
        line.len() <= room
    })
}

fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}

fn is_word(token: &Token, text: &str) -> bool {
    matches!(token, Word(word) if word == text)
}

/// True if tokens have statements in them, each of which has a line.
fn has_lines(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| match token {
        Doc(_) => true,
        Word(_) => false,
        Group(Delimiter::Brace, inside) => {
            inside.iter().any(|token| is_word(token, ";") || is_word(token, "=>")) || has_lines(inside)
        }
        Group(_, inside) => has_lines(inside),
    })
}

struct Layout {
    text: String,
    indent: usize,
}

impl Layout {
    fn line(&mut self, tokens: &[Token]) {
        self.text.extend(std::iter::repeat_n(' ', self.indent));
        self.write(tokens, "");
        self.text.push('\n');
    }

    /// Columns of the last line.
    fn column(&self) -> usize {
        self.text.len() - self.text.rfind('\n').map_or(0, |end| end + 1)
    }

    /// Writes tokens at the end of the line; `end` follows them.
    fn write(&mut self, tokens: &[Token], end: &str) {
        let room = WIDTH.checked_sub(self.column() + end.len());
        if let Some(room) = room
            && !has_lines(tokens)
            && let Some(line) = flat(tokens, room)
        {
            self.text.push_str(&line);
            self.text.push_str(end);
            return;
        }
        let mut state = State::default();
        for (i, token) in tokens.iter().enumerate() {
            if state.gap(i.checked_sub(1).map(|before| &tokens[before]), token) {
                self.text.push(' ');
            }
            match token {
                Word(text) => self.text.push_str(text),
                Doc(text) => self.text.push_str(&format!("#[doc = {text:?}]")),
                Group(delimiter, inside) => self.group(*delimiter, inside),
            }
        }
        self.text.push_str(end);
    }

    fn group(&mut self, delimiter: Delimiter, inside: &[Token]) {
        let (open, close) = brackets(delimiter);
        if inside.is_empty() {
            self.text.push_str(&format!("{open}{close}"));
            return;
        }
        let is_lines = delimiter == Delimiter::Brace && inside.iter().any(|token| is_word(token, ";") || is_word(token, "=>"));
        let room = WIDTH.checked_sub(self.column() + 6);
        if let Some(room) = room
            && !is_lines
            && !has_lines(inside)
            && let Some(one) = flat(inside, room)
        {
            let blank = if delimiter == Delimiter::Brace { " " } else { "" };
            self.text.push_str(&format!("{open}{blank}{one}{blank}{close}"));
            return;
        }
        self.text.push_str(open);
        self.text.push('\n');
        self.indent += 4;
        if delimiter == Delimiter::Brace {
            self.statements(inside);
        } else {
            self.items(inside);
        }
        self.indent -= 4;
        self.text.extend(std::iter::repeat_n(' ', self.indent));
        self.text.push_str(close);
    }

    /// A line for each of what commas separate.
    fn items(&mut self, tokens: &[Token]) {
        let mut rest = tokens;
        while !rest.is_empty() {
            let end = comma(rest).map_or(rest.len(), |comma| comma + 1);
            let (item, behind) = rest.split_at(end);
            self.line(item);
            rest = behind;
        }
    }

    /// Writes a line for each statement, item, arm or field, and for each line of its documentation.
    fn statements(&mut self, tokens: &[Token]) {
        let is_list = !tokens.iter().any(|token| is_word(token, ";"));
        let mut rest = tokens;
        while let Some(first) = rest.first() {
            if let Doc(text) = first {
                self.text.extend(std::iter::repeat_n(' ', self.indent));
                self.text.push_str(&format!("///{text}\n"));
                rest = &rest[1..];
                continue;
            }
            let end = match rest {
                [hash, Group(Delimiter::Bracket, _), ..] if is_word(hash, "#") => 2,
                _ => statement(rest, is_list),
            };
            let (one, behind) = rest.split_at(end);
            self.line(one);
            rest = behind;
        }
    }
}

/// The first comma that separates, which is not between angle brackets.
fn comma(tokens: &[Token]) -> Option<usize> {
    let (mut state, mut found) = (State::default(), None);
    for (i, token) in tokens.iter().enumerate() {
        state.gap(i.checked_sub(1).map(|before| &tokens[before]), token);
        if is_word(token, ",") && state.angles == 0 && !state.is_closure {
            found = Some(i);
            break;
        }
    }
    found
}

/// The number of tokens in the first statement; in a list, a comma ends one, too.
fn statement(tokens: &[Token], is_list: bool) -> usize {
    let comma = if is_list { comma(tokens) } else { None };
    for (i, token) in tokens.iter().enumerate() {
        if is_word(token, ";") || comma == Some(i) {
            return i + 1;
        }
        if matches!(token, Group(Delimiter::Brace, _)) {
            let goes_on = match tokens.get(i + 1) {
                Some(Word(next)) => matches!(next.as_str(), ";" | "," | "." | "?" | "else" | "as" | "=>" | "==" | "&&" | "||"),
                _ => false,
            };
            if !goes_on {
                return i + 1;
            }
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn code_is_laid_out() {
        let code = quote! {
            #[doc = " A machine."]
            #[derive(Clone, Debug)]
            pub struct State { pub r0: Box<[u64; 32]>, fetched: sim::Fetched<Vec<Lanes>> }
            type Step<'a> = info::Step<'a>;
            pub(super) fn body<const K: bool>(op: &Op, s: &mut State) -> Option<u64> {
                let a = &op.args;
                if !s.has(a[0] as u32 & 31, -1) && a[1] < 4 { return None; } else { s.put(*a, ..) }
                let pick = |a: &Args| { sim::pick!(body_1, K) };
                match a[0] { 0 | 1 => Some(1), 4.. => None, _ => { s.go(); Some(<u64 as Number>::sum(0..=3)?) } }
            }
        };
        let text = layout(code);
        let expected = "/// A machine.
#[derive(Clone, Debug)]
pub struct State { pub r0: Box<[u64; 32]>, fetched: sim::Fetched<Vec<Lanes>> }
type Step<'a> = info::Step<'a>;
pub(super) fn body<const K: bool>(op: &Op, s: &mut State) -> Option<u64> {
    let a = &op.args;
    if !s.has(a[0] as u32 & 31, -1) && a[1] < 4 {
        return None;
    } else { s.put(*a, ..) }
    let pick = |a: &Args| { sim::pick!(body_1, K) };
    match a[0] {
        0 | 1 => Some(1),
        4.. => None,
        _ => {
            s.go();
            Some(<u64 as Number>::sum(0..=3)?)
        }
    }
}
";
        assert_eq!(text, expected);
    }
}
