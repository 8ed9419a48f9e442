//! What was read → what is compared.

use cento::disguise::{self, Disguise, Disguised, DisguisedPlace};
use cento::index::registry::Snapshot;
use cento::report::{Part, Summary};
use cento::token::{Source, Undone};
use cento::verify::{Query, WordPlaces};
use cento::{
    Counts, Document, Fingerprint, Frequencies, Key, NoCollection, Recipe, Role, Stretches,
};
use cento_ingest::{Concealment, Input};

use crate::author::AuthorPattern;
use crate::documents::Unreadable;
use crate::error::Result;
use crate::program;
use crate::submitter::Whose;

/// How texts become fingerprints in a run.
#[derive(Clone, Copy)]
pub(crate) struct Fingerprinting<'a> {
    pub(crate) recipe: &'a Recipe,
    pub(crate) key: &'a Key,
    /// What the recipe is told about the collection.
    pub(crate) seen: &'a (dyn Frequencies + Sync),
    /// What does not count.
    pub(crate) base: Option<&'a Fingerprint>,
    /// Whether stretches are wanted, too.
    pub(crate) stretches: bool,
    /// Where ids say whose documents are.
    pub(crate) author: Option<&'a AuthorPattern>,
    /// How it is done with programs, if that is different.
    pub(crate) programs: Option<&'a Fingerprinting<'a>>,
}

/// A document to scan.
pub(crate) fn document(
    input: &Input,
    role: Role,
    by: &Fingerprinting<'_>,
) -> Result<Document, Unreadable> {
    let text = input.read()?;
    let content = program::content(&text);
    let by = match &by.programs {
        Some(of_programs) if content.program.is_some() => of_programs,
        _ => by,
    };
    let recipe = by.recipe;
    let mut fingerprint = recipe.fingerprint(&content, by.key, by.seen);
    let words = recipe.count_words(&content, &fingerprint);
    if words == 0 {
        return Err(Unreadable::empty(&content));
    }
    let mut passages = match recipe.passages {
        Some(_) => recipe.passage_fingerprints(&content, by.key, by.seen),
        None => Vec::new(),
    };
    if let Some(base) = by.base {
        fingerprint.subtract(base);
        for passage in &mut passages {
            passage.subtract(base);
        }
    }
    Ok(Document {
        id: input.id().to_owned(),
        label: input.label().to_owned(),
        role,
        words,
        language: program::language(&text).map(str::to_owned),
        author: by
            .author
            .and_then(|author| Some(author.author(input.id())?.to_owned())),
        disguised: disguised(&text),
        stretches: if by.stretches {
            Stretches::of(&text.content, by.key)
        } else {
            Stretches::default()
        },
        warnings: warnings(text.warnings, &text.content, recipe),
        fingerprint,
        passages,
    })
}

/// The document frequencies of some texts that are all there is, if a recipe asks about them.
pub(crate) fn counts_of(recipe: &Recipe, key: &Key, texts: &[Source<'_>]) -> Option<Counts> {
    let counted = recipe.counted()?;
    let mut counts = Counts::default();
    for text in texts {
        counts.add(&counted.fingerprint(*text, key, &NoCollection));
    }
    Some(counts)
}

/// What is said about documents that are verified.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// Whose they are, and what stands before their ids in the registry.
    pub(crate) whose: Whose,
    /// Whether they are registered under their ids.
    pub(crate) are_registered: bool,
    /// The set they belong to.
    pub(crate) set: Option<String>,
    /// The recipe of the documents, if it is not the registry's.
    pub(crate) recipe: Option<Recipe>,
}

/// A document to verify.
pub(crate) fn query(
    input: &Input,
    about: &About,
    snapshot: &Snapshot,
) -> Result<Query, Unreadable> {
    let (submitter, id_prefix) = about.whose.of(input).map_err(Unreadable::Other)?;
    let text = input.read()?;
    let content = program::content(&text);
    let prepare = snapshot.prepare();
    let kept = prepare.fingerprints(&content);
    let (fingerprints, itself) = match &about.recipe {
        Some(recipe) => {
            let asked = prepare.fingerprints_by(recipe, &content);
            let asked = asked.map_err(|error| Unreadable::Other(error.to_string()))?;
            (asked, Some(kept))
        }
        None => (kept, None),
    };
    let recipe = &snapshot.settings().recipe;
    let words = match &fingerprints[..] {
        [whole] => recipe.count_words(&content, whole),
        _ => cento::token::count_words(&text.content),
    };
    if words == 0 {
        return Err(Unreadable::empty(&content));
    }
    let (places, terms) = WordPlaces::with_terms(&text.content, prepare);
    Ok(Query {
        id: input.id().to_owned(),
        label: input.label().to_owned(),
        registry_id: format!("{id_prefix}{}", input.id()),
        submitter,
        set: about.set.clone(),
        is_registered: about.are_registered,
        words,
        disguised: disguised(&text),
        warnings: warnings(text.warnings, &text.content, recipe),
        fingerprints,
        itself,
        spans: snapshot.spans(&content),
        places,
        terms,
    })
}

/// Adds what the layout says about a document.
pub(crate) fn describe(input: &Input, summary: &mut Summary) {
    summary.date = input.date().map(str::to_owned);
    let parts = input.parts().iter().map(|part| Part {
        file: part.file.clone(),
        start: part.start,
        end: part.end,
    });
    summary.parts = parts.collect();
}

/// What of a document is disguised.
pub(crate) fn disguised(document: &cento_ingest::Document) -> Disguised {
    let mut disguised = Disguised::in_text(&document.content);
    let concealed = &document.concealed;
    for (kind, characters) in [
        (Disguise::Hidden, concealed.hidden),
        (Disguise::Background, concealed.background),
        (Disguise::Tiny, concealed.tiny),
    ] {
        disguised.add(kind, u32::try_from(characters).unwrap_or(u32::MAX));
    }
    disguised
}

/// Marks what of a text is disguised, and where its file has more than it shows.
pub(crate) fn mark_disguises(summary: &mut Summary, input: Option<&Input>) {
    let Some(text) = &summary.text else { return };
    let concealed = input.and_then(Input::concealed);
    let unseen = concealed.iter().flat_map(|concealed| &concealed.places);
    let unseen = unseen.map(|place| DisguisedPlace {
        start: place.at,
        end: place.at,
        kind: match place.why {
            Concealment::Hidden => Disguise::Hidden,
            Concealment::Background => Disguise::Background,
            Concealment::Tiny => Disguise::Tiny,
        },
        characters: place.characters,
        text: Some(place.text.clone()),
    });
    let mut places: Vec<DisguisedPlace> = unseen.collect();
    places.extend(disguise::places(text, MOST_PLACES));
    places.sort_by_key(|place| (place.start, place.end));
    summary.disguises = places;
    summary.highlights = input.map_or_else(Vec::new, program::highlights);
    summary.programs = input.map_or_else(Vec::new, program::places);
    // A registered document is not read from its file, so its text is all that tells.
    if summary.registered.is_some() {
        summary.disguised = Disguised::in_text(text);
    }
}

/// So many disguised words of a document are marked; all are counted.
const MOST_PLACES: usize = 10_000;

/// What is odd about a text: what its reader noticed, and characters that stand for others.
pub(crate) fn warnings(mut warnings: Vec<String>, text: &str, recipe: &Recipe) -> Vec<String> {
    if recipe.is_normalising() {
        warnings.extend(Undone::in_text(text).sentence());
    }
    warnings
}
