//! Texts that are not YAML: the parser notices a bracket or a quote that is not closed at a later line, and the finding is at the cause.

use granit_parser::{ErrorKind, ScanError};
use isa_model::diag::Diagnostic;
use isa_model::span::{FileId, Span};

/// A text up to where the parser stops.
pub(super) struct Stopped<'a> {
    pub(super) text: &'a str,
    pub(super) file: FileId,
    /// The beginnings of the lists and mappings in brackets that are open, the innermost last.
    pub(super) open: &'a [usize],
    /// The end of what was read last.
    pub(super) last: usize,
}

impl Stopped<'_> {
    /// The finding about what the parser refuses.
    pub(super) fn finding(&self, error: &ScanError) -> Diagnostic {
        let at = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
        match error.kind() {
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
                if let Some(tab) = self.tab(at) =>
            {
                self.error("a tab indents this line: YAML is indented with blanks", tab)
            }
            ErrorKind::UnknownAnchor => self.error("alias references unknown anchor", at),
            ErrorKind::RecursionLimitExceeded => self.error("lists and mappings nest too deep", at),
            ErrorKind::UnclosedQuotedScalar
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::InvalidTrailingSingleQuotedScalar
            | ErrorKind::InvalidTrailingDoubleQuotedScalar
                if let Some(quote) = self.quote(at) =>
            {
                self.of_quotes(quote, at)
            }
            ErrorKind::UnknownQuotedScalarEscape => {
                self.error("there is no such escape", at).with_help("in double quotes, `\\` itself is written `\\\\`")
            }
            ErrorKind::MappingValueNotAllowed => self.of_colon(at),
            ErrorKind::SimpleKeyExpected => self.error("expected `:` and a blank behind this key", at),
            ErrorKind::UnclosedFlowCollection { open } => {
                let line = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
                self.commented(at, line).unwrap_or_else(|| self.error(format!("`{open}` is not closed"), at))
            }
            ErrorKind::MismatchedFlowCollectionEnd { open, close } => self.error(format!("`{open}` is closed by `{close}`"), at),
            ErrorKind::ExpectedBlockMappingKey if self.begins_line(at) && !self.text[at..].starts_with('-') => {
                self.error("no mapping has its keys at this column", at)
            }
            kind => match self.open.last() {
                Some(open) if is_of_brackets(kind) => self.of_brackets(*open, at),
                _ if self.text[at..].starts_with(',') => self
                    .error("the value ends before this `,`", at)
                    .with_help("there is a bracket too many, or a text that is not in quotes as a whole"),
                _ => self.error(kind.to_string(), at),
            },
        }
    }

    fn span(&self, at: usize) -> Span {
        let width = self.text[at..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        Span::new(self.file, at..at + width)
    }

    fn error(&self, message: impl Into<String>, at: usize) -> Diagnostic {
        Diagnostic::error("yaml", message, self.span(at))
    }

    /// A list or a mapping in brackets, which goes on where something else is.
    fn of_brackets(&self, open: usize, at: usize) -> Diagnostic {
        let (begin, end) = if self.text[open..].starts_with('[') { ('[', ']') } else { ('{', '}') };
        let inside = || format!("expected `,` or `{end}`");
        if let Some(finding) = self.commented(open, at) {
            return finding;
        }
        let indent = self.indent(open);
        let mut later =
            self.text[open..at].match_indices('\n').map(|(end, _)| open + end + 1).filter(|line| *line < self.text.len());
        let is_left = later.any(|line| {
            self.text[line..].trim_start_matches([' ', '\r']).starts_with(|c| c != '\n') && self.indent(line) <= indent
        });
        if is_left || self.text[at..].trim().is_empty() {
            return self.error(format!("`{begin}` is not closed"), open).with_label(self.span(at), inside() + " before this");
        }
        let error = self.error(inside(), at).with_label(self.span(open), "inside of this");
        let follows_text = self.text[..self.last.min(at)].ends_with(|c: char| !matches!(c, '"' | '\'' | '}' | ']'));
        match self.text[at..].chars().next() {
            Some(c @ ('{' | '[')) if follows_text && self.text[self.last.min(at)..at].trim().is_empty() => {
                error.with_help(format!("a text with `{c}` is written in quotes"))
            }
            _ => error,
        }
    }

    /// The finding about a comment before `to` in which more brackets close than open.
    fn commented(&self, open: usize, to: usize) -> Option<Diagnostic> {
        let (begin, end) = if self.text[open..].starts_with('[') { ('[', ']') } else { ('{', '}') };
        let mut comments = self.outside_of_quotes(open, to).filter(|at| self.text[*at..].starts_with('#'));
        let comment = comments.find(|at| {
            let comment = self.text[*at..].lines().next().unwrap_or_default();
            comment.matches(end).count() > comment.matches(begin).count()
        })?;
        let error = self.error(format!("` #` begins a comment, and the `{end}` in it closes nothing"), comment);
        Some(error.with_label(self.span(open), "not closed").with_help("a text with `#` is written in quotes"))
    }

    /// A text in quotes that is not closed, or that goes on behind its end.
    fn of_quotes(&self, quote: usize, at: usize) -> Diagnostic {
        let mark = &self.text[quote..=quote];
        if at > quote && self.text[quote..at].contains('\n') || self.text[at..].trim().is_empty() || at == quote {
            let error = self.error(format!("`{mark}` is not closed on its line"), quote);
            return if at == quote { error } else { error.with_label(self.span(at), "the text ends before this") };
        }
        let inside = if mark == "'" { "''" } else { "\\\"" };
        let error = self.error("a text in quotes ends before this", at).with_label(self.span(quote), "it begins here");
        error.with_help(format!("`{mark}` within the text is written `{inside}`"))
    }

    /// A `:` behind something that is no key.
    fn of_colon(&self, at: usize) -> Diagnostic {
        let error = self.error("a value can't begin here", at);
        let line = self.line(at);
        match self.text[line..at].contains(": ") {
            true => error.with_help("a text with `: ` is written in quotes"),
            false => {
                error.with_help("a key is indented as the other keys of its mapping: this line goes on with the value above")
            }
        }
    }

    /// The quote that begins the text at hand.
    fn quote(&self, at: usize) -> Option<usize> {
        self.outside_of_quotes(self.last.min(at), (at + 1).min(self.text.len()))
            .find(|at| self.text[*at..].starts_with(['"', '\'']))
    }

    /// The places between two bytes that can begin something, up to the first text in quotes that has no end; those in comments and
    /// in quotes are left out.
    fn outside_of_quotes(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        std::iter::from_fn(move || {
            let here = (at < to).then_some(at)?;
            let begins = here == 0 || matches!(bytes[here - 1], b' ' | b'\t' | b'\n' | b',' | b':' | b'[' | b'{');
            at += match bytes[here] {
                b'#' if begins => bytes[here..].iter().position(|b| *b == b'\n').unwrap_or(to - here),
                mark @ (b'"' | b'\'') if begins => {
                    let is_end = |at: &usize| bytes[*at] == mark && (mark == b'\'' || bytes[*at - 1] != b'\\');
                    (here + 1..to).find(is_end).map_or(to, |end| end + 1) - here
                }
                _ => 1,
            };
            Some((here, begins))
        })
        .filter(|(_, begins)| *begins)
        .map(|(at, _)| at)
    }

    /// The beginning of the line of a byte.
    fn line(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// True if there is nothing before a byte in its line.
    fn begins_line(&self, at: usize) -> bool {
        self.text[self.line(at)..at].trim().is_empty()
    }

    /// The number of blanks before the line of a byte.
    fn indent(&self, at: usize) -> usize {
        self.text[self.line(at)..].bytes().take_while(|b| *b == b' ').count()
    }

    /// The first tab that indents a line, from the line of a byte on.
    fn tab(&self, start: usize) -> Option<usize> {
        let mut at = self.line(start);
        for line in self.text[at..].split_inclusive('\n') {
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            if let Some(tab) = line[..indent].find('\t') {
                return Some(at + tab);
            }
            at += line.len();
        }
        None
    }
}

/// True if something is refused within brackets since it does not go on as they do.
fn is_of_brackets(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ExpectedFlowMappingSeparator
            | ErrorKind::ExpectedFlowSequenceSeparator
            | ErrorKind::UnexpectedEofFlowMapping
            | ErrorKind::UnexpectedEofFlowSequence
            | ErrorKind::UnexpectedEofImplicitFlowMapping
            | ErrorKind::BlockEntryInFlowCollection
            | ErrorKind::ExpectedNodeContent
    )
}
