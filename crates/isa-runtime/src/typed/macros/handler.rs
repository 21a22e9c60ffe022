//! Custom simulators.

/// Declares the trait of simulators, and its dispatch table.
#[doc(hidden)]
#[macro_export]
macro_rules! handler {
    (
        insns { $($(#[$doc:meta])* $method:ident: $insn:ident $(to $expanded:ident)?),* $(,)? }
        forms { $($(#[$form_doc:meta])* $form_method:ident: $form_insn:ident as $of:ident),* $(,)? }
        table { $($table_method:ident),* $(,)? }
    ) => {
        /// An executor of instructions, with a state of its own.
        ///
        /// The method of a form is that of its instruction, unless it is overridden; an instruction that expands to another one
        /// uses the method of that one; all others use [`other`](Self::other).
        pub trait Handler {
            /// The result of an instruction: nothing, or for example the next action.
            type Output;

            /// Executes an instruction whose own method is not overridden.
            fn other(&mut self, insn: Insn) -> Self::Output;

            $(
                $(#[$doc])*
                fn $method(&mut self, insn: $insn) -> Self::Output {
                    $crate::otherwise!(self insn $insn $($expanded)?)
                }
            )*
            $(
                $(#[$form_doc])*
                fn $form_method(&mut self, insn: $form_insn) -> Self::Output {
                    self.$of(insn)
                }
            )*
        }

        impl Insn {
            /// Calls the handler's method for this instruction.
            pub fn visit<H: Handler + ?Sized>(&self, handler: &mut H) -> H::Output {
                match self {
                    $(Self::$insn(insn) => handler.$method(*insn),)*
                }
            }
        }

        /// The dispatch table of a handler.
        pub struct Dispatch<H>(::core::marker::PhantomData<H>);

        impl<H: Handler> Dispatch<H> {
            /// The method that executes each form: `Dispatch::<MyCpu>::TABLE[insn.form() as usize](&mut cpu, &insn)`.
            pub const TABLE: [fn(&mut H, &Insn) -> H::Output; FORMS.len()] = {
                $($crate::entry!($method);)*
                $($crate::entry!($form_method);)*
                [$($table_method::<H>),*]
            };

            /// Executes an instruction.
            #[inline]
            pub fn run(handler: &mut H, insn: Insn) -> H::Output {
                Self::TABLE[insn.form() as usize](handler, &insn)
            }
        }
    };
}

/// The default method of an instruction: that of the instruction that it expands to, or `other`.
#[doc(hidden)]
#[macro_export]
macro_rules! otherwise {
    ($handler:ident $insn:ident $kind:ident) => {
        $handler.other(Insn::$kind($insn))
    };
    ($handler:ident $insn:ident $kind:ident $expanded:ident) => {
        match $insn.expanded().as_ref().and_then($crate::typed::of_kind) {
            ::core::option::Option::Some(insn) => $handler.$expanded(insn),
            ::core::option::Option::None => $handler.other(Insn::$kind($insn)),
        }
    };
}

/// A function of the dispatch table; it converts the instruction to its kind. Not a closure with a match, for which the compiler
/// processes all other closures and all variants. The instruction is a reference, because for each function with a value of an
/// enum the compiler needs memory for all variants: 600 MB for an instruction set of 3,000.
#[doc(hidden)]
#[macro_export]
macro_rules! entry {
    ($method:ident) => {
        // The type is not named: an instruction can be called `H`.
        fn $method<H: Handler>(handler: &mut H, insn: &Insn) -> H::Output {
            match $crate::typed::of_kind(insn) {
                ::core::option::Option::Some(insn) => handler.$method(insn),
                ::core::option::Option::None => insn.visit(handler),
            }
        }
    };
}
