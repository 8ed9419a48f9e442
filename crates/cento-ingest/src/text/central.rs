//! Short texts of Central Europe in windows-1250 or ISO-8859-2.
//!
//! A few words have too few letters for a guess by frequencies, so here the letters must fit together: a
//! text is Czech, Slovak, Polish or Hungarian if all of its words can be spelled with the letters of that
//! language, and it is nothing else if no other language has all of those that its guess would need. Where
//! both are possible, common words decide, and where these are too few, a person.

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

/// What the letters of a text say about the guess of its encoding.
pub(super) fn judge(bytes: &[u8], guess: &'static Encoding) -> Verdict {
    let is_western = [WINDOWS_1252, WINDOWS_1254, WINDOWS_1257].contains(&guess);
    if !is_western || bytes.len() > LONGEST {
        return Verdict::Keep;
    }
    let guessed = words(bytes, guess);
    let read = |encoding: &'static Encoding| Some((encoding, words(bytes, encoding)?));
    let found = [WINDOWS_1250, ISO_8859_2]
        .into_iter()
        .filter_map(read)
        .find(|(_, words)| fits_any(words, CENTRAL));
    let Some((encoding, words)) = found.filter(|(_, words)| Some(words) != guessed.as_ref()) else {
        return Verdict::Keep;
    };
    if !guessed.is_some_and(|words| fits_any(&words, OTHERS)) {
        return Verdict::Instead(encoding);
    }
    let common = COMMON.split_whitespace();
    match common
        .filter(|word| words.iter().any(|one| one == word))
        .count()
    {
        0 => Verdict::Keep,
        1 => Verdict::Perhaps(encoding),
        _ => Verdict::Instead(encoding),
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

/// A language's letters beyond a to z: those that stand anywhere, and those at the ends of words only.
struct Letters {
    anywhere: &'static str,
    at_end: &'static str,
}

fn fits_any(words: &[String], languages: &[Letters]) -> bool {
    languages.iter().any(|language| {
        words.iter().all(|word| {
            let last = word.chars().count().saturating_sub(1);
            word.chars().enumerate().all(|(place, letter)| {
                letter.is_ascii()
                    || language.anywhere.contains(letter)
                    || place == last && language.at_end.contains(letter)
            })
        })
    })
}

const fn letters(anywhere: &'static str) -> Letters {
    Letters {
        anywhere,
        at_end: "",
    }
}

/// Czech, Slovak, Polish, Hungarian.
const CENTRAL: &[Letters] = &[
    letters("áčďéěíňóřšťúůýž"),
    letters("áäčďéíĺľňóôŕšťúýž"),
    letters("ąćęłńóśźż"),
    letters("áéíóöőúüű"),
];

/// French, Italian, Spanish, Portuguese, Catalan, German, Dutch, Swedish and Finnish, Danish and
/// Norwegian, Icelandic, Estonian, Turkish, Lithuanian, Latvian.
const OTHERS: &[Letters] = &[
    Letters {
        anywhere: "àâæçèéêëîïôœûüÿ",
        at_end: "ù",
    },
    Letters {
        anywhere: "éî",
        at_end: "àèìòóù",
    },
    letters("áéíñóúü"),
    letters("àáâãçéêíóôõúü"),
    letters("àçèéíïòóúü"),
    letters("äöüßé"),
    letters("áéèêëïóöü"),
    letters("åäöé"),
    letters("æøåé"),
    letters("áðéíóúýþæö"),
    letters("äõöüšž"),
    letters("âçğıîöşûü"),
    letters("ąčęėįšųūž"),
    letters("āčēģīķļņšūž"),
];

/// Words without marks that are common in Czech, Slovak, Polish or Hungarian and in none of the others.
const COMMON: &str = "
    aby ale alebo ako byl byla bylo byli bude budou budeme den dnes jak jako jen jeho jejich jsem jsme
    jsou kde kdo kdy ktor mezi mnoho nad nebo ani pak podle pod pokud pouze proto roku sa sem som sme
    tak tato ten tento toto tyto velmi vlak vzdy
    bez jest jego jej przez tylko tego czy oraz
    hogy nem mint vagy csak minden
";

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
        check("Dobrý den", WINDOWS_1250, WINDOWS_1254, perhaps);
        check("Dobrý", WINDOWS_1250, WINDOWS_1254, Verdict::Keep);
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
            "Naïve café",
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
        check("Má málo času", WINDOWS_1250, WINDOWS_1252, Verdict::Keep);
    }
}
