//! Other names.
//!
//! A name is changed in all places of a program at once, so it does not matter which of several things
//! of that name is meant where. It only matters that all of them are the program's own: a name is left
//! alone if it may mean something from outside in any place, or is reached from there.

use std::collections::BTreeMap;

use super::edit::{Change, Edit, Plan};
use super::random::Random;
use super::source::{Dialect, Source, Style};
use super::{names_c, names_java, names_python};

/// What a name may be declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A variable or parameter of a function.
    Local,
    /// A variable of a class or of the whole program.
    Variable,
    /// A function or method.
    Function,
    /// A class, structure or other type.
    Type,
    /// A member of a structure of C.
    Member,
    /// Something that keeps its name.
    Fixed,
}

/// Where a name is declared, and where the declaration holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    pub(super) at: usize,
    pub(super) what: What,
    pub(super) scope: usize,
}

/// All declarations of a program by name.
pub(super) type Declarations<'a> = BTreeMap<&'a str, Vec<Declaration>>;

/// All places of a program's names.
pub(super) type Places<'a> = BTreeMap<&'a str, Vec<usize>>;

pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let places = places(source);
    let declarations = match source.dialect {
        Dialect::C => names_c::declarations(source),
        Dialect::Java => names_java::declarations(source),
        Dialect::Python => names_python::declarations(source),
    };
    let free: Vec<&str> = match source.dialect {
        // A name in what the grammar does not allow may be anything.
        _ if source.faults() > 0 => Vec::new(),
        Dialect::C => names_c::free(source, &declarations, &places),
        Dialect::Java => names_java::free(source, &declarations, &places),
        Dialect::Python => names_python::free(source, &declarations, &places),
    };
    let change = |name: &&str| {
        let is_type = declarations[name]
            .iter()
            .any(|declaration| declaration.what == What::Type);
        let style = if is_type { Style::Type } else { Style::Value };
        let other = source.fresh(random, style);
        let edits = places[name].iter();
        Change::new(
            edits
                .map(|at| Edit::replace(source.bytes(*at), other.as_str()))
                .collect(),
        )
    };
    Plan {
        changes: free.iter().map(change).collect(),
        units: declarations.len(),
    }
}

fn places<'a>(source: &Source<'a>) -> Places<'a> {
    let mut places = Places::new();
    for at in source.of_kinds(&["identifier", "type_identifier", "field_identifier"]) {
        places.entry(source.text(at)).or_default().push(at);
    }
    places
}

/// Adds a declaration.
pub(super) fn declare<'a>(
    source: &Source<'a>,
    declarations: &mut Declarations<'a>,
    at: usize,
    what: What,
    scope: usize,
) {
    let declared = declarations.entry(source.text(at)).or_default();
    declared.push(Declaration { at, what, scope });
}

/// Whether a place lies in what one of these declarations holds for.
pub(super) fn is_in_scope(
    source: &Source<'_>,
    declared: &[Declaration],
    at: usize,
    what: &[What],
) -> bool {
    declared.iter().any(|declaration| {
        what.contains(&declaration.what) && source.inside(declaration.scope).contains(&at)
    })
}
