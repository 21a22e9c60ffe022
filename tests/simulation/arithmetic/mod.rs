//! Instructions against models written from the documents, in integers of 128 bits: every form on random words and registers,
//! with values at the limits, on both engines.

mod ampere;
mod ampere_words;
mod sm10;

use harness::load;
use isa_spec::model::Isa;
use std::path::Path;

fn shipped(name: &str) -> &'static Isa {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs").join(name))
}

/// A test for each engine: the evaluator, and the compiled module.
macro_rules! on_both_engines {
    ($($file:literal $module:ident: $($name:ident)*;)*) => {$($(
        mod $name {
            #[test]
            fn reference() {
                let isa = $crate::arithmetic::shipped($file);
                super::$name(&isa, &isa_reference::eval::Reference::new(&isa).expect("it can be simulated"));
            }

            #[test]
            fn compiled() {
                super::$name(&$crate::arithmetic::shipped($file), &generated::$module::sim::Compiled::new());
            }
        }
    )*)*};
}
pub(crate) use on_both_engines;
