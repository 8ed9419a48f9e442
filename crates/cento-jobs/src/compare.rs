//! Two documents.

use std::path::PathBuf;

use cento::align::Vocabulary;
use cento::compress::Compressor;
use cento::report::Report;
use cento::token::Content;
use cento::{Counts, Document, Listing, PASSAGE_THRESHOLD, Role, ScanSettings, Texts};
use cento_ingest::Input;
use serde::{Deserialize, Serialize};

use crate::documents::{GivenText, Reader, Unreadable, count};
use crate::error::{At as _, Error, Result};
use crate::method::{EvidenceOptions, MethodOptions, settled};
use crate::prepare::{Fingerprinting, describe, document, mark_disguises};
use crate::program;
use crate::report::{Reported, Told, complete};
use crate::scan::programs::{of_programs, recognised};
use crate::scan::{Settings, listing};
use crate::style;
use crate::templates::Templates;
use crate::watch::{Step, Watch};

/// What is to be compared, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// One document.
    pub left: PathBuf,
    /// The other one.
    pub right: PathBuf,
    /// The documents that are texts in memory instead, the left one and the right one.
    #[serde(skip)]
    pub given: [Option<GivenText>; 2],
    /// Score by how well the two texts compress together, by the compressor of this name.
    pub compress: Option<String>,
    /// How texts become fingerprints.
    pub method: MethodOptions,
    /// How shared text is found, and what of it counts.
    pub evidence: EvidenceOptions,
    /// How files are read.
    pub input: cento_ingest::Options,
}

/// The report, with both texts.
pub type Outcome = Reported;

/// Compares two documents.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let style = options.method.style()?;
    if style.is_some() {
        style::refuse(style::in_vain(&options.method, &options.evidence))?;
        if options.compress.is_some() {
            let reason = "cannot be combined with a style recipe; leave one of them out";
            return Err(Error::option("compress", reason));
        }
    }
    let compressor: Option<Compressor> = match &options.compress {
        Some(name) => Some(
            name.parse()
                .map_err(|error: cento::Error| Error::option("compress", error))?,
        ),
        None => None,
    };
    let paths = [options.left.clone(), options.right.clone()];
    let sides = Sides {
        paths: &paths,
        given: &options.given,
    };
    if let Some(style) = style {
        let inputs = sides.open(&Reader::new(&options.input))?;
        return style::compare(&paths, &inputs, style);
    }
    let opened = if compressor.is_some() {
        let settings = settings(&options.method, &options.evidence)?;
        Opened::with(settings, &options.input, &sides)?
    } else {
        Opened::of(&options.method, &options.evidence, &options.input, &sides)?
    };
    let Opened {
        mut settings,
        reader,
        inputs,
    } = opened;
    options.method.warn_of_open_key(watch);
    if compressor.is_some() {
        settings.evidence.aligner = None;
        settings.listing = Listing::Score;
    }
    let pair = Pair {
        paths: &paths,
        inputs: &inputs,
        reader: &reader,
    };
    let Compared {
        mut report,
        templates,
        ..
    } = pair.report(&Others::default(), &settings, watch)?;
    if let Some(by) = compressor {
        let texts = [inputs[0].read()?.content, inputs[1].read()?.content];
        let texts = texts.each_ref().map(String::as_str);
        let threshold = settings.method.threshold;
        watch.during(Step::Comparing, |watch| {
            cento::compress::judge(&mut report, texts, by, threshold, watch)
        })?;
    }
    watch.go_on()?;
    Ok(Reported {
        is_found: report.at_threshold > 0,
        report,
        templates: templates.into_texts(),
        read: 2,
    })
}

pub(crate) fn settings(method: &MethodOptions, evidence: &EvidenceOptions) -> Result<Settings> {
    let mut problems = Vec::new();
    let settled_method = method.settle(&mut problems);
    let settled_evidence = evidence.settle(None, &mut problems);
    let both = settled(settled_method.zip(settled_evidence), problems)?;
    let listing = listing(method, &both.1, None);
    let (method, mut settled_evidence) = both;
    settled_evidence.suit(&method.recipe, evidence)?;
    Ok(Settings {
        method,
        evidence: settled_evidence,
        listing,
        passage_threshold: PASSAGE_THRESHOLD,
        author: None,
    })
}

/// Where two documents come from.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    /// Their files, or the names of texts.
    pub(crate) paths: &'a [PathBuf; 2],
    /// Those that are texts in memory.
    pub(crate) given: &'a [Option<GivenText>; 2],
}

impl Sides<'_> {
    fn open(&self, reader: &Reader) -> Result<[Input; 2]> {
        let open = |side: usize| match &self.given[side] {
            Some(given) => Ok(reader.given(given)),
            None => reader.single(&self.paths[side]),
        };
        Ok([open(0)?, open(1)?])
    }
}

