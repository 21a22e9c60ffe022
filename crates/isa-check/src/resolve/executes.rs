//! Words that the machine executes, though they are not instructions: no instruction has one, and no two declarations do.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Executes, Form, Isa, Word};
use isa_model::sets::{Cube, Set, Solver, TooLarge, WordSet};

/// Fills in the words of each declaration.
pub(super) fn fill(isa: &mut Isa, diags: &mut Diagnostics) {
    let mut known: Vec<(usize, WordSet)> = Vec::new();
    for (index, form) in isa.forms.iter().enumerate() {
        let Some(executes) = &form.executes else { continue };
        match words(isa, form, executes, &known) {
            Ok(Ok(words)) => known.push((index, words)),
            Ok(Err(diagnostic)) => diags.push(*diagnostic),
            Err(error) => {
                let message = format!("the words that the machine executes as {} are too entangled: {error}", form.name);
                diags.push(Diagnostic::error("entangled", message, executes.span));
            }
        }
    }
    for (index, words) in known {
        if let Some(executes) = &mut isa.forms[index].executes {
            executes.words = words;
        }
    }
}

/// The words of a declaration, or why it is wrong; those of declarations before it are known.
fn words(
    isa: &Isa,
    form: &Form,
    executes: &Executes,
    known: &[(usize, WordSet)],
) -> Result<Result<WordSet, Box<Diagnostic>>, TooLarge> {
    let mut solver = Solver::new(isa.order(form.length));
    let own = solver.attempt(|solver| solver.import(&form.legal))?;
    let mut words = solver.attempt(|solver| {
        let cube = solver.cube(Cube::new(executes.ignored, executes.value))?;
        let executed = solver.and(own, cube)?;
        let words = solver.any_value(executed, |bit| executes.ignored.has(bit))?;
        solver.minus(words, own)
    })?;
    let except = |other: &Form| executes.except.iter().any(|name| name.value == isa.instruction(other.instruction).name);
    let others: Vec<&Form> = isa.forms.iter().filter(|other| other.length == form.length && other.id != form.id).collect();
    let left_out = others.iter().filter(|other| except(other)).map(|other| &other.words);
    for set in left_out.chain(executes.not.iter().map(|when| &when.words)) {
        words = solver.attempt(|solver| {
            let set = solver.import(set)?;
            solver.minus(words, set)
        })?;
    }
    let span = executes.span;
    if words == Set::NONE {
        let message = format!("the machine executes no words as {} that are not words of it already", form.name);
        return Ok(Err(Box::new(Diagnostic::error("empty", message, span))));
    }
    let mut common = |set: &WordSet| -> Result<Option<Word>, TooLarge> {
        let both = solver.attempt(|solver| {
            let set = solver.import(set)?;
            solver.and(words, set)
        })?;
        Ok(if both == Set::NONE { None } else { solver.freeze(both).first() })
    };
    let digits = form.length.div_ceil(4) as usize;
    let meets = |other: &&Form| ((other.value ^ form.value) & other.mask & form.mask & !executes.ignored).is_zero();
    for other in others.into_iter().filter(|other| !except(other)).filter(meets) {
        let Some(word) = common(&other.words)? else { continue };
        let name = &isa.instruction(other.instruction).name;
        let message = format!("the machine can't execute 0x{word:0digits$x} as {}: it is a word of {}", form.name, other.name);
        let finding = Diagnostic::error("clash", message, span)
            .with_label(isa.instruction(other.instruction).span, other.name.clone())
            .with_help(format!("`except: {name}` leaves the words of `{name}` to it, and `not` leaves out other words"));
        return Ok(Err(Box::new(finding)));
    }
    for (other, set) in known.iter().filter(|(other, _)| isa.forms[*other].length == form.length) {
        let Some(word) = common(set)? else { continue };
        let other = &isa.forms[*other];
        let message =
            format!("the machine can't execute 0x{word:0digits$x} as {}: it is executed as {} already", form.name, other.name);
        let mut finding = Diagnostic::error("clash", message, span);
        if let Some(first) = &other.executes {
            finding = finding.with_label(first.span, "here");
        }
        return Ok(Err(Box::new(finding.with_help("`not` leaves out words of one of them"))));
    }
    Ok(Ok(solver.freeze(words)))
}
