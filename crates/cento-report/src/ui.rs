//! The parts of the page that other pages of Cento share, so that they look and read alike, and how
//! parts become a page that allows itself nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

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

/// The one script and the one style of a page, and the content security policy that allows these two,
/// by their SHA-256, and nothing else.
pub struct Parts {
    /// The script.
    pub script: String,
    /// The style.
    pub style: String,
    /// The policy.
    pub policy: String,
}

impl Parts {
    /// Joins scripts and styles in their order. `more` is what the policy says besides.
    pub fn new(scripts: &[&str], styles: &[&str], more: &str) -> Parts {
        let script = format!("\n{}", scripts.join("\n"));
        let style = format!("\n{}", styles.join("\n"));
        let hash = |text: &str| BASE64.encode(Sha256::digest(text));
        // `trusted-types 'none'` makes every way from a string to markup an error.
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
             {more}; require-trusted-types-for 'script'; trusted-types 'none'",
            hash(&script),
            hash(&style)
        );
        Parts {
            script,
            style,
            policy,
        }
    }

    /// What in the sources could end their elements or make markup of text; nothing in a page that
    /// may be shown.
    pub fn dangers(&self) -> Vec<&'static str> {
        const MARKUP: [&str; 9] = [
            "innerHTML",
            "outerHTML =",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            ".style.",
            "import(",
            "@import",
            "url(",
        ];
        const ENDS: [&str; 3] = ["</script", "</style", "<!--"];
        let both = format!("{}{}", self.script, self.style);
        let lower = both.to_lowercase();
        let ends = ENDS.into_iter().filter(|end| lower.contains(end));
        let markup = MARKUP.into_iter().filter(|way| both.contains(way));
        ends.chain(markup).collect()
    }
}
