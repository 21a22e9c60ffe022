//! Expressions from text.

use super::syntax::{Precedence, Syntax};
use super::{Binary, Expr, Function, Kind, OPERATORS, Unary};
use isa_engine::is_symbol;
use std::ops::Range;

/// The limit of nested expressions.
const DEEPEST: u32 = 64;

/// An error: the bytes with an unexpected text, and the message.
pub(crate) type Wrong = (Range<usize>, String);

/// Reads an expression, or several separated by commas.
pub(crate) struct Parser<'s> {
    syntax: &'s Syntax,
    text: &'s str,
    at: usize,
    depth: u32,
    /// True if text that can't continue the expression ends it, as in the operands of an instruction.
    is_prefix: bool,
    /// The places of operators outside of parentheses.
    operators: Vec<usize>,
}

impl<'s> Parser<'s> {
    /// A parser that starts at a byte of a text.
    pub(crate) fn new(syntax: &'s Syntax, text: &'s str, at: usize) -> Self {
        Self { syntax, text, at, depth: 0, is_prefix: false, operators: Vec::new() }
    }

    /// The expression at the beginning of a text, its end, and the places of its operators outside of parentheses.
    pub(crate) fn prefix(syntax: &'s Syntax, text: &'s str) -> Result<(Expr, usize, Vec<usize>), Wrong> {
        let mut parser = Self { is_prefix: true, ..Self::new(syntax, text, 0) };
        let expr = parser.expression()?;
        Ok((expr, parser.at, parser.operators))
    }

    /// All of a text as one expression.
    pub(crate) fn whole(syntax: &'s Syntax, text: &'s str, at: usize) -> Result<Expr, Wrong> {
        let mut parser = Self::new(syntax, text, at);
        let expr = parser.expression()?;
        parser.end()?;
        Ok(expr)
    }

    /// The place where reading continues.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The rest of the text, after blanks.
    pub(crate) fn rest(&mut self) -> &'s str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    /// Reads a sign; returns whether it was there.
    pub(crate) fn takes(&mut self, sign: &str) -> bool {
        let is_there = self.rest().starts_with(sign);
        if is_there {
            self.at += sign.len();
        }
        is_there
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), Wrong> {
        let rest = self.rest();
        if rest.is_empty() { Ok(()) } else { Err(self.unexpected("the end, `,` or an operator")) }
    }

