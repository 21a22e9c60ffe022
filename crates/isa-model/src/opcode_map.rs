//! The first unit of a stream, divided into regions as documents divide it: `0000001 xxxxxxxxx -> 1111011 xxxxxxxxx`. The codes
//! of a region are the values of what is not `x`; a code is assigned if a form begins so, and else it is a hole with a name.

use crate::model::{Form, Format, Isa, Region, Word};
use crate::sets::{Cube, Order, Set, Solver, TooLarge};
use isa_runtime::why::NoWord;

/// The greatest number of ranges of free codes that are listed.
const MAX_FREE: usize = 4096;

/// The class of a first unit of a stream.
#[derive(Clone, Copy, Debug)]
pub enum Class<'a> {
    /// Words in this format, with their length in bits.
    Format(&'a Format, u32),
    /// No instruction; the length is known where the specification decides it for the whole region.
    Hole(Option<&'a Region>, Option<u32>),
}

impl Region {
    /// True if the region has this unit.
    pub fn contains(&self, unit: Word) -> bool {
        (self.first..=self.last).contains(&unit)
    }

    /// For how many codes there is room.
    pub fn codes(&self) -> Word {
        (self.last.wrapping_sub(self.first) >> self.open).saturating_add(Word::bit(0))
    }

    /// The number of codes that a form has, and the codes that none has, as ranges: `1110101..1111011`.
    ///
    /// # Errors
    /// If the diagram of the codes is too large.
    pub fn usage(&self, isa: &Isa) -> Result<(Word, Vec<String>), TooLarge> {
        let width = isa.words.unit - self.open;
        let order = Order::descending(width);
        let mut solver = Solver::new(&order);
        let mut taken = Set::NONE;
        for (mask, value) in isa.forms.iter().filter_map(|f| head(isa, f)) {
            taken = solver.attempt(|solver| {
                let code = solver.cube(Cube::new(mask >> self.open, value >> self.open))?;
                solver.or(taken, code)
            })?;
        }
        let (taken, free) = solver.attempt(|solver| {
            let room = solver.intervals(&[(self.first >> self.open, self.last >> self.open)], width)?;
            Ok((solver.and(room, taken)?, solver.minus(room, taken)?))
        })?;
        let digits = width as usize;
        let shown = |(from, to): &(Word, Word)| match from == to {
            true => format!("{from:0digits$b}"),
            false => format!("{from:0digits$b}..{to:0digits$b}"),
        };
        let free = match solver.freeze(free).ranges(width, MAX_FREE) {
            Some(ranges) => ranges.iter().map(shown).collect(),
            None => vec![format!("more than {MAX_FREE} ranges")],
        };
        Ok((solver.freeze(taken).count(width).to_word(), free))
    }

    /// The formats of the forms that begin in the region, in declared order.
    pub fn formats<'a>(&self, isa: &'a Isa) -> Vec<&'a Format> {
        let begins = |form: &&Form| {
            head(isa, form).is_some_and(|(mask, value)| {
                let unit = Word::ones(isa.words.unit);
                value <= self.last && value | (unit & !mask) >= self.first
            })
        };
        let mut used: Vec<usize> = isa.forms.iter().filter(begins).filter_map(|f| isa.drawn_format(f)).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter().map(|i| &isa.formats[i]).collect()
    }
}

impl Isa {
    /// The region of a first unit.
    pub fn region_of(&self, unit: Word) -> Option<&Region> {
        self.space.iter().find(|r| r.contains(unit))
    }

    /// The reason why a first unit begins no word.
    pub fn no_word(&self, unit: Word) -> NoWord<'_> {
        NoWord { region: self.region_of(unit).map(|region| (region.name.as_str(), unit >> region.open)) }
    }

    /// The first unit of a word of `bits` bits.
    pub fn first_unit(&self, word: Word, bits: u32) -> Word {
        let shift = if self.words.low_first { 0 } else { bits.saturating_sub(self.words.unit) };
        word >> shift & Word::ones(self.words.unit)
    }

    /// The class of words that a first unit of a stream begins.
    pub fn classify(&self, unit: Word) -> Class<'_> {
        let length = self.words.lengths.iter().find(|l| l.prefix.contains(unit)).map(|l| l.bits);
        let form = self.forms.iter().find(|f| Some(f.length) == length && fits(self, f, unit));
        match (form.and_then(|f| self.drawn_format(f)), length) {
            (Some(format), Some(length)) => Class::Format(&self.formats[format], length),
            _ => Class::Hole(self.region_of(unit), length),
        }
    }

    /// The format whose layout draws the words of a form: the nearest one, or the one that the instruction extends.
    fn drawn_format(&self, form: &Form) -> Option<usize> {
        let own = self.instruction(form.instruction).format?.index();
        let chain = std::iter::successors(Some(own), |i| self.formats[*i].extends.map(|id| id.index())).take(self.formats.len());
        Some(chain.into_iter().find(|i| self.formats[*i].draws).unwrap_or(own))
    }
}

/// The bits that a form fixes of its first unit, and their values.
fn head(isa: &Isa, form: &Form) -> Option<(Word, Word)> {
    let words = &isa.words;
    let shift = if words.low_first { 0 } else { form.length.checked_sub(words.unit)? };
    Some(((form.mask >> shift) & Word::ones(words.unit), (form.value >> shift) & Word::ones(words.unit)))
}

/// True if a word of the form can begin with a unit.
fn fits(isa: &Isa, form: &Form, unit: Word) -> bool {
    head(isa, form).is_some_and(|(mask, value)| ((unit ^ value) & mask).is_zero())
}
