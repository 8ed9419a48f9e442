//! Whether the text of a page can be seen: what its elements say, and the simple rules of its style
//! sheets.
//!
//! A rule is understood if it is for a tag, a class or an id. What others may say otherwise, or a
//! style sheet in a file of its own, is not concluded from those that are understood.

use std::borrow::Cow;
use std::collections::HashMap;

use lol_html::html_content::Element;

use crate::Concealment;
use crate::format::paint::Paint;

/// How the text in an element looks.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// An element around it is not displayed, which nothing inside can change.
    is_gone: bool,
    is_invisible: bool,
    room: Room,
    colour: Paint,
    /// What it stands on.
    surface: Paint,
    points: f32,
}

/// How much of an element's text fits into it.
#[derive(Clone, Copy, Default)]
struct Room {
    /// It has no height or no width.
    is_none: bool,
    /// What does not fit is not shown.
    is_cut_off: bool,
}

/// Text of fewer points than this is too small to be read.
const READABLE: f32 = 3.0;
/// Text that is less opaque than this cannot be seen.
const VISIBLE: f32 = 0.05;
/// How large text is where nothing else is said.
const USUAL: f32 = 12.0;

impl Look {
    /// Why text that looks so cannot be seen.
    pub(super) fn concealment(&self) -> Option<Concealment> {
        if self.is_hidden() {
            Some(Concealment::Hidden)
        } else if self.points < READABLE {
            Some(Concealment::Tiny)
        } else if self.colour.is_lost_on(self.surface) {
            Some(Concealment::Background)
        } else {
            None
        }
    }

    /// Whether the page says that it is not to be shown.
    pub(super) fn is_hidden(&self) -> bool {
        self.is_gone || self.is_invisible
    }

    /// The look of an element inside.
    pub(super) fn inside(mut self, element: &Element<'_, '_>, sheet: &Sheet) -> Look {
        let name = element.tag_name();
        let outer = self.points;
        self.room = Room::default();
        for rule in sheet.rules_for(&name, element) {
            self.apply(rule, outer);
        }
        for (attribute, property) in [("bgcolor", "background"), ("background", "background")] {
            if let Some(value) = element.get_attribute(attribute) {
                self.apply_one(property, &value, outer);
            }
        }
        if let Some(colour) = element.get_attribute("color").filter(|_| name == "font") {
            self.apply_one("color", &colour, outer);
        }
        if let Some(colour) = element.get_attribute("text").filter(|_| name == "body") {
            self.apply_one("color", &colour, outer);
        }
        // Browsers know more values of it, which mean that it is to be found.
        let hidden = element.get_attribute("hidden");
        self.is_gone |= hidden.is_some_and(|value| value != "until-found");
        if let Some(style) = element.get_attribute("style") {
            for (property, value) in declarations(&style) {
                self.apply_one(&property, &value, outer);
            }
        }
        self.is_gone |= self.room.is_none && self.room.is_cut_off;
        // A whole page that is not shown is shown by a script.
        if matches!(name.as_str(), "html" | "body") {
            (self.is_gone, self.is_invisible) = (false, false);
        }
        self
    }

    fn apply(&mut self, rule: &Rule, outer: f32) {
        for (property, value) in &rule.declarations {
            self.apply_one(property, value, outer);
        }
    }

    fn apply_one(&mut self, property: &str, value: &str, outer: f32) {
        match property {
            "display" => self.is_gone |= value == "none",
            "visibility" => self.is_invisible = matches!(value, "hidden" | "collapse"),
            "opacity" => {
                let opacity: Option<f32> = value.trim_end_matches('%').parse().ok();
                let whole = if value.ends_with('%') { 100.0 } else { 1.0 };
                self.is_gone |= opacity.is_some_and(|opacity| opacity < whole * VISIBLE);
            }
            "color" => match value {
                "inherit" | "unset" => {}
                value => self.colour = Paint::css(value),
            },
            "background-color" | "background" => match background(value) {
                Paint::Clear | Paint::Automatic => {}
                paint => self.surface = paint,
            },
            "background-image" if value != "none" => self.surface = Paint::Unknown,
            "height" | "width" | "max-height" | "max-width" => {
                self.room.is_none |= length(value).is_some_and(|length| length <= 1.0);
            }
            "overflow" | "overflow-x" | "overflow-y" => {
                self.room.is_cut_off |= matches!(value, "hidden" | "clip");
            }
            "text-indent" | "left" | "right" | "top" | "margin-left" | "margin-top" => {
                self.is_gone |= length(value).is_some_and(|length| length <= OUTSIDE);
            }
            "font-size" => self.points = points(value, outer),
            "font" => {
                if let Some(size) = font_size(value) {
                    self.points = points(size, outer);
                }
            }
            "clip" | "clip-path" => self.is_gone |= is_clipped_away(value),
            "transform" => self.is_gone |= value.replace(' ', "").contains("scale(0)"),
            "zoom" => self.is_gone |= length(value).is_some_and(|factor| factor <= 0.0),
            _ => {}
        }
    }
}

