//! Program text as code tokens, through tree-sitter grammars.
//!
//! [`Language::of_file`] recognises a program by its name and content, and [`parse`] makes a
//! [`Program`] of it: two views of its tokens, both with spans in bytes of the text, the borders of
//! its subroutines, and what a highlighter colours.
//!
//! * [`letters`](Program::letters) are the paper's (Finkel et al., section 2.1): each keyword is
//!   its own term, `i` is any identifier, `0` any number, `"` any quoted text.
//! * [`structure`](Program::structure) is what stays the same when a program is disguised: a normal
//!   form without names, values, comments and layout.
//!
//! ```
//! use cento_code::{Language, parse};
//!
//! let text = "int twice(int n) { return 2 * n; } // easy";
//! let language = Language::of_file("twice.c", text).expect("known by its extension");
//! if language.is_built() {
//!     let program = parse(text, language)?;
//!     let letters: Vec<&str> = program.terms_of(&program.letters).collect();
//!     assert_eq!(letters.concat(), "inti(inti){return0*i;}");
//!     assert_eq!(program.subroutines.len(), 1);
//! }
//! # Ok::<(), cento_code::Refusal>(())
//! ```
//!
//! [`attack`] disguises a program as somebody does who has copied it, so that one can see what is still
//! found.
//!
//! What is not parsed is refused, and [`Refusal`] says why; the limits count bytes, nodes,
//! depth and steps, never time, so that an answer cannot depend on how busy the machine is.

mod attack;
mod conditions;
mod constant;
mod dead;
mod detect;
mod grammar;
mod language;
mod letters;
mod normal;
mod packed;
mod parse;
mod pointers;
mod program;
mod rules;
mod structure;
mod switch;
mod temporary;
mod tree;

pub use attack::{Attack, attack};
pub use language::Language;
pub use parse::{
    MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_STEPS_PER_BYTE, MAX_UNPARSED_PERCENT, Refusal, parse,
};
pub use program::{Class, Highlight, Program, Subroutine, Token};

/// Changes whenever the tokens of some program may: with a grammar's version or a table of ours.
/// It is a part of the identity of every recipe that takes code tokens.
pub const REVISION: u32 = 3;
