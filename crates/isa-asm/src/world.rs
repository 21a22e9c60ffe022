//! The state of a program: its sections and symbols, and how statements see them.

use crate::expr::{Base, Expr, Problem, Syntax, Value, evaluate, is_operator};
use crate::looked::{From, Looked};
use crate::place::Line;
use crate::section::{Part, Place};
use isa_engine::{Assembly, is_local};
use object::elf;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The definition of a symbol.
#[derive(Clone, Debug)]
pub(crate) enum Def {
    /// It has been used, and may be defined later or elsewhere.
    Undefined,
    Label(Place),
    Value(Value),
    /// Its value is computed on use.
    Later(Rc<Expr>, Place, u32),
}

/// An assignment whose value is computed on use.
pub(crate) struct Assigned {
    pub(crate) line: Line,
    pub(crate) position: u32,
    pub(crate) place: Place,
    pub(crate) value: Rc<Expr>,
    /// The start of the text that the value was parsed from, in the line.
    pub(crate) shift: usize,
}

/// A symbol.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Rc<str>,
    pub(crate) def: Def,
    /// Earlier values, each with the statement that replaced it.
    pub(crate) earlier: Vec<(u32, Def)>,
    pub(crate) line: usize,
    pub(crate) is_set: bool,
    pub(crate) global: bool,
    pub(crate) weak: bool,
    /// It was named by `.local`.
    pub(crate) is_local: bool,
    pub(crate) size: Option<u64>,
    /// The numbers of its type and its visibility in ELF files.
    pub(crate) kind: u8,
    pub(crate) visibility: u8,
    /// The alignment of a symbol for which a linker finds room.
    pub(crate) common: Option<u64>,
}

/// Sections and symbols.
pub(crate) struct World {
    pub(crate) syntax: Syntax,
    pub(crate) assembly: Assembly,
    pub(crate) parts: Vec<Part>,
    pub(crate) symbols: Vec<Symbol>,
    by_name: FxHashMap<Rc<str>, u32>,
    /// The statements that define each local label, ascending, and their places.
    local: FxHashMap<String, Vec<(u32, Place)>>,
    /// The first label at each place, by section and address, in the complete program.
    labels: OnceCell<FxHashMap<(u32, u64), u32>>,
    /// The operands of modifiers, by the modifiers' places.
    pub(crate) applied: RefCell<FxHashMap<(u16, u64), Option<Value>>>,
    /// True if the operand of a paired modifier was missing in the complete program.
    pub(crate) has_missed: Cell<bool>,
    /// The places where modifiers could not be applied in the incomplete program.
    refused: RefCell<Vec<(u16, Place)>>,
    /// The number of computed symbols for the current one.
    computed: Cell<u32>,
    /// True if a linker determines the addresses of sections.
    pub(crate) relocatable: bool,
    /// True if a literal of an instruction's text may look like an operator.
    pub(crate) has_operators: bool,
    /// True if the program is complete.
    pub(crate) is_complete: bool,
}

/// The number of places for which a failed modifier is noted; for others, errors that follow from it are reported as well.
const MOST_REFUSED: usize = 1000;
/// The limit of nested symbols.
const DEEPEST: u32 = 64;
/// The limit of computed symbols for one.
const MOST_COMPUTED: u32 = 1 << 16;

impl World {
    pub(crate) fn new(syntax: Syntax, assembly: Assembly, relocatable: bool, has_operators: bool) -> Self {
        Self {
            syntax,
            assembly,
            parts: Vec::new(),
            symbols: Vec::new(),
            by_name: FxHashMap::default(),
            local: FxHashMap::default(),
            labels: OnceCell::new(),
            applied: RefCell::default(),
            has_missed: Cell::default(),
            refused: RefCell::default(),
            computed: Cell::default(),
            relocatable,
            has_operators,
            is_complete: false,
        }
    }

