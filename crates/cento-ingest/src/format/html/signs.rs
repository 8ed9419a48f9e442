//! Signs in a page, which stand for what it does not show.

use std::borrow::Cow;

use super::super::draft::Draft;
use crate::ConcealedText;

/// The sign of something that is not shown, by its number.
pub(super) fn sign(number: usize) -> String {
    format!("{SIGN}{number}{SIGN_END}")
}

/// The text without any sign.
pub(super) fn without_signs(text: &str) -> Cow<'_, str> {
    if !text.contains(SIGN) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(by_signs(text).map(|(text, _)| text).collect())
}

/// The texts between signs, and the number of the sign behind each.
fn by_signs(text: &str) -> impl Iterator<Item = (&str, Option<usize>)> {
    text.split_inclusive(SIGN_END)
        .map(|part| match part.split_once(SIGN) {
            Some((text, sign)) => (text, sign.trim_end_matches(SIGN_END).parse().ok()),
            None => (part.trim_end_matches(SIGN_END), None),
        })
}

impl Draft {
    /// Adds text in which signs stand for what is not shown.
    pub(super) fn push_with_signs(&mut self, text: &str, pieces: &[ConcealedText]) {
        if pieces.is_empty() {
            return self.push(text);
        }
        for (text, number) in by_signs(text) {
            self.push(text);
            if let Some(piece) = number.and_then(|number| pieces.get(number)) {
                self.place(piece.clone());
            }
        }
    }
}

/// Characters that no text has, around the number of something that is not shown.
const SIGN: char = '\u{fdd0}';
const SIGN_END: char = '\u{fdd1}';
