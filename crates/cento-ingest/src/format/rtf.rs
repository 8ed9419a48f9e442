//! Rich text (RTF): a stack of groups, control words that matter, and code pages.
//!
//! Footnotes, headers, footers and text boxes are text. Deleted revisions, annotations, the
//! instructions of fields and the numbers of lists are not.

mod charset;

use std::collections::BTreeMap;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use self::charset::{by_code_page, by_font};
use super::draft::Draft;
use crate::{Concealment, Error};

pub(super) fn read(bytes: &[u8], draft: &mut Draft) -> Result<(), Error> {
    let mut reader = Reader {
        rest: bytes,
        draft,
        group: Group::default(),
        outer: Vec::new(),
        default: WINDOWS_1252,
        fonts: BTreeMap::new(),
        font: None,
        pending: Vec::new(),
        surrogate: None,
        to_skip: 0,
        is_starred: false,
    };
    reader.run()?;
    let open = reader.outer.len();
    if open > 0 {
        draft.warn("rich text that ends too early, read up to that point");
    }
    Ok(())
}

/// No program nests groups deeper than this.
const DEEPEST: usize = 10_000;

struct Reader<'a> {
    rest: &'a [u8],
    draft: &'a mut Draft,
    group: Group,
    outer: Vec<Group>,
    default: &'static Encoding,
    fonts: BTreeMap<i32, &'static Encoding>,
    /// The font that the font table is describing.
    font: Option<i32>,
    /// Bytes of text in the encoding of the group.
    pending: Vec<u8>,
    /// The first half of a character beyond 16 bits.
    surrogate: Option<u16>,
    /// Characters that stand in for the Unicode one before them.
    to_skip: usize,
    /// After `\*`: a destination that may be ignored.
    is_starred: bool,
}

/// What holds until the end of a group.
#[derive(Clone, Copy)]
struct Group {
    target: Target,
    encoding: Option<&'static Encoding>,
    /// How many characters stand in for a Unicode one.
    substitutes: usize,
    is_hidden: bool,
    is_deleted: bool,
    /// The group is an aside of its own.
    is_aside: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Text,
    Fonts,
    Nothing,
}