    /// The number of a symbol, which is created if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        let (id, name): (u32, Rc<str>) = (self.symbols.len() as u32, name.into());
        self.by_name.insert(name.clone(), id);
        self.symbols.push(Symbol {
            name,
            def: Def::Undefined,
            earlier: Vec::new(),
            line: 0,
            is_set: false,
            global: false,
            weak: false,
            is_local: false,
            size: None,
            kind: elf::STT_NOTYPE.0,
            visibility: 0,
            common: None,
        });
        id
    }

    /// A symbol by its name.
    pub(crate) fn symbol(&self, name: &str) -> Option<(u32, &Symbol)> {
        let id = *self.by_name.get(name)?;
        Some((id, self.symbols.get(id as usize)?))
    }

    /// Defines a local label.
    pub(crate) fn define_local(&mut self, number: &str, position: u32, place: Place) {
        self.local.entry(number.to_owned()).or_default().push((position, place));
    }

    /// The address of a place, and whether it is final.
    pub(crate) fn address(&self, place: Place) -> (u64, bool) {
        let Some(part) = self.parts.get(place.part as usize) else { return (0, true) };
        let at = part.frags.get(place.frag as usize).map_or(0, |frag| frag.at);
        let is_final = self.is_complete || part.address.is_some() && part.is_fixed(place.frag);
        (part.base.wrapping_add(at).wrapping_add(place.offset.into()), is_final)
    }

    /// The distance from one place to another.
    pub(crate) fn distance(&self, from: Place, to: Place) -> u64 {
        self.address(to).0.wrapping_sub(self.address(from).0)
    }

    /// True if the value of a symbol may be that of another object file.
    pub(crate) fn is_weak(&self, symbol: Option<u32>) -> bool {
        symbol.is_some_and(|id| self.symbols[id as usize].weak)
    }

    /// The first label at an address of a section, in the complete program.
    pub(crate) fn label_at(&self, part: u32, address: u64) -> Option<u32> {
        let all = || {
            let mut all = FxHashMap::default();
            for (id, symbol) in self.symbols.iter().enumerate() {
                if let Def::Label(place) = symbol.def {
                    all.entry((place.part, self.address(place).0)).or_insert(id as u32);
                }
            }
            all
        };
        self.labels.get_or_init(all).get(&(part, address)).copied()
    }

    /// The value of an expression in a statement at a place, as far as it is known.
    pub(crate) fn evaluate(&self, expr: &Expr, position: u32, place: Place) -> Result<Value, Problem> {
        evaluate(&self.syntax, expr, &View::new(self, position, place))
    }

    fn value(&self, place: Place) -> (Value, bool) {
        let (address, is_final) = self.address(place);
        let number = i128::from(address);
        let begin = self.parts.get(place.part as usize).map_or(0, |part| part.base);
        (
            Value { number, base: Base::Section(place.part), addend: i128::from(address.wrapping_sub(begin)), symbol: None },
            is_final,
        )
    }
}

/// A view of the symbols from a statement.
pub(crate) struct View<'w> {
    pub(crate) world: &'w World,
    /// The number of statements before it.
    pub(crate) position: u32,
    pub(crate) place: Place,
    /// The symbols that were not found.
    pub(crate) unknown: RefCell<Vec<String>>,
    pub(crate) state: RefCell<Looked>,
    depth: RefCell<u32>,
}

impl<'w> View<'w> {
    pub(crate) fn new(world: &'w World, position: u32, place: Place) -> Self {
        Self { world, position, place, unknown: RefCell::default(), state: RefCell::default(), depth: RefCell::new(0) }
    }

    /// The address of a place, as far as it is known.
    fn address(&self, place: Place) -> Value {
        let (value, is_final) = self.world.value(place);
        let mut state = self.state.borrow_mut();
        state.tentative |= !is_final;
        state.from.add(place);
        value
    }

    fn undefined(&self, name: &str) -> Problem {
        let mut unknown = self.unknown.borrow_mut();
        if !unknown.iter().any(|known| known == name) {
            unknown.push(name.to_owned());
        }
        Problem::Undefined(name.to_owned())
    }

