//! The tables of the small languages are made of their pest grammars, and kept: who uses isagen builds neither pest's generator nor what
//! it makes. This is a workspace of its own: `pest_meta` asks for features of pest that build scripts do not, and all that depends on pest
//! would be compiled twice.

use pest_meta::ast::RuleType;
use pest_meta::optimizer::{OptimizedExpr, OptimizedRule, optimize};
use pest_meta::parser::{self, Rule};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The file of each table, and the grammars that it is made of; in the folder `isa-spec/src`.
const TABLES: [(&str, &[&str]); 2] = [
    (
        "lang/grammar.rs",
        &[
            "lang/common.pest",
            "lang/field.pest",
            "lang/condition.pest",
            "lang/template.pest",
            "lang/layout.pest",
            "lang/syntax.pest",
            "lang/sum.pest",
        ],
    ),
    ("semantics/grammar.rs", &["lang/semantics.pest"]),
];

/// A line has at most this many characters, where it can be broken.
const WIDTH: usize = 120;

/// The table of some grammars.
fn table(folder: &Path, grammars: &[&str]) -> String {
    let read = |name: &&str| fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let text = grammars.iter().map(read).collect::<Vec<_>>().join("\n");
    let pairs = parser::parse(Rule::grammar_rules, &text).unwrap_or_else(|e| panic!("{e}"));
    let rules = optimize(parser::consume_rules(pairs).unwrap_or_else(|e| panic!("{e:?}")));
    let comment = rules.iter().any(|rule| rule.name == "COMMENT");
    let mut out = format!(
        "//! The rules of {}, as pest optimises them.\n//!\n\
         //! After a change of a grammar: `BLESS=1 cargo test --manifest-path tests/grammars/Cargo.toml`.\n\n\
         use crate::peg::{{Expr, Grammar, Kind}};\nuse Expr::*;\n\n\
         #[allow(non_camel_case_types, clippy::upper_case_acronyms)]\n#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]\n\
         pub(crate) enum Rule {{\n",
        grammars.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    );
    for rule in &rules {
        writeln!(out, "    r#{},", rule.name).expect("a String");
    }
    write!(
        out,
        "    EOI,\n}}\n\nimpl From<Rule> for usize {{\n    fn from(rule: Rule) -> Self {{\n        rule as Self\n    }}\n}}\n\n\
         pub(crate) const GRAMMAR: Grammar<Rule> = Grammar {{\n    rules: RULES,\n    end: Rule::EOI,\n    blank: Rule::r#WHITESPACE,\n    \
         comment: {},\n}};\n\n#[rustfmt::skip]\nstatic RULES: &[(Rule, Kind, Expr<Rule>)] = &[\n",
        if comment { "Some(Rule::r#COMMENT)" } else { "None" }
    )
    .expect("a String");
    for OptimizedRule { name, ty, expr } in rules {
        let kind = match ty {
            RuleType::Normal => "Normal",
            RuleType::Silent => "Silent",
            RuleType::Atomic => "Atomic",
            RuleType::CompoundAtomic => "CompoundAtomic",
            RuleType::NonAtomic => "NonAtomic",
        };
        let line = format!("(Rule::r#{name}, Kind::{kind}, ");
        writeln!(out, "    {line}{}),", shown(&expr, 4, 4 + line.len() + 2)).expect("a String");
    }
    out.push_str("];\n");
    out
}

/// An expression as Rust: on one line, if that does not become too long behind `used` characters; else in lines that are indented more
/// than by `indent`.
fn shown(expr: &OptimizedExpr, indent: usize, used: usize) -> String {
    let list = |name: &str, parts: Vec<&OptimizedExpr>| {
        let one: Vec<String> = parts.iter().map(|part| shown(part, 0, 0)).collect();
        let one = format!("{name}(&[{}])", one.join(", "));
        if used + one.len() <= WIDTH {
            return one;
        }
        let inner = indent + 4;
        let line = |part: &&OptimizedExpr| format!("{:inner$}{},\n", "", shown(part, inner, inner + 1));
        format!("{name}(&[\n{}{:indent$}])", parts.iter().map(line).collect::<String>(), "")
    };
    let of = |name: &str, inner: &OptimizedExpr| format!("{name}(&{})", shown(inner, indent, used + name.len() + 3));
    match expr {
        OptimizedExpr::Str(text) => format!("Text({text:?})"),
        OptimizedExpr::Range(from, to) => range(from, to),
        OptimizedExpr::Ident(name) => match name.as_str() {
            "SOI" => "Start".to_string(),
            "EOI" => "End".to_string(),
            "ANY" => "Any".to_string(),
            "ASCII_DIGIT" => range("0", "9"),
            "ASCII_BIN_DIGIT" => range("0", "1"),
            "ASCII_HEX_DIGIT" => ranges(&["09", "af", "AF"]),
            "ASCII_ALPHA" => ranges(&["az", "AZ"]),
            "ASCII_ALPHANUMERIC" => ranges(&["az", "AZ", "09"]),
            name => format!("Rule(Rule::r#{name})"),
        },
        OptimizedExpr::PosPred(inner) => of("Ahead", inner),
        OptimizedExpr::NegPred(inner) => of("NotAhead", inner),
        OptimizedExpr::Opt(inner) => of("Optional", inner),
        OptimizedExpr::Rep(inner) => of("Repeated", inner),
        OptimizedExpr::Seq(first, rest) => list(
            "Sequence",
            flat(first, rest, |expr| match expr {
                OptimizedExpr::Seq(first, rest) => Some((&**first, &**rest)),
                _ => None,
            }),
        ),
        OptimizedExpr::Choice(first, rest) => list(
            "Choice",
            flat(first, rest, |expr| match expr {
                OptimizedExpr::Choice(first, rest) => Some((&**first, &**rest)),
                _ => None,
            }),
        ),
        OptimizedExpr::Skip(texts) => format!("Until(&{texts:?})"),
        other => panic!("the parser in isa-spec/src/peg.rs has no {other:?}"),
    }
}

fn range(from: &str, to: &str) -> String {
    let [from, to] = [from, to].map(|text| text.chars().next().expect("a character"));
    format!("Range({from:?}, {to:?})")
}

fn ranges(all: &[&str]) -> String {
    let all: Vec<String> = all.iter().map(|ends| range(&ends[..1], &ends[1..])).collect();
    format!("Choice(&[{}])", all.join(", "))
}

/// The items of nested pairs whose second part is again a pair.
fn flat<'e>(
    first: &'e OptimizedExpr,
    mut rest: &'e OptimizedExpr,
    pair: impl Fn(&'e OptimizedExpr) -> Option<(&'e OptimizedExpr, &'e OptimizedExpr)>,
) -> Vec<&'e OptimizedExpr> {
    let mut parts = vec![first];
    while let Some((next, last)) = pair(rest) {
        parts.push(next);
        rest = last;
    }
    parts.push(rest);
    parts
}

#[test]
fn tables_are_those_of_their_grammars() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../isa-spec/src");
    for (name, grammars) in TABLES {
        let (path, table) = (folder.join(name), table(&folder, grammars));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &table).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == table,
            "{name} is not the table of its grammars: `BLESS=1 cargo test --manifest-path tests/grammars/Cargo.toml` writes it"
        );
    }
}
