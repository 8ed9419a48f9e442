//! The attacks on texts and those on programs, by their names.

use std::borrow::Cow;

use cento::eval::attack::Attack;
use cento::eval::attack::mail::Disguise;

use super::{Original, Wanted};
use crate::error::{Error, Problem, Result};

/// What is done to a text, to a program or to a mail message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text(Attack),
    Program(cento_code::Attack),
    /// Disguises of a message, one over the other.
    Mail(Vec<Disguise>),
}

impl Kind {
    pub(super) fn name(&self) -> Cow<'static, str> {
        match self {
            Kind::Text(attack) => attack.name(),
            Kind::Program(attack) => Cow::Borrowed(attack.name()),
            Kind::Mail(disguises) => {
                let names: Vec<&str> = disguises.iter().map(|disguise| disguise.name()).collect();
                Cow::Owned(names.join("+"))
            }
        }
    }

    /// Whether it can be done to a document.
    pub(super) fn fits(&self, original: &Original) -> bool {
        matches!(self, Kind::Program(_)) == original.program.is_some()
    }

    fn named(name: &str) -> Result<Kind, String> {
        if let Some(attack) = cento_code::Attack::named(name) {
            return Ok(Kind::Program(attack));
        }
        if name.starts_with("mail-") {
            let disguises = name.split('+').map(|name| name.trim().parse());
            let disguises: Result<Vec<Disguise>, cento::Error> = disguises.collect();
            return disguises.map(Kind::Mail).map_err(|error| error.to_string());
        }
        name.parse().map(Kind::Text).map_err(|error: cento::Error| {
            format!(
                "{error}; for programs: {}; for mail, one or several as in mail-leet+mail-words: {}",
                of_programs(),
                of_mail()
            )
        })
    }
}

/// What was asked for: some attacks, or what is usual for whatever the documents are.
pub(super) enum Asked {
    All,
    Usual,
    These(Vec<Kind>),
}

impl Asked {
    pub(super) fn of(names: &[String], problems: &mut Vec<Problem>) -> Asked {
        if names.is_empty() {
            return Asked::Usual;
        }
        if names.iter().any(|name| name == "all") {
            return Asked::All;
        }
        let mut kinds = Vec::new();
        for name in names {
            match Kind::named(name.trim()) {
                Ok(kind) if kinds.contains(&kind) => {}
                Ok(kind) => kinds.push(kind),
                Err(reason) => problems.push(Problem::new("kind", reason)),
            }
        }
        Asked::These(kinds)
    }

    /// The attacks on these documents, each of which has one, and each one a document.
    pub(super) fn on(self, originals: &[Original], result: &Wanted) -> Result<Vec<Kind>> {
        let texts = match (&self, result) {
            (Asked::Usual, Wanted::Table(_)) => Attack::PAPER.to_vec(),
            _ => Attack::ALL.to_vec(),
        };
        let texts = texts.into_iter().map(Kind::Text);
        let programs = cento_code::Attack::ALL.into_iter().map(Kind::Program);
        // Those of the paper are what a table has unless more is asked for.
        let has_mail = match (&self, result) {
            (Asked::Usual, Wanted::Table(_)) => false,
            _ => originals.iter().any(|original| original.is_message),
        };
        let mail = Disguise::ALL.into_iter().filter(|_| has_mail);
        let mail = mail.map(|disguise| Kind::Mail(vec![disguise]));
        let kinds: Vec<Kind> = match self {
            Asked::These(kinds) => kinds,
            Asked::All | Asked::Usual => texts
                .chain(mail)
                .chain(programs)
                .filter(|kind| originals.iter().any(|original| kind.fits(original)))
                .collect(),
        };
        let mut problems = Vec::new();
        let without = |original: &&Original| !kinds.iter().any(|kind| kind.fits(original));
        if let Some(original) = originals.iter().find(without) {
            let id = &original.id;
            let reason = match original.program {
                Some(_) => format!("{id} is a program; choose {}", of_programs()),
                None => format!("{id} is a text; choose {}", of_texts()),
            };
            problems.push(Problem::new("kind", reason));
        } else {
            for kind in &kinds {
                if !originals.iter().any(|original| kind.fits(original)) {
                    let what = match kind {
                        Kind::Text(_) | Kind::Mail(_) => "texts, and there are only programs",
                        Kind::Program(_) => "programs, and there are only texts",
                    };
                    let reason = format!("{} is for {what}; leave it out", kind.name());
                    problems.push(Problem::new("kind", reason));
                }
            }
        }
        if problems.is_empty() || originals.is_empty() {
            Ok(kinds)
        } else {
            Err(Error::Options(problems))
        }
    }
}

fn of_programs() -> String {
    cento_code::Attack::ALL
        .map(cento_code::Attack::name)
        .join(", ")
}

fn of_mail() -> String {
    Disguise::ALL.map(Disguise::name).join(", ")
}

fn of_texts() -> String {
    let names = Attack::ALL.map(|attack| match attack {
        Attack::Adapted(_) => Cow::Borrowed("adapted:N"),
        other => other.name(),
    });
    names.join(", ")
}
