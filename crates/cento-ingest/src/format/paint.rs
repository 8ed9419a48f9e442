//! Colours, as far as they tell whether a text can be seen.

/// What something is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// What the program takes that shows it: always something that can be seen.
    Automatic,
    /// Nothing: what is behind it can be seen.
    Clear,
    Colour([u8; 3]),
    /// A picture, a pattern, or what cannot be told.
    Unknown,
}

impl Paint {
    pub(super) const WHITE: Paint = Paint::Colour([255; 3]);

    /// A colour in six hexadecimal digits.
    pub(super) fn hexadecimal(digits: &str) -> Paint {
        let number = u32::from_str_radix(digits, 16).ok();
        match number.filter(|_| digits.len() == 6) {
            Some(number) => {
                let [_, red, green, blue] = number.to_be_bytes();
                Paint::Colour([red, green, blue])
            }
            None => Paint::Unknown,
        }
    }

    /// A colour by its name or number in CSS.
    pub(super) fn css(value: &str) -> Paint {
        let value = value.trim().to_ascii_lowercase();
        if let Some(digits) = value.strip_prefix('#') {
            return match digits.len() {
                3 | 4 => numbered(&digits.chars().flat_map(|c| [c, c]).collect::<String>()),
                _ => numbered(digits),
            };
        }
        if let Some(parts) = value.strip_prefix("rgb") {
            return from_parts(parts.trim_start_matches('a'));
        }
        if let Some(parts) = value.strip_prefix("hsl") {
            return from_hue(parts.trim_start_matches('a'));
        }
        match value.as_str() {
            "transparent" => Paint::Clear,
            "auto" | "initial" => Paint::Automatic,
            name => by_name(name),
        }
    }

    /// Whether text of this colour cannot be seen on a background.
    pub(super) fn is_lost_on(self, background: Paint) -> bool {
        match (self, background) {
            (Paint::Clear, _) => true,
            (Paint::Colour(text), Paint::Colour(background)) => {
                let channels = text.into_iter().zip(background);
                channels.into_iter().all(|(a, b)| a.abs_diff(b) <= HARDLY)
            }
            _ => false,
        }
    }
}

/// Colours that differ by no more than this in red, green and blue look the same.
const HARDLY: u8 = 8;

/// Six hexadecimal digits, or eight of which the last two say how opaque it is.
fn numbered(digits: &str) -> Paint {
    match digits.split_at_checked(6) {
        Some((_, "00")) => Paint::Clear,
        Some((colour, "" | "ff")) => Paint::hexadecimal(colour),
        _ => Paint::Unknown,
    }
}

/// Numbers between brackets; of a percentage, its part of `whole`.
fn numbers(parts: &str, whole: f32) -> Vec<Option<f32>> {
    let parts = parts.trim_start_matches('(').trim_end_matches(')');
    let number = |part: &str| match part.strip_suffix('%') {
        Some(percent) => Some(percent.parse::<f32>().ok()? * whole / 100.0),
        None => part.trim_end_matches("deg").parse().ok(),
    };
    parts
        .split([',', '/', ' '])
        .filter(|part| !part.is_empty())
        .map(number)
        .collect()
}

/// A colour by its hue, saturation and lightness, as far as it is white, black or grey.
fn from_hue(parts: &str) -> Paint {
    match numbers(parts, 1.0).as_slice() {
        [_, _, _, Some(opacity)] if *opacity <= 0.0 => Paint::Clear,
        [_, Some(saturation), Some(lightness), rest @ ..]
            if rest.iter().all(|opacity| *opacity == Some(1.0)) =>
        {
            let is_grey = *saturation <= 0.0 || *lightness <= 0.0 || *lightness >= 1.0;
            let grey = (lightness * 255.0).round();
            if is_grey {
                from_parts(&format!("({grey},{grey},{grey})"))
            } else {
                Paint::Unknown
            }
        }
        _ => Paint::Unknown,
    }
}

/// `(255, 255, 255)`, with how opaque it is behind that.
fn from_parts(parts: &str) -> Paint {
    let numbers = numbers(parts, 255.0);
    let channel = |value: f32| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 255"
        )]
        let channel = value.clamp(0.0, 255.0) as u8;
        channel
    };
    match numbers.as_slice() {
        [_, _, _, Some(opacity)] if *opacity <= 0.0 => Paint::Clear,
        [Some(red), Some(green), Some(blue), rest @ ..]
            if rest.iter().all(|opacity| *opacity == Some(1.0)) =>
        {
            Paint::Colour([*red, *green, *blue].map(channel))
        }
        _ => Paint::Unknown,
    }
}

fn by_name(name: &str) -> Paint {
    Paint::Colour(match name {
        "white" => [255, 255, 255],
        "snow" => [255, 250, 250],
        "ghostwhite" => [248, 248, 255],
        "whitesmoke" => [245, 245, 245],
        "ivory" => [255, 255, 240],
        "floralwhite" => [255, 250, 240],
        "mintcream" => [245, 255, 250],
        "azure" => [240, 255, 255],
        "aliceblue" => [240, 248, 255],
        "seashell" => [255, 245, 238],
        "black" => [0, 0, 0],
        "red" => [255, 0, 0],
        "lime" => [0, 255, 0],
        "blue" => [0, 0, 255],
        "yellow" => [255, 255, 0],
        "cyan" | "aqua" => [0, 255, 255],
        "magenta" | "fuchsia" => [255, 0, 255],
        "green" | "darkgreen" => [0, 128, 0],
        "navy" | "darkblue" => [0, 0, 128],
        "teal" | "darkcyan" => [0, 128, 128],
        "maroon" | "darkred" => [128, 0, 0],
        "purple" | "darkmagenta" => [128, 0, 128],
        "olive" | "darkyellow" => [128, 128, 0],
        "gray" | "grey" | "darkgray" => [128, 128, 128],
        "silver" | "lightgray" => [192, 192, 192],
        _ => return Paint::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_that_hide_text() {
        let lost =
            |text: &str, background: &str| Paint::css(text).is_lost_on(Paint::css(background));
        assert!(lost("#fff", "white") && lost("#FEFEFE", "rgb(255, 255, 255)"));
        assert!(lost("#ffff", "ghostwhite") && lost("#12345600", "red"));
        assert!(lost("hsl(120deg, 50%, 100%)", "white") && lost("rgb(100%, 100%, 100%)", "white"));
        assert!(!lost("#ffffff80", "white") && !lost("hsl(0, 50%, 50%)", "white"));
        assert!(!lost("rgba(255, 255, 255, 50%)", "white"));
        assert!(
            lost("black", "#000000") && lost("rgba(0,0,0,0)", "red") && lost("transparent", "x")
        );
        assert!(!lost("#eeeeee", "white") && !lost("white", "black") && !lost("white", "url(x)"));
        assert!(
            !lost("auto", "white")
                && !lost("papayawhip", "white")
                && !lost("rgba(0,0,0,.5)", "black")
        );
    }
}
