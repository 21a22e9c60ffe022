//! Pages of codes: each has an example that is found as it says.

use isa_reference::codes::{page, pages};
use isa_spec::diag::Severity;
use std::collections::BTreeSet;

#[test]
fn an_example_has_exactly_the_code_of_its_page() {
    let mut wrong = Vec::new();
    for page in pages() {
        let Some(findings) = page.findings() else { continue };
        if !findings.iter().all(|d| d.code == page.code) || findings.is_empty() {
            wrong.push(page.markdown());
        }
        let Some((text, left)) = page.fixed() else { panic!("{} has an example", page.code) };
        if !left.is_empty() {
            wrong.push(format!("{}, fixed:\n{text}{left:?}", page.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_code_has_one_page() {
    let all: Vec<_> = pages().map(|page| page.code).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    assert!(all.len() > 50);
    assert!(pages().all(|page| !page.summary().is_empty()));
}

#[test]
fn a_page_has_the_message_behind_the_example() {
    let page = page("unused").expect("there is such a code");
    assert_eq!(page.findings().map(|f| f[0].severity), Some(Severity::Warning));
    let text = page.markdown();
    let (_, behind) = text.split_once("text: \"op {x}\" }\n```\n```text\n").expect("the example, and the message");
    assert!(behind.starts_with("warning[unused]: nothing uses the enumeration `Size`\n"), "{text}");
}
