//! Stems of Slovak words, which Snowball does not have.
//!
//! An ending of a table is cut off, and what differs between the forms of one word is made equal: the
//! length of vowels (`kniha`, `kníh`), the vowel that comes and goes (`matka`, `matiek`), and `c` for
//! `k` (`žiak`, `žiaci`). A stem is for comparing; it need not be a word.

/// The stem of a word in lower case.
pub(super) fn stem(word: &str) -> String {
    let mut stem: Vec<char> = Vec::with_capacity(word.len());
    for letter in without_ending(word).chars().map(plain) {
        // The diphthongs are the long forms of these vowels.
        if matches!(letter, 'a' | 'e' | 'u') && stem.last() == Some(&'i') {
            stem.pop();
        }
        stem.push(letter);
    }
    if let [.., before, 'e' | 'o', last] = stem[..]
        && stem.len() >= 4
        && "cklmnrv".contains(last)
        && !is_vowel(before)
    {
        stem.remove(stem.len() - 2);
    }
    if stem.len() >= LEAST
        && let Some(last @ 'c') = stem.last_mut()
    {
        *last = 'k';
    }
    stem.into_iter().collect()
}

/// A stem has at least so many letters, and one that makes a syllable.
const LEAST: usize = 3;

/// The word without the longest of its endings that leaves enough of it.
fn without_ending(word: &str) -> &str {
    let kept = WHOLE.iter().find(|whole| word.starts_with(**whole));
    let least = kept.map_or(0, |whole| whole.len());
    let stems = ENDINGS
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    let stems = stems.filter(|stem| {
        let has_syllable = stem
            .chars()
            .any(|letter| is_vowel(plain(letter)) || matches!(plain(letter), 'r' | 'l'));
        stem.len() >= least && stem.chars().count() >= LEAST && has_syllable
    });
    stems.min_by_key(|stem| stem.len()).unwrap_or(word)
}

/// A letter without the marks of length and softness that come and go with endings.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'ä' => 'a',
        'é' | 'ě' => 'e',
        'í' => 'i',
        'ó' | 'ô' => 'o',
        'ú' => 'u',
        'ý' => 'y',
        'ĺ' | 'ľ' => 'l',
        'ŕ' => 'r',
        'ď' => 'd',
        'ť' => 't',
        'ň' => 'n',
        other => other,
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// Words whose end looks like an ending.
const WHOLE: [&str; 2] = ["systém", "problém"];

