use isa_spec::model::{Form, Word};

/// A xorshift generator: the same numbers on every run and machine, so that a failure can be met again.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that begins at `seed`, which is not 0.
    pub fn new(seed: u64) -> Self {
        assert_ne!(seed, 0, "a xorshift generator never leaves 0");
        Self(seed)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// 128 random bits.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.next_u64()) << 64 | u128::from(self.next_u64())
    }

    /// A word of so many random bits.
    pub fn word(&mut self, bits: u32) -> Word {
        let low = self.wide();
        let high = if bits > 128 { self.wide() } else { 0 };
        Word::new(high, low) & Word::ones(bits)
    }

    /// A word with the fixed bits of a form and random bits elsewhere. Small and extreme values, where text and codec have
    /// their special cases, come up as often as others: each field is all zeros, all ones, its default, or random.
    pub fn word_of(&mut self, form: &Form) -> Word {
        let kept = self.word(form.length) & !form.mask;
        form.fields.iter().fold(form.value | kept, |word, field| match self.next_u64() % 8 {
            0 => field.bits.set(word, 0),
            1 => field.bits.set(word, u128::MAX),
            2 | 3 => field.bits.set(word, field.default),
            4 => field.bits.set(word, u128::from(self.next_u64() % 4)),
            _ => word,
        })
    }
}
