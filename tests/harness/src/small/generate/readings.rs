//! Readings: numbers that are computed from fields, for texts in the place of these, and for conditions.

use super::Generator;
use super::conditions::Scope;
use super::fields::{place_of, width_of};
use crate::small::spec::{At, Cond, Field, How, Meaning, Name, Part, Piece, Radix, ReadAs, Reading, Sum, Value};

/// Bits of the fields of a reading.
const MAX_BITS: u32 = 8;

/// The greatest number of bits of the fields of names that are joined, if one of them is a reading: their greatest numbers are
/// looked for each time.
const MAX_JOINED: u32 = 5;

/// A reading that conditions can ask for.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) reading: Reading,
    /// The fields that it is computed from.
    fields: Vec<Field>,
    /// Its numbers, with no field fixed.
    numbers: Vec<i128>,
}

impl Known {
    fn bits(&self) -> u32 {
        self.fields.iter().map(width_of).sum()
    }
}

impl Generator {
    /// The readings of an instruction.
    pub(super) fn declare(&mut self, part: &Part, scope: &mut Scope) {
        if self.spec.is_text || !self.extra(35) {
            return;
        }
        for _ in 0..=self.extra_below(3) {
            let known = self.known(part, &scope.readings);
            self.readings.extend(known.iter().map(|known| (known.name.clone(), known.reading.clone())));
            scope.readings.extend(known);
        }
    }

    /// A reading of some fields of an instruction and of its formats, and of other readings.
    fn known(&mut self, part: &Part, others: &[Known]) -> Option<Known> {
        let mut all: Vec<Field> = part.fields.clone();
        let mut next = part.extends;
        while let Some(format) = next {
            let format = &self.spec.formats[format].1;
            all.extend(format.fields.iter().cloned());
            next = format.extends;
        }
        let all: Vec<Field> = all.into_iter().filter(|field| self.is_readable(field)).collect();
        let (mut of, mut fields): (Vec<String>, Vec<Field>) = (Vec::new(), Vec::new());
        for _ in 0..=self.extra_below(3) {
            let (name, own) = if !others.is_empty() && self.extra(30) {
                let other = self.extra_pick(others);
                (other.name, other.fields)
            } else {
                let field = all.get(self.extra_below(all.len()))?.clone();
                (field.name.clone(), vec![field])
            };
            let own: Vec<Field> = own.into_iter().filter(|own| fields.iter().all(|known| known.name != own.name)).collect();
            if of.contains(&name) || fields.iter().chain(&own).map(width_of).sum::<u32>() > MAX_BITS {
                continue;
            }
            of.push(name);
            fields.extend(own);
        }
        let inside: Vec<&Known> = others.iter().filter(|other| of.contains(&other.name)).collect();
        let bits: u32 = fields.iter().map(width_of).sum();
        let is_joinable = inside.iter().all(|other| other.numbers.iter().all(|number| *number >= 0));
        let is_small = inside.is_empty() || bits <= MAX_JOINED;
        let how = if of.len() > 1 && is_joinable && is_small && self.extra(25) {
            How::Joined
        } else {
            let mut sum = self.sum(of.len());
            // Names that are not in it count for nothing.
            let used: Vec<usize> = (0..of.len()).filter(|name| sum.has(*name)).collect();
            sum.rename(&|name| used.iter().position(|used| *used == name).unwrap_or_default());
            of = used.iter().map(|name| of[*name].clone()).collect();
            let is_in = |field: &Field| {
                let mut inside = others.iter().filter(|other| of.contains(&other.name)).flat_map(|other| &other.fields);
                of.contains(&field.name) || inside.any(|own| own.name == field.name)
            };
            fields.retain(is_in);
            How::Sum(sum)
        };
        let reading = Reading { of, how, meaning: self.read_as() };
        let numbers = self.numbers(&reading, &fields, others)?;
        let (least, most) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let limit = if least < 0 { 1i128 << 63 } else { 1 << 64 };
        if least < -(1 << 63) || most >= limit {
            return None;
        }
        self.compared.extend(fields.iter().map(|field| field.name.clone()));
        Some(Known { name: format!("w{}", self.readings.len()), reading, fields, numbers })
    }

