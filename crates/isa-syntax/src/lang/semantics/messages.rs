//! Messages about a text that the grammar refuses.

use super::grammar::Rule;
use isa_model::semantics::MeaningFault;
use pest::error::{ErrorVariant, InputLocation};

pub(super) fn syntax_fault(error: &pest::error::Error<Rule>, source: &str) -> MeaningFault {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let mut wanted: Vec<&str> = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.iter().filter_map(describe).collect(),
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    wanted.sort_unstable();
    wanted.dedup();
    let rest = &source[at..];
    // After a complete value much can follow; what only some values can have doesn't help.
    if wanted.contains(&"an operator") {
        wanted.retain(|w| !["`?`", "`is`", "`(`", "`[`"].contains(w));
    }
    if wanted.contains(&"`let`") {
        wanted.retain(|w| !["`let`", "`if`", "`for`", "`match`", "an expression"].contains(w));
        wanted.push("a statement");
    }
    if wanted.contains(&"`;`") {
        wanted.retain(|w| *w != "the end of the text");
    }
    let found = word_at(rest);
    let expected = match wanted.as_slice() {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    };
    let mut made = if rest.trim().is_empty() {
        let end = source.trim_end().len();
        MeaningFault::new(end..end, format!("the text ends where {expected} is expected"))
    } else {
        MeaningFault::new(at..at + found.len(), format!("expected {expected}"))
    };
    made.help = hint(found, source[..at].trim_end(), &wanted);
    made
}

/// The word, or the character, that a text begins with.
fn word_at(text: &str) -> &str {
    let word = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    &text[..word.max(first)]
}

/// Habits of other languages.
fn hint(found: &str, before: &str, wanted: &[&str]) -> Option<String> {
    let ends = wanted.contains(&"`;`");
    let inside = wanted.contains(&"`{`") || wanted.contains(&"`)`");
    Some(match found {
        _ if before.ends_with('?') => "a choice between values is written `if c { x } else { y }`".into(),
        "=" if before.ends_with(['+', '-', '*', '|', '^', '&']) => "write the place again: `x = x + 1`".into(),
        "=" if inside => "`==` compares".into(),
        "\"" => "a text ends on its line, with `\"`".into(),
        "#" => "a comment begins with `//`".into(),
        "let" | "if" | "for" | "match" if ends => "a statement ends with `;`".into(),
        _ => return None,
    })
}

/// The name of a rule in messages; `None` for a rule that is not worth suggesting.
fn describe(rule: &Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::expr | Rule::term | Rule::primary | Rule::parens | Rule::if_expr | Rule::match_expr => "an expression",
        Rule::int | Rule::text | Rule::name | Rule::prefix | Rule::arg | Rule::change => "an expression",
        Rule::stmt | Rule::let_stmt | Rule::if_stmt | Rule::for_stmt | Rule::match_stmt | Rule::plain_stmt => "a statement",
        Rule::infix | Rule::sign => "an operator",
        Rule::EOI => "the end of the text",
        Rule::function => "a function",
        Rule::param => "a parameter",
        Rule::block => "`{`",
        Rule::ident | Rule::word | Rule::path | Rule::letter | Rule::keyword => "a name",
        Rule::number => "a number",
        Rule::width | Rule::size => "a width in bits",
        Rule::label | Rule::label_list => "a label",
        Rule::args | Rule::open_paren => "`(`",
        Rule::index | Rule::open_bracket => "`[`",
        Rule::member | Rule::suffix => return None,
        Rule::is_tail | Rule::kw_is => "`is`",
        Rule::optional => "`?`",
        Rule::alternative => "an alternative",
        Rule::kw_let => "`let`",
        Rule::kw_if => "`if`",
        Rule::kw_else | Rule::else_if => "`else`",
        Rule::kw_for => "`for`",
        Rule::kw_in => "`in`",
        Rule::kw_match => "`match`",
        Rule::kw_fn => "`fn`",
        Rule::kw_return | Rule::give => "`return`",
        Rule::assign => "`=`",
        Rule::compound => "an assignment such as `|=`",
        Rule::arrow => "`=>`",
        Rule::dots => "`..`",
        Rule::part => "`+:`",
        Rule::colon => "`:`",
        Rule::comma => "`,`",
        Rule::semicolon | Rule::end => "`;`",
        Rule::close_paren => "`)`",
        Rule::close_bracket => "`]`",
        Rule::open_brace => "`{`",
        Rule::close_brace => "`}`",
        Rule::body => "a statement",
        Rule::value => "an expression",
        Rule::functions => "a function",
        Rule::WHITESPACE | Rule::COMMENT => return None,
    })
}
