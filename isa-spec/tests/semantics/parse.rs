//! The parser on good and on bad texts.

use isa_spec::semantics::*;

/// The tree with all its brackets, names and numbers as written.
fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int { value, width: None } => value.to_string(),
        ExprKind::Int { value, width: Some(w) } => format!("{value}:{w}"),
        ExprKind::Text(t) => format!("{t:?}"),
        ExprKind::Name { path, optional } => format!("{path}{}", if *optional { "?" } else { "" }),
        ExprKind::Is { slot, alternatives } => {
            format!("({} is {})", slot.text, alternatives.iter().map(|a| a.0.text.as_str()).collect::<Vec<_>>().join("|"))
        }
        ExprKind::Index { of, at } => format!("{}[{}]", show(of), show(at)),
        ExprKind::Slice { of, hi, lo } => format!("{}[{}..{}]", show(of), show(hi), show(lo)),
        ExprKind::Part { of, at, count } => format!("{}[{} +: {}]", show(of), show(at), show(count)),
        ExprKind::Member { of, name } => format!("{}.{}", show(of), name.text),
        ExprKind::Unary { op, of } => format!("{op:?}({})", show(of)),
        ExprKind::Binary { op, left, right, .. } => format!("({} {} {})", show(left), op.text(), show(right)),
        ExprKind::If { arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(c, v)| format!("if {} {{{}}} else ", show(c), show(v))).collect();
            format!("{}{{{}}}", arms.concat(), show(otherwise))
        }
        ExprKind::Match { on, arms, otherwise } => {
            let arms: Vec<_> = arms
                .iter()
                .map(|(l, v)| format!("{} => {}, ", l.iter().map(show).collect::<Vec<_>>().join(", "), show(v)))
                .collect();
            format!("match {} {{{}else => {}}}", show(on), arms.concat(), show(otherwise))
        }
        ExprKind::Change { old, new } => format!("{} => {}", old.text, show(new)),
        ExprKind::Call { name, args } => {
            format!("{}({})", name.text, args.iter().map(show).collect::<Vec<_>>().join(", "))
        }
    }
}

fn shown(source: &str) -> String {
    show(&parse_expr(source).unwrap_or_else(|f| panic!("{source}: {f:?}")))
}

/// The first fault of a text that is refused, as `characters: message (help)`.
fn fault_of<T>(source: &str, parsed: Result<T, Vec<MeaningFault>>) -> String {
    let faults = parsed.err().unwrap_or_else(|| panic!("`{source}` is accepted"));
    let MeaningFault { range, message, help, .. } = &faults[0];
    let help = help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
    format!("`{}` at {}: {message}{help}", &source[range.clone()], range.start)
}

#[test]
fn operators_bind_as_documented() {
    for (source, tree) in [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a << 2 + b", "(a << (0x2 + b))"),
        ("a | b ^ c & d << e", "(a | (b ^ (c & (d << e))))"),
        ("a ++ b | c", "(a ++ (b | c))"),
        ("a & 1 == b && c <s d || e", "((((a & 0x1) == b) && (c <s d)) || e)"),
        ("a <u b", "(a <u b)"),
        ("a <=s b", "(a <=s b)"),
        ("a >>s b >> shift", "((a >>s b) >> shift)"),
        ("-a[3..0] + ~b[2].z", "(Neg(a[0x3..0x0]) + Not(b[0x2].z))"),
        ("!(a || b)", "LogicNot((a || b))"),
        ("R[d +: 2] ++ s[8*i +: 8]", "(R[d +: 0x2] ++ s[(0x8 * i) +: 0x8])"),
        ("a /u b %s c", "((a /u b) %s c)"),
        ("a++b", "(a ++ b)"),
    ] {
        assert_eq!(shown(source), tree);
    }
}

#[test]
fn every_expression_is_read() {
    for (source, tree) in [
        ("0x1f:32", "0x1f:32"),
        ("1_000", "0x3e8"),
        ("size == \".WIDE\"", "(size == \".WIDE\")"),
        ("bc is rr | ri && neg?", "((bc is rr|ri) && neg?)"),
        ("x is a || y", "((x is a) || y)"),
        ("load.global(a, 32)", "load.global(a, 0x20)"),
        ("tid.x", "tid.x"),
        ("if a { b } else if c { d } else { e }", "if a {b} else if c {d} else {e}"),
        (
            "match op { 0, 1 => a, \".X\" => b, fused => c, else => d }",
            "match op {0x0, 0x1 => a, \".X\" => b, fused => c, else => d}",
        ),
        ("(a) // why\n + b", "(a + b)"),
    ] {
        assert_eq!(shown(source), tree);
    }
}

#[test]
fn statements_are_read() {
    let source = "let x:34 = 0;\nR[rd] = x; // low\nif c { exit() } else if d { y = 1 } else { }\nfor i in 0..4 { z[i] = 1; }\nmatch op { 0 => { trap(); } else => { } }";
    let body = parse(source).expect("it is correct");
    let texts: Vec<&str> = body.iter().map(|s| &source[s.range.clone()]).collect();
    assert_eq!(
        texts,
        [
            "let x:34 = 0",
            "R[rd] = x",
            "if c { exit() } else if d { y = 1 } else { }",
            "for i in 0..4 { z[i] = 1; }",
            "match op { 0 => { trap(); } else => { } }"
        ]
    );
    assert!(matches!(&body[0].kind, StmtKind::Let { name, width: Some(34), .. } if name.text == "x"));
    assert!(matches!(&body[2].kind, StmtKind::If { arms, otherwise } if arms.len() == 2 && otherwise.is_empty()));
    assert!(matches!(&body[4].kind, StmtKind::Match { arms, .. } if arms.len() == 1));
}

