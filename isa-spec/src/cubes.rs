//! Exact sets of words: what lets the checker prove instead of sample.
//!
//! A [`Cube`] is a word with don't-cares, as decoders know it: a mask and a value. A [`CubeSet`] is a union of cubes that
//! don't overlap, so that counting its words is adding powers of two.

use crate::model::{Word, ones};

/// All words `w` with `w & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The bits that matter.
    pub mask: Word,
    /// Their values; zero where `mask` is.
    pub value: Word,
}

impl Cube {
    /// Every word.
    pub const ALL: Self = Self { mask: 0, value: 0 };

    /// The words whose `mask` bits are those of `value`.
    pub fn new(mask: Word, value: Word) -> Self {
        Self { mask, value: value & mask }
    }

    /// Whether the word is in it.
    pub fn contains(self, word: Word) -> bool {
        word & self.mask == self.value
    }

    /// The words that are in both.
    pub fn intersect(self, other: Self) -> Option<Self> {
        ((self.value ^ other.value) & self.mask & other.mask == 0)
            .then_some(Self { mask: self.mask | other.mask, value: self.value | other.value })
    }

    /// Whether every word of `other` is in `self`.
    pub fn includes(self, other: Self) -> bool {
        self.mask & !other.mask == 0 && (self.value ^ other.value) & self.mask == 0
    }

    /// The words of `self` that are not in `other`, as cubes that don't overlap: one for each bit that `other` fixes.
    fn subtract(self, other: Self, out: &mut Vec<Self>) {
        if self.intersect(other).is_none() {
            out.push(self);
            return;
        }
        let mut rest = self;
        let mut bits = other.mask & !self.mask;
        while bits != 0 {
            let bit = bits & bits.wrapping_neg();
            bits &= !bit;
            out.push(Self { mask: rest.mask | bit, value: rest.value | (!other.value & bit) });
            rest = Self { mask: rest.mask | bit, value: rest.value | (other.value & bit) };
        }
    }
}

/// A set of words, as cubes that don't overlap.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CubeSet(pub Vec<Cube>);

impl CubeSet {
    /// No word.
    pub fn empty() -> Self {
        Self(Vec::new())
    }

    /// Every word.
    pub fn all() -> Self {
        Self(vec![Cube::ALL])
    }

    /// The set of one cube's words.
    pub fn of(cube: Cube) -> Self {
        Self(vec![cube])
    }

    /// Whether there is no word in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the word is in it.
    pub fn contains(&self, word: Word) -> bool {
        self.0.iter().any(|c| c.contains(word))
    }

    /// The words in both.
    pub fn intersect(&self, other: &Self) -> Self {
        Self(self.0.iter().flat_map(|a| other.0.iter().filter_map(move |b| a.intersect(*b))).collect())
    }

    /// The words that are not in `other`.
    pub fn subtract(&self, other: &Self) -> Self {
        let mut cubes = self.0.clone();
        for b in &other.0 {
            let mut next = Vec::with_capacity(cubes.len());
            for a in &cubes {
                a.subtract(*b, &mut next);
            }
            cubes = next;
        }
        Self(cubes)
    }

    /// The words in either.
    pub fn union(&self, other: &Self) -> Self {
        let mut cubes = self.0.clone();
        cubes.extend(other.subtract(self).0);
        Self(cubes)
    }

    /// The words that are not in it.
    pub fn complement(&self) -> Self {
        Self::all().subtract(self)
    }

    /// One word that is in both, if there is one.
    pub fn witness(&self, other: &Self) -> Option<Word> {
        self.0.iter().find_map(|a| other.0.iter().find_map(|b| a.intersect(*b))).map(|c| c.value)
    }

    /// Whether every word of `other` is in it.
    pub fn includes(&self, other: &Self) -> bool {
        other.0.iter().all(|b| self.0.iter().any(|a| a.includes(*b))) || other.subtract(self).is_empty()
    }

    /// How many words of `bits` bits are in it.
    pub fn count(&self, bits: u32) -> Count {
        let mut count = Count::default();
        for cube in &self.0 {
            count.add_power(bits - (cube.mask & ones(bits)).count_ones());
        }
        count
    }

    /// The same set in fewer cubes, where neighbours differ in one bit.
    pub fn simplify(mut self) -> Self {
        loop {
            let before = self.0.len();
            self.0.sort_unstable_by_key(|c| (c.mask, c.value));
            let mut out: Vec<Cube> = Vec::with_capacity(before);
            'cubes: for cube in self.0 {
                for other in out.iter_mut().rev().take_while(|o| o.mask == cube.mask) {
                    let differ = other.value ^ cube.value;
                    if differ.is_power_of_two() {
                        *other = Cube::new(cube.mask & !differ, cube.value);
                        continue 'cubes;
                    }
                }
                out.push(cube);
            }
            self.0 = out;
            if self.0.len() == before {
                return self;
            }
        }
    }
}

/// An exact number of words, up to any size: binary digits, least significant first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count(Vec<bool>);

impl Count {
    /// 2^n.
    pub fn power(n: u32) -> Self {
        let mut count = Self::default();
        count.add_power(n);
        count
    }

