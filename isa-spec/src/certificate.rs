//! The proof that encodings don't clash: the words of all forms and the words of the holes are all words.

use crate::check::leaves;
use crate::cubes::{Count, Cube, CubeSet};
use crate::model::{FormId, Isa, Word};

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
    /// The holes as cubes that don't overlap, the largest first.
    pub hole_cubes: Vec<Cube>,
    /// How many words each form has for itself.
    pub forms: Vec<(FormId, Count)>,
}

/// The partition of all words.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// One for each word length.
    pub lengths: Vec<LengthCertificate>,
}

impl Certificate {
    /// Divides all words among forms and holes. The two are computed apart: forms by taking specialisations out of each,
    /// holes by dividing the space bit by bit; [`LengthCertificate::is_exact`] compares them.
    pub fn new(isa: &Isa) -> Self {
        let lengths = isa.words.lengths.iter().map(|length| {
            let mut allocated = Count::default();
            let mut forms = Vec::new();
            let mut cubes = Vec::new();
            for (form, own) in leaves(isa, length.bits) {
                let count = own.count(length.bits);
                allocated.add(&count);
                forms.push((form.id, count));
                cubes.extend(form.words.0.iter().copied());
            }
            let mut hole_cubes = Vec::new();
            for start in &length.words.0 {
                holes(*start, &cubes, &mut hole_cubes);
            }
            let mut hole_cubes = CubeSet(hole_cubes).simplify().0;
            hole_cubes.sort_by_key(|c| (c.mask.count_ones(), c.value));
            let holes = CubeSet(hole_cubes.clone()).count(length.bits);
            LengthCertificate { bits: length.bits, total: length.words.count(length.bits), allocated, holes, hole_cubes, forms }
        });
        Self { lengths: lengths.collect() }
    }
}

impl LengthCertificate {
    /// Whether forms and holes are all words, each once.
    pub fn is_exact(&self) -> bool {
        let mut sum = self.allocated.clone();
        sum.add(&self.holes);
        sum.to_string() == self.total.to_string()
    }

    /// The share of words that belong to a form.
    pub fn share(&self) -> f64 {
        self.allocated.fraction_of_power(self.bits) / self.total.fraction_of_power(self.bits)
    }
}

/// The parts of `space` that no cube covers: split at the bit that most of the cubes fix, until nothing or everything is left.
fn holes(space: Cube, cubes: &[Cube], out: &mut Vec<Cube>) {
    let here: Vec<Cube> = cubes.iter().filter_map(|c| c.intersect(space)).collect();
    if here.is_empty() {
        out.push(space);
        return;
    }
    if here.contains(&space) {
        return;
    }
    let bit = (0..Word::BITS)
        .filter(|b| space.mask >> b & 1 == 0)
        .max_by_key(|b| here.iter().filter(|c| c.mask >> b & 1 != 0).count())
        .expect("a cube that does not cover the space fixes a bit of it");
    let mask = space.mask | 1 << bit;
    holes(Cube::new(mask, space.value), &here, out);
    holes(Cube::new(mask, space.value | 1 << bit), &here, out);
}