/// Two documents that are to be compared, and how.
pub(crate) struct Opened {
    pub(crate) settings: Settings,
    pub(crate) reader: Reader,
    pub(crate) inputs: [Input; 2],
}

impl Opened {
    /// Compared as programs, if both are some and nobody says how.
    pub(crate) fn of(
        method: &MethodOptions,
        evidence: &EvidenceOptions,
        input: &cento_ingest::Options,
        sides: &Sides<'_>,
    ) -> Result<Opened> {
        let usual = settings(method, evidence)?;
        let Some((method, evidence)) = of_programs(method, evidence, input) else {
            return Opened::with(usual, input, sides);
        };
        let reader = Reader::new(&recognised(input));
        let inputs = sides.open(&reader)?;
        let is_program = |input: &Input| {
            let read = input.read();
            read.is_ok_and(|document| !document.programs.is_empty())
        };
        let settings = if inputs.iter().all(is_program) {
            settings(&method, &evidence)?
        } else {
            usual
        };
        Ok(Opened {
            settings,
            reader,
            inputs,
        })
    }

    fn with(
        settings: Settings,
        input: &cento_ingest::Options,
        sides: &Sides<'_>,
    ) -> Result<Opened> {
        let reader = Reader::for_recipes(input, [&settings.method.recipe]);
        let inputs = sides.open(&reader)?;
        Ok(Opened {
            settings,
            reader,
            inputs,
        })
    }
}

/// The collection that a pair belongs to.
#[derive(Default)]
pub(crate) struct Others {
    pub(crate) documents: Vec<Document>,
    /// What the recipe was told about the collection; without it, the pair is all there is.
    pub(crate) counts: Option<Counts>,
}

/// Two documents that can be read.
pub(crate) struct Pair<'a> {
    pub(crate) paths: &'a [PathBuf; 2],
    pub(crate) inputs: &'a [Input; 2],
    pub(crate) reader: &'a Reader,
}

/// What came of comparing them.
pub(crate) struct Compared {
    /// With their texts.
    pub(crate) report: Report,
    pub(crate) templates: Templates,
    /// The two, with their fingerprints.
    pub(crate) documents: [Document; 2],
    /// What the recipe was told about the collection.
    pub(crate) counts: Option<Counts>,
}

impl Pair<'_> {
    /// What the two documents share.
    pub(crate) fn report(
        &self,
        others: &Others,
        settings: &Settings,
        watch: &Watch<'_>,
    ) -> Result<Compared> {
        let Pair {
            paths,
            inputs,
            reader,
        } = self;
        let (method, evidence) = (&settings.method, &settings.evidence);
        let (recipe, key) = (&method.recipe, &method.key);
        let templates = Templates::read(&evidence.base, &[], reader, recipe, key)?;
        let counts = match (others.counts.clone(), recipe.counted()) {
            (Some(counts), _) => Some(counts),
            (None, Some(counted)) => Some(count(*inputs, &counted, key, watch)?),
            (None, None) => None,
        };
        let by = Fingerprinting {
            recipe,
            key,
            seen: &counts,
            base: templates.fingerprint.as_ref(),
            stretches: false,
            author: None,
            programs: None,
        };
        let open = |number: usize| -> Result<Document> {
            let id = paths[number].display().to_string();
            let document = document(&inputs[number], Role::New, &by)
                .map_err(Unreadable::error)
                .at(&id)?;
            Ok(Document {
                label: id.clone(),
                id,
                ..document
            })
        };
        let documents = [open(0)?, open(1)?];
        let read = |id: &str| {
            let number = documents.iter().position(|document| document.id == id)?;
            self.content(number)
        };
        let meanings = |words: &Vocabulary| evidence.meanings.of(words);
        let texts = evidence.aligner.map(|aligner| Texts {
            aligner,
            meanings: &meanings,
            read: &read,
            marks: true,
            templates: templates.texts.clone(),
            key,
            seen: &counts,
        });
        let scan = ScanSettings {
            recipe: recipe.clone(),
            measure: method.measure,
            listing: settings.listing,
            threshold: method.threshold,
            left_out: evidence.left_out,
            ..ScanSettings::default()
        };
        let mut report = watch.while_comparing(|watch| {
            cento::compare(&documents, &others.documents, &scan, texts.as_ref(), watch)
        })?;
        let told = Told {
            method,
            evidence,
            templates: &templates,
            old: &[],
            programs: reader.programs(),
        };
        complete(&mut report, &told, &[], Vec::new());
        for (document, input) in report.documents.iter_mut().zip(inputs.iter()) {
            document.text = read(&document.id).map(|content| content.text);
            describe(input, document);
            mark_disguises(document, Some(input));
        }
        Ok(Compared {
            report,
            templates,
            documents,
            counts,
        })
    }

    /// The text of one of them, with the tokens of its programs.
    pub(crate) fn content(&self, number: usize) -> Option<Content> {
        Some(program::content(&self.inputs[number].read().ok()?))
    }
}