    fn defined(&self, id: u32, def: &Def) -> Result<Value, Problem> {
        match def {
            Def::Label(place) => Ok(self.address(*place)),
            Def::Value(value) => {
                if value.base != Base::None {
                    self.state.borrow_mut().from = From::Many;
                }
                Ok(*value)
            }
            Def::Later(expr, place, position) => {
                let inner = View { place: *place, position: *position, ..Self::new(self.world, 0, *place) };
                *inner.depth.borrow_mut() = *self.depth.borrow() + 1;
                if *inner.depth.borrow() > DEEPEST {
                    return Err(Problem::Wrong(0..0, format!("symbols are defined by each other, more than {DEEPEST} deep")));
                }
                let computed = if *self.depth.borrow() == 0 { 1 } else { self.world.computed.get() + 1 };
                self.world.computed.set(computed);
                if computed > MOST_COMPUTED {
                    let message = format!("this symbol is defined by others more than {MOST_COMPUTED} times");
                    return Err(Problem::Wrong(0..0, message));
                }
                let value = evaluate(&self.world.syntax, expr, &inner);
                let state = inner.state.into_inner();
                let mut own = self.state.borrow_mut();
                own.tentative |= state.tentative;
                own.from = From::Many;
                drop(own);
                for name in inner.unknown.into_inner() {
                    self.undefined(&name);
                }
                value
            }
            Def::Undefined if self.world.relocatable && self.world.is_complete => {
                Ok(Value { base: Base::External(id), ..Value::number(0) })
            }
            Def::Undefined => {
                let symbol = &self.world.symbols[id as usize];
                if symbol.weak && self.world.is_complete {
                    return Ok(Value::number(0));
                }
                Err(self.undefined(&symbol.name))
            }
        }
    }

    /// The number or the expression at the beginning of a text, as an operand.
    pub(crate) fn operand(&self, rest: &str) -> Option<isa_engine::Symbol> {
        let first = rest.bytes().next()?;
        let syntax = &self.world.syntax;
        let digits = if matches!(first, b'-' | b'+') { &rest[1..] } else { rest };
        // Most operands are plain numbers.
        if digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.starts_with("0b") && !digits.starts_with("0o") {
            let end = digits.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(digits.len());
            // `~` is not an operator between values.
            let is_plain = !digits[end..].trim_start().starts_with(|c| is_operator(c) && c != '~');
            if is_plain && !is_local(&digits[..end]) {
                return None;
            }
        }
        // A literal of the instruction's text ends an expression at one of these places.
        let ends = self.state.borrow().ends.iter().filter_map(|end| rest.len().checked_sub(*end)).filter(|end| *end > 0).min();
        let (expr, length, operators) = match crate::expr::Parser::prefix(syntax, ends.map_or(rest, |end| &rest[..end])) {
            Ok(found) => found,
            Err((at, message)) => {
                // The name of a modifier with `(` begins an expression.
                let is_meant = syntax.modifier_at(rest).is_some_and(|(place, _)| syntax.modifiers[place].is_named());
                if is_meant {
                    self.state.borrow_mut().wrong_at(rest.len(), at, message);
                }
                return None;
            }
        };
        if self.world.has_operators {
            self.state.borrow_mut().operators.extend(operators.iter().map(|at| rest.len() - at));
        }
        let is_number = matches!(expr.kind, crate::expr::Kind::Number(_))
            && first.is_ascii_digit()
            && !rest.starts_with("0b")
            && !rest.starts_with("0o");
        if is_number {
            return None;
        }
        if first == b'(' && !self.state.borrow().parentheses && closes_at(&rest[..length]) {
            self.state.borrow_mut().declined.get_or_insert(rest.len());
            return None;
        }
        match evaluate(syntax, &expr, self) {
            Ok(value) => {
                let mut state = self.state.borrow_mut();
                state.used = true;
                if value.base != Base::None {
                    state.based = Some(value);
                }
                state.from.stands(rest.len());
                let begin = if value.base.origin().is_some() { i128::from(self.world.address(self.place).0) } else { 0 };
                let instead = state.instead.filter(|_| value.base != Base::None).map(|distance| begin + distance);
                let number = instead.unwrap_or(value.number);
                Some(isa_engine::Symbol { length, value: number })
            }
            Err(Problem::Wrong(at, message)) => {
                self.state.borrow_mut().wrong_at(rest.len(), at, message);
                None
            }
            Err(Problem::Undefined(name)) => {
                let mut state = self.state.borrow_mut();
                if state.guesses && matches!(expr.kind, crate::expr::Kind::Modified(..)) {
                    (state.used, state.guessed) = (true, true);
                    return Some(isa_engine::Symbol { length, value: 0 });
                }
                state.missing.get_or_insert((rest.len(), name));
                None
            }
        }
    }
}

