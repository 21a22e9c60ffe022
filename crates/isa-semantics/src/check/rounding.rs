//! Directions of rounding that values say, by the machine's list.

use super::Checker;
use isa_model::semantics::ast::{BinaryOp, Expr};
use isa_model::semantics::builtins::Action;
use isa_model::semantics::floats::Direction;
use isa_model::semantics::int::Int;
use isa_model::semantics::typed::{self, ExprKind as Kind, Place, PlaceKind, Stmt, StmtKind};
use std::ops::Range;

/// Bits of a direction of rounding.
pub(super) const ROUNDING: u32 = 3;
/// The number of no direction.
const ILLEGAL: u32 = 7;

impl Checker<'_> {
    /// The direction that a value says, as its number. One that is none ends the body before the statement.
    pub(super) fn direction(&mut self, arg: &Expr) -> Option<typed::Expr> {
        let rules = &self.scope.machine().rounding;
        let Some(width) = rules.len().checked_ilog2() else { return self.sized(arg, ROUNDING, "a rounding mode") };
        let value = self.sized(arg, width, "a rounding mode")?;
        let range = &arg.range;
        let direction = self.chosen(value, range, false);
        let is_illegal = |rule: &Direction| matches!(rule, Direction::Illegal | Direction::Value(..));
        if !rules.iter().any(is_illegal) {
            return Some(direction);
        }
        let at = self.at(range);
        let var = self.vars.len();
        self.vars.push(ROUNDING);
        let place = Place { kind: PlaceKind::Var(var), width: ROUNDING, range: at.clone() };
        let direction_is = self.make(Kind::Var(var), ROUNDING, range);
        let illegal = Box::new(self.number_of_direction(ILLEGAL, range));
        let is_illegal = self.make(Kind::Binary(BinaryOp::Eq, Box::new(direction_is.clone()), illegal), 1, range);
        let ends = Stmt { kind: StmtKind::Action(Action::Illegal, Vec::new()), range: at.clone() };
        let kind = StmtKind::If { arms: vec![(is_illegal, vec![ends])], otherwise: Vec::new() };
        self.pending.extend([Stmt { kind: StmtKind::Set(place, direction), range: at.clone() }, Stmt { kind, range: at }]);
        Some(direction_is)
    }

    /// The number of the direction that a value selects. A named value selected by another one can't select one itself.
    fn chosen(&self, on: typed::Expr, range: &Range<usize>, is_named: bool) -> typed::Expr {
        let (width, machine) = (on.width, self.scope.machine());
        let of = |direction: &Direction| match direction {
            Direction::Known(round) => self.number_of_direction(round.number(), range),
            Direction::Value(name, _) if !is_named && let Some(index) = machine.state.iter().position(|s| s.name == *name) => {
                self.chosen(self.make(Kind::State(index), width, range), range, true)
            }
            Direction::Illegal | Direction::Value(..) => self.number_of_direction(ILLEGAL, range),
        };
        let arms = machine.rounding.iter().enumerate();
        let arms = arms.map(|(value, direction)| (vec![Int::from(value as u128)], of(direction))).collect();
        let otherwise = Box::new(self.number_of_direction(ILLEGAL, range));
        self.make(Kind::Match { on: Box::new(on), arms, otherwise }, ROUNDING, range)
    }

    pub(super) fn number_of_direction(&self, number: u32, range: &Range<usize>) -> typed::Expr {
        self.constant(Int::from(u128::from(number)), ROUNDING, range)
    }
}
