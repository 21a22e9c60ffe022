//! Tests of operations on sets.

use super::*;

/// `"1-0"`: the cube, most significant bit first.
fn cube(text: &str) -> Cube {
    text.bytes()
        .fold(Cube::ALL, |c, b| Cube { mask: c.mask << 1 | Word::from(b != b'-'), value: c.value << 1 | Word::from(b == b'1') })
}

fn words(set: &WordSet) -> Vec<Word> {
    (0..8u32).map(Word::from).filter(|w| set.contains(*w)).collect()
}

#[test]
fn operations_agree_with_sets_of_words() {
    let order = Order::near(3, &[Word::from(0b101u32)]);
    let mut solver = Solver::new(&order);
    let texts: [&[&str]; 5] = [&["11-"], &["--1"], &["00-", "-11", "1-0"], &["---"], &[]];
    let sets: Vec<Set> = texts
        .iter()
        .map(|list| list.iter().fold(Set::NONE, |s, c| solver.cube(cube(c)).and_then(|c| solver.or(s, c)).unwrap()))
        .collect();
    for a in &sets {
        let wa = words(&solver.freeze(*a));
        for b in &sets {
            let wb = words(&solver.freeze(*b));
            let of = |solver: &mut Solver<'_>, set: Result<Set, TooLarge>| words(&solver.freeze(set.unwrap()));
            let (and, minus, or) = (solver.and(*a, *b), solver.minus(*a, *b), solver.or(*a, *b));
            assert_eq!(
                of(&mut solver, and),
                (0..8u32).map(Word::from).filter(|w| wa.contains(w) && wb.contains(w)).collect::<Vec<_>>()
            );
            assert_eq!(
                of(&mut solver, minus),
                (0..8u32).map(Word::from).filter(|w| wa.contains(w) && !wb.contains(w)).collect::<Vec<_>>()
            );
            assert_eq!(
                of(&mut solver, or),
                (0..8u32).map(Word::from).filter(|w| wa.contains(w) || wb.contains(w)).collect::<Vec<_>>()
            );
        }
        let set = solver.freeze(*a);
        assert_eq!(set.count(3).to_string(), format!("{:#x}", wa.len()));
        let cubes = set.cubes(8).unwrap();
        assert_eq!((0..8u32).map(Word::from).filter(|w| cubes.iter().any(|c| c.contains(*w))).collect::<Vec<_>>(), wa);
        for word in 0..8u32 {
            for known in 0..8u32 {
                let distance = |w: &Word| ((w.low() as u32 ^ word).count_ones(), *w);
                let near = wa.iter().filter(|w| (w.low() as u32 ^ word) & known == 0).min_by_key(|w| distance(w));
                assert_eq!(set.nearest(word.into(), known.into()), near.copied());
                assert_eq!(set.meets(word.into(), known.into()), near.is_some());
            }
        }
        let hull = set.hull();
        assert!(wa.iter().all(|w| hull.contains(*w)));
        assert!(wa.is_empty() || (0..3).all(|b| hull.mask.has(b) || wa.iter().any(|w| !w.has(b)) && wa.iter().any(|w| w.has(b))));
    }
}

#[test]
fn equal_sets_are_equal_diagrams() {
    let interval = |from: u32, to: u32| (Word::from(from), Word::from(to));
    let order = Order::descending(4);
    let mut solver = Solver::new(&order);
    let (a, b) =
        (solver.intervals(&[interval(3, 9)], 4).unwrap(), solver.intervals(&[interval(3, 5), interval(6, 9)], 4).unwrap());
    assert_eq!(a, b);
    let other = Order::near(4, &[Word::from(0b1001u32)]);
    let frozen = solver.freeze(a);
    let mut elsewhere = Solver::new(&other);
    let moved = elsewhere.import(&frozen).unwrap();
    let moved = elsewhere.freeze(moved);
    let back = Solver::new(&order).import(&moved).map(|set| set == a);
    assert_eq!((0..16u32).filter(|w| moved.contains(Word::from(*w))).collect::<Vec<_>>(), (3..=9).collect::<Vec<_>>());
    assert!(back.is_ok());
    assert_eq!(frozen.ranges(4, 4), Some(vec![interval(3, 9)]));
}

#[test]
fn equality_of_wide_fields_is_small_and_entangled_sets_end() {
    let pairs: Vec<Word> = (0..64).map(|i| Word::bit(i) | Word::bit(i + 64)).collect();
    let order = Order::near(128, &pairs);
    let mut solver = Solver::new(&order);
    let mut equal = Set::ALL;
    for i in 0..64 {
        let (a, b) = (solver.bit(i).unwrap(), solver.bit(i + 64).unwrap());
        let (less, more) = (solver.minus(a, b).unwrap(), solver.minus(b, a).unwrap());
        let differ = solver.or(less, more).unwrap();
        equal = solver.minus(equal, differ).unwrap();
    }
    assert!(solver.freeze(equal).nodes() <= 4 * 64);
    assert_eq!(solver.freeze(equal).count(128).to_string(), "0x10000000000000000");
    let order = Order::descending(128);
    let mut solver = Solver::new(&order);
    let result = solver.attempt(|solver| {
        (0..64).try_fold(Set::ALL, |equal, i| {
            let (a, b) = (solver.bit(i)?, solver.bit(i + 64)?);
            let (less, more) = (solver.minus(a, b)?, solver.minus(b, a)?);
            let differ = solver.or(less, more)?;
            solver.minus(equal, differ)
        })
    });
    assert_eq!(result, Err(TooLarge));
    assert!(solver.nodes.is_empty());
}
