//! Prepared instructions: the function of a body, and the arguments that a word gives it.
//!
//! A body is one function for all forms whose semantics differ only in their operands. The differences are found once, when a
//! program is prepared: fields and conditions of the word become numbers, a source becomes a row of lanes. A row is a register,
//! or a constant that the instruction keeps as a row of its own, or it is fetched before the body runs. Choices that justify a
//! separate loop select one of several instances of the function.

use super::engine::Step;
use super::fault::NotExecutable;
use isa_runtime::engine::print::Out;
use isa_runtime::engine::tables::Field;
use isa_runtime::engine::{Bits, Tables};
use isa_runtime::machine::Write;
use isa_runtime::{Set, U256};

/// The values of an operand: a row of lanes, or one number where a machine has one lane.
pub trait Row: Copy + 'static {
    /// The machine has one lane: an access to memory that faults ends the instruction.
    const IS_ONE: bool;
    /// Zeros.
    const ZERO: &'static Self;

    /// The same number in all lanes; what does not fit is dropped.
    fn broadcast(value: u64) -> Self;

    /// The constants of an instruction: rows of its own or, where a row is a number, its arguments.
    fn constants<'a>(args: &'a [u64], own: &'a [Self]) -> &'a [Self];
}

impl<const L: usize> Row for [u32; L] {
    const IS_ONE: bool = false;
    const ZERO: &'static Self = &[0; L];

    fn broadcast(value: u64) -> Self {
        [value as u32; L]
    }

    #[inline(always)]
    fn constants<'a>(_: &'a [u64], own: &'a [Self]) -> &'a [Self] {
        own
    }
}

impl Row for u64 {
    const IS_ONE: bool = true;
    const ZERO: &'static Self = &0;

    fn broadcast(value: u64) -> Self {
        value
    }

    #[inline(always)]
    fn constants<'a>(args: &'a [u64], _: &'a [Self]) -> &'a [Self] {
        args
    }
}

/// The effect of a body in the lanes of a mask, at least one.
pub type Body<S, R, const N: usize> = fn(&Op<S, R, N>, &mut S, &mut Step<'_>, u64);
/// The active lanes that take part.
pub type Guard<S, R, const N: usize> = fn(&Op<S, R, N>, &mut S, &mut Step<'_>) -> u64;
/// Fetches the values of an operand, at least for the lanes of a mask, before the body runs; the second parameter is the index of
/// its first argument.
pub type Fetch<S, R, const N: usize> = fn(&Op<S, R, N>, usize, &S, &mut Step<'_>, u64) -> R;
/// The operands that were fetched for the current body.
#[derive(Clone, Debug)]
pub struct Fetched<R>(Vec<R>);

impl<R> Default for Fetched<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Row> Fetched<R> {
    /// The row of an argument that is not a register: a fetched one, or a constant of the instruction, whose numbers begin at
    /// `first`; else zeros.
    #[inline(always)]
    pub fn row<'a>(&'a self, constants: &'a [R], first: u64, at: u64) -> &'a R {
        let constant = constants.get(at.wrapping_sub(first) as usize);
        // For numbers a branch is the fastest; if rows are copied, a further branch is slower than a selection.
        if R::IS_ONE
            && let Some(constant) = constant
        {
            return constant;
        }
        let fetched = || self.0.get((at & !FETCHED) as usize);
        constant.or_else(fetched).unwrap_or(R::ZERO)
    }
}

/// Registers, together with fetched operands.
pub trait Fetching<R> {
    /// These operands.
    fn fetched(&mut self) -> &mut Fetched<R>;
}

/// A number computed from the arguments, beginning at an index.
pub type Uniform = fn(&[u64], usize) -> u64;

/// A function, or the instance of one for some arguments.
#[derive(Clone, Copy, Debug)]
pub enum Pick<F: 'static, const N: usize> {
    /// There is one instance.
    Only(F),
    /// The arguments select the instance.
    By(fn(&[u64; N]) -> F),
}

impl<F: Copy, const N: usize> Pick<F, N> {
    fn of(&self, args: &[u64; N]) -> F {
        match self {
            Self::Only(function) => *function,
            Self::By(pick) => pick(args),
        }
    }
}

/// An argument that a word gives to its functions.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// A number.
    Const(u64),
    /// The value of a field of the form, by its number, in this number of bits.
    Field(u16, u16),
    /// Bits of such a value: the first one and their number.
    Part(u16, u16, u16),
    /// 1 if a condition holds, else 0.
    Condition(u16),
    /// The result of a function of the arguments, beginning at an index.
    Uniform(u16, u16),
    /// The row of a register: the first row of its file, the number of registers, the field with its number, and the offset added
    /// to that.
    Row(u32, u32, u16, u16),
    /// A row whose every lane has another argument as its value.
    Broadcast(u16),
    /// A row that a function computes from the arguments, beginning at an index, each time.
    Fetch(u16, u16),
}

/// The semantics of a form: numbers of functions, from 1 up, 0 for none; and their arguments.
#[derive(Debug)]
pub struct Form {
    /// True if the specification describes its semantics.
    pub is_described: bool,
    /// The body.
    pub body: u16,
    /// The function that selects the participating lanes.
    pub guard: u16,
    /// The function that the machine runs after the body.
    pub after: u16,
    /// The registers, flags and values that they may write: the number of a list.
    pub writes: u16,
    /// Arguments of all of them.
    pub args: &'static [Arg],
}

/// A form without semantics.
pub const NO_FORM: Form = Form { is_described: false, body: 0, guard: 0, after: 0, writes: 0, args: &[] };

/// A form with numbers of its functions and of its list of writes, and their arguments.
pub const fn form(body: u16, guard: u16, after: u16, writes: u16, args: &'static [Arg]) -> Form {
    Form { is_described: true, body, guard, after, writes, args }
}

/// The semantics of all instructions of an instruction set.
#[derive(Debug)]
pub struct Code<S: 'static, R: 'static, const N: usize> {
    /// Bodies.
    pub bodies: &'static [Pick<Body<S, R, N>, N>],
    /// Guards.
    pub guards: &'static [Guard<S, R, N>],
    /// Functions that run after bodies.
    pub afters: &'static [Pick<Body<S, R, N>, N>],
    /// Operands that are fetched.
    pub fetches: &'static [Fetch<S, R, N>],
    /// The arguments of all of them.
    pub operands: Operands,
}

/// The arguments that words give to the functions of their forms.
#[derive(Debug)]
pub struct Operands {
    /// Numbers computed from others.
    pub uniforms: &'static [Uniform],
    /// Conditions.
    pub sets: &'static [Set],
    /// Rows of registers: the rows from this index on are an instruction's constants.
    pub rows: u64,
    /// Lists of what forms may write; none where a warp has several lanes.
    pub writes: &'static [&'static [Write]],
    /// By form.
    pub forms: &'static [Form],
    /// Words of no form that are executed as others.
    pub executes: &'static [Executes],
}

