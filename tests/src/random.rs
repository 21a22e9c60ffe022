use isa_spec::samples;
use std::ops::{Deref, DerefMut};

/// The generator of [`samples`], with what tests ask of it besides.
#[derive(Clone, Debug)]
pub struct Random(samples::Random);

impl Random {
    /// A generator that begins at `seed`, which is not 0.
    pub fn new(seed: u64) -> Self {
        Self(samples::Random::new(seed))
    }
}

impl Deref for Random {
    type Target = samples::Random;

    fn deref(&self) -> &samples::Random {
        &self.0
    }
}

impl DerefMut for Random {
    fn deref_mut(&mut self) -> &mut samples::Random {
        &mut self.0
    }
}
