//! Calls of functions in semantics, and their declarations.

/// The names of the functions that a source declares, in their order.
pub(super) fn declared(source: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (kind, token) in tokens(source) {
        if kind == Kind::Declared && !names.iter().any(|name| name == token) {
            names.push(token.to_owned());
        }
    }
    names
}

/// The kind of a piece of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name behind `fn`.
    Declared,
    /// Another name before a parenthesis.
    Called,
    Other,
}

/// The pieces of a source, in order; together they are the source. Comments are of no interest.
pub(super) fn tokens(source: &str) -> Vec<(Kind, &str)> {
    let mut pieces: Vec<(Kind, &str)> = Vec::new();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut at, mut from, mut is_declared) = (0, 0, false);
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if is_name(c) {
            rest.find(|c| !is_name(c)).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let (word, end) = (&rest[..length], at + length);
        if is_name(c) && source[end..].trim_start().starts_with('(') {
            pieces.extend((from < at).then(|| (Kind::Other, &source[from..at])));
            pieces.push((if is_declared { Kind::Declared } else { Kind::Called }, word));
            from = end;
        }
        is_declared = word == "fn" || is_declared && c.is_whitespace();
        at = end;
    }
    pieces.extend((from < at).then(|| (Kind::Other, &source[from..])));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_declarations() {
        let source = "// fn no(x)\nfn skip(c:1) { if (c) { branch(pc + 4); } }\nfn é_2 (a:8) : 8 { return skip(a); }";
        assert_eq!(declared(source), ["skip", "é_2"]);
        let pieces = tokens(source);
        assert_eq!(pieces.iter().map(|piece| piece.1).collect::<String>(), source);
        let called: Vec<_> = pieces.iter().filter(|piece| piece.0 == Kind::Called).map(|piece| piece.1).collect();
        assert_eq!(called, ["if", "branch", "skip"]);
    }
}