/// The rules of a page that have a say in whether text can be seen.
#[derive(Default)]
pub(super) struct Sheet {
    /// By a tag, a `.class` or an `#id`.
    rules: HashMap<String, Vec<Rule>>,
    /// Properties that rules speak of that are not understood.
    doubtful: Vec<&'static str>,
    is_blind: bool,
}

struct Rule {
    /// Both have to fit, if there are two.
    tag: Option<String>,
    declarations: Vec<(String, String)>,
}

/// The properties that matter.
const PROPERTIES: [&str; 24] = [
    "display",
    "visibility",
    "opacity",
    "color",
    "background-color",
    "background",
    "font-size",
    "font",
    "clip",
    "clip-path",
    "transform",
    "zoom",
    "height",
    "width",
    "max-height",
    "max-width",
    "overflow",
    "overflow-x",
    "overflow-y",
    "text-indent",
    "left",
    "right",
    "top",
    "margin-left",
];

impl Sheet {
    /// The rules in the `style` elements of a page.
    pub(super) fn of(page: &str) -> Sheet {
        let mut sheet = Sheet::default();
        let low = page.to_ascii_lowercase();
        if low.contains("stylesheet") {
            sheet.doubtful.extend(PROPERTIES);
        }
        let mut rest = 0;
        while let Some(start) = low[rest..].find("<style") {
            let start = rest + start;
            let Some(content) = low[start..].find('>').map(|end| start + end + 1) else {
                break;
            };
            let end = low[content..].find("</style").map(|end| content + end);
            let end = end.unwrap_or(low.len());
            sheet.read(&low[content..end]);
            rest = end;
        }
        // Others may show again what these hide.
        for rule in sheet.rules.values_mut().flatten() {
            let is_certain =
                |(property, _): &(String, String)| !sheet.doubtful.contains(&property.as_str());
            rule.declarations.retain(is_certain);
        }
        sheet
    }

    /// Sees everything: for pages of which it cannot be told what they show.
    pub(super) fn blind() -> Sheet {
        Sheet {
            is_blind: true,
            ..Sheet::default()
        }
    }

    /// How the text of a page looks before anything is said about it.
    pub(super) fn start(&self) -> Option<Look> {
        let start = Look {
            is_gone: false,
            is_invisible: false,
            room: Room::default(),
            colour: Paint::Automatic,
            surface: if self.doubtful.contains(&"background") {
                Paint::Unknown
            } else {
                Paint::WHITE
            },
            points: USUAL,
        };
        (!self.is_blind).then_some(start)
    }

    fn read(&mut self, css: &str) {
        let css = without_comments(css);
        let mut rest = css.as_str();
        while let Some((selectors, behind)) = rest.split_once('{') {
            let is_special = selectors.trim_start().starts_with('@');
            let length = if is_special {
                nested(behind)
            } else {
                behind.find('}')
            };
            let (body, after) = behind.split_at(length.unwrap_or(behind.len()));
            rest = after.strip_prefix('}').unwrap_or(after);
            if is_special || selectors.contains('@') {
                self.not_understood(body);
                continue;
            }
            let declared: Vec<(String, String)> = declarations(body)
                .into_iter()
                .filter(|(property, _)| PROPERTIES.contains(&property.as_str()))
                .collect();
            if declared.is_empty() {
                continue;
            }
            for selector in selectors.split(',') {
                self.add(selector.trim(), &declared, body);
            }
        }
    }

    fn add(&mut self, selector: &str, declared: &[(String, String)], body: &str) {
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "-_".contains(c))
        };
        let (tag, key) = match selector.find(['.', '#']) {
            Some(at) if is_name(&selector[at + 1..]) && (at == 0 || is_name(&selector[..at])) => {
                let tag = (at > 0).then(|| selector[..at].to_owned());
                (tag, selector[at..].to_owned())
            }
            None if is_name(selector) => (None, selector.to_owned()),
            _ => return self.not_understood(body),
        };
        let declarations = declared.to_vec();
        let rules = self.rules.entry(key).or_default();
        rules.push(Rule { tag, declarations });
    }

    fn not_understood(&mut self, body: &str) {
        for property in PROPERTIES {
            if body.contains(property) && !self.doubtful.contains(&property) {
                self.doubtful.push(property);
            }
        }
    }

    /// The rules that apply to an element, the weakest first.
    fn rules_for<'s>(
        &'s self,
        name: &'s str,
        element: &Element<'_, '_>,
    ) -> impl Iterator<Item = &'s Rule> {
        let mut keys = Vec::new();
        if !self.rules.is_empty() {
            keys.push(name.to_owned());
            let attribute = |name: &str| element.get_attribute(name).unwrap_or_default();
            let classes = attribute("class").to_ascii_lowercase();
            keys.extend(classes.split_whitespace().map(|class| format!(".{class}")));
            keys.push(format!("#{}", attribute("id").to_ascii_lowercase()));
        }
        let rules = keys.into_iter().filter_map(|key| self.rules.get(&key));
        rules
            .flatten()
            .filter(move |rule| rule.tag.as_deref().is_none_or(|tag| tag == name))
    }
}

