//! Simulators as a build script writes them and as `define_isa!` has them: of the same tokens, in lines that can be read.

use isa_codegen::rust::{module, tokens};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// The contents of `mod sim`.
fn simulator(code: TokenStream) -> Option<TokenStream> {
    let mut code = code.into_iter().peekable();
    while let Some(token) = code.next() {
        let is_named = token.to_string() == "mod" && code.next_if(|name| name.to_string() == "sim").is_some();
        match if is_named { code.next() } else { Some(token) } {
            Some(TokenTree::Group(group)) if is_named => return Some(group.stream()),
            Some(TokenTree::Group(group)) => match simulator(group.stream()) {
                None => {}
                found => return found,
            },
            _ => {}
        }
    }
    None
}

/// The tokens one by one, signs by character.
fn leaves(code: TokenStream, list: &mut Vec<String>) {
    for tree in code {
        let TokenTree::Group(group) = tree else {
            list.push(tree.to_string());
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => {
                leaves(group.stream(), list);
                continue;
            }
        };
        list.push(open.to_owned());
        leaves(group.stream(), list);
        list.push(close.to_owned());
    }
}

#[test]
fn no_token_is_lost() {
    for name in ["flexgrip", "rv64gc", "ptx-vop4", "ampere"] {
        let isa = isa_spec::load_texts(&format!("{name}.yaml"), isa_specs::FILES).isa.expect("a good specification");
        let text = module(&isa).expect("it is small");
        let expanded = tokens(&isa, &quote!(::isa_runtime), Some(&quote!(::isa_sim))).expect("it is small");
        let [mut given, mut written] = [Vec::new(), Vec::new()];
        leaves(simulator(expanded).expect("it can be executed"), &mut given);
        leaves(simulator(text.parse().expect("Rust")).expect("it can be executed"), &mut written);
        assert!(given.len() > 1000 && given == written, "{name}");
        let is_code = |line: &&str| !line.trim_start().starts_with("///");
        let of_simulator = text.split("pub mod sim {").nth(1).expect("a simulator");
        let longest = of_simulator.lines().filter(is_code).max_by_key(|line| line.len());
        assert!(longest.is_some_and(|line| line.len() < 240), "{name}: {longest:?}");
    }
}
