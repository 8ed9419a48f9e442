//! Every pair of many documents: of texts with texts, and of programs with programs.

pub(crate) mod programs;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use cento::align::Vocabulary;
use cento::compress::Compressor;
use cento::discount::Discount;
use cento::report::{Note, Report, Setting};
use cento::sketch::Sketcher;
use cento::{Listing, Role, ScanSettings, Texts};
use cento_ingest::{Input, LayoutNote};
use serde::{Deserialize, Serialize};

use crate::approximate::Approximate;
use crate::author::AuthorPattern;
use crate::documents::{Documents, GivenText, Reader, by_id, count, read_all};
use crate::error::{Error, Problem, Result};
use crate::method::{
    BaseFrom, Evidence, EvidenceOptions, Method, MethodOptions, expect_passages, passage_threshold,
    settled,
};
use crate::prepare::{Fingerprinting, document};
use crate::program;
use crate::report::{Reported, TextOptions, TextsOf, Told, add_texts, complete};
use crate::templates::Templates;
use crate::watch::{Remark, Watch};
use crate::{advise, style};

/// What is to be compared, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// More documents: texts that are in memory.
    #[serde(skip)]
    pub given: Vec<GivenText>,
    /// More of them, to compare with, but not among themselves.
    pub old: Vec<PathBuf>,
    /// How texts become fingerprints, and which pairs are listed.
    pub method: MethodOptions,
    /// How shared text is found, and what of it counts.
    pub evidence: EvidenceOptions,
    /// How files are found and read.
    pub input: cento_ingest::Options,
    /// Where the author is in the ids of documents, such as `{author}_*`: documents of one author are not
    /// compared.
    pub author: Option<String>,
    /// Text that does not count besides templates.
    pub base_from: Option<BaseFrom>,
    /// List pairs for a passage of so many words, too; 12 without it. Only where the texts decide, and no
    /// recipe, measure or `max_df` is asked for.
    pub passage: Option<u32>,
    /// From which share of its own score on a passage is like another, for recipes that cut documents
    /// into passages; 0.5 without it.
    pub passage_threshold: Option<f64>,
    /// List at most this many pairs.
    pub top: Option<usize>,
    /// List only pairs of so many documents: those that come first in the list.
    pub top_documents: Option<usize>,
    /// Text that more documents have than this does not count.
    pub max_df: Option<u32>,
    /// Say what scores mean here, however few documents there are.
    pub advise: bool,
    /// Score by how well texts compress together, by the compressor of this name.
    pub compress: Option<String>,
    /// Compare only documents that their sketches call alike.
    pub approximate: Option<Approximate>,
    /// Do not count the pairs below the threshold.
    pub only_listed: bool,
    /// What of the texts the report is to have.
    pub texts: TextOptions,
}

/// The report.
pub type Outcome = Reported;

/// Compares every document with every other one.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    if let Some(style) = options.method.style()? {
        expect_style(options)?;
        return style::scan(options, style, watch);
    }
    let compressor = compressor(options)?;
    let settings = Settings::of(options)?;
    let of_programs = programs::settings(options)?;
    options.method.warn_of_open_key(watch);
    let sketcher = settings.sketcher(options, watch)?;
    let reader = match of_programs {
        Some(_) => Reader::new(&programs::recognised(&options.input)),
        None => Reader::for_recipes(&options.input, [&settings.method.recipe]),
    };
    let both = of_programs.as_ref();
    let sources = Sources {
        new: &options.paths,
        given: &options.given,
        old: &options.old,
    };
    let loaded = load(&sources, &settings, both, &reader, watch)?;
    let all: BTreeSet<String> = (loaded.documents.iter())
        .map(|document| document.id.clone())
        .collect();
    let read = all.len();
    let (texts, programs) = match &of_programs {
        Some(_) => programs::apart(loaded.documents),
        None => (loaded.documents, Vec::new()),
    };
    if options.base_from.is_some() && texts.is_empty() && !programs.is_empty() {
        let reason = "has no effect on programs: what many of them have counts for little anyway; \
                      leave it out";
        return Err(Error::option("base-from", reason));
    }
    let among = Among {
        inputs: &loaded.inputs,
        texts_of: &by_id(&loaded.inputs),
        counts: &loaded.counts,
        compressor,
        sketcher,
        all,
    };
    let of_texts = |documents| among.scan(documents, &loaded.templates, options, &settings, watch);
    let mut report = match of_programs {
        Some(of_programs) if !programs.is_empty() => {
            let templates = &loaded.program_templates;
            let is_only_program = programs.len() == 1;
            let scanned = among.scan(programs, templates, options, &of_programs, watch)?;
            match texts.len() {
                0 => scanned,
                1 => scanned.with_only(of_texts(texts)?),
                _ if is_only_program => of_texts(texts)?.with_only(scanned),
                _ => of_texts(texts)?.with_programs(scanned),
            }
        }
        _ => of_texts(texts)?,
    };
    report.skipped = loaded.skipped;
    if let Some(pattern) = &options.author {
        let value = Setting::Text(pattern.clone());
        report.settings.insert("author".to_owned(), value);
    }
    let layout = loaded.notes.iter();
    report
        .notes
        .extend(layout.map(|note| Note::Layout(note.to_string())));
    let read_text = |id: &str| among.document(id).map(|document| document.content);
    add_texts(
        &mut report,
        options.texts,
        &read_text,
        among.texts_of,
        watch,
    );
    watch.go_on()?;
    Ok(Reported {
        is_found: !report.families.is_empty(),
        report,
        templates: loaded.templates.into_texts(),
        read,
    })
}

