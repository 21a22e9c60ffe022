//! The proof that encodings don't clash: the words of all forms and the words of the holes are all words.

use isa_spec::model::{FormId, Isa, Length};
use isa_spec::sets::{Count, Cube};

/// The allocation of the words of one length.
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
    /// The number of these cubes.
    pub hole_count: u64,
    /// The number of words that each form has for itself.
    pub forms: Vec<(FormId, Count)>,
}

/// The greatest number of holes that are listed.
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
    pub fn new(isa: &Isa) -> Self {
        Self { lengths: isa.words.lengths.iter().map(|length| certify(isa, length)).collect() }
    }
}

fn certify(isa: &Isa, length: &Length) -> LengthCertificate {
    let mut allocated = Count::default();
    let mut forms = Vec::new();
    for form in isa.forms.iter().filter(|f| f.length == length.bits) {
        let count = form.words.count(length.bits);
        allocated.add(&count);
        forms.push((form.id, count));
    }
    let (few, all) = (length.holes.cubes(MAX_HOLES), length.holes.cube_count());
    let hole_count = few.as_ref().map_or(all, |few| few.len() as u64);
    let mut hole_cubes = few.unwrap_or_else(|| length.holes.largest_cubes(MAX_HOLES));
    hole_cubes.sort_by_key(|c| (c.mask.count_ones(), c.value));
    let (total, holes) = (length.words.count(length.bits), length.holes.count(length.bits));
    LengthCertificate { bits: length.bits, total, allocated, holes, hole_cubes, hole_count, forms }
}

impl LengthCertificate {
    /// True if forms and holes are all words, each once.
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