#[test]
fn compound_assignments_are_read() {
    for sign in ["+", "-", "&", "^", "|"] {
        let source = format!("R[rd] {sign}= x + 1;");
        let body = parse(&source).expect("it is correct");
        let StmtKind::Assign { place, value } = &body[0].kind else { panic!("{source}") };
        assert_eq!((&source[place.range.clone()], &source[value.range.clone()]), ("R[rd]", &*format!("R[rd] {sign}= x + 1")));
        let ExprKind::Binary { left, right, op, .. } = &value.kind else { panic!("{source}") };
        assert_eq!((&source[left.range.clone()], op.text(), &source[right.range.clone()]), ("R[rd]", sign, "x + 1"));
    }
}

#[test]
fn functions_are_read() {
    let list =
        parse_functions("fn half(x:32, h:n) : n { let t = x; return t[15..0]; }\nfn stop() { exit(); }").expect("it is correct");
    assert_eq!(
        list.iter().map(|f| (f.name.text.as_str(), f.params.len(), f.width.is_some())).collect::<Vec<_>>(),
        [("half", 2, true), ("stop", 0, false)]
    );
    assert_eq!(list[0].params[0].1, Width::Bits(32));
    assert!(matches!(&list[0].params[1].1, Width::Named(name) if name.text == "n"));
}

#[test]
fn faults_stand_at_their_characters() {
    for (source, message) in [
        ("R[rd] = ;", "`;` at 8: expected an expression"),
        ("R[rd] = a +;", "`;` at 11: expected an expression"),
        ("R[rd] = (a + b;", "`;` at 14: expected `)` or an operator"),
        ("R[rd = a;", "`=` at 5: expected `+:`, `..`, `]` or an operator"),
        ("let = 3;", "`=` at 4: expected a name"),
        ("let if = 3;", "`if` at 4: expected a name"),
        ("let x 3;", "`3` at 6: expected `:` or `=`"),
        ("a = b\nc = d", "`c` at 6: expected `;` or an operator"),
        ("if a { b = 1;", "`` at 13: the text ends where `}` or a statement is expected"),
        ("if a b = 1;", "`b` at 5: expected `{` or an operator"),
        (
            "a = b < c;",
            "`<` at 6: `<` doesn't say whether the numbers have signs (write `<s` for signed or `<u` for unsigned numbers)",
        ),
        (
            "a = b / c;",
            "`/` at 6: `/` doesn't say whether the numbers have signs (write `/s` for signed or `/u` for unsigned numbers)",
        ),
        ("a = b == c == d;", "`==` at 11: comparisons don't chain (join two comparisons with `&&`)"),
        ("a = c ? 1 : 2;", "`1` at 8: expected `;` or an operator (a choice between values is written `if c { x } else { y }`)"),
        ("a *= 1;", "`=` at 3: expected an expression (write the place again: `x = x + 1`)"),
        ("a + 1;", "`a + 1` at 0: this value is not used (a statement assigns (`place = value;`) or calls (`exit();`))"),
        ("a = 0x1ff:8;", "`0x1ff:8` at 4: 0x1ff doesn't fit in 8 bits"),
        ("a = 12z;", "`12z` at 4: `12z` is not a number: 10, 0x1f, 0b101, 0o17 and 1_000 are"),
        ("a = 0:300;", "`300` at 6: a width is 1 to 256 bits"),
        ("a = \"x;", "`\"` at 4: expected an expression (a text ends on its line, with `\"`)"),
        ("a = b; # c", "`#` at 7: expected the end of the text or a statement (a comment begins with `//`)"),
        ("for i in 0 { }", "`{` at 11: expected `..` or an operator"),
        ("match x { 0 = { } }", "`=` at 12: expected `,` or `=>`"),
        ("a = if c { 1 };", "`;` at 14: expected `else`"),
        ("a = s[3:0];", "`0` at 8: a width is 1 to 256 bits (bits of a value are written `x[3..0]`)"),
        ("}", "`}` at 0: expected a statement"),
        ("é", "`é` at 0: expected a statement"),
    ] {
        assert_eq!(fault_of(source, parse(source)), message, "{source}");
    }
}

#[test]
fn nothing_exhausts_the_stack() {
    let deep = |n: usize| format!("a = {}b{};", "(".repeat(n), ")".repeat(n));
    assert!(parse(&deep(MAX_DEPTH)).is_ok());
    assert_eq!(fault_of(&deep(9999), parse(&deep(9999))), "`(` at 104: brackets nest more than 100 deep");
    let long = format!("a = b{};", " + b".repeat(9999));
    assert!(fault_of(&long, parse(&long)).ends_with("this expression is too long (give parts of it names with `let`)"));
    for source in [format!("a = {}b;", "~".repeat(9999)), format!("a = b{};", "[0]".repeat(9999))] {
        assert!(fault_of(&source, parse(&source)).contains("this expression is too long"));
    }
    let inner = |e: String| format!("({e}{})", " + b".repeat(90));
    let both = format!("a = {};", (0..90).fold("b".to_owned(), |e, _| inner(e)));
    assert!(fault_of(&both, parse(&both)).contains("this expression is too long"));
    let blocks = format!("{}{}", "if a { ".repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH));
    assert!(parse(&blocks).is_ok());
    let arms = format!("if a {{ }} {}", "else if a { }".repeat(5000));
    assert!(parse(&arms).is_ok());
}
