//! Generated modules compile whatever the program around them has in scope, and whatever the values of a specification are called.

// Macros of the program, with names that the standard library has.
macro_rules! shadow {
    ($dollar:tt $($name:ident)*) => { $(
        #[allow(unused_macros)]
        macro_rules! $name { ($dollar($dollar tokens:tt)*) => { compile_error!("a macro of the program") }; }
    )* };
}
shadow!($ vec write writeln format stringify concat matches assert debug_assert panic unreachable include_bytes include_str env cfg line);

/// Types and a trait of the program.
#[allow(dead_code)]
mod own {
    pub(crate) struct Result;
    pub(crate) struct Option;
    pub(crate) struct String;
    pub(crate) struct Vec;
    pub(crate) struct Box;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) trait From {}
}
#[allow(unused_imports)]
use own::*;

isa_macros::define_isa!(sim, "specs/generated/values.yaml");
isa_macros::define_isa!(sim, "specs/generated/own-names.yaml");

#[test]
fn values_of_any_name() {
    let text = |text: &str| text.parse::<values::Insn>().map(|insn| insn.to_string()).unwrap_or_else(|e| e.to_string());
    std::assert_eq!(text("error err, 0x0"), "error err, 0x0");
    std::assert_eq!(text("target v0xfz"), "target v0xfz");
}

#[test]
fn flags_have_their_defaults() {
    use values::{Inv, NoneInsn, OkInsn, R, Reg};
    std::assert!(Reg::from(R::NONE).neg && Inv::from(R::NONE).neg);
    std::assert_eq!(OkInsn::new(Reg::from(R::NONE)).map(|insn| insn.to_string()).unwrap_or_default(), "ok none");
    std::assert_eq!(NoneInsn::new(Inv::from(R::NONE)).map(|insn| insn.to_string()).unwrap_or_default(), "none none");
}
