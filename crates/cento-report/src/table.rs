//! Tables as comma-separated values (RFC 4180): the one writer of all of them.

use std::borrow::Cow;

use ::csv::{Writer, WriterBuilder};

/// Who reads a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// People, in a spreadsheet: a cell that it would run as a formula begins with an apostrophe.
    ForPeople,
    /// Programs, which get every cell as it is.
    Verbatim,
}

/// A table in memory.
#[derive(Debug)]
pub struct Table {
    writer: Writer<Vec<u8>>,
    cells: Cells,
}

/// Why nothing can go wrong here.
const IN_MEMORY: &str = "writing to memory does not fail";

impl Table {
    /// A table with the names of its columns, and no rows yet.
    ///
    /// # Panics
    ///
    /// Never, nor do the others: writing to memory does not fail.
    pub fn new(cells: Cells, columns: &[&str]) -> Table {
        let writer = WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let mut table = Table { writer, cells };
        table.row(columns);
        table
    }

    /// Adds a row.
    #[expect(clippy::missing_panics_doc, reason = "it never does")]
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        for cell in cells {
            let cell = match self.cells {
                Cells::ForPeople => guarded(cell.as_ref()),
                Cells::Verbatim => Cow::Borrowed(cell.as_ref()),
            };
            self.writer.write_field(cell.as_ref()).expect(IN_MEMORY);
        }
        self.writer.write_record(None::<&[u8]>).expect(IN_MEMORY);
    }

    /// The table as text.
    #[expect(clippy::missing_panics_doc, reason = "it never does")]
    pub fn finish(self) -> String {
        let bytes = self.writer.into_inner().expect(IN_MEMORY);
        String::from_utf8(bytes).expect("cells are text")
    }
}

/// A cell that a spreadsheet shows as it is, instead of running it.
fn guarded(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(cell) {
        return Cow::Owned(format!("'{cell}"));
    }
    Cow::Borrowed(cell)
}

fn is_number(cell: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    cell.chars().all(is_plain) && cell.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cells: Cells, cell: &str) -> String {
        let mut table = Table::new(cells, &["a", "b"]);
        table.row(["x", cell]);
        table.finish()
    }

    #[track_caller]
    fn check(cell: &str, for_people: &str) {
        let expected = format!("a,b\nx,{for_people}\n");
        assert_eq!(table(Cells::ForPeople, cell), expected);
        let verbatim = table(Cells::Verbatim, cell);
        let mut reader = ::csv::Reader::from_reader(verbatim.as_bytes());
        let read = reader.records().next().unwrap().unwrap();
        assert_eq!(&read[1], cell);
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_guarded() {
        check("=1+1", "'=1+1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("+x", "'+x");
        check("-x.txt", "'-x.txt");
        check("\t=1", "'\t=1");
        check("\r=1", "\"'\r=1\"");
        check("=A1,\"b\"", "\"'=A1,\"\"b\"\"\"");
        check("-2+cmd|' /C calc'!A0", "'-2+cmd|' /C calc'!A0");
        check("-inf", "'-inf");
    }

    #[test]
    fn numbers_stay_numbers() {
        for number in ["-2", "+3", "-0.25", "-1.5e-7", "7"] {
            check(number, number);
        }
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        check("a.txt", "a.txt");
        check("a, \"b\"\n", "\"a, \"\"b\"\"\n\"");
        check("", "");
        check("'=1", "'=1");
    }
}