    /// The error if something else was expected.
    pub(crate) fn unexpected(&mut self, expected: &str) -> Wrong {
        let rest = self.rest();
        let length = rest.find(|c: char| !is_symbol(c)).unwrap_or(rest.len()).max(rest.chars().next().map_or(0, char::len_utf8));
        let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{}`", &rest[..length]) };
        (self.at..self.at + length, format!("expected {expected}, found {found}"))
    }

    /// Reads a name.
    pub(crate) fn name(&mut self) -> Option<&'s str> {
        let rest = self.rest();
        let length = rest.find(|c: char| !is_symbol(c)).unwrap_or(rest.len());
        let name = &rest[..length];
        (length > 0 && !name.starts_with(|c: char| c.is_ascii_digit())).then(|| {
            self.at += length;
            name
        })
    }

    /// An expression.
    pub(crate) fn expression(&mut self) -> Result<Expr, Wrong> {
        self.binary(1)
    }

    fn binary(&mut self, least: u8) -> Result<Expr, Wrong> {
        let mut left = self.unary()?;
        // The precedence of the operators that `left` is a chain of.
        let mut chained = 0;
        loop {
            let before = self.at;
            let rest = self.rest();
            let rank = |row: &(&str, Binary, u8, u8)| if self.syntax.precedence == Precedence::C { row.3 } else { row.2 };
            let found = OPERATORS.iter().find(|row| rest.starts_with(row.0) && rank(row) > 0);
            let Some((row, rank)) = found.map(|row| (row, rank(row))).filter(|(_, rank)| *rank >= least) else {
                self.at = before;
                return Ok(left);
            };
            let sign = self.at;
            self.at += row.0.len();
            match self.binary(rank + 1) {
                Ok(right) => {
                    if self.depth == 0 {
                        self.operators.push(sign);
                    }
                    let at = left.at.start..right.at.end;
                    match &mut left.kind {
                        Kind::Chain(_, rest) if rank == chained => rest.push((row.1, right)),
                        _ => left = Expr { kind: Kind::Chain(Box::new(left), vec![(row.1, right)]), at: at.clone() },
                    }
                    (chained, left.at) = (rank, at);
                }
                Err(_) if self.is_prefix => {
                    self.at = before;
                    return Ok(left);
                }
                Err(wrong) => return Err(wrong),
            }
        }
    }

    fn unary(&mut self) -> Result<Expr, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let at = self.at..self.text.len();
            return Err((at, format!("an expression nests at most {DEEPEST} deep")));
        }
        let result = self.unary_inside();
        self.depth -= 1;
        result
    }

    fn unary_inside(&mut self) -> Result<Expr, Wrong> {
        let rest = self.rest();
        let start = self.at;
        if let Some((place, sign)) = self.syntax.modifier_at(rest) {
            self.at += sign;
            // A modifier with a name needs parentheses, one with a sign precedes its operand.
            if self.syntax.modifiers[place].is_named() && !self.rest().starts_with('(') {
                return Err(self.unexpected("`(`"));
            }
            let inner = self.unary()?;
            let at = start..inner.at.end;
            return Ok(Expr { kind: Kind::Modified(place, Box::new(inner)), at });
        }
        if let Some((number, length)) = self.syntax.number(rest) {
            self.at += length;
            let at = start..self.at;
            if self.text[self.at..].starts_with(is_symbol) {
                return Err((at, "expected the end of the number".to_owned()));
            }
            return match number {
                Ok(number) => Ok(Expr { kind: Kind::Number(number), at }),
                Err(message) => Err((at, message)),
            };
        }
        let unary = match rest.bytes().next() {
            Some(b'-') => Some(Unary::Minus),
            Some(b'+') => Some(Unary::Plus),
            Some(b'~') => Some(Unary::Complement),
            Some(b'!') => Some(Unary::Not),
            _ => None,
        };
        if let Some(unary) = unary {
            self.at += 1;
            let inner = self.unary()?;
            let at = start..inner.at.end;
            return Ok(Expr { kind: Kind::Unary(unary, Box::new(inner)), at });
        }
        if self.takes("(") {
            let inner = self.expression()?;
            if !self.takes(")") {
                return Err(self.unexpected("`)` or an operator"));
            }
            return Ok(Expr { kind: inner.kind, at: start..self.at });
        }
        if let Some((code, length)) = character(rest) {
            self.at += length;
            return Ok(Expr { kind: Kind::Number(code.into()), at: start..self.at });
        }
        if self.syntax.here.iter().any(|here| rest.starts_with(here.as_str()) && !rest[here.len()..].starts_with(is_symbol)) {
            self.at += rest.chars().next().map_or(0, char::len_utf8);
            return Ok(Expr { kind: Kind::Here, at: start..self.at });
        }
        let name = isa_engine::label_name(rest);
        if name.is_empty() {
            return Err(self.unexpected("a number, a symbol or `(`"));
        }
        self.at += name.len();
        if let Some(row) = Function::ALL.iter().find(|row| row.0 == name)
            && self.takes("(")
        {
            return self.call(row.1, row.2, start);
        }
        Ok(Expr { kind: Kind::Symbol(name.to_owned()), at: start..self.at })
    }

    fn call(&mut self, function: Function, count: usize, start: usize) -> Result<Expr, Wrong> {
        let mut arguments = vec![self.expression()?];
        while arguments.len() < count {
            if !self.takes(",") {
                return Err(self.unexpected("`,`"));
            }
            arguments.push(self.expression()?);
        }
        if !self.takes(")") {
            return Err(self.unexpected("`)`"));
        }
        Ok(Expr { kind: Kind::Call(function, arguments), at: start..self.at })
    }
}

/// True if a character is an operator or a part of one.
pub(crate) fn is_operator(c: char) -> bool {
    "+-*/%<>&|^=!~".contains(c)
}

/// The code of the character at the beginning of a text (`'a'`, or `'a` in GNU as), and its length.
pub(crate) fn character(text: &str) -> Option<(u32, usize)> {
    let rest = text.strip_prefix('\'')?;
    let (code, length) = match rest.strip_prefix('\\') {
        Some(escaped) => escape(escaped).map(|(code, length)| (code, length + 1))?,
        None => rest.chars().next().filter(|c| *c != '\'').map(|c| (c.into(), c.len_utf8()))?,
    };
    Some((code, 1 + length + usize::from(rest[length..].starts_with('\''))))
}

/// The character of an escape, and the length of the escape after `\`.
fn escape(text: &str) -> Option<(u32, usize)> {
    let c = text.chars().next()?;
    Some(match c {
        'n' => (10, 1),
        't' => (9, 1),
        'r' => (13, 1),
        'b' => (8, 1),
        'f' => (12, 1),
        '0'..='7' => {
            let digits = text.bytes().take(3).take_while(|c| matches!(c, b'0'..=b'7')).count();
            (u32::from_str_radix(&text[..digits], 8).ok()? & 0xff, digits)
        }
        'x' | 'X' => {
            let digits = text[1..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let last = &text[1 + digits.saturating_sub(2)..1 + digits];
            (u32::from_str_radix(last, 16).ok()?, 1 + digits)
        }
        '\\' | '"' | '\'' => (c.into(), 1),
        _ => return None,
    })
}

/// The bytes of the string at the beginning of a text (`"…"`), and its length; or the error.
pub(crate) fn string(text: &str) -> Result<(Vec<u8>, usize), Wrong> {
    if !text.starts_with('"') {
        let end = text.find(',').unwrap_or(text.len());
        return Err((0..end, "expected a string in `\"`".to_owned()));
    }
    let mut bytes = Vec::new();
    let mut at = 1;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '"' => return Ok((bytes, at + 1)),
            '\\' => {
                let Some((code, length)) = escape(&text[at + 1..]) else {
                    let end = at + 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
                    return Err((at..end, "this escape is none of `\\n \\t \\r \\b \\f \\\\ \\\" \\' \\123 \\x1f`".to_owned()));
                };
                bytes.push(code as u8);
                at += 1 + length;
            }
            c => {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at += c.len_utf8();
            }
        }
    }
    Err((0..text.len(), "the string does not end: there is no `\"` behind it".to_owned()))
}