/// True if one pair of parentheses encloses the whole text.
fn closes_at(text: &str) -> bool {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}

impl crate::expr::Scope for View<'_> {
    fn symbol(&self, name: &str) -> Result<Value, Problem> {
        if is_local(name) {
            let (number, direction) = name.split_at(name.len() - 1);
            let defined = self.world.local.get(number).map_or(&[][..], Vec::as_slice);
            let before = defined.partition_point(|(at, _)| *at <= self.position);
            let found = if direction == "f" { Some(before) } else { before.checked_sub(1) };
            return match (found, found.and_then(|at| defined.get(at))) {
                (_, Some((_, place))) => Ok(self.address(*place)),
                // A label that must come before can't come later.
                (None, None) => Err(Problem::Wrong(0..name.len(), format!("there is no `{number}:` before this"))),
                (Some(_), None) => Err(self.undefined(name)),
            };
        }
        let Some((id, symbol)) = self.world.symbol(name) else { return Err(self.undefined(name)) };
        let earlier = symbol.earlier.iter().find(|(until, _)| self.position < *until);
        let value = self.defined(id, earlier.map_or(&symbol.def, |(_, def)| def))?;
        Ok(if let Base::Section(_) = value.base { Value { symbol: Some(id), ..value } } else { value })
    }

    fn here(&self) -> Result<Value, Problem> {
        Ok(self.address(self.place))
    }

    fn is_linked(&self) -> bool {
        self.world.relocatable
    }

    fn paired(&self, modifier: usize, label: Value) -> Result<Value, bool> {
        let pair = self.world.syntax.modifiers[modifier].paired();
        let first = self.world.syntax.modifiers.iter().position(|modifier| modifier.name == pair).ok_or(false)?;
        let place = (first as u16, label.number as u64);
        match self.world.applied.borrow().get(&place) {
            // Its address is that of the other statement.
            Some(Some(value)) => Ok(Value { number: value.number, ..label }),
            Some(None) => Err(true),
            None if self.world.is_complete => {
                self.world.has_missed.set(true);
                let refused = self.world.refused.borrow();
                let is_there = |(modifier, at): &(u16, Place)| (*modifier, self.world.address(*at).0) == place;
                Err(refused.iter().any(is_there))
            }
            None => {
                // It may be defined later.
                self.state.borrow_mut().tentative = true;
                Ok(label)
            }
        }
    }

    fn failed(&self, modifier: usize, why: &Problem) {
        if self.world.is_complete {
            let address = self.world.address(self.place).0;
            self.world.applied.borrow_mut().entry((modifier as u16, address)).or_insert(None);
        } else if let Problem::Wrong(..) = why {
            // Such an error is reported at once.
            let mut refused = self.world.refused.borrow_mut();
            if refused.len() < MOST_REFUSED {
                refused.push((modifier as u16, self.place));
            }
        }
    }

    fn modified(&self, modifier: usize, to: Value) {
        let address = self.world.address(self.place).0;
        let name = &self.world.syntax.modifiers[modifier].name;
        if self.world.syntax.anchors.contains(name) {
            self.state.borrow_mut().tentative |= !self.world.is_complete;
            // The operand of a paired modifier is relative to the place of this one.
            self.world
                .applied
                .borrow_mut()
                .insert((modifier as u16, address), Some(Value { number: to.number - i128::from(address), ..to }));
        }
    }
}
