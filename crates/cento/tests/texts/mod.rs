//! Texts and recipes for property tests.

use proptest::prelude::*;

/// `w0`, `w1`, …: words that are all different.
pub(crate) fn numbered_words(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("w{number}")).collect()
}

/// Text of all kinds in pieces: long and short words, punctuation, marks, invisible characters,
/// scripts with and without spaces, and anything else that Unicode has.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-zA-Z0-9]{1,12}",
        8 => "[ ]",
        2 => "[.,;:!?'\"()\\-\n\t]{1,3}",
        1 => "[a-z]{60,80}",
        1 => "\n\n",
        1 => "[àéîõüčřžßŒÅ]{1,4}",
        1 => "[\u{300}\u{301}\u{30c}\u{323}]",
        1 => "[\u{ad}\u{200b}\u{200d}\u{2060}\u{feff}\u{fe0f}]",
        1 => "[а-яА-Я]{1,5}",
        1 => "[αβγδεστΣς]{1,4}",
        1 => "[漢字仮名交文ひらがなカター]{1,4}",
        1 => "[กขคงจ\u{e31}\u{e34}\u{e48}เแ]{1,6}",
        1 => "[हिन्दी]{1,4}",
        1 => "[ﬁﬂＡｂ１½²ﷺ]{1,2}",
        1 => "[\u{1f600}\u{1f468}\u{200d}\u{1f469}—’“…。！]",
        1 => "\\PC{1,4}",
    ];
    proptest::collection::vec(piece, 0..160).prop_map(|pieces| pieces.concat())
}

/// The text form of a words tokenizer with any options.
pub(crate) fn words_text() -> impl Strategy<Value = String> {
    "words(\\+raw|\\+ascii)?(\\+fold)?(\\+stop|\\+stop:cs)?(\\+stem|\\+stem:de)?"
}

/// The text form of any digester.
pub(crate) fn digester_text() -> impl Strategy<Value = String> {
    let bits = prop_oneof![8..=64u32, Just(64), Just(40)];
    prop_oneof![
        (
            bits.clone(),
            "(\\+sorted)?(\\+comma|\\+concat)?(\\+base64)?"
        )
            .prop_map(|(bits, options)| format!("md5:{bits}{options}")),
        Just("md5:128+comma+base64".to_owned()),
        (8..=32u32, "(\\+sorted)?").prop_map(|(bits, options)| format!("shiftxor:{bits}{options}")),
        (bits.clone(), "(\\+sorted)?(\\+base64)?")
            .prop_map(|(bits, options)| format!("fast:{bits}{options}")),
        (bits, "(\\+sorted)?").prop_map(|(bits, options)| format!("keyed:{bits}{options}")),
    ]
}

/// The text form of any recipe.
pub(crate) fn recipe_text() -> impl Strategy<Value = String> {
    let tokenizer = prop_oneof![
        4 => words_text(),
        2 => "letters(:[1-4])?(\\+canonical|\\+consonants)?",
        1 => "lowercase(:latin|:cyrillic|:greek|:arabic|:devanagari|:hangul)?|hanzi|kanji|scripts|chars|code",
    ];
    let share = || (1..=100u32).prop_map(|percent| f64::from(percent) / 100.0);
    let chunker = prop_oneof![
        (1..9u32, 1..4u32).prop_map(|(len, step)| format!("window:{len},{step}")),
        "(breakpoint|sentence|bytes):[1-9]",
        "sentence|paragraph|top:[1-6]|top:[1-6],(gb2312|jisx0208|scripts)",
        (1..9u32, share()).prop_map(|(len, accept)| format!("skip:{len},{accept}")),
        (1..50u32, 1..50u32).prop_map(|(add, stop)| {
            format!(
                "skip:any,{},{}",
                f64::from(add) / 100.0,
                f64::from(stop) / 100.0
            )
        }),
        (2..4u32, 1..6u32).prop_map(|(parts, len)| format!("partition:{parts},window:{len}")),
        (2..4u32, 1..6u32, share())
            .prop_map(|(parts, len, accept)| format!("partition:{parts},skip:{len},{accept}")),
        (0..=50u32, 50..=100u32).prop_map(|(low, high)| {
            format!(
                "band:{},{}",
                f64::from(low) / 100.0,
                f64::from(high) / 100.0
            )
        }),
    ];
    let one = chunker.boxed();
    let chunker = prop_oneof![
        6 => one.clone(),
        1 => (one.clone(), one).prop_map(|(first, second)| format!("{first} & {second}")),
    ];
    let selector = prop_oneof![
        4 => "all",
        4 => "(first|random|modulo|smallest|winnow|sample|kth-in-sentence|kth-sentence|kth-in-paragraph|rarest-in-document|rarest-in-collection):[1-9]",
        2 => "modulo:auto|smallest:sqrt|smallest:linear|sqrt|variance:0\\.[1-9]|random:5,[0-9]{1,6}",
        1 => "rarest-prefix:[1-4],[1-9]|anchors|anchors:[a-z]{1,3},[a-z]{1,3}",
    ];
    (
        tokenizer,
        chunker,
        digester_text(),
        selector,
        "( \\| passages:[1-9],[1-9])?",
    )
        .prop_map(|(tokenizer, chunker, digester, selector, passages)| {
            format!("{tokenizer} | {chunker} | {digester} | {selector}{passages}")
        })
}
