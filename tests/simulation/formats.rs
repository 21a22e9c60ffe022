//! Formats that are named, sums of products, directions by a list and flushes, on both engines.

use super::engines::formats;
use super::floats::agree;
use harness::{amount, load};
use isa_reference::eval::Reference;
use isa_sim::AnyEngine;
use std::path::Path;

#[test]
fn engines_agree() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/formats.yaml"));
    let (reference, compiled) = (Reference::new(isa).expect("it can be simulated"), formats::sim::Compiled::new());
    let engines = [&reference as &dyn AnyEngine, &compiled];
    // 7, 10 and 4 functions, 11 sums and one of 12 factors, and 4 in 3 ways; of 8 directions 2 are none, and `mode` is a third.
    let all = 4 * (7 + 10 + 4) + 3 * (12 + 4 * 3);
    let quiet = 4 * 8;
    for (mode, none, turns) in [(1, 2, amount(40, 8)), (5, 3, 8), (6, 3, 8)] {
        let executed = agree(engines, [8, 12, 4], turns, &[("mode", mode)]);
        assert_eq!(executed, turns * quiet + turns / 8 * (8 - none) * all, "{mode}");
    }
}
