//! `define_isa!`: a specification, given by path or in place, as a module in the middle of a program.

use super::tokens;
use isa_spec::diag::{Diagnostic, Severity, render_terminal};
use isa_spec::span::SourceMap;
use isa_spec::{Loaded, load, load_str};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::path::Path;

/// Expands `define_isa!("path")`, `define_isa!(r#"…"#)`, both also with options before them: `sim,` for a simulator, `crate = path,` and
/// `sim = path,` for crates that go by another name. `base` is the directory of the crate's manifest.
pub fn expand(input: TokenStream, base: &Path) -> TokenStream {
    match Input::parse(input) {
        Ok(input) => input.expand(base),
        Err((span, message)) => quote_spanned!(span=> compile_error!(#message);),
    }
}

struct Input {
    runtime: TokenStream,
    /// The path of `isa_sim`, if a simulator is wanted.
    machine: Option<TokenStream>,
    text: String,
    span: Span,
}

impl Input {
    fn parse(input: TokenStream) -> Result<Self, (Span, String)> {
        let usage =
            || "define_isa! takes the path of a specification, or the specification itself, as a string literal".to_owned();
        let mut tokens: Vec<TokenTree> = input.into_iter().collect();
        let is = |token: &TokenTree, text: &str| token.to_string() == text;
        if matches!(tokens.last(), Some(t) if is(t, ",")) {
            tokens.pop();
        }
        let Some(last) = tokens.pop() else { return Err((Span::call_site(), usage())) };
        let span = last.span();
        let text = litrs::StringLit::try_from(ungrouped(last)).map_err(|_| (span, usage()))?.into_value();
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
                [other, ..] => return Err((other.span(), usage())),
            }
        }
        Ok(Self { runtime, machine, text, span })
    }

    fn expand(&self, base: &Path) -> TokenStream {
        let inline = self.text.contains('\n') || self.text.contains("isa:");
        let loaded = if inline { load_str("<inline>", &self.text, Some(base)) } else { load(&base.join(&self.text)) };
        let watched = watched(&loaded.files);
        let module = loaded.isa.as_ref().map(|isa| tokens(isa, &self.runtime, self.machine.as_ref()));
        match module {
            Some(Ok(module)) => quote! { #module #watched },
            failed => {
                let finding = failed.and_then(Result::err);
                let message = report(&loaded, finding.as_deref());
                // Even a specification with errors is followed, or mending it would change nothing.
                quote_spanned! {self.span=> compile_error!(#message); #watched }
            }
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

/// All errors, each with its place and the rendered snippet.
fn report(loaded: &Loaded, more: Option<&Diagnostic>) -> String {
    let errors: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).chain(more).collect();
    let count = match errors.len() {
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    };
    let rendered = errors.iter().map(|d| {
        let place = loaded.files.place(d.span());
        format!("\n{place}: {}\n{}", d.message, render_terminal(d, &loaded.files, false))
    });
    format!("{count} in the specification\n{}", rendered.collect::<Vec<_>>().join("\n"))
}
