//! Directions of rounding that values say, by the machine's list.

use super::super::ast::{BinaryOp, Expr};
use super::super::builtins::Action;
use super::super::floats::Direction;
use super::super::int::Int;
use super::super::typed::{self, ExprKind as Kind, Place, PlaceKind, Stmt, StmtKind};
use super::Checker;

/// Bits of a direction of rounding.
pub(super) const ROUNDING: u32 = 3;
/// The number of no direction.
const ILLEGAL: u128 = 7;

impl Checker<'_> {
    /// The direction that a value says, as its number. One that is none ends the body before the statement.
    pub(super) fn direction(&mut self, arg: &Expr) -> Option<typed::Expr> {
        let rules = &self.scope.machine().rounding;
        let Some(width) = rules.len().checked_ilog2() else { return self.sized(arg, ROUNDING, "a rounding mode") };
        let value = self.sized(arg, width, "a rounding mode")?;
        let range = &arg.range;
        let illegal = || self.constant(Int::from(ILLEGAL), ROUNDING, range);
        let of = |direction: &Direction, named: &dyn Fn(&str) -> Option<typed::Expr>| match direction {
            Direction::Known(round) => Some(self.constant(Int::from(u128::from(round.number())), ROUNDING, range)),
            Direction::Illegal => Some(illegal()),
            Direction::Value(name, _) => named(name),
        };
        let chosen = |on: typed::Expr, named: &dyn Fn(&str) -> Option<typed::Expr>| {
            let arms = rules.iter().enumerate();
            let arms: Option<Vec<_>> =
                arms.map(|(value, rule)| Some((vec![Int::from(value as u128)], of(rule, named)?))).collect();
            let kind = Kind::Match { on: Box::new(on), arms: arms?, otherwise: Box::new(illegal()) };
            Some(self.make(kind, ROUNDING, range))
        };
        // A named value that names another one says none.
        let nested = |name: &str| {
            let index = self.scope.machine().state.iter().position(|state| state.name == name)?;
            chosen(self.make(Kind::State(index), width, range), &|_| Some(illegal()))
        };
        let direction = chosen(value, &nested)?;
        let is_illegal = |rule: &Direction| matches!(rule, Direction::Illegal | Direction::Value(..));
        if !rules.iter().any(is_illegal) {
            return Some(direction);
        }
        let at = self.at(range);
        let var = self.vars.len();
        self.vars.push(ROUNDING);
        let place = Place { kind: PlaceKind::Var(var), width: ROUNDING, range: at.clone() };
        let direction_is = self.make(Kind::Var(var), ROUNDING, range);
        let illegal = Box::new(self.constant(Int::from(ILLEGAL), ROUNDING, range));
        let is_illegal = self.make(Kind::Binary(BinaryOp::Eq, Box::new(direction_is.clone()), illegal), 1, range);
        let ends = Stmt { kind: StmtKind::Action(Action::Illegal, Vec::new()), range: at.clone() };
        let kind = StmtKind::If { arms: vec![(is_illegal, vec![ends])], otherwise: Vec::new() };
        self.pending.extend([Stmt { kind: StmtKind::Set(place, direction), range: at.clone() }, Stmt { kind, range: at }]);
        Some(direction_is)
    }
}