    /// The numbers of a reading for all values of its fields that have a number.
    fn numbers(&self, reading: &Reading, fields: &[Field], others: &[Known]) -> Option<Vec<i128>> {
        let bits: u32 = fields.iter().map(width_of).sum();
        let all = (0..1u32 << bits).filter_map(|mut rest| {
            let mut raws = Vec::new();
            for field in fields {
                raws.push((field, rest & ((1 << width_of(field)) - 1)));
                rest >>= width_of(field);
            }
            let has_number = |(field, raw): &(&Field, u32)| self.spec.has_number(&place_of(field, width_of(field)), *raw);
            raws.iter().all(has_number).then(|| self.number(reading, &raws, others))
        });
        all.collect()
    }

    /// The number of a reading for some bits of the fields.
    fn number(&self, reading: &Reading, raws: &[(&Field, u32)], others: &[Known]) -> Option<i128> {
        let own = |name: &String| raws.iter().find(|(field, _)| field.name == *name);
        let inner = |name: &String| others.iter().find(|other| other.name == *name).expect("readings name fields and readings");
        let number = match &reading.how {
            How::Joined => reading.of.iter().try_fold(0i128, |all, name| match own(name) {
                Some((field, raw)) => Some(all << width_of(field) | i128::from(*raw)),
                None => {
                    let inner = inner(name);
                    let most = inner.numbers.iter().max().copied().unwrap_or(0);
                    let width = self.spec.read_width(&inner.reading.meaning, inner.bits());
                    let width = width.unwrap_or((i128::BITS - most.leading_zeros()).max(1));
                    (width < 40).then_some(all << width | self.number(&inner.reading, raws, others)?)
                }
            })?,
            How::Sum(sum) => {
                let number = |name: &String| match own(name) {
                    Some((field, raw)) => {
                        let number = self.spec.number(&place_of(field, width_of(field)), *raw);
                        Some((number + self.spec.first_of(&field.meaning)).into())
                    }
                    None => {
                        let inner = &inner(name).reading;
                        let first = match inner.meaning {
                            ReadAs::Register(file) => self.spec.first_of(&Meaning::Register(file)),
                            _ => 0,
                        };
                        Some(self.number(inner, raws, others)? + i128::from(first))
                    }
                };
                sum.number(&reading.of.iter().map(number).collect::<Option<Vec<i128>>>()?)?
            }
        };
        let bits = raws.iter().filter(|(field, _)| self.is_of(reading, &field.name, others)).map(|(field, _)| width_of(field));
        let width = self.spec.read_width(&reading.meaning, bits.sum());
        Some(width.map_or(number, |width| number.rem_euclid(1 << width)))
    }

    /// True if a reading is computed from a field.
    fn is_of(&self, reading: &Reading, field: &String, others: &[Known]) -> bool {
        let inside = others.iter().filter(|other| reading.of.contains(&other.name));
        reading.of.contains(field) || inside.into_iter().any(|other| self.is_of(&other.reading, field, others))
    }

    /// An expression of some names.
    fn sum(&mut self, names: usize) -> Sum {
        let name = |generator: &mut Self| Sum::Name(generator.extra_below(names));
        // One name times a number plus a number, modulo a power of two or not.
        if self.extra(40) {
            let (times, plus) = (self.extra_below(21) as i128 - 4, self.extra_below(24) as i128 - 8);
            let sum = Sum::binary(name(self), "*", Sum::Number(times));
            let sum = Sum::binary(sum, "+", Sum::Number(plus));
            let power = self.extra_pick(&[1, 2, 3, 3, 4, 4, 5, 6, 8, 16, 32, 63, 64]);
            return if self.extra(65) { Sum::binary(sum, "%", Sum::Number(1 << power)) } else { sum };
        }
        let mut sum = name(self);
        for _ in 0..=self.extra_below(3) {
            let other =
                if self.extra(55) { name(self) } else { Sum::Number(self.extra_pick(&[0, 1, 2, 3, 5, 7, 8, -1, -6, 16])) };
            let (operator, other) = match self.extra_below(14) {
                0..=2 => ("+", other),
                3..=5 => ("-", other),
                6 => ("*", other),
                7 => ("/", Sum::Number(self.extra_pick(&[1, 2, 3, 4, 7]))),
                8 => ("%", Sum::Number(self.extra_pick(&[1, 2, 3, 4, 5, 8, 12, 16]))),
                9 => ("<<", Sum::Number(self.extra_pick(&[0, 1, 2, 5]))),
                10 => (">>", Sum::Number(self.extra_pick(&[0, 1, 2, 3]))),
                11 => ("&", other),
                12 => ("|", other),
                _ => ("^", other),
            };
            sum = if self.extra(15) && matches!(operator, "+" | "-" | "*" | "&" | "|" | "^") {
                Sum::binary(other, operator, sum)
            } else {
                Sum::binary(sum, operator, other)
            };
        }
        sum
    }

