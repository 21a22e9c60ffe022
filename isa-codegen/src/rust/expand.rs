//! `define_isa!`: a specification, given by path or in place, as a module in the middle of a program.

use super::tokens;
use isa_spec::diag::{Diagnostic, Severity, render_terminal};
use isa_spec::span::SourceMap;
use isa_spec::{load_str, try_load};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::path::Path;

/// The position of the specification in the program.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// Findings that are shown at most.
const MOST: usize = 30;

/// Expands `define_isa!("path")`, `define_isa!(r#"…"#)`, both also with options before them: `sim,` for a simulator, `crate = path,` and
/// `sim = path,` for crates that go by another name. `base` is the directory of the crate's manifest. With the `place` of the last
/// token, findings in a specification in place are at lines of the program.
pub fn expand(input: TokenStream, base: &Path, place: Option<Place>) -> TokenStream {
    match Input::parse(input) {
        Ok(input) => input.expand(base, place),
        Err((span, message)) => quote_spanned!(span=> compile_error!(#message);),
    }
}

struct Input {
    runtime: TokenStream,
    /// The path of `isa_sim`, if a simulator is wanted.
    machine: Option<TokenStream>,
    text: String,
    /// The lines of the text are lines of the program.
    is_verbatim: bool,
    span: Span,
}

const USAGE: &str = "define_isa! takes the path of a specification, or the specification itself, as a string literal; options come \
                     before it: define_isa!(sim, \"…\")";

impl Input {
    fn parse(input: TokenStream) -> Result<Self, (Span, String)> {
        let usage = || USAGE.to_owned();
        let mut tokens: Vec<TokenTree> = input.into_iter().collect();
        let is = |token: &TokenTree, text: &str| token.to_string() == text;
        if matches!(tokens.last(), Some(t) if is(t, ",")) {
            tokens.pop();
        }
        let Some(last) = tokens.pop() else { return Err((Span::call_site(), usage())) };
        let span = last.span();
        let literal = ungrouped(last);
        let written = literal.to_string();
        let text = litrs::StringLit::try_from(literal).map_err(|_| (span, usage()))?.into_value();
        let (mut runtime, mut machine) = (quote!(::isa_runtime), None);
        if tokens.pop().is_some_and(|comma| !is(&comma, ",")) {
            return Err((span, usage()));
        }
        for option in tokens.split(|token| is(token, ",")) {
            match option {
                [] => {}
                [key] if is(key, "sim") => machine = Some(quote!(::isa_sim)),
                [key, equals, path @ ..] if is(key, "sim") && is(equals, "=") => machine = Some(path.iter().cloned().collect()),
                [key, equals, path @ ..] if is(key, "crate") && is(equals, "=") => runtime = path.iter().cloned().collect(),
                [other, ..] => {
                    return Err((
                        other.span(),
                        format!("define_isa! has no option `{other}`: there are `sim`, `sim = path` and `crate = path`"),
                    ));
                }
            }
        }
        let is_verbatim = written.contains(&text);
        Ok(Self { runtime, machine, text, is_verbatim, span })
    }

    fn expand(&self, base: &Path, place: Option<Place>) -> TokenStream {
        let inline = self.text.contains('\n') || self.text.contains("isa:");
        let loaded = match place.filter(|_| self.is_verbatim) {
            _ if !inline => match try_load(&base.join(&self.text)) {
                Ok(loaded) => loaded,
                Err(error) => return self.error(&error.to_string()),
            },
            // Empty lines before it: its lines have the numbers of the program's.
            Some(Place { file, line }) => load_str(&file, &("\n".repeat(line.saturating_sub(1)) + &self.text), Some(base)),
            None => load_str("<inline>", &self.text, Some(base)),
        };
        let watched = watched(&loaded.files);
        match loaded.isa.as_ref().map(|isa| tokens(isa, &self.runtime, self.machine.as_ref())) {
            Some(Ok(module)) => {
                let warnings = loaded.diagnostics.iter().take(MOST).map(|d| self.warning(d, &loaded.files));
                quote! { #module #(#warnings)* #watched }
            }
            failed => {
                let finding = failed.and_then(Result::err);
                let errors = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).chain(finding.as_deref());
                let count = errors.clone().count();
                let shown = errors.take(MOST).map(|d| self.error(&report(d, &loaded.files)));
                let more = (count > MOST).then(|| self.error(&format!("{} more errors in the specification", count - MOST)));
                // Even a specification with errors is followed, or mending it would change nothing.
                quote! { #(#shown)* #more #watched }
            }
        }
    }

    fn error(&self, message: &str) -> TokenStream {
        quote_spanned!(self.span=> compile_error!(#message);)
    }

    /// An item whose use the compiler warns about: a macro has no other way.
    fn warning(&self, finding: &Diagnostic, files: &SourceMap) -> TokenStream {
        let note = report(finding, files);
        quote_spanned! {self.span=>
            const _: () = {
                #[deprecated(note = #note)]
                const SPECIFICATION: () = ();
                SPECIFICATION
            };
        }
    }
}

/// The token inside a group without brackets, as arguments of another macro are.
fn ungrouped(token: TokenTree) -> TokenTree {
    match &token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let mut inside = group.stream().into_iter();
            match (inside.next(), inside.next()) {
                (Some(one), None) => ungrouped(one),
                _ => token,
            }
        }
        _ => token,
    }
}

/// Makes the compiler look at the files again when they change.
fn watched(files: &SourceMap) -> TokenStream {
    let paths = files.paths().filter_map(|p| std::path::absolute(p).ok()).filter(|p| p.exists());
    let paths = paths.map(|p| p.display().to_string());
    quote! { #(const _: &[u8] = ::core::include_bytes!(#paths);)* }
}

/// The message of a finding, its code, and the rendered snippet with its place.
fn report(finding: &Diagnostic, files: &SourceMap) -> String {
    let rendered = render_terminal(finding, files, false);
    let snippet = rendered.split_once('\n').map_or("", |(_, snippet)| snippet);
    format!("{} [{}]\n{snippet}", finding.message, finding.code)
}