/// Where documents come from that are compared with each other.
struct Among<'a> {
    inputs: &'a [Input],
    texts_of: &'a HashMap<&'a str, &'a Input>,
    /// What the recipe was told about the collection.
    counts: &'a Option<cento::Counts>,
    compressor: Option<Compressor>,
    sketcher: Option<Sketcher>,
    /// The ids of all documents that were read.
    all: BTreeSet<String>,
}

impl Among<'_> {
    /// A document, once more.
    fn document(&self, id: &str) -> Option<cento_ingest::Document> {
        self.texts_of.get(id)?.read().ok()
    }

    /// The ids of the documents that are not among these.
    fn others(&self, documents: &[cento::Document]) -> BTreeSet<String> {
        let mut others = self.all.clone();
        for document in documents {
            others.remove(&document.id);
        }
        others
    }

    /// Compares every one of these documents with every other one.
    fn scan(
        &self,
        documents: Vec<cento::Document>,
        templates: &Templates,
        options: &Options,
        settings: &Settings,
        watch: &Watch<'_>,
    ) -> Result<Report> {
        let others = self.others(&documents);
        let is_of_these = |input: &Input| !others.contains(input.id());
        let read = |id: &str| Some(program::content(&self.document(id)?));
        let read_text = |id: &str| self.document(id).map(|document| document.content);
        let meanings = |words: &Vocabulary| settings.evidence.meanings.of(words);
        let texts = settings.evidence.aligner.map(|aligner| Texts {
            aligner,
            meanings: &meanings,
            read: &read,
            marks: options.texts.texts != TextsOf::None,
            templates: templates.texts.clone(),
            key: &settings.method.key,
            seen: self.counts,
        });
        let scan = settings.scan(options);
        let by = (self.compressor, &self.sketcher);
        let mut report = watch.while_comparing(|watch| match by {
            (Some(by), _) => cento::compress::scan(documents, &scan, by, &read_text, watch),
            (None, None) => cento::scan(documents, &scan, texts.as_ref(), watch),
            (None, Some(sketcher)) => {
                cento::scan_approximately(documents, &scan, sketcher, texts.as_ref(), watch)
            }
        })?;
        if let Some(sketcher) = &self.sketcher {
            note_sketcher(&mut report, sketcher);
        }
        let told = Told {
            method: &settings.method,
            evidence: &settings.evidence,
            templates,
            old: &options.old,
            programs: &options.input.reading.programs,
        };
        complete(&mut report, &told, self.inputs, Vec::new());
        let base = templates.fingerprint.as_ref();
        let method = &settings.method;
        // What unrelated pairs reach is known of fingerprints only.
        if self.compressor.is_none() {
            let inputs: Vec<&Input> = self
                .inputs
                .iter()
                .filter(|input| is_of_these(input))
                .collect();
            advise::add(&mut report, &inputs, base, method, options.advise, watch)?;
        }
        Ok(report)
    }
}

