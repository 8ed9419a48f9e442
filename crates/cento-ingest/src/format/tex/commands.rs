//! What the commands and environments of LaTeX mean for its text.

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Plain,
    Heading,
    /// A footnote or a note in the margin.
    Note,
}

/// What to do with a command.
pub(super) enum Meaning {
    Begin,
    End,
    /// Leave out so many arguments; others are text.
    Drop(usize),
    /// It defines another command.
    Define,
    /// Its argument is text as it stands.
    Literal,
    Starts(Group),
    Line,
    Paragraph,
    Space,
    /// Only its name goes.
    Nothing,
}

/// What to do with an environment.
#[derive(PartialEq, Eq)]
pub(super) enum Environment {
    /// Text after so many arguments.
    Text(usize),
    Verbatim,
    /// Formulas, drawings, comments.
    Skipped,
}

pub(super) fn meaning(name: &str) -> Meaning {
    match name {
        "begin" => Meaning::Begin,
        "end" => Meaning::End,
        "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph"
        | "subparagraph" | "title" | "frametitle" | "caption" => Meaning::Starts(Group::Heading),
        "footnote" | "footnotetext" | "thanks" | "marginpar" | "marginnote" | "endnote" => {
            Meaning::Starts(Group::Note)
        }
        "item" | "newline" | "linebreak" | "tabularnewline" | "hline" => Meaning::Line,
        "par" | "newpage" | "clearpage" | "maketitle" | "medskip" | "bigskip" | "smallskip" => {
            Meaning::Paragraph
        }
        "quad" | "qquad" | "space" | "hfill" | "enspace" | "thinspace" => Meaning::Space,
        "url" | "path" | "nolinkurl" => Meaning::Literal,
        "newcommand"
        | "renewcommand"
        | "providecommand"
        | "newenvironment"
        | "def"
        | "gdef"
        | "renewenvironment"
        | "newtheorem"
        | "DeclareMathOperator"
        | "let"
        | "edef" => Meaning::Define,
        "rule" | "multicolumn" | "setlength" | "addtolength" | "setcounter" | "addtocounter"
        | "fontsize" | "definecolor" | "resizebox" | "raisebox" => Meaning::Drop(2),
        "addcontentsline" | "multirow" => Meaning::Drop(3),
        "href" | "textcolor" | "colorbox" | "scalebox" | "parbox" | "foreignlanguage" => {
            Meaning::Drop(1)
        }
        _ if name.contains("cite") || name.ends_with("ref") => Meaning::Drop(1),
        "label" | "includegraphics" | "input" | "include" | "bibliography" | "color" | "index"
        | "bibliographystyle" | "usepackage" | "documentclass" | "vspace" | "hspace"
        | "bibitem" | "pagestyle" | "thispagestyle" | "hypersetup" | "graphicspath"
        | "pagenumbering" | "selectlanguage" | "glossary" | "hypertarget" | "hyperlink"
        | "cline" | "lstset" | "geometry" | "usetikzlibrary" | "addbibresource"
        | "RequirePackage" | "pgfplotsset" | "sisetup" | "captionsetup" | "vskip" | "hskip"
        | "phantom" | "hphantom" | "vphantom" => Meaning::Drop(1),
        _ => Meaning::Nothing,
    }
}

pub(super) fn environment(name: &str) -> Environment {
    match name.trim_end_matches('*') {
        "verbatim" | "Verbatim" | "lstlisting" | "alltt" | "minted" | "BVerbatim" => {
            Environment::Verbatim
        }
        "equation" | "align" | "gather" | "multline" | "eqnarray" | "math" | "displaymath"
        | "alignat" | "flalign" | "array" | "tikzpicture" | "picture" | "comment"
        | "filecontents" | "pspicture" => Environment::Skipped,
        "tabularx" | "tabulary" | "wrapfigure" | "list" => Environment::Text(2),
        // With a star it has a width before the columns.
        "tabular" if name.ends_with('*') => Environment::Text(2),
        "tabular" | "longtable" | "minipage" | "multicols" | "thebibliography" | "adjustbox"
        | "spacing" | "otherlanguage" | "subfigure" | "wraptable" => Environment::Text(1),
        _ => Environment::Text(0),
    }
}

/// Letters and signs that have a name.
pub(super) fn symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "ss" => "ß",
        "ae" => "æ",
        "AE" => "Æ",
        "oe" => "œ",
        "OE" => "Œ",
        "o" => "ø",
        "O" => "Ø",
        "l" => "ł",
        "L" => "Ł",
        "aa" => "å",
        "AA" => "Å",
        "i" => "i",
        "j" => "j",
        "dh" => "ð",
        "th" => "þ",
        "ldots" | "dots" | "textellipsis" => "…",
        "textendash" => "–",
        "textemdash" => "—",
        "textbackslash" => "\\",
        "textasciitilde" => "~",
        "textasciicircum" => "^",
        "textquotesingle" => "'",
        "textbar" => "|",
        "textless" => "<",
        "textgreater" => ">",
        "copyright" => "©",
        "euro" | "texteuro" => "€",
        "pounds" => "£",
        "S" => "§",
        "P" => "¶",
        "LaTeX" => "LaTeX",
        "TeX" => "TeX",
        "BibTeX" => "BibTeX",
        _ => return None,
    })
}

/// The accent that a command of one letter puts on the next letter.
pub(super) fn letter_accent(name: &str) -> Option<char> {
    Some(match name {
        "v" => '\u{30c}',
        "c" => '\u{327}',
        "H" => '\u{30b}',
        "u" => '\u{306}',
        "k" => '\u{328}',
        "r" => '\u{30a}',
        "d" => '\u{323}',
        "b" => '\u{331}',
        _ => return None,
    })
}

/// The accent that a sign puts on the next letter.
pub(super) fn combining(sign: char) -> Option<char> {
    Some(match sign {
        '`' => '\u{300}',
        '\'' => '\u{301}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        '.' => '\u{307}',
        '"' => '\u{308}',
        _ => return None,
    })
}
