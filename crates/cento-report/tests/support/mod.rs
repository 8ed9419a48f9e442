//! A small report with one of everything: template, quotation, edited text, odd names, dates.

use cento::discount::Discounts;
use cento::report::{Report, Setting, Skipped};
use cento::{Document, Key, Measure, NoCollection, Recipe, Role, ScanSettings, Texts, Watch};

pub(crate) const TEMPLATE: &str = "Name of the student and number of the course. I have written this text \
    myself, and whatever I have taken from others stands in quotation marks.";

const CANAL: &str = "The town of Harrowmere filled its canal in the year of the great frost, since \
    nobody wanted to pay for new gates. Fifty years later the cellars along the market were wet \
    every spring, and the council had to choose between a wider pipe and open water. It chose the \
    water, although the pipe was cheaper, because a pipe gives nobody a place to sit.";

const EDITED: &str = "The town of Harrowmere closed its canal in the year of the great frost, since \
    nobody wished to pay for new gates. Fifty years later the cellars along the market were wet \
    each spring, and the council had to choose between a larger pipe and open water. It chose the \
    water, although the pipe was cheaper, because a pipe gives nobody a place to sit.";

const OTHER: &str = "Bees do not care about canals. They care about the lime trees on the northern \
    bank, which flower in June, and about the roofs of the old mill where they have lived for as \
    long as anybody remembers. Žluťoučký kůň 馬 🐝 watches them from the meadow on the other side, \
    and on warm days one can hear both from the bridge.";

const QUOTED: &str = "My own view is another one. As the council wrote, “Fifty years later the \
    cellars along the market were wet every spring, and the council had to choose between a wider \
    pipe and open water.” I do not think that there was a choice at all: who has once seen the \
    market under water will not ask what a pipe would have cost, nor who would have sat on it.";

/// The report, with its texts.
pub(crate) fn report() -> Report {
    let texts = [
        ("canal.txt", format!("{TEMPLATE}\n\n{CANAL}\n")),
        (
            "a, \"b\" & <c>.txt",
            format!("{TEMPLATE}\n\n{EDITED}\n\nThat is all.\n"),
        ),
        ("bees.txt", format!("{TEMPLATE}\n\n{OTHER}\n")),
        ("essay/ünïcode 🐎.txt", format!("{OTHER}\n\n{QUOTED}\n")),
        ("=1+1.txt", format!("{QUOTED}\n")),
    ];
    let recipe = Recipe::named("default").unwrap();
    let mut base = recipe.fingerprint(TEMPLATE, &Key::PUBLIC, &NoCollection);
    base.subtract(&recipe.fingerprint("", &Key::PUBLIC, &NoCollection));
    let document = |(id, text): &(&str, String)| {
        let mut fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
        let words = recipe.count_words(text, &fingerprint);
        fingerprint.subtract(&base);
        Document {
            id: (*id).to_owned(),
            label: (*id).to_owned(),
            role: Role::New,
            language: None,
            author: None,
            words,
            warnings: Vec::new(),
            disguised: cento::disguise::Disguised::default(),
            stretches: cento::Stretches::default(),
            passages: Vec::new(),
            fingerprint,
        }
    };
    let documents = texts.iter().map(document).collect();
    let read = |id: &str| {
        let found = texts.iter().find(|(own, _)| *own == id);
        found.map(|(_, text)| text.clone())
    };
    let settings = ScanSettings {
        recipe: recipe.clone(),
        measure: Measure::MaxContainment,
        threshold: 0.1,
        top: None,
        top_documents: None,
        max_documents: None,
        left_out: Discounts::USUAL,
        count_below: true,
        ..ScanSettings::default()
    };
    let looked = Texts {
        aligner: "passages".parse().unwrap(),
        meanings: &cento::align::Meanings::none,
        read: &|id| Some(read(id)?.into()),
        marks: true,
        templates: vec![TEMPLATE.to_owned().into()],
        key: &Key::PUBLIC,
        seen: &NoCollection,
    };
    let mut report = cento::scan(documents, &settings, Some(&looked), Watch::NOBODY).unwrap();
    let paths = vec!["sheets/template, 1.txt".to_owned()];
    report
        .settings
        .insert("base".to_owned(), Setting::List(paths));
    for (day, document) in (1..).zip(&mut report.documents) {
        document.text = read(&document.id);
        document.date = Some(format!("2026-05-0{day}T09:30:00Z"));
    }
    let skipped = Skipped::new("scan, page 1.pdf", "no text layer");
    report.skipped.push(skipped);
    cento_report::place(&mut report);
    cento_report::seal(&mut report);
    report
}