fn declarations(text: &str) -> Vec<(String, String)> {
    let text = without_comments(text);
    let text = without_escapes(&text);
    let declarations = text.split(';').filter_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        let value = value.to_ascii_lowercase().replace("!important", "");
        Some((
            property.trim().to_ascii_lowercase(),
            value.trim().to_owned(),
        ))
    });
    declarations.collect()
}

/// The text with letters for their numbers: `dis\70lay` is `display`.
fn without_escapes(css: &str) -> Cow<'_, str> {
    if !css.contains('\\') {
        return Cow::Borrowed(css);
    }
    let mut parts = css.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (digits, rest) = part.split_at(digits.min(6));
        let letter = u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32);
        plain.extend(letter);
        let is_number = !digits.is_empty();
        plain.push_str(rest.strip_prefix(' ').filter(|_| is_number).unwrap_or(rest));
    }
    Cow::Owned(plain)
}

/// The size in a value of `font`: the first length, before a slash.
fn font_size(value: &str) -> Option<&str> {
    let mut words = value.split_whitespace();
    let size = words.find(|word| {
        let number = word.split('/').next().unwrap_or_default();
        // Weights such as 700 have no unit.
        let is_number = number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let has_unit = number.ends_with(|c: char| c.is_ascii_alphabetic() || c == '%');
        is_number && (has_unit || number.trim_matches(['0', '.']).is_empty())
    })?;
    size.split('/').next()
}

/// Whether nothing is left of an element that is cut: `rect(0, 0, 0, 0)`, `inset(100%)`.
fn is_clipped_away(value: &str) -> bool {
    let Some((shape, sizes)) = value.trim_end_matches(')').split_once('(') else {
        return false;
    };
    let sizes = sizes.split([',', ' ']).filter(|size| !size.is_empty());
    let is_nothing = |size: &str| length(size).is_some_and(|length| length <= 1.0);
    let sizes: Vec<bool> = sizes.map(is_nothing).collect();
    match shape.trim() {
        "rect" => sizes.len() == 4 && !sizes.contains(&false),
        "circle" => sizes.first() == Some(&true),
        "inset" => value.contains("(50%") || value.contains("(100%"),
        _ => false,
    }
}

/// What the background of an element is painted with.
fn background(value: &str) -> Paint {
    if value.contains("url(") || value.contains("gradient") || value.contains("var(") {
        return Paint::Unknown;
    }
    match value {
        "none" | "inherit" | "unset" | "initial" => return Paint::Clear,
        value if value.starts_with("rgb") => return Paint::css(value),
        _ => {}
    }
    let mut paints = value.split_whitespace().map(Paint::css);
    // Everything that is no colour says where a picture stands.
    paints
        .find(|paint| *paint != Paint::Unknown)
        .unwrap_or(Paint::Unknown)
}

/// Pixels from which on something stands outside of every screen.
const OUTSIDE: f32 = -900.0;

/// A length in pixels; `None` for what depends on anything else.
fn length(value: &str) -> Option<f32> {
    let unit = value.find(|c: char| c.is_ascii_alphabetic() || c == '%');
    let (number, unit) = value.split_at(unit.unwrap_or(value.len()));
    let number: f32 = number.trim().parse().ok()?;
    match unit {
        "px" | "" => Some(number),
        "pt" => Some(number / 0.75),
        "em" | "rem" => Some(number * USUAL / 0.75),
        "%" if number <= 0.0 => Some(number * 20.0),
        _ => None,
    }
}

fn points(value: &str, outer: f32) -> f32 {
    let unit = value.find(|c: char| c.is_ascii_alphabetic() || c == '%');
    let (number, unit) = value.split_at(unit.unwrap_or(value.len()));
    let Ok(number) = number.trim().parse::<f32>() else {
        return USUAL;
    };
    match unit {
        _ if number <= 0.0 => 0.0,
        "px" => number * 0.75,
        "pt" => number,
        "em" => number * outer,
        "%" => number * outer / 100.0,
        "rem" => number * USUAL,
        _ => USUAL,
    }
}

/// Where a block with blocks inside ends.
fn nested(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        let is_end = byte == b'}' && depth == 0;
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    })
}

fn without_comments(css: &str) -> String {
    let mut plain = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, comment)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    plain + rest
}
