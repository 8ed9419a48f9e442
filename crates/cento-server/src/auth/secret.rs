//! Random secrets, and how they are kept: passwords through argon2, random tokens by their hash.

use std::sync::{Mutex, MutexGuard, PoisonError};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as LETTERS;
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// Memory in KiB, passes and lanes: what OWASP advises for argon2id.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);
const HASH: usize = 32;

/// A password as it is kept.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) salt: Vec<u8>,
    pub(crate) hash: Vec<u8>,
}

impl Kept {
    /// What is kept of a password.
    pub(crate) fn of(password: &str) -> Result<Kept, Error> {
        let salt = random::<16>()?.to_vec();
        let hash = hash(password, &salt);
        Ok(Kept { salt, hash })
    }

    /// Whether this is the password.
    pub(crate) fn is(&self, password: &str) -> bool {
        equal(&hash(password, &self.salt), &self.hash)
    }

    /// What nobody has: a login under an unknown name takes as long as any other.
    pub(crate) fn nobodys() -> Kept {
        Kept {
            salt: vec![0; 16],
            hash: vec![0; HASH],
        }
    }
}

fn hash(password: &str, salt: &[u8]) -> Vec<u8> {
    let (memory, passes, lanes) = COST;
    let parameters = Params::new(memory, passes, lanes, Some(HASH)).expect("the cost is allowed");
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
    let mut memory = take_memory(argon.params().block_count());
    let mut hash = vec![0; HASH];
    argon
        .hash_password_into_with_memory(password.as_bytes(), salt, &mut hash, &mut memory)
        .expect("salt, hash and memory have the lengths that argon2 wants");
    spare_memory().push(memory);
    hash
}

/// Memory for as many passwords as were ever hashed at once. If each allocated its own, every thread
/// that ever did it would keep some.
fn spare_memory() -> MutexGuard<'static, Vec<Vec<Block>>> {
    static SPARE: Mutex<Vec<Vec<Block>>> = Mutex::new(Vec::new());
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take_memory(blocks: usize) -> Vec<Block> {
    let spare = spare_memory().pop();
    spare.unwrap_or_else(|| vec![Block::default(); blocks])
}

/// A new secret of 256 bits, in letters that need no quoting anywhere.
pub(crate) fn new_token() -> Result<String, Error> {
    Ok(LETTERS.encode(random::<32>()?))
}

/// Something that nobody can guess and that may be seen: the name of a job.
pub(crate) fn new_name() -> Result<String, Error> {
    Ok(LETTERS.encode(random::<16>()?))
}

/// What is kept of a token. It is random, so no slow hash is needed.
pub(crate) fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A secret for each name, from one that only we know.
pub(crate) fn derived(secret: &str, name: &str) -> String {
    // Secrets have one length, so no two pairs run together into the same text.
    LETTERS.encode(Sha256::digest(format!("{secret} {name}").as_bytes()))
}

/// Compares in a time that does not tell where the two differ.
pub(crate) fn equal(left: &[u8], right: &[u8]) -> bool {
    let differences = left.iter().zip(right).map(|(l, r)| l ^ r);
    left.len() == right.len() && differences.fold(0, |all, one| all | one) == 0
}

fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::Random(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_tokens() {
        let kept = Kept::of("nine swans").unwrap();
        assert!(kept.is("nine swans"));
        assert!(!kept.is("nine swan") && !kept.is(""));
        assert!(!Kept::nobodys().is(""));
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 43);
        assert!(equal(b"same", b"same") && !equal(b"same", b"some") && !equal(b"a", b"ab"));
    }
}
