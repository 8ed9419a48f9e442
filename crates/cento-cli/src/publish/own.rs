//! Which files are ours to overwrite: those that Cento wrote, told by how they begin.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// What the files of each format have near their beginning; tables begin with their header.
const MARKS: [&str; 10] = [
    "<meta name=\"generator\" content=\"Cento ",
    "\"schema\": \"cento.",
    "<!-- Cento ",
    "// Cento ",
    "{\"begin",
    "left,right,score,shared,",
    "code,id,label\n",
    "id,leftFileId,leftFilePath,",
    "id,ignored,path,content,",
    "property,value,type\n",
];
/// How many bytes are looked at: the content security policy comes before the mark of a page, and
/// the shares of two documents before the parameters of a comparison.
const HEAD: u64 = 2048;

/// Whether Cento wrote a file, or there is none.
pub(super) fn is_ours(path: &Path) -> Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        // A pipe or a device, such as /dev/null, loses nothing.
        return Ok(true);
    }
    let mut head = Vec::new();
    let read = file.take(HEAD).read_to_end(&mut head);
    read.with_context(|| path.display().to_string())?;
    let head = String::from_utf8_lossy(&head);
    Ok(head.is_empty() || is_marked(&head))
}

/// Whether this is how a file of ours begins.
fn is_marked(head: &str) -> bool {
    // A text report has no header; every one has a line with its parameters near the top.
    let is_parameters = |line: &str| line.starts_with("recipe ") && line.contains("; measure ");
    MARKS.iter().any(|mark| head.contains(mark)) || head.lines().any(is_parameters)
}

/// Refuses to overwrite what somebody else wrote.
pub(super) fn check(path: &Path) -> Result<()> {
    if is_ours(path)? {
        return Ok(());
    }
    bail!(
        "{}: exists, and Cento did not write it; choose another name, or --force",
        path.display()
    );
}

/// Writes a file that nobody else may read.
pub(super) fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options
        .open(path)
        .with_context(|| path.display().to_string())?;
    file.write_all(text.as_bytes())
        .with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::is_marked;

    #[test]
    fn text_reports_are_ours_whatever_the_measure() {
        for (head, expected) in [
            (
                "recipe words+fold | window:5 | fast:64+sorted | all; measure max-containment; aligner passages\n",
                true,
            ),
            (
                "recipe words+fold | window:8 | fast:64+sorted | all; measure resemblance; threshold 0.2\n\n",
                true,
            ),
            ("recipe style:the,and,but,so; measure style\n", true),
            (
                "  17 % of a.txt is in b.txt\n\nrecipe se; measure symmetric; aligner none\n",
                true,
            ),
            ("my recipe; measure twice, cut once\n", false),
            ("Dear Anna,\nthe recipe is below.\n", false),
        ] {
            assert_eq!(is_marked(head), expected, "{head}");
        }
    }
}
