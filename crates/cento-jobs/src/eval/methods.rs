//! Which methods are tried.

use std::fmt;
use std::num::NonZeroUsize;

use cento::{Measure, Recipe};

use crate::error::{Error, Problem, Result};

/// A recipe and a measure, and perhaps another selector for the queries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Method {
    pub(super) recipe: Recipe,
    pub(super) name: String,
    pub(super) query: Option<Recipe>,
    pub(super) measure: Measure,
    /// Only so many terms of a query; without it, all.
    pub(super) terms: Option<NonZeroUsize>,
}

/// What is tried when nothing is asked for: the rows of Hoad & Zobel's table 6 and our own.
const DEFAULT_METHODS: [(&str, Option<&str>, &str); 9] = [
    ("rank", None, "cosine"),
    ("rank", None, "identity-5"),
    ("hz-first-r-sliding", None, "containment"),
    ("hz-anchor", None, "containment"),
    (
        "hz-anchor",
        Some("words+fold | window:4 | shiftxor:32 | all"),
        "containment",
    ),
    ("se", None, "symmetric"),
    ("default", None, "resemblance"),
    ("default", None, "symmetric"),
    ("versions", None, "resemblance"),
];

/// Every recipe with every measure; without measures, with that of its paper. Bad names are reported
/// together.
pub(super) fn methods(
    recipes: &[String],
    measures: &[String],
    query: Option<&str>,
    terms: &[usize],
) -> Result<Vec<Method>> {
    let mut problems = Vec::new();
    let mut methods = Vec::new();
    let mut add = |name: &str, query: Option<&str>, measure: Option<&str>| {
        methods.extend(method(name, query, measure, &mut problems));
    };
    if recipes.is_empty() && measures.is_empty() {
        for (name, query, measure) in DEFAULT_METHODS {
            add(name, query, Some(measure));
        }
    } else {
        for recipe in or(recipes, "default") {
            if measures.is_empty() {
                add(recipe, query, None);
            }
            for measure in measures {
                add(recipe, query, Some(measure));
            }
        }
    }
    let fewer: Vec<NonZeroUsize> = terms.iter().filter_map(|&n| NonZeroUsize::new(n)).collect();
    if fewer.len() < terms.len() {
        let reason = "must be at least 1; leave it out to ask with all terms";
        problems.push(Problem::new("query-terms", reason));
    }
    if !problems.is_empty() {
        return Err(Error::Options(problems));
    }
    // All terms first, so that the table shows what fewer lose.
    let with_terms = |method: Method| {
        let fewer = fewer.iter().map(|terms| Some(*terms));
        let terms: Vec<Option<NonZeroUsize>> = std::iter::once(None).chain(fewer).collect();
        let method = move |terms| Method {
            terms,
            ..method.clone()
        };
        terms.into_iter().map(method)
    };
    Ok(methods.into_iter().flat_map(with_terms).collect())
}

fn or<'a>(given: &'a [String], default: &'a str) -> Vec<&'a str> {
    match given {
        [] => vec![default],
        given => given.iter().map(String::as_str).collect(),
    }
}

fn method(
    name: &str,
    query: Option<&str>,
    measure: Option<&str>,
    problems: &mut Vec<Problem>,
) -> Option<Method> {
    // The same name stands in many methods, and what is wrong with it is said once.
    let mut kept = |option, reason: &dyn fmt::Display| {
        let problem = Problem::new(option, reason);
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    };
    let recipe = Recipe::named(name).map_err(|error| kept("recipe", &error));
    let query = query.map(Recipe::named).transpose();
    let query = query.map_err(|error| kept("query-recipe", &error));
    let measure = measure.map(str::parse::<Measure>).transpose();
    let measure = measure.map_err(|error| kept("measure", &error));
    if let (Ok(recipe), Ok(Some(query))) = (&recipe, &query)
        && query.id() != recipe.id()
    {
        let reason = format!("`{query}` may differ from `{recipe}` in the selector only");
        kept("query-recipe", &reason);
    }
    let recipe = recipe.ok()?;
    Some(Method {
        measure: measure.ok()?.unwrap_or_else(|| recipe.measure()),
        recipe,
        name: name.to_owned(),
        query: query.ok()?,
        terms: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(recipes: &[&str], measures: &[&str], query: Option<&str>, expected: &[&str]) {
        let owned =
            |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
        let problems = match methods(&owned(recipes), &owned(measures), query, &[]) {
            Ok(_) => Vec::new(),
            Err(Error::Options(problems)) => problems,
            Err(error) => panic!("{error}"),
        };
        let options: Vec<&str> = problems.iter().map(|problem| problem.option).collect();
        assert_eq!(options, expected);
    }

    #[test]
    fn bad_names_are_reported_together_and_once() {
        check(&[], &[], None, &[]);
        check(
            &["sieve", "default"],
            &["cosine", "sine"],
            None,
            &["recipe", "measure"],
        );
        check(&["hz-anchor"], &[], Some("default"), &["query-recipe"]);
    }

    #[test]
    fn every_recipe_meets_every_measure() {
        let names =
            |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
        let all = methods(
            &names(&["default", "rank"]),
            &names(&["cosine", "inner"]),
            None,
            &[],
        );
        assert_eq!(all.unwrap().len(), 4);
        let fewer = methods(&[], &names(&["cosine"]), None, &[5, 20]).unwrap();
        let terms: Vec<usize> = fewer
            .iter()
            .map(|method| method.terms.map_or(0, NonZeroUsize::get))
            .collect();
        assert_eq!(terms, [0, 5, 20], "all of them first");
        assert!(methods(&[], &[], None, &[0]).is_err());
        assert_eq!(
            methods(&[], &[], None, &[]).unwrap().len(),
            DEFAULT_METHODS.len()
        );
    }
}
