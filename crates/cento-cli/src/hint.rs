//! Which flag a note is about.

use cento::report::Remedy;

/// The flag of the option that a note is about.
pub(crate) fn flag(remedy: &Remedy) -> Option<String> {
    let flag = match remedy {
        Remedy::Top => "--top",
        Remedy::MaxDocuments => "--max-df",
        Remedy::LeaveOutCommon => "--base-from common",
        Remedy::Compressor => "--compress",
        Remedy::Templates => "--base",
        Remedy::Key => "--key-file",
        _ => return None,
    };
    Some(flag.to_owned())
}