/// Words that are not instructions, and that the machine executes as words that are.
#[derive(Debug)]
pub struct Executes {
    /// The length in bits.
    pub bits: u32,
    /// The words.
    pub words: Set,
    /// The bits that the machine ignores.
    pub ignored: u128,
    /// Their values in the word that is executed.
    pub value: u128,
}

/// A prepared instruction.
#[derive(Debug)]
pub struct Op<S: 'static, R: 'static, const N: usize> {
    /// The arguments of its functions.
    pub args: [u64; N],
    /// Its body, if it needs nothing else.
    run: Body<S, R, N>,
    /// Constants as rows.
    own: Box<[R]>,
    more: Option<Box<More<S, R, N>>>,
}

/// The parts of an instruction besides its body.
#[derive(Debug)]
struct More<S: 'static, R: 'static, const N: usize> {
    guard: Option<Guard<S, R, N>>,
    /// The functions that fetch operands, each with the index of its first argument.
    fetches: Box<[(Fetch<S, R, N>, usize)]>,
    body: Option<Body<S, R, N>>,
    /// The function that the machine runs after the body.
    after: Option<Body<S, R, N>>,
}

/// The bit of arguments that refer to fetched rows; the bits below it are the index.
const FETCHED: u64 = 1 << 63;
/// The row of a register that does not exist: zeros.
const NO_ROW: u64 = FETCHED - 1;

impl<S: Fetching<R>, R: Row, const N: usize> Op<S, R, N> {
    /// Executes it in the lanes of `step.active`, its guard included.
    #[inline(always)]
    pub fn execute(&self, state: &mut S, step: &mut Step<'_>) {
        // In one lane the test takes as long as a call, in many lanes it is cheaper.
        if R::IS_ONE || self.more.is_none() {
            (self.run)(self, state, step, step.active);
        } else {
            self.with_more(state, step, step.active);
        }
    }

    /// The same for an instruction with more than a body.
    #[inline]
    fn with_more(&self, state: &mut S, step: &mut Step<'_>, active: u64) {
        let Some(More { guard, fetches, body, after }) = self.more.as_deref() else { return };
        let on = guard.map_or(active, |guard| guard(self, state, step));
        let goes_on = |step: &Step<'_>| !R::IS_ONE || !step.memory.has_trouble() && !step.flow.ends_body();
        if let Some(body) = body
            && on != 0
            && goes_on(step)
        {
            if !fetches.is_empty() {
                self.fetch(fetches, state, step, on);
            }
            body(self, state, step, on);
        }
        if let Some(after) = after
            && goes_on(step)
        {
            after(self, state, step, active);
        }
    }