    /// The meaning of the number of a reading.
    fn read_as(&mut self) -> ReadAs {
        let files = (0..self.spec.registers.len()).filter(|file| self.spec.registers[*file].names.is_none());
        let files: Vec<usize> = files.collect();
        // What a value that prints like another is read as is no matter of readings.
        let enums = (0..self.spec.enums.len()).filter(|e| !self.spec.enums[*e].dotted && self.spec.enums[*e].likes.is_empty());
        let enums: Vec<usize> = enums.collect();
        match self.extra_below(100) {
            0..=14 if !files.is_empty() => ReadAs::Register(self.extra_pick(&files)),
            15..=29 if !enums.is_empty() => ReadAs::Enum(self.extra_pick(&enums)),
            30..=34 => ReadAs::Flag(self.extra_pick(&[".f", ".ff", ".g"]).to_string()),
            35..=39 => {
                let letters = "efgh";
                ReadAs::Bitset(letters[..1 + self.extra_below(4)].to_string())
            }
            _ => ReadAs::Number,
        }
    }

    /// A reading in the place of a field in a text; mostly none.
    pub(super) fn read(&mut self, part: &Part, name: &str) -> Option<String> {
        if self.spec.is_text || !self.extra(12) {
            return None;
        }
        let field = part.fields.iter().find(|field| field.name == name && self.is_readable(field))?.clone();
        let reading = Reading { of: vec![field.name.clone()], how: How::Sum(self.sum(1)), meaning: ReadAs::Number };
        let numbers = self.numbers(&reading, std::slice::from_ref(&field), &[])?;
        if numbers.iter().any(|number| number.unsigned_abs() >= 1 << 62) {
            return None;
        }
        self.compared.insert(field.name);
        let name = format!("w{}", self.readings.len());
        self.readings.push((name.clone(), reading));
        Some(name)
    }

    /// The pieces of a text that show a reading, where it has one.
    pub(super) fn show(&mut self, known: &Known, radix: Option<Radix>) -> Vec<Piece> {
        let Known { name, reading, numbers, .. } = known;
        let radix = radix.filter(|_| matches!(reading.meaning, ReadAs::Number));
        let place = Piece::Place { name: name.clone(), optional: false, radix };
        let mut pieces = vec![Piece::Literal(", ".into()), place];
        match &reading.meaning {
            ReadAs::Number => return pieces,
            ReadAs::Flag(_) => return vec![Piece::Literal(", &".into()), pieces.remove(1)],
            ReadAs::Bitset(_) => {
                pieces.insert(1, Piece::Literal("{".into()));
                pieces.push(Piece::Literal("}.".into()));
                return pieces;
            }
            ReadAs::Register(_) | ReadAs::Enum(_) => {}
        }
        let bits = match &reading.meaning {
            // All of them have one.
            ReadAs::Enum(e) if self.spec.enums[*e].other.is_some() => return pieces,
            meaning => self.spec.read_width(meaning, 0).unwrap_or(0),
        };
        let has_text = |number: &i128| self.spec.read_text(&reading.meaning, *number).is_some();
        let with: Vec<i128> = (0..1 << bits).filter(has_text).collect();
        if with.len() == 1 << bits || numbers.iter().all(has_text) && self.extra(50) {
            return pieces;
        }
        if with.is_empty() {
            return Vec::new();
        }
        let value = |number: &i128| (Value { number: *number as i64, text: number.to_string() }, None);
        let cond = Cond::In(Name { path: name.clone(), optional: false }, with.iter().map(value).collect());
        vec![Piece::When(cond, pieces)]
    }

