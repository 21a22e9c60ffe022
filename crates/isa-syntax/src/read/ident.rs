//! Names of instruction sets and fields.

/// Letters, digits, `_` and `-`, not first a digit.
pub(super) fn is_ident(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}
