//! The page of a report as a server shows it: the same page and data, with a script of the server's
//! before it, and a policy that lets it talk to that server and to nobody else.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use super::pack::packed;
use super::{PARTS, SHELL, filled};

/// A page to serve.
pub struct Hosted {
    /// The page.
    pub page: String,
    /// The policy for the head of the answer; the page has none in itself.
    pub policy: String,
}

/// The element with what the script is told.
const ABOUT: &str = "cento-host";

/// Makes a page that was written before one of a server: `script` runs before the page's own, and finds
/// `about` in the element `cento-host`, as base64. None if it is no page of a report.
///
/// Only the data is taken from the page, so pages of earlier versions are shown by this one.
pub fn hosted(page: &str, script: &str, about: &str) -> Option<Hosted> {
    let start = page.find("<script type=\"text/plain\" id=\"cento-report\">")?;
    let end = start + page[start..].find("<script>")?;
    let blocks = format!(
        "{}<script type=\"text/plain\" id=\"{ABOUT}\">{}</script>\n<script>{script}</script>\n",
        &page[start..end],
        BASE64.encode(about)
    );
    let hash = BASE64.encode(Sha256::digest(script));
    let scripts = format!("script-src 'sha256-{hash}' ");
    let policy = PARTS.policy.replacen("script-src ", &scripts, 1);
    Some(Hosted {
        page: filled(&UNGUARDED, env!("CARGO_PKG_VERSION"), &blocks),
        policy: format!("{policy}; connect-src 'self'"),
    })
}

/// A page that was written before, with decisions about its pairs (`cento.work/1`) in it.
pub fn with_work(page: &str, work: &str) -> String {
    let Some(at) = page.rfind("<script>") else {
        return page.to_owned();
    };
    let mut block = String::new();
    super::block(&mut block, "work", &packed(work.as_bytes()));
    [&page[..at], &block, &page[at..]].concat()
}

/// The shell without its own policy, which would forbid what the server's allows.
static UNGUARDED: LazyLock<String> = LazyLock::new(|| {
    let lines = SHELL.lines().filter(|line| !line.contains("{{policy}}"));
    lines.flat_map(|line| [line, "\n"]).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_data_is_taken_over() {
        let block =
            |name: &str| format!("<script type=\"text/plain\" id=\"cento-{name}\">AA</script>\n");
        let data = block("report") + &block("texts") + &block("templates");
        let old = format!("<title>old</title>{data}<script>older();</script>");
        let hosted = hosted(&old, "host();", "{\"name\":\"</script>\"}").unwrap();
        assert!(hosted.page.contains(&data));
        assert!(!hosted.page.contains("older()") && !hosted.page.contains("<title>old"));
        assert!(!hosted.page.contains("Content-Security-Policy"));
        assert!(!hosted.page.contains("{\"name\""));
        let host = hosted.page.find("<script>host();").unwrap();
        assert!(host < hosted.page.find("const Cento =").unwrap());
        assert!(hosted.policy.contains("connect-src 'self'"));
        assert_eq!(hosted.policy.matches("'sha256-").count(), 3);
        assert!(super::hosted("<p>nothing</p>", "", "").is_none());
    }
}