/// What the options mean.
pub(crate) struct Settings {
    pub(crate) method: Method,
    pub(crate) evidence: Evidence,
    /// What decides which pairs are listed.
    pub(crate) listing: Listing,
    /// From which share of its own score on a passage is like another.
    pub(crate) passage_threshold: f64,
    /// Where ids say whose documents are.
    pub(crate) author: Option<AuthorPattern>,
}

impl Settings {
    pub(crate) fn of(options: &Options) -> Result<Settings> {
        let mut problems = Vec::new();
        let method = options.method.settle(&mut problems);
        let evidence = options.evidence.settle(options.base_from, &mut problems);
        if options.max_df.is_some_and(|most| most < 2) {
            let reason = "must be at least 2; with less, nothing could be shared";
            problems.push(Problem::new("max-df", reason));
        }
        if options.top_documents.is_some_and(|most| most < 2) {
            let reason = "must be at least 2; a pair has two documents";
            problems.push(Problem::new("top-documents", reason));
        }
        let passage_threshold = passage_threshold(options.passage_threshold, &mut problems);
        let (method, mut evidence) = settled(method.zip(evidence), problems)?;
        expect_passages(options.passage_threshold, &method.recipe)?;
        evidence.suit(&method.recipe, &options.evidence)?;
        if options.compress.is_some() {
            evidence.aligner = None;
        }
        let is_scored = options.max_df.is_some() || options.approximate.is_some();
        let listing = if is_scored {
            Listing::Score
        } else {
            listing(&options.method, &evidence, options.passage)
        };
        Ok(Settings {
            method,
            evidence,
            listing,
            passage_threshold,
            author: options
                .author
                .as_deref()
                .map(AuthorPattern::parse)
                .transpose()?,
        })
    }

    fn scan(&self, options: &Options) -> ScanSettings {
        ScanSettings {
            recipe: self.method.recipe.clone(),
            measure: self.method.measure,
            listing: self.listing,
            threshold: self.method.threshold,
            passage_threshold: self.passage_threshold,
            top: options.top,
            top_documents: options.top_documents,
            max_documents: options.max_df,
            left_out: self.evidence.left_out,
            count_below: options.advise || !options.only_listed,
        }
    }

    /// What makes sketches, if the run is to be approximate; says what it will find.
    fn sketcher(&self, options: &Options, watch: &Watch<'_>) -> Result<Option<Sketcher>> {
        let Some(approximate) = options.approximate else {
            return Ok(None);
        };
        let sketcher = approximate.sketcher(self.method.measure, self.method.threshold)?;
        if options.max_df.is_some() || self.evidence.left_out.has(Discount::Common) {
            let reason = "how many documents have a text is not known then, so max-df and \
                          base-from have no effect; leave them out";
            return Err(Error::option("approximate", reason));
        }
        watch.remark(Remark::Approximate(sketcher.bands));
        Ok(Some(sketcher))
    }
}

/// What decides which pairs are listed: the texts, unless somebody asks for a score or no text is looked
/// at.
pub(crate) fn listing(
    method: &MethodOptions,
    evidence: &Evidence,
    passage: Option<u32>,
) -> Listing {
    if method.measure.is_some() || method.recipe.is_some() || evidence.aligner.is_none() {
        return Listing::Score;
    }
    Listing::Evidence {
        passage: passage.unwrap_or(Listing::PASSAGE),
    }
}

fn note_sketcher(report: &mut Report, sketcher: &Sketcher) {
    for (name, value) in [
        ("bands", sketcher.bands.bands.into()),
        ("rows", sketcher.bands.rows.into()),
        ("sketch-seed", sketcher.seed),
    ] {
        let value = Setting::Count(value);
        report.settings.insert(name.to_owned(), value);
    }
}

/// The options that only have an effect on fingerprints and passages.
fn of_fingerprints(options: &Options) -> Vec<&'static str> {
    let given = [
        ("base-from", options.base_from.is_some()),
        ("passage", options.passage.is_some()),
        ("passage-threshold", options.passage_threshold.is_some()),
        ("max-df", options.max_df.is_some()),
        ("advise", options.advise),
        ("approximate", options.approximate.is_some()),
    ];
    let given = given.into_iter();
    given
        .filter_map(|(name, given)| given.then_some(name))
        .collect()
}

