//! Tables of pairs for a person at a terminal: as wide as there is room for, with names that are never
//! cut so far that two of them look alike.

use std::collections::{BTreeMap, BTreeSet};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::words::line;
use crate::paint::Screen;

/// Pairs of documents with numbers before their names.
pub struct PairTable {
    /// What stands over the numbers: as wide as they are, and shorter for a narrow screen.
    pub heads: [String; 2],
    /// The pairs.
    pub rows: Vec<PairRow>,
}

/// A pair of documents.
pub struct PairRow {
    /// The numbers, as wide as each head; colours have no width.
    pub numbers: [String; 2],
    /// What the documents are called.
    pub names: [String; 2],
    /// What stands between the names; one character, or nothing.
    pub sign: &'static str,
    /// What there is to say about the pair.
    pub remark: &'static str,
}

/// A name is not cut shorter than this.
const SHORTEST: usize = 12;
/// How much of a shortened name is its beginning; the first that leaves all names different.
const BEGINNINGS: [(usize, usize); 3] = [(1, 2), (1, 3), (2, 3)];
/// A prefix is worth cutting if it has so many characters.
const PREFIX: usize = 4;

impl PairTable {
    /// The table for a screen.
    pub fn rendered(&self, screen: Screen) -> String {
        let mut out = String::new();
        let whole = |name: &str| name.to_owned();
        let Some(room) = screen.width else {
            self.in_columns(0, screen, &[&whole, &whole], &mut out);
            return out;
        };
        let prefix = self.common_prefix();
        let cut = |name: &str| name[prefix.len()..].to_owned();
        let fits = |head: usize, width: [usize; 2]| {
            let all = self.fixed(head) + width[0] + width[1];
            all <= room
        };
        if fits(0, self.widths(0)) {
            self.in_columns(0, screen, &[&whole, &whole], &mut out);
            return out;
        }
        let widths = self.widths(prefix.len());
        if let Some(head) = [0, 1].into_iter().find(|&head| fits(head, widths)) {
            self.in_columns(head, screen, &[&cut, &cut], &mut out);
        } else if let Some((rooms, beginning)) = self.shortening(room, prefix.len()) {
            let [left, right] =
                rooms.map(|room| move |name: &str| shortened(name, room, beginning));
            let left = |name: &str| left(&cut(name));
            let right = |name: &str| right(&cut(name));
            self.in_columns(1, screen, &[&left, &right], &mut out);
        } else {
            self.below_each_other(screen, &mut out);
            return out;
        }
        if !prefix.is_empty() {
            line(&mut out, &format!("all names begin with {prefix}"));
        }
        out
    }

    /// What a row has besides its names.
    fn fixed(&self, head: usize) -> usize {
        let remark = |row: &PairRow| match row.remark {
            "" => 0,
            remark => remark.width() + 2,
        };
        let remarks = self.rows.iter().map(remark).max().unwrap_or(0);
        self.heads[head].width() + self.gap().width() + remarks
    }

    /// What stands between two names at least.
    fn gap(&self) -> &'static str {
        if self.rows.iter().any(|row| !row.sign.is_empty()) {
            "    "
        } else {
            "  "
        }
    }

    /// How wide the widest names of both columns are without a prefix of so many bytes.
    fn widths(&self, prefix: usize) -> [usize; 2] {
        [0, 1].map(|side| {
            let names = self
                .rows
                .iter()
                .map(|row| row.names[side][prefix..].width());
            names.max().unwrap_or(0)
        })
    }

    fn names(&self) -> BTreeSet<&str> {
        let names = self.rows.iter().flat_map(|row| &row.names);
        names.map(String::as_str).collect()
    }

    /// What all names begin with, up to the end of a folder or a word.
    fn common_prefix(&self) -> &str {
        let names = self.names();
        let (Some(first), Some(last)) = (names.first(), names.last()) else {
            return "";
        };
        // The first and the last in order have in common what all have.
        let equal = first.chars().zip(last.chars()).take_while(|(a, b)| a == b);
        let common = equal.map(|(c, _)| c.len_utf8()).sum();
        let end = first[..common].rfind(['/', '_', '-', ' ']);
        let prefix = end.map_or("", |end| &first[..=end]);
        let is_all_of_one = names.iter().any(|name| name.len() == prefix.len());
        if prefix.chars().count() < PREFIX || names.len() < 2 || is_all_of_one {
            return "";
        }
        prefix
    }

    /// How wide names may be, and how much of them comes before the gap, so that all fit and stay
    /// different; nothing if that is not possible.
    fn shortening(&self, room: usize, prefix: usize) -> Option<([usize; 2], (usize, usize))> {
        let room = room.checked_sub(self.fixed(1))?;
        let [left, right] = self.widths(prefix);
        let half = room / 2;
        let rooms = match (left <= half, right <= half) {
            (true, _) => [left, room - left],
            (_, true) => [room - right, right],
            _ => [half, room - half],
        };
        let is_too_short = |(room, width): (usize, usize)| room < SHORTEST.min(width);
        if rooms.into_iter().zip([left, right]).any(is_too_short) {
            return None;
        }
        let is_clear = |beginning: &(usize, usize)| {
            let mut seen: BTreeMap<String, &str> = BTreeMap::new();
            self.rows.iter().all(|row| {
                row.names.iter().zip(rooms).all(|(name, room)| {
                    let name = &name[prefix..];
                    *seen
                        .entry(shortened(name, room, *beginning))
                        .or_insert(name)
                        == name
                })
            })
        };
        let beginning = BEGINNINGS.into_iter().find(is_clear)?;
        Some((rooms, beginning))
    }

    fn in_columns(
        &self,
        head: usize,
        screen: Screen,
        show: &[&dyn Fn(&str) -> String; 2],
        out: &mut String,
    ) {
        let lefts: Vec<String> = self.rows.iter().map(|row| show[0](&row.names[0])).collect();
        let width = lefts.iter().map(|left| left.width()).max().unwrap_or(0);
        let width = width.max("LEFT".len());
        let gap = self.gap();
        let heads = format!("{}{:<width$}{gap}RIGHT", self.heads[head], "LEFT");
        line(out, &screen.paint.faint(&heads));
        for (row, left) in self.rows.iter().zip(&lefts) {
            let pad = " ".repeat(width - left.width());
            let right = show[1](&row.names[1]);
            let gap = match row.sign {
                "" => gap.to_owned(),
                sign => format!("  {sign} "),
            };
            let numbers = &row.numbers[head];
            let remark = after(row);
            line(out, &format!("{numbers}{left}{pad}{gap}{right}{remark}"));
        }
    }

    fn below_each_other(&self, screen: Screen, out: &mut String) {
        line(out, &screen.paint.faint(&self.heads[1]));
        for row in &self.rows {
            line(out, &format!("{}{}", row.numbers[1], row.remark));
            let [left, right] = &row.names;
            line(out, &format!("  {left}"));
            let sign = match row.sign {
                "" => String::new(),
                sign => format!("{sign} "),
            };
            line(out, &format!("  {sign}{right}"));
        }
    }
}