    /// A condition on one of the readings.
    pub(super) fn reading_atom(&mut self, scope: &Scope) -> Cond {
        let known = self.extra_pick(&scope.readings);
        let name = Name { path: known.name.clone(), optional: self.extra(10) };
        let some = |generator: &mut Self| -> Value {
            let number = if known.numbers.is_empty() { 0 } else { generator.extra_pick(&known.numbers) };
            let near = if generator.extra(30) { generator.extra_below(7) as i128 - 3 } else { 0 };
            let number = i64::try_from(number + near).unwrap_or(5);
            let text = match &known.reading.meaning {
                ReadAs::Register(file) => {
                    let is_name = |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    // A name that several registers have is that of the first.
                    let bits = generator.spec.registers[*file].index;
                    let text =
                        u32::try_from(number).ok().filter(|n| *n < 1 << bits).and_then(|n| generator.spec.register(*file, n));
                    text.filter(is_name)
                }
                ReadAs::Enum(e) => {
                    let values = &generator.spec.enums[*e].values;
                    values.iter().find(|v| i64::from(v.0) == number).map(|v| format!("\"{}\"", v.1))
                }
                _ => None,
            };
            let text = text.filter(|_| generator.extra(50)).unwrap_or(number.to_string());
            Value { number, text }
        };
        match self.extra_below(100) {
            0..=9 => Cond::Bare(name),
            10..=24 => Cond::Compare(name, "==", some(self)),
            25..=32 => Cond::Compare(name, "!=", some(self)),
            33..=52 => {
                let operator = self.extra_pick(&["<", "<=", ">", ">="]);
                let value = some(self);
                Cond::Compare(name, operator, value)
            }
            53..=68 => {
                let operator = self.extra_pick(&['%', '&']);
                let k = match operator {
                    '%' => self.extra_pick(&[1, 2, 3, 4, 5, 7, 8, 16, 32]),
                    _ => self.extra_pick(&[1, 2, 3, 5, 6, 8, 12, 16, 64, -2, -4]),
                };
                let number = some(self).number;
                let result = if operator == '%' { number.rem_euclid(k) } else { number & k };
                let compare = self.extra(85).then(|| (self.extra(70), result + if self.extra(15) { 1 } else { 0 }));
                Cond::Arith(name, operator, k, compare)
            }
            69..=76 => {
                let elements = (0..=self.extra_below(3)).map(|_| {
                    let (a, b) = (some(self), some(self));
                    match (self.extra(50), a.number <= b.number) {
                        (true, _) => (a, None),
                        (false, true) => (a, Some(b)),
                        (false, false) => (b, Some(a)),
                    }
                });
                Cond::In(name, elements.collect())
            }
            77..=79 => Cond::OneHot(name),
            _ => self.reading_compared(scope, &known, name),
        }
    }

    /// A comparison of a reading with a field or another reading.
    fn reading_compared(&mut self, scope: &Scope, known: &Known, name: Name) -> Cond {
        let plus = |generator: &mut Self| if generator.extra(35) { generator.extra_pick(&[1, 1, -1, 2, -3, 8]) } else { 0 };
        let is_number = matches!(known.reading.meaning, ReadAs::Number);
        let asked = (!scope.asked.is_empty() && self.extra(50)).then(|| &scope.asked[self.extra_below(scope.asked.len())]);
        let (other, is_alike) = match asked {
            Some(asked) => {
                let own = asked.place.path.rsplit('.').next().unwrap_or(&asked.place.path).to_string();
                let is_alike = match (&asked.place.meaning, &known.reading.meaning) {
                    (Meaning::Int { target: None, .. } | Meaning::Code(..), ReadAs::Number) => true,
                    (Meaning::Register(a), ReadAs::Register(b)) | (Meaning::Enum(a), ReadAs::Enum(b)) => a == b,
                    _ => false,
                };
                if is_alike {
                    self.compared.insert(own);
                }
                (Name { path: asked.place.path.clone(), optional: !asked.always || self.extra(10) }, is_alike)
            }
            None => {
                let other = self.extra_pick(&scope.readings);
                let is_alike = is_number && matches!(other.reading.meaning, ReadAs::Number);
                (Name { path: other.name, optional: false }, is_alike)
            }
        };
        let by_number = !is_alike || self.extra(20);
        let operator = self.extra_pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
        let (left, right) = ((name, plus(self)), (other, plus(self)));
        let (left, right) = if self.extra(50) { (left, right) } else { (right, left) };
        Cond::Fields(by_number, left, operator, right)
    }

    /// Returns true if a reading can have a field.
    fn is_readable(&self, field: &Field) -> bool {
        let has_number = match &field.meaning {
            Meaning::Register(_) => !self.is_named(&field.meaning),
            Meaning::Int { target, .. } => target.is_none(),
            _ => true,
        };
        has_number && matches!(field.at, At::Here(_)) && width_of(field) <= MAX_BITS
    }
}
