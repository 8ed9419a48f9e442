//! Which files are ours to overwrite: those that Cento wrote, told by how they begin or end.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
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
/// How many bytes of a beginning are looked at: the content security policy comes before the mark of a
/// page.
const HEAD: u64 = 2048;
/// How many bytes of an end are looked at: the last line of a text report names every template.
const TAIL: u64 = 64 << 10;

/// Whether Cento wrote a file, or there is none.
pub(super) fn is_ours(path: &Path) -> Result<bool> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let Some(metadata) = file.metadata().ok().filter(std::fs::Metadata::is_file) else {
        // A pipe or a device, such as /dev/null, loses nothing.
        return Ok(true);
    };
    let mut part = |from: u64, most: u64| -> std::io::Result<String> {
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        (&file).take(most).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let named = || path.display().to_string();
    let head = part(0, HEAD).with_context(named)?;
    let tail = part(metadata.len().saturating_sub(TAIL), TAIL).with_context(named)?;
    Ok(head.is_empty() || is_marked(&head) || has_parameters(&head) || has_parameters(&tail))
}

/// Whether this is how a file of ours begins.
fn is_marked(head: &str) -> bool {
    MARKS.iter().any(|mark| head.contains(mark))
}

/// Whether this has the line that a text report ends with; older ones begin with it.
fn has_parameters(part: &str) -> bool {
    let is_parameters = |line: &str| line.starts_with("recipe ") && line.contains("; measure ");
    part.lines().any(is_parameters)
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

#[cfg(test)]
mod tests {
    use super::has_parameters;

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
            assert_eq!(has_parameters(head), expected, "{head}");
        }
    }
}
