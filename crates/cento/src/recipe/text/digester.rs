//! The digester stage.

use std::fmt;

use super::{ParseError, Stage, head};
use crate::digest::{Digester, Hash, Joiner, Print};

const DIGESTER: Stage = Stage("digester");

pub(super) fn parse(text: &str) -> Result<Digester, ParseError> {
    let mut parts = text.split('+').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let (name, args) = head(first);
    let (hash, most) = match name {
        "md5" => (Hash::Md5, 128),
        "shiftxor" => (Hash::ShiftXor, 32),
        "fast" => (Hash::Fast, 64),
        "keyed" => (Hash::Keyed, 64),
        _ => return Err(DIGESTER.unknown("", name, "md5, shiftxor, fast, keyed")),
    };
    let args = DIGESTER.args(first, args)?;
    let bits: Option<u32> = match args.strip_suffix("hex") {
        Some(digits) => digits
            .parse::<u32>()
            .ok()
            .and_then(|digits| digits.checked_mul(4)),
        None => args.parse().ok(),
    };
    let bits = bits
        .and_then(|bits| u8::try_from(bits).ok())
        .filter(|bits| (8..=most).contains(bits))
        .ok_or_else(|| {
            DIGESTER.error(
                first,
                format!("takes from 8 to {most} bits, as in {name}:{most}"),
            )
        })?;
    let mut digester = Digester {
        hash,
        bits,
        sorted: false,
        joiner: Joiner::Space,
        print: Print::Hex,
    };
    let reads_text = matches!(hash, Hash::Md5 | Hash::ShiftXor);
    for option in parts {
        match option {
            "sorted" => digester.sorted = true,
            "comma" if reads_text => digester.joiner = Joiner::Comma,
            "concat" if reads_text => digester.joiner = Joiner::Nothing,
            "base64" => digester.print = Print::Base64,
            _ if reads_text => {
                return Err(DIGESTER.unknown("option", option, "sorted, comma, concat, base64"));
            }
            _ => return Err(DIGESTER.unknown("option", option, "sorted, base64")),
        }
    }
    Ok(digester)
}

impl fmt::Display for Digester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.hash {
            Hash::Md5 => "md5",
            Hash::ShiftXor => "shiftxor",
            Hash::Fast => "fast",
            Hash::Keyed => "keyed",
        };
        write!(f, "{name}:{}", self.bits)?;
        if self.sorted {
            f.write_str("+sorted")?;
        }
        match self.joiner {
            Joiner::Space => {}
            Joiner::Comma => f.write_str("+comma")?,
            Joiner::Nothing => f.write_str("+concat")?,
        }
        match self.print {
            Print::Hex => Ok(()),
            Print::Base64 => f.write_str("+base64"),
        }
    }
}