    /// Its constants.
    #[inline(always)]
    pub fn constants(&self) -> &[R] {
        R::constants(&self.args, &self.own)
    }

    #[inline(never)]
    fn fetch(&self, fetches: &[(Fetch<S, R, N>, usize)], state: &mut S, step: &mut Step<'_>, on: u64) {
        state.fetched().0.clear();
        for (fetch, at) in fetches {
            let row = fetch(self, *at, state, step, on);
            state.fetched().0.push(row);
        }
    }
}

impl<S: Fetching<R>, R: Row, const N: usize> Code<S, R, N> {
    /// Prepares a word of a form; `None` if the specification does not describe its semantics.
    pub fn prepare<W: Bits>(&self, tables: &Tables<'_, W>, form: u16, word: W) -> Option<Op<S, R, N>> {
        let of = self.operands.forms.get(usize::from(form)).filter(|of| of.is_described)?;
        let mut args = [0; N];
        let Told { own, fetches } = self.operands.tell(tables, form, word, &mut args, R::IS_ONE);
        let own: Box<[R]> = own.into_iter().map(R::broadcast).collect();
        let fetch = |(function, at): (u16, usize)| Some((*self.fetches.get(usize::from(function))?, at));
        let fetches: Box<[_]> = fetches.into_iter().filter_map(fetch).collect();
        let number = |number: u16| usize::from(number).wrapping_sub(1);
        let body = self.bodies.get(number(of.body)).map(|pick| pick.of(&args));
        let guard = self.guards.get(number(of.guard)).copied();
        let after = self.afters.get(number(of.after)).map(|pick| pick.of(&args));
        let alone = body.filter(|_| guard.is_none() && fetches.is_empty() && after.is_none());
        let more = || Box::new(More { guard, fetches, body, after });
        Some(Op { args, run: alone.unwrap_or(Op::with_more), own, more: alone.is_none().then(more) })
    }

    /// Prepares a word of `bits` bits.
    ///
    /// # Errors
    /// The reason why it is not an instruction, or not one that can be executed.
    pub fn make<W: Bits>(&self, tables: &Tables<'_, W>, word: U256, bits: u32) -> Result<Op<S, R, N>, NotExecutable> {
        let (form, word) = self.operands.decode(tables, W::from_wide(word), bits).map_err(NotExecutable::Illegal)?;
        self.prepare(tables, form, word).ok_or_else(|| undescribed(tables, form))
    }

    /// The registers, flags and values that a word of `bits` bits may write.
    pub fn writes<W: Bits>(&self, tables: &Tables<'_, W>, word: U256, bits: u32) -> Option<Vec<Write>> {
        let word = W::from_wide(word);
        let form = tables.find(word, bits).ok()?;
        let list = self.operands.writes.get(usize::from(self.operands.forms.get(usize::from(form))?.writes))?;
        let fields: Vec<Field> = tables.form(form).into_iter().flat_map(|form| tables.fields_of(&form)).collect();
        let value = |field: u16| fields.get(usize::from(field)).map_or(0, |field| limbs(tables, field, word)[0]);
        Some(list.iter().map(|write| write.of_word(value)).collect())
    }

    /// The arguments of functions, taken from a word of a form.
    pub fn args<W: Bits>(&self, tables: &Tables<'_, W>, form: u16, word: W) -> [u64; N] {
        let mut args = [0; N];
        self.operands.tell(tables, form, word, &mut args, R::IS_ONE);
        args
    }
}

/// The operands of a word that its arguments only refer to.
struct Told {
    /// Constants as rows.
    own: Vec<u64>,
    /// Functions that fetch operands, each with the index of its first argument.
    fetches: Vec<(u16, usize)>,
}

impl Operands {
    /// The form of a word as the machine executes it, and the word of that form; or the reason why there is none.
    fn decode<W: Bits>(&self, tables: &Tables<'_, W>, word: W, bits: u32) -> Result<(u16, W), String> {
        let refusal = match tables.find(word, bits) {
            Ok(form) => return Ok((form, word)),
            Err(refusal) => refusal,
        };
        let low = word.wide().low();
        let executed = self.executes.iter().find(|executes| executes.bits == bits && executes.words.contains(low));
        let word = executed.map(|Executes { ignored, value, .. }| W::from_wide(U256::from(low & !ignored | value)));
        word.and_then(|word| Some((tables.find(word, bits).ok()?, word))).ok_or_else(|| refusal.to_string())
    }

    /// The text of a word of `bits` bits at an address, as the machine executes it, or the reason why it does not.
    pub fn text<W: Bits>(&self, tables: &Tables<'_, W>, word: U256, bits: u32, address: u64) -> String {
        let (form, word) = match self.decode(tables, W::from_wide(word), bits) {
            Ok(decoded) => decoded,
            Err(refusal) => return format!("! {refusal}"),
        };
        let mut bytes = vec![0; tables.room()];
        let mut out = Out::new(&mut bytes);
        tables.print(tables.texts(form).text, word, address, &[], &mut out);
        String::from_utf8_lossy(out.as_bytes()).into_owned()
    }