/// Endings of nouns, of adjectives with their comparatives, and of regular verbs.
const ENDINGS: [&str; 154] = [
    // nouns
    "a",
    "e",
    "i",
    "o",
    "u",
    "y",
    "á",
    "é",
    "í",
    "ú",
    "ý",
    "ä",
    "ia",
    "ie",
    "iu",
    "ii",
    "ou",
    "ov",
    "om",
    "ám",
    "am",
    "em",
    "im",
    "ím",
    "mi",
    "ami",
    "iami",
    "ach",
    "ách",
    "iach",
    "iam",
    "och",
    "ovi",
    "ovia",
    // adjectives
    "ej",
    "ym",
    "ým",
    "eho",
    "ého",
    "ieho",
    "emu",
    "ému",
    "iemu",
    "ich",
    "ích",
    "ych",
    "ých",
    "imi",
    "ími",
    "ymi",
    "ými",
    "ový",
    "ová",
    "ové",
    "oví",
    "ovú",
    "ovej",
    "ovou",
    "ovom",
    "ového",
    "ovému",
    "ovým",
    "ových",
    "ovými",
    "ejší",
    "ejšia",
    "ejšie",
    "ejšiu",
    "ejšej",
    "ejšou",
    "ejšom",
    "ejšieho",
    "ejšiemu",
    "ejších",
    "ejším",
    "ejšími",
    // verbs, and nouns and adjectives that are made of them
    "ať",
    "iť",
    "ieť",
    "úť",
    "yť",
    "al",
    "ala",
    "alo",
    "ali",
    "il",
    "ila",
    "ilo",
    "ili",
    "el",
    "ela",
    "elo",
    "eli",
    "yl",
    "yla",
    "ylo",
    "yli",
    "áš",
    "íš",
    "eš",
    "áme",
    "íme",
    "eme",
    "áte",
    "íte",
    "ete",
    "ajú",
    "ejú",
    "ajúci",
    "ajúca",
    "ajúce",
    "ajúcich",
    "ajúceho",
    "ejúci",
    "ovať",
    "oval",
    "ovala",
    "ovalo",
    "ovali",
    "uje",
    "ujem",
    "uješ",
    "ujeme",
    "ujete",
    "ujú",
    "ujúci",
    "ujúca",
    "ujúce",
    "ujúcu",
    "ujúcej",
    "ujúcou",
    "ujúcim",
    "ujúcich",
    "ujúcimi",
    "ujúceho",
    "ujúcemu",
    "ovaný",
    "ovaná",
    "ované",
    "ovanie",
    "ovania",
    "ovaniu",
    "ovaní",
    "ovaním",
    "ovaniam",
    "ovaniach",
    "ovaniami",
    "ovaného",
    "ovanej",
    "ovaných",
    "ovaným",
    "ovanými",
    "ovateľ",
    "ovateľov",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Forms of one word each.
    const FORMS: &str = "
        chlap chlapa chlapovi chlapom chlapi chlapov chlapoch chlapmi
        žena ženy žene ženu ženou žien ženám ženách ženami
        mesto mesta mestu meste mestom mestá miest mestám mestách mestami
        ulica ulice ulici ulicu ulicou ulíc uliciam uliciach ulicami
        žiak žiaka žiakovi žiaci žiakov žiakom žiakoch žiakmi
        kniha knihy knihe knihu knihou kníh knihám knihách knihami
        stroj stroja stroju stroje strojom strojov strojoch strojmi
        kosť kosti kosťou kostí kostiam kostiach kosťami
        matka matky matke matku matkou matiek matkám matkách matkami
        chlapec chlapca chlapcovi chlapci chlapcov chlapcom chlapcami
        okno okna oknu okne oknom okná okien oknám oknách oknami
        dielo diela dielu diele dielom diel dielam dielach dielami
        vysvedčenie vysvedčenia vysvedčeniu vysvedčením vysvedčení vysvedčeniam
        študent študenta študentovi študenti študentov študentom študentoch študentmi
        systém systému systémom systémy systémov systémoch systémami
        problém problému problémom problémy problémov problémoch
        pekný pekná pekné pekného peknému peknej peknou peknom peknú pekní pekných peknými
        cudzí cudzia cudzie cudzieho cudziemu cudzej cudzou cudzích cudzím cudzími
        domáci domáceho domácemu domácich domácim domácimi
        pracovať pracuje pracujem pracuješ pracujeme pracujú pracoval pracovala pracovali
        robiť robí robím robíš robíme robíte robia robil robila robili robilo
        volať volá volám voláš voláme volajú volal volala volali";

    #[test]
    fn forms_of_a_word_have_one_stem_and_other_words_have_others() {
        let mut stems = Vec::new();
        for line in FORMS.lines().filter(|line| !line.trim().is_empty()) {
            let mut forms: Vec<String> = line.split_whitespace().map(stem).collect();
            forms.dedup();
            assert_eq!(forms.len(), 1, "{line}: {forms:?}");
            stems.extend(forms);
        }
        let count = stems.len();
        stems.sort();
        stems.dedup();
        assert_eq!(stems.len(), count);
    }

    #[test]
    fn short_words_and_foreign_ones_stay_words() {
        for word in ["ja", "my", "rok", "vlk", "strč", "123", "a", ""] {
            assert!(!stem(word).is_empty() || word.is_empty(), "{word}");
            assert!(
                stem(word).chars().count() + 1 >= word.chars().count(),
                "{word}"
            );
        }
        assert_eq!(stem("vlci"), stem("vlk"));
        assert_eq!(stem("東京"), "東京");
    }
}