/// Refuses what a style has no use for.
fn expect_style(options: &Options) -> Result<()> {
    let mut given = style::in_vain(&options.method, &options.evidence);
    given.extend(of_fingerprints(options));
    given.extend(options.top_documents.map(|_| "top-documents"));
    style::refuse(given)?;
    if options.compress.is_some() {
        let reason = "cannot be combined with a style recipe; leave one of them out";
        return Err(Error::option("compress", reason));
    }
    Ok(())
}

/// The compressor that is asked for, and nothing that has no effect on it.
fn compressor(options: &Options) -> Result<Option<Compressor>> {
    let Some(name) = &options.compress else {
        return Ok(None);
    };
    let mut given = of_fingerprints(options);
    if !options.evidence.base.is_empty() {
        given.push("base");
    }
    if options.method.measure.is_some() {
        given.push("measure");
    }
    if !given.is_empty() {
        let reason = "has no effect on compressed lengths; leave it out, or leave out compress";
        let problem = |option| Problem::new(option, reason);
        return Err(Error::Options(given.into_iter().map(problem).collect()));
    }
    let by = name.parse();
    by.map(Some)
        .map_err(|error: cento::Error| Error::option("compress", error))
}

/// What became of the paths.
pub(crate) struct Loaded {
    pub(crate) documents: Vec<cento::Document>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) templates: Templates,
    /// The same as programs are compared with them.
    pub(crate) program_templates: Templates,
    /// What the recipe was told about the collection.
    pub(crate) counts: Option<cento::Counts>,
    pub(crate) skipped: Vec<cento::report::Skipped>,
    pub(crate) notes: Vec<LayoutNote>,
}

/// Where the documents of a run come from.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sources<'a> {
    pub(crate) new: &'a [PathBuf],
    /// New ones, too.
    pub(crate) given: &'a [GivenText],
    pub(crate) old: &'a [PathBuf],
}

/// Reads and fingerprints everything under the new and the old paths.
pub(crate) fn load(
    sources: &Sources<'_>,
    settings: &Settings,
    of_programs: Option<&Settings>,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<Loaded> {
    let Sources { new, given, old } = *sources;
    let paths: Vec<PathBuf> = new.iter().chain(old).cloned().collect();
    let Documents {
        mut inputs,
        templates,
        mut skipped,
        notes,
    } = reader.find_with(&paths, given, watch)?;
    if of_programs.is_some() {
        programs::add_texts(&mut inputs, reader.options());
    }
    let Method { recipe, key, .. } = &settings.method;
    let program_templates = match of_programs {
        Some(Settings {
            method, evidence, ..
        }) => Templates::read(
            &evidence.base,
            &templates,
            reader,
            &method.recipe,
            &method.key,
        )?,
        None => Templates::default(),
    };
    let templates = Templates::read(&settings.evidence.base, &templates, reader, recipe, key)?;
    let counts = match recipe.counted() {
        Some(counted) => Some(count(&inputs, &counted, key, watch)?),
        None => None,
    };
    let by_programs = of_programs.map(|settings| Fingerprinting {
        recipe: &settings.method.recipe,
        key: &settings.method.key,
        seen: &counts,
        base: program_templates.fingerprint.as_ref(),
        stretches: false,
        author: settings.author.as_ref(),
        programs: None,
    });
    let by = Fingerprinting {
        recipe,
        key,
        seen: &counts,
        base: templates.fingerprint.as_ref(),
        stretches: settings.listing != Listing::Score,
        author: settings.author.as_ref(),
        programs: by_programs.as_ref(),
    };
    let mut documents = read_all(&inputs, &mut skipped, watch, |input| {
        document(input, role(input, new.len()), &by)
    })?;
    programs::drop_empty(&inputs, &mut documents, &mut skipped);
    Ok(Loaded {
        documents,
        inputs,
        templates,
        program_templates,
        counts,
        skipped,
        notes,
    })
}

/// Whether a document is new or old: the first `new_paths` paths are those of new documents.
pub(crate) fn role(input: &Input, new_paths: usize) -> Role {
    if input.is_given() || input.found().argument < new_paths {
        Role::New
    } else {
        Role::Old
    }
}
