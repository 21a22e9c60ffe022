//! `define_isa!`: a specification, given by path or in place, as a module in the middle of a program.

use super::tokens;
use isa_spec::diag::{Diagnostic, Severity, render_terminal};
use isa_spec::span::SourceMap;
use isa_spec::{load_str, try_load};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::path::Path;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, LitStr, Token};

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
    // Paths are shown as the compiler shows them: relative to the folder that it runs in.
    let folder = std::env::current_dir().unwrap_or_default();
    match syn::parse2::<Input>(input) {
        Ok(input) => input.expand(base.strip_prefix(folder).unwrap_or(base), place),
        Err(error) => error.into_compile_error(),
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

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let usage = |span| Error::new(span, USAGE);
        let (mut runtime, mut machine) = (quote!(::isa_runtime), None);
        while !input.peek(LitStr) {
            let key = Ident::parse_any(input).map_err(|e| usage(e.span()))?;
            let path = input.parse::<Option<Token![=]>>()?.map(|_| path(input)).transpose()?;
            input.parse::<Token![,]>().map_err(|e| usage(e.span()))?;
            match (key.to_string().as_str(), path) {
                ("sim", path) => machine = Some(path.unwrap_or_else(|| quote!(::isa_sim))),
                ("crate", Some(path)) => runtime = path,
                _ => {
                    let message = format!("define_isa! has no option `{key}`: there are `sim`, `sim = path` and `crate = path`");
                    return Err(Error::new(key.span(), message));
                }
            }
        }
        let literal: LitStr = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(usage(input.span()));
        }
        let text = literal.value();
        let is_verbatim = literal.token().to_string().contains(&text);
        Ok(Self { runtime, machine, text, is_verbatim, span: literal.span() })
    }
}

/// `::my::runtime`: a path without arguments.
fn path(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let first: Option<Token![::]> = input.parse()?;
    let rest = Punctuated::<Ident, Token![::]>::parse_separated_nonempty_with(input, Ident::parse_any)?;
    Ok(quote!(#first #rest))
}

impl Input {
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