    /// Fills in the arguments of a word of a form. If a machine `is_one` lane, these are its constants too.
    fn tell<W: Bits>(&self, tables: &Tables<'_, W>, form: u16, word: W, args: &mut [u64], is_one: bool) -> Told {
        let (mut own, mut fetches) = (Vec::new(), Vec::new());
        let all = self.forms.get(usize::from(form)).map_or(&[][..], |form| form.args);
        let fields: Vec<Field> = tables.form(form).into_iter().flat_map(|form| tables.fields_of(&form)).collect();
        let value = |field: u16| fields.get(usize::from(field)).map_or([0; 4], |field| limbs(tables, field, word));
        for (slot, arg) in args.iter_mut().zip(all) {
            *slot = match *arg {
                Arg::Const(value) => value,
                Arg::Field(field, width) => bits(value(field), 0, width),
                Arg::Part(field, from, width) => bits(value(field), from, width),
                Arg::Condition(set) => self.sets.get(usize::from(set)).is_some_and(|set| set.contains(word.wide().low())).into(),
                Arg::Row(base, count, field, plus) => match bits(value(field), 0, 64).saturating_add(plus.into()) {
                    register if register < count.into() => u64::from(base) + register,
                    _ => NO_ROW,
                },
                Arg::Fetch(function, at) => {
                    fetches.push((function, usize::from(at)));
                    FETCHED | (fetches.len() as u64 - 1)
                }
                Arg::Uniform(..) | Arg::Broadcast(_) => 0,
            };
        }
        // These depend on the others.
        for (i, arg) in all.iter().enumerate().take(args.len()) {
            if let Arg::Uniform(function, at) = *arg {
                args[i] = self.uniforms.get(usize::from(function)).map_or(0, |make| make(args, at.into()));
            }
        }
        for (i, arg) in all.iter().enumerate().take(args.len()) {
            if let Arg::Broadcast(of) = *arg {
                let value = args.get(usize::from(of)).copied().unwrap_or(0);
                args[i] = self.rows + if is_one { of.into() } else { own.len() as u64 };
                if !is_one {
                    own.push(value);
                }
            }
        }
        Told { own, fetches }
    }
}

/// The reason why a word of a form without semantics can't be executed.
fn undescribed<W: Bits>(tables: &Tables<'_, W>, form: u16) -> NotExecutable {
    let instruction = tables.form(form).and_then(|form| tables.insns.get(usize::from(form.insn)));
    NotExecutable::Undescribed { instruction: instruction.map_or("", |instruction| tables.text(instruction.name)).to_owned() }
}

/// Bits of the word that begins with this unit of a program; `None` if no word does.
pub fn length_of<W: Bits>(tables: &Tables<'_, W>, unit: U256) -> Option<u32> {
    tables.length_of(W::from_wide(unit))
}

/// The value of a field, with copies of its sign above.
fn limbs<W: Bits>(tables: &Tables<'_, W>, field: &Field, word: W) -> [u64; 4] {
    let value = tables.value(field, word);
    let above = if value.negative { u64::MAX } else { 0 };
    let low = value.low();
    [low as u64, (low >> 64) as u64, above, above]
}

/// `width` bits of a value, 64 at most.
fn bits(limbs: [u64; 4], from: u16, width: u16) -> u64 {
    let limb = |i: u16| limbs.get(usize::from(i)).copied().unwrap_or(0);
    let (at, shift) = (from / 64, from % 64);
    let above = if shift == 0 { 0 } else { limb(at + 1) << (64 - shift) };
    (limb(at) >> shift | above) & if width < 64 { (1 << width) - 1 } else { u64::MAX }
}

/// The instance of a function whose constants are these conditions: `pick!(body, first, second)`.
#[macro_export]
macro_rules! pick {
    ($function:ident, $($cond:expr),+) => { $crate::pick!(@ $function [] $($cond),+) };
    (@ $function:ident [$($known:literal)*]) => { $function::<$($known),*> };
    (@ $function:ident [$($known:literal)*] $cond:expr $(, $more:expr)*) => {
        if $cond {
            $crate::pick!(@ $function [$($known)* true] $($more),*)
        } else {
            $crate::pick!(@ $function [$($known)* false] $($more),*)
        }
    };
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn parts_of_values() {
        let value = [0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00, u64::MAX, u64::MAX];
        assert_eq!((bits(value, 0, 16), bits(value, 64, 64), bits(value, 60, 8)), (0x7788, value[1], 0x01));
        assert_eq!((bits(value, 128, 4), bits(value, 252, 64)), (0xf, 0xf));
    }
}
