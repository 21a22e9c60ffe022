//! The proof that encodings don't clash: the words of all forms and the words of the holes are all words.

use crate::model::{FormId, Isa, Length};
use crate::sets::{Count, Cube, Set, Solver, TooLarge, WordSet};

/// What of one word length is allocated, and what is free.
#[derive(Clone, Debug)]
pub struct LengthCertificate {
    /// Bits of the word.
    pub bits: u32,
    /// All words of this length.
    pub total: Count,
    /// Words that belong to a form.
    pub allocated: Count,
    /// Words that belong to none.
    pub holes: Count,
    /// The holes as cubes that don't overlap, the largest first; no more than [`MAX_HOLES`].
    pub hole_cubes: Vec<Cube>,
    /// How many such cubes there are.
    pub hole_count: u64,
    /// How many words each form has for itself.
    pub forms: Vec<(FormId, Count)>,
}

/// So many holes are listed.
pub const MAX_HOLES: usize = 4096;

/// The partition of all words.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// One for each word length.
    pub lengths: Vec<LengthCertificate>,
}

impl Certificate {
    /// Divides all words among forms and holes. The two are counted apart: forms one by one, each without what its specialisations
    /// take, and holes as what no form has; [`LengthCertificate::is_exact`] compares them.
    ///
    /// # Errors
    /// When the holes of a length take a diagram that is too large.
    pub fn new(isa: &Isa) -> Result<Self, TooLarge> {
        Ok(Self { lengths: isa.words.lengths.iter().map(|length| certify(isa, length)).collect::<Result<_, _>>()? })
    }
}

fn certify(isa: &Isa, length: &Length) -> Result<LengthCertificate, TooLarge> {
    let mut allocated = Count::default();
    let mut forms = Vec::new();
    for form in isa.forms.iter().filter(|f| f.length == length.bits) {
        let count = form.words.count(length.bits);
        allocated.add(&count);
        forms.push((form.id, count));
    }
    let holes = holes(isa, length)?;
    let hole_count = holes.cube_count();
    let mut hole_cubes = holes.cubes(MAX_HOLES).unwrap_or_else(|| holes.largest_cubes(MAX_HOLES));
    hole_cubes.sort_by_key(|c| (c.mask.count_ones(), c.value));
    Ok(LengthCertificate {
        bits: length.bits,
        total: length.words.count(length.bits),
        allocated,
        holes: holes.count(length.bits),
        hole_count: if hole_count <= MAX_HOLES as u64 { hole_cubes.len() as u64 } else { hole_count },
        hole_cubes,
        forms,
    })
}

/// The words of a length that no form has.
fn holes(isa: &Isa, length: &Length) -> Result<WordSet, TooLarge> {
    let order = isa.order(length.bits);
    let mut solver = Solver::new(order);
    let mut sets = Vec::new();
    for form in isa.forms.iter().filter(|f| f.length == length.bits) {
        sets.push(solver.attempt(|solver| solver.import(&form.words))?);
    }
    while sets.len() > 1 {
        let pairs = sets.chunks(2).map(|pair| solver.attempt(|solver| solver.any(pair.to_vec())));
        sets = pairs.collect::<Result<_, _>>()?;
    }
    let taken = sets.first().copied().unwrap_or(Set::NONE);
    let holes = solver.attempt(|solver| {
        let all = solver.import(&length.words)?;
        solver.minus(all, taken)
    })?;
    Ok(solver.freeze(holes))
}

impl LengthCertificate {
    /// Whether forms and holes are all words, each once.
    pub fn is_exact(&self) -> bool {
        let mut sum = self.allocated.clone();
        sum.add(&self.holes);
        sum == self.total
    }

    /// The share of words that belong to a form.
    pub fn share(&self) -> f64 {
        self.allocated.fraction_of_power(self.bits) / self.total.fraction_of_power(self.bits)
    }
}
