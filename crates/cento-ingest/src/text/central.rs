//! Short texts of Central Europe in windows-1250 or ISO-8859-2.
//!
//! A few words have too few letters for a guess by frequencies, so here the letters must fit together: a
//! text is Czech, Slovak, Polish or Hungarian if all of its words can be spelled with the letters of that
//! language, and it is nothing else if no language of the guessed encoding has all letters that it would
//! need. Where both are possible, common words decide, and where these are too few, a person.

use encoding_rs::{Encoding, ISO_8859_2, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257};

/// What is to be made of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing speaks against it.
    Keep,
    /// It is this encoding.
    Instead(&'static Encoding),
    /// It may be this encoding.
    Perhaps(&'static Encoding),
}

/// Texts that are longer have enough letters for a guess.
const LONGEST: usize = 4096;

/// What the letters and words of a text say about the guess of its encoding.
pub(super) fn judge(bytes: &[u8], guess: &'static Encoding) -> Verdict {
    let languages = if bytes.len() > LONGEST {
        return Verdict::Keep;
    } else if CENTRAL_ENCODINGS.contains(&guess) {
        CENTRAL
    } else if OTHER_ENCODINGS.contains(&guess) {
        OTHERS
    } else {
        return Verdict::Keep;
    };
    let guessed = words(bytes, guess);
    let found = CENTRAL_ENCODINGS.into_iter().find_map(|encoding| {
        let words = words(bytes, encoding).filter(|words| Some(words) != guessed.as_ref())?;
        Some((encoding, common(&words, CENTRAL)?))
    });
    let Some((encoding, here)) = found else {
        return Verdict::Keep;
    };
    match guessed.and_then(|words| common(&words, languages)) {
        None => Verdict::Instead(encoding),
        Some(there) if here > there + 1 => Verdict::Instead(encoding),
        Some(there) if here > there || here + there == 0 => Verdict::Perhaps(encoding),
        // Two readings of Central Europe are as good as each other.
        Some(there) if here == there && CENTRAL_ENCODINGS.contains(&guess) => {
            Verdict::Perhaps(encoding)
        }
        Some(_) => Verdict::Keep,
    }
}

/// The words of a text in lower case; none if it has control codes, as no text has.
fn words(bytes: &[u8], encoding: &'static Encoding) -> Option<Vec<String>> {
    let (text, is_broken) = encoding.decode_without_bom_handling(bytes);
    let is_control = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    if is_broken || text.contains(is_control) {
        return None;
    }
    let text = text.to_lowercase();
    let is_between = |c: char| {
        c.is_whitespace() || c.is_ascii_punctuation() || ('\u{2010}'..='\u{2027}').contains(&c)
    };
    // What is no letter and stands within a word was meant to be one.
    let words = text.split(is_between);
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
    Some(
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect(),
    )
}

/// How many of the words are common ones of a language that all of them can be spelled in; of the one that
/// has most. None if there is no such language.
fn common(words: &[String], languages: &[Language]) -> Option<usize> {
    let fitting = languages.iter().filter(|language| language.spells(words));
    let count = |language: &Language| {
        let is_common = |word: &&String| language.common.split(' ').any(|common| common == *word);
        words.iter().filter(is_common).count()
    };
    fitting.map(count).max()
}

/// What tells a language from others.
struct Language {
    /// Its letters beyond a to z.
    letters: &'static str,
    /// Those that stand at the ends of words only.
    at_end: &'static str,
    /// Words that hardly a sentence does without.
    common: &'static str,
}

impl Language {
    fn spells(&self, words: &[String]) -> bool {
        words.iter().all(|word| {
            let last = word.chars().count().saturating_sub(1);
            word.chars().enumerate().all(|(place, letter)| {
                letter.is_ascii()
                    || self.letters.contains(letter)
                    || place == last && self.at_end.contains(letter)
            })
        })
    }
}

const fn language(letters: &'static str, at_end: &'static str, common: &'static str) -> Language {
    Language {
        letters,
        at_end,
        common,
    }
}

const CENTRAL_ENCODINGS: [&Encoding; 2] = [WINDOWS_1250, ISO_8859_2];
const OTHER_ENCODINGS: [&Encoding; 3] = [WINDOWS_1252, WINDOWS_1254, WINDOWS_1257];

/// Czech, Slovak, Polish, Hungarian.
const CENTRAL: &[Language] = &[
    language(
        "áčďéěíňóřšťúůýž",
        "",
        "aby ale ani až bez bude budou byl byla bylo byli být co den do jak jako je jeho jejich jen \
         jsem jsou každý kde kdo kdy když který která které lze má mezi mnoho může můžete musí na \
         nad není nebo nebyl nelze od pak po pod podle pokud pouze pro proto před při přes se si \
         soubor souboru tak tato ten tento této to toho tohoto tomto toto tuto tyto už ve velmi \
         více však za ze že",
    ),
    language(
        "áäčďéíĺľňóôŕšťúýž",
        "",
        "aby aj ak ako ale alebo ani až bez bol bola bolo bude byť cez do ho iba je jeho každý kde \
         keď ktorý ktorá ktoré má medzi môže musí na nad nie od po pod podľa pre pri sa si som sú \
         súbor súboru tak tejto ten tento to toho tohto tomto toto túto už veľmi vo za zo že",
    ),
    language(
        "ąćęłńóśźż",
        "",
        "aby ale bez być czy dla do ich jak jako jest jego już lub ma można na nie od oraz plik \
         pliku po pod przez przy się są ta tak te tego ten to tylko tym za ze że",
    ),
    language(
        "áéíóöőúüű",
        "",
        "az csak egy el és ez fájl ha hogy is kell ki lehet meg már mint nem nincs vagy van",
    ),
];

/// French, Italian, Spanish, Portuguese, Catalan, German, Dutch, Swedish, Finnish, Danish and Norwegian,
/// Icelandic, Estonian, Turkish, Lithuanian, Latvian.
const OTHERS: &[Language] = &[
    language(
        "àâæçèéêëîïôœûüÿ",
        "ù",
        "a à au aux avec ce cette d dans de des du elle en est et être il l la le les mais n ne on ou où par \
         pas plus pour que qui s sans se si son sont sur un une vous",
    ),
    language(
        "éî",
        "àèìòóù",
        "a al alla anche che con da dal dei del della di e è gli i il in l la le lo ma nel non o per più \
         possibile se si sono su un una",
    ),
    language(
        "áéíñóúü",
        "",
        "a al como con de del el en es esta este la las lo los más no o para por que se sin su un una y",
    ),
    language(
        "àáâãçéêíóôõúü",
        "",
        "a ao as com como da das de do dos e é em está foi mais não na no nos o os ou para pela pelo por que \
         se ser um uma",
    ),
    language(
        "àçèéíïòóúü",
        "",
        "a al amb als com d de del dels el els en és és estat ha i l la les no o per pot que s se un una",
    ),
    language(
        "äöüßé",
        "",
        "als am an auf aus bei bis das dem den der des die ein eine er es für ich im in ist kann mit nach nicht \
         nur oder sie sind so und von vor wenn werden wird zu zum zur",
    ),
    language(
        "éèëïöü",
        "",
        "aan als bij dat de deze die dit een en er geen het in is kan met naar niet of om onder op te uit van \
         voor wordt zijn",
    ),
    language(
        "åäöé",
        "",
        "alla att av de den det du ej eller en ett från för har i inte kan med och om på som så till under \
         vid är",
    ),
    language("äöå", "", "ei ja jos kun ole on oli se tai voi"),
    language(
        "æøåé",
        "",
        "af at den der det du eller en er et for fra har i ikke kan med når og om på som så til under å",
    ),
    language(
        "áðéíóúýþæö",
        "",
        "að af á ég ekki en er í með og sem það þú um",
    ),
    language("äõöüšž", "", "ega ei ja kui on oli see või"),
    language(
        "âçğıîöşûü",
        "",
        "bir bu çok da daha de değil gibi her için ile olan olarak ve veya yok",
    ),
    language(
        "ąčęėįšųūž",
        "",
        "ar bet iš ir į kad kaip ne nėra su tai yra",
    ),
    language(
        "āčēģīķļņšūž",
        "",
        "ar bet ir ka kas lai ne no nav par un uz vai",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, encoding: &'static Encoding, guess: &'static Encoding, expected: Verdict) {
        let (bytes, _, is_lossy) = encoding.encode(text);
        assert!(!is_lossy, "{text}");
        assert_eq!(judge(&bytes, guess), expected, "{text}");
    }

    #[test]
    fn letters_that_no_western_language_has_together_decide() {
        let instead = Verdict::Instead(WINDOWS_1250);
        for text in [
            "Podobnost dokumentů se počítá z úseků",
            "Univerzita má mnoho studentů fakult",
            "Řeka teče přes město Kroměříž",
            "Ľudia hľadajú šťastie v diaľke",
            "Árvíztűrő tükörfúrógép a kertben",
        ] {
            check(text, WINDOWS_1250, WINDOWS_1252, instead);
        }
        let text = "Příliš žluťoučký kůň";
        check(text, ISO_8859_2, WINDOWS_1252, Verdict::Instead(ISO_8859_2));
    }

    #[test]
    fn common_words_decide_where_letters_do_not() {
        let instead = Verdict::Instead(WINDOWS_1250);
        check(
            "Byl to velmi dobrý den",
            WINDOWS_1250,
            WINDOWS_1254,
            instead,
        );
        let perhaps = Verdict::Perhaps(WINDOWS_1250);
        let text = "Pro tuto rodinu protokolů nelze";
        check(text, WINDOWS_1250, WINDOWS_1252, instead);
        check("Dobrý den", WINDOWS_1250, WINDOWS_1254, perhaps);
        check("Dobrý", WINDOWS_1250, WINDOWS_1254, perhaps);
        // Of two readings of Central Europe, too.
        let text = "Są obowiązkowe dla długich opcji";
        check(text, WINDOWS_1250, ISO_8859_2, instead);
        check("voľba", WINDOWS_1250, ISO_8859_2, perhaps);
    }

    #[test]
    fn other_languages_are_left_alone() {
        for text in [
            "Les élèves étudient à l'école",
            "Où êtes vous allé hier",
            "La virtù è più che la gioventù",
            "El niño comió en la montaña",
            "A ação não é válida amanhã",
            "La història és més llarga",
            "Größe und Höhe müssen übereinstimmen",
            "Vi åker till Göteborg på lördag",
            "Det er ikke så lett å gjøre",
            "Ég á bók þar sem ég bý",
        ] {
            check(text, WINDOWS_1252, WINDOWS_1252, Verdict::Keep);
        }
        check(
            "Öğrenciler okula gidiyor şimdi",
            WINDOWS_1254,
            WINDOWS_1254,
            Verdict::Keep,
        );
        check("Kız kapıyı açtı", WINDOWS_1254, WINDOWS_1254, Verdict::Keep);
        // What reads the same in both encodings leaves nothing to decide.
        check("Má málo", WINDOWS_1250, WINDOWS_1252, Verdict::Keep);
    }
}
