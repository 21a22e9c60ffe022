//! Versions of small random specs: what `isa_diff` says of two is what trying all words of both says
//! (`harness::small::compare`).

use harness::small::{Compared, asked_for, compare, of_seeds};

#[test]
fn versions_of_small_specs() {
    let seen = of_seeds(1..401, |seed| compare(seed, 40));
    let count = |what: fn(&Compared) -> bool| seen.iter().filter(|s| what(s)).count();
    let (good, broken, assembled, undecided) =
        (count(|s| s.is_good), count(|s| s.is_broken), count(|s| s.is_assembled), count(|s| s.is_undecided));
    // The pairs are not all of one kind, and next to none take too long.
    let is_much = good >= 150 && broken >= 80 && assembled >= 5;
    assert!(is_much && undecided * 100 <= good, "{good} compared: {broken} broken, {assembled} assembled, {undecided} undecided");
}

/// `cargo test --release -p conformance --test small diffs -- --ignored`; `SEEDS=200000..210000` for others.
#[test]
#[ignore = "takes long"]
fn versions_of_many_small_specs() {
    of_seeds(asked_for(100_000..110_000), |seed| compare(seed, usize::MAX));
}