fn after(row: &PairRow) -> String {
    match row.remark {
        "" => String::new(),
        remark => format!("  {remark}"),
    }
}

/// A name with its middle left out where it is wider than `room`; `beginning` is the part of the room
/// that its beginning gets.
fn shortened(name: &str, room: usize, beginning: (usize, usize)) -> String {
    if name.width() <= room {
        return name.to_owned();
    }
    let room = room.saturating_sub(1);
    let head_room = room * beginning.0 / beginning.1;
    let head = fitting(name.chars(), head_room);
    let tail = fitting(name.chars().rev(), room - head_room);
    let tail: String = tail.chars().rev().collect();
    format!("{head}…{tail}")
}

/// The first characters that have room.
fn fitting(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= room
    };
    characters.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Paint;

    #[track_caller]
    fn check(width: usize, pairs: &[[&str; 2]], expected: &str) {
        let row = |names: &[&str; 2]| PairRow {
            numbers: ["  99 %  bar  ".to_owned(), "  99 %  ".to_owned()],
            names: names.map(str::to_owned),
            sign: "",
            remark: "",
        };
        let table = PairTable {
            heads: [" SCORE       ".to_owned(), " SCORE  ".to_owned()],
            rows: pairs.iter().map(row).collect(),
        };
        let screen = Screen {
            paint: Paint::Plain,
            width: Some(width),
        };
        let shown = table.rendered(screen);
        assert_eq!(shown, expected);
        let is_name = |line: &str| line.starts_with("  ") && !line.contains('%');
        for shown in shown.lines().filter(|line| !is_name(line)) {
            assert!(
                shown.starts_with("all names") || shown.width() <= width,
                "{shown}"
            );
        }
    }

    #[test]
    fn names_are_whole_where_there_is_room() {
        check(
            40,
            &[["work/anna.txt", "work/b.txt"]],
            " SCORE       LEFT           RIGHT\n  99 %  bar  work/anna.txt  work/b.txt\n",
        );
    }

    #[test]
    fn what_all_begin_with_is_said_once() {
        check(
            32,
            &[["work/anna.txt", "work/b.txt"]],
            " SCORE       LEFT      RIGHT\n  99 %  bar  anna.txt  b.txt\nall names begin with work/\n",
        );
        check(
            26,
            &[["work/anna.txt", "work/b.txt"]],
            " SCORE  LEFT      RIGHT\n  99 %  anna.txt  b.txt\nall names begin with work/\n",
        );
    }

    #[test]
    fn long_names_lose_their_middle() {
        check(
            36,
            &[["a-long-name-of-anna.txt", "the-long-name-of-ben.txt"]],
            " SCORE  LEFT           RIGHT\n  99 %  a-long…na.txt  the-lo…en.txt\n",
        );
        check(
            36,
            &[["ann.txt", "the-long-name-of-ben.txt"]],
            " SCORE  LEFT     RIGHT\n  99 %  ann.txt  the-long-…f-ben.txt\n",
        );
    }

    #[test]
    fn names_never_look_alike() {
        let [one, two] = ["1", "2"].map(|n| format!("{}{n}{}", "a".repeat(16), "z".repeat(16)));
        let expected = format!(" SCORE\n  99 %\n  {one}\n  {two}\n");
        check(40, &[[&one, &two]], &expected);
        // The difference is in the last third.
        let [one, two] = ["1", "2"].map(|n| format!("{}{n}{}", "a".repeat(24), "z".repeat(8)));
        check(
            40,
            &[[&one, &two]],
            " SCORE  LEFT             RIGHT\n  99 %  aaaa…a1zzzzzzzz  aaaa…a2zzzzzzzz\n",
        );
    }
}
