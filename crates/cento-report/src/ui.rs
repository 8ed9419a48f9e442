//! The parts of the page that other pages of Cento share, so that they look and read alike.

/// Light and dark.
pub const COLOURS: &str = include_str!("../ui/colours.css");
/// Type, bars, tables, cards.
pub const PAGE: &str = include_str!("../ui/page.css");
/// The name under which all scripts live; comes first.
pub const NAMESPACE: &str = include_str!("../ui/namespace.js");
/// Elements from names, attributes and children.
pub const DOM: &str = include_str!("../ui/dom.js");
/// Numbers and names as people read them.
pub const WORDS: &str = include_str!("../ui/words.js");
