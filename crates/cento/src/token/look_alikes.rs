//! What looks like a letter: the tables of the canonical form of letters.

/// What the letters, digits and signs of ASCII are read as, where it is not themselves.
///
/// I, l and 1 cannot be told apart in many typefaces, nor m and rn, nor w and vv; a letter is not
/// repeated, so a w is a v.
pub(super) const ASCII: [(char, &str); 15] = [
    ('l', "i"),
    ('m', "rn"),
    ('w', "v"),
    ('0', "o"),
    ('1', "i"),
    ('2', "z"),
    ('3', "e"),
    ('4', "a"),
    ('5', "s"),
    ('6', "g"),
    ('7', "t"),
    ('8', "b"),
    ('9', "g"),
    ('@', "a"),
    ('$', "s"),
];

/// Letters drawn with several signs, the longer drawings first.
pub(super) const DRAWN: [(&str, char); 33] = [
    ("|\\/|", 'm'),
    ("/\\/\\", 'm'),
    ("(\\/)", 'm'),
    ("[\\/]", 'm'),
    ("\\/\\/", 'w'),
    ("|\\|", 'n'),
    ("/\\/", 'n'),
    ("|-|", 'h'),
    ("]-[", 'h'),
    (")-(", 'h'),
    ("}{", 'h'),
    ("|_|", 'u'),
    ("(_)", 'u'),
    ("\\_/", 'u'),
    ("/-\\", 'a'),
    ("'/", 'y'),
    ("`/", 'y'),
    ("|<", 'k'),
    ("|{", 'k'),
    ("|)", 'd'),
    ("|]", 'd'),
    ("|>", 'p'),
    ("|*", 'p'),
    ("|\"", 'p'),
    ("|3", 'b'),
    ("|=", 'f'),
    ("|_", 'l'),
    ("/\\", 'a'),
    ("\\/", 'v'),
    ("><", 'x'),
    ("()", 'o'),
    ("[]", 'o'),
    ("<>", 'o'),
];

/// Characters beyond ASCII by the letter that they look like, where Unicode's table of confusable
/// characters lacks them or knows them in one case only. Accents need no row: they are taken off.
pub(super) const LATIN: [(&str, &str); 29] = [
    ("a", "ΑАαаᴀɑɐªȺⱥ"),
    ("b", "ΒВβвЬьБʙƀƃɓЪъ"),
    ("c", "СсϲϹᴄ¢©ƈɕȼ"),
    ("d", "ԁԀᴅđĐðÐɖɗ"),
    ("e", "ΕЕεеєЄэЭᴇ€ɛǝəɘ℮ɇ"),
    ("f", "ꜰƒϜϝ"),
    ("g", "ɢɡԌԍǥɠ"),
    ("h", "ΗНнһҺʜħĦհɦ"),
    ("i", "ΙІіιɪıӀӏ¡ɨ"),
    ("j", "ЈјᴊϳɈɉ"),
    ("k", "ΚКкκᴋƙĸ"),
    ("l", "ʟłŁƚɭ£"),
    ("m", "ΜМмᴍ₥ɱ"),
    ("n", "ΝηɴпПŋŊɲƞиИ"),
    ("o", "ΟОοоσØøɵӨөΘθᴏ¤"),
    ("p", "ΡРρрᴘþÞ"),
    ("q", "ԛԚʠɋ"),
    ("r", "гʀ®ɍɼяЯ"),
    ("s", "ЅѕꜱʂßẞƧƨ§"),
    ("t", "ΤТтτᴛ†ŧŦƭ"),
    ("u", "υμµᴜʉцЦ"),
    ("v", "νᴠѵѴʋ"),
    ("w", "ωшШщЩԝԜᴡɯ₩"),
    ("x", "ΧХχх×ҳҲ"),
    ("y", "ΥУуүҮγʏ¥ɏ"),
    ("z", "ΖζᴢƶʐȥȤ"),
    ("ae", "æÆ"),
    ("oe", "œŒ"),
    ("3", "ЗзʒƷӠӡ"),
];

/// Rows of enclosed letters and digits that Unicode does not decompose: the first, and all of them.
pub(super) const RANGES: [(char, &str); 10] = [
    ('\u{1f150}', "abcdefghijklmnopqrstuvwxyz"),
    ('\u{1f170}', "abcdefghijklmnopqrstuvwxyz"),
    ('\u{1f1e6}', "abcdefghijklmnopqrstuvwxyz"),
    ('\u{2776}', "123456789"),
    ('\u{2780}', "123456789"),
    ('\u{278a}', "123456789"),
    ('\u{24f5}', "123456789"),
    ('\u{24ff}', "0"),
    ('\u{1f10b}', "0"),
    ('\u{1f10c}', "0"),
];

/// Letters that show nothing.
pub(super) const FILLERS: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];