    /// Adds 2^n.
    pub fn add_power(&mut self, n: u32) {
        let mut n = n as usize;
        loop {
            if self.0.len() <= n {
                self.0.resize(n + 1, false);
            }
            self.0[n] = !self.0[n];
            if self.0[n] {
                return;
            }
            n += 1;
        }
    }

    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        for (n, _) in other.0.iter().enumerate().filter(|(_, b)| **b) {
            self.add_power(n as u32);
        }
    }

    /// Whether it is none.
    pub fn is_zero(&self) -> bool {
        !self.0.contains(&true)
    }

    /// This many of 2^n, as a fraction.
    pub fn fraction_of_power(&self, n: u32) -> f64 {
        self.0.iter().enumerate().filter(|(_, b)| **b).map(|(i, _)| f64::exp2(i as f64 - f64::from(n))).sum()
    }
}

/// Exact, in hexadecimal: `0x1000`.
impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits: Vec<u32> = self.0.chunks(4).map(|c| c.iter().rev().fold(0, |d, b| d * 2 + u32::from(*b))).collect();
        f.write_str("0x")?;
        let top = digits.iter().rposition(|d| *d != 0).unwrap_or(0);
        for d in digits.get(..=top).unwrap_or(&[0]).iter().rev() {
            write!(f, "{d:x}")?;
        }
        Ok(())
    }
}

/// The values of `width` bits from `lo` to `hi` (both included, unsigned), as cubes over those bits.
pub fn interval(lo: Word, hi: Word, width: u32) -> Vec<Cube> {
    let mut cubes = Vec::new();
    let all = ones(width);
    let mut at = lo;
    while at <= hi {
        // The largest aligned block that starts here and does not pass `hi`.
        let mut size = 0;
        while size < width && at & ones(size + 1) == 0 && hi - at >= ones(size + 1) {
            size += 1;
        }
        cubes.push(Cube::new(all & !ones(size), at));
        match at.checked_add(ones(size)).and_then(|x| x.checked_add(1)) {
            Some(next) if next <= all => at = next,
            _ => break,
        }
    }
    cubes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `"1-0"`: the cube, most significant bit first.
    fn cube(text: &str) -> Cube {
        text.bytes().fold(Cube::ALL, |c, b| Cube {
            mask: c.mask << 1 | Word::from(b != b'-'),
            value: c.value << 1 | Word::from(b == b'1'),
        })
    }

    fn set(cubes: &[&str]) -> CubeSet {
        cubes.iter().fold(CubeSet::empty(), |s, c| s.union(&CubeSet::of(cube(c))))
    }

    fn words(set: &CubeSet, bits: u32) -> Vec<Word> {
        (0..1 << bits).filter(|w| set.contains(*w)).collect()
    }

    #[test]
    fn crossing_cubes_share_one_word() {
        assert_eq!(set(&["11-"]).witness(&set(&["--1"])), Some(0b111));
        assert_eq!(set(&["00-"]).witness(&set(&["-11"])), None);
    }

    #[test]
    fn operations_agree_with_sets_of_words() {
        let sets = [set(&["11-"]), set(&["--1"]), set(&["00-", "-11", "1-0"]), set(&["---"]), CubeSet::empty()];
        for a in &sets {
            for b in &sets {
                let (wa, wb) = (words(a, 3), words(b, 3));
                assert_eq!(words(&a.intersect(b), 3), wa.iter().filter(|w| wb.contains(w)).copied().collect::<Vec<_>>());
                assert_eq!(words(&a.subtract(b), 3), wa.iter().filter(|w| !wb.contains(w)).copied().collect::<Vec<_>>());
                assert_eq!(words(&a.union(b), 3).len(), (0..8).filter(|w| wa.contains(w) || wb.contains(w)).count());
                assert_eq!(a.includes(b), wb.iter().all(|w| wa.contains(w)));
            }
            assert_eq!(a.count(3).to_string(), format!("{:#x}", words(a, 3).len()));
            assert_eq!(words(&a.clone().simplify(), 3), words(a, 3));
        }
    }

    #[test]
    fn counts_beyond_a_word_are_exact() {
        let mut count = CubeSet::all().count(128);
        assert_eq!(count.to_string(), format!("0x1{}", "0".repeat(32)));
        count.add_power(0);
        assert_eq!(count.to_string(), format!("0x1{}1", "0".repeat(31)));
        assert_eq!(Count::default().to_string(), "0x0");
    }

    #[test]
    fn intervals_are_exact() {
        for lo in 0..16 {
            for hi in lo..16 {
                let cubes = interval(lo, hi, 4);
                let got: Vec<Word> = (0..16).filter(|w| cubes.iter().any(|c| c.contains(*w))).collect();
                assert_eq!(got, (lo..=hi).collect::<Vec<_>>());
            }
        }
        assert_eq!(interval(0, Word::MAX, 128), vec![Cube::ALL]);
        assert_eq!(interval(Word::MAX, Word::MAX, 128).len(), 1);
    }
}
