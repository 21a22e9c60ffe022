//! The proof that encodings don't clash: the words of all forms and the words of the holes are all words.

use isa_spec::model::{FormId, Isa, Length};
use isa_spec::sets::{Count, Cube, Regions};

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
    /// The number of words that each form has for itself.
    pub forms: Vec<(FormId, Count)>,
}

/// The free words of one length, as regions that can overlap.
#[derive(Clone, Debug)]
pub struct Free {
    /// Maximal regions, the largest first.
    pub regions: Vec<Cube>,
    /// The number of words in none of them.
    pub more: Count,
    /// The number of regions that these words take.
    pub more_regions: u64,
}

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
    let (total, holes) = (length.words.count(length.bits), length.holes.count(length.bits));
    LengthCertificate { bits: length.bits, total, allocated, holes, forms }
}

impl Free {
    /// Up to `most` maximal regions of the free words of a length.
    pub fn new(length: &Length, most: usize) -> Self {
        let Regions { cubes, rest, more } = length.holes.regions(length.bits, most);
        Self { regions: cubes, more: rest.count(length.bits), more_regions: more }
    }
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