impl Default for Group {
    fn default() -> Group {
        Group {
            target: Target::Text,
            encoding: None,
            substitutes: 1,
            is_hidden: false,
            is_deleted: false,
            is_aside: false,
        }
    }
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), Error> {
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match byte {
                b'{' => self.open()?,
                b'}' => self.close(),
                b'\\' => self.control(),
                b'\r' | b'\n' | 0 => {}
                byte => self.byte(byte),
            }
        }
        self.flush();
        Ok(())
    }

    fn open(&mut self) -> Result<(), Error> {
        self.flush();
        self.to_skip = 0;
        if self.outer.len() >= DEEPEST {
            let damage = format!("rich text nested deeper than {DEEPEST} groups");
            return Err(Error::Damaged(damage));
        }
        self.outer.push(self.group);
        self.group.is_aside = false;
        Ok(())
    }

    fn close(&mut self) {
        self.flush();
        self.to_skip = 0;
        self.is_starred = false;
        if self.group.is_aside {
            self.draft.close_aside();
        }
        if let Some(outer) = self.outer.pop() {
            self.group = outer;
        }
    }

    /// A byte of text, or what stands in for a character that is already there.
    fn byte(&mut self, byte: u8) {
        self.is_starred = false;
        if self.to_skip > 0 {
            self.to_skip -= 1;
        } else if self.group.target == Target::Text {
            self.pending.push(byte);
        }
    }

    fn control(&mut self) {
        let Some((&first, rest)) = self.rest.split_first() else {
            return;
        };
        if !first.is_ascii_alphabetic() {
            self.rest = rest;
            self.symbol(first);
            return;
        }
        let length = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let (name, rest) = self.rest.split_at(length);
        let is_number =
            |(at, byte): &(usize, &u8)| byte.is_ascii_digit() || *at == 0 && **byte == b'-';
        let digits = rest.iter().enumerate().take_while(is_number).count();
        let (digits, rest) = rest.split_at(digits);
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let number = std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse().ok());
        let name = std::str::from_utf8(name).unwrap_or_default();
        if name == "bin" {
            let count = number.and_then(|count: i32| usize::try_from(count).ok());
            self.rest = &self.rest[count.unwrap_or(0).min(self.rest.len())..];
        } else {
            self.word(name, number);
        }
    }

    fn symbol(&mut self, symbol: u8) {
        match symbol {
            b'\'' => {
                let hex = self
                    .rest
                    .get(..2)
                    .and_then(|hex| std::str::from_utf8(hex).ok());
                if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                    self.rest = &self.rest[2..];
                    self.byte(byte);
                }
            }
            b'*' => self.is_starred = true,
            b'\\' | b'{' | b'}' => self.byte(symbol),
            b'~' => self.character('\u{a0}'),
            b'_' => self.character('\u{2011}'),
            b'\r' | b'\n' => self.break_paragraph(),
            b'\t' => self.character('\t'),
            // Where a word may be broken; index entries.
            _ => {}
        }
    }

    fn word(&mut self, name: &str, number: Option<i32>) {
        let is_starred = std::mem::take(&mut self.is_starred);
        let is_on = number != Some(0);
        match name {
            "ansi" => self.default = WINDOWS_1252,
            "mac" => self.default = encoding_rs::MACINTOSH,
            "ansicpg" => self.default = number.and_then(by_code_page).unwrap_or(self.default),
            "f" if self.group.target == Target::Fonts => self.font = number,
            "fcharset" if self.group.target == Target::Fonts => {
                if let (Some(font), Some(encoding)) = (self.font, number.and_then(by_font)) {
                    self.fonts.insert(font, encoding);
                }
            }
            "f" => {
                self.flush();
                self.group.encoding = number.and_then(|font| self.fonts.get(&font).copied());
            }
            "uc" => {
                let count = number.and_then(|count| usize::try_from(count).ok());
                self.group.substitutes = count.unwrap_or(1).min(16);
            }
            "u" => self.unicode(number.unwrap_or(0)),
            "plain" => {
                self.flush();
                self.group.encoding = None;
                self.group.is_hidden = false;
                self.group.is_deleted = false;
            }
            "v" => {
                self.flush();
                self.group.is_hidden = is_on;
            }
            "deleted" => {
                self.flush();
                self.group.is_deleted = is_on;
            }
            "fonttbl" => self.group.target = Target::Fonts,
            "footnote" | "header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl"
            | "footerr" | "footerf" | "shptxt" => self.aside(),
            // A shape: what it says is in a group of its own, the rest are measures.
            "shpinst" => {}
            "colortbl" | "stylesheet" | "info" | "pict" | "nonshppict" | "objdata" | "listtext"
            | "pntext" | "pn" | "xe" | "tc" | "sp" | "rxe" | "bkmkstart" | "bkmkend"
            | "fldinst" | "annotation" | "filetbl" | "private" => self.ignore(),
            _ if is_starred => self.ignore(),
            _ => self.text_word(name),
        }
    }

    /// Control words that stand for text.
    fn text_word(&mut self, name: &str) {
        match name {
            "par" | "sect" | "page" | "column" => self.break_paragraph(),
            "line" | "row" | "nestrow" => self.character('\n'),
            "tab" | "cell" | "nestcell" => self.character('\t'),
            "emdash" => self.character('—'),
            "endash" => self.character('–'),
            "lquote" => self.character('‘'),
            "rquote" => self.character('’'),
            "ldblquote" => self.character('“'),
            "rdblquote" => self.character('”'),
            "bullet" => self.character('•'),
            "emspace" | "enspace" | "qmspace" => self.character(' '),
            _ => {}
        }
    }

    fn unicode(&mut self, number: i32) {
        self.flush();
        self.to_skip = self.group.substitutes;
        // Written as signed 16-bit numbers; some programs write larger ones as they are.
        let Ok(unit) = u16::try_from(number & 0xffff) else {
            return;
        };
        let high = self.surrogate.take();
        if number > 0xffff {
            let code = u32::try_from(number).ok().and_then(char::from_u32);
            self.show(code.unwrap_or(char::REPLACEMENT_CHARACTER));
        } else if (0xd800..0xdc00).contains(&unit) {
            self.surrogate = Some(unit);
        } else {
            let units = high.into_iter().chain([unit]);
            for character in char::decode_utf16(units) {
                self.show(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    /// A character that a control word stands for.
    fn character(&mut self, character: char) {
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return;
        }
        self.flush();
        self.show(character);
    }

    fn show(&mut self, character: char) {
        self.write(character.encode_utf8(&mut [0; 4]));
    }

    fn break_paragraph(&mut self) {
        self.flush();
        if self.group.target == Target::Text {
            self.draft.paragraph();
        }
    }

    fn aside(&mut self) {
        self.flush();
        if self.group.target == Target::Text && !self.group.is_aside {
            self.group.is_aside = true;
            self.draft.open_aside();
        }
    }

    fn ignore(&mut self) {
        self.flush();
        self.group.target = Target::Nothing;
    }

    /// Decodes the bytes that have gathered; characters of two bytes are whole here.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        let encoding = match self.group.encoding {
            // Programs of today write UTF-8 where they should not.
            None if std::str::from_utf8(&bytes).is_ok() => UTF_8,
            None => self.default,
            Some(encoding) => encoding,
        };
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        if self.group.target != Target::Text || self.group.is_deleted {
            return;
        }
        if self.group.is_hidden {
            self.draft.conceal(Concealment::Hidden, text);
        } else {
            self.draft.push(text);
        }
    }
}
