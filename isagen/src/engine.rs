//! Selects the engine: evaluator or compiled code.

use crate::spec;
use isa_sim::AnyEngine;
use isa_stream::Stop;

/// The engine that executes instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineKind {
    /// The evaluator, which walks the specification.
    Reference,
    /// Code that was generated from the specification, available for shipped instruction sets.
    Compiled,
}

impl EngineKind {
    /// The engine requested; by default, the compiled one for a shipped instruction set, the evaluator for any other.
    pub(crate) fn choose(asked: Option<Self>, spec: &str) -> Result<Self, Stop> {
        match asked {
            Some(Self::Compiled) if !spec::is_shipped(spec) => {
                let help = "`--engine reference` runs any specification; `define_isa!` compiles one into a program of yours";
                Err(Stop::with_help(format!("{spec} is not a shipped instruction set: there is no compiled engine"), help))
            }
            Some(kind) => Ok(kind),
            None if spec::is_shipped(spec) => Ok(Self::Compiled),
            None => Ok(Self::Reference),
        }
    }

    /// The compiled engine of the instruction set with this name, if it is the one that [`Self::choose`] chooses; `None` for the
    /// evaluator.
    pub(crate) fn compiled(asked: Option<Self>, spec: &str, name: &str) -> Result<Option<Box<dyn AnyEngine>>, Stop> {
        let engine = match Self::choose(asked, spec)? {
            Self::Reference => None,
            Self::Compiled => generated::engine(name),
        };
        if engine.is_none() && asked == Some(Self::Compiled) {
            let message = format!("there is no compiled engine of {name}");
            return Err(Stop::with_help(message, "`--engine reference` is the evaluator"));
        }
        Ok(engine)
    }
}
