//! Disguises of programs: what somebody does to a copy so that it is not found. The program still
//! compiles and prints the same.
//!
//! A disguise is a list of small changes of the text, each of which is safe on its own by what the
//! syntax tree says; a place that is not plainly safe is left alone. Some of the changes are chosen at
//! random and made. The same text, level and seed give the same bytes.

mod callables;
mod comments;
mod conditions;
mod dead;
mod edit;
mod effects;
mod extract;
mod functions;
mod inline;
mod literals;
mod loops;
mod loops_python;
mod names;
mod names_c;
mod names_java;
mod names_python;
mod random;
mod source;
mod statements;
mod types;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Language, Refusal};
use edit::{Change, Plan};
use random::Random;
use source::Source;

/// A way to disguise a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Attack {
    /// Other names; `rename`.
    Rename,
    /// Functions in another order; `reorder-functions`.
    ReorderFunctions,
    /// Neighbouring statements swapped; `reorder-statements`.
    ReorderStatements,
    /// More statements; `dead-code`.
    DeadCode,
    /// Numbers and quoted texts written differently; `literals`.
    Literals,
    /// `for` as `while`, and back; `loops`.
    Loops,
    /// Conditions turned round; `conditions`.
    Conditions,
    /// More variables; `extract`.
    Extract,
    /// Fewer variables and declarations; `inline`.
    Inline,
    /// Comments and layout; `comments`.
    Comments,
}

impl Attack {
    /// All of them.
    pub const ALL: [Attack; 10] = [
        Attack::Rename,
        Attack::ReorderFunctions,
        Attack::ReorderStatements,
        Attack::DeadCode,
        Attack::Literals,
        Attack::Loops,
        Attack::Conditions,
        Attack::Extract,
        Attack::Inline,
        Attack::Comments,
    ];

    /// The languages whose programs can be disguised.
    pub const LANGUAGES: [Language; 3] = [Language::C, Language::Java, Language::Python];

    /// How much is touched unless somebody says otherwise.
    pub const LEVEL: f64 = 0.3;

    /// Its name on the command line and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Attack::Rename => "rename",
            Attack::ReorderFunctions => "reorder-functions",
            Attack::ReorderStatements => "reorder-statements",
            Attack::DeadCode => "dead-code",
            Attack::Literals => "literals",
            Attack::Loops => "loops",
            Attack::Conditions => "conditions",
            Attack::Extract => "extract",
            Attack::Inline => "inline",
            Attack::Comments => "comments",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Attack> {
        Attack::ALL.into_iter().find(|attack| attack.name() == name)
    }

    /// What it does, in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Attack::Rename => "Gives other names to what the program declares itself.",
            Attack::ReorderFunctions => "Puts functions and methods in another order.",
            Attack::ReorderStatements => {
                "Swaps neighbouring statements that do not depend on each other."
            }
            Attack::DeadCode => "Adds declarations, conditions and loops that change nothing.",
            Attack::Literals => "Writes numbers and quoted texts differently.",
            Attack::Loops => "Writes `for` loops as `while` loops, and the other way round.",
            Attack::Conditions => "Turns comparisons round, and swaps the branches of an `if`.",
            Attack::Extract => "Puts expressions into new variables, and splits declarations.",
            Attack::Inline => {
                "Takes away variables that are only returned, and merges declarations."
            }
            Attack::Comments => "Adds, changes and removes comments, blank lines and line breaks.",
        }
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The program after the attack.
///
/// `level` is the share of its statements that are touched, from 0 to 1; of its names for
/// [`Attack::Rename`], of its functions for [`Attack::ReorderFunctions`]. Fewer are touched if there
/// are not as many that can be touched safely.
pub fn attack(
    text: &str,
    language: Language,
    attack: Attack,
    level: f64,
    seed: u64,
) -> Result<String, Refusal> {
    let (chosen, faults) = source::with(text, language, |source| {
        // Programs of one length shall not be hit at the same places.
        let mut random = Random::new(seed ^ random::hash(text) ^ random::hash(attack.name()));
        let plan = plan(source, attack, &mut random);
        (plan.choose(level, &mut random), source.faults())
    })?;
    let attacked = edit::apply(text, &chosen);
    let parses = |text: &str| {
        let has_no_more = source::with(text, language, |source| source.faults() <= faults);
        has_no_more.unwrap_or(false)
    };
    if parses(&attacked) {
        return Ok(attacked);
    }
    // Something went wrong somewhere, so every change has to show that it does no harm.
    let mut kept: Vec<Change> = Vec::new();
    for change in chosen {
        kept.push(change);
        if !parses(&edit::apply(text, &kept)) {
            kept.pop();
        }
    }
    Ok(edit::apply(text, &kept))
}

/// What could be done to a program.
fn plan(source: &Source<'_>, attack: Attack, random: &mut Random) -> Plan {
    match attack {
        Attack::Rename => names::plan(source, random),
        Attack::ReorderFunctions => functions::plan(source, random),
        Attack::ReorderStatements => statements::plan(source),
        Attack::DeadCode => dead::plan(source, random),
        Attack::Literals => literals::plan(source, random),
        Attack::Loops => loops::plan(source, random),
        Attack::Conditions => conditions::plan(source),
        Attack::Extract => extract::plan(source, random),
        Attack::Inline => inline::plan(source),
        Attack::Comments => comments::plan(source, random),
    }
}

#[cfg(test)]
mod tests;
